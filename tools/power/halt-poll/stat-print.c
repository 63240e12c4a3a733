// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happened, as a table, JSON or Prometheus text
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stat.h"

/* A terminal gets its header again after so many lines. */
#define LINES_A_HEADER	20

/**
 * struct column - a column of the table
 * @title: its head
 * @width: with a blank in front
 * @needs: the counter that it cannot do without
 * @show: print the cell
 *
 * @show is given the time that the CPUs together have had.
 */
struct column {
	const char	*title;
	int		width;
	enum counter	needs;
	void		(*show)(char *cell, size_t size, const struct cpu_counts *counts,
				double seconds, double cpu_seconds);
};

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void show_rate(char *cell, size_t size, u64 count, double seconds)
{
	double rate = ratio(count, seconds);

	snprintf(cell, size, rate < 9.95 && count ? "%.1f" : "%.0f", rate);
}

static void show_share(char *cell, size_t size, u64 ns, double cpu_seconds)
{
	snprintf(cell, size, "%.2f", 100 * ratio(ns, cpu_seconds * NSEC_PER_SEC));
}

#define RATE(_name, _counter)							\
static void show_##_name(char *cell, size_t size, const struct cpu_counts *counts, \
			 double seconds, double cpu_seconds)			\
{										\
	(void)cpu_seconds;							\
	show_rate(cell, size, counts->count[_counter], seconds);		\
}

#define SHARE(_name, _counter)							\
static void show_##_name(char *cell, size_t size, const struct cpu_counts *counts, \
			 double seconds, double cpu_seconds)			\
{										\
	(void)seconds;								\
	show_share(cell, size, counts->count[_counter], cpu_seconds);		\
}

RATE(idles, COUNTER_IDLES)
RATE(polls, COUNTER_ATTEMPTED)
RATE(halts, COUNTER_HALTS)
RATE(timers, COUNTER_TIMERS)
SHARE(success, COUNTER_SUCCESS_NS)
SHARE(fail, COUNTER_FAIL_NS)
SHARE(stolen, COUNTER_STOLEN_NS)

static void show_hits(char *cell, size_t size, const struct cpu_counts *counts,
		      double seconds, double cpu_seconds)
{
	u64 polls = counts->count[COUNTER_ATTEMPTED];

	(void)seconds;
	(void)cpu_seconds;
	if (polls)
		snprintf(cell, size, "%.1f",
			 100 * ratio(counts->count[COUNTER_SUCCESSFUL], polls));
	else
		snprintf(cell, size, "-");
}

static void show_window(char *cell, size_t size, const struct cpu_counts *counts,
			double seconds, double cpu_seconds)
{
	(void)seconds;
	(void)cpu_seconds;
	snprintf(cell, size, "%s", show_ns(counts->window_ns));
}

static void show_backoffs(char *cell, size_t size, const struct cpu_counts *counts,
			  double seconds, double cpu_seconds)
{
	(void)seconds;
	(void)cpu_seconds;
	snprintf(cell, size, "%llu", counts->count[COUNTER_BACKOFFS]);
}

/* A narrow terminal goes without the last ones. */
static const struct column columns[] = {
	{ "idles/s",	 9, COUNTER_IDLES,	show_idles },
	{ "polls/s",	 9, COUNTER_ATTEMPTED,	show_polls },
	{ "hit%",	 7, COUNTER_SUCCESSFUL,	show_hits },
	{ "window",	 8, COUNTER_ATTEMPTED,	show_window },
	{ "useful%",	 9, COUNTER_SUCCESS_NS,	show_success },
	{ "vain%",	 7, COUNTER_FAIL_NS,	show_fail },
	{ "halts/s",	 9, COUNTER_HALTS,	show_halts },
	{ "timers/s",	 9, COUNTER_TIMERS,	show_timers },
	{ "stolen%",	 8, COUNTER_STOLEN_NS,	show_stolen },
	{ "backoffs",	 9, COUNTER_BACKOFFS,	show_backoffs },
};

#define COLUMNS		(sizeof(columns) / sizeof(*columns))
#define NAME_WIDTH	5

static size_t fitting_columns(unsigned int width)
{
	unsigned int used = NAME_WIDTH;
	size_t i;

	if (!width)
		return COLUMNS;
	for (i = 0; i < COLUMNS; i++) {
		used += columns[i].width;
		if (used > width)
			break;
	}
	return i;
}

