/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * String functions, for userspace
 */
#include <string.h>
