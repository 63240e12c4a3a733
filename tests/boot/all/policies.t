#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The policies: each polls where that pays, and leaves an idle guest alone
guest=''
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

for policy in adaptive predictive; do
	set_knob policy $policy
	set_knob threshold $turn_ns
	undisturbed pipe
	steady "$policy: a ping-pong is polled for, with hits" \
		"$d_successful > 0.5 * $on && $d_successful >= 0.8 * $d_attempted"
	set_knob threshold 200000
	# Both are under way before the first reading: starting a program is work.
	sleep 2 &
	first=$!
	sleep 6 &
	second=$!
	wait $first
	polled
	before_ns=$polled_ns
	wait $second
	polled
	true_that "$policy: an idle guest polls below 0.1 % of its time" \
		"$polled_ns - $before_ns < 0.001 * 2 * 4e9"
done

# Who holds /dev/cpu_dma_latency at 0 is polled for, whatever the policy says.
set_knob threshold 50000
waits()
{
	snapshot
	work -t 1000 nanosleep 5000 1 > /dev/null
	since
	echo "# polled in vain for $d_fail_ns ns"
}
waits
without=$d_fail_ns
exec 9<> /dev/cpu_dma_latency
printf '\000\000\000\000' >&9
undisturbed waits
steady "a latency of 0 that is asked for makes idle periods polled" \
	"$d_fail_ns >= 10 * 50000 && $d_fail_ns > 2 * $without"
exec 9>&-

finish