static void print_header(FILE *out, size_t count, bool bold)
{
	size_t i;

	fprintf(out, "%s%-*s", bold ? "\033[1m" : "", NAME_WIDTH, "cpu");
	for (i = 0; i < count; i++)
		fprintf(out, "%*s", columns[i].width, columns[i].title);
	fprintf(out, "%s\n", bold ? "\033[0m" : "");
}

static void print_row(FILE *out, size_t count, const char *name,
		      const struct cpu_counts *counts, double seconds, double cpu_seconds)
{
	char cell[32];
	size_t i;

	fprintf(out, "%-*s", NAME_WIDTH, name);
	for (i = 0; i < count; i++) {
		const struct column *column = &columns[i];

		strcpy(cell, "-");
		if (counts->known & 1U << column->needs)
			column->show(cell, sizeof(cell), counts, seconds, cpu_seconds);
		fprintf(out, " %*s", column->width - 1, cell);
	}
	fputc('\n', out);
}

/* In the words of sysctl, and no wider than the terminal. */
static void print_settings(FILE *out, const struct settings *settings, unsigned int width)
{
	unsigned int i, used;
	char word[64];

	used = fprintf(out, "halt_poll: policy=%s", settings->policy);
	for (i = 0; i < SETTINGS; i++) {
		unsigned int length = snprintf(word, sizeof(word), "%s=%lld",
					       setting_infos[i].name, settings->value[i]);

		if (width && used + 1 + length > width)
			used = fprintf(out, "\n          ") - 1;
		used += fprintf(out, " %s", word);
	}
	fputc('\n', out);
	if (!polling_is_on(settings))
		fputs("halt_poll: polling is off, and nothing is counted\n", out);
}

static void print_rows(FILE *out, const struct interval *interval, size_t count)
{
	double seconds = (double)interval->elapsed_ns / NSEC_PER_SEC;
	unsigned int i;
	char name[16];

	for (i = 0; i < interval->cpus; i++) {
		snprintf(name, sizeof(name), "%u", interval->cpu[i].cpu);
		print_row(out, count, name, &interval->cpu[i], seconds, seconds);
	}
	print_row(out, count, "all", &interval->total, seconds, seconds * interval->cpus);
}

/**
 * print_table() - the rows of an interval, with a header where one is due
 * @out: where to
 * @interval: the interval
 */
void print_table(FILE *out, const struct interval *interval)
{
	static struct settings shown;
	static unsigned int lines;
	static size_t count;
	unsigned int width = terminal_width(out);
	size_t fitting = fitting_columns(width);
	bool changed = memcmp(&shown, &interval->settings, sizeof(shown));

	if (changed) {
		print_settings(out, &interval->settings, width);
		shown = interval->settings;
	}
	if (changed || fitting != count || (width && lines >= LINES_A_HEADER)) {
		print_header(out, fitting, width);
		count = fitting;
		lines = 0;
	}
	print_rows(out, interval, count);
	lines += interval->cpus + 1;
	fflush(out);
}

/**
 * print_run() - what happened while a command ran
 * @out: where to
 * @interval: that time
 * @argv: the command
 */
void print_run(FILE *out, const struct interval *interval, char **argv)
{
	unsigned int width = terminal_width(out);
	const struct cpu_counts *total = &interval->total;
	size_t count = fitting_columns(width);

	fprintf(out, "\nHalt polling during %.3f s of",
		(double)interval->elapsed_ns / NSEC_PER_SEC);
	for (; *argv; argv++)
		fprintf(out, " %s", *argv);
	fputs(":\n\n", out);

	print_settings(out, &interval->settings, width);
	print_header(out, count, width);
	print_rows(out, interval, count);

	fputc('\n', out);
	if (total->known & 1U << COUNTER_IDLES)
		fprintf(out, "%llu idle periods, ", total->count[COUNTER_IDLES]);
	fprintf(out, "%llu polled, %llu hit, polled for %s in hits and for %s in vain\n\n",
		total->count[COUNTER_ATTEMPTED], total->count[COUNTER_SUCCESSFUL],
		show_ns(total->count[COUNTER_SUCCESS_NS]), show_ns(total->count[COUNTER_FAIL_NS]));
	fflush(out);
}

/* A string between quotes, for JSON and for a label of Prometheus alike. */
static void print_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		/* No name of a policy has any of these. */
		fputc((unsigned char)*text < 32 ? '?' : *text, out);
	}
	fputc('"', out);
}

