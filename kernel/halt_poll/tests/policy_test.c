// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what holds for every policy, and of the fixed one
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "play.h"

/* Edges of time, lengths, and what a clock that jumps makes of them. */
static const u64 lengths_ns[] = {
	0, 1, 2, 3999, 4096, 60000, 199999, 200000, 200001, 1000000, 999999999, 1000000000,
	1000000001, U32_MAX, 1ULL << 32, (1ULL << 63) - 1, 1ULL << 63, U64_MAX - 1, U64_MAX,
};

static const u32 times_ns[] = {
	0, 1, 2, 31, 32, 33, 1000, 4096, 200000, 524288, 999999999, HALT_POLL_MAX_NS,
};

static const u32 grows[] = { HALT_POLL_GROW_MIN, 2, 3, HALT_POLL_GROW_MAX };
static const u32 shrinks[] = { HALT_POLL_SHRINK_MIN, 1, 2, 5, 6, HALT_POLL_SHRINK_MAX };

/* The same numbers on every machine. */
static u32 next_random(u32 *seed, u32 limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (u64)*seed * limit >> 32;
}

static void random_tunables(struct halt_poll_tunables *tunables, u32 *seed)
{
	switch (next_random(seed, 5)) {
	case 0:
		tunables->threshold_ns = times_ns[next_random(seed, ARRAY_SIZE(times_ns))];
		return;
	case 1:
		tunables->cost_ns = times_ns[next_random(seed, ARRAY_SIZE(times_ns))];
		return;
	case 2:
		tunables->grow = grows[next_random(seed, ARRAY_SIZE(grows))];
		return;
	case 3:
		tunables->grow_start_ns = times_ns[next_random(seed, ARRAY_SIZE(times_ns))];
		if (tunables->grow_start_ns < HALT_POLL_GROW_START_MIN)
			tunables->grow_start_ns = HALT_POLL_GROW_START_MIN;
		return;
	default:
		tunables->shrink = shrinks[next_random(seed, ARRAY_SIZE(shrinks))];
	}
}

/* play_idle() sees to it that no window ever exceeds the threshold. */
static void any_tunables_any_lengths(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;

	for (policy = halt_poll_policies; *policy; policy++) {
		u32 seed = 1, i;
		struct play play;

		play_start(&play, test, *policy);
		for (i = 0; i < 50000; i++) {
			u64 idle_ns = lengths_ns[next_random(&seed, ARRAY_SIZE(lengths_ns))];
			u64 timer_ns = lengths_ns[next_random(&seed, ARRAY_SIZE(lengths_ns))];

			if (!next_random(&seed, 8))
				random_tunables(&play.tunables, &seed);
			/* Runs of one length, so that windows open up as well. */
			if (!next_random(&seed, 8))
				play_waits(&play, 8, play.tunables.threshold_ns / 2);
			play_idle(&play, idle_ns, timer_ns, next_random(&seed, 2));
		}
	}
}

/* Some idle periods of each length, at each edge of grow and shrink. */
static void play_edges(struct kunit *test, const struct halt_poll_policy *policy,
		       u32 threshold_ns, u32 cost_ns)
{
	unsigned int grow, shrink, i;

	for (grow = 0; grow < ARRAY_SIZE(grows); grow++) {
		for (shrink = 0; shrink < ARRAY_SIZE(shrinks); shrink++) {
			struct play play;

			play_start(&play, test, policy);
			play.tunables.threshold_ns = threshold_ns;
			play.tunables.cost_ns = cost_ns;
			play.tunables.grow = grows[grow];
			play.tunables.shrink = shrinks[shrink];
			for (i = 0; i < ARRAY_SIZE(lengths_ns); i++)
				play_waits(&play, 4, lengths_ns[i]);
		}
	}
}

static void edges_of_tunables(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;
	unsigned int i, k;

	for (policy = halt_poll_policies; *policy; policy++) {
		for (i = 0; i < ARRAY_SIZE(times_ns); i++) {
			for (k = 0; k < ARRAY_SIZE(times_ns); k++)
				play_edges(test, *policy, times_ns[i], times_ns[k]);
		}
	}
}

/* A threshold of 0 is off, whatever has been learned. */
static void threshold_zero_is_off(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;

	for (policy = halt_poll_policies; *policy; policy++) {
		struct play play;

		play_start(&play, test, *policy);
		play_waits(&play, 100, 20 * US);
		KUNIT_EXPECT_GT(test, play.window_ns, 0U);

		play.tunables.threshold_ns = 0;
		play_count_anew(&play);
		play_waits(&play, 100, 20 * US);
		KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);
		KUNIT_EXPECT_EQ(test, play.vain, 0U);
	}
}

