#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A hypervisor that reports steal time is believed, and the CPU gives way
guest='--append halt_poll_stub_steal=1'
stub=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

percent=/sys/module/kernel/parameters/halt_poll_stub_steal
# stolen: by the account of the kernel, in ticks
stolen() { awk '$1 == "cpu" { print $9 }' /proc/stat; }
losses() { backoffs=$(count backoffs) stolen_ns=$(count stolen_ns); polled; at_polled_ns=$polled_ns at=$(now_ns); }
lost()
{
	d_backoffs=$(($(count backoffs) - backoffs))
	d_stolen_ns=$(($(count stolen_ns) - stolen_ns))
	polled
	d_polled_ns=$((polled_ns - at_polled_ns))
	d_ns=$(($(now_ns) - at))
	echo "# polled $d_polled_ns ns in $d_ns, lost $d_stolen_ns, $d_backoffs pauses"
}

true_that "the kernel itself counts the steal" "$(stolen) > 0"
dmesg | grep -q 'poll control'
is $? 1 "a host that cannot be told not to poll is no reason to complain"

set_knob policy fixed
set_knob threshold 2000000
losses
work pipe > /dev/null
work nanosleep 1000 1 > /dev/null
lost
# The host itself may take the CPU away between a poll and its reckoning, and each
# time it does is a pause. What counts is that most of the time is polled still.
true_that "1 % may be lost: it goes on polling" "$d_polled_ns > 0.5 * $d_ns"
true_that "and is counted" \
	"$d_stolen_ns >= 0.009 * $d_polled_ns && $d_stolen_ns <= 0.011 * $d_polled_ns"

echo 4 > $percent
sleep 0.1
losses
work -t 3000 -n 1000000 nanosleep 500 1 > /dev/null
lost
true_that "4 % are too much: pauses" "$d_backoffs > 5"
true_that "and hardly any poll between them" "$d_polled_ns < 0.1 * $d_ns"
true_that "pauses grow: few in three seconds, on two CPUs" "$d_backoffs <= 2 * 12"

losses
work -t 3000 -n 1000000 nanosleep 500 1 > /dev/null
lost
true_that "later on one a second, on each CPU" "$d_backoffs > 0 && $d_backoffs <= 2 * 4"
true_that "so hardly anything is polled" "$d_polled_ns < 0.03 * $d_ns"

echo 0 > $percent
sleep 1.1
snapshot
work pipe > /tmp/figures
since
on=$(rounds < /tmp/figures)
true_that "nothing is lost any more: within 1.1 s both CPUs poll as before" \
	"$d_successful >= $on && $d_halts <= 0.05 * $on"

# The last idle period is not over when polling is switched off: neither what was
# polled in it nor what was lost of that is counted.
taskset -pc 0 $$ > /dev/null
cpu1=/sys/devices/system/cpu/cpu1/halt_poll
echo 50 > $percent
# An idle period may end between two readings: what is polled is read first now,
# and last at the end.
polled_ns=$(($(cat $cpu1/success_ns) + $(cat $cpu1/fail_ns))) stolen_ns=$(cat $cpu1/stolen_ns)
set_knob threshold 1000000000
sleep 0.2
set_knob cost 1
set_knob threshold 0
d_stolen_ns=$(($(cat $cpu1/stolen_ns) - stolen_ns))
d_polled_ns=$(($(cat $cpu1/success_ns) + $(cat $cpu1/fail_ns) - polled_ns))
true_that "what is lost is a part of what is polled" "$d_stolen_ns <= $d_polled_ns"
finish
