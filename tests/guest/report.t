#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# report.t - the table: medians, ratios, and what it refuses to say

# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
here=$top/tests/guest

# rounds: "ARM MEAN_NS..." on standard input to a run's lines, one load
rounds() {
	echo "# kernel 6.12.0, QEMU tcg, 2 CPUs"
	printf 'round\tarm\twork\tn\tmean_ns\tmedian_ns\tp99_ns\tres\tcal\tattempted\tsuccessful\tsuccess_ns\tfail_ns\thalts\n'
	awk -v OFS='\t' '
		{ for (i = 2; i <= NF; i++)
			print i - 1, $1, "pipe", 100, $i, $i, 2 * $i,
				$1 == "off" ? 150 : 0, 50, $1 == "off" ? 0 : 400,
				$1 == "off" ? 0 : 300, 0, 0, 0 }'
}

# row ARM FIELD: of the table, fields counted from the arm's name
row() {
	awk -v arm="$1" -v field="$2" '{ for (i = 1; i <= NF; i++) if ($i == arm) { print $(i + field); exit } }'
}

report() { awk -f "$here/report" "$@"; }
is() { [ "$1" = "$2" ] || { echo "got '$1', expected '$2'"; false; }; }
status() { want=$1; shift; rc=0; "$@" || rc=$?; is "$rc" "$want"; }

printf 'off 100000 110000 90000 105000 95000\non 25000 20000 30000 50000 10000\n' |
	rounds > "$work/good"
report "$work/good" > "$work/table"
ok "median of an odd number of rounds" is "$(row off 1 < "$work/table")" 100.0
ok "spread of the first arm" is "$(row off 2 < "$work/table")" 20
ok "ratio to the first arm" is "$(row on 5 < "$work/table")" 0.25
ok "IPIs a turn: RES and CAL" is "$(row off 6 < "$work/table")" 2.000
ok "polls a turn" is "$(row on 7 < "$work/table")" 4.00
ok "share of hits" is "$(row on 8 < "$work/table")" 75
ok "no hits without polls" is "$(row off 8 < "$work/table")" -
ok "status 0" status 0 report "$work/good"

printf 'off 100000 200000 110000 100000\non 1 2 3 4\n' | rounds > "$work/even"
ok "median of an even number" is \
	"$(report -v max_spread=200 "$work/even" | row off 1)" 105.0

printf 'off 100000 131000 100000 100000 100000\non 20000 20000 20000 20000 20000\n' |
	rounds > "$work/noisy"
ok "31 % of spread: status 3" status 3 report "$work/noisy"
ok "and no figure of any arm" is "$(report "$work/noisy" | row on 1)" ""

{ cat "$work/noisy"; sed '1,2d; s/pipe/tcp/' "$work/good"; } > "$work/mixed"
ok "a quiet load beside a noisy one: status 3" status 3 report "$work/mixed"
ok "and no figure of either" is "$(report "$work/mixed" | grep -c 25.0)" 0

printf 'off 100000 100000\non 20000 20000\n' | rounds > "$work/few"
ok "two rounds are no measurement" status 3 report "$work/few"

: > "$work/empty"
ok "nothing measured: status 2" status 2 report "$work/empty"

sed '3,$s/\t400\t300\t0\t0\t0$/\t-\t-\t-\t-\t-/; 3,$s/\t0\t0\t0\t0\t0$/\t-\t-\t-\t-\t-/' \
	"$work/good" > "$work/without"
ok "a kernel without counters" is "$(report "$work/without" | row on 7)" -

done_testing
