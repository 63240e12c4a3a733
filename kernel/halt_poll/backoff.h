/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Not polling where the host gives the CPU to somebody else
 */
#ifndef _KERNEL_HALT_POLL_BACKOFF_H
#define _KERNEL_HALT_POLL_BACKOFF_H

#include <linux/types.h>

/**
 * struct halt_poll_backoff - what one CPU remembers of the time it lost
 * @until_ns: not to poll before this time
 * @pause_ns: length of the last pause; 0 = there was none of late
 * @clean_ns: time polled since that pause without a new one
 * @polled_ns: time polled of late, decaying
 * @lost_ns: time lost of it, decaying
 *
 * All zero at the start. Times are those of any clock that does not stop.
 */
struct halt_poll_backoff {
	u64	until_ns;
	u32	pause_ns;
	u32	clean_ns;
	u32	polled_ns;
	u32	lost_ns;
};

bool halt_poll_backoff_note(struct halt_poll_backoff *backoff, u64 now_ns,
			    u64 polled_ns, u64 lost_ns);
bool halt_poll_backoff_active(const struct halt_poll_backoff *backoff, u64 now_ns);

#endif
