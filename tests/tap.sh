# SPDX-License-Identifier: GPL-2.0-only
# What the tests that run on the host share: a place to work in, and TAP
#
# Sourced first. $top is the repository, $work goes away at the end.
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

LC_ALL=C
export LC_ALL
top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
tests=0 failed=0

# ok WHAT COMMAND...: one test, that COMMAND succeeds; its output is shown if not
ok()
{
	tests=$((tests + 1))
	what=$1
	shift
	if "$@" >"$work/.said" 2>&1; then
		echo "ok $tests - $what"
	else
		failed=$((failed + 1))
		echo "not ok $tests - $what"
		sed 's/^/# /' "$work/.said"
	fi
}

# skip WHAT WHY
skip()
{
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# done_testing: the plan, and whether all is well; the last thing that a test does
done_testing()
{
	echo "1..$tests"
	[ "$failed" -eq 0 ]
}
