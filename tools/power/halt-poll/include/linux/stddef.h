/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NULL, for userspace
 */
#include <stddef.h>