static void print_json_counts(FILE *out, const struct cpu_counts *counts, double cpu_ns)
{
	unsigned int i;

	fprintf(out, "\"window_ns\":%llu", counts->window_ns);
	for (i = 0; i < COUNTERS; i++) {
		fprintf(out, ",\"%s\":", counters[i].file);
		if (counts->known & 1U << i)
			fprintf(out, "%llu", counts->count[i]);
		else
			fputs("null", out);
	}
	fputs(",\"hit_percent\":", out);
	if (counts->count[COUNTER_ATTEMPTED])
		fprintf(out, "%.3f", 100 * ratio(counts->count[COUNTER_SUCCESSFUL],
						 counts->count[COUNTER_ATTEMPTED]));
	else
		fputs("null", out);
	fprintf(out, ",\"success_percent\":%.4f,\"fail_percent\":%.4f}",
		100 * ratio(counts->count[COUNTER_SUCCESS_NS], cpu_ns),
		100 * ratio(counts->count[COUNTER_FAIL_NS], cpu_ns));
}

/**
 * print_json() - an interval as one line of JSON
 * @out: where to
 * @interval: the interval
 */
void print_json(FILE *out, const struct interval *interval)
{
	struct timespec now;
	unsigned int i;

	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(out, "{\"time\":%lld.%03ld,\"elapsed_ns\":%llu,\"settings\":{\"policy\":",
		(long long)now.tv_sec, now.tv_nsec / 1000000, interval->elapsed_ns);
	print_string(out, interval->settings.policy);
	for (i = 0; i < SETTINGS; i++)
		fprintf(out, ",\"%s\":%lld", setting_infos[i].name, interval->settings.value[i]);
	fputs("},\"cpus\":[", out);
	for (i = 0; i < interval->cpus; i++) {
		fprintf(out, "%s{\"cpu\":%u,", i ? "," : "", interval->cpu[i].cpu);
		print_json_counts(out, &interval->cpu[i], interval->elapsed_ns);
	}
	fputs("],\"total\":{", out);
	print_json_counts(out, &interval->total, (double)interval->elapsed_ns * interval->cpus);
	fputs("}\n", out);
	fflush(out);
}

static void print_value(FILE *out, u64 value, bool ns)
{
	if (ns)
		fprintf(out, " %llu.%09llu\n", value / NSEC_PER_SEC, value % NSEC_PER_SEC);
	else
		fprintf(out, " %llu\n", value);
}

static void print_family(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A CPU that lacks a counter has no line, and a family without lines no head. */
static void print_counter(FILE *out, const struct reading *reading, unsigned int counter)
{
	const struct counter_info *info = &counters[counter];
	bool begun = false;
	unsigned int i;
	char name[64];

	snprintf(name, sizeof(name), "halt_poll_%s%s_total", info->metric,
		 info->ns ? "_seconds" : "");
	for (i = 0; i < reading->cpus; i++) {
		const struct cpu_counts *cpu = &reading->cpu[i];

		if (!(cpu->known & 1U << counter))
			continue;
		if (!begun)
			print_family(out, name, "counter", info->help);
		begun = true;
		fprintf(out, "%s{cpu=\"%u\"}", name, cpu->cpu);
		print_value(out, cpu->count[counter], info->ns);
	}
}

/**
 * print_prometheus() - the counters in the format of node_exporter's textfiles
 * @out: where to
 * @reading: the counters
 */
void print_prometheus(FILE *out, const struct reading *reading)
{
	unsigned int i;
	char name[64];

	for (i = 0; i < COUNTERS; i++)
		print_counter(out, reading, i);

	print_family(out, "halt_poll_window_seconds", "gauge", "How long the CPU may poll.");
	for (i = 0; i < reading->cpus; i++) {
		fprintf(out, "halt_poll_window_seconds{cpu=\"%u\"}", reading->cpu[i].cpu);
		print_value(out, reading->cpu[i].window_ns, true);
	}

	for (i = 0; i < SETTINGS; i++) {
		const struct setting_info *info = &setting_infos[i];

		snprintf(name, sizeof(name), "halt_poll_%s%s", info->name,
			 info->ns ? "_seconds" : "");
		print_family(out, name, "gauge", info->help);
		fputs(name, out);
		if (reading->settings.value[i] < 0)
			fprintf(out, " %lld\n", reading->settings.value[i]);
		else
			print_value(out, reading->settings.value[i], info->ns);
	}

	print_family(out, "halt_poll_policy_info", "gauge", "The policy, always 1.");
	fputs("halt_poll_policy_info{policy=", out);
	print_string(out, reading->settings.policy);
	fputs("} 1\n", out);
	fflush(out);
}
