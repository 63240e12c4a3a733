// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of policies
 *
 * They are compiled together with it, so that a new one takes its own file and
 * two lines here, in the kernel and in halt-poll-replay.
 */
#include <linux/stddef.h>

#include "policy.h"

#include "policy_adaptive.c"
#include "policy_fixed.c"
#include "policy_predictive.c"

/*
 * The first is the default. Replayed on the made-up traces of halt-poll-replay,
 * at prices of 5 to 200 us, predictive costs 1 to 10 % more than knowing every
 * length beforehand would, adaptive up to 14 %. For two CPUs that wait for each
 * other predictive comes within 5 % of the best pair of windows on average;
 * adaptive often never starts to poll, and then costs up to 14 times as much.
 */
const struct halt_poll_policy *const halt_poll_policies[] = {
	&predictive_policy,
	&adaptive_policy,
	&fixed_policy,
	NULL
};
