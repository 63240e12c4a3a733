/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding bits, for userspace
 */
#ifndef _HALT_POLL_LINUX_BITOPS_H
#define _HALT_POLL_LINUX_BITOPS_H

#include <linux/types.h>

/* The number of the highest bit that is set, from 1; 0 = none is. */
static inline int fls64(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

#endif
