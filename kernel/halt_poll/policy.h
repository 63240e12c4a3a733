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

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/types.h>

/* The CPU has no timer of its own that is known. */
#define HALT_POLL_NO_TIMER	U64_MAX

/* The largest threshold, cost, grow_start and timer: one second. */
#define HALT_POLL_MAX_NS	1000000000U

/*
 * Ranges and defaults of the tunables that have their own. A value outside is
 * refused where it is written, so no policy has to look at one.
 */
#define HALT_POLL_GROW_MIN		1
#define HALT_POLL_GROW_MAX		1000
#define HALT_POLL_GROW_DEFAULT		2
#define HALT_POLL_GROW_START_MIN	1
#define HALT_POLL_GROW_START_MAX	HALT_POLL_MAX_NS
#define HALT_POLL_GROW_START_DEFAULT	2000
#define HALT_POLL_SHRINK_MIN		0
#define HALT_POLL_SHRINK_MAX		1000
#define HALT_POLL_SHRINK_DEFAULT	2
/* As far away as a halt is worth, see halt_poll_timer_reach(). */
#define HALT_POLL_TIMER_AUTO		-1

/**
 * struct halt_poll_tunables - what the administrator asked for
 * @threshold_ns: longest window, and the price of a halt unless @cost_ns says
 *	otherwise; 0 to %HALT_POLL_MAX_NS, 0 = do not poll
 * @cost_ns: price of a halt: the CPU time worth burning to avoid one; 0 to
 *	%HALT_POLL_MAX_NS, 0 = @threshold_ns. Above @threshold_ns it makes
 *	predictive poll for less likely wake-ups, up to 16 times @threshold_ns,
 *	and is no more than @threshold_ns to adaptive
 * @grow: %HALT_POLL_GROW_MIN to %HALT_POLL_GROW_MAX.
 *	adaptive: the factor by which a window grows; 1 = windows are
 *	@grow_start_ns long or 0, nothing between.
 *	predictive: how much dearer a halt is held to be while the CPU is busy
 *	with short waits; 1 = no dearer. Beyond 2 it makes little difference
 * @grow_start_ns: smallest window that is not 0, %HALT_POLL_GROW_START_MIN to
 *	%HALT_POLL_GROW_START_MAX; acts as @threshold_ns where it is larger
 * @shrink: %HALT_POLL_SHRINK_MIN to %HALT_POLL_SHRINK_MAX.
 *	adaptive: the divisor by which a window shrinks; 0 = to nothing at
 *	once, 1 = not until polling is given up altogether.
 *	predictive: how fast history is forgotten, see policy_predictive.c;
 *	1 = slowly, larger = faster, 0 = as fast as can be
 *
 * All of these fit 32 bits, so that a CPU never reads half of a value. A policy
 * takes any combination of values within the ranges, and any change from one
 * idle period to the next.
 */
struct halt_poll_tunables {
	u32	threshold_ns;
	u32	cost_ns;
	u32	grow;
	u32	grow_start_ns;
	u32	shrink;
};

/**
 * halt_poll_price() - the CPU time worth burning to avoid one halt
 * @tunables: the tunables
 *
 * Return: the price in ns.
 */
static inline u32 halt_poll_price(const struct halt_poll_tunables *tunables)
{
	return tunables->cost_ns ? tunables->cost_ns : tunables->threshold_ns;
}

/**
 * halt_poll_timer_reach() - how near a timer must be to be polled for
 * @tunables: the tunables
 * @timer_ns: what the administrator asked for, 0 to %HALT_POLL_MAX_NS or
 *	%HALT_POLL_TIMER_AUTO
 *
 * Of a wait for a timer the length is known beforehand. So unless told
 * otherwise, it is polled for where that is no dearer than a halt, and no longer
 * than the CPU may poll at all.
 *
 * Return: how far away it may be, in ns; 0 = no timer is polled for.
 */
static inline u32 halt_poll_timer_reach(const struct halt_poll_tunables *tunables,
					u32 timer_ns)
{
	u32 price_ns = halt_poll_price(tunables);

	if (timer_ns != (u32)HALT_POLL_TIMER_AUTO)
		return timer_ns;
	return price_ns < tunables->threshold_ns ? price_ns : tunables->threshold_ns;
}

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
 * @vain: long idle periods in a row
 * @credit_ns: what the window would have saved of late, less what it would
 *	have burned
 * @far_timer: the next timer was beyond the threshold when the window was chosen
 */
struct halt_poll_adaptive_state {
	u32	window_ns;
	u32	vain;
	s64	credit_ns;
	bool	far_timer;
};

/* The kinds of idle periods that the predictive policy keeps apart. */
#define HALT_POLL_KINDS		3

/**
 * struct halt_poll_predictive_state - see policy_predictive.c
 * @bins: for each kind, the shares of the lengths, four bins in a word
 * @paid_ns: the price that @window_ns was found at
 * @window_ns: the window that was found last, before any limits
 * @price_ns: the price that the bins are cut to
 * @threshold_ns: the threshold that the bins are cut to
 * @age: for each kind, how many idle periods it has seen, up to a few
 * @fit: the running share of the idle periods that were not long, of 255
 * @kind: the kind of the idle period under way
 * @after: the kind of the next one, unless a timer is near
 * @vain: long idle periods in a row that were polled in vain, up to a few
 * @hit: the last idle period was one
 * @reuse: so many idle periods more may have the window that was found last
 * @turn: counts the idle periods that optimism is open to
 */
struct halt_poll_predictive_state {
	u64	bins[HALT_POLL_KINDS][4];
	u64	paid_ns;
	u32	window_ns;
	u32	price_ns;
	u32	threshold_ns;
	u8	age[HALT_POLL_KINDS];
	u8	fit;
	u8	kind;
	u8	after;
	u8	vain;
	bool	hit;
	u8	reuse;
	u16	turn;
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

/* Two cache lines, of which a decision touches hardly more than one. */
static_assert(sizeof(struct halt_poll_state) <= 128);

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

/* All policies, %NULL at the end. The first is the default. */
extern const struct halt_poll_policy *const halt_poll_policies[];

#endif
