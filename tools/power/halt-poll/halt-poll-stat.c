// SPDX-License-Identifier: GPL-2.0-only
/*
 * halt-poll-stat - what the CPUs of this guest poll for, and what they get
 */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat.h"

#define VERSION			"1.0"
#define INTERVAL_NS		NSEC_PER_SEC
#define ADVISE_NS		(10 * NSEC_PER_SEC)

/* What the guide says to take if in doubt. */
#define PRICE_NS		200000
#define PRICE_MAX_NS		1000000000

static const char usage_text[] =
"Usage: halt-poll-stat [OPTION...]\n"
"       halt-poll-stat [OPTION...] [--] COMMAND [ARGUMENT...]\n"
"       halt-poll-stat --advise [SECONDS] [--price NS]\n"
"Show what the CPUs of this guest poll for before they halt: once a second, or\n"
"for the time that a command runs.\n"
"\n"
"  -i, --interval SECONDS  time between two outputs (1)\n"
"  -n, --count N           stop after so many\n"
"  -j, --json              a line of JSON for each\n"
"  -P, --prometheus        all counters, for the textfile collector\n"
"  -H, --histogram         how long idle periods and polls are; needs root\n"
"  -o, --output FILE       write to FILE, which is never seen half written\n"
"  -A, --advise[=SECONDS]  watch for so long (10), or while the command runs, and\n"
"                          say which setting would suit; needs root\n"
"      --price NS          for --advise: CPU time worth burning to avoid a halt\n"
"                          (kernel.halt_poll_cost, or 200000 where that is 0)\n"
"      --root DIR          take DIR/sys and DIR/proc, for tests\n"
"  -h, --help              this\n"
"      --version           the version\n"
"\n"
"Status: 0 done, 1 failed, 2 wrong usage, 3 no halt polling in this kernel,\n"
"4 a file system is not mounted, 5 needs more rights, 6 too little seen; that of\n"
"the command, if one was run. See halt-poll-stat(1).\n";

enum option_number {
	OPTION_PRICE = 256,
	OPTION_ROOT,
	OPTION_VERSION,
};

static const struct option options[] = {
	{ "interval",	required_argument,	NULL, 'i' },
	{ "count",	required_argument,	NULL, 'n' },
	{ "json",	no_argument,		NULL, 'j' },
	{ "prometheus",	no_argument,		NULL, 'P' },
	{ "histogram",	no_argument,		NULL, 'H' },
	{ "output",	required_argument,	NULL, 'o' },
	{ "advise",	optional_argument,	NULL, 'A' },
	{ "price",	required_argument,	NULL, OPTION_PRICE },
	{ "root",	required_argument,	NULL, OPTION_ROOT },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, OPTION_VERSION },
	{ }
};

/**
 * struct request - what the command line asks for
 * @mode: 'j', 'P', 'H' or 'A'; 0 = the table
 * @repeat: -i or -n was given
 * @interval_ns: -i
 * @count: -n; 0 = for ever
 * @output: -o
 * @advise_ns: how long to watch; 0 = not given
 * @price_ns: --price; 0 = not given
 * @command: the command; %NULL = none
 */
struct request {
	int		mode;
	bool		repeat;
	u64		interval_ns;
	u64		count;
	const char	*output;
	u64		advise_ns;
	u32		price_ns;
	char		**command;
};

static u64 number(const char *option, const char *text, u64 max)
{
	u64 value;

	if (!parse_u64(text, &value) || !value || value > max)
		die(STATUS_USAGE, "%s takes a number from 1 to %llu, not \"%s\"",
		    option, max, text);
	return value;
}

static void set_mode(struct request *request, int mode)
{
	if (request->mode && request->mode != mode)
		die(STATUS_USAGE, "only one of --json, --prometheus, --histogram and --advise");
	request->mode = mode;
}

/* An argument that may be missing may also stand apart: no command is a number. */
static const char *advise_time(char **argv)
{
	const char *next = argv[optind];

	if (optarg)
		return optarg;
	if (!next || !*next || strspn(next, "0123456789.") != strlen(next))
		return NULL;
	optind++;
	return next;
}

static void set_option(struct request *request, int option, char **argv)
{
	const char *seconds;

	switch (option) {
	case 'i':
		request->repeat = true;
		request->interval_ns = parse_seconds("--interval", optarg);
		return;
	case 'n':
		request->repeat = true;
		request->count = number("--count", optarg, 1000000000);
		return;
	case 'j':
	case 'P':
	case 'H':
		return set_mode(request, option);
	case 'A':
		set_mode(request, option);
		seconds = advise_time(argv);
		if (seconds)
			request->advise_ns = parse_seconds("--advise", seconds);
		return;
	case 'o':
		request->output = optarg;
		return;
	case OPTION_PRICE:
		request->price_ns = number("--price", optarg, PRICE_MAX_NS);
		return;
	case OPTION_ROOT:
		stat_root = optarg;
		return;
	case 'h':
		fputs(usage_text, stdout);
		exit(fflush(stdout) ? STATUS_FAILED : STATUS_DONE);
	case OPTION_VERSION:
		puts("halt-poll-stat " VERSION);
		exit(fflush(stdout) ? STATUS_FAILED : STATUS_DONE);
	default:
		fputs("Try halt-poll-stat --help.\n", stderr);
		exit(STATUS_USAGE);
	}
}

