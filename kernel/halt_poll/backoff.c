// SPDX-License-Identifier: GPL-2.0-only
/*
 * Not polling where the host gives the CPU to somebody else
 */
#include <linux/types.h>

#include "backoff.h"

/**
 * DOC: back-off
 *
 * To poll is to use a CPU of the host's for nothing but a wait. Where nobody
 * else wants it that is the administrator's choice. Where somebody does, the
 * host takes the CPU away from time to time, and that can be seen: as steal
 * time where the hypervisor reports it, else as a gap between two readings of
 * the clock in the poll that no interrupt explains.
 *
 * A CPU that loses more than 1/32 of the time that it polls does not poll for
 * a while: for 10 ms, and for twice as long each time that this happens again,
 * up to a second. So beside a busy neighbour it polls for a few milliseconds a
 * second, to see whether the neighbour is still there. Once it has polled for
 * 100 ms in all without a pause, the next pause is a short one again.
 *
 * The second is a compromise: the neighbour gets nearly all of the CPU, and a
 * guest that has the CPU for itself again polls as before within that second.
 */

#define BACKOFF_FIRST_NS	10000000U
#define BACKOFF_LONGEST_NS	1000000000U
#define BACKOFF_CLEAN_NS	100000000U

/* The polls that count weigh half after about eleven more. */
#define BACKOFF_DECAY_SHIFT	4

/* Lost by more than this part of the time polled: too much. */
#define BACKOFF_LOSS_SHIFT	5

static u32 backoff_decay(u32 sum_ns, u64 more_ns)
{
	u64 total_ns;

	/* One poll counts for a second at the most, so the sum fits. */
	if (more_ns > BACKOFF_LONGEST_NS)
		more_ns = BACKOFF_LONGEST_NS;
	total_ns = sum_ns - (sum_ns >> BACKOFF_DECAY_SHIFT) + more_ns;
	return total_ns < 0xffffffffU ? total_ns : 0xffffffffU;
}

/**
 * halt_poll_backoff_note() - learn from a poll
 * @backoff: what is known
 * @now_ns: the time
 * @polled_ns: how long the CPU polled
 * @lost_ns: how much of that it lost
 *
 * Return: whether a pause begins.
 */
bool halt_poll_backoff_note(struct halt_poll_backoff *backoff, u64 now_ns,
			    u64 polled_ns, u64 lost_ns)
{
	backoff->polled_ns = backoff_decay(backoff->polled_ns, polled_ns);
	backoff->lost_ns = backoff_decay(backoff->lost_ns, lost_ns);

	if (backoff->lost_ns <= backoff->polled_ns >> BACKOFF_LOSS_SHIFT) {
		if (polled_ns >= BACKOFF_CLEAN_NS - backoff->clean_ns) {
			backoff->clean_ns = BACKOFF_CLEAN_NS;
			backoff->pause_ns = 0;
		} else {
			backoff->clean_ns += polled_ns;
		}
		return false;
	}

	backoff->pause_ns *= 2;
	if (backoff->pause_ns < BACKOFF_FIRST_NS)
		backoff->pause_ns = BACKOFF_FIRST_NS;
	if (backoff->pause_ns > BACKOFF_LONGEST_NS)
		backoff->pause_ns = BACKOFF_LONGEST_NS;
	backoff->until_ns = now_ns + backoff->pause_ns;
	backoff->clean_ns = 0;
	backoff->polled_ns = 0;
	backoff->lost_ns = 0;

	return true;
}

/**
 * halt_poll_backoff_active() - shall the CPU not poll
 * @backoff: what is known
 * @now_ns: the time
 *
 * Return: true during a pause. A clock that went far back does not make one
 *	longer than the longest.
 */
bool halt_poll_backoff_active(const struct halt_poll_backoff *backoff, u64 now_ns)
{
	return now_ns < backoff->until_ns &&
	       backoff->until_ns - now_ns <= BACKOFF_LONGEST_NS;
}
