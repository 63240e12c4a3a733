/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limits of the kernel's types, for userspace
 */
#ifndef _HALT_POLL_LINUX_LIMITS_H
#define _HALT_POLL_LINUX_LIMITS_H

#include <linux/types.h>

#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)
#define S64_MAX		((s64)(U64_MAX >> 1))
#define S64_MIN		((s64)(-S64_MAX - 1))

#endif
