// SPDX-License-Identifier: GPL-2.0-only
/*
 * The histograms in debugfs, with bars
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "stat.h"

#define DEBUG_DIR	"/sys/kernel/debug"

/* Of a line that goes to no terminal. */
#define PLAIN_WIDTH	80

/* What stands before the bar. */
#define LABEL_WIDTH	29

static const struct {
	const char	*file;
	const char	*title;
} histograms_info[HISTOGRAMS] = {
	[HISTOGRAM_IDLE] = { "idle_ns_hist", "length of idle periods" },
	[HISTOGRAM_HIT] = { "hit_ns_hist", "time polled in hits" },
	[HISTOGRAM_MISS] = { "miss_ns_hist", "time polled in vain" },
};

static unsigned int bucket_of(u64 ns)
{
	return ns ? 63 - __builtin_clzll(ns) : 0;
}

static void __attribute__((noreturn)) no_histograms(const char *path, int error)
{
	if (error == EACCES || error == EPERM)
		die(STATUS_NOT_PERMITTED, "%s: %s: histograms need root", path, strerror(error));
	if (error == ENOENT)
		die(STATUS_NOT_MOUNTED, "there is no %s: is debugfs mounted on %s" DEBUG_DIR "?",
		    path, stat_root);
	die(STATUS_FAILED, "%s: %s", path, strerror(error));
}

/* Returns 0, or an error number if the file cannot be opened. */
static int add_histogram(const char *cpu, enum histogram histogram, u64 *count)
{
	char path[PATH_SIZE], line[80];
	u64 ns, value;
	FILE *file;

	make_path(path, sizeof(path), DEBUG_DIR "/halt_poll/%s/%s", cpu,
		  histograms_info[histogram].file);
	file = fopen(path, "re");
	if (!file)
		return errno;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llu %llu", &ns, &value) != 2)
			die(STATUS_FAILED, "%s: two numbers are expected, not \"%.*s\"", path,
			    (int)strcspn(line, "\n"), line);
		count[bucket_of(ns)] += value;
	}
	fclose(file);
	return 0;
}

/**
 * read_histograms() - read the histograms of all CPUs
 * @histograms: where to put the sums
 *
 * Does not return where there are none.
 */
void read_histograms(struct histograms *histograms)
{
	char path[PATH_SIZE];
	struct dirent *entry;
	unsigned int i;
	DIR *dir;
	int error;

	memset(histograms, 0, sizeof(*histograms));
	make_path(path, sizeof(path), DEBUG_DIR "/halt_poll");
	dir = opendir(path);
	if (!dir)
		no_histograms(path, errno);
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, "cpu", 3))
			continue;
		for (i = 0; i < HISTOGRAMS; i++) {
			error = add_histogram(entry->d_name, i, histograms->count[i]);
			if (error && error != ENOENT)
				no_histograms(path, error);
		}
	}
	closedir(dir);
}

static void print_bar(FILE *out, u64 count, u64 most, unsigned int width)
{
	unsigned int length = (double)count / most * width + 0.5;

	/* What is there at all shows. */
	if (!length && count)
		length = 1;
	while (length--)
		fputc('#', out);
}

static void print_one(FILE *out, const char *title, const u64 *count, unsigned int width)
{
	unsigned int first = BUCKETS, last = 0, i;
	u64 sum = 0, most = 0;
	char range[32];

	for (i = 0; i < BUCKETS; i++) {
		if (!count[i])
			continue;
		if (first == BUCKETS)
			first = i;
		last = i;
		sum += count[i];
		if (count[i] > most)
			most = count[i];
	}

	fprintf(out, "%s: %llu\n", title, sum);
	for (i = first; sum && i <= last; i++) {
		snprintf(range, sizeof(range), "%s-%s", show_ns(i ? 1ULL << i : 0),
			 show_ns(2ULL << i));
		fprintf(out, "%15s %11llu |", range, count[i]);
		print_bar(out, count[i], most, width);
		fputc('\n', out);
	}
	fputc('\n', out);
}

/**
 * print_histograms() - draw the histograms
 * @out: where to
 * @from: what was counted before, and is taken off
 * @to: the histograms
 */
void print_histograms(FILE *out, const struct histograms *from, const struct histograms *to)
{
	unsigned int width = terminal_width(out), i, bucket;
	u64 count[BUCKETS];

	if (!width)
		width = PLAIN_WIDTH;
	width = width > LABEL_WIDTH + 10 ? width - LABEL_WIDTH : 10;

	for (i = 0; i < HISTOGRAMS; i++) {
		for (bucket = 0; bucket < BUCKETS; bucket++) {
			u64 old = from->count[i][bucket], new = to->count[i][bucket];

			count[bucket] = new > old ? new - old : 0;
		}
		print_one(out, histograms_info[i].title, count, width);
	}
	fflush(out);
}
