/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of halt-poll-stat share
 */
#ifndef _HALT_POLL_STAT_H
#define _HALT_POLL_STAT_H

#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#define NSEC_PER_SEC	1000000000ULL

/* The kernel's headers here hide the C library's PATH_MAX. */
#define PATH_SIZE	4096

/**
 * enum stat_status - exit statuses, as the man page has them
 * @STATUS_DONE: all is well
 * @STATUS_FAILED: something went wrong on the way
 * @STATUS_USAGE: wrong usage
 * @STATUS_NO_FEATURE: this kernel does not know halt polling
 * @STATUS_NOT_MOUNTED: a file system that is needed is not mounted
 * @STATUS_NOT_PERMITTED: more rights are needed
 * @STATUS_TOO_LITTLE: too little was seen to advise on it
 */
enum stat_status {
	STATUS_DONE,
	STATUS_FAILED,
	STATUS_USAGE,
	STATUS_NO_FEATURE,
	STATUS_NOT_MOUNTED,
	STATUS_NOT_PERMITTED,
	STATUS_TOO_LITTLE,
};

/* stat-util.c */
extern const char *stat_root;

/**
 * struct kept_file - a file that is open from one reading to the next
 * @fd: its descriptor; 0 = none
 */
struct kept_file {
	int	fd;
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void die(int status, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void make_path(char *path, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int read_file(const char *path, char *text, size_t size);
int read_and_keep(struct kept_file *file, const char *path, char *text, size_t size);
bool read_kept(struct kept_file *file, char *text, size_t size);
void close_kept(struct kept_file *file);
int write_file(const char *path, const char *text);
bool parse_u64(const char *text, u64 *value);
u64 parse_seconds(const char *option, const char *text);
u64 now_ns(void);
const char *show_ns(u64 ns);
unsigned int terminal_width(FILE *out);

/* stat-run.c */
extern volatile int stop_signal;

void catch_signals(void);
bool wait_until(u64 at_ns);
bool wait_interval(u64 *next_ns, u64 interval_ns);
int run_command(char **argv);

/* The counters of a CPU that are needed, then those that a kernel may lack. */
enum counter {
	COUNTER_ATTEMPTED,
	COUNTER_SUCCESSFUL,
	COUNTER_SUCCESS_NS,
	COUNTER_FAIL_NS,
	COUNTER_OPTIONAL,
	COUNTER_IDLES = COUNTER_OPTIONAL,
	COUNTER_HALTS,
	COUNTER_TIMERS,
	COUNTER_TIMER_EARLY_NS,
	COUNTER_STOLEN_NS,
	COUNTER_BACKOFFS,
	COUNTERS,
};

/**
 * struct counter_info - what a counter is called
 * @file: in sysfs
 * @metric: in Prometheus, without the suffix
 * @ns: it counts ns
 * @help: what it is
 */
struct counter_info {
	const char	*file;
	const char	*metric;
	bool		ns;
	const char	*help;
};

extern const struct counter_info counters[COUNTERS];

/* The numeric tunables. */
enum setting {
	SETTING_THRESHOLD,
	SETTING_COST,
	SETTING_GROW,
	SETTING_GROW_START,
	SETTING_SHRINK,
	SETTING_TIMER,
	SETTINGS,
};

/**
 * struct setting_info - what a tunable is called
 * @name: after kernel.halt_poll_
 * @ns: it is in ns
 * @help: what it is
 */
struct setting_info {
	const char	*name;
	bool		ns;
	const char	*help;
};

extern const struct setting_info setting_infos[SETTINGS];

/**
 * struct settings - the tunables in force
 * @policy: the name of the policy
 * @value: the others
 */
struct settings {
	char	policy[32];
	s64	value[SETTINGS];
};

bool polling_is_on(const struct settings *settings);

/**
 * struct cpu_counts - the counters of a CPU, or what was added to them
 * @cpu: its number
 * @known: a bit for each counter that there is
 * @window_ns: the window
 * @count: the counters
 */
struct cpu_counts {
	unsigned int	cpu;
	unsigned int	known;
	u64		window_ns;
	u64		count[COUNTERS];
};

/**
 * struct reading - all counters at one time
 * @at_ns: when, on the monotonic clock
 * @settings: the tunables
 * @cpus: how many CPUs there are
 * @room: for how many @cpu has room
 * @cpu: the CPUs, in the order of their numbers
 */
struct reading {
	u64			at_ns;
	struct settings		settings;
	unsigned int		cpus;
	unsigned int		room;
	struct cpu_counts	*cpu;
};

/**
 * struct interval - what happened between two readings
 * @elapsed_ns: the time between them
 * @settings: the tunables at its end
 * @cpus: how many CPUs were there at both ends
 * @room: for how many @cpu has room
 * @cpu: the CPUs
 * @total: the sum over them; its window is the largest
 */
struct interval {
	u64			elapsed_ns;
	struct settings		settings;
	unsigned int		cpus;
	unsigned int		room;
	struct cpu_counts	*cpu;
	struct cpu_counts	total;
};

/* stat-read.c */
void read_settings(struct settings *settings);
void read_counters(struct reading *reading);
void subtract(struct interval *interval, const struct reading *from, const struct reading *to);
void sum_up(const struct cpu_counts *cpu, unsigned int cpus, struct cpu_counts *total);
void *make_room(void *array, unsigned int *room, unsigned int needed, size_t size);

/* stat-print.c */
void print_table(FILE *out, const struct interval *interval);
void print_run(FILE *out, const struct interval *interval, char **argv);
void print_json(FILE *out, const struct interval *interval);
void print_prometheus(FILE *out, const struct reading *reading);

/* stat-output.c */
FILE *output_open(const char *name);
void output_close(FILE *out, const char *name);

/* stat-histogram.c */

#define BUCKETS	64

/* The histograms in debugfs. */
enum histogram {
	HISTOGRAM_IDLE,
	HISTOGRAM_HIT,
	HISTOGRAM_MISS,
	HISTOGRAMS,
};

/**
 * struct histograms - the sums of those of all CPUs
 * @count: for each, how many were of 2^bucket ns and more
 */
struct histograms {
	u64	count[HISTOGRAMS][BUCKETS];
};

void read_histograms(struct histograms *histograms);
void print_histograms(FILE *out, const struct histograms *from, const struct histograms *to);

struct period;

/**
 * struct seen - the idle periods that a CPU was seen to have
 * @cpu: its number
 * @lost: so many more were not recorded
 * @span_ns: the time that they are from
 * @periods: how many there are
 * @room: for how many @period has room
 * @period: the idle periods
 */
struct seen {
	unsigned int	cpu;
	u64		lost;
	u64		span_ns;
	unsigned int	periods;
	unsigned int	room;
	struct period	*period;
};

/* stat-trace.c */
void watch_begin(const struct settings *settings);
struct seen *watch_end(unsigned int *cpus);
void watch_undo(void);

/* stat-advise.c */
int advise(FILE *out, const struct seen *seen, unsigned int cpus,
	   const struct settings *settings, u32 price_ns);

#endif
