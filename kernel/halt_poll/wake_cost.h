/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a halt adds to an idle period, learned from the CPU's own timers
 */
#ifndef _KERNEL_HALT_POLL_WAKE_COST_H
#define _KERNEL_HALT_POLL_WAKE_COST_H

#include <linux/types.h>

/**
 * struct halt_poll_wake_cost - how late own timers are
 * @halted_ns: when they end a halt
 * @polled_ns: when they end a poll
 * @halted_seen: there has been one that ended a halt
 * @polled_seen: there has been one that ended a poll
 *
 * All zero at the start.
 */
struct halt_poll_wake_cost {
	u32	halted_ns;
	u32	polled_ns;
	bool	halted_seen;
	bool	polled_seen;
};

void halt_poll_wake_cost_note(struct halt_poll_wake_cost *cost, u64 late_ns, bool halted);
u32 halt_poll_wake_cost_ns(const struct halt_poll_wake_cost *cost);
u64 halt_poll_wake_cost_correct(const struct halt_poll_wake_cost *cost,
				u64 idle_ns, u32 polled_ns);

#endif