static void check(const struct request *request)
{
	if (request->command && request->repeat)
		die(STATUS_USAGE, "--interval and --count do not go with a command");
	if (request->command && request->advise_ns)
		die(STATUS_USAGE, "--advise takes a time or a command, not both");
	if (request->mode == 'A' && request->repeat)
		die(STATUS_USAGE, "--interval and --count do not go with --advise");
	if (request->price_ns && request->mode != 'A')
		die(STATUS_USAGE, "--price goes with --advise");
	if (request->output && request->mode != 'P' && request->mode != 'A' &&
	    !request->command)
		die(STATUS_USAGE, "--output goes with --prometheus, --advise or a command");
}

static void parse(struct request *request, int argc, char **argv)
{
	int option;

	/* The options of the command are its own. */
	while ((option = getopt_long(argc, argv, "+i:n:jPHo:A::h", options, NULL)) != -1)
		set_option(request, option, argv);
	if (optind < argc)
		request->command = argv + optind;
	check(request);
}

static void die_by_signal(void)
{
	if (stop_signal && stop_signal != SIGINT) {
		signal(stop_signal, SIG_DFL);
		raise(stop_signal);
		exit(128 + stop_signal);
	}
}

static void swap(struct reading *a, struct reading *b)
{
	struct reading c = *a;

	*a = *b;
	*b = c;
}

/* Once, or every interval: what has been counted since boot. */
static int do_prometheus(const struct request *request)
{
	struct reading reading = { };
	u64 next_ns = now_ns(), done = 0;

	for (;;) {
		FILE *out;

		read_counters(&reading);
		out = output_open(request->output);
		print_prometheus(out, &reading);
		output_close(out, request->output);

		if (++done == request->count || !request->repeat)
			return STATUS_DONE;
		if (!wait_interval(&next_ns, request->interval_ns))
			return STATUS_DONE;
	}
}

/* Since boot, or for each interval. */
static int do_histogram(const struct request *request)
{
	static struct histograms from, to;
	struct reading reading = { };
	u64 next_ns = now_ns(), done = 0;

	/* Says why, where there is no halt polling at all. */
	read_counters(&reading);
	if (!request->repeat) {
		read_histograms(&to);
		print_histograms(stdout, &from, &to);
		return STATUS_DONE;
	}
	read_histograms(&from);
	do {
		if (!wait_interval(&next_ns, request->interval_ns))
			break;
		read_histograms(&to);
		print_histograms(stdout, &from, &to);
		from = to;
	} while (++done != request->count);
	return STATUS_DONE;
}

static int do_intervals(const struct request *request)
{
	struct reading from = { }, to = { };
	struct interval interval = { };
	u64 next_ns, done = 0;

	read_counters(&from);
	next_ns = from.at_ns;
	do {
		if (!wait_interval(&next_ns, request->interval_ns))
			break;
		read_counters(&to);
		subtract(&interval, &from, &to);
		if (request->mode == 'j')
			print_json(stdout, &interval);
		else
			print_table(stdout, &interval);
		if (ferror(stdout))
			die(STATUS_FAILED, "the output cannot be written");
		swap(&from, &to);
	} while (++done != request->count);
	return STATUS_DONE;
}

static int do_command(const struct request *request)
{
	static struct histograms histograms_from, histograms_to;
	struct reading from = { }, to = { };
	struct interval interval = { };
	FILE *out = stderr;
	int status;

	read_counters(&from);
	if (request->mode == 'H')
		read_histograms(&histograms_from);

	status = run_command(request->command);

	read_counters(&to);
	subtract(&interval, &from, &to);
	if (request->output)
		out = output_open(request->output);
	switch (request->mode) {
	case 'j':
		print_json(out, &interval);
		break;
	case 'P':
		print_prometheus(out, &to);
		break;
	case 'H':
		read_histograms(&histograms_to);
		print_histograms(out, &histograms_from, &histograms_to);
		break;
	default:
		print_run(out, &interval, request->command);
	}
	if (request->output)
		output_close(out, request->output);
	return status;
}

static int do_advise(const struct request *request)
{
	struct reading reading = { };
	struct seen *seen;
	unsigned int cpus;
	u32 price_ns = request->price_ns;
	int status = STATUS_DONE, advised;
	FILE *out;

	read_counters(&reading);
	if (!price_ns)
		price_ns = reading.settings.value[SETTING_COST];
	if (!price_ns)
		price_ns = PRICE_NS;

	watch_begin(&reading.settings);
	if (request->command)
		status = run_command(request->command);
	else
		wait_until(now_ns() + (request->advise_ns ? request->advise_ns : ADVISE_NS));
	if (stop_signal && stop_signal != SIGINT) {
		watch_undo();
		die_by_signal();
	}
	seen = watch_end(&cpus);
	watch_undo();

	out = output_open(request->output);
	advised = advise(out, seen, cpus, &reading.settings, price_ns);
	if (advised == STATUS_DONE || !request->output)
		output_close(out, request->output);
	return status ? status : advised;
}

int main(int argc, char **argv)
{
	struct request request = { .interval_ns = INTERVAL_NS };
	int status;

	parse(&request, argc, argv);
	catch_signals();

	if (request.mode == 'A')
		status = do_advise(&request);
	else if (request.command)
		status = do_command(&request);
	else if (request.mode == 'P')
		status = do_prometheus(&request);
	else if (request.mode == 'H')
		status = do_histogram(&request);
	else
		status = do_intervals(&request);

	die_by_signal();
	if (fflush(stdout) || ferror(stdout))
		die(STATUS_FAILED, "the output cannot be written");
	return status;
}
