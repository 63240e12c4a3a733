#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The histograms, with bars

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

# histogram CPU NAME COUNT...: the first buckets; the others are empty
histogram()
{
	dir=$root/sys/kernel/debug/halt_poll/cpu$1
	mkdir -p "$dir"
	file=$dir/$2_ns_hist
	shift 2
	for bucket in 0 2 4 8 16 32 64 128 256 512 1024 2048; do
		echo "$bucket ${1:-0}"
		[ $# -eq 0 ] || shift
	done >"$file"
}

a_kernel
for cpu in 0 1; do
	histogram $cpu idle 0 0 0 5 50 500 1
	histogram $cpu hit 0 0 0 5 50
	histogram $cpu miss
done

# rows TITLE: the rows below it, blanks made one
rows() { sed -n "/^$1/,/^\$/p" "$work/out" | sed '1d; $d; s/^ *//; s/  */ /g'; }

drawn()
{
	run -H
	is "$status" 0 && is "$(grep -c '^[a-z].*: [0-9]*$' "$work/out")" 3 &&
	is "$(rows 'length of idle' | sed 's/ |.*//')" '8ns-16ns 10
16ns-32ns 100
32ns-64ns 1000
64ns-128ns 2' &&
	is "$(rows 'time polled in hits' | sed 's/ |.*//')" '8ns-16ns 10
16ns-32ns 100' &&
	is "$(rows 'time polled in vain')" ''
}
ok 'the sum of all CPUs, from the first bucket in use to the last' drawn
bars()
{
	# shellcheck disable=SC2046 # four numbers
	set -- $(rows 'length of idle' | sed 's/.*|//' | awk '{ print length }')
	[ "$3" -gt 40 ] && [ "$2" -ge $(($3 / 10)) ] && [ "$2" -le $(($3 / 10 + 1)) ] &&
	is "$1 $4" '1 1' && [ "$(awk 'length > 80' "$work/out")" = '' ]
}
ok 'bars are in proportion, and what is there at all has one' bars
width()
{
	for columns in 50 120; do
		script -qec "stty cols $columns; '$stat' --root '$root' -H" /dev/null \
			</dev/null | tr -d '\r' >"$work/out"
		is "$(awk 'length > most { most = length } END { print most }' "$work/out")" $columns || return
	done
}
ok 'as wide as the terminal' width
interval()
{
	( sleep 0.2; histogram 0 idle 0 0 0 5 50 600 1 ) &
	run -H -i 0.5 -n 1
	wait
	is "$(rows 'length of idle' | sed 's/ |.*//')" '32ns-64ns 100'
}
ok 'of an interval' interval
command_run()
{
	cp -r "$root/sys/kernel/debug/halt_poll/cpu0" "$work/new"
	printf '8 7\n' >"$work/new/hit_ns_hist"
	run -H -- cp "$work/new/hit_ns_hist" "$root/sys/kernel/debug/halt_poll/cpu0/"
	cp "$work/err" "$work/out"
	is "$(rows 'time polled in hits' | sed 's/ |.*//')" '8ns-16ns 2'
}
ok 'of a command' command_run
broken()
{
	echo nonsense >"$root/sys/kernel/debug/halt_poll/cpu1/idle_ns_hist"
	run -H
	is "$status" 1 && grep -q 'cpu1/idle_ns_hist: two numbers are expected, not "nonsense"' "$work/err"
}
ok 'one that is none' broken

done_testing
