#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An isolated CPU, without a tick
guest='--append nohz_full=1 --append isolcpus=nohz,domain,1 --append halt_poll_stub_steal=1'
stub=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"
no_losses

cpu=/sys/devices/system/cpu
is "$(cat $cpu/isolated) $(cat $cpu/nohz_full)" "1 1" "CPU 1 is isolated and without a tick"
set_knob policy fixed
# Long enough for a machine that has other things to do as well.
set_knob threshold 5000000
# It goes idle so quickly that wakers often take it for busy still, and send an
# IPI. That is waited for like any other wake-up.
halts=$(cat $cpu/cpu1/halt_poll/halts)
pipe
true_that "it does not halt when an IPI is on its way" \
	"$(cat $cpu/cpu1/halt_poll/halts) - $halts <= 0.02 * $on"
hits=$(cat $cpu/cpu1/halt_poll/successful)
on=$(work tcp | rounds)
true_that "it polls like others" "$(cat $cpu/cpu1/halt_poll/successful) - $hits >= 0.5 * $on"
set_knob timer 400000
timers=$(cat $cpu/cpu1/halt_poll/timers)
work -c 1,0 nanosleep 100 1 > /tmp/figures
true_that "its timers are run from the poll" \
	"$(cat $cpu/cpu1/halt_poll/timers) - $timers >= 0.8 * $(rounds < /tmp/figures)"
finish
