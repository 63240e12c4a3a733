// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the estimate of the wake cost
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "../wake_cost.h"
#include "play.h"

static void note(struct halt_poll_wake_cost *cost, unsigned int count, u64 late_ns, bool halted)
{
	while (count--)
		halt_poll_wake_cost_note(cost, late_ns, halted);
}

/* Without evidence nothing is taken off. */
static void unknown_is_nothing(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_ns(&cost), 0U);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 1000, 0), 1000ULL);

	note(&cost, 10, 5000, false);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_ns(&cost), 0U);
}

static void difference_of_halt_and_poll(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	note(&cost, 1, 50000, true);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_ns(&cost), 50000U);
	note(&cost, 1, 10000, false);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_ns(&cost), 40000U);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 100000, 0), 60000ULL);
}

/* It follows a change, up and down. */
static void change_is_followed(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	note(&cost, 50, 5000, true);
	note(&cost, 100, 170000, true);
	KUNIT_EXPECT_GE(test, halt_poll_wake_cost_ns(&cost), 160000U);
	note(&cost, 100, 5000, true);
	KUNIT_EXPECT_LE(test, halt_poll_wake_cost_ns(&cost), 6000U);
}

/* The host's absence, once, is not what a wake-up costs. */
static void outlier_counts_for_little(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	note(&cost, 50, 30000, true);
	note(&cost, 1, U64_MAX, true);
	KUNIT_EXPECT_LE(test, halt_poll_wake_cost_ns(&cost), 35000U);
	note(&cost, 20, 30000, true);
	KUNIT_EXPECT_LE(test, halt_poll_wake_cost_ns(&cost), 31000U);
}

/* A first sample of any size leaves an estimate that is bounded, and recovers. */
static void first_sample_is_bounded(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	note(&cost, 1, 1ULL << 63, true);
	KUNIT_EXPECT_LE(test, halt_poll_wake_cost_ns(&cost), 1000000U);
	note(&cost, 60, 30000, true);
	KUNIT_EXPECT_LE(test, halt_poll_wake_cost_ns(&cost), 31000U);
}

/* Whatever is taken off, a miss stays a miss. */
static void window_is_not_undercut(struct kunit *test)
{
	struct halt_poll_wake_cost cost = { };

	note(&cost, 1, 100000, true);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 120000, 50000), 50001ULL);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 150001, 50000), 50001ULL);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 150002, 50000), 50002ULL);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 0, 50000), 50001ULL);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, 0, U32_MAX), 1ULL << 32);
	KUNIT_EXPECT_EQ(test, halt_poll_wake_cost_correct(&cost, U64_MAX, U32_MAX),
			U64_MAX - 100000);
}

static struct kunit_case wake_cost_cases[] = {
	KUNIT_CASE(unknown_is_nothing),
	KUNIT_CASE(difference_of_halt_and_poll),
	KUNIT_CASE(change_is_followed),
	KUNIT_CASE(outlier_counts_for_little),
	KUNIT_CASE(first_sample_is_bounded),
	KUNIT_CASE(window_is_not_undercut),
	{}
};

static struct kunit_suite wake_cost_suite = {
	.name		= "halt_poll_wake_cost",
	.test_cases	= wake_cost_cases,
};

kunit_test_suite(wake_cost_suite);
