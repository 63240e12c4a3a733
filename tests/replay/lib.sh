# SPDX-License-Identifier: GPL-2.0-only
# What the tests of halt-poll-replay share: TAP, and the tool, built afresh
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
replay=$work/build/halt-poll-replay

# Not with what a make above this test has been given.
unset MAKEFLAGS MFLAGS MAKELEVEL
if ! make -s -C "$top/tools/power/halt-poll" O="$work/build" >"$work/said" 2>&1; then
	sed 's/^/# /' "$work/said"
	echo 'Bail out! halt-poll-replay cannot be built'
	exit 1
fi

# value POLICY COLUMN: from the rows on the standard input
value()
{
	awk -F '\t' -v policy="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $1 == policy { print $at[column] }'
}

# holds EXPRESSION: of numbers, in awk's words
holds()
{
	awk "BEGIN { exit !($1) }" </dev/null || { echo "does not hold: $1"; return 1; }
}
