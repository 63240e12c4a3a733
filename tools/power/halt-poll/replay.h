/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of halt-poll-replay share
 */
#ifndef _HALT_POLL_REPLAY_H
#define _HALT_POLL_REPLAY_H

#include <stddef.h>
#include <stdio.h>

#include "../../../kernel/halt_poll/policy.h"
#include "../../../kernel/halt_poll/wake_cost.h"

/**
 * struct period - an idle period of a trace
 * @idle_ns: how long the CPU waited
 * @next_timer_ns: from its start to the CPU's next own timer, or
 *	%HALT_POLL_NO_TIMER
 * @own_timer: that timer ended it
 */
struct period {
	u64	idle_ns;
	u64	next_timer_ns;
	bool	own_timer;
};

/* So many periods go from the reader to the rules at a time. */
#define BATCH	1024

/**
 * typedef feed_fn - takes some periods of a trace
 * @context: whatever the caller of the source of the periods gave it
 * @periods: the periods
 * @count: how many there are
 */
typedef void feed_fn(void *context, const struct period *periods, size_t count);

/* trace.c */
int trace_read(int fd, const char *name, feed_fn *feed, void *context);

/* generate.c */
#define GENERATE_SEED	1
#define GENERATE_COUNT	100000

/**
 * struct rng - a random number generator of 64 bits
 * @state: where it is
 */
struct rng {
	u64	state;
};

u64 rng_next(struct rng *rng);
u64 rng_below(struct rng *rng, u64 limit);

const char *generate_name(unsigned int number);
const char *generate_what(unsigned int number);
int generate(const char *name, u64 seed, u64 count, feed_fn *feed, void *context);

/* reference.c */
extern const struct halt_poll_policy reference_haltpoll;
extern const struct halt_poll_policy reference_kvm;

/**
 * struct hindsight - what could have been had
 * @threshold_ns: no window is longer
 * @price_ns: of a halt
 * @idles: how many periods it has seen
 * @clairvoyant_ns: the cost of who knows each length beforehand
 * @bins: lengths up to the threshold, by their size
 */
struct hindsight {
	u32	threshold_ns;
	u32	price_ns;
	u64	idles;
	u64	clairvoyant_ns;
	struct hindsight_bin {
		u64	count;
		u64	sum_ns;
		u64	longest_ns;
	} *bins;
};

int hindsight_open(struct hindsight *hindsight, u32 threshold_ns, u32 price_ns);
void hindsight_feed(struct hindsight *hindsight, const struct period *periods, size_t count);
u64 hindsight_best_fixed(const struct hindsight *hindsight, u32 *window_ns);
void hindsight_close(struct hindsight *hindsight);

/* arm.c */

/**
 * struct arm - one rule at work on a trace
 * @policy: the rule
 * @tunables: what it is told
 * @price_ns: what a halt is charged
 * @halt_cost_ns: what a halt adds to the length that the rule sees
 * @timer_ns: how near a timer is polled for; 0 = none, and timers end no poll
 * @state: what the rule remembers
 * @wake_cost: what is known of @halt_cost_ns
 * @idles: how many periods there were
 * @at_once: how many of them were over before a poll could begin
 * @hits: how many of them ended while the CPU polled
 * @idle_ns: how long all of them lasted
 * @burned_ns: how long was polled, in hits and in vain
 */
struct arm {
	const struct halt_poll_policy	*policy;
	struct halt_poll_tunables	tunables;
	u32				price_ns;
	u32				halt_cost_ns;
	u32				timer_ns;
	struct halt_poll_state		state;
	struct halt_poll_wake_cost	wake_cost;
	u64				idles;
	u64				at_once;
	u64				hits;
	u64				idle_ns;
	u64				burned_ns;
};

const struct halt_poll_policy *arm_policy(const char *name);
const struct halt_poll_policy *arm_policy_number(unsigned int number);
void arm_open(struct arm *arm, const struct halt_poll_policy *policy,
	      const struct halt_poll_tunables *tunables, u32 halt_cost_ns);
void arm_feed(struct arm *arm, const struct period *periods, size_t count);
u64 arm_halts(const struct arm *arm);
u64 arm_cost_ns(const struct arm *arm);

/* loop.c */

/**
 * struct loop - two CPUs that wait for each other
 * @service_ns: how long each works before it wakes the other
 * @jitter: by how many percent that varies, up and down
 * @halt_cost_ns: what a halt adds to a wake
 * @rounds: how often each gets its turn
 * @seed: of the jitter
 */
struct loop {
	u32	service_ns[2];
	u32	jitter;
	u32	halt_cost_ns;
	u64	rounds;
	u64	seed;
};

u64 loop_run(const struct loop *loop, struct arm arms[2]);
u64 loop_best_fixed(const struct loop *loop, u32 threshold_ns, u32 price_ns,
		    u32 window_ns[2]);

/* table.c */
int table_print(const struct halt_poll_tunables *tunables, u64 seed, u64 count);
int table_pairs(const struct halt_poll_tunables *tunables, unsigned int pairs, u64 seed);

#endif