/* A lower threshold acts on the very next window. */
static void lower_threshold_acts_at_once(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;

	for (policy = halt_poll_policies; *policy; policy++) {
		struct play play;

		play_start(&play, test, *policy);
		play_waits(&play, 100, 150 * US);
		KUNIT_EXPECT_GE(test, play.window_ns, 150 * US);
		play.tunables.threshold_ns = 5 * US;
		play_waits(&play, 1, 150 * US);
		KUNIT_EXPECT_LE(test, play.window_ns, 5 * US);
	}
}

/* Where a halt costs 170 us, thresholds of 4 ms are used to their end. */
static void long_thresholds_are_used(struct kunit *test)
{
	static const u32 thresholds_ns[] = { 1000000, 4000000, HALT_POLL_MAX_NS };
	const struct halt_poll_policy *const *policy;
	unsigned int i;

	for (policy = halt_poll_policies; *policy; policy++) {
		for (i = 0; i < ARRAY_SIZE(thresholds_ns); i++) {
			u32 wait_ns = thresholds_ns[i] - thresholds_ns[i] / 32;
			struct play play;

			play_start(&play, test, *policy);
			play.tunables.threshold_ns = thresholds_ns[i];
			play_waits(&play, 100, wait_ns);
			KUNIT_EXPECT_GE(test, play.hits, 95U);
			KUNIT_EXPECT_GE(test, play.window_ns, wait_ns);
		}
	}
}

/* So are short ones. */
static void short_thresholds_are_used(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;

	for (policy = halt_poll_policies; *policy; policy++) {
		struct play play;

		play_start(&play, test, *policy);
		play.tunables.threshold_ns = 1000;
		play_waits(&play, 100, 900);
		KUNIT_EXPECT_GE(test, play.hits, 95U);
	}
}

static void reset_forgets(struct kunit *test)
{
	const struct halt_poll_policy *const *policy;

	for (policy = halt_poll_policies; *policy; policy++) {
		u32 first_ns, window_ns;
		struct play play;

		play_start(&play, test, *policy);
		first_ns = play.policy->select(&play.state, &play.tunables, HALT_POLL_NO_TIMER);

		/* What another policy has left behind makes no difference. */
		memset(&play.state, 0xff, sizeof(play.state));
		play.policy->reset(&play.state);
		window_ns = play.policy->select(&play.state, &play.tunables, HALT_POLL_NO_TIMER);
		KUNIT_EXPECT_EQ(test, window_ns, first_ns);
	}
}

static void fixed_is_the_threshold(struct kunit *test)
{
	struct play play;

	play_start(&play, test, play_policy("fixed"));
	play_waits(&play, 100, 1000 * US);
	KUNIT_EXPECT_EQ(test, play.vain, 100U);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 100ULL * 200 * US);
	play_waits(&play, 100, 200 * US);
	KUNIT_EXPECT_EQ(test, play.hits, 100U);
}

static void names_are_unique(struct kunit *test)
{
	unsigned int i, k;

	for (i = 0; halt_poll_policies[i]; i++) {
		for (k = 0; k < i; k++)
			KUNIT_EXPECT_NE(test, 0, strcmp(halt_poll_policies[i]->name,
							halt_poll_policies[k]->name));
	}
	KUNIT_EXPECT_GE(test, i, 3U);
}

/* Unless told otherwise a timer is worth a halt, and no more than the threshold. */
static void timers_within_the_price(struct kunit *test)
{
	struct halt_poll_tunables tunables = { .threshold_ns = 200000 };
	const u32 by_price = HALT_POLL_TIMER_AUTO;

	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, by_price), 200000U);
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, 0), 0U);
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, 500000), 500000U);
	tunables.cost_ns = 50000;
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, by_price), 50000U);
	tunables.cost_ns = 900000;
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, by_price), 200000U);
	tunables.threshold_ns = 0;
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, by_price), 0U);
	KUNIT_EXPECT_EQ(test, halt_poll_timer_reach(&tunables, HALT_POLL_MAX_NS),
			HALT_POLL_MAX_NS);
}

static struct kunit_case policy_cases[] = {
	KUNIT_CASE(any_tunables_any_lengths),
	KUNIT_CASE(edges_of_tunables),
	KUNIT_CASE(threshold_zero_is_off),
	KUNIT_CASE(lower_threshold_acts_at_once),
	KUNIT_CASE(long_thresholds_are_used),
	KUNIT_CASE(short_thresholds_are_used),
	KUNIT_CASE(reset_forgets),
	KUNIT_CASE(fixed_is_the_threshold),
	KUNIT_CASE(names_are_unique),
	KUNIT_CASE(timers_within_the_price),
	{}
};

static struct kunit_suite policy_suite = {
	.name		= "halt_poll_policy",
	.test_cases	= policy_cases,
};

kunit_test_suite(policy_suite);
