// SPDX-License-Identifier: GPL-2.0-only
/*
 * halt-poll-replay - what the policies would have made of a trace
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay.h"

#define VERSION		"1.0"
#define ARMS_MAX	16

static const char usage_text[] =
"Usage: halt-poll-replay [OPTION...] FILE|-\n"
"       halt-poll-replay [OPTION...] --trace NAME\n"
"       halt-poll-replay --generate NAME|list [--seed N] [--count N]\n"
"       halt-poll-replay [OPTION...] --closed-loop NS,NS\n"
"       halt-poll-replay [OPTION...] --pairs N\n"
"       halt-poll-replay [OPTION...] --table\n"
"Feed a trace of idle periods to the policies, and print what it costs.\n"
"\n"
"  -p, --policy NAME       predictive, adaptive, fixed, haltpoll, kvm, or all\n"
"  -t, --threshold NS      kernel.halt_poll_threshold (200000)\n"
"  -c, --cost NS           kernel.halt_poll_cost (0 = the threshold)\n"
"      --timer NS          kernel.halt_poll_timer (0; -1 = the price of a halt)\n"
"      --grow N            kernel.halt_poll_grow\n"
"      --grow-start NS     kernel.halt_poll_grow_start\n"
"      --shrink N          kernel.halt_poll_shrink\n"
"      --halt-cost NS      what a halt adds to the length that is seen (0)\n"
"      --trace NAME        replay a made-up trace\n"
"      --generate NAME     print a made-up trace; \"list\" lists them\n"
"      --closed-loop NS,NS two CPUs that wait for each other, and for so long\n"
"      --jitter PERCENT    by how much the times of --closed-loop vary (0)\n"
"      --pairs N           so many random pairs that wait for each other\n"
"      --table             all made-up traces and policies, as ratios\n"
"      --seed N            of chance (1)\n"
"      --count N           length of made-up traces and of the closed loop (100000)\n"
"  -h, --help              this\n"
"      --version           the version\n"
"\n"
"A line of a trace: IDLE_NS NEXT_TIMER_NS|- timer|other. # starts a comment.\n"
"Status: 0 done, 1 a fault in the trace, 2 wrong usage. See halt-poll-replay(1).\n";

enum option_number {
	OPTION_TIMER = 256,
	OPTION_GROW,
	OPTION_GROW_START,
	OPTION_SHRINK,
	OPTION_HALT_COST,
	OPTION_TRACE,
	OPTION_GENERATE,
	OPTION_CLOSED_LOOP,
	OPTION_JITTER,
	OPTION_PAIRS,
	OPTION_TABLE,
	OPTION_SEED,
	OPTION_COUNT,
	OPTION_VERSION,
};

static const struct option options[] = {
	{ "policy",		required_argument,	NULL, 'p' },
	{ "threshold",		required_argument,	NULL, 't' },
	{ "cost",		required_argument,	NULL, 'c' },
	{ "timer",		required_argument,	NULL, OPTION_TIMER },
	{ "grow",		required_argument,	NULL, OPTION_GROW },
	{ "grow-start",		required_argument,	NULL, OPTION_GROW_START },
	{ "shrink",		required_argument,	NULL, OPTION_SHRINK },
	{ "halt-cost",		required_argument,	NULL, OPTION_HALT_COST },
	{ "trace",		required_argument,	NULL, OPTION_TRACE },
	{ "generate",		required_argument,	NULL, OPTION_GENERATE },
	{ "closed-loop",	required_argument,	NULL, OPTION_CLOSED_LOOP },
	{ "jitter",		required_argument,	NULL, OPTION_JITTER },
	{ "pairs",		required_argument,	NULL, OPTION_PAIRS },
	{ "table",		no_argument,		NULL, OPTION_TABLE },
	{ "seed",		required_argument,	NULL, OPTION_SEED },
	{ "count",		required_argument,	NULL, OPTION_COUNT },
	{ "help",		no_argument,		NULL, 'h' },
	{ "version",		no_argument,		NULL, OPTION_VERSION },
	{ }
};

/**
 * struct request - what the command line asks for
 * @mode: the option that says what to do; 0 = replay @file
 * @tunables: what the policies are told
 * @policy: the only one to run; %NULL = all
 * @name: of the trace
 * @file: to read the trace from
 * @halt_cost_ns: --halt-cost
 * @timer_ns: --timer
 * @loop: the closed loop
 * @pairs: how many
 * @seed: of chance
 * @count: how many periods to make up
 */
