/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of KUnit as the tests of the policies use, for userspace; prints TAP
 */
#ifndef _HALT_POLL_KUNIT_TEST_H
#define _HALT_POLL_KUNIT_TEST_H

#include <stdio.h>

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/types.h>

/**
 * struct kunit - a test under way
 * @failures: of its expectations
 */
struct kunit {
	unsigned int	failures;
};

/**
 * struct kunit_case - a test
 * @run_case: the test
 * @name: its name
 */
struct kunit_case {
	void		(*run_case)(struct kunit *test);
	const char	*name;
};

/**
 * struct kunit_suite - some tests
 * @name: of them all
 * @test_cases: the tests; an empty one at the end
 * @next: the suite registered before
 */
struct kunit_suite {
	const char		*name;
	struct kunit_case	*test_cases;
	struct kunit_suite	*next;
};

extern struct kunit_suite *kunit_suites;

#define KUNIT_CASE(test)	{ .run_case = test, .name = #test }

/* Before main() runs, each suite puts itself into the list. */
#define kunit_test_suite(suite)						\
static void __attribute__((constructor)) kunit_register(void)		\
{									\
	(suite).next = kunit_suites;					\
	kunit_suites = &(suite);					\
}									\
static_assert(sizeof(suite))

/* The first few failures tell enough. */
#define KUNIT_COMPARE(test, left, operator, right) do {			\
	__typeof__(left) kunit_left = (left);				\
	__typeof__(right) kunit_right = (right);			\
									\
	if (!(kunit_left operator kunit_right) && (test)->failures++ < 5) \
		printf("# %s:%d: %s " #operator " %s: %lld, %lld\n",	\
		       __FILE__, __LINE__, #left, #right,		\
		       (long long)kunit_left, (long long)kunit_right);	\
} while (0)

#define KUNIT_EXPECT_EQ(test, left, right)	KUNIT_COMPARE(test, left, ==, right)
#define KUNIT_EXPECT_TRUE(test, condition)	KUNIT_EXPECT_EQ(test, !!(condition), 1)
#define KUNIT_EXPECT_FALSE(test, condition)	KUNIT_EXPECT_EQ(test, !!(condition), 0)
#define KUNIT_EXPECT_NE(test, left, right)	KUNIT_COMPARE(test, left, !=, right)
#define KUNIT_EXPECT_LE(test, left, right)	KUNIT_COMPARE(test, left, <=, right)
#define KUNIT_EXPECT_GE(test, left, right)	KUNIT_COMPARE(test, left, >=, right)
#define KUNIT_EXPECT_GT(test, left, right)	KUNIT_COMPARE(test, left, >, right)

#endif
