// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two CPUs that wait for each other: what one does is what the other sees
 */
#include "replay.h"

/*
 * Candidates for the best pair of fixed windows: none, and from a thirty-second
 * of the threshold up to it in steps of an eighth and less.
 */
#define CANDIDATES	33

static u32 loop_service(const struct loop *loop, struct rng *rng, unsigned int cpu)
{
	u64 range = 2ULL * loop->service_ns[cpu] * loop->jitter / 100;

	if (!range)
		return loop->service_ns[cpu];
	return loop->service_ns[cpu] - range / 2 + rng_below(rng, range + 1);
}

/**
 * loop_run() - have two CPUs wait for each other
 * @loop: how
 * @arms: the rule of each, from arm_open()
 *
 * The one works and wakes the other, which then works while the one waits. A
 * CPU that has halted starts to work later by the halt cost, and so the other
 * waits that much longer.
 *
 * Return: the cost for both.
 */
u64 loop_run(const struct loop *loop, struct arm arms[2])
{
	struct rng rng = { .state = loop->seed };
	u32 late_ns[2] = { 0, 0 };
	u64 i;

	for (i = 0; i < 2 * loop->rounds; i++) {
		unsigned int works = i & 1, waits = !works;
		u64 hits = arms[waits].hits;
		struct period period = {
			.idle_ns	= (u64)late_ns[works] + loop_service(loop, &rng, works),
			.next_timer_ns	= HALT_POLL_NO_TIMER,
		};

		arm_feed(&arms[waits], &period, 1);
		late_ns[waits] = arms[waits].hits == hits ? loop->halt_cost_ns : 0;
	}
	return arm_cost_ns(&arms[0]) + arm_cost_ns(&arms[1]);
}

static u32 loop_candidate(u32 threshold_ns, unsigned int number)
{
	return (u64)threshold_ns * number / (CANDIDATES - 1);
}

/**
 * loop_best_fixed() - the pair of fixed windows that costs least
 * @loop: how the CPUs wait
 * @threshold_ns: no window is longer
 * @price_ns: of a halt
 * @window_ns: where to put the windows
 *
 * Return: the cost for both.
 */
u64 loop_best_fixed(const struct loop *loop, u32 threshold_ns, u32 price_ns,
		    u32 window_ns[2])
{
	u64 least_ns = U64_MAX;
	unsigned int i, k;

	for (i = 0; i < CANDIDATES * CANDIDATES; i++) {
		u32 try_ns[2] = {
			loop_candidate(threshold_ns, i / CANDIDATES),
			loop_candidate(threshold_ns, i % CANDIDATES),
		};
		struct arm arms[2];
		u64 cost_ns;

		for (k = 0; k < 2; k++) {
			struct halt_poll_tunables tunables = {
				.threshold_ns	= try_ns[k],
				.cost_ns	= price_ns,
			};

			arm_open(&arms[k], arm_policy("fixed"), &tunables, 0);
		}
		cost_ns = loop_run(loop, arms);
		if (cost_ns < least_ns) {
			least_ns = cost_ns;
			window_ns[0] = try_ns[0];
			window_ns[1] = try_ns[1];
		}
	}
	return least_ns;
}
