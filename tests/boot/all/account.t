#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Polled time is idle time, and none of it is lost
guest=''
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# arm THRESHOLD TIMER: one measurement, in the file of that arm
arm()
{
	set_knob threshold "$1"
	set_knob timer "$2"
	work -t 1500 account | awk '{ print $2 }' >> "/tmp/account-$1-$2"
}

# median FILE
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# spread FILE: highest less lowest
spread() { sort -n "$1" | awk 'NR == 1 { low = $1 } { high = $1 } END { print high - low }'; }

set_knob policy fixed
for _ in 1 2 3 4 5; do
	arm 0 0
	arm 200000 0
	arm 200000 500000
done
off=$(median /tmp/account-0-0)
poll=$(median /tmp/account-200000-0)
timer=$(median /tmp/account-200000-500000)
echo "# idle and tasks' time over wall time: off $off, polling $poll, timers $timer"
true_that "time was polled" "$(count success_ns) + $(count fail_ns) > 1e9"
true_that "timers were run from the poll" "$(count timers) > 1000"
# A share that wanders by itself says nothing.
disturbed=$(awk -v spread="$(spread /tmp/account-0-0)" 'BEGIN { if (spread > 0.04) print "yes" }')
steady "idle and tasks' time cover the wall time with polling as without" \
	"$poll >= $off - 0.04 && $poll <= $off + 0.04"
steady "and with timers run from the poll" \
	"$timer >= $off - 0.04 && $timer <= $off + 0.04"
finish
