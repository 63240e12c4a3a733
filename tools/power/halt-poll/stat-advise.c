// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which setting would have been best for what was seen
 */
#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "stat.h"

/* Idle periods: with fewer there is no advice, with fewer no firm one. */
#define PERIODS_MIN	100
#define PERIODS_FIRM	1000

/*
 * A setting that costs so much more than the cheapest is as good, if it is
 * simpler: for not polling at all, and for all others, in percent.
 */
#define SLACK_OFF	5
#define SLACK		2

/* The rest of the table, beside what is in force and not polling at all. */
#define CANDIDATES_SHOWN	8

/*
 * Beside the price itself, which comes first: to have both the same is simplest.
 * Of others the longest: in a trace of CPUs that wait for each other no wait is
 * longer than those in it, but one that was disturbed will be, and if it is
 * beyond the threshold both are back to halting.
 */
static const u32 thresholds_ns[] = { 1000000, 500000, 200000, 100000, 50000, 20000 };
static const u32 timers_ns[] = { HALT_POLL_TIMER_AUTO, 0, 200000, 500000 };

#define POLICIES_MAX	8
#define THRESHOLDS	(1 + sizeof(thresholds_ns) / sizeof(*thresholds_ns))
#define CANDIDATES_MAX	(2 + POLICIES_MAX * THRESHOLDS * (sizeof(timers_ns) / sizeof(*timers_ns)))

/**
 * struct candidate - a setting, and what it would have done
 * @policy: the policy; %NULL = no polling
 * @tunables: what the policy is told
 * @timer_ns: how near a timer is polled for, or %HALT_POLL_TIMER_AUTO
 * @in_force: it is the one in force
 * @hits: idle periods that would have ended in the poll
 * @burned_ns: time that would have been polled
 * @burned: the same, as a share of the time of all CPUs
 * @cost_ns: the time polled, and the price of each halt
 * @half_ns: of that, what the first half of the idle periods has cost
 */
struct candidate {
	const struct halt_poll_policy	*policy;
	struct halt_poll_tunables	tunables;
	u32				timer_ns;
	bool				in_force;
	u64				hits;
	u64				burned_ns;
	double				burned;
	u64				cost_ns;
	u64				half_ns;
};

/* Each CPU has a state of its own. */
static void replay(struct candidate *candidate, const struct seen *seen, unsigned int cpus,
		   u32 price_ns)
{
	u64 span_ns = 0;
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		size_t half = seen[i].periods / 2;
		struct arm arm;

		span_ns += seen[i].span_ns;
		if (!candidate->policy) {
			candidate->cost_ns += (u64)seen[i].periods * price_ns;
			candidate->half_ns += (u64)half * price_ns;
			continue;
		}
		arm_open(&arm, candidate->policy, &candidate->tunables, 0);
		arm.price_ns = price_ns;
		arm.timer_ns = halt_poll_timer_reach(&arm.tunables, candidate->timer_ns);
		arm_feed(&arm, seen[i].period, half);
		candidate->half_ns += arm_cost_ns(&arm);
		arm_feed(&arm, seen[i].period + half, seen[i].periods - half);
		candidate->cost_ns += arm_cost_ns(&arm);
		candidate->hits += arm.hits;
		candidate->burned_ns += arm.burned_ns;
	}
	candidate->burned = span_ns ? (double)candidate->burned_ns / span_ns : 0;
}

static bool same_setting(const struct candidate *a, const struct candidate *b)
{
	return a->policy == b->policy && a->timer_ns == b->timer_ns &&
	       a->tunables.threshold_ns == b->tunables.threshold_ns &&
	       halt_poll_price(&a->tunables) == halt_poll_price(&b->tunables);
}

/* What is in force, as a candidate like the others. */
static struct candidate in_force(const struct settings *settings)
{
	struct candidate candidate = {
		.policy		= arm_policy(settings->policy),
		.in_force	= true,
		.timer_ns	= settings->value[SETTING_TIMER],
		.tunables	= {
			.threshold_ns	= settings->value[SETTING_THRESHOLD],
			.cost_ns	= settings->value[SETTING_COST],
			.grow		= settings->value[SETTING_GROW],
			.grow_start_ns	= settings->value[SETTING_GROW_START],
			.shrink		= settings->value[SETTING_SHRINK],
		},
	};

	if (!polling_is_on(settings))
		candidate.policy = NULL;
	return candidate;
}