struct request {
	int				mode;
	struct halt_poll_tunables	tunables;
	const struct halt_poll_policy	*policy;
	const char			*name;
	const char			*file;
	u32				halt_cost_ns;
	u32				timer_ns;
	struct loop			loop;
	unsigned int			pairs;
	u64				seed;
	u64				count;
};

static void __attribute__((noreturn, format(printf, 1, 2))) wrong(const char *format, ...)
{
	va_list args;

	fputs("halt-poll-replay: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\nTry halt-poll-replay --help.\n", stderr);
	exit(2);
}

static u64 number(const char *option, const char *text, u64 min, u64 max)
{
	u64 value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
		wrong("--%s takes a number from %llu to %llu, not \"%s\"",
		      option, min, max, text);
	return value;
}

static void set_mode(struct request *request, int mode, const char *name)
{
	if (request->mode)
		wrong("only one of --trace, --generate, --closed-loop, --pairs and --table");
	request->mode = mode;
	request->name = name;
}

static void set_services(struct request *request, char *text)
{
	char *comma = strchr(text, ',');

	if (!comma)
		wrong("--closed-loop takes two numbers and a comma, not \"%s\"", text);
	*comma = '\0';
	request->loop.service_ns[0] = number("closed-loop", text, 1, HALT_POLL_MAX_NS);
	request->loop.service_ns[1] = number("closed-loop", comma + 1, 1, HALT_POLL_MAX_NS);
}

static void set_policy(struct request *request, const char *name)
{
	request->policy = NULL;
	if (!strcmp(name, "all"))
		return;
	request->policy = arm_policy(name);
	if (!request->policy)
		wrong("there is no policy \"%s\"", name);
}

static void set_option(struct request *request, int option, const char *name, char *value)
{
	struct halt_poll_tunables *tunables = &request->tunables;

	switch (option) {
	case 'p':
		return set_policy(request, value);
	case 't':
		tunables->threshold_ns = number(name, value, 0, HALT_POLL_MAX_NS);
		return;
	case 'c':
		tunables->cost_ns = number(name, value, 0, HALT_POLL_MAX_NS);
		return;
	case OPTION_TIMER:
		request->timer_ns = !strcmp(value, "-1") ? (u32)HALT_POLL_TIMER_AUTO :
				    number(name, value, 0, HALT_POLL_MAX_NS);
		return;
	case OPTION_GROW:
		tunables->grow = number(name, value, HALT_POLL_GROW_MIN, HALT_POLL_GROW_MAX);
		return;
	case OPTION_GROW_START:
		tunables->grow_start_ns = number(name, value, HALT_POLL_GROW_START_MIN,
						 HALT_POLL_GROW_START_MAX);
		return;
	case OPTION_SHRINK:
		tunables->shrink = number(name, value, HALT_POLL_SHRINK_MIN,
					  HALT_POLL_SHRINK_MAX);
		return;
	case OPTION_HALT_COST:
		request->halt_cost_ns = number(name, value, 0, HALT_POLL_MAX_NS);
		return;
	case OPTION_JITTER:
		request->loop.jitter = number(name, value, 0, 100);
		return;
	case OPTION_SEED:
		request->seed = number(name, value, 0, U64_MAX);
		return;
	case OPTION_COUNT:
		/* So that no sum of a second each overflows. */
		request->count = number(name, value, 1, 1000000000);
		return;
	case OPTION_CLOSED_LOOP:
		set_mode(request, option, NULL);
		return set_services(request, value);
	case OPTION_PAIRS:
		set_mode(request, option, NULL);
		request->pairs = number(name, value, 1, 100000);
		return;
	case OPTION_TRACE:
	case OPTION_GENERATE:
	case OPTION_TABLE:
		return set_mode(request, option, value);
	}
}

