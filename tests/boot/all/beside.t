#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Beside cpuidle's haltpoll one of the two polls
guest='--append cpuidle_haltpoll.force=1 --append halt_poll_stub_steal=1'
stub=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"
no_losses

is "$(cat /sys/devices/system/cpu/cpuidle/current_driver)" haltpoll "haltpoll is there"
# states WHAT: of haltpoll's state that polls, over all CPUs
states() { cat /sys/devices/system/cpu/cpu*/cpuidle/state0/"$1" | awk '{ s += $1 } END { print s }'; }
said() { dmesg | grep -c "leaving the polling to cpuidle's haltpoll driver"; }

is "$(said)" 0 "nothing is said while nothing is to be polled"
set_knob policy fixed
# Long enough for a machine that has other things to do as well.
set_knob threshold 5000000
usage=$(states usage)
pipe
is "$d_attempted" 0 "we leave the polling to it"
true_that "it polls" "$(states usage) - $usage > $on / 2"
is "$(said)" 1 "which is said"
set_knob threshold 0
set_knob threshold 6000000
pipe
is "$(said)" 1 "once"

for state in /sys/devices/system/cpu/cpu*/cpuidle/state0/disable; do
	echo 1 > "$state"
done
pipe
true_that "without its polling state it is us that poll" "$d_successful >= $on"
for state in /sys/devices/system/cpu/cpu*/cpuidle/state0/disable; do
	echo 0 > "$state"
done
work pipe > /dev/null
pipe
is "$d_attempted" 0 "and with it, it is not"
finish
