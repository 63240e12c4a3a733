/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the policies need of the kernel's most general header, for userspace
 */
#ifndef _HALT_POLL_LINUX_KERNEL_H
#define _HALT_POLL_LINUX_KERNEL_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif
