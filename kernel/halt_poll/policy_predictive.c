// SPDX-License-Identifier: GPL-2.0-only
/*
 * The predictive policy: the window that would have cost least of late
 */
#include <linux/bitops.h>

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
 * octave, cut off at the threshold. Being cut to the price, they tell what pays
 * from what does not at any price from a nanosecond to a second: one edge lies
 * exactly there. Lengths beyond the threshold belong to the open end, as no
 * window reaches them. A new price or threshold means new bins, and the policy
 * starts anew.
 *
 * *Shares.* A bin holds the share of the idle periods that ended in it, as
 * 16 bits; the open end is what all bins together lack of the whole. An idle
 * period decays all bins by a power of two, and puts what was lost into its
 * own. Four bins share a 64-bit word, so that takes four shifts. At the start
 * all is in the open end: nothing is polled without evidence. The first idle
 * periods weigh more, as in an average, so that evidence comes soon. Yet what
 * has not been seen of late may still be: each bin counts for a little more
 * than it holds, which is how a window comes to reach a bit beyond the longest
 * of many short waits, at hardly any expense.
 *
 * *Kinds.* Idle periods come in kinds, each with a histogram of its own: what
 * follows a short idle period, what follows a long one, and what begins with a
 * timer of this CPU due within the threshold. The first two see through a CPU
 * that waits briefly seven times and then long, and let it resume at once after
 * a break. Where that break is the end, the third long period that was polled
 * in vain stops it until the next short one. The third kind keeps sleeps apart
 * from waits. A timer further away is no evidence for polling, and an idle
 * period that it ended is a long one.
 *
 * *Reuse.* To find the window takes some 400 instructions. After a hit it would
 * seldom be another one, so it is found anew after every fourth hit in a row, and
 * at once after anything else.
 *
 * *Optimism.* Two CPUs that wait for each other both find the other's halt in
 * the length of their own waits. Each concludes that waiting takes longer than
 * a halt is worth, and so both halt for ever, though polling would be right for
 * both. The way out is to act for a while as though a halt were dearer, by the
 * factor kernel.halt_poll_grow: if it is such a pair, the waits get shorter, and
 * polling pays from then on at its true price. If not, it did no good, so it is
 * done for one idle period in eight only. And who polls with success shall not
 * give up for a small loss, as its halts would cost the peer as well: then a
 * halt counts for a quarter more. All this holds only while nearly all waits
 * are shorter than 3 P; else there is no such pair.
 */

#define PREDICTIVE_BINS		15
#define PREDICTIVE_OPEN		PREDICTIVE_BINS

/* By so much each bin counts for more than it holds: one in 512. */
#define PREDICTIVE_UNSEEN	128

/*
 * What the bins are to hold together at most, and what counts as all. A bin
 * loses up to 1 too little by rounding, so that with 1 in 32 lost each time,
 * the bins end up 15 * 32 above the former. The unseen needs its room as well.
 */
#define PREDICTIVE_PULSE	0xfe00U
#define PREDICTIVE_ONE		(PREDICTIVE_PULSE + PREDICTIVE_BINS * (32 + PREDICTIVE_UNSEEN))

/* 2^15 * sqrt(2) */
#define PREDICTIVE_SQRT2	46341

/*
 * The running share of waits shorter than 3 P, of 255. At this level all but
 * one of the last 16 were, about.
 */
#define PREDICTIVE_FIT		239
#define PREDICTIVE_FIT_START	250

/* Of so many idle periods that may, so many are met with optimism. */
#define PREDICTIVE_TURNS	512
#define PREDICTIVE_TRIES	64

/*
 * A dear halt makes even unlikely hits worth a try. But no price is so high
 * that the unseen alone would be.
 */
#define PREDICTIVE_PRICE_MAX	16

/* So many polls in vain in a row, and polling ends until a wait is short. */
#define PREDICTIVE_VAIN_MAX	3

/* So many hits in a row may go by until the window is found anew. */
#define PREDICTIVE_REUSE	3

enum predictive_kind {
	PREDICTIVE_AFTER_SHORT,
	PREDICTIVE_AFTER_LONG,
	PREDICTIVE_NEAR_TIMER,
};

static_assert(PREDICTIVE_NEAR_TIMER < HALT_POLL_KINDS);

/**
 * predictive_edge() - where a bin ends
 * @price_ns: the price of a halt
 * @bin: the bin
 *
 * Return: the longest idle length that belongs to @bin, in ns.
 */
