// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of policies
 */
#include <linux/stddef.h>

#include "policy.h"

const struct halt_poll_policy *const halt_poll_policies[] = {
	&halt_poll_policy_predictive,
	&halt_poll_policy_adaptive,
	&halt_poll_policy_fixed,
	NULL
};