/* Returns 0 where the number is that of the price, once more. */
static u32 threshold_ns(size_t number, u32 price_ns)
{
	u32 ns = number ? thresholds_ns[number - 1] : price_ns;

	if (number && ns == price_ns)
		return 0;
	return ns < HALT_POLL_MAX_NS ? ns : HALT_POLL_MAX_NS;
}

/* The simplest first: no polling, then the default policy, with the default timer. */
static unsigned int make_candidates(struct candidate *candidates,
				    const struct settings *settings, u32 price_ns)
{
	struct candidate now = in_force(settings);
	unsigned int policy, count = 0;
	size_t threshold, timer;

	candidates[count++] = (struct candidate) { .in_force = !now.policy };
	for (policy = 0; policy < POLICIES_MAX && halt_poll_policies[policy]; policy++) {
		for (timer = 0; timer < sizeof(timers_ns) / sizeof(*timers_ns); timer++) {
			for (threshold = 0; threshold < THRESHOLDS; threshold++) {
				struct candidate *candidate = &candidates[count];
				u32 ns = threshold_ns(threshold, price_ns);

				if (!ns)
					continue;
				count++;
				*candidate = now;
				candidate->policy = halt_poll_policies[policy];
				candidate->timer_ns = timers_ns[timer];
				candidate->tunables.threshold_ns = ns;
				candidate->tunables.cost_ns = price_ns == ns ? 0 : price_ns;
				candidate->in_force = same_setting(candidate, &now);
				if (candidate->in_force)
					now.policy = NULL;
			}
		}
	}
	if (now.policy)
		candidates[count++] = now;
	return count;
}

static u64 with_slack(u64 cost_ns, unsigned int percent)
{
	return cost_ns + cost_ns / 100 * percent;
}

/* The simplest of those that cost next to the least. */
static const struct candidate *choose(const struct candidate *candidates, unsigned int count)
{
	u64 least_ns = U64_MAX;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (candidates[i].cost_ns < least_ns)
			least_ns = candidates[i].cost_ns;
	}
	for (i = 0; i < count; i++) {
		u64 cost_ns = candidates[i].cost_ns;

		if (cost_ns <= with_slack(least_ns, candidates[i].policy ? SLACK : SLACK_OFF))
			break;
	}
	return &candidates[i];
}

/*
 * Would the first half of what was seen have led to a setting that is dear in
 * the second?
 */
static bool halves_differ(const struct candidate *candidates, unsigned int count)
{
	const struct candidate *first = candidates;
	u64 least_ns = U64_MAX;
	unsigned int i;

	for (i = 0; i < count; i++) {
		u64 rest_ns = candidates[i].cost_ns - candidates[i].half_ns;

		if (candidates[i].half_ns < first->half_ns)
			first = &candidates[i];
		if (rest_ns < least_ns)
			least_ns = rest_ns;
	}
	return first->cost_ns - first->half_ns > with_slack(least_ns, 10);
}

static int by_cost(const void *a, const void *b)
{
	const struct candidate *const *one = a, *const *other = b;

	if ((*one)->cost_ns != (*other)->cost_ns)
		return (*one)->cost_ns < (*other)->cost_ns ? -1 : 1;
	return *one < *other ? -1 : *one > *other;
}

static const char *show_timer(u32 timer_ns)
{
	return timer_ns == (u32)HALT_POLL_TIMER_AUTO ? "auto" : show_ns(timer_ns);
}

static void print_candidate(FILE *out, const struct candidate *candidate,
			    const struct candidate *best, u64 periods, u64 off_ns)
{
	fprintf(out, "%c%c%-11s %9s %9s %7.1f %8.2f %8.1f\n",
		candidate == best ? '>' : ' ', candidate->in_force ? '*' : ' ',
		candidate->policy ? candidate->policy->name : "off",
		show_ns(candidate->policy ? candidate->tunables.threshold_ns : 0),
		show_timer(candidate->policy ? candidate->timer_ns : 0),
		100.0 * candidate->hits / periods, 100 * candidate->burned,
		100.0 * candidate->cost_ns / off_ns);
}

static void print_candidates(FILE *out, const struct candidate *candidates, unsigned int count,
			     const struct candidate *best, u64 periods, u64 off_ns)
{
	const struct candidate *sorted[CANDIDATES_MAX];
	unsigned int i, shown = 0;

	for (i = 0; i < count; i++)
		sorted[i] = &candidates[i];
	qsort(sorted, count, sizeof(*sorted), by_cost);

	fprintf(out, "\n  %-11s %9s %9s %7s %8s %8s\n",
		"policy", "threshold", "timer", "hit%", "burned%", "cost%");
	for (i = 0; i < count; i++) {
		bool fits = shown < CANDIDATES_SHOWN;

		if (!fits && sorted[i] != best && sorted[i]->policy && !sorted[i]->in_force)
			continue;
		print_candidate(out, sorted[i], best, periods, off_ns);
		shown++;
	}
	fputs("\n> the advice, * in force. burned%: of the CPUs' time. cost%: burned time and\n"
	      "the price of each halt, where not to poll at all is 100.\n", out);
}

