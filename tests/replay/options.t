#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Options, and the forms of a trace

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

# wrong MESSAGE OPTION...: refused with status 2, MESSAGE and no output
wrong()
{
	message=$1
	shift
	"$replay" "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/out" "$work/err"
	[ $status = 2 ] && [ ! -s "$work/out" ] && grep -Fq -e "$message" "$work/err"
}

ok 'help' sh -c "'$replay' --help | grep -q '^Usage: halt-poll-replay'"
ok 'version' sh -c "'$replay' --version | grep -Eq '^halt-poll-replay [0-9.]+\$'"
ok 'no trace' wrong 'one trace is needed'
ok 'two traces' wrong 'one trace is needed' a b
ok 'a file and a made-up trace' wrong 'no file is read' --trace busy file
ok 'two things to do' wrong 'only one of' --trace busy --generate busy
ok 'no such option' wrong 'unrecognized option' --nonsense
ok 'no such policy' wrong 'there is no policy "menu"' --policy menu x
ok 'no such trace' wrong 'there is no trace "slow"' --trace slow
ok 'no such trace to print' wrong 'there is no trace "slow"' --generate slow
ok 'a family without its number' wrong 'there is no trace "constant-"' --trace constant-
ok 'a number without a family' wrong 'there is no trace "busy7"' --trace busy7
ok 'a trace of no length' wrong 'there is no trace "constant-0"' --trace constant-0
ok 'a threshold above a second' wrong '--threshold takes a number' --threshold 1000000001 x
ok 'a negative threshold' wrong '--threshold takes a number' --threshold -1 x
ok 'a threshold that is no number' wrong '--threshold takes a number' -t 5us x
ok 'an empty threshold' wrong '--threshold takes a number' --threshold '' x
ok 'a cost above a second' wrong '--cost takes a number' -c 1000000001 x
ok 'grow 0' wrong '--grow takes a number from 1' --grow 0 x
ok 'grow-start 0' wrong '--grow-start takes a number from 1' --grow-start 0 x
ok 'shrink 1001' wrong '--shrink takes a number from 0 to 1000' --shrink 1001 x
ok 'a loop of one' wrong '--closed-loop takes two numbers' --closed-loop 5
ok 'a seed above 2^64' wrong '--seed takes a number' --seed 18446744073709551616 --trace busy
ok 'no periods' wrong '--count takes a number from 1' --count 0 --trace busy

# rows FORMAT: the rows of the fixed policy for a trace, without the header
rows()
{
	printf '%b' "$1" | "$replay" --policy fixed - | sed 1d
}

# same FORMAT FORMAT: two traces that are the same in different words
same()
{
	one=$(rows "$1") && two=$(rows "$2") && echo "$one" && echo "$two" &&
		[ "$one" ] && [ "$one" = "$two" ]
}

ok 'blanks, tabs and carriage returns' same '20 - other\n' ' \t20\t-  other \r\n'
ok 'comments and empty lines' same '20 - other\n' '# a\n\n  # b\n20 - other # c\n'
ok 'no newline at the end' same '20 - other\n30 40 timer\n' '20 - other\n30 40 timer'
ok 'leading zeros' same '20 - other\n' '00000000000000000000000000020 - other\n'
ok 'a pipe and a file' sh -c "
	'$replay' --generate heavy >'$work/t' && '$replay' '$work/t' >'$work/1' &&
	cat '$work/t' | '$replay' - >'$work/2' && cmp '$work/1' '$work/2'"
ok 'made up on the way, or printed and read' sh -c "
	'$replay' --generate sleepers --seed 7 >'$work/t' && '$replay' '$work/t' >'$work/1' &&
	'$replay' --trace sleepers --seed 7 >'$work/2' && cmp '$work/1' '$work/2'"
ok 'in drops' sh -c "
	'$replay' --generate busy --count 300 >'$work/t' && '$replay' '$work/t' >'$work/1' &&
	dd if='$work/t' bs=7 2>/dev/null | '$replay' - >'$work/2' && cmp '$work/1' '$work/2'"

# Each number of a row is known: 20 us hit, 300 us missed after 200 us.
exact()
{
	row=$(rows '20000 - other\n300000 - other\n200000 200000 timer\n') && echo "$row"
	[ "$row" = "$(printf 'fixed\t3\t2\t420000\t520000\t1\t620000\t420000\t460000\t20000')" ]
}
ok 'a row, to the ns' exact

header()
{
	[ "$("$replay" --trace busy --count 9 | head -n 1)" = "$(printf '%s\t' policy idles hits \
		burned_ns idle_ns missed cost_ns clairvoyant_ns best_fixed_ns)best_fixed_window_ns" ]
}
ok 'the header' header
ok 'all policies, ours first' sh -c "
	'$replay' --trace busy | cut -f 1 | sed 1d | tr '\n' ' ' |
	grep -qx 'predictive adaptive fixed haltpoll kvm '"
ok 'lengths up to 2^64 - 1' sh -c "
	printf '%s\n' '18446744073709551615 18446744073709551615 timer' '9223372036854775808 - other' |
	'$replay' --halt-cost 1000000000 - | grep -q '^predictive	2	0	0	'"
ok 'threshold 0' sh -c "'$replay' -t 0 --trace busy | grep -q '^predictive	100000	0	0	'"
ok 'threshold 1 s' sh -c "'$replay' -t 1000000000 --trace constant-900000 --count 1000 |
	awk '/^predictive/ { exit !(\$3 >= 998) }'"
ok 'three million periods in 16 MB' sh -c "
	ulimit -v 16384
	'$replay' --generate busy --count 3000000 | '$replay' - | grep -q '^predictive	3000000	'"

# The traces are what other figures rest on: they stay as they are.
same_traces()
{
	for name in $("$replay" --generate list | cut -f 1); do
		printf '%s %s\n' "$name" "$("$replay" --generate "$name" --count 20000 | cksum)"
	done >"$work/sums"
	cat "$work/sums"
	cmp "$work/sums" "$top/tests/replay/traces.cksum"
}
ok 'made-up traces are the same everywhere' same_traces
ok 'another seed, another trace' sh -c "
	'$replay' --generate busy --seed 2 >'$work/2'; '$replay' --generate busy >'$work/1'
	! cmp -s '$work/1' '$work/2'"

done_testing
