/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long to poll: the interface between the poll and its policies
 *
 * A policy is integer arithmetic on a small state that belongs to one CPU. It
 * calls nothing, reads no clock and takes no lock, so the same source runs in
 * the kernel, in KUnit and in halt-poll-replay.
 */
#ifndef _KERNEL_HALT_POLL_POLICY_H
#define _KERNEL_HALT_POLL_POLICY_H

#include <linux/types.h>

/* The CPU has no timer of its own that is known. */
#define HALT_POLL_NO_TIMER	U64_MAX

/* The largest threshold, cost, grow_start and timer: one second. */
#define HALT_POLL_MAX_NS	1000000000U

/**
 * struct halt_poll_tunables - what the administrator asked for
 * @threshold_ns: longest window, and the price of a halt unless @cost_ns says
 *	otherwise; 0 to %HALT_POLL_MAX_NS, 0 = do not poll
 * @cost_ns: price of a halt: the CPU time worth burning to avoid one;
 *	0 = @threshold_ns
 * @grow: kernel.halt_poll_grow; what it does is each policy's to say
 * @grow_start_ns: smallest window that is not 0; acts as @threshold_ns where
 *	it is larger
 * @shrink: kernel.halt_poll_shrink; what it does is each policy's to say
 *
 * All of these fit 32 bits, so that a CPU never reads half of a value.
 */
struct halt_poll_tunables {
	u32	threshold_ns;
	u32	cost_ns;
	u32	grow;
	u32	grow_start_ns;
	u32	shrink;
};

/**
 * struct halt_poll_idle - a finished idle period
 * @idle_ns: from the start of the poll to the wake
 * @window_ns: how long the policy let the CPU poll; 0 = not at all
 * @hit: the wake came while the CPU polled
 * @own_timer: a timer of this CPU ended the period
 */
struct halt_poll_idle {
	u64	idle_ns;
	u32	window_ns;
	bool	hit;
	bool	own_timer;
};

/**
 * struct halt_poll_adaptive_state - see policy_adaptive.c
 * @window_ns: the window
 * @credit: long idle periods in a row that it may still poll in vain
 */
struct halt_poll_adaptive_state {
	u32	window_ns;
	u32	credit;
};

/**
 * struct halt_poll_predictive_state - see policy_predictive.c
 * @words: to be replaced by the histograms
 */
struct halt_poll_predictive_state {
	u64	words[15];
};

/**
 * struct halt_poll_state - what a policy remembers of one CPU
 * @adaptive: of the adaptive policy
 * @predictive: of the predictive policy
 *
 * At most 128 bytes. Written by its own CPU only.
 */
struct halt_poll_state {
	union {
		struct halt_poll_adaptive_state		adaptive;
		struct halt_poll_predictive_state	predictive;
	};
};

/**
 * struct halt_poll_policy - one way to choose the window
 * @name: what kernel.halt_poll_policy calls it
 * @reset: forget everything; also called before the first use of a state
 * @select: the window for the idle period that begins now, in ns and at most
 *	the threshold; 0 = do not poll. next_timer_ns is the time until the
 *	CPU's next own timer, %HALT_POLL_NO_TIMER where there is none
 * @reflect: learn from an idle period that has ended
 */
struct halt_poll_policy {
	const char *name;
	void (*reset)(struct halt_poll_state *state);
	u32 (*select)(struct halt_poll_state *state,
		      const struct halt_poll_tunables *tunables,
		      u64 next_timer_ns);
	void (*reflect)(struct halt_poll_state *state,
			const struct halt_poll_tunables *tunables,
			const struct halt_poll_idle *idle);
};

extern const struct halt_poll_policy halt_poll_policy_fixed;
extern const struct halt_poll_policy halt_poll_policy_adaptive;
extern const struct halt_poll_policy halt_poll_policy_predictive;

/* All policies, %NULL at the end. The first is the default. */
extern const struct halt_poll_policy *const halt_poll_policies[];

#endif
