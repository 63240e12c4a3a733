#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is polled, what is counted, and what a wake-up then costs
guest=''
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

for name in idles attempted successful success_ns fail_ns halts timers timer_early_ns \
	stolen_ns backoffs window_ns; do
	is "$(cat /sys/devices/system/cpu/cpu*/halt_poll/$name | grep -cx '[0-9]*')" 2 \
		"each CPU has $name, and it is one number"
done

set_knob policy fixed
snapshot
off=$(work pipe | rounds)
since
is "$d_attempted" 0 "threshold 0: nothing is polled"
is "$d_halts" 0 "threshold 0: nothing is counted"
true_that "threshold 0: each wake-up is an interrupt" "$d_ipis >= 1.5 * $off"
off_per_round="$d_ipis / $off"

# Long enough for a machine that has other things to do as well.
set_knob threshold 5000000
undisturbed pipe
steady "with a threshold each wait is polled" "$d_attempted >= 1.5 * $on"
steady "and nearly each poll is a hit" "$d_successful >= 0.8 * $d_attempted"
true_that "hits are no more than polls" "$d_successful <= $d_attempted"
steady "a wake-up no longer needs an interrupt" "$d_ipis / $on <= 0.2 * $off_per_round"
true_that "the time polled is within the wall time of two CPUs" \
	"$d_success_ns + $d_fail_ns > 0 && $d_success_ns + $d_fail_ns <= 2 * $d_ns"
true_that "hits take less than the window" "$d_success_ns < 5000000 * $d_successful"

true_that "polls are idle periods" "$(count attempted) <= $(count idles)"
# sum HISTOGRAM: over all CPUs
sum() { awk '{ s += $2 } END { printf "%.0f\n", s }' /sys/kernel/debug/halt_poll/cpu*/"$1"; }
hist=$(sum hit_ns_hist) hits=$(count successful)
true_that "each hit is in the histogram of hits" "$hits >= $hist && $hits - $hist < 200"
is "$(awk 'FNR > 1 && $1 != 2 * last && FNR > 2 { bad++ } { last = $1 } END { print bad + 0, FNR }' \
	/sys/kernel/debug/halt_poll/cpu0/idle_ns_hist)" "0 32" "the buckets are powers of two"

# A wait that outlasts the window is a miss, polled for the window and no more: the
# window begins a bucket. A period that is interrupted, by a call of another CPU or
# by the host, is polled for less, because the window counts from its start; that
# is the exception.
misses() { awk '{ all += $2; if ($1 == 65536) its += $2 } END { print all, its }' \
	/sys/kernel/debug/halt_poll/cpu*/miss_ns_hist; }
set_knob threshold 65536
# shellcheck disable=SC2046 # two numbers
set -- $(misses)
snapshot
work -c 1,0 -n 50 nanosleep 20000 1 > /dev/null
since
# shellcheck disable=SC2046
set -- "$1" "$2" $(misses)
true_that "long waits are polled" "$d_attempted >= 50"
true_that "long waits are misses" "$d_attempted - $d_successful >= 50"
true_that "a miss is polled for the window, and less than twice that" \
	"$3 - $1 >= 50 && $4 - $2 >= 0.75 * ($3 - $1)"
true_that "and CPUs halt after it" "$d_halts >= $d_attempted - $d_successful"

# From here on this shell stays on CPU 0, and CPU 1 has nothing to do.
taskset -pc 0 $$ > /dev/null
cpu1=/sys/devices/system/cpu/cpu1/halt_poll

# What is not a wake-up is no hit: a change of a tunable asks each CPU for its
# attention, by setting need_resched where it polls.
echo 1000000000 > /proc/sys/kernel/halt_poll_threshold
sleep 0.2
before=$(cat $cpu1/successful)
i=0
while [ $i -lt 1000 ]; do
	echo $i > /proc/sys/kernel/halt_poll_cost
	i=$((i + 1))
done
after=$(cat $cpu1/successful)
set_knob cost 0
true_that "being asked 1000 times for attention is no hit" "$after - $before < 300"

# A lower threshold ends polls under way: the CPU must halt long before its
# second is over. (With threshold 0 nothing would count its halts.) The counter
# is read, not traced: QEMU has its trouble with code that is patched.
long_poll()
{
	set_knob threshold 0
	# longer than any pause that an earlier loss has led to
	sleep 1.2
	set_knob threshold 1000000000
	sleep 0.1
	polling=$(cat "$cpu1"/halts)
	sleep 0.05
	polled=$(cat "$cpu1"/halts)
	set_knob threshold 1
	sleep 0.3
	ended=$(cat "$cpu1"/halts)
}
few=0
undisturbed long_poll
few=5
steady "a CPU that polls for a second does not halt" "$polled - $polling <= 2"
true_that "a lower threshold ends its poll at once" "$ended - $polled > 2"
taskset -pc 0-1 $$ > /dev/null

dmesg | grep -qi 'halt_poll: not polling'
is $? 1 "nothing alarming in the log"
finish
