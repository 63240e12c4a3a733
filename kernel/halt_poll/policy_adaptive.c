// SPDX-License-Identifier: GPL-2.0-only
/*
 * The adaptive policy: a window that grows and shrinks
 */
#include "policy.h"

/**
 * DOC: adaptive
 *
 * One window. An idle period is *short* when it ends within the threshold, or
 * within the price of a halt where that is lower; else it is *long*, and so is
 * one that was ended by a timer of this CPU further away than that.
 *
 * *Up.* A short idle period that outlasts the window makes it grow, by the
 * factor kernel.halt_poll_grow as often as it takes to cover that length,
 * beginning with kernel.halt_poll_grow_start. Going up step by step would only
 * mean to poll in vain again on the way.
 *
 * *Down.* One long idle period must not cost a window that serves seven of
 * eight, and an idle system must stop polling soon. So the first in a row is
 * forgiven, the second divides the window by kernel.halt_poll_shrink, and the
 * third takes it away.
 *
 * *Credit.* Whether the window pays is another question: a smaller one would
 * miss what this one catches, so it is polled in full or not at all. Each short
 * idle period earns the price of a halt less its length, each long one spends
 * the window, whether it was polled or not. The CPU polls while it has credit.
 */

/*
 * Credit for this many halts is all that can be saved up: what is saved in good
 * times shall not pay for bad ones for long.
 */
#define ADAPTIVE_CREDIT_HALTS	8

/* So many long idle periods in a row, and the CPU is plainly idle. */
#define ADAPTIVE_VAIN_MAX	3

/* An idle period longer than this is long. */
static u32 adaptive_limit(const struct halt_poll_tunables *tunables)
{
	u32 price_ns = halt_poll_price(tunables);

	return price_ns < tunables->threshold_ns ? price_ns : tunables->threshold_ns;
}

static u32 adaptive_start(const struct halt_poll_tunables *tunables, u32 limit_ns)
{
	return tunables->grow_start_ns < limit_ns ? tunables->grow_start_ns : limit_ns;
}

/* The window that covers @idle_ns, which is at most @limit_ns. */
static u32 adaptive_grow(const struct halt_poll_tunables *tunables, u32 window_ns,
			 u64 idle_ns, u32 limit_ns)
{
	u64 window = window_ns;
	u32 start_ns = adaptive_start(tunables, limit_ns);

	if (window < start_ns)
		window = start_ns;
	while (window < idle_ns && tunables->grow > 1)
		window *= tunables->grow;

	return window < limit_ns ? window : limit_ns;
}

static u32 adaptive_shrink(const struct halt_poll_tunables *tunables, u32 window_ns,
			   u32 limit_ns)
{
	if (!tunables->shrink)
		return 0;
	window_ns /= tunables->shrink;

	return window_ns < adaptive_start(tunables, limit_ns) ? 0 : window_ns;
}

/* A debt is limited too, so that what comes next is not held to it for long. */
static s64 adaptive_credit(s64 credit_ns, u32 limit_ns)
{
	s64 most_ns = (s64)ADAPTIVE_CREDIT_HALTS * limit_ns;
	s64 least_ns = -(s64)limit_ns;

	if (credit_ns > most_ns)
		return most_ns;
	return credit_ns < least_ns ? least_ns : credit_ns;
}

static void adaptive_reset(struct halt_poll_state *state)
{
	state->adaptive = (struct halt_poll_adaptive_state) { };
}

static u32 adaptive_select(struct halt_poll_state *hp_state,
			   const struct halt_poll_tunables *tunables,
			   u64 next_timer_ns)
{
	struct halt_poll_adaptive_state *state = &hp_state->adaptive;
	u32 limit_ns = adaptive_limit(tunables);

	state->far_timer = next_timer_ns > limit_ns;
	if (state->window_ns > limit_ns)
		state->window_ns = limit_ns;
	return state->credit_ns > 0 ? state->window_ns : 0;
}

static void adaptive_reflect(struct halt_poll_state *hp_state,
			     const struct halt_poll_tunables *tunables,
			     const struct halt_poll_idle *idle)
{
	struct halt_poll_adaptive_state *state = &hp_state->adaptive;
	u32 limit_ns = adaptive_limit(tunables);

	if (idle->idle_ns <= limit_ns && !(idle->own_timer && state->far_timer)) {
		state->vain = 0;
		state->credit_ns = adaptive_credit(state->credit_ns + limit_ns - (s64)idle->idle_ns,
						   limit_ns);
		if (idle->idle_ns > state->window_ns)
			state->window_ns = adaptive_grow(tunables, state->window_ns,
							 idle->idle_ns, limit_ns);
		return;
	}

	state->credit_ns = adaptive_credit(state->credit_ns - state->window_ns, limit_ns);
	if (state->vain < ADAPTIVE_VAIN_MAX)
		state->vain++;
	if (state->vain >= ADAPTIVE_VAIN_MAX)
		state->window_ns = 0;
	else if (state->vain > 1)
		state->window_ns = adaptive_shrink(tunables, state->window_ns, limit_ns);
}

static const struct halt_poll_policy adaptive_policy = {
	.name		= "adaptive",
	.reset		= adaptive_reset,
	.select		= adaptive_select,
	.reflect	= adaptive_reflect,
};