static void print_lines(FILE *out, const struct candidate *best)
{
	fputs("\nTo have it:\n\n", out);
	if (!best->policy) {
		fputs("sysctl -w kernel.halt_poll_threshold=0\n"
		      "sysctl -w kernel.halt_poll_timer=-1\n", out);
		return;
	}
	fprintf(out, "sysctl -w kernel.halt_poll_policy=%s\n"
		"sysctl -w kernel.halt_poll_cost=%u\n"
		"sysctl -w kernel.halt_poll_timer=%d\n"
		"sysctl -w kernel.halt_poll_threshold=%u\n",
		best->policy->name, best->tunables.cost_ns, (s32)best->timer_ns,
		best->tunables.threshold_ns);
}

static u64 count_up_to(const struct seen *seen, unsigned int cpus, u64 ns)
{
	unsigned int i, j;
	u64 count = 0;

	for (i = 0; i < cpus; i++) {
		for (j = 0; j < seen[i].periods; j++)
			count += seen[i].period[j].idle_ns <= ns;
	}
	return count;
}

static void print_seen(FILE *out, const struct seen *seen, unsigned int cpus, u64 periods,
		       u32 price_ns)
{
	static const u64 lengths_ns[] = { 20000, 50000, 200000, 1000000, 10000000 };
	u64 longest_ns = 0, lost = 0;
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		if (seen[i].span_ns > longest_ns)
			longest_ns = seen[i].span_ns;
		lost += seen[i].lost;
	}
	fprintf(out, "Seen in %.1f s: %llu idle periods.", (double)longest_ns / NSEC_PER_SEC,
		periods);
	fputs(" Up to", out);
	for (i = 0; i < sizeof(lengths_ns) / sizeof(*lengths_ns); i++)
		fprintf(out, "%s %s: %.1f %%", i ? "," : "", show_ns(lengths_ns[i]),
			100.0 * count_up_to(seen, cpus, lengths_ns[i]) / periods);
	fprintf(out, ".\nA halt is priced at %s of CPU time (--price).\n", show_ns(price_ns));
	if (lost)
		fprintf(out, "%llu more idle periods found no room: this is about the first "
			"part of the time only.\n", lost);
}

static void print_doubts(FILE *out, const struct candidate *candidates, unsigned int count,
			 u64 periods, const struct settings *settings)
{
	if (periods < PERIODS_FIRM)
		fprintf(out, "\nThese were few idle periods. Take it as a hint, and watch for "
			"longer, or while there is work.\n");
	if (halves_differ(candidates, count))
		fprintf(out, "\nThe first half and the second call for different settings: the "
			"load has changed. Watch for longer.\n");
	if (!settings->value[SETTING_THRESHOLD])
		fprintf(out, "\nThis was seen without polling. Waits of CPUs for each other get "
			"shorter with it, so watch again when it is on.\n");
}

/**
 * advise() - say which setting would have been best
 * @out: where to
 * @seen: the idle periods
 * @cpus: of how many CPUs
 * @settings: the tunables in force
 * @price_ns: of a halt
 *
 * Return: an exit status.
 */
int advise(FILE *out, const struct seen *seen, unsigned int cpus,
	   const struct settings *settings, u32 price_ns)
{
	struct candidate candidates[CANDIDATES_MAX];
	const struct candidate *best;
	unsigned int i, count;
	u64 periods = 0;

	for (i = 0; i < cpus; i++)
		periods += seen[i].periods;
	if (periods < PERIODS_MIN) {
		say("only %llu idle periods were seen, too few for advice (%u are needed): "
		    "watch for longer, or while there is work", periods, PERIODS_MIN);
		return STATUS_TOO_LITTLE;
	}

	count = make_candidates(candidates, settings, price_ns);
	for (i = 0; i < count; i++)
		replay(&candidates[i], seen, cpus, price_ns);
	best = choose(candidates, count);

	print_seen(out, seen, cpus, periods, price_ns);
	print_candidates(out, candidates, count, best, periods, candidates[0].cost_ns);
	print_doubts(out, candidates, count, periods, settings);
	print_lines(out, best);
	fflush(out);
	return STATUS_DONE;
}
