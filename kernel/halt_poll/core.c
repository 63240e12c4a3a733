// SPDX-License-Identifier: GPL-2.0-only
/*
 * Polling before an idle CPU halts
 */
#include <linux/context_tracking.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpuidle.h>
#include <linux/halt_poll.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/pm_qos.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/tick.h>

#include "../time/tick-sched.h"
#include "internal.h"

#define CREATE_TRACE_POINTS
#include <trace/events/halt_poll.h>

/**
 * DOC: halt poll
 *
 * In a guest, HLT is an exit to the hypervisor, which puts the virtual CPU to
 * sleep. The wake-up then costs the waker an IPI, which is an exit too, and the
 * sleeper a wake-up in the host and the way back into the guest. A CPU that
 * polls keeps TIF_POLLING_NRFLAG set, and is woken by one write to memory.
 *
 * The poll sits in do_idle(), ahead of the idle loop. Idle accounting has
 * begun, so the time polled is idle time; the tick has not been stopped, so a
 * poll that pays saves stopping and restarting it, where the first halt would
 * have stopped it; and no cpuidle driver is needed, which most guests lack.
 *
 * An *idle period* begins when the CPU goes idle and lasts until a task is
 * switched to. That is not the same as need_resched(), which is also how a
 * function call, RCU, the idle balancer and others get the attention of a CPU
 * that polls. So a period that need_resched() has ended is only believed once
 * the idle task has really been switched out, which is seen when it runs the
 * next time; else the period goes on, and what is left of its window is polled.
 * Hence a period is counted, and its policy told, when the next one begins.
 *
 * While it polls, the CPU is idle for RCU: no grace period waits for it. What
 * might be traced, take a lock or look at per-CPU data through a debug check
 * happens before or after. The exception is a timer that comes due: its
 * interrupt brings its own entry, as any interrupt does.
 */

DEFINE_STATIC_KEY_FALSE(halt_poll_key);
DEFINE_PER_CPU(struct halt_poll_cpu, halt_poll_cpus);

struct halt_poll_config halt_poll_config __read_mostly = {
	/* Not that of a CPU that knows nothing yet. */
	.generation	= 1,
	.tunables	= {
		.grow		= HALT_POLL_GROW_DEFAULT,
		.grow_start_ns	= HALT_POLL_GROW_START_DEFAULT,
		.shrink		= HALT_POLL_SHRINK_DEFAULT,
	},
	.timer_ns	= HALT_POLL_TIMER_AUTO,
};

/*
 * Two readings of the clock in the poll that are further apart than this, less
 * the time in interrupts, mean that the host ran somebody else. Less is no
 * sign: caches, exits and a hypervisor's own work make gaps too.
 */
#define HALT_POLL_GAP_NS	NSEC_PER_MSEC

/* How the idle task knows that it has been switched out. */
static unsigned long halt_poll_switches(void)
{
	return current->nvcsw + current->nivcsw;
}

/*
 * A cpuidle driver whose first state polls will do so on its own, and its
 * governor would take our poll for time asleep. One of the two is enough.
 */
static bool halt_poll_cpuidle_polls(void)
{
	struct cpuidle_device *dev = cpuidle_get_device();
	struct cpuidle_driver *drv = cpuidle_get_cpu_driver(dev);

	if (cpuidle_not_available(drv, dev))
		return false;
	if (!(drv->states[0].flags & CPUIDLE_FLAG_POLLING) ||
	    dev->states_usage[0].disable)
		return false;

	pr_info_once("halt_poll: leaving the polling to cpuidle's %s driver\n",
		     drv->name);
	return true;
}

static unsigned int halt_poll_bucket(u64 ns)
{
	return min_t(unsigned int, fls64(ns | 1) - 1, HALT_POLL_BUCKETS - 1);
}

/* Count a period that is over. */
static void halt_poll_count(struct halt_poll_stats *stats,
			    const struct halt_poll_period *period, u64 idle_ns)
{
	unsigned int bucket = halt_poll_bucket(period->polled_ns);

	u64_stats_update_begin(&stats->syncp);
	stats->idles++;
	stats->idle_hist[halt_poll_bucket(idle_ns)]++;
	if (period->polled_ns) {
		stats->attempted++;
		stats->stolen_ns += period->stolen_ns;
		if (period->hit) {
			stats->successful++;
			stats->success_ns += period->polled_ns;
			stats->hit_hist[bucket]++;
		} else {
			stats->fail_ns += period->polled_ns;
			stats->miss_hist[bucket]++;
		}
	}
	u64_stats_update_end(&stats->syncp);
}

