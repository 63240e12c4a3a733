#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Without a TSC the clock counts jiffies, and a poll could not be bounded
guest='--cpu max,-tsc'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

! sysctl -qw kernel.halt_poll_threshold=200000 2> /tmp/said
ok $? "no TSC: a threshold is refused"
is "$(get_knob threshold)" 0 "no TSC: the threshold is still 0"
dmesg | grep -q 'halt_poll: not polling: the sched clock only counts jiffies'
ok $? "no TSC: the log says why"
finish
