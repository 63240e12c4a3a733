// SPDX-License-Identifier: GPL-2.0-only
/*
 * What libFuzzer feeds to the reader of traces and, behind it, to all policies
 *
 * The first bytes are the tunables, each taken into its range; the rest is the
 * trace. Beyond what the sanitizers see it is a fault if a window is longer
 * than the threshold, more is polled than the windows and hits allow, or the
 * reader and the count of what it fed disagree with themselves.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../tools/power/halt-poll/replay.h"

#define ARMS_MAX	16

struct arms {
	struct arm	arm[ARMS_MAX];
	unsigned int	count;
	u64		periods;
};

static void check(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	abort();
}

static void feed(void *context, const struct period *periods, size_t count)
{
	struct arms *arms = context;
	unsigned int i;
	size_t j;

	check(count <= BATCH, "size of a batch");
	arms->periods += count;
	for (i = 0; i < arms->count; i++) {
		struct arm *arm = &arms->arm[i];

		for (j = 0; j < count; j++) {
			u64 burned_ns = arm->burned_ns, idles = arm->idles;

			arm_feed(arm, &periods[j], 1);
			check(arm->idles == idles + 1, "count of idle periods");
			check(arm->hits <= arm->idles, "more hits than idle periods");
			/* The rules of others have their own. */
			check(arm->policy == &reference_haltpoll || arm->policy == &reference_kvm ||
			      arm->burned_ns - burned_ns <= arm->tunables.threshold_ns,
			      "window longer than the threshold");
		}
	}
}

static u32 within(u32 value, u32 low, u32 high)
{
	return low + value % (high - low + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct halt_poll_tunables tunables;
	u32 raw[6] = { 0 };
	struct arms arms = { 0 };
	const struct halt_poll_policy *policy;
	int fd;

	if (size < sizeof(raw))
		return 0;
	memcpy(raw, data, sizeof(raw));
	data += sizeof(raw);
	size -= sizeof(raw);
	tunables = (struct halt_poll_tunables) {
		.threshold_ns	= within(raw[0], 1, HALT_POLL_MAX_NS),
		.cost_ns	= within(raw[1], 0, HALT_POLL_MAX_NS),
		.grow		= within(raw[2], HALT_POLL_GROW_MIN, HALT_POLL_GROW_MAX),
		.grow_start_ns	= within(raw[3], HALT_POLL_GROW_START_MIN, HALT_POLL_GROW_START_MAX),
		.shrink		= within(raw[4], HALT_POLL_SHRINK_MIN, HALT_POLL_SHRINK_MAX),
	};

	while (arms.count < ARMS_MAX && (policy = arm_policy_number(arms.count)))
		arm_open(&arms.arm[arms.count++], policy, &tunables, raw[5] % 1000000);

	fd = memfd_create("trace", 0);
	check(fd >= 0, "no file in memory");
	check(write(fd, data, size) == (ssize_t)size, "cannot write");
	check(lseek(fd, 0, SEEK_SET) == 0, "cannot seek");
	if (!trace_read(fd, "trace", feed, &arms) && arms.count)
		check(arms.arm[0].idles == arms.periods, "periods were lost");
	close(fd);
	return 0;
}
