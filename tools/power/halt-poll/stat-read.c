// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters and the tunables, as the kernel shows them
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stat.h"

#define CPU_DIR		"/sys/devices/system/cpu"

/* No kernel has CPUs with larger numbers. */
#define CPU_MAX		65535

const struct counter_info counters[COUNTERS] = {
	[COUNTER_ATTEMPTED] = { "attempted", "attempted", false,
		"Idle periods that were polled." },
	[COUNTER_SUCCESSFUL] = { "successful", "successful", false,
		"Idle periods that a wake-up ended while the CPU polled." },
	[COUNTER_SUCCESS_NS] = { "success_ns", "success", true,
		"Time polled in successful idle periods." },
	[COUNTER_FAIL_NS] = { "fail_ns", "fail", true,
		"Time polled in vain." },
	[COUNTER_IDLES] = { "idles", "idles", false,
		"Idle periods that are over." },
	[COUNTER_HALTS] = { "halts", "halts", false,
		"Returns of the CPU from its idle routine." },
	[COUNTER_TIMERS] = { "timers", "timers", false,
		"Timer interrupts taken by the poll." },
	[COUNTER_TIMER_EARLY_NS] = { "timer_early_ns", "timer_early", true,
		"Time by which those were ahead of the device." },
	[COUNTER_STOLEN_NS] = { "stolen_ns", "stolen", true,
		"Time that the host gave to others while the CPU polled." },
	[COUNTER_BACKOFFS] = { "backoffs", "backoffs", false,
		"Times that the CPU left polling because of that." },
};

const struct setting_info setting_infos[SETTINGS] = {
	[SETTING_THRESHOLD] = { "threshold", true, "Longest window; 0 = no polling." },
	[SETTING_COST] = { "cost", true, "Price of a halt; 0 = the threshold." },
	[SETTING_GROW] = { "grow", false, "How a window grows." },
	[SETTING_GROW_START] = { "grow_start", true, "Smallest window." },
	[SETTING_SHRINK] = { "shrink", false, "How a window shrinks." },
	[SETTING_TIMER] = { "timer", true, "How near a timer is polled for; 0 = none, -1 = by the price of a halt." },
};

/**
 * make_room() - have an array grow
 * @array: the array
 * @room: how many elements it has room for
 * @needed: how many it must have room for
 * @size: of an element
 *
 * Return: the array. New elements are zero.
 */
void *make_room(void *array, unsigned int *room, unsigned int needed, size_t size)
{
	unsigned int more;

	if (needed <= *room)
		return array;
	more = needed > 2 * *room ? needed : 2 * *room;
	array = reallocarray(array, more, size);
	if (!array)
		die(STATUS_FAILED, "out of memory");
	memset((char *)array + *room * size, 0, (more - *room) * size);
	*room = more;
	return array;
}

/* The files of a CPU: the counters, and the window. */
#define FILES		(COUNTERS + 1)
#define FILE_WINDOW	COUNTERS

/**
 * struct cpu_files - a CPU's files, open from one reading to the next
 * @file: the counters, then the window
 * @reading: the number of the last reading that they were in
 */
struct cpu_files {
	struct kept_file	file[FILES];
	unsigned int		reading;
};

static struct cpu_files *cpu_files;
static unsigned int cpu_files_room;
static unsigned int readings;

static bool exists(const char *what)
{
	char path[PATH_SIZE];
	struct stat stat_buf;

	make_path(path, sizeof(path), "%s", what);
	return !stat(path, &stat_buf);
}

static void __attribute__((noreturn)) no_feature(void)
{
	die(STATUS_NO_FEATURE, "this kernel does not know halt polling: there is no "
	    "%s%s/cpu*/halt_poll. It takes a kernel with CONFIG_HALT_POLL", stat_root, CPU_DIR);
}

/* One tunable. Returns whether the kernel has it. */
static bool read_setting(struct kept_file *file, const char *name, char *text, size_t size)
{
	char path[PATH_SIZE];
	int error;

	if (read_kept(file, text, size))
		return true;
	make_path(path, sizeof(path), "/proc/sys/kernel/halt_poll_%s", name);
	error = read_and_keep(file, path, text, size);
	if (error && error != -ENOENT)
		die(error == -EACCES ? STATUS_NOT_PERMITTED : STATUS_FAILED,
		    "%s: %s", path, strerror(-error));
	return !error;
}

