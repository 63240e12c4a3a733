// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the adaptive policy
 */
#include <kunit/test.h>

#include "play.h"

static void start(struct play *play, struct kunit *test)
{
	play_start(play, test, play_policy("adaptive"));
}

/* Fault 1 of haltpoll: a window stuck below 60 to 95 and 120 to 195 us. */
static void waits_that_fit_are_hit(struct kunit *test)
{
	u32 wait_us;

	for (wait_us = 5; wait_us <= 195; wait_us += 5) {
		struct play play;

		start(&play, test);
		play_waits(&play, 1000, wait_us * US);
		KUNIT_EXPECT_GE(test, play.hits, 998U);
		KUNIT_EXPECT_EQ(test, play.vain, 0U);
	}
}

/* Fault 2: a window of 200 us that never shrinks on waits of 210 to 390 us. */
static void waits_that_do_not_fit_are_left(struct kunit *test)
{
	u32 wait_us;

	for (wait_us = 205; wait_us <= 400; wait_us += 5) {
		struct play play;

		start(&play, test);
		play_waits(&play, 1000, wait_us * US);
		KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);

		start(&play, test);
		play_waits(&play, 100, 195 * US);
		KUNIT_EXPECT_GE(test, play.window_ns, 195 * US);
		play_count_anew(&play);
		play_waits(&play, 1000, wait_us * US);
		KUNIT_EXPECT_LE(test, play.vain, 3U);
		KUNIT_EXPECT_EQ(test, play.window_ns, 0U);
	}
}

/* Fault 3: a long idle period in every 2, 3, 4, 8 takes the window away. */
static void long_one_in_every_few(struct kunit *test)
{
	static const u32 every[] = { 2, 3, 4, 8 };
	unsigned int i, round;

	for (i = 0; i < ARRAY_SIZE(every); i++) {
		struct play play;

		start(&play, test);
		for (round = 0; round < 1000; round++) {
			play_waits(&play, every[i] - 1, 20 * US);
			play_waits(&play, 1, 1000 * US);
		}
		/* All of the short ones, but for a few at the start. */
		KUNIT_EXPECT_GE(test, play.hits, 1000 * (every[i] - 1) - 4);
	}
}

/* Fault 4: wake costs above 100 us keep it from ever polling; see wake_cost.c. */
static void dear_wakes_do_not_keep_it_from_polling(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.threshold_ns = 4000 * US;
	play_waits(&play, 1000, (30 + 170) * US);
	KUNIT_EXPECT_GE(test, play.hits, 998U);
}

/* Fault 5: its own timer, every 100 us, is polled for all the time. */
static void own_timer_beyond_the_price(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.cost_ns = 30 * US;
	play_sleeps(&play, 10000, 100 * US);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);

	/* At a price of 200 us it is worth it. */
	start(&play, test);
	play_sleeps(&play, 1000, 100 * US);
	KUNIT_EXPECT_GE(test, play.hits, 998U);
}

/* A timer 4 ms away is no reason to poll. */
static void far_timer_is_left(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play_sleeps(&play, 1000, 4000 * US);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);

	/* Not even if the length, wrongly, looks short. */
	while (play.idles < 2000)
		play_idle(&play, 20 * US, 4000 * US, true);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);
}

static void idle_system_is_left(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play_waits(&play, 100000, 4000 * US);
	play_waits(&play, 100000, 20000 * US);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);
}

static void pingpong_starts_and_stops(struct kunit *test)
{
	unsigned int round;
	struct play play;

	start(&play, test);
	for (round = 0; round < 20; round++) {
		play_waits(&play, 200, 4000 * US);
		play_count_anew(&play);
		play_waits(&play, 1000, 25 * US);
		KUNIT_EXPECT_GE(test, play.hits, 1000U - 4);
		play_count_anew(&play);
		play_waits(&play, 200, 4000 * US);
		KUNIT_EXPECT_LE(test, play.vain, 3U);
	}
}

/* The price alone, below the threshold: the cost decides what is worth it. */
static void cost_lowers_the_price(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.cost_ns = 50 * US;
	play_waits(&play, 2000, 40 * US);
	KUNIT_EXPECT_GE(test, play.hits, 1998U);

	start(&play, test);
	play.tunables.cost_ns = 50 * US;
	play_waits(&play, 2000, 160 * US);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);
}

