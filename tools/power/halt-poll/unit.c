// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the KUnit suites that are linked with it, and prints TAP
 */
#include <linux/build_bug.h>

#include <kunit/test.h>

struct kunit_suite *kunit_suites;

int main(void)
{
	unsigned int number = 0, failed = 0;
	struct kunit_suite *suite;

	for (suite = kunit_suites; suite; suite = suite->next) {
		struct kunit_case *test_case;

		for (test_case = suite->test_cases; test_case->run_case; test_case++) {
			struct kunit test = { .failures = 0 };

			test_case->run_case(&test);
			printf("%sok %u - %s: %s\n", test.failures ? "not " : "", ++number,
			       suite->name, test_case->name);
			failed += !!test.failures;
		}
	}
	printf("1..%u\n", number);
	return !!failed;
}
