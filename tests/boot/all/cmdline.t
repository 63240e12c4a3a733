#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The tunables on the kernel's command line
guest='--append sysctl.kernel.halt_poll_threshold=220000 --append sysctl.kernel.halt_poll_policy=adaptive --append sysctl.kernel.halt_poll_timer=5000000000 --append sysctl.kernel.halt_poll_cost=-5'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

is "$(get_knob threshold)" 220000 "the threshold is set before there is a user"
is "$(get_knob policy)" adaptive "the policy is set"
is "$(get_knob timer)" -1 "a value out of range is refused"
is "$(get_knob cost)" 0 "a value that is none is refused"
dmesg | grep -q 'halt_poll_timer.*5000000000'
ok $? "and the kernel's log says which"
undisturbed work pipe > /dev/null
true_that "CPUs poll" "$(count successful) > 100"
finish
