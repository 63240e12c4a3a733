#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that are idle in other ways: isolated, without a tick, injected
guest='--append nohz_full=1 --append isolcpus=nohz,domain,1'
stub=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

cpu=/sys/devices/system/cpu
is "$(cat $cpu/isolated) $(cat $cpu/nohz_full)" "1 1" "CPU 1 is isolated and without a tick"
set_knob policy fixed
set_knob threshold 400000
# It goes idle so quickly that wakers often take it for busy still, and send an
# IPI. That is waited for like any other wake-up.
hits=$(cat $cpu/cpu1/halt_poll/successful)
halts=$(cat $cpu/cpu1/halt_poll/halts)
on=$(work tcp | rounds)
true_that "it polls like others" "$(cat $cpu/cpu1/halt_poll/successful) - $hits >= 0.5 * $on"
true_that "and hardly halts" "$(cat $cpu/cpu1/halt_poll/halts) - $halts <= 0.1 * $on"
set_knob timer 400000
timers=$(cat $cpu/cpu1/halt_poll/timers)
work -c 1,0 nanosleep 100 1 > /tmp/figures
true_that "its timers are run from the poll" \
	"$(cat $cpu/cpu1/halt_poll/timers) - $timers >= 0.8 * $(rounds < /tmp/figures)"
set_knob timer 0

# Injected idle time is to cool the CPU, or to give it to others.
work -t 3000 -n 1000000 -c 1,0 nanosleep 300 1 > /dev/null &
sleep 0.5
at=$(cat $cpu/cpu1/halt_poll/attempted)
sleep 0.2
true_that "a CPU that sleeps over and over polls" "$(cat $cpu/cpu1/halt_poll/attempted) - $at > 100"
echo 800 > /sys/module/kvm/parameters/halt_poll_stub_inject || exit
sleep 0.3
at=$(cat $cpu/cpu1/halt_poll/attempted)
sleep 0.2
is "$(cat $cpu/cpu1/halt_poll/attempted)" "$at" "not while idle time is injected"
sleep 0.8
true_that "but again afterwards" "$(cat $cpu/cpu1/halt_poll/attempted) - $at > 100"
wait

finish