/* A cost above the threshold does not lengthen the window. */
static void cost_above_the_threshold(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.cost_ns = HALT_POLL_MAX_NS;
	play_waits(&play, 1000, 150 * US);
	KUNIT_EXPECT_GE(test, play.hits, 998U);
	play_waits(&play, 1000, 250 * US);
	play_count_anew(&play);
	play_waits(&play, 1000, 250 * US);
	KUNIT_EXPECT_EQ(test, play.burned_ns, 0ULL);
}

/* Above the threshold it acts as the threshold: every window is that long. */
static void grow_start_above_the_threshold(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.grow_start_ns = 10 * play.tunables.threshold_ns;
	play_waits(&play, 100, 20 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, play.tunables.threshold_ns);

	/* And a long idle period does not take it away. */
	play_waits(&play, 1, 5000 * US);
	play_waits(&play, 2, 20 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, play.tunables.threshold_ns);
}

static void grow_start_is_the_least(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.grow_start_ns = 50 * US;
	play_waits(&play, 100, 2 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 50 * US);

	start(&play, test);
	play.tunables.grow_start_ns = HALT_POLL_GROW_START_MIN;
	play_waits(&play, 100, 20 * US);
	KUNIT_EXPECT_GE(test, play.hits, 98U);
}

/* At no value of shrink does an idle system go on polling. */
static void every_shrink_ends_polling(struct kunit *test)
{
	static const u32 shrinks[] = { HALT_POLL_SHRINK_MIN, 1, 2, 3, HALT_POLL_SHRINK_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shrinks); i++) {
		struct play play;

		start(&play, test);
		play.tunables.shrink = shrinks[i];
		play_waits(&play, 1000, 20 * US);
		KUNIT_EXPECT_GE(test, play.hits, 998U);
		play_count_anew(&play);
		play_waits(&play, 1000, 4000 * US);
		KUNIT_EXPECT_LE(test, play.vain, 3U);
	}
}

/* With a factor of 1 there is nothing between grow_start and nothing. */
static void grow_of_one(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play.tunables.grow = 1;
	play.tunables.grow_start_ns = 30 * US;
	play_waits(&play, 100, 20 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 30 * US);
	KUNIT_EXPECT_EQ(test, play.hits, 99U);
	play_waits(&play, 100, 60 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 30 * US);
}

/* Each step is known to the ns. */
static void windows_are_exact(struct kunit *test)
{
	struct play play;

	start(&play, test);
	play_waits(&play, 2, 20 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 32 * US);
	play_waits(&play, 1, 100 * US);
	play_waits(&play, 8, 20 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 128 * US);
	play_waits(&play, 1, 1000 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 128 * US);
	play_waits(&play, 1, 1000 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 128 * US);
	play_waits(&play, 1, 1000 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 64 * US);
	play_waits(&play, 1, 1000 * US);
	KUNIT_EXPECT_EQ(test, play.window_ns, 0U);
}

static struct kunit_case adaptive_cases[] = {
	KUNIT_CASE(waits_that_fit_are_hit),
	KUNIT_CASE(waits_that_do_not_fit_are_left),
	KUNIT_CASE(long_one_in_every_few),
	KUNIT_CASE(dear_wakes_do_not_keep_it_from_polling),
	KUNIT_CASE(own_timer_beyond_the_price),
	KUNIT_CASE(far_timer_is_left),
	KUNIT_CASE(idle_system_is_left),
	KUNIT_CASE(pingpong_starts_and_stops),
	KUNIT_CASE(cost_lowers_the_price),
	KUNIT_CASE(cost_above_the_threshold),
	KUNIT_CASE(grow_start_above_the_threshold),
	KUNIT_CASE(grow_start_is_the_least),
	KUNIT_CASE(every_shrink_ends_polling),
	KUNIT_CASE(grow_of_one),
	KUNIT_CASE(windows_are_exact),
	{}
};

static struct kunit_suite adaptive_suite = {
	.name		= "halt_poll_adaptive",
	.test_cases	= adaptive_cases,
};

kunit_test_suite(adaptive_suite);
