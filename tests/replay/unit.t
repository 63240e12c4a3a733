#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The KUnit suites of the policies, in userspace

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

exec make -s -C "$top/tools/power/halt-poll" O="$work/build" unit
