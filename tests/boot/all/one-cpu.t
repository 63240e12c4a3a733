#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One CPU: nobody else can wake it, only interrupts and timers
guest='--vcpus 1'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

is "$(nproc)" 1 "there is one CPU"
set_knob policy fixed
set_knob threshold 300000
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.01
done
true_that "it polls" "$(count attempted) >= 10"
set_knob policy predictive
short_sleeps()
{
	work nanosleep 100 1 > /dev/null
	slept=$?
}
undisturbed short_sleeps
ok "$slept" "it can sleep"
steady "a short sleep is worth polling through" "$(count successful) > 100"
set_knob threshold 0
is "$(get_knob threshold)" 0 "it can be switched off"
finish