static void parse(struct request *request, int argc, char **argv)
{
	int option, index;

	for (;;) {
		const char *name = NULL;

		index = -1;
		option = getopt_long(argc, argv, "p:t:c:h", options, &index);
		if (option < 0)
			break;
		switch (option) {
		case 'h':
			fputs(usage_text, stdout);
			exit(0);
		case OPTION_VERSION:
			puts("halt-poll-replay " VERSION);
			exit(0);
		case '?':
			fputs("Try halt-poll-replay --help.\n", stderr);
			exit(2);
		}
		for (index = 0; options[index].name; index++) {
			if (options[index].val == option)
				name = options[index].name;
		}
		set_option(request, option, name, optarg);
	}

	if (request->mode && optind < argc)
		wrong("%s: no file is read with this option", argv[optind]);
	if (!request->mode && optind != argc - 1)
		wrong("one trace is needed, a file or - for the standard input");
	request->file = argv[optind];
}

/**
 * struct replay - some policies at work on one trace
 * @hindsight: what could have been had
 * @arms: the policies
 * @count: how many
 */
struct replay {
	struct hindsight	hindsight;
	struct arm		arms[ARMS_MAX];
	unsigned int		count;
};

static void replay_feed(void *context, const struct period *periods, size_t count)
{
	struct replay *replay = context;
	unsigned int k;

	hindsight_feed(&replay->hindsight, periods, count);
	for (k = 0; k < replay->count; k++)
		arm_feed(&replay->arms[k], periods, count);
}

static void replay_print(const struct replay *replay)
{
	u32 window_ns;
	u64 best_ns = hindsight_best_fixed(&replay->hindsight, &window_ns);
	unsigned int k;

	puts("policy\tidles\thits\tburned_ns\tidle_ns\tmissed\tcost_ns\tclairvoyant_ns\t"
	     "best_fixed_ns\tbest_fixed_window_ns");
	for (k = 0; k < replay->count; k++) {
		const struct arm *arm = &replay->arms[k];

		printf("%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%u\n",
		       arm->policy->name, arm->idles, arm->hits, arm->burned_ns, arm->idle_ns,
		       arm_halts(arm), arm_cost_ns(arm),
		       replay->hindsight.clairvoyant_ns, best_ns, window_ns);
	}
}

static int read_trace(const struct request *request, struct replay *replay)
{
	const char *name = request->file;
	int fd = 0, ret;

	if (!strcmp(name, "-")) {
		name = "<stdin>";
	} else {
		fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			fprintf(stderr, "%s: %s\n", name, strerror(errno));
			return -1;
		}
	}
	ret = trace_read(fd, name, replay_feed, replay);
	if (fd)
		close(fd);
	if (!ret && !replay->hindsight.idles) {
		fprintf(stderr, "%s: there is no idle period in it\n", name);
		ret = -1;
	}
	return ret;
}

static int no_trace(const char *name)
{
	fprintf(stderr, "halt-poll-replay: there is no trace \"%s\", see --generate list\n", name);
	return 2;
}

static int do_replay(const struct request *request)
{
	const struct halt_poll_policy *policy;
	struct replay replay = { .count = 0 };
	unsigned int i;
	int status = 0;

	for (i = 0; (policy = arm_policy_number(i)); i++) {
		struct arm *arm = &replay.arms[replay.count];

		if (request->policy && request->policy != policy)
			continue;
		arm_open(arm, policy, &request->tunables, request->halt_cost_ns);
		arm->timer_ns = halt_poll_timer_reach(&arm->tunables, request->timer_ns);
		replay.count++;
	}
	if (hindsight_open(&replay.hindsight, request->tunables.threshold_ns,
			   halt_poll_price(&request->tunables))) {
		fputs("halt-poll-replay: out of memory\n", stderr);
		return 1;
	}

	if (request->mode != OPTION_TRACE)
		status = read_trace(request, &replay) ? 1 : 0;
	else if (generate(request->name, request->seed, request->count, replay_feed, &replay))
		status = no_trace(request->name);

	if (!status)
		replay_print(&replay);
	hindsight_close(&replay.hindsight);
	return status;
}