/* How long a period has lasted. A clock that went backwards has not moved. */
static u64 halt_poll_length(const struct halt_poll_period *period)
{
	u64 idle_ns = period->end_ns - period->start_ns;

	return (s64)idle_ns > 0 ? idle_ns : 0;
}

/* Forget a period that nothing can be learned from. */
static void halt_poll_drop(struct halt_poll_cpu *hp)
{
	if (hp->period.phase == HALT_POLL_NONE)
		return;

	hp->period.hit = false;
	halt_poll_count(&hp->stats, &hp->period, halt_poll_length(&hp->period));
	hp->period.phase = HALT_POLL_NONE;
}

/* Is this an idle CPU in the ordinary sense, with nothing to do? */
static bool halt_poll_allowed(struct halt_poll_cpu *hp)
{
	int cpu = smp_processor_id();

	/* do_idle() looks for this only after us. */
	if (cpu_is_offline(cpu))
		return false;

	/* play_idle_precise() runs do_idle() from a thread, to cool the CPU. */
	if (current->pid)
		return false;

	/* The clock may stop in the middle, so forget how long it takes. */
	if (idle_should_enter_s2idle()) {
		halt_poll_drop(hp);
		return false;
	}

	if (need_resched())
		return false;

	/*
	 * The idle task may run although there is work. If core scheduling
	 * forces the CPU to be idle that takes its time. If the IPI of a waker
	 * is on its way that does not: it has seen this CPU when it was still
	 * about to go idle.
	 */
	if (!idle_cpu(cpu) && !idle_wake_pending())
		return false;

	return !halt_poll_cpuidle_polls();
}

/**
 * struct halt_poll_leg - one uninterrupted stretch of polling
 * @deadline: when to stop at the latest, on halt_poll_clock()
 * @expires_next: stop also when this is no longer @expires; %NULL = never
 * @expires: see @expires_next
 * @tick: knows the time in interrupts; %NULL = do not look for gaps
 * @entry: when the CPU went idle or back to idle, by @tick
 * @slept: how long it had been idle until then, by @tick
 * @offset: from the clock of @tick to halt_poll_clock()
 * @timer: take a timer interrupt at the deadline
 * @fired: a timer interrupt was taken
 * @end: when it stopped
 * @gap_ns: time that was lost to gaps
 */
struct halt_poll_leg {
	u64		deadline;
	const ktime_t	*expires_next;
	ktime_t		expires;
	const struct tick_sched *tick;
	ktime_t		entry;
	ktime_t		slept;
	u64		offset;
	bool		timer;
	bool		fired;
	u64		end;
	u64		gap_ns;
};

static __always_inline ktime_t halt_poll_slept(const struct tick_sched *tick)
{
	return READ_ONCE(tick->idle_sleeptime) + READ_ONCE(tick->iowait_sleeptime);
}

/*
 * Read the clock, and return how long the CPU has been idle, up to a constant.
 * That is idle accounting's view, which each interrupt stops and starts again
 * when it is over, or leaves stopped if somebody is to be run. None may come
 * in between the readings, nor make half of one.
 */
static __always_inline u64 halt_poll_idle_clock(struct halt_poll_leg *leg)
{
	const struct tick_sched *tick = leg->tick;
	ktime_t entry, slept;
	bool stopped;

	do {
		entry = READ_ONCE(tick->idle_entrytime);
		slept = halt_poll_slept(tick);
		leg->end = halt_poll_clock();
	} while (entry != READ_ONCE(tick->idle_entrytime) ||
		 slept != halt_poll_slept(tick));

	stopped = entry == leg->entry && slept != leg->slept;
	leg->entry = entry;
	leg->slept = slept;

	return slept + (stopped ? leg->offset : leg->end - entry);
}

/*
 * Called with interrupts off, and returns so. In between they are on, and RCU
 * does not watch: nothing in here may be traced or instrumented.
 */
