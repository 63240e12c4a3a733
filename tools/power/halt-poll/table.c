// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many traces at once: how the rules compare
 */
#include <math.h>

#include "replay.h"

#define RULES_MAX	8

/**
 * struct contest - rules at work on the same trace
 * @hindsight: what could have been had
 * @arms: the rules
 * @rules: how many there are
 */
struct contest {
	struct hindsight	hindsight;
	struct arm		arms[RULES_MAX];
	unsigned int		rules;
};

static void contest_feed(void *context, const struct period *periods, size_t count)
{
	struct contest *contest = context;
	unsigned int k;

	hindsight_feed(&contest->hindsight, periods, count);
	for (k = 0; k < contest->rules; k++)
		arm_feed(&contest->arms[k], periods, count);
}

static double ratio(u64 cost_ns, u64 base_ns)
{
	return base_ns ? (double)cost_ns / base_ns : 1;
}

/**
 * struct column - a column of the table
 * @log_sum: of its ratios, for the geometric mean
 * @worst: the largest of them
 */
struct column {
	double	log_sum;
	double	worst;
};

static void column_print(struct column *column, double value)
{
	column->log_sum += log(value);
	if (value > column->worst)
		column->worst = value;
	printf("\t%.4f", value);
}

static void column_last(const char *name, const struct column *columns, unsigned int count,
			unsigned int rows)
{
	unsigned int i;

	printf("%s", name);
	for (i = 0; i < count; i++)
		printf("\t%.4f", rows ? exp(columns[i].log_sum / rows) : columns[i].worst);
	putchar('\n');
}

/**
 * table_print() - each rule's cost on each named trace
 * @tunables: what the rules are told
 * @seed: of the traces
 * @count: periods in each
 *
 * The costs are ratios: to that of who knows each length beforehand, and in
 * the last columns of each rule to that of the best fixed window.
 *
 * Return: 0, or -1 after a message to stderr.
 */
int table_print(const struct halt_poll_tunables *tunables, u64 seed, u64 count)
{
	struct column columns[2 * RULES_MAX + 1] = { { 0, 0 } };
	const struct halt_poll_policy *policy;
	struct contest contest;
	const char *name;
	unsigned int i, k;

	printf("trace\tbest_fixed");
	for (k = 0; (policy = arm_policy_number(k)); k++)
		printf("\t%s\t%s/best", policy->name, policy->name);
	putchar('\n');

	for (i = 0; (name = generate_name(i)); i++) {
		u64 clairvoyant_ns, best_ns;
		u32 window_ns;

		contest.rules = 0;
		while ((policy = arm_policy_number(contest.rules)))
			arm_open(&contest.arms[contest.rules++], policy, tunables, 0);
		if (hindsight_open(&contest.hindsight, tunables->threshold_ns,
				   halt_poll_price(tunables))) {
			fputs("out of memory\n", stderr);
			return -1;
		}
		generate(name, seed, count, contest_feed, &contest);

		clairvoyant_ns = contest.hindsight.clairvoyant_ns;
		best_ns = hindsight_best_fixed(&contest.hindsight, &window_ns);
		hindsight_close(&contest.hindsight);

		printf("%s", name);
		column_print(&columns[0], ratio(best_ns, clairvoyant_ns));
		for (k = 0; k < contest.rules; k++) {
			u64 cost_ns = arm_cost_ns(&contest.arms[k]);

			column_print(&columns[2 * k + 1], ratio(cost_ns, clairvoyant_ns));
			column_print(&columns[2 * k + 2], ratio(cost_ns, best_ns));
		}
		putchar('\n');
	}

	column_last("mean", columns, 2 * contest.rules + 1, i);
	column_last("worst", columns, 2 * contest.rules + 1, 0);
	return 0;
}

/**
 * table_pairs() - each rule's cost on random pairs of CPUs that wait for each other
 * @tunables: what the rules are told; the price is also what a halt adds
 * @pairs: how many
 * @seed: of chance
 *
 * Return: 0.
 */
int table_pairs(const struct halt_poll_tunables *tunables, unsigned int pairs, u64 seed)
{
	struct column columns[RULES_MAX] = { { 0, 0 } };
	const struct halt_poll_policy *policy;
	struct rng rng = { .state = seed };
	u32 price_ns = halt_poll_price(tunables);
	unsigned int i, k = 0;

	printf("service_a_ns\tservice_b_ns\tjitter");
	for (k = 0; (policy = arm_policy_number(k)); k++)
		printf("\t%s/best", policy->name);
	putchar('\n');

	for (i = 0; i < pairs; i++) {
		struct loop loop = {
			.halt_cost_ns	= price_ns,
			.rounds		= 2000,
			.seed		= seed + i,
		};
		u32 window_ns[2];
		u64 best_ns;

		/* From a sixteenth of the price to four times that. */
		for (k = 0; k < 2; k++) {
			u64 base_ns = ((u64)price_ns << rng_below(&rng, 6)) / 16;

			loop.service_ns[k] = base_ns + rng_below(&rng, base_ns + 1);
		}
		loop.jitter = rng_below(&rng, 51);

		printf("%u\t%u\t%u", loop.service_ns[0], loop.service_ns[1], loop.jitter);
		best_ns = loop_best_fixed(&loop, tunables->threshold_ns, price_ns, window_ns);
		for (k = 0; (policy = arm_policy_number(k)); k++) {
			struct arm arms[2];

			arm_open(&arms[0], policy, tunables, 0);
			arm_open(&arms[1], policy, tunables, 0);
			column_print(&columns[k], ratio(loop_run(&loop, arms), best_ns));
		}
		putchar('\n');
	}
	column_last("mean\t-\t-", columns, k, pairs);
	column_last("worst\t-\t-", columns, k, 0);
	return 0;
}
