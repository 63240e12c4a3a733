// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watching idle periods: the trace event, in a tracing instance of our own
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay.h"
#include "stat.h"

#define EVENT		"events/halt_poll/halt_poll_idle"
#define EVENT_MARK	": halt_poll_idle: "
#define THRESHOLD	"/proc/sys/kernel/halt_poll_threshold"

/*
 * Memory for the trace, of all CPUs and of one, in KiB. Nobody reads it while
 * it fills up, as that would disturb what is watched: some 250000 idle periods
 * of a CPU are kept at the most.
 */
#define BUFFERS_KB	(128 * 1024)
#define BUFFER_KB_MIN	256
#define BUFFER_KB_MAX	(16 * 1024)

/* What has to be undone. */
static char instance[PATH_SIZE];
static bool threshold_set;

static u64 began_ns;

static void __attribute__((noreturn)) cannot(const char *path, int error)
{
	if (error == EACCES || error == EPERM)
		die(STATUS_NOT_PERMITTED, "%s: %s: --advise needs root", path, strerror(error));
	die(STATUS_FAILED, "%s: %s", path, strerror(error));
}

static void set(const char *file, const char *text)
{
	char path[PATH_SIZE + 64];
	int error;

	snprintf(path, sizeof(path), "%s/%s", instance, file);
	error = write_file(path, text);
	if (error)
		cannot(path, -error);
}

static void find_tracefs(char *dir, size_t size)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[PATH_SIZE];
	struct stat stat_buf;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		make_path(path, sizeof(path), "%s/" EVENT, places[i]);
		if (!stat(path, &stat_buf)) {
			make_path(dir, size, "%s", places[i]);
			return;
		}
		if (errno == EACCES)
			cannot(path, errno);
	}
	die(STATUS_NOT_MOUNTED, "there is no %s%s/" EVENT ": is tracefs mounted?",
	    stat_root, places[0]);
}

/*
 * Idle periods are only looked at while polling is on. A window of 1 ns is as
 * good as none and turns it on.
 */
static void look_at_idle(const struct settings *settings)
{
	char path[PATH_SIZE];
	int error;

	if (polling_is_on(settings))
		return;
	make_path(path, sizeof(path), THRESHOLD);
	error = write_file(path, "1");
	if (error)
		cannot(path, -error);
	threshold_set = true;
	say("polling is off: kernel.halt_poll_threshold is 1 while we watch, then 0 again");
}

/* A CPU's share of what all of them may have, and of the memory that is left. */
static unsigned long buffer_kb(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned long long kb = BUFFERS_KB, left_kb;

	left_kb = (unsigned long long)sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE) / 1024 / 8;
	if (left_kb < kb)
		kb = left_kb;
	kb /= cpus > 0 ? cpus : 1;
	if (kb < BUFFER_KB_MIN)
		return BUFFER_KB_MIN;
	return kb < BUFFER_KB_MAX ? kb : BUFFER_KB_MAX;
}

/**
 * watch_begin() - begin to watch idle periods
 * @settings: the tunables in force
 */
void watch_begin(const struct settings *settings)
{
	char dir[PATH_SIZE - 64], text[32];

	find_tracefs(dir, sizeof(dir));
	atexit(watch_undo);

	snprintf(instance, sizeof(instance), "%s/instances/halt-poll-stat.%d", dir, getpid());
	if (mkdir(instance, 0700)) {
		char path[PATH_SIZE];
		int error = errno;

		strcpy(path, instance);
		*instance = '\0';
		cannot(path, error);
	}
	snprintf(text, sizeof(text), "%lu", buffer_kb());
	set("buffer_size_kb", text);
	/* What is kept shall be without gaps: the beginning, and not the end. */
	set("options/overwrite", "0");
	look_at_idle(settings);
	set(EVENT "/enable", "1");
	began_ns = now_ns();
}

/**
 * watch_undo() - leave everything as it was
 *
 * Also done at exit.
 */
