// SPDX-License-Identifier: GPL-2.0-only
/*
 * What our policies are held against: others' rules, and hindsight
 */
#include <stdlib.h>

#include "replay.h"

/*
 * Both rules at their defaults. They have no notion of a price, and the longest
 * window is their own.
 */
#define REFERENCE_MAX_NS		200000U
#define REFERENCE_GROW			2
#define REFERENCE_SHRINK		2
#define HALTPOLL_GROW_START_NS		50000U
#define KVM_GROW_START_NS		10000U

static void reference_reset(struct halt_poll_state *state)
{
	state->adaptive.window_ns = 0;
}

static u32 reference_select(struct halt_poll_state *state,
			    const struct halt_poll_tunables *tunables,
			    u64 next_timer_ns)
{
	(void)tunables;
	(void)next_timer_ns;
	return state->adaptive.window_ns;
}

static u32 reference_grow(u32 window_ns, u32 start_ns)
{
	window_ns *= REFERENCE_GROW;
	if (window_ns < start_ns)
		window_ns = start_ns;
	return window_ns < REFERENCE_MAX_NS ? window_ns : REFERENCE_MAX_NS;
}

static u32 reference_shrink(u32 window_ns, u32 start_ns)
{
	window_ns /= REFERENCE_SHRINK;
	return window_ns < start_ns ? 0 : window_ns;
}

/*
 * The cpuidle governor: only what comes after the poll is a length, and only
 * misses have one.
 */
static void haltpoll_reflect(struct halt_poll_state *state,
			     const struct halt_poll_tunables *tunables,
			     const struct halt_poll_idle *idle)
{
	u32 *window_ns = &state->adaptive.window_ns;
	u64 block_ns;

	(void)tunables;
	if (idle->hit)
		return;
	block_ns = idle->idle_ns > idle->window_ns ? idle->idle_ns - idle->window_ns : 0;
	if (block_ns > REFERENCE_MAX_NS)
		*window_ns = reference_shrink(*window_ns, HALTPOLL_GROW_START_NS);
	else if (block_ns > *window_ns)
		*window_ns = reference_grow(*window_ns, HALTPOLL_GROW_START_NS);
}

/* The polling of KVM on the host's side, as of Linux 6.12. */
static void kvm_reflect(struct halt_poll_state *state,
			const struct halt_poll_tunables *tunables,
			const struct halt_poll_idle *idle)
{
	u32 *window_ns = &state->adaptive.window_ns;

	(void)tunables;
	if (idle->idle_ns <= *window_ns)
		return;
	if (*window_ns && idle->idle_ns > REFERENCE_MAX_NS)
		*window_ns = reference_shrink(*window_ns, KVM_GROW_START_NS);
	else if (*window_ns < REFERENCE_MAX_NS && idle->idle_ns < REFERENCE_MAX_NS)
		*window_ns = reference_grow(*window_ns, KVM_GROW_START_NS);
}

const struct halt_poll_policy reference_haltpoll = {
	.name		= "haltpoll",
	.reset		= reference_reset,
	.select		= reference_select,
	.reflect	= haltpoll_reflect,
};

const struct halt_poll_policy reference_kvm = {
	.name		= "kvm",
	.reset		= reference_reset,
	.select		= reference_select,
	.reflect	= kvm_reflect,
};

/*
 * The best fixed window is the length of some period: a shorter one would miss
 * it, a longer one polls on for nothing. So it is enough to try the lengths.
 * They go into bins, 1024 an octave, and the longest of each bin is tried. Its
 * cost is exact. The very best window may have been another of the same bin,
 * shorter by less than a thousandth, and its cost lower by less than that.
 */
#define BIN_BITS	10

static unsigned int hindsight_bin(u64 idle_ns)
{
	unsigned int octave;

	if (idle_ns < 1 << BIN_BITS)
		return idle_ns;
	octave = 63 - __builtin_clzll(idle_ns) - BIN_BITS;
	return (octave << BIN_BITS) + (idle_ns >> octave);
}

/**
 * hindsight_open() - begin
 * @hindsight: to be set up
 * @threshold_ns: no window is longer
 * @price_ns: of a halt
 *
 * Return: 0, or -1 where memory is short.
 */
int hindsight_open(struct hindsight *hindsight, u32 threshold_ns, u32 price_ns)
{
	*hindsight = (struct hindsight) {
		.threshold_ns	= threshold_ns,
		.price_ns	= price_ns,
		.bins		= calloc(hindsight_bin(threshold_ns) + 1,
					 sizeof(*hindsight->bins)),
	};
	return hindsight->bins ? 0 : -1;
}

/**
 * hindsight_feed() - note some periods
 * @hindsight: from hindsight_open()
 * @periods: the periods
 * @count: how many there are
 */
void hindsight_feed(struct hindsight *hindsight, const struct period *periods, size_t count)
{
	size_t i;

	hindsight->idles += count;
	for (i = 0; i < count; i++) {
		u64 idle_ns = periods[i].idle_ns;
		struct hindsight_bin *bin;

		if (idle_ns > hindsight->threshold_ns) {
			hindsight->clairvoyant_ns += hindsight->price_ns;
			continue;
		}
		hindsight->clairvoyant_ns += idle_ns < hindsight->price_ns ?
					     idle_ns : hindsight->price_ns;
		bin = &hindsight->bins[hindsight_bin(idle_ns)];
		bin->count++;
		bin->sum_ns += idle_ns;
		if (idle_ns > bin->longest_ns)
			bin->longest_ns = idle_ns;
	}
}

/**
 * hindsight_best_fixed() - the cheapest window that is the same for all periods
 * @hindsight: that has seen them
 * @window_ns: where to put the window
 *
 * Return: its cost.
 */
u64 hindsight_best_fixed(const struct hindsight *hindsight, u32 *window_ns)
{
	unsigned int i, last = hindsight_bin(hindsight->threshold_ns);
	u64 least_ns = hindsight->idles * hindsight->price_ns;
	u64 left = hindsight->idles, sum_ns = 0;

	*window_ns = 0;
	for (i = 0; i <= last; i++) {
		const struct hindsight_bin *bin = &hindsight->bins[i];
		u64 cost_ns, longest_ns;

		if (!bin->count)
			continue;
		left -= bin->count;
		sum_ns += bin->sum_ns;
		/* A window of 0 would be none. */
		longest_ns = bin->longest_ns ? bin->longest_ns : 1;
		cost_ns = sum_ns + left * (longest_ns + hindsight->price_ns);
		if (cost_ns < least_ns) {
			least_ns = cost_ns;
			*window_ns = longest_ns;
		}
	}
	return least_ns;
}

/**
 * hindsight_close() - give back the memory
 * @hindsight: from hindsight_open()
 */
void hindsight_close(struct hindsight *hindsight)
{
	free(hindsight->bins);
}
