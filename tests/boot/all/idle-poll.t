#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# With idle=poll there is no halt to poll before
guest='--append idle=poll'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

! sysctl -qw kernel.halt_poll_threshold=200000 2> /tmp/said
ok $? "idle=poll: a threshold is refused"
grep -qi 'not supported' /tmp/said
ok $? "idle=poll: for that reason"
is "$(get_knob threshold)" 0 "idle=poll: the threshold is still 0"
dmesg | grep -q 'halt_poll: not polling: idle=poll never halts'
ok $? "idle=poll: the log says why"
work pipe > /dev/null
is "$(count attempted)" 0 "idle=poll: nothing is polled"
finish
