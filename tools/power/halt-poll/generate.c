// SPDX-License-Identifier: GPL-2.0-only
/*
 * Made-up traces: the same on every machine, for the same seed
 */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#define US	1000ULL
#define MS	1000000ULL

/**
 * struct maker - a trace in the making
 * @rng: where chance comes from
 * @n: the number in the trace's name
 * @i: how many periods there have been
 * @left: periods left of the phase under way
 * @phase: which one it is
 */
struct maker {
	struct rng	rng;
	u64		n;
	u64		i;
	u64		left;
	unsigned int	phase;
};

/**
 * rng_next() - the next random number
 * @rng: the generator (splitmix64)
 *
 * Return: 64 random bits.
 */
u64 rng_next(struct rng *rng)
{
	u64 z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * rng_below() - a random number below a limit
 * @rng: the generator
 * @limit: the limit, up to 2^32
 *
 * Return: a number from 0 to @limit - 1.
 */
u64 rng_below(struct rng *rng, u64 limit)
{
	return (rng_next(rng) >> 32) * limit >> 32;
}

static u64 between(struct maker *maker, u64 low, u64 high)
{
	return low + rng_below(&maker->rng, high - low + 1);
}

/* @mean, give or take up to so many percent. */
static u64 about(struct maker *maker, u64 mean, unsigned int percent)
{
	return between(maker, mean - mean * percent / 100, mean + mean * percent / 100);
}

/*
 * -log2 of a random number in (0, 1], times 2^24. Squaring a number between 1
 * and 2 yields its logarithm bit by bit, without a floating point library that
 * might round differently elsewhere.
 */
static u64 random_log2(struct maker *maker)
{
	u64 x = (rng_next(&maker->rng) >> 32) + 1;
	unsigned int bits = 63 - __builtin_clzll(x), i;
	u64 log = 0;

	x = x << 31 >> bits;
	for (i = 0; i < 24; i++) {
		x = x * x >> 31;
		log <<= 1;
		if (x >> 32) {
			log |= 1;
			x >>= 1;
		}
	}
	return (32ULL << 24) - ((u64)bits << 24 | log);
}

/* Memoryless, with the mean given. 11629080 is ln(2) * 2^24. */
static u64 exponential(struct maker *maker, u64 mean)
{
	return mean * (random_log2(maker) * 11629080 >> 24) >> 24;
}

/* From @low to @high, which is so many octaves above, each octave as likely. */
static u64 log_uniform(struct maker *maker, u64 low, unsigned int octaves)
{
	u64 base = low << rng_below(&maker->rng, octaves);

	return between(maker, base, 2 * base - 1);
}

static bool chance(struct maker *maker, unsigned int per_mille)
{
	return rng_below(&maker->rng, 1000) < per_mille;
}

static void wait_for(struct period *period, u64 idle_ns)
{
	*period = (struct period) {
		.idle_ns	= idle_ns,
		.next_timer_ns	= HALT_POLL_NO_TIMER,
	};
}

static void sleep_for(struct period *period, u64 timer_ns)
{
	*period = (struct period) {
		.idle_ns	= timer_ns,
		.next_timer_ns	= timer_ns,
		.own_timer	= true,
	};
}

/* Start the next of some phases when the one under way is over. */
static unsigned int in_phase(struct maker *maker, const u64 *lengths, unsigned int phases)
{
	if (!maker->i)
		maker->left = lengths[0];
	while (!maker->left) {
		maker->phase = (maker->phase + 1) % phases;
		maker->left = lengths[maker->phase];
	}
	maker->left--;
	return maker->phase;
}

static void make_constant(struct maker *maker, struct period *period)
{
	wait_for(period, maker->n * US);
}

static void make_wait(struct maker *maker, struct period *period)
{
	wait_for(period, about(maker, maker->n * US, 2));
}

static void make_timer(struct maker *maker, struct period *period)
{
	sleep_for(period, maker->n * US);
}

static void make_poisson(struct maker *maker, struct period *period)
{
	wait_for(period, exponential(maker, maker->n * US));
}

static void make_every(struct maker *maker, struct period *period)
{
	wait_for(period, maker->i % maker->n == maker->n - 1 ? 1 * MS : 20 * US);
}

/* The two kinds of production guests: 99.6 % short, or 96 % long. */
static void make_busy(struct maker *maker, struct period *period)
{
	if (chance(maker, 4))
		wait_for(period, log_uniform(maker, 1 * MS, 4));
	else
		wait_for(period, log_uniform(maker, 3125, 6));
}

static void make_quiet(struct maker *maker, struct period *period)
{
	if (chance(maker, 960))
		wait_for(period, log_uniform(maker, 1 * MS, 4));
	else
		wait_for(period, log_uniform(maker, 3125, 6));
}

static void make_even(struct maker *maker, struct period *period)
{
	wait_for(period, chance(maker, 500) ? about(maker, 2 * MS, 20) : about(maker, 20 * US, 20));
}

/* A burst of requests, then silence. */
static void make_bursts(struct maker *maker, struct period *period)
{
	if (maker->left) {
		maker->left--;
		wait_for(period, about(maker, 15 * US, 30));
	} else {
		maker->left = between(maker, 5, 50);
		wait_for(period, about(maker, 5 * MS, 50));
	}
}

static void make_idle(struct maker *maker, struct period *period)
{
	wait_for(period, about(maker, maker->n * US, 1));
}

static void make_pingpong(struct maker *maker, struct period *period)
{
	static const u64 lengths[] = { 100, 2000 };

	if (in_phase(maker, lengths, 2))
		wait_for(period, about(maker, 25 * US, 10));
	else
		wait_for(period, 4 * MS);
}

/* Client and server that sleep in between, on one CPU each: this is one. */
static void make_sleepers(struct maker *maker, struct period *period)
{
	if (maker->i & 1)
		sleep_for(period, 200 * US);
	else
		wait_for(period, about(maker, 40 * US, 10));
}

static void make_phases(struct maker *maker, struct period *period)
{
	static const u64 lengths[] = { 3000, 3000, 300, 2000, 3000 };

	switch (in_phase(maker, lengths, 5)) {
	case 0:
		return wait_for(period, about(maker, 20 * US, 10));
	case 1:
		return wait_for(period, exponential(maker, 100 * US));
	case 2:
		return wait_for(period, 4 * MS);
	case 3:
		return wait_for(period, about(maker, 215 * US, 2));
	default:
		return wait_for(period, about(maker, 60 * US, 5));
	}
}

/* Pareto, alpha = 1, from 5 us to 1 s. */
static void make_heavy(struct maker *maker, struct period *period)
{
	u64 idle_ns = (5 * US << 32) / ((rng_next(&maker->rng) >> 32) + 1);

	wait_for(period, idle_ns < 1000 * MS ? idle_ns : 1000 * MS);
}

/*
 * A name that ends in a number stands for a family: any number will do, and
 * those in the list are the ones that are looked at together.
 */
static const struct {
	const char	*name;
	const char	*what;
	void		(*make)(struct maker *maker, struct period *period);
} traces[] = {
	{ "constant-20", "always 20 us", make_constant },
	{ "constant-75", "always 75 us", make_constant },
	{ "constant-150", "always 150 us", make_constant },
	{ "constant-300", "always 300 us", make_constant },
	{ "wait-215", "about 215 us", make_wait },
	{ "timer-100", "an own timer every 100 us", make_timer },
	{ "timer-4000", "an own timer every 4000 us", make_timer },
	{ "busy", "99.6 % within 200 us, the rest 1 ms and more", make_busy },
	{ "quiet", "4 % within 200 us, the rest 1 ms and more", make_quiet },
	{ "even", "20 us or 2 ms, by the toss of a coin", make_even },
	{ "poisson-20", "memoryless, 20 us on average", make_poisson },
	{ "poisson-100", "memoryless, 100 us on average", make_poisson },
	{ "poisson-1000", "memoryless, 1000 us on average", make_poisson },
	{ "bursts", "5 to 50 times about 15 us, then about 5 ms", make_bursts },
	{ "every-2", "20 us, and 1 ms every 2nd time", make_every },
	{ "every-3", "20 us, and 1 ms every 3rd time", make_every },
	{ "every-4", "20 us, and 1 ms every 4th time", make_every },
	{ "every-8", "20 us, and 1 ms every 8th time", make_every },
	{ "idle-4000", "nothing but the tick, 250 times a second", make_idle },
	{ "idle-20000", "an idle system, 50 wake-ups a second", make_idle },
	{ "pingpong", "100 times 4 ms, 2000 times about 25 us", make_pingpong },
	{ "sleepers", "40 us for the peer, 200 us by an own timer, in turn", make_sleepers },
	{ "phases", "20 us, memoryless, idle, 215 us, 60 us: in turn", make_phases },
	{ "heavy", "a heavy tail: Pareto, from 5 us to 1 s", make_heavy },
};

#define TRACES	(sizeof(traces) / sizeof(*traces))

/**
 * generate_name() - the traces in turn
 * @number: from 0
 *
 * Return: the name of the trace; %NULL at the end.
 */
const char *generate_name(unsigned int number)
{
	return number < TRACES ? traces[number].name : NULL;
}

/**
 * generate_what() - what a trace is like
 * @number: from 0
 *
 * Return: a few words.
 */
const char *generate_what(unsigned int number)
{
	return traces[number].what;
}

/* How long the name is without its number. */
static size_t family(const char *name)
{
	return strcspn(name, "0123456789");
}

/**
 * generate() - make a trace
 * @name: which
 * @seed: of chance
 * @count: how many periods
 * @feed: takes them
 * @context: for @feed
 *
 * Return: 0, or -1 where there is no such trace.
 */
int generate(const char *name, u64 seed, u64 count, feed_fn *feed, void *context)
{
	struct period periods[BATCH];
	struct maker maker = { .rng.state = seed };
	size_t length = family(name), batch = 0;
	unsigned int i;

	for (i = 0; i < TRACES; i++) {
		if (family(traces[i].name) == length && !strncmp(traces[i].name, name, length) &&
		    !traces[i].name[length] == !name[length])
			break;
	}
	if (i == TRACES)
		return -1;
	if (name[length]) {
		char *end;

		maker.n = strtoull(name + length, &end, 10);
		/* A second, in us. */
		if (*end || !maker.n || maker.n > 1000000)
			return -1;
	}

	for (; maker.i < count; maker.i++) {
		traces[i].make(&maker, &periods[batch++]);
		if (batch == BATCH) {
			feed(context, periods, batch);
			batch = 0;
		}
	}
	feed(context, periods, batch);
	return 0;
}
