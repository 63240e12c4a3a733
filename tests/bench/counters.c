// SPDX-License-Identifier: GPL-2.0-only
/*
 * counters - what it takes to count an idle period, on this machine's CPU
 *
 * The kernel's own halt_poll_count(), taken out of its source by counters-cost,
 * and the count of a halt, over and over. The rest of the idle path is not in
 * the way here, and the counters stay in the cache: what is left is the
 * arithmetic.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef unsigned int u32;
typedef unsigned long long u64;

/* As on 64 bits, where none of them does anything. */
struct u64_stats_sync { };
#define u64_stats_update_begin(sync)	do { (void)(sync); } while (0)
#define u64_stats_update_end(sync)	do { (void)(sync); } while (0)

#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define fls64(x)		(64 - __builtin_clzll(x))

#include "counters.inc"

#define PERIODS	4096
#define ROUNDS	2000
#define REPEATS	9

static struct halt_poll_period periods[PERIODS];
static struct halt_poll_stats stats;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Keeps the compiler from leaving anything out, as a call from elsewhere would. */
static __attribute__((noinline)) void count(struct halt_poll_period *period, bool counting)
{
	__asm__ volatile("" : : "r" (period) : "memory");
	if (!counting)
		return;
	halt_poll_count(&stats, period, period->end_ns - period->start_ns);
	if (period->halted)
		stats.halts++;
}

static double measure(bool counting)
{
	double start = now_ns();
	unsigned int round, i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < PERIODS; i++)
			count(&periods[i], counting);
	}
	return (now_ns() - start) / ROUNDS / PERIODS;
}

int main(void)
{
	double with = 1e9, without = 1e9, again;
	u32 seed = 1;
	unsigned int i;

	/* Of all lengths, half of them hits, a quarter not polled for. */
	for (i = 0; i < PERIODS; i++) {
		seed = seed * 1103515245 + 12345;
		periods[i].end_ns = 1ULL << (seed >> 16) % 24;
		periods[i].hit = seed >> 30 & 1;
		periods[i].halted = !periods[i].hit;
		if (periods[i].hit || seed >> 29 & 1)
			periods[i].polled_ns = periods[i].end_ns;
	}
	for (i = 0; i < REPEATS; i++) {
		again = measure(true);
		with = again < with ? again : with;
		again = measure(false);
		without = again < without ? again : without;
	}
	printf("%.1f ns an idle period, natively (%.1f with, %.1f without)\n",
	       with - without, with, without);
	return stats.idles != (u64)REPEATS * ROUNDS * PERIODS;
}