/* A whole number, which may be negative. */
static bool parse_setting(const char *text, s64 *value)
{
	bool negative = *text == '-';
	u64 number;

	if (!parse_u64(text + negative, &number) || number > LLONG_MAX)
		return false;
	*value = negative ? -(s64)number : (s64)number;
	return true;
}

/**
 * read_settings() - read the tunables
 * @settings: where to put them
 *
 * Does not return where there are none.
 */
void read_settings(struct settings *settings)
{
	static struct kept_file policy, value[SETTINGS];
	unsigned int i;
	char text[32];

	memset(settings, 0, sizeof(*settings));
	if (!read_setting(&policy, "policy", settings->policy, sizeof(settings->policy))) {
		if (!exists("/proc/sys/kernel"))
			die(STATUS_NOT_MOUNTED, "proc is not mounted on %s/proc", stat_root);
		no_feature();
	}
	for (i = 0; i < SETTINGS; i++) {
		if (read_setting(&value[i], setting_infos[i].name, text, sizeof(text)) &&
		    !parse_setting(text, &settings->value[i]))
			die(STATUS_FAILED, "kernel.halt_poll_%s: \"%s\" is no number",
			    setting_infos[i].name, text);
	}
}

/**
 * polling_is_on() - are idle periods looked at
 * @settings: the tunables
 */
bool polling_is_on(const struct settings *settings)
{
	return settings->value[SETTING_THRESHOLD] || settings->value[SETTING_TIMER] > 0;
}

static const char *file_name(unsigned int file)
{
	return file == FILE_WINDOW ? "window_ns" : counters[file].file;
}

static void file_path(unsigned int cpu, unsigned int file, char *path, size_t size)
{
	make_path(path, size, CPU_DIR "/cpu%u/halt_poll/%s", cpu, file_name(file));
}

/* Returns whether there is such a file. */
static bool read_count(unsigned int cpu, unsigned int file, u64 *count)
{
	struct kept_file *kept = &cpu_files[cpu].file[file];
	char path[PATH_SIZE], text[32];
	int error;

	if (!read_kept(kept, text, sizeof(text))) {
		file_path(cpu, file, path, sizeof(path));
		error = read_and_keep(kept, path, text, sizeof(text));
		if (error == -ENOENT || error == -ENODEV || error == -ENOTDIR)
			return false;
		if (error)
			die(error == -EACCES ? STATUS_NOT_PERMITTED : STATUS_FAILED,
			    "%s: %s", path, strerror(-error));
	}
	if (!parse_u64(text, count)) {
		file_path(cpu, file, path, sizeof(path));
		die(STATUS_FAILED, "%s: \"%s\" is no number", path, text);
	}
	return true;
}

/* Returns whether the CPU is there, from the first file to the last. */
static bool read_cpu(unsigned int cpu, struct cpu_counts *counts)
{
	unsigned int i;

	cpu_files = make_room(cpu_files, &cpu_files_room, cpu + 1, sizeof(*cpu_files));
	cpu_files[cpu].reading = readings;
	*counts = (struct cpu_counts) { .cpu = cpu };
	for (i = 0; i < COUNTERS; i++) {
		if (read_count(cpu, i, &counts->count[i]))
			counts->known |= 1U << i;
		else if (i < COUNTER_OPTIONAL)
			return false;
	}
	return read_count(cpu, FILE_WINDOW, &counts->window_ns);
}

/* What is there later under the same name is another file. */
static void forget_missing_cpus(void)
{
	unsigned int cpu, file;

	for (cpu = 0; cpu < cpu_files_room; cpu++) {
		if (cpu_files[cpu].reading == readings)
			continue;
		for (file = 0; file < FILES; file++)
			close_kept(&cpu_files[cpu].file[file]);
	}
}

static int by_number(const void *a, const void *b)
{
	const struct cpu_counts *one = a, *other = b;

	return one->cpu < other->cpu ? -1 : one->cpu > other->cpu;
}

/* Is it the name of a CPU's folder? */
static bool cpu_number(const char *name, unsigned int *cpu)
{
	u64 number;

	if (strncmp(name, "cpu", 3) || !parse_u64(name + 3, &number) || number > CPU_MAX)
		return false;
	*cpu = number;
	return true;
}

