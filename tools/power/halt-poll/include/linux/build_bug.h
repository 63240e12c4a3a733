/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * static_assert() in the kernel's form, whose message may be left out
 */
#ifndef _HALT_POLL_LINUX_BUILD_BUG_H
#define _HALT_POLL_LINUX_BUILD_BUG_H

#define static_assert(expr, ...)	_Static_assert(expr, #expr)

#endif
