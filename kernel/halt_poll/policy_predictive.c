// SPDX-License-Identifier: GPL-2.0-only
/*
 * The predictive policy: the window that would have cost least of late
 */
#include "policy.h"

/**
 * DOC: predictive
 *
 * Polling for a window w costs the CPU min(d, w) of time when the idle period
 * lasts d, and a halt on top where d > w. Let P be the price of a halt. The
 * policy keeps the distribution of recent idle lengths, and takes the w with
 * the least expected cost
 *
 *	E[min(d, w)] + Pr(d > w) * P
 *
 * Where that is w = 0, as it is for an idle system or for waits that are
 * longer than a halt is dear, nothing is polled at all. There is no window that
 * grows and shrinks, so none that can get stuck.
 *
 * *Bins.* The distribution is a histogram with 15 bins and an open end. Bin k
 * ends at P * 2^((k - 10) / 2): from P / 32 through P to 4 P, two bins an
 * octave, cut off at the threshold. Being cut to the price, the bins tell what
 * pays from what does not at any price between a nanosecond and a second: a
 * bin edge lies exactly there. Lengths beyond the threshold belong to the open
 * end, as no window can reach them. A new price or threshold means new bins,
 * and the policy starts anew.
 *
 * *Shares.* A bin holds the share of the idle periods that ended in it, of
 * 2^16; what is missing from 2^16 in all bins together is the open end. An idle
 * period decays all bins by a power of two and adds what they lost to its own.
 * Four bins share a 64-bit word, so that takes four shifts. At the start all is
 * in the open end: nothing is polled without evidence. The first few idle
 * periods weigh more, as in an average, so the evidence comes soon.
 *
 * *Kinds.* Idle periods come in kinds, each with a histogram of its own: what
 * follows a short idle period, what follows a long one, and what begins with a
 * timer of this CPU due within the threshold. The first two see through a CPU
 * that waits briefly seven times and then long, and let it resume at once after
 * a break. The third keeps the timers, which are certain, apart from the waits,
 * which are not. A timer further away is no evidence for polling, and an idle
 * period that it ended is a long one.
 *
 * *Optimism.* Two CPUs that wait for each other both see the other's halt in
 * their own idle length. Each finds that waiting takes longer than a halt is
 * worth, and so both halt for ever, though polling would be right for both.
 * Therefore, while at least 7 of 8 idle periods of late are shorter than three
 * times P, a halt is held to be kernel.halt_poll_grow times as dear.
 */

#define PREDICTIVE_BINS		15
#define PREDICTIVE_OPEN		PREDICTIVE_BINS
#define PREDICTIVE_ONE		0x10000

/* With one lane more than half of this a bin can still not overflow. */
#define PREDICTIVE_PULSE	0xff00U

/* 2^15 * sqrt(2) */
#define PREDICTIVE_SQRT2	46341

enum predictive_kind {
	PREDICTIVE_AFTER_SHORT,
	PREDICTIVE_AFTER_LONG,
	PREDICTIVE_NEAR_TIMER,
};

/**
 * predictive_edge() - where a bin ends
 * @price_ns: the price of a halt
 * @bin: the bin
 *
 * Return: the longest idle length that belongs to @bin, in ns.
 */
static u32 predictive_edge(u32 price_ns, unsigned int bin)
{
	u64 edge = price_ns;

	edge <<= bin / 2;
	if (bin & 1)
		edge = edge * PREDICTIVE_SQRT2 >> 15;
	return edge >> 5;
}

static unsigned int predictive_bin(const struct halt_poll_predictive_state *state,
				   u64 idle_ns)
{
	unsigned int bin;

	if (idle_ns > state->threshold_ns)
		return PREDICTIVE_OPEN;
	for (bin = 0; bin < PREDICTIVE_BINS; bin++) {
		if (idle_ns <= predictive_edge(state->price_ns, bin))
			break;
	}
	return bin;
}

static void predictive_forget(struct halt_poll_predictive_state *state)
{
	*state = (struct halt_poll_predictive_state) {
		.kind	= PREDICTIVE_AFTER_LONG,
		.after	= PREDICTIVE_AFTER_LONG,
	};
}

