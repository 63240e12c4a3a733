/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of the policies share: to let idle periods happen to one
 */
#ifndef _KERNEL_HALT_POLL_TESTS_PLAY_H
#define _KERNEL_HALT_POLL_TESTS_PLAY_H

#include <kunit/test.h>
#include <linux/string.h>

#include "../policy.h"

#define US	1000U

/**
 * struct play - a policy at work
 * @test: the test, which fails when a window exceeds the threshold
 * @policy: the policy
 * @tunables: what it is told
 * @state: what it remembers
 * @window_ns: its last window
 * @idles: how many idle periods it has been given
 * @hits: how many of them it polled to the end
 * @vain: how many of them it polled in vain
 * @burned_ns: how long it polled
 */
struct play {
	struct kunit			*test;
	const struct halt_poll_policy	*policy;
	struct halt_poll_tunables	tunables;
	struct halt_poll_state		state;
	u32				window_ns;
	u32				idles;
	u32				hits;
	u32				vain;
	u64				burned_ns;
};

static inline const struct halt_poll_policy *play_policy(const char *name)
{
	const struct halt_poll_policy *const *policy = halt_poll_policies;

	while (*policy && strcmp((*policy)->name, name))
		policy++;
	return *policy;
}

/* Start with the defaults, and a threshold of 200 us. */
static inline void play_start(struct play *play, struct kunit *test,
			      const struct halt_poll_policy *policy)
{
	*play = (struct play) {
		.test	= test,
		.policy	= policy,
		.tunables = {
			.threshold_ns	= 200 * US,
			.grow		= HALT_POLL_GROW_DEFAULT,
			.grow_start_ns	= HALT_POLL_GROW_START_DEFAULT,
			.shrink		= HALT_POLL_SHRINK_DEFAULT,
		},
	};
	policy->reset(&play->state);
}

/* Forget what has been counted, so as to count from here. */
static inline void play_count_anew(struct play *play)
{
	play->idles = 0;
	play->hits = 0;
	play->vain = 0;
	play->burned_ns = 0;
}

/* One idle period. */
static inline void play_idle(struct play *play, u64 idle_ns, u64 next_timer_ns, bool own_timer)
{
	struct halt_poll_idle idle = {
		.idle_ns	= idle_ns,
		.own_timer	= own_timer,
	};

	idle.window_ns = play->policy->select(&play->state, &play->tunables, next_timer_ns);
	idle.hit = idle.window_ns && idle_ns <= idle.window_ns;
	KUNIT_EXPECT_LE(play->test, idle.window_ns, play->tunables.threshold_ns);

	play->idles++;
	play->window_ns = idle.window_ns;
	if (idle.hit)
		play->hits++;
	else if (idle.window_ns)
		play->vain++;
	play->burned_ns += idle.hit ? idle_ns : idle.window_ns;

	play->policy->reflect(&play->state, &play->tunables, &idle);
}

/* So many waits of the same length, with no timer in sight. */
static inline void play_waits(struct play *play, unsigned int count, u64 idle_ns)
{
	while (count--)
		play_idle(play, idle_ns, HALT_POLL_NO_TIMER, false);
}

/* So many sleeps of the same length. */
static inline void play_sleeps(struct play *play, unsigned int count, u64 idle_ns)
{
	while (count--)
		play_idle(play, idle_ns, idle_ns, true);
}

#endif
