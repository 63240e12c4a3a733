// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timers of a CPU that polls
 */
#include <linux/clockchips.h>
#include <linux/halt_poll.h>
#include <linux/hrtimer.h>

#include <linux/timerqueue.h>
#include <asm/irq_regs.h>

#include "../time/tick-internal.h"
#include "../time/tick-sched.h"
#include "internal.h"

/**
 * DOC: timers
 *
 * A CPU that sleeps until its next timer is woken by the clock event's
 * interrupt, and in a guest that interrupt is the hypervisor's to inject: late,
 * and after an exit. A CPU that polls knows when its timer is due and need not
 * wait. At that moment it enters the clock event's own handler the way the
 * interrupt would have: through the entry code, on the interrupt stack, with
 * registers to look at. RCU, lockdep, softirqs and accounting see an interrupt,
 * because it is one in everything but its cause. When the real one arrives it
 * finds nothing left to do.
 *
 * Only timers that the handler itself would run are aimed at:
 *
 * - A timer of a hard clock base, from its soft expiry on. The slack between
 *   soft and hard expiry is the caller's leave to be late, not a duty. The
 *   handler stops at the first timer of a base, in order of hard expiry, that
 *   may not run yet, so only the first of each base counts.
 * - The timers of the soft bases from their hard expiry on, when the handler
 *   raises their softirq.
 * - Never the tick. It wakes nobody, it comes every few milliseconds, and an
 *   idle CPU is about to stop it. A timer behind the tick in the same base
 *   cannot run before it; both run in one pass then, if the tick's own
 *   interrupt has not come first.
 *
 * Low resolution, periodic and broadcast mode are left to the interrupt: the
 * clock event's handler tells which mode it is in.
 */

/* The current time on CLOCK_MONOTONIC; on idle entry it has just been read. */
static ktime_t halt_poll_ktime(const struct tick_sched *ts, bool entry)
{
	if (IS_ENABLED(CONFIG_NO_HZ_COMMON) && entry)
		return ts->idle_entrytime;
	return ktime_get();
}

/* From @now until @expires, 0 if that has passed. */
static u64 halt_poll_until(ktime_t expires, ktime_t now)
{
	if (expires == KTIME_MAX)
		return HALT_POLL_NO_TIMER;
	return expires > now ? expires - now : 0;
}

/**
 * halt_poll_next_timer - find this CPU's next timer that is not the tick
 * @timer: where to put the answer
 * @entry: the CPU has only just gone idle
 *
 * Called with interrupts off, where RCU watches. The lock is needed: without
 * it another CPU could cancel the timer under our eyes, and the timer may live
 * on a stack.
 */
void halt_poll_next_timer(struct halt_poll_timer *timer, bool entry)
{
	const struct clock_event_device *dev = __this_cpu_read(tick_cpu_device.evtdev);
	struct tick_sched *ts = tick_get_tick_sched(smp_processor_id());
	struct hrtimer_cpu_base *cpu_base = this_cpu_ptr(&hrtimer_bases);
	ktime_t now = halt_poll_ktime(ts, entry);
	ktime_t due, must;
	unsigned int i;

	timer->expires_next = NULL;
	timer->timer_ns = HALT_POLL_NO_TIMER;
	timer->due = KTIME_MAX;
	timer->due_ns = HALT_POLL_NO_TIMER;
	timer->device_ns = HALT_POLL_NO_TIMER;

	if (!dev || dev->event_handler != hrtimer_interrupt)
		return;

	raw_spin_lock(&cpu_base->lock);

	/* KTIME_MAX while the softirq has yet to run them. */
	due = cpu_base->softirq_expires_next;
	must = due;

	for (i = 0; i < HRTIMER_BASE_MONOTONIC_SOFT; i++) {
		struct hrtimer_clock_base *base = &cpu_base->clock_base[i];
		struct timerqueue_node *node;
		struct hrtimer *next;
		ktime_t soft;
		bool tick;

		if (!(cpu_base->active_bases & (1U << i)))
			continue;

		node = timerqueue_getnext(&base->active);
		next = container_of(node, struct hrtimer, node);
		tick = next == &ts->sched_timer;
		if (tick) {
			node = timerqueue_iterate_next(node);
			if (!node)
				continue;
			next = container_of(node, struct hrtimer, node);
		}

		must = min(must, ktime_sub(hrtimer_get_expires(next), base->offset));

		/* The handler will not get past a tick that is yet to come. */
		soft = hrtimer_get_softexpires(next);
		if (tick)
			soft = max(soft, hrtimer_get_expires(&ts->sched_timer));
		due = min(due, ktime_sub(soft, base->offset));
	}

	timer->expires = cpu_base->expires_next;
	timer->device_ns = halt_poll_until(cpu_base->expires_next, now);
	timer->timer_ns = halt_poll_until(must, now);
	if (!cpu_base->hang_detected) {
		timer->expires_next = &cpu_base->expires_next;
		timer->due = due;
		timer->due_ns = halt_poll_until(due, now);
	}

	raw_spin_unlock(&cpu_base->lock);
}

/**
 * halt_poll_timer_interrupt - what the local timer's interrupt would do
 * @regs: the registers that it interrupted
 *
 * Called by the architecture's arch_halt_poll_timer_interrupt() in interrupt
 * context. Without the registers the tick, should it be due as well, would do
 * no process times, no timer wheel and no RCU.
 */
void halt_poll_timer_interrupt(struct pt_regs *regs)
{
	struct clock_event_device *dev = __this_cpu_read(tick_cpu_device.evtdev);
	struct pt_regs *old_regs = set_irq_regs(regs);

	/* The device may have been replaced while the CPU polled. */
	if (dev && dev->event_handler == hrtimer_interrupt)
		dev->event_handler(dev);
	set_irq_regs(old_regs);
}
