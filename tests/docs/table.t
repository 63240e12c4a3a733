#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# table.t - the guide's table of prices is what halt-poll-replay finds

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/docs/lib.sh
. "$(dirname -- "$0")/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
replay=$work/build/halt-poll-replay

# rows: policy, price in us, wake-up later by, burned
rows()
{
	sed -n '/^policy  *price/,/^$/s/^\([a-z]\{1,\}  *[0-9][0-9. ]*\)$/\1/p' "$guide" |
		awk '{ print $1, $2, $3, $4 }' | sort
}

# found: the same, by the command that the guide gives. A halt costs 30 us.
found()
{
	names=$("$replay" --generate list | sed 's/\t.*//; s/ .*//')
	rows | cut -d' ' -f2 | sort -u | while read -r price; do
		for name in $names; do
			"$replay" --threshold 200000 --cost "${price}000" --halt-cost 30000 --trace "$name" |
				sed "s/^/$price	/"
		done
	done | awk -F '\t' '
	$2 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		row = $2 " " $1
		n[row]++
		later[row] += 30 * $at["missed"] / $at["idles"]
		burned[row] += 100 * $at["burned_ns"] / $at["idle_ns"]
	}
	END { for (row in n) printf "%s %.1f %.1f\n", row, later[row] / n[row], burned[row] / n[row] }' |
		sort
}

ok "halt-poll-replay can be built" make -s -C "$top/tools/power/halt-poll" O="$work/build"
rows >"$work/rows"
found >"$work/found"
ok "each row of the table is what the tool finds" eval '
	comm -23 "$work/rows" "$work/found" >"$work/wrong"
	cat "$work/wrong"
	[ -s "$work/rows" ] && [ ! -s "$work/wrong" ]'
# half_is_better: so says the text below the table
half_is_better()
{
	awk '
	$1 == "predictive" && $2 == 100 { later = $3; burned = $4 }
	$1 == "haltpoll" { other_later = $3; other_burned = $4 }
	END { exit !(later && later < other_later && burned < other_burned) }' "$work/rows"
}
ok "half the threshold is quicker than haltpoll, for less" half_is_better
done_testing
