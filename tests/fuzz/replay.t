#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# halt-poll-replay's reader and the policies on whatever libFuzzer thinks of
#
# FUZZ_SECONDS=20. A run that found something leaves its input in build/fuzz.

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
tools=$top/tools/power/halt-poll
policies=$top/kernel/halt_poll
found=$top/build/fuzz
seconds=${FUZZ_SECONDS:-20}
mkdir -p "$found" "$work/corpus"

# target POLICIES FILE: with the policies of that directory
target()
{
	clang -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -Wno-unused-parameter -I "$tools/include" -o "$2" \
		"$top/tests/fuzz/replay.c" "$tools/trace.c" "$tools/arm.c" \
		"$tools/reference.c" "$1/policies.c" "$policies/wake_cost.c"
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

ok "the reader and the policies are built with sanitizers" target "$policies" "$work/fuzz"
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
	cp "$policies"/*.h "$policies"/polic*.c "$broken" &&
		sed -i 's/^\treturn tunables->threshold_ns;/\treturn tunables->threshold_ns + 1;/' \
			"$broken/policy_fixed.c" &&
		! cmp -s "$policies/policy_fixed.c" "$broken/policy_fixed.c" || return
	target "$broken" "$work/broken" || return
	! (cd "$work" && ./broken -seed=1 -runs=20000 -artifact_prefix="$work/" corpus > "$work/b" 2>&1) &&
		grep 'wrong: window longer than the threshold' "$work/b"
}
broken=$work/kernel/halt_poll
mkdir -p "$broken"
ok "a window of one more is found" broken
done_testing