static inline u32 predictive_edge(u32 price_ns, unsigned int bin)
{
	u64 edge = (u64)price_ns * (bin & 1 ? PREDICTIVE_SQRT2 : 1 << 15);

	return edge << bin / 2 >> 20;
}

/**
 * predictive_bin() - the bin of an idle period
 * @state: says how the bins are cut
 * @idle_ns: how long it was
 *
 * Return: the bin, or %PREDICTIVE_OPEN.
 */
static unsigned int predictive_bin(const struct halt_poll_predictive_state *state,
				   u64 idle_ns)
{
	int octaves = fls64(idle_ns) - fls64(state->price_ns);
	unsigned int bin;

	if (idle_ns > state->threshold_ns)
		return PREDICTIVE_OPEN;
	/*
	 * The length is at least P * 2^(octaves - 1), where bin 8 + 2 * octaves
	 * ends; that leaves four bins to look at.
	 */
	bin = octaves < -4 ? 0 : 8 + 2 * octaves;
	while (bin < PREDICTIVE_BINS && idle_ns > predictive_edge(state->price_ns, bin))
		bin++;
	return bin < PREDICTIVE_BINS ? bin : PREDICTIVE_OPEN;
}

/**
 * predictive_slowness() - how much history there is to be
 * @shrink: kernel.halt_poll_shrink
 *
 * Return: of a bin, an idle period takes one part in 2 to the power of this:
 * 1 in 32 for a @shrink of 1, 1 in 16 for 2, and so on to 1 in 2 for 5 and
 * more, and for 0.
 */
static unsigned int predictive_slowness(u32 shrink)
{
	return shrink && shrink < 5 ? 6 - shrink : 1;
}

/**
 * predictive_record() - put an idle period into the histogram of its kind
 * @state: the state
 * @bin: the bin of the idle period
 * @shrink: kernel.halt_poll_shrink
 */
static void predictive_record(struct halt_poll_predictive_state *state,
			      unsigned int bin, u32 shrink)
{
	unsigned int shift = predictive_slowness(shrink);
	u64 *bins = state->bins[state->kind];
	u8 *age = &state->age[state->kind];
	unsigned int i;
	u64 lanes;

	if (*age < shift)
		shift = ++*age;

	/* What a lane shifts into its neighbour is dropped. */
	lanes = (0xffffU >> shift) * 0x0001000100010001ULL;
	for (i = 0; i < ARRAY_SIZE(state->bins[0]); i++)
		bins[i] -= bins[i] >> shift & lanes;
	if (bin < PREDICTIVE_OPEN)
		bins[bin / 4] += (u64)(PREDICTIVE_PULSE >> shift) << bin % 4 * 16;
}

static void predictive_start(struct halt_poll_predictive_state *state)
{
	*state = (struct halt_poll_predictive_state) {
		.fit	= PREDICTIVE_FIT_START,
		.kind	= PREDICTIVE_AFTER_LONG,
		.after	= PREDICTIVE_AFTER_LONG,
	};
}

/* Start anew where the bins are not cut to the tunables, else change nothing. */
static void predictive_cut(struct halt_poll_predictive_state *state,
			   const struct halt_poll_tunables *tunables)
{
	u64 price_ns = halt_poll_price(tunables);

	if (price_ns > PREDICTIVE_PRICE_MAX * (u64)tunables->threshold_ns)
		price_ns = PREDICTIVE_PRICE_MAX * (u64)tunables->threshold_ns;
	if (state->price_ns == price_ns &&
	    state->threshold_ns == tunables->threshold_ns)
		return;

	predictive_start(state);
	state->price_ns = price_ns;
	state->threshold_ns = tunables->threshold_ns;
}

/**
 * predictive_price() - what a halt is held to cost now
 * @state: the state
 * @grow: kernel.halt_poll_grow
 *
 * Return: the price in ns, with optimism where that is due. At most
 * %HALT_POLL_MAX_NS * %HALT_POLL_GROW_MAX, which needs 40 bits.
 */
static u64 predictive_price(const struct halt_poll_predictive_state *state, u32 grow)
{
	u64 price_ns = state->price_ns;

	/* No timer gets shorter by being polled for. */
	if (grow == 1 || state->fit < PREDICTIVE_FIT ||
	    state->kind == PREDICTIVE_NEAR_TIMER)
		return price_ns;
	if (state->turn % PREDICTIVE_TURNS < PREDICTIVE_TRIES)
		return price_ns * grow;

	return state->hit ? price_ns + price_ns / 4 : price_ns;
}

