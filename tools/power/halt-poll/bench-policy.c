// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a decision costs: select() and reflect(), compiled as in the kernel
 */
#include <string.h>
#include <time.h>

#include "replay.h"

#define PERIODS		4096
#define ROUNDS		500
#define REPEATS		9

static struct period periods[PERIODS];
static size_t filled;

static void keep(void *context, const struct period *some, size_t count)
{
	(void)context;
	memcpy(&periods[filled], some, count * sizeof(*some));
	filled += count;
}

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* The windows are summed up, so that none of the work is left out. */
static double measure(const struct halt_poll_policy *policy, u64 *sum_ns)
{
	struct halt_poll_tunables tunables = {
		.threshold_ns	= 200000,
		.grow		= HALT_POLL_GROW_DEFAULT,
		.grow_start_ns	= HALT_POLL_GROW_START_DEFAULT,
		.shrink		= HALT_POLL_SHRINK_DEFAULT,
	};
	struct halt_poll_state state;
	unsigned int round, i;
	u64 start_ns;

	policy->reset(&state);
	start_ns = now_ns();
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < PERIODS; i++) {
			struct halt_poll_idle idle = {
				.idle_ns	= periods[i].idle_ns,
				.own_timer	= periods[i].own_timer,
			};

			idle.window_ns = policy->select(&state, &tunables,
							periods[i].next_timer_ns);
			idle.hit = idle.window_ns && idle.idle_ns <= idle.window_ns;
			*sum_ns += idle.window_ns;
			policy->reflect(&state, &tunables, &idle);
		}
	}
	return (double)(now_ns() - start_ns) / ROUNDS / PERIODS;
}

int main(void)
{
	static const char *const names[] = { "constant-20", "phases", "busy", "poisson-100" };
	const struct halt_poll_policy *policy;
	u64 sum_ns = 0;
	unsigned int i, k, n;

	puts("policy\ttrace\tns_per_idle");
	for (n = 0; n < sizeof(names) / sizeof(*names); n++) {
		filled = 0;
		generate(names[n], 1, PERIODS, keep, NULL);
		for (i = 0; (policy = halt_poll_policies[i]); i++) {
			double best = measure(policy, &sum_ns);

			for (k = 1; k < REPEATS; k++) {
				double again = measure(policy, &sum_ns);

				if (again < best)
					best = again;
			}
			printf("%s\t%s\t%.1f\n", policy->name, names[n], best);
		}
	}
	return !sum_ns;
}
