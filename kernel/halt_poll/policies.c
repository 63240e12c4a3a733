// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of policies
 */
#include <linux/stddef.h>

#include "policy.h"

/*
 * The first is the default. Replayed on the made-up traces of halt-poll-replay,
 * at prices of 5 to 200 us, predictive costs 1 to 10 % more than knowing every
 * length beforehand would, adaptive up to 14 %. For two CPUs that wait for each
 * other predictive comes within 5 % of the best pair of windows on average;
 * adaptive often never starts to poll, and then costs up to 14 times as much.
 */
const struct halt_poll_policy *const halt_poll_policies[] = {
	&halt_poll_policy_predictive,
	&halt_poll_policy_adaptive,
	&halt_poll_policy_fixed,
	NULL
};
