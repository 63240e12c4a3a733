#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The text that node_exporter's textfile collector takes

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

# well_formed: what the format demands, of the standard input
well_formed()
{
	awk '
	function bad(why) { print NR ": " why ": " $0; failed = 1 }
	/^# HELP / { if (NF < 4 || $3 in help) bad("HELP"); help[$3]; next }
	/^# TYPE / {
		if (!($3 in help) || $3 in type) bad("TYPE")
		if ($4 != "counter" && $4 != "gauge") bad("no such type")
		if (($4 == "counter") != ($3 ~ /_total$/)) bad("_total is for counters")
		type[$3] = $4; family = $3; next
	}
	/^#/ || /^$/ { bad("neither HELP nor TYPE"); next }
	{
		if ($0 !~ /^[a-z_:][a-z0-9_:]*(\{[a-z_][a-z0-9_]*="([^"\\]|\\["\\n])*"\})? [0-9]+(\.[0-9]+)?$/) bad("form")
		name = $0; sub(/[{ ].*/, "", name)
		if (name != family) bad("not below its TYPE")
		key = $0; sub(/ [^ ]*$/, "", key)
		if (key in seen) bad("twice")
		seen[key]; samples++
	}
	END {
		if (!samples) bad("no samples")
		for (name in help) if (!(name in type)) bad("no TYPE of " name)
		exit failed
	}'
}

a_kernel
counts 10 success_ns=12345678901
text()
{
	run -P
	is "$status" 0 && well_formed <"$work/out" &&
	is "$(tail -c 1 "$work/out" | od -An -c | tr -d ' ')" '\n' &&
	is "$(grep -c '^halt_poll_attempted_total{cpu="[0-9]*"} 900$' "$work/out")" 3 &&
	grep -qx 'halt_poll_success_seconds_total{cpu="10"} 12.345678901' "$work/out" &&
	grep -qx 'halt_poll_window_seconds{cpu="0"} 0.000200000' "$work/out" &&
	grep -qx 'halt_poll_threshold_seconds 0.000200000' "$work/out" &&
	grep -qx 'halt_poll_grow 2' "$work/out" &&
	grep -qx 'halt_poll_policy_info{policy="predictive"} 1' "$work/out"
}
ok 'all counters and tunables, well formed' text
every_counter()
{
	for name in idles attempted successful success_seconds fail_seconds halts timers \
		timer_early_seconds stolen_seconds backoffs; do
		is "$(grep -c "^halt_poll_${name}_total{" "$work/out")" 3 || return
	done
}
ok 'each counter of each CPU' every_counter
labels()
{
	settings 'policy=a"b\c'
	run -P
	well_formed <"$work/out" && grep -qF 'policy="a\"b\\c"' "$work/out"
}
ok 'quotes in a label' labels

a_kernel
mkdir "$work/collector"
prom=$work/collector/halt_poll.prom
to_file()
{
	(umask 022 && run -P -o "$prom") &&
	well_formed <"$prom" && is "$(stat -c %a "$prom")" 644 &&
	is "$(find "$work/collector" -type f)" "$prom"
}
ok 'to a file' to_file

# Whoever reads finds all of it, each time, and the tool goes on writing it.
atomic()
{
	"$stat" --root "$root" -P -i 0.001 -o "$prom" &
	pid=$!
	lines=$(wc -l <"$prom")
	i=0
	while [ $i -lt 300 ]; do
		is "$(wc -l <"$prom")" "$lines" || break
		i=$((i + 1))
	done
	written=$(stat -c %i "$prom")
	sleep 0.2
	later=$(stat -c %i%z "$prom")
	kill $pid
	wait $pid
	[ $i = 300 ] && [ "$written" != "$later" ] &&
	is "$(find "$work/collector" -type f)" "$prom"
}
ok 'which is never half written' atomic
unwritable()
{
	run -P -o "$work/none/file"
	is "$status" 1 && grep -q 'none/file: No such file' "$work/err" || return
	mkdir -p "$work/collector/folder"
	run -P -o "$work/collector/folder"
	is "$status" 1 && is "$(find "$work/collector" -type f)" "$prom"
}
ok 'or the reason why not, and nothing left behind' unwritable
repeated()
{
	run -P -i 0.01 -n 3
	is "$(grep -c '^# TYPE halt_poll_idles_total' "$work/out")" 3
}
ok 'as often as one likes' repeated

done_testing