void watch_undo(void)
{
	char path[PATH_SIZE], text[32];

	make_path(path, sizeof(path), THRESHOLD);
	/* Unless somebody has set another one since. */
	if (threshold_set && !read_file(path, text, sizeof(text)) && !strcmp(text, "1"))
		write_file(path, "0");
	threshold_set = false;

	if (*instance && rmdir(instance))
		say("%s: %s", instance, strerror(errno));
	*instance = '\0';
}

/* The stamp in front of the event's name, in ns. */
static u64 stamp(const char *line, const char *mark)
{
	const char *at = mark;

	while (at > line && at[-1] != ' ')
		at--;
	return strtod(at, NULL) * NSEC_PER_SEC;
}

/* Returns whether the line has an idle period in it. */
static bool read_event(const char *line, struct period *period, u64 *at_ns)
{
	const char *mark = strstr(line, EVENT_MARK);
	unsigned int window_ns, hit, own_timer;
	long long next_timer_ns;

	if (!mark || sscanf(mark + strlen(EVENT_MARK),
			    "idle_ns=%llu wake_cost_ns=%*u polled_ns=%*u next_timer_ns=%lld "
			    "window_ns=%u hit=%u own_timer=%u", &period->idle_ns,
			    &next_timer_ns, &window_ns, &hit, &own_timer) != 5)
		return false;
	period->next_timer_ns = next_timer_ns < 0 ? HALT_POLL_NO_TIMER : (u64)next_timer_ns;
	period->own_timer = own_timer;
	*at_ns = stamp(line, mark);
	return true;
}

static u64 lost_events(unsigned int cpu)
{
	char path[PATH_SIZE + 64], line[128];
	u64 lost = 0, value;
	FILE *file;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/stats", instance, cpu);
	file = fopen(path, "re");
	if (!file)
		cannot(path, errno);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "overrun: %llu", &value) == 1 ||
		    sscanf(line, "dropped events: %llu", &value) == 1)
			lost += value;
	}
	fclose(file);
	return lost;
}

static void read_trace(struct seen *seen, u64 elapsed_ns)
{
	char path[PATH_SIZE + 64], line[512];
	u64 first_ns = 0, at_ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace", instance, seen->cpu);
	file = fopen(path, "re");
	if (!file)
		cannot(path, errno);
	while (fgets(line, sizeof(line), file)) {
		seen->period = make_room(seen->period, &seen->room, seen->periods + 1,
					 sizeof(*seen->period));
		if (!read_event(line, &seen->period[seen->periods], &at_ns))
			continue;
		if (!seen->periods++)
			first_ns = at_ns;
	}
	fclose(file);

	/* What is lost is the end. */
	seen->lost = lost_events(seen->cpu);
	seen->span_ns = seen->lost ? at_ns - first_ns : elapsed_ns;
}

/**
 * watch_end() - stop watching, and take what was seen
 * @cpus: how many CPUs there are
 *
 * Return: the idle periods of each.
 */
struct seen *watch_end(unsigned int *cpus)
{
	u64 elapsed_ns = now_ns() - began_ns;
	char path[PATH_SIZE + 64];
	struct seen *seen = NULL;
	unsigned int room = 0;
	struct dirent *entry;
	DIR *dir;

	set("tracing_on", "0");

	snprintf(path, sizeof(path), "%s/per_cpu", instance);
	dir = opendir(path);
	if (!dir)
		cannot(path, errno);
	*cpus = 0;
	while ((entry = readdir(dir))) {
		unsigned int cpu;

		if (sscanf(entry->d_name, "cpu%u", &cpu) != 1)
			continue;
		seen = make_room(seen, &room, *cpus + 1, sizeof(*seen));
		seen[*cpus].cpu = cpu;
		read_trace(&seen[(*cpus)++], elapsed_ns);
	}
	closedir(dir);
	return seen;
}
