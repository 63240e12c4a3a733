// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixed policy: the same window for every idle period
 */
#include "policy.h"

/**
 * DOC: fixed
 *
 * The window is the threshold, always. It knows nothing and learns nothing: an
 * idle CPU burns the whole threshold before each halt, whether or not that ever
 * pays. It is for who has measured the workload and wants no surprise, and it
 * is the yardstick for the other policies.
 */

static void fixed_reset(struct halt_poll_state *state)
{
}

static u32 fixed_select(struct halt_poll_state *state,
			const struct halt_poll_tunables *tunables,
			u64 next_timer_ns)
{
	return tunables->threshold_ns;
}

static void fixed_reflect(struct halt_poll_state *state,
			  const struct halt_poll_tunables *tunables,
			  const struct halt_poll_idle *idle)
{
}

static const struct halt_poll_policy fixed_policy = {
	.name		= "fixed",
	.reset		= fixed_reset,
	.select		= fixed_select,
	.reflect	= fixed_reflect,
};
