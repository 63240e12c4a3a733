#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Which setting --advise says is best, for waits that are made up

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

objects=
for object in stat-advise stat-read stat-util arm reference policies wake_cost; do
	objects="$objects $work/build/$object.o"
done
# shellcheck disable=SC2086 # a list
ok 'it is built' ${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -I"$tools" -I"$tools/include" \
	-o "$work/advise" "$top/tests/stat/advise.c" $objects -lm

# waits COUNT IDLE_US TIMER_US OWN_TIMER: the same on both CPUs
waits()
{
	awk -v n="$1" -v idle="$2" -v timer="$3" -v own="$4" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%d %d000 %d000 %d\n", i % 2, idle, timer, own }'
}

# advised PRICE POLICY THRESHOLD TIMER: from the waits on the standard input
advised()
{
	status=0
	"$work/advise" "$1" >"$work/out" 2>&1 || status=$?
	cat "$work/out"
	is "$status" 0 &&
	is "$(sed -n 's/^sysctl -w kernel.halt_poll_policy=//p' "$work/out")" "$2" &&
	is "$(sed -n 's/^sysctl -w kernel.halt_poll_threshold=//p' "$work/out")" "$3" &&
	is "$(sed -n 's/^sysctl -w kernel.halt_poll_timer=//p' "$work/out")" "$4"
}
advice() { waits "$1" "$2" "$3" "$4" >"$work/waits" && shift 4 && advised "$@" <"$work/waits"; }

# 20 us would do as well, until something is in the way once.
ok 'short waits: the threshold is the price, not just above them' \
	advice 4000 16 4000 0 200000 predictive 200000 -1
ok 'and with another price' advice 4000 16 4000 0 300000 predictive 300000 -1
ok 'waits longer than the price: not to poll' advice 4000 1500 4000 0 200000 '' 0 -1
ok 'a timer a millisecond' advice 4000 1000 1000 1 200000 '' 0 -1
ok 'timers that are nearer than a halt is worth: poll for them' \
	advice 4000 100 100 1 200000 predictive 200000 -1
ok 'but not at a lower price' advice 4000 100 100 1 50000 '' 0 -1
# With as short a window the timer must be what is polled for.
near_timers()
{
	awk 'BEGIN { srand(1); for (i = 0; i < 4000; i++)
		print i % 2, rand() < 0.5 ? "100000 100000 1" : "3000000 4000000 0" }' >"$work/waits"
	advised 200000 predictive 200000 -1 <"$work/waits" &&
	grep -q 'predictive *50us *200us ' "$work/out"
}
ok 'timers are among the cheapest where they are known' near_timers
one_cpu()
{
	{ waits 4000 20 4000 0 | sed 's/^1/0/'; waits 40 9000 9000 1 | sed 's/^0/1/'; } >"$work/waits"
	advised 200000 predictive 200000 -1 <"$work/waits"
}
ok 'one CPU polls, the other has nothing to do' one_cpu
few()
{
	waits 99 16 4000 0 | "$work/advise" 200000 >"$work/out" 2>&1
	is $? 6 && grep -q 'only 99 idle periods' "$work/out"
}
ok 'too few waits: status 6' few
changed()
{
	{ waits 2000 16 4000 0; waits 2000 1500 4000 0; } | "$work/advise" 200000 >"$work/out"
	cat "$work/out"
	grep -q 'first half and the second call for different settings' "$work/out"
}
ok 'a load that changes is said to' changed

done_testing
