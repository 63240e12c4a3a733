#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# loads.t - each load of make bench says what it took, here on the host

# shellcheck disable=SC2016 # evaluated later
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cd "$top" || exit 1
make -s build/work || exit 1
build/work header >"$work/header"

# figures LINE: the load's line has a number of turns, and its percentiles in order
figures()
{
	rc=0
	# shellcheck disable=SC2086 # a name and its arguments
	build/work -t 60 $1 >"$work/line" || rc=$?
	[ $rc -eq 0 ] || return $rc
	awk -F '\t' '
	NR == FNR { for (i = 1; i <= NF; i++) col[$i] = i; fields = NF; next }
	{
		print
		lines++
		good = NF == fields && $col["n"] >= 1 && $col["median_ns"] > 0 &&
			$col["median_ns"] <= $col["p99_ns"] && $col["p99_ns"] <= $col["p999_ns"] &&
			$col["mean_ns"] > 0 && $col["mean_ns"] <= 1e10
	}
	END { exit lines != 1 || !good }' "$work/header" "$work/line"
}

sed '/^#/d' tests/bench/works tests/bench/works-full >"$work/loads"
while read -r line; do
	case $line in
	*run-fio)
		# fio is for a guest's disk in memory, and must leave this machine's alone.
		ok "$line: is not run on a host" eval 'figures "$line"; [ $? -eq 77 ]'
		;;
	*) ok "$line" figures "$line" ;;
	esac
	cut -f 1 "$work/line" >>"$work/names"
done <"$work/loads"
ok "each has a name of its own" eval '[ -z "$(sort "$work/names" | sed "/^$/d" | uniq -d)" ]'

# members RING N: how many processes there are beside the first
members()
{
	build/work -n 100000000 -t 3000 "$1" "$2" >/dev/null &
	sleep 1
	pgrep -cP $!
	wait $!
}
for ring in pipe-ring futex-ring; do
	ok "$ring: as many processes as it says" eval '[ "$(members $ring 8)" -eq 7 ]'
done
# On one CPU each is preempted by the next one that it wakes, where it might miss the end.
ends()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		timeout 20 build/work -c 0,0 -t 1 "$1" 16 || return
	done
}
for ring in pipe-ring futex-ring; do
	ok "$ring: comes to its end, twenty times on one CPU" ends $ring
done
ok "a ring of one is none" eval '! build/work pipe-ring 1'
ok "requests come at their rate, not faster" eval '
	build/work -t 500 request redis tests/bench/serve-redis 6379 100 | cut -f 2 >"$work/n"
	cat "$work/n"
	[ "$(cat "$work/n")" -le 51 ] && [ "$(cat "$work/n")" -ge 2 ]'
ok "a server that does not come up is said to" eval '
	build/work -t 50 request none /bin/false 1 100 2>&1 | grep -q "nobody listens to port 1"'
done_testing
