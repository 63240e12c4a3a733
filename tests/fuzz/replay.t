#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# halt-poll-replay's reader and the policies on whatever libFuzzer thinks of
#
# FUZZ_SECONDS=20. A run that found something leaves its input in build/fuzz.

repo=$(cd "$(dirname "$0")/../.." && pwd)
tools=$repo/tools/power/halt-poll
policies=$repo/kernel/halt_poll
found=$repo/build/fuzz
seconds=${FUZZ_SECONDS:-20}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$found" "$work/corpus"
tests=0 failed=0

ok()
{
	tests=$((tests + 1))
	what=$1
	shift
	if "$@" > "$work/said" 2>&1; then
		echo "ok $tests - $what"
	else
		failed=$((failed + 1))
		echo "not ok $tests - $what"
		tail -n 40 "$work/said" | sed 's/^/# /'
	fi
}

build()
{
	clang -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -Wno-unused-parameter -I "$tools/include" -o "$work/fuzz" \
		"$repo/tests/fuzz/replay.c" "$tools/trace.c" "$tools/arm.c" \
		"$tools/reference.c" "$policies/policies.c" "$policies/wake_cost.c"
}

# seed NAME TRACE: an input, of tunables that are at home and a trace
seed()
{
	{ printf '\100\015\003\000\000\000\000\000\001\000\000\000\320\007\000\000\002\000\000\000\120\303\000\000'
		printf '%b' "$2"; } > "$work/corpus/$1"
}

fuzz()
{
	(cd "$work" && ./fuzz -seed=1 -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
		-dict="$work/words" -artifact_prefix="$found/" corpus)
}

# enough: that many inputs were tried, or the run was for nothing
enough()
{
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/report")
	echo "runs: $runs"
	[ "${runs:-0}" -gt 2000 ]
}

ok "the reader and the policies are built with sanitizers" build
seed plain '100000 - other\n200 4000000 timer\n'
seed columns '# trace\n5000 10000 timer # far\n\n70000 - other\n1 18446744073709551615 other\n'
cat > "$work/words" << 'END'
"18446744073709551615"
"18446744073709551616"
"1 timer"
"- other"
"#"
"\x0d\x0a"
"\x00"
END
fuzz > "$work/report" 2>&1
rc=$?
ok "nothing crashes, hangs or breaks a rule in $seconds s" test $rc -eq 0
[ $rc -eq 0 ] || tail -n 40 "$work/report" | sed 's/^/# /'
ok "thousands of inputs were tried" enough
grep '^stat::\(number\|average\)' "$work/report" | sed 's/^/# /'

# A check that finds nothing must be able to.
broken()
{
	sed 's/^\treturn tunables->threshold_ns;/\treturn tunables->threshold_ns + 1;/' \
		"$policies/policy_fixed.c" > "$work/policy_fixed.c"
	! cmp -s "$policies/policy_fixed.c" "$work/policy_fixed.c" || return
	cp "$policies"/*.h "$policies"/polic*.c "$work/src/kernel/halt_poll/"
	cp "$work/policy_fixed.c" "$work/src/kernel/halt_poll/"
	clang -std=gnu11 -O1 -fsanitize=fuzzer -Wno-unused-parameter -I "$tools/include" -o "$work/broken" \
		"$repo/tests/fuzz/replay.c" "$tools/trace.c" "$tools/arm.c" "$tools/reference.c" \
		"$work/src/kernel/halt_poll/policies.c" "$policies/wake_cost.c" || return
	! (cd "$work" && ./broken -seed=1 -runs=20000 -artifact_prefix="$work/" corpus > "$work/b" 2>&1) &&
		grep 'wrong: window longer than the threshold' "$work/b"
}
mkdir -p "$work/src/kernel/halt_poll"
ok "a window of one more is found" broken
echo "1..$tests"
[ "$failed" -eq 0 ]
