// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a halt adds to an idle period, learned from the CPU's own timers
 */
#include "wake_cost.h"

/**
 * DOC: wake cost
 *
 * An idle period that ended in a halt is seen to be longer than the wait was,
 * by the time that it took the host to run this CPU again. Where that takes as
 * long as the waits themselves, a policy that believes what it sees finds that
 * nothing is worth polling for, halts, and sees the same again.
 *
 * Of most wake-ups only the end is known. But a timer of this CPU says when it
 * was due, so its lateness can be seen: after a halt, and, to know what a timer
 * is late by anyway, after a poll. The difference is the wake cost.
 *
 * The estimate errs on the low side, which is safe: where it is too low, the
 * policy sees a part of the cost as idle time, as it would have without. So a
 * sample counts for no more than a little above twice what is known so far,
 * and one outlier, when the host was busy elsewhere, is soon forgotten. And an
 * idle period that outlasted the poll is never corrected to one that did not.
 */

/* What is beyond this is the host's absence and not the cost of a wake-up. */
#define WAKE_COST_MAX_NS	1000000U

/* A sample may exceed twice the mean by this, so that a mean of 0 can grow. */
#define WAKE_COST_STEP_NS	1000U

static void wake_cost_average(u32 *mean_ns, bool *seen, u32 late_ns)
{
	u32 most_ns = 2 * *mean_ns + WAKE_COST_STEP_NS;

	if (!*seen) {
		*seen = true;
		*mean_ns = late_ns;
		return;
	}
	if (late_ns > most_ns)
		late_ns = most_ns;

	*mean_ns = *mean_ns - *mean_ns / 8 + late_ns / 8;
}

/**
 * halt_poll_wake_cost_note() - learn from an idle period that an own timer ended
 * @cost: what is known
 * @late_ns: how late the timer was, against the time that it was due
 * @halted: the CPU had halted; else it was still polling
 */
void halt_poll_wake_cost_note(struct halt_poll_wake_cost *cost, u64 late_ns, bool halted)
{
	u32 late = late_ns < WAKE_COST_MAX_NS ? late_ns : WAKE_COST_MAX_NS;

	if (halted)
		wake_cost_average(&cost->halted_ns, &cost->halted_seen, late);
	else
		wake_cost_average(&cost->polled_ns, &cost->polled_seen, late);
}

/**
 * halt_poll_wake_cost_ns() - the wake cost
 * @cost: what is known
 *
 * Return: the estimate in ns; 0 while no timer has ended a halt.
 */
u32 halt_poll_wake_cost_ns(const struct halt_poll_wake_cost *cost)
{
	return cost->halted_ns > cost->polled_ns ? cost->halted_ns - cost->polled_ns : 0;
}

/**
 * halt_poll_wake_cost_correct() - take the wake cost off an idle period
 * @cost: what is known
 * @idle_ns: the length of an idle period that ended in a halt, as seen
 * @polled_ns: how long the CPU polled before it halted
 *
 * Return: its length without the wake cost, but longer than @polled_ns.
 */
u64 halt_poll_wake_cost_correct(const struct halt_poll_wake_cost *cost,
				u64 idle_ns, u32 polled_ns)
{
	u64 least_ns = polled_ns + 1ULL;
	u32 cost_ns = halt_poll_wake_cost_ns(cost);

	if (idle_ns <= least_ns)
		return least_ns;
	if (idle_ns - least_ns <= cost_ns)
		return least_ns;
	return idle_ns - cost_ns;
}
