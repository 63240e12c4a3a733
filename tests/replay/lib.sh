# SPDX-License-Identifier: GPL-2.0-only
# What the tests of halt-poll-replay share: TAP, and the tool, built afresh
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

LC_ALL=C
export LC_ALL
top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
tests=0
replay=$work/build/halt-poll-replay

# Not with what a make above this test has been given.
unset MAKEFLAGS MFLAGS MAKELEVEL
if ! make -s -C "$top/tools/power/halt-poll" O="$work/build" >"$work/said" 2>&1; then
	sed 's/^/# /' "$work/said"
	echo 'Bail out! halt-poll-replay cannot be built'
	exit 1
fi

# ok WHAT COMMAND...: one test, that COMMAND succeeds; its output is shown if not
ok()
{
	tests=$((tests + 1))
	what=$1
	shift
	if "$@" >"$work/said" 2>&1; then
		echo "ok $tests - $what"
	else
		echo "not ok $tests - $what"
		sed 's/^/# /' "$work/said"
	fi
}

plan()
{
	echo "1..$tests"
}

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