static noinline notrace void __cpuidle halt_poll_spin(struct halt_poll_leg *leg)
{
	u64 idle, last = 0;

	if (leg->tick) {
		last = halt_poll_idle_clock(leg);
		/* It has just gone idle. */
		leg->offset = leg->end - leg->entry;
	}

	ct_idle_enter();
	lockdep_hardirqs_on(_THIS_IP_);
	raw_local_irq_enable();

	for (;;) {
		if (leg->tick) {
			idle = halt_poll_idle_clock(leg);
			if ((s64)(idle - last) >= (s64)HALT_POLL_GAP_NS)
				leg->gap_ns += idle - last;
			last = idle;
		} else {
			leg->end = halt_poll_clock();
		}
		if (tif_need_resched() || (s64)(leg->end - leg->deadline) >= 0)
			break;
		if (leg->expires_next &&
		    READ_ONCE(*leg->expires_next) != leg->expires)
			break;
		cpu_relax();
	}

	raw_local_irq_disable();
	if (IS_ENABLED(CONFIG_HIGH_RES_TIMERS) && leg->timer &&
	    (s64)(leg->end - leg->deadline) >= 0 && !tif_need_resched()) {
		arch_halt_poll_timer_interrupt();
		leg->fired = true;
	}
	lockdep_hardirqs_off(_THIS_IP_);
	ct_idle_exit();
}

/*
 * What the CPU lost of a leg: what the hypervisor says, or else the gaps. Too
 * much of that, and it leaves polling alone for a while.
 */
static void halt_poll_note_loss(struct halt_poll_cpu *hp, u64 polled_ns, u64 lost_ns)
{
	bool pause;

	if (lost_ns > polled_ns)
		lost_ns = polled_ns;
	hp->period.stolen_ns += lost_ns;
	pause = halt_poll_backoff_note(&hp->backoff, hp->period.end_ns, polled_ns, lost_ns);
	if (!pause)
		return;

	u64_stats_update_begin(&hp->stats.syncp);
	hp->stats.backoffs++;
	u64_stats_update_end(&hp->stats.syncp);
}

/* Add up what a leg took. A clock that went backwards has not moved. */
static void halt_poll_count_leg(struct halt_poll_cpu *hp, u64 began,
				const struct halt_poll_leg *leg, u64 steal_ns)
{
	u64 polled_ns = (s64)(leg->end - began) > 0 ? leg->end - began : 0;

	hp->period.polled_ns += polled_ns;
	hp->period.end_ns = leg->end;
	halt_poll_note_loss(hp, polled_ns, steal_ns ? steal_ns : leg->gap_ns);
}

/*
 * Count a timer interrupt that was taken at the end of a leg, ahead of the
 * device by whatever is left of the time that it was set to.
 */
static void halt_poll_count_timer(struct halt_poll_stats *stats, u64 began,
				  const struct halt_poll_leg *leg, u64 device_ns)
{
	u64 after_ns = leg->end - began;

	u64_stats_update_begin(&stats->syncp);
	stats->timers++;
	if (device_ns != HALT_POLL_NO_TIMER && device_ns > after_ns)
		stats->timer_early_ns += device_ns - after_ns;
	u64_stats_update_end(&stats->syncp);
}

/*
 * Poll until need_resched() is set or nothing is left to poll for: the window
 * is over, and no timer is due within timer_ns. Both count from the start of
 * the period, however often the poll is taken up again. @next is what was
 * found at @now.
 *
 * Called with interrupts off, and returns so. Returns true if it polled.
 */
static bool halt_poll_poll(struct halt_poll_cpu *hp, u64 now,
			   struct halt_poll_timer *next)
{
	struct halt_poll_period *period = &hp->period;
	u64 timer_ns = hp->config.timer_ns;
	u64 window_end = period->start_ns + period->window_ns;
	u64 limit = period->start_ns + max_t(u64, period->window_ns, timer_ns);
	bool polled = false;

