// SPDX-License-Identifier: GPL-2.0-only
/*
 * meter - put the CPU time of the guest's QEMU beside each line of figures
 *
 * Usage: meter WORD < LINES > LINES
 *
 * Of the lines of tests/guest/rounds -m, "begin" and "end" are readings: how
 * much CPU time has the QEMU used that has WORD in an argument? They are
 * dropped, and the next line gets two more fields, the CPU time and the wall
 * time between them in ns.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_SEC	1000000000ULL

struct reading {
	uint64_t cpu_ns, wall_ns;
};

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(2, "QEMU's CPU time");
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Up to @size bytes of a file of a process, arguments ended by zeros. */
static size_t read_proc(const char *pid, const char *name, char *buf, size_t size)
{
	char path[300];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	f = fopen(path, "r");
	if (f) {
		n = fread(buf, 1, size - 1, f);
		fclose(f);
	}
	buf[n] = '\0';
	return n;
}

/* QEMU starts under timeout(1), which has the same arguments. */
static bool is_qemu(const char *pid, const char *word)
{
	char buf[16384];
	size_t n;

	read_proc(pid, "comm", buf, sizeof(buf));
	if (strncmp(buf, "qemu-system", strlen("qemu-system")))
		return false;
	n = read_proc(pid, "cmdline", buf, sizeof(buf));
	return memmem(buf, n, word, strlen(word));
}

static clockid_t find_qemu(const char *word)
{
	DIR *dir = opendir("/proc");
	struct dirent *de;
	clockid_t clock;

	if (!dir)
		err(2, "/proc");
	while ((de = readdir(dir))) {
		pid_t pid = atoi(de->d_name);

		if (pid <= 0 || !is_qemu(de->d_name, word))
			continue;
		closedir(dir);
		if (clock_getcpuclockid(pid, &clock))
			errx(2, "no CPU clock of process %d", pid);
		return clock;
	}
	errx(2, "no QEMU with %s", word);
}

int main(int argc, char **argv)
{
	struct reading begin = {}, end = {};
	bool known = false, metered = false;
	char *line = NULL;
	clockid_t clock = 0;
	size_t size = 0;
	ssize_t len;

	if (argc != 2)
		errx(2, "usage: meter WORD");
	while ((len = getline(&line, &size, stdin)) > 0) {
		if (!strcmp(line, "begin\n") || !strcmp(line, "end\n")) {
			struct reading *r = *line == 'b' ? &begin : &end;

			if (!known)
				clock = find_qemu(argv[1]);
			known = true;
			r->cpu_ns = read_clock(clock);
			r->wall_ns = read_clock(CLOCK_MONOTONIC);
			metered = r == &end;
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			printf("%s\n", line);
		else if (!strncmp(line, "round\t", strlen("round\t")))
			printf("%s\thost_ns\twall_ns\n", line);
		else if (metered)
			printf("%s\t%" PRIu64 "\t%" PRIu64 "\n", line,
			       end.cpu_ns - begin.cpu_ns, end.wall_ns - begin.wall_ns);
		else
			printf("%s\t-\t-\n", line);
		metered = false;
		fflush(stdout);
	}
	free(line);
	return 0;
}
