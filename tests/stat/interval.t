#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016 # Perl and another shell expand what is in single quotes
# A line an interval: the table, its head, the terminal's width; JSON

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

head='halt_poll: policy=predictive threshold=200000 cost=0 grow=2 grow_start=2000 shrink=2 timer=0'

a_kernel
table()
{
	run -i 0.05 -n 3
	is "$status" 0 && is "$(head -n 1 "$work/out")" "$head" &&
	is "$(grep -c '^halt_poll: ' "$work/out")" 1 &&
	is "$(grep -c '^cpu .* idles/s .* backoffs$' "$work/out")" 1 &&
	is "$(awk 'NR > 2 { print $1 }' "$work/out" | xargs)" '0 1 10 all 0 1 10 all 0 1 10 all' &&
	is "$(awk 'NR > 2 { print NF }' "$work/out" | sort -u)" 11 &&
	is "$(cat "$work/err")" ''
}
ok 'a row a CPU and one for all, each interval, under one head' table

plain()
{
	is "$(tr -d '\n -~' <"$work/out")" '' || return
	# Whoever reads must not wait for the end.
	"$stat" --root "$root" -i 0.05 >"$work/out" &
	pid=$!
	sleep 0.5
	kill $pid
	wait $pid
	grep -q '^all' "$work/out"
}
ok 'not on a terminal: plain, and each interval at once' plain

changes()
{
	( sleep 0.3; settings policy=fixed threshold=50000 ) &
	run -i 0.1 -n 8
	wait
	is "$(grep -c '^halt_poll: ' "$work/out")" 2 &&
	is "$(grep -c '^cpu ' "$work/out")" 2 &&
	grep -qx 'halt_poll: policy=fixed threshold=50000 cost=0 .*' "$work/out"
}
ok 'changed settings are shown again' changes
off()
{
	settings threshold=0
	run -i 0.01 -n 1
	grep -qx 'halt_poll: polling is off, and nothing is counted' "$work/out" || return
	settings timer=1000
	run -i 0.01 -n 1
	! grep -q 'polling is off' "$work/out"
}
ok 'polling that is off is said to be' off

a_kernel
json_lines()
{
	( sleep 0.25; counts 1 attempted=901 successful=801 ) &
	run --json --interval 0.1 --count 5
	wait
	is "$(wc -l <"$work/out")" 5 && is "$(json 'scalar @d')" 5 &&
	is "$(json '$s += $_->{total}{attempted} for @d; $s')" 1 &&
	is "$(json '$s += @{$_->{cpus}} for @d; $s')" 15 &&
	is "$(json 'scalar grep { $_->{elapsed_ns} >= 50_000_000 } @d')" 5 &&
	is "$(json 'scalar grep { $_->{time} > 1_000_000_000 } @d')" 5
}
ok 'JSON: an object an interval' json_lines
hostile()
{
	settings 'policy=a"b\c'
	run -j -i 0.01 -n 1
	is "$(json '$d[0]{settings}{policy}')" 'a"b\c'
}
ok 'JSON: quotes are quoted' hostile

# on_terminal COLUMNS ARGUMENTS: the tool on a terminal so wide
on_terminal()
{
	columns=$1
	shift
	script -qec "stty cols $columns; '$stat' --root '$root' $*" /dev/null \
		</dev/null | tr -d '\r' >"$work/out"
	sed 's/\x1b\[[0-9;]*m//g' "$work/out" >"$work/text"
	cat -A "$work/out"
	[ -s "$work/text" ]
}
widest() { awk 'length > most { most = length } END { print most + 0 }' "$work/text"; }

a_kernel
fits()
{
	for columns in 30 40 60 80 100 200; do
		on_terminal $columns -i 0.01 -n 1 || return
		[ "$(widest)" -le "$columns" ] || { echo "$(widest) of $columns"; return 1; }
	done
}
ok 'on a terminal no line is wider than it' fits
all_columns()
{
	on_terminal 200 -i 0.01 -n 1
	grep -q backoffs "$work/text" || return
	on_terminal 50 -i 0.01 -n 1
	grep -q 'hit%' "$work/text" && ! grep -q backoffs "$work/text"
}
ok 'a narrow one goes without the last columns' all_columns
bold()
{
	on_terminal 80 -i 0.01 -n 1
	grep -q "$(printf '\033\\[1mcpu')" "$work/out"
}
ok 'the head stands out there' bold

done_testing