	while (!need_resched()) {
		struct halt_poll_leg leg = { .deadline = window_end };
		u64 began = now, device_ns = next->device_ns, steal;
		ktime_t due = next->due;

		if (timer_ns && period->aim) {
			leg.expires_next = next->expires_next;
			leg.expires = next->expires;
			leg.timer = (s64)(limit - now) > 0 &&
				    next->due_ns < limit - now;
			if (leg.timer)
				leg.deadline = now + next->due_ns;
		}
		if (!leg.timer && (s64)(window_end - now) <= 0)
			break;

		polled = true;
		steal = halt_poll_steal_clock();
		if (!steal && IS_ENABLED(CONFIG_NO_HZ_COMMON))
			leg.tick = tick_get_tick_sched(smp_processor_id());

		stop_critical_timings();
		trace_hardirqs_on_prepare();
		lockdep_hardirqs_on_prepare();
		halt_poll_spin(&leg);
		start_critical_timings();

		halt_poll_count_leg(hp, began, &leg, halt_poll_steal_clock() - steal);
		if (need_resched()) {
			period->fired = leg.fired;
			if (leg.fired)
				halt_poll_count_timer(&hp->stats, began, &leg, device_ns);
			break;
		}

		if (timer_ns && period->aim)
			halt_poll_next_timer(next, false);
		/* After the search, so that its deadline is never early. */
		now = halt_poll_clock();

		/*
		 * A timer that was run and woke nobody here: others may be as
		 * useless, leave them alone for the rest of the period. If it
		 * is still the next one it was not run, because the clock of
		 * the poll is a little ahead of the timer's: try again.
		 */
		if (leg.fired && next->due != due) {
			halt_poll_count_timer(&hp->stats, began, &leg, device_ns);
			period->aim = false;
		}
	}

	return polled;
}

/*
 * Did a timer of this CPU end the period? If it ended within a millisecond of
 * the time that the timer was set to, that is what it was.
 */
static bool halt_poll_own_timer(const struct halt_poll_period *period, u64 idle_ns)
{
	return period->fired || (idle_ns >= period->next_timer_ns &&
				 idle_ns - period->next_timer_ns < NSEC_PER_MSEC);
}

/* Count a period that is over, and tell the policy and whoever traces. */
static void halt_poll_close(struct halt_poll_cpu *hp)
{
	struct halt_poll_period *period = &hp->period;
	struct halt_poll_idle idle = {
		.window_ns	= period->window_ns,
		.hit		= period->hit,
	};
	u64 idle_ns = halt_poll_length(period), wake_cost_ns = 0;

	idle.own_timer = halt_poll_own_timer(period, idle_ns);
	if (idle.own_timer && !period->fired)
		halt_poll_wake_cost_note(&hp->wake_cost, idle_ns - period->next_timer_ns,
					 period->halted);
	idle.idle_ns = idle_ns;
	if (period->halted)
		idle.idle_ns = halt_poll_wake_cost_correct(&hp->wake_cost, idle_ns,
							   period->polled_ns);

	if (idle_ns > idle.idle_ns)
		wake_cost_ns = idle_ns - idle.idle_ns;

	halt_poll_count(&hp->stats, period, idle_ns);
	hp->config.policy->reflect(&hp->state, &hp->config.tunables, &idle);
	trace_halt_poll_idle(&idle, wake_cost_ns, period->polled_ns, period->next_timer_ns);
	period->phase = HALT_POLL_NONE;
}

/* Take over a configuration that has changed. Returns true if it has. */
static bool halt_poll_refresh(struct halt_poll_cpu *hp)
{
	struct halt_poll_config *config = &hp->config;
	const struct halt_poll_policy *policy;
	unsigned int generation, epoch;

	/* Pairs with the release in sysctl.c: the values are at least as new. */
	generation = smp_load_acquire(&halt_poll_config.generation);
	if (likely(generation == config->generation))
		return false;

	policy = READ_ONCE(halt_poll_config.policy);
	epoch = READ_ONCE(halt_poll_config.epoch);

	/* What a period looked like before polling was off says nothing. */
	if (epoch != config->epoch)
		halt_poll_drop(hp);
	if (epoch != config->epoch || policy != config->policy)
		policy->reset(&hp->state);

	config->tunables.threshold_ns = READ_ONCE(halt_poll_config.tunables.threshold_ns);
	config->tunables.cost_ns = READ_ONCE(halt_poll_config.tunables.cost_ns);
	config->tunables.grow = READ_ONCE(halt_poll_config.tunables.grow);
	config->tunables.grow_start_ns = READ_ONCE(halt_poll_config.tunables.grow_start_ns);
	config->tunables.shrink = READ_ONCE(halt_poll_config.tunables.shrink);
	config->timer_ns = halt_poll_timer_reach(&config->tunables,
						 READ_ONCE(halt_poll_config.timer_ns));
	config->policy = policy;
	config->epoch = epoch;
	config->generation = generation;

	return true;
}

static void halt_poll_open(struct halt_poll_period *period, u64 now,
			   unsigned long switches, u64 next_timer_ns)
{
	period->switches = switches;
	period->start_ns = now;
	period->end_ns = now;
	period->polled_ns = 0;
	period->stolen_ns = 0;
	period->next_timer_ns = next_timer_ns;
	period->aim = true;
}