static void print_feed(void *context, const struct period *periods, size_t count)
{
	size_t i;

	(void)context;
	for (i = 0; i < count; i++) {
		const struct period *period = &periods[i];

		if (period->next_timer_ns == HALT_POLL_NO_TIMER)
			printf("%llu -", period->idle_ns);
		else
			printf("%llu %llu", period->idle_ns, period->next_timer_ns);
		puts(period->own_timer ? " timer" : " other");
	}
}

static int do_generate(const struct request *request)
{
	const char *name;
	unsigned int i;

	if (!strcmp(request->name, "list")) {
		for (i = 0; (name = generate_name(i)); i++)
			printf("%s\t%s\n", name, generate_what(i));
		return 0;
	}
	return generate(request->name, request->seed, request->count, print_feed, NULL) ?
	       no_trace(request->name) : 0;
}

static int do_loop(const struct request *request)
{
	const struct halt_poll_tunables *tunables = &request->tunables;
	const struct halt_poll_policy *policy;
	struct loop loop = request->loop;
	u32 window_ns[2];
	unsigned int i;
	u64 best_ns;

	loop.halt_cost_ns = request->halt_cost_ns;
	loop.rounds = request->count;
	loop.seed = request->seed;
	best_ns = loop_best_fixed(&loop, tunables->threshold_ns, halt_poll_price(tunables),
				  window_ns);

	puts("policy\tidles\thits\tburned_ns\tidle_ns\tmissed\tcost_ns\t"
	     "best_fixed_ns\tbest_fixed_window_a_ns\tbest_fixed_window_b_ns");
	for (i = 0; (policy = arm_policy_number(i)); i++) {
		struct arm arms[2];
		u64 cost_ns, idles, hits;

		if (request->policy && request->policy != policy)
			continue;
		arm_open(&arms[0], policy, tunables, 0);
		arm_open(&arms[1], policy, tunables, 0);
		cost_ns = loop_run(&loop, arms);
		idles = arms[0].idles + arms[1].idles;
		hits = arms[0].hits + arms[1].hits;
		printf("%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%u\t%u\n", policy->name,
		       idles, hits, arms[0].burned_ns + arms[1].burned_ns,
		       arms[0].idle_ns + arms[1].idle_ns, idles - hits, cost_ns, best_ns,
		       window_ns[0], window_ns[1]);
	}
	return 0;
}

static int run(const struct request *request)
{
	switch (request->mode) {
	case OPTION_GENERATE:
		return do_generate(request);
	case OPTION_CLOSED_LOOP:
		return do_loop(request);
	case OPTION_PAIRS:
		return table_pairs(&request->tunables, request->pairs, request->seed);
	case OPTION_TABLE:
		return table_print(&request->tunables, request->seed, request->count) ? 1 : 0;
	default:
		return do_replay(request);
	}
}

int main(int argc, char **argv)
{
	struct request request = {
		.tunables = {
			.threshold_ns	= 200000,
			.grow		= HALT_POLL_GROW_DEFAULT,
			.grow_start_ns	= HALT_POLL_GROW_START_DEFAULT,
			.shrink		= HALT_POLL_SHRINK_DEFAULT,
		},
		.seed	= GENERATE_SEED,
		.count	= GENERATE_COUNT,
	};
	int status;

	parse(&request, argc, argv);
	status = run(&request);
	if (fflush(stdout) || ferror(stdout)) {
		perror("halt-poll-replay");
		status = 1;
	}
	return status;
}
