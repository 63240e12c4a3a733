#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tunables, hotplug and load all at once; the kernel panics if it must warn
guest='--timeout 400'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

start=$(now_ns)
hackbench -p -l 100000 > /dev/null 2>&1 &
load=$!
work -t 60000 pipe > /dev/null 2>&1 &
other=$!

# A thousand changes of the threshold, on and off among them.
i=0
while [ $i -lt 1000 ]; do
	echo $((i % 7 * 50000)) > /proc/sys/kernel/halt_poll_threshold || break
	i=$((i + 1))
done
is $i 1000 "the threshold is changed 1000 times under load"

i=0
while [ $i -lt 300 ]; do
	for policy in fixed adaptive predictive; do
		echo $policy > /proc/sys/kernel/halt_poll_policy || break 2
		echo $((i % 3 * 100000)) > /proc/sys/kernel/halt_poll_timer || break 2
		echo $((i % 2)) > /proc/sys/kernel/halt_poll_cost || break 2
	done
	i=$((i + 1))
done
is $i 300 "the policy, the timer and the cost are changed with it"

# Hotplug in the middle, with CPUs that would poll for a second.
cpu=/sys/devices/system/cpu/cpu1
echo 1000000000 > /proc/sys/kernel/halt_poll_threshold
echo fixed > /proc/sys/kernel/halt_poll_policy
kill $other $load 2> /dev/null
wait
sleep 0.2
seen=$(cat "$cpu"/halt_poll/attempted)
i=0
while [ $i -lt 20 ]; do
	echo 0 > $cpu/online || break
	[ -r $cpu/halt_poll/attempted ] || break
	echo $((i % 2 * 1000000000)) > /proc/sys/kernel/halt_poll_threshold
	echo 1 > $cpu/online || break
	i=$((i + 1))
done
is $i 20 "a CPU that polls goes off line and comes back 20 times"
true_that "its counters are kept" "$(cat "$cpu"/halt_poll/attempted) >= $seen && $seen > 0"

echo $turn_ns > /proc/sys/kernel/halt_poll_threshold
again()
{
	before=$(cat "$cpu"/halt_poll/successful)
	on=$(work pipe | rounds)
	after=$(cat "$cpu"/halt_poll/successful)
}
undisturbed again
steady "it polls again after that" "$after - $before > 0.5 * $on"

for c in 0 1; do
	dir=/sys/devices/system/cpu/cpu$c/halt_poll
	# In this order: the counters go on counting.
	successful=$(cat $dir/successful) attempted=$(cat $dir/attempted)
	time_ns=$(($(cat $dir/success_ns) + $(cat $dir/fail_ns)))
	true_that "CPU $c: hits are no more than polls" "$successful <= $attempted"
	true_that "CPU $c: the time polled is within the wall time" \
		"$time_ns <= $(now_ns) - $start && $time_ns > 0"
done
finish
