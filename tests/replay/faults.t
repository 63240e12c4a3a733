#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Five faults of the haltpoll governor, and what we owe instead
#
# Each is shown to be there in the governor's rule, so that a test that proves
# nothing is found out, and not to be there in ours.

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

# run TRACE OPTION...: replay a made-up trace
run()
{
	trace=$1
	shift
	"$replay" --trace "$trace" "$@" >"$work/rows"
}

# has POLICY EXPRESSION: of its row; idles, hits, burned and idle are its numbers
has()
{
	policy=$1
	expression=$2
	cat "$work/rows"
	for name in idles hits burned_ns idle_ns; do
		number=$(value "$policy" $name <"$work/rows")
		expression=$(printf '%s\n' "$expression" | sed "s/\<$name\>/$number/g")
	done
	holds "$expression"
}

for us in 60 75 95 120 150 195; do
	run constant-$us
	ok "$us us waits: haltpoll hits none and burns half of the time" \
		has haltpoll 'hits == 0 && burned_ns > 0.5 * idle_ns'
	for policy in predictive adaptive; do
		ok "$us us waits: $policy hits all but the first few" \
			has $policy 'hits >= idles - 2'
	done
done

# After waits that bring all windows up to 200 us: 190 us for ours, and some of
# 250 for haltpoll, which only counts what comes after the poll.
for us in 210 300 390; do
	{
		"$replay" --generate constant-190 --count 1000
		"$replay" --generate constant-250 --count 10
		"$replay" --generate constant-$us --count 100000
	} | "$replay" - >"$work/rows"
	ok "$us us waits after shorter ones: haltpoll burns half of the time for ever" \
		has haltpoll 'burned_ns > 0.5 * idle_ns'
	for policy in predictive adaptive; do
		ok "$us us waits after shorter ones: $policy burns below 1 %" \
			has $policy '(burned_ns - 1000 * 190000) < 0.01 * idle_ns'
	done
done

run wait-215
ok '215 us waits, more or less: predictive burns below 1 %' \
	has predictive 'burned_ns < 0.01 * idle_ns'
ok '215 us waits, more or less: adaptive burns below 1 %' \
	has adaptive 'burned_ns < 0.01 * idle_ns'
run wait-215 --threshold 225000
ok '215 us waits, threshold 225 us: predictive hits them' has predictive 'hits >= 0.95 * idles'
ok '215 us waits, threshold 225 us: adaptive hits them' has adaptive 'hits >= 0.95 * idles'

for n in 2 3 4 8; do
	run every-$n
	ok "1 ms in every $n: haltpoll misses some short ones" \
		has haltpoll "hits <= 0.9 * idles * ($n - 1) / $n"
	for policy in predictive adaptive; do
		ok "1 ms in every $n: $policy hits 97 % of the short ones" \
			has $policy "hits >= 0.97 * idles * ($n - 1) / $n"
	done
done

# A halt that adds 170 us to waits of 100: haltpoll sees 270, and never polls.
# Every tenth period ends by an own timer, which tells what a halt adds.
{
	awk 'BEGIN { for (i = 0; i < 20000; i++)
		print i % 10 ? "100000 - other" : "3000000 3000000 timer" }'
} >"$work/dear"
"$replay" --halt-cost 170000 "$work/dear" >"$work/rows"
ok 'wake cost 170 us: haltpoll never polls' has haltpoll 'hits == 0'
ok 'wake cost 170 us: predictive hits all but the first few' has predictive 'hits >= 17900'
ok 'wake cost 170 us: adaptive hits all but the first few' has adaptive 'hits >= 17900'

run timer-100 --cost 30000
ok 'own 100 us timer: haltpoll polls half of the time and more' \
	has haltpoll 'burned_ns > 0.49 * idle_ns'
ok 'own 100 us timer, price 30 us: predictive polls for nothing' has predictive 'burned_ns == 0'
ok 'own 100 us timer, price 30 us: adaptive polls for nothing' has adaptive 'burned_ns == 0'
run timer-100
ok 'own 100 us timer, price 200 us: predictive hits it' has predictive 'hits >= 0.95 * idles'
run timer-4000
ok 'own 4 ms timer: predictive polls for nothing' has predictive 'burned_ns == 0'
ok 'own 4 ms timer: adaptive polls for nothing' has adaptive 'burned_ns == 0'

for trace in idle-4000 idle-20000; do
	for policy in predictive adaptive; do
		run $trace
		ok "$trace: $policy burns below 0.05 %" has $policy 'burned_ns < 0.0005 * idle_ns'
		{
			"$replay" --generate constant-20 --count 2000
			"$replay" --generate "$trace"
		} | "$replay" - >"$work/rows"
		ok "$trace, after a load: $policy burns below 0.05 %" \
			has $policy '(burned_ns - 2000 * 20000) < 0.0005 * idle_ns'
	done
done

# sequence TRACE:COUNT...: replay some made-up traces, one after the other
sequence()
{
	for part; do
		"$replay" --generate "${part%:*}" --count "${part#*:}"
	done | "$replay" - >"$work/rows"
}
for policy in predictive adaptive; do
	sequence idle-4000:1000 constant-25:1000
	ok "ping-pong starts: $policy misses 4 at most" has $policy 'hits >= 996'
	before=$(value $policy burned_ns <"$work/rows")
	sequence idle-4000:1000 constant-25:1000 idle-4000:1000
	ok "ping-pong stops: $policy polls in vain 3 times at most" \
		has $policy "burned_ns - $before <= 3 * 200000"
	sequence every-8:8000 idle-4000:1000
	before=$(value $policy hits <"$work/rows")
	ok "1 ms in every 8, then idle: $policy stops" \
		has $policy "burned_ns <= $before * 20000 + 1003 * 100000"
done

done_testing