/**
 * predictive_window() - the window with the least expected cost
 * @state: the state
 * @price_ns: the price of a halt
 *
 * Bin by bin, for each share: who waits on polls on, who ends here has polled
 * for half of the bin on average, and no longer pays for a halt. So polling on
 * to the end of a bin costs its width times what is left on average, less the
 * price of the halts. All is counted twice, to save the halves. No sum is beyond
 * 2^18 * (a second + the price), which needs 59 bits.
 *
 * The edges are those of predictive_edge(); they take turns to be doubled.
 *
 * Return: the window in ns, at most the threshold.
 */
static u32 predictive_window(const struct halt_poll_predictive_state *state, u64 price_ns)
{
	const u64 *bins = state->bins[state->kind];
	u64 edge = (u64)state->price_ns << 15;
	u64 next = (u64)state->price_ns * PREDICTIVE_SQRT2;
	u32 edge_ns = 0, window_ns = 0;
	s64 cost = 0, least = 0;
	s64 left = PREDICTIVE_ONE;
	u64 lanes = bins[0];
	unsigned int bin = 0;

	price_ns *= 2;
	do {
		u32 share = (lanes & 0xffff) + PREDICTIVE_UNSEEN;
		u32 began_ns = edge_ns;
		u64 twice = edge * 2;

		edge_ns = edge >> 20 < state->threshold_ns ? edge >> 20 : state->threshold_ns;
		cost += (2 * left - share) * (edge_ns - began_ns);
		cost -= share * price_ns;
		left -= share;

		window_ns = cost < least ? edge_ns : window_ns;
		least = cost < least ? cost : least;

		edge = next;
		next = twice;
		bin++;
		lanes = bin % 4 ? lanes >> 16 : bins[bin / 4];
	} while (bin < PREDICTIVE_BINS && edge_ns < state->threshold_ns);

	return window_ns;
}

static void predictive_reset(struct halt_poll_state *state)
{
	predictive_start(&state->predictive);
}

static u32 predictive_select(struct halt_poll_state *hp_state,
			     const struct halt_poll_tunables *tunables,
			     u64 next_timer_ns)
{
	struct halt_poll_predictive_state *state = &hp_state->predictive;
	u8 kind_before = state->kind;
	u32 window_ns;
	u64 price_ns;

	predictive_cut(state, tunables);
	state->kind = next_timer_ns <= state->threshold_ns ? PREDICTIVE_NEAR_TIMER : state->after;

	if (state->vain >= PREDICTIVE_VAIN_MAX)
		return 0;
	price_ns = predictive_price(state, tunables->grow);
	if (state->reuse && state->kind == kind_before && price_ns == state->paid_ns) {
		state->reuse--;
	} else {
		state->window_ns = predictive_window(state, price_ns);
		state->paid_ns = price_ns;
		state->reuse = PREDICTIVE_REUSE;
	}
	window_ns = state->window_ns;
	if (window_ns && window_ns < tunables->grow_start_ns)
		window_ns = tunables->grow_start_ns;

	return window_ns < state->threshold_ns ? window_ns : state->threshold_ns;
}

static void predictive_reflect(struct halt_poll_state *hp_state,
			       const struct halt_poll_tunables *tunables,
			       const struct halt_poll_idle *idle)
{
	struct halt_poll_predictive_state *state = &hp_state->predictive;
	unsigned int bin;

	predictive_cut(state, tunables);

	bin = predictive_bin(state, idle->idle_ns);
	if (idle->own_timer && state->kind != PREDICTIVE_NEAR_TIMER)
		bin = PREDICTIVE_OPEN;
	predictive_record(state, bin, tunables->shrink);

	if (bin < PREDICTIVE_OPEN) {
		state->after = PREDICTIVE_AFTER_SHORT;
		state->vain = 0;
	} else {
		state->after = PREDICTIVE_AFTER_LONG;
		if (idle->window_ns && state->vain < PREDICTIVE_VAIN_MAX)
			state->vain++;
	}

	state->hit = idle->hit;
	if (!idle->hit)
		state->reuse = 0;
	state->fit -= state->fit / 16;
	if (idle->idle_ns < 3ULL * state->price_ns)
		state->fit += 15;
	if (state->fit >= PREDICTIVE_FIT)
		state->turn++;
}

static const struct halt_poll_policy predictive_policy = {
	.name		= "predictive",
	.reset		= predictive_reset,
	.select		= predictive_select,
	.reflect	= predictive_reflect,
};
