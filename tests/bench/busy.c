// SPDX-License-Identifier: GPL-2.0-only
/*
 * busy - a neighbour that wants all of a CPU
 *
 * Usage: busy CPU SETTLE_MS MEASURE_MS
 *
 * Counts on CPU, and prints how many million turns it got done in a second
 * of the measured time, and its share of that CPU in percent.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NSEC_PER_SEC	1000000000ULL
#define TURNS		10000

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Count until that time is over; the number of turns. */
static uint64_t work_ns(uint64_t ns)
{
	uint64_t start = read_clock(CLOCK_MONOTONIC), turns = 0;
	volatile unsigned int sink = 0;

	while (read_clock(CLOCK_MONOTONIC) - start < ns) {
		for (unsigned int i = 0; i < TURNS; i++)
			sink += i;
		turns += TURNS;
	}
	return turns;
}

int main(int argc, char **argv)
{
	uint64_t measure_ns, turns, cpu_ns;
	cpu_set_t set;

	if (argc != 4)
		errx(2, "usage: busy CPU SETTLE_MS MEASURE_MS");
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "CPU %s", argv[1]);
	measure_ns = strtoull(argv[3], NULL, 10) * 1000000;
	if (!measure_ns)
		errx(2, "how long to measure?");

	work_ns(strtoull(argv[2], NULL, 10) * 1000000);
	cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
	turns = work_ns(measure_ns);
	cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
	printf("%.2f\t%.2f\n", turns * 1e3 / measure_ns, cpu_ns * 1e2 / measure_ns);
	return 0;
}
