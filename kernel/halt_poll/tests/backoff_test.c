// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the back-off from a busy host
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "../backoff.h"

#define US	1000ULL
#define MS	(1000 * US)
#define SECOND	(1000 * MS)

/*
 * A CPU that polls for 200 us, waits as long, and so on, unless it pauses; of
 * each ms that it polls, lost_us are lost at once. Returns the time polled.
 */
static u64 play(struct halt_poll_backoff *backoff, u64 *now_ns, u64 until_ns, u64 lost_us)
{
	u64 polled_ns = 0;

	while (*now_ns < until_ns) {
		if (!halt_poll_backoff_active(backoff, *now_ns)) {
			u64 lost_ns = polled_ns / MS != (polled_ns + 200 * US) / MS ?
				      lost_us * US : 0;

			polled_ns += 200 * US;
			*now_ns += 200 * US;
			halt_poll_backoff_note(backoff, *now_ns, 200 * US, lost_ns);
		}
		*now_ns += 200 * US;
	}

	return polled_ns;
}

static void nothing_lost_is_no_pause(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };
	u64 now_ns = 0;

	KUNIT_EXPECT_FALSE(test, halt_poll_backoff_active(&backoff, 0));
	KUNIT_EXPECT_EQ(test, play(&backoff, &now_ns, SECOND, 0), SECOND / 2);
	KUNIT_EXPECT_EQ(test, backoff.pause_ns, 0U);
}

/* Less than 1/32 is how a quiet host looks as well. */
static void little_lost_is_no_pause(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };
	u64 now_ns = 0, i;

	for (i = 0; i < 10000; i++) {
		now_ns += 200 * US;
		KUNIT_EXPECT_FALSE(test, halt_poll_backoff_note(&backoff, now_ns, 200 * US,
								6 * US));
	}
}

/* The first pause is 10 ms, the next twice that, and none over a second. */
static void pauses_double_up_to_a_second(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };
	u64 now_ns = 5 * SECOND, pause_ns = 10 * MS;
	int i;

	for (i = 0; i < 20; i++) {
		KUNIT_EXPECT_TRUE(test, halt_poll_backoff_note(&backoff, now_ns, 2 * MS, MS));
		KUNIT_EXPECT_TRUE(test, halt_poll_backoff_active(&backoff, now_ns));
		KUNIT_EXPECT_TRUE(test, halt_poll_backoff_active(&backoff,
								 now_ns + pause_ns - 1));
		KUNIT_EXPECT_FALSE(test, halt_poll_backoff_active(&backoff, now_ns + pause_ns));
		now_ns += pause_ns;
		pause_ns *= 2;
		if (pause_ns > SECOND)
			pause_ns = SECOND;
	}
}

/* Beside a busy neighbour it settles to next to nothing. */
static void busy_host_is_left_alone(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };
	u64 now_ns = 0;

	play(&backoff, &now_ns, 3 * SECOND, 500);
	KUNIT_EXPECT_LE(test, play(&backoff, &now_ns, 23 * SECOND, 500), 20 * SECOND / 100);
}

/* When the neighbour has gone, polling is back within a second and stays. */
static void polling_comes_back(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };
	u64 now_ns = 0, from_ns;

	play(&backoff, &now_ns, 10 * SECOND, 500);
	from_ns = now_ns;
	play(&backoff, &now_ns, from_ns + SECOND + MS, 0);
	from_ns = now_ns;
	KUNIT_EXPECT_GE(test, play(&backoff, &now_ns, from_ns + SECOND, 0),
			SECOND / 2 - 200 * US);
	/* and the next pause would be a short one again */
	KUNIT_EXPECT_EQ(test, backoff.pause_ns, 0U);
}

static void clock_that_jumps_is_survived(struct kunit *test)
{
	struct halt_poll_backoff backoff = { };

	KUNIT_EXPECT_TRUE(test, halt_poll_backoff_note(&backoff, 100 * SECOND, MS, MS));
	KUNIT_EXPECT_TRUE(test, halt_poll_backoff_active(&backoff, 100 * SECOND));
	KUNIT_EXPECT_FALSE(test, halt_poll_backoff_active(&backoff, 0));
	KUNIT_EXPECT_FALSE(test, halt_poll_backoff_active(&backoff, U64_MAX));
	KUNIT_EXPECT_TRUE(test, halt_poll_backoff_note(&backoff, 0, U64_MAX, U64_MAX));
	KUNIT_EXPECT_LE(test, backoff.pause_ns, (u32)SECOND);
	KUNIT_EXPECT_FALSE(test, halt_poll_backoff_note(&backoff, 0, U64_MAX, 0));
}

static struct kunit_case backoff_cases[] = {
	KUNIT_CASE(nothing_lost_is_no_pause),
	KUNIT_CASE(little_lost_is_no_pause),
	KUNIT_CASE(pauses_double_up_to_a_second),
	KUNIT_CASE(busy_host_is_left_alone),
	KUNIT_CASE(polling_comes_back),
	KUNIT_CASE(clock_that_jumps_is_survived),
	{ }
};

static struct kunit_suite backoff_suite = {
	.name		= "halt_poll_backoff",
	.test_cases	= backoff_cases,
};

kunit_test_suite(backoff_suite);
