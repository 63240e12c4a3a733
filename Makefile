# SPDX-License-Identifier: GPL-2.0-only
# The front door: every target calls a script or one compiler
#
# VERSION=6.12|6.1 or KERNEL=DIR|TARBALL choose the kernel.

CFLAGS = -O2 -Wall -Wextra
VERSION ?= 6.12
export VERSION KERNEL

build/work: tests/guest/work.c
	@mkdir -p build
	$(CC) $(CFLAGS) -o $@ $<