/* Ask the policy, unless this is no time to poll. */
static void halt_poll_select(struct halt_poll_cpu *hp, u64 now, u64 next_timer_ns)
{
	const struct halt_poll_config *config = &hp->config;
	u32 old_ns = hp->period.window_ns;
	u32 window_ns;

	window_ns = config->policy->select(&hp->state, &config->tunables, next_timer_ns);
	/* Who bears no latency at all is not to bear what a policy would risk. */
	if (!cpu_latency_qos_limit())
		window_ns = config->tunables.threshold_ns;
	if (halt_poll_backoff_active(&hp->backoff, now)) {
		window_ns = 0;
		hp->period.aim = false;
	}
	if (window_ns != old_ns)
		trace_halt_poll_window(config->policy->name, old_ns, window_ns);
	WRITE_ONCE(hp->period.window_ns, window_ns);
}

/**
 * __halt_poll_idle - poll for a wake-up before the CPU halts
 *
 * See halt_poll_idle().
 */
void __halt_poll_idle(void)
{
	struct halt_poll_cpu *hp = this_cpu_ptr(&halt_poll_cpus);
	struct halt_poll_period *period = &hp->period;
	unsigned long switches = halt_poll_switches();
	bool changed, polled;
	struct halt_poll_timer next;
	u64 now;

	if (!halt_poll_allowed(hp))
		return;

	local_irq_disable();

	/* The idle loop does it too late for a CPU that polls first. */
	rcu_nocb_flush_deferred_wakeup();
	if (need_resched())
		goto out;

	now = local_clock();

	/* Somebody ran since: the old period is over, and was what it was. */
	if (period->phase != HALT_POLL_NONE && period->switches != switches)
		halt_poll_close(hp);

	changed = halt_poll_refresh(hp);
	halt_poll_next_timer(&next, true);

	if (period->phase == HALT_POLL_NONE) {
		halt_poll_open(period, now, switches, next.timer_ns);
		changed = true;
	}
	if (changed)
		halt_poll_select(hp, now, next.timer_ns);

	period->phase = HALT_POLL_OPEN;
	period->fired = false;
	period->halted = false;
	polled = halt_poll_poll(hp, now, &next);
	period->hit = polled && need_resched();
	if (need_resched())
		period->phase = HALT_POLL_ENDED;
	else if (polled)
		/* The governor shall not take it for one that ended a halt. */
		tick_nohz_idle_got_tick();
out:
	local_irq_enable();
}

/**
 * __halt_poll_idle_exit - note that a halt is over
 *
 * See halt_poll_idle_exit(). The period goes on if nobody is to be run.
 */
void __halt_poll_idle_exit(void)
{
	struct halt_poll_cpu *hp = this_cpu_ptr(&halt_poll_cpus);
	struct halt_poll_period *period = &hp->period;

	/* Injected idle time, see halt_poll_allowed(). */
	if (current->pid)
		return;

	u64_stats_update_begin(&hp->stats.syncp);
	hp->stats.halts++;
	u64_stats_update_end(&hp->stats.syncp);

	if (period->phase == HALT_POLL_OPEN &&
	    period->switches == halt_poll_switches() && need_resched()) {
		period->phase = HALT_POLL_ENDED;
		period->halted = true;
		period->end_ns = local_clock();
	}
}

/*
 * A CPU that comes up knows nothing. Its counters stay: they are since boot.
 */
static int halt_poll_prepare_cpu(unsigned int cpu)
{
	struct halt_poll_cpu *hp = per_cpu_ptr(&halt_poll_cpus, cpu);

	memset(&hp->config, 0, sizeof(hp->config));
	memset(&hp->period, 0, sizeof(hp->period));
	memset(&hp->state, 0, sizeof(hp->state));
	memset(&hp->wake_cost, 0, sizeof(hp->wake_cost));
	memset(&hp->backoff, 0, sizeof(hp->backoff));

	return 0;
}

static int __init halt_poll_init(void)
{
	unsigned int cpu;
	int ret;

	halt_poll_config.policy = halt_poll_policies[0];

	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(&halt_poll_cpus, cpu)->stats.syncp);

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "halt_poll:prepare",
					halt_poll_prepare_cpu, NULL);
	return ret < 0 ? ret : 0;
}
early_initcall(halt_poll_init);
