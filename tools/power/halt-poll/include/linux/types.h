/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types, as far as the policies use them, for userspace
 */
#ifndef _HALT_POLL_LINUX_TYPES_H
#define _HALT_POLL_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
/* As in the kernel, so that one printf format fits everywhere. */
typedef unsigned long long u64;
typedef int32_t s32;
typedef long long s64;

#endif