/* The folder of the CPUs, from its start. */
static DIR *cpu_dir(void)
{
	static DIR *dir;
	char path[PATH_SIZE];

	if (dir) {
		rewinddir(dir);
		return dir;
	}
	make_path(path, sizeof(path), CPU_DIR);
	dir = opendir(path);
	if (dir)
		return dir;
	if (!exists("/sys/devices"))
		die(STATUS_NOT_MOUNTED, "sysfs is not mounted on %s/sys", stat_root);
	die(STATUS_FAILED, "%s: %s", path, strerror(errno));
}

/**
 * read_counters() - read all there is to read
 * @reading: where to put it; zero before the first use
 *
 * Does not return where there is nothing.
 */
void read_counters(struct reading *reading)
{
	DIR *dir = cpu_dir();
	struct dirent *entry;

	readings++;
	reading->at_ns = now_ns();
	reading->cpus = 0;
	while ((entry = readdir(dir))) {
		unsigned int cpu;

		if (!cpu_number(entry->d_name, &cpu))
			continue;
		reading->cpu = make_room(reading->cpu, &reading->room, reading->cpus + 1,
					 sizeof(*reading->cpu));
		if (read_cpu(cpu, &reading->cpu[reading->cpus]))
			reading->cpus++;
	}
	forget_missing_cpus();

	if (!reading->cpus)
		no_feature();
	qsort(reading->cpu, reading->cpus, sizeof(*reading->cpu), by_number);
	read_settings(&reading->settings);
}

/* What was added. A counter that goes backwards has added nothing. */
static void subtract_cpu(struct cpu_counts *delta, const struct cpu_counts *from,
			 const struct cpu_counts *to)
{
	static bool said;
	unsigned int i;

	*delta = (struct cpu_counts) {
		.cpu		= to->cpu,
		.known		= from->known & to->known,
		.window_ns	= to->window_ns,
	};
	for (i = 0; i < COUNTERS; i++) {
		if (!(delta->known & 1U << i))
			continue;
		if (to->count[i] >= from->count[i]) {
			delta->count[i] = to->count[i] - from->count[i];
		} else if (!said) {
			said = true;
			say("cpu%u: %s has gone backwards; that counts as no change",
			    to->cpu, counters[i].file);
		}
	}
	/* The two are not read at the same moment. */
	if (delta->count[COUNTER_SUCCESSFUL] > delta->count[COUNTER_ATTEMPTED])
		delta->count[COUNTER_ATTEMPTED] = delta->count[COUNTER_SUCCESSFUL];
}

/**
 * sum_up() - add up some CPUs
 * @cpu: the CPUs
 * @cpus: how many there are
 * @total: where to put the sum
 */
void sum_up(const struct cpu_counts *cpu, unsigned int cpus, struct cpu_counts *total)
{
	unsigned int i, counter;

	*total = (struct cpu_counts) { .known = cpus ? ~0U : 0 };
	for (i = 0; i < cpus; i++) {
		total->known &= cpu[i].known;
		if (cpu[i].window_ns > total->window_ns)
			total->window_ns = cpu[i].window_ns;
		for (counter = 0; counter < COUNTERS; counter++)
			total->count[counter] += cpu[i].count[counter];
	}
}

/**
 * subtract() - what happened between two readings
 * @interval: where to put it; zero before the first use
 * @from: the earlier one
 * @to: the later one
 *
 * A CPU that is only in one of them is left out.
 */
void subtract(struct interval *interval, const struct reading *from, const struct reading *to)
{
	unsigned int i = 0, j = 0;

	interval->elapsed_ns = to->at_ns > from->at_ns ? to->at_ns - from->at_ns : 1;
	interval->settings = to->settings;
	interval->cpus = 0;
	interval->cpu = make_room(interval->cpu, &interval->room, to->cpus,
				  sizeof(*interval->cpu));

	while (i < from->cpus || j < to->cpus) {
		if (j == to->cpus || (i < from->cpus && from->cpu[i].cpu < to->cpu[j].cpu)) {
			say("cpu%u has vanished, going on without it", from->cpu[i++].cpu);
		} else if (i == from->cpus || to->cpu[j].cpu < from->cpu[i].cpu) {
			say("cpu%u has appeared", to->cpu[j++].cpu);
		} else {
			subtract_cpu(&interval->cpu[interval->cpus++],
				     &from->cpu[i++], &to->cpu[j++]);
		}
	}
	sum_up(interval->cpu, interval->cpus, &interval->total);
}
