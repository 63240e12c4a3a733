/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to kernel/halt_poll/: what its files share
 */
#ifndef _KERNEL_HALT_POLL_INTERNAL_H
#define _KERNEL_HALT_POLL_INTERNAL_H

#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>

#ifdef CONFIG_PARAVIRT
#include <asm/paravirt.h>
#endif

#include "backoff.h"
#include "policy.h"
#include "wake_cost.h"

/*
 * The clock of the poll: per CPU, cheap on every guest (no exit), and fit for
 * where RCU does not watch. Kernels that check noinstr code by section have a
 * variant for it; on older ones local_clock() itself is good enough.
 */
#ifdef __noinstr_section
#define halt_poll_clock()	local_clock_noinstr()
#else
#define halt_poll_clock()	local_clock()
#endif

/**
 * struct halt_poll_config - the tunables in force
 * @generation: goes up after each change
 * @epoch: goes up each time that polling is switched on
 * @policy: the policy
 * @tunables: what the policy is given
 * @timer_ns: how far away an own timer may be to be polled for; 0 = never. Only
 *	what the administrator wrote may be %HALT_POLL_TIMER_AUTO
 *
 * Written under a mutex of sysctl.c. Each CPU takes a copy of its own when it
 * sees a new generation, so that one decision is made from one set of values.
 */
struct halt_poll_config {
	unsigned int			generation;
	unsigned int			epoch;
	const struct halt_poll_policy	*policy;
	struct halt_poll_tunables	tunables;
	u32				timer_ns;
};

extern struct halt_poll_config halt_poll_config;

/* Bucket b of a histogram is for 2^b ns and more; the last one has no end. */
#define HALT_POLL_BUCKETS	32

/**
 * struct halt_poll_stats - what one CPU has done since boot
 * @syncp: keeps a reader from seeing half of a count on 32 bits
 * @idles: idle periods that are over
 * @attempted: those that were polled
 * @successful: of these, how many a wake-up ended while the CPU polled
 * @success_ns: time polled in the successful ones
 * @fail_ns: time polled in the others
 * @halts: how often the CPU came back from the idle routine
 * @timers: timer interrupts that the poll took ahead of the device
 * @timer_early_ns: by how much, against the time that the device was set to
 * @stolen_ns: time that the host gave to others while the CPU polled
 * @backoffs: how often the CPU stopped polling for a while because of that
 * @idle_hist: idle periods by the logarithm of their length
 * @hit_hist: successful polls by the logarithm of theirs
 * @miss_hist: the others
 *
 * Written by their own CPU only, by its idle task.
 */
struct halt_poll_stats {
	struct u64_stats_sync	syncp;
	u64			idles;
	u64			attempted;
	u64			successful;
	u64			success_ns;
	u64			fail_ns;
	u64			halts;
	u64			timers;
	u64			timer_early_ns;
	u64			stolen_ns;
	u64			backoffs;
	unsigned long		idle_hist[HALT_POLL_BUCKETS];
	unsigned long		hit_hist[HALT_POLL_BUCKETS];
	unsigned long		miss_hist[HALT_POLL_BUCKETS];
};

/**
 * enum halt_poll_phase - where an idle period is
 * @HALT_POLL_NONE: there is none
 * @HALT_POLL_OPEN: the CPU polls or halts
 * @HALT_POLL_ENDED: need_resched() was seen; whether it was for a task shows
 *	when the CPU goes idle the next time
 */
enum halt_poll_phase {
	HALT_POLL_NONE,
	HALT_POLL_OPEN,
	HALT_POLL_ENDED,
};

/**
 * struct halt_poll_period - an idle period
 * @phase: where it is
 * @hit: the poll saw need_resched()
 * @halted: a halt saw it
 * @fired: the poll saw it, right after it had run a timer
 * @switches: context switches of the idle task when the period began
 * @start_ns: when it began, on halt_poll_clock()
 * @end_ns: the last moment that it is known to have lasted to
 * @polled_ns: how long it was polled
 * @stolen_ns: how much of that was lost to others
 * @window_ns: how long it may be polled, by the policy
 * @next_timer_ns: from its start to the CPU's next own timer
 * @aim: timers are still worth polling for
 */
struct halt_poll_period {
	enum halt_poll_phase	phase;
	bool			hit;
	bool			halted;
	bool			fired;
	bool			aim;
	unsigned long		switches;
	u64			start_ns;
	u64			end_ns;
	u64			polled_ns;
	u64			stolen_ns;
	u64			next_timer_ns;
	u32			window_ns;
};

/**
 * struct halt_poll_cpu - all that is kept for a CPU
 * @config: its copy of the configuration
 * @period: the idle period under way, or the last one
 * @state: the policy's
 * @wake_cost: what a halt adds to the length of a period
 * @backoff: what the CPU has lost to others
 * @stats: its counters
 */
struct halt_poll_cpu {
	struct halt_poll_config	config;
	struct halt_poll_period	period;
	struct halt_poll_state	state;
	struct halt_poll_wake_cost wake_cost;
	struct halt_poll_backoff backoff;
	struct halt_poll_stats	stats;
};

DECLARE_PER_CPU(struct halt_poll_cpu, halt_poll_cpus);

/**
 * struct halt_poll_timer - the next timer of this CPU that is not the tick
 * @expires_next: the expiry of the clock event, to be watched for a change;
 *	%NULL where timers cannot be run from the poll
 * @expires: its value when the search was made
 * @timer_ns: from now until the timer must run; %HALT_POLL_NO_TIMER = none
 * @due: when the first that can be run from the poll may run, on CLOCK_MONOTONIC
 * @due_ns: from now until @due; %HALT_POLL_NO_TIMER = there is none
 * @device_ns: from now until the clock event goes off
 */
struct halt_poll_timer {
	const ktime_t	*expires_next;
	ktime_t		expires;
	u64		timer_ns;
	ktime_t		due;
	u64		due_ns;
	u64		device_ns;
};

/*
 * Time that the host gave to others while this CPU would have run, in ns; 0
 * for ever where the hypervisor does not tell.
 */
#ifdef CONFIG_PARAVIRT
static inline u64 halt_poll_steal_clock(void)
{
	if (!static_key_false(&paravirt_steal_enabled))
		return 0;
	return paravirt_steal_clock(smp_processor_id());
}
#else
static inline u64 halt_poll_steal_clock(void)
{
	return 0;
}
#endif

/* Nobody else could be waking it. */
#ifndef CONFIG_SMP
#define idle_wake_pending()	false
#endif

#ifdef CONFIG_HIGH_RES_TIMERS
void halt_poll_next_timer(struct halt_poll_timer *timer, bool entry);
#else
static inline void halt_poll_next_timer(struct halt_poll_timer *timer, bool entry)
{
	*timer = (struct halt_poll_timer) {
		.timer_ns	= HALT_POLL_NO_TIMER,
		.due		= KTIME_MAX,
		.due_ns		= HALT_POLL_NO_TIMER,
		.device_ns	= HALT_POLL_NO_TIMER,
	};
}
#endif

void halt_poll_host_switch(bool poll);

#endif