static void predictive_fit_to(struct halt_poll_predictive_state *state,
			      const struct halt_poll_tunables *tunables)
{
	u32 price_ns = halt_poll_price(tunables);

	if (state->price_ns == price_ns &&
	    state->threshold_ns == tunables->threshold_ns)
		return;

	predictive_forget(state);
	state->price_ns = price_ns;
	state->threshold_ns = tunables->threshold_ns;
}

/* How many bits an idle period shifts out of the bins, once history is long. */
static unsigned int predictive_slowness(u32 shrink)
{
	if (!shrink || shrink > 4)
		return 1;
	return 6 - shrink;
}

static void predictive_record(struct halt_poll_predictive_state *state,
			      unsigned int bin, u32 shrink)
{
	unsigned int slowest = predictive_slowness(shrink);
	u8 *age = &state->age[state->kind];
	u64 *bins = state->bins[state->kind];
	unsigned int shift, i;
	u64 lanes;

	if (*age < slowest)
		(*age)++;
	shift = *age < slowest ? *age : slowest;

	/* The bits that a lane shifts into its neighbour are dropped. */
	lanes = (0xffffU >> shift) * 0x0001000100010001ULL;
	for (i = 0; i < 4; i++)
		bins[i] -= bins[i] >> shift & lanes;
	if (bin < PREDICTIVE_OPEN)
		bins[bin / 4] += (u64)(PREDICTIVE_PULSE >> shift) << bin % 4 * 16;
}

static void predictive_reset(struct halt_poll_state *state)
{
	predictive_forget(&state->predictive);
}

static u32 predictive_select(struct halt_poll_state *hp_state,
			     const struct halt_poll_tunables *tunables,
			     u64 next_timer_ns)
{
	struct halt_poll_predictive_state *state = &hp_state->predictive;
	u32 threshold_ns = tunables->threshold_ns;
	u32 edge_ns = 0, window_ns = 0;
	s64 cost = 0, least = 0;
	s64 left = PREDICTIVE_ONE;
	u64 price_ns;
	const u64 *bins;
	unsigned int bin;

	predictive_fit_to(state, tunables);
	state->kind = next_timer_ns <= threshold_ns ? PREDICTIVE_NEAR_TIMER : state->after;

	price_ns = state->price_ns;
	if (state->fit >= 224)
		price_ns *= tunables->grow;

	bins = state->bins[state->kind];
	for (bin = 0; bin < PREDICTIVE_BINS && edge_ns < threshold_ns; bin++) {
		u32 share = (u16)(bins[bin / 4] >> bin % 4 * 16);
		u32 next_ns = predictive_edge(state->price_ns, bin);
		u32 step_ns;

		if (next_ns > threshold_ns)
			next_ns = threshold_ns;
		step_ns = next_ns - edge_ns;
		edge_ns = next_ns;

		left -= share;
		cost += left * step_ns + share * (u64)(step_ns / 2) - share * price_ns;
		if (cost < least) {
			least = cost;
			window_ns = edge_ns;
		}
	}

	if (window_ns && window_ns < tunables->grow_start_ns)
		window_ns = tunables->grow_start_ns;
	return window_ns < threshold_ns ? window_ns : threshold_ns;
}

static void predictive_reflect(struct halt_poll_state *hp_state,
			       const struct halt_poll_tunables *tunables,
			       const struct halt_poll_idle *idle)
{
	struct halt_poll_predictive_state *state = &hp_state->predictive;
	unsigned int bin;
	bool fits;

	predictive_fit_to(state, tunables);
	bin = predictive_bin(state, idle->idle_ns);
	if (idle->own_timer && state->kind != PREDICTIVE_NEAR_TIMER)
		bin = PREDICTIVE_OPEN;
	predictive_record(state, bin, tunables->shrink);

	fits = idle->idle_ns <= 3ULL * state->price_ns;
	state->fit -= state->fit >> 4;
	state->fit += fits ? 15 : 0;
	state->after = bin < PREDICTIVE_OPEN ? PREDICTIVE_AFTER_SHORT : PREDICTIVE_AFTER_LONG;
}

const struct halt_poll_policy halt_poll_policy_predictive = {
	.name		= "predictive",
	.reset		= predictive_reset,
	.select		= predictive_select,
	.reflect	= predictive_reflect,
};
