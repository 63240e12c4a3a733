#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# report.t - the report of make bench: what is computed, and what cannot be told

# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
here=$top/tests/bench

/usr/bin/python3 -c 'import numpy' 2>/dev/null || {
	echo '1..0 # SKIP needs python3-numpy'
	exit 0
}

same() { [ "$1" = "$2" ] || { echo "got '$1', expected '$2'"; false; }; }

# is TEXT GOT EXPECTED: one test
is() { ok "$1" same "$2" "$3"; }

# run: "ARM WORK MEAN_US P999_US HOST_PERCENT" on standard input to a run of
# three rounds, in which the middle one is what it says
run() {
	echo "# kernel 6.12.0, QEMU tcg, 2 CPUs"
	printf 'round\tarm\twork\tn\tmean_ns\tmedian_ns\tp99_ns\tp999_ns\tres\tcal\tattempted\tsuccessful\ttimers\tpoll_state\thost_ns\twall_ns\n'
	awk -v OFS='\t' '{
		for (round = 1; round <= 3; round++) {
			f = round == 1 ? .9 : round == 2 ? 1.1 : 1
			print round, $1, $2, 100, $3 * 1000 * f, 1, 1, $4 * 1000 * f, 0, 0,
				0, 0, 0, 0, $3 * 1000 * f * $5, $3 * 100000 * f
		}
	}'
}

# report: of the run on standard input, in $work/out; what it printed in $work/text
report() { mkdir -p "$work/out" && cat > "$work/out/bench.tsv" && "$here/report" "$work/out" > "$work/text"; }

# row TEXT: verdict and value of that target
row() { awk -v text="$1" 'index($0, "  Targets") { on = 1 }
	on && (at = index($0, text)) {
		verdict = $1
		split(substr($0, at + length(text)), rest, " ")
		print verdict, rest[1]
		exit
	}' "$work/text"; }

# cell WORK ARM FIELD: of the table, fields counted from the arm's name
cell() { awk -v work="$1" -v arm="$2" -v field="$3" '
	/^[a-z]/ { is = $1 == work }
	is { for (i = 1; i <= 2; i++) if ($i == arm) { print $(i + field); exit } }' "$work/text"; }

run > "$work/run" <<END
off pipe 60 100 60
fixed-200 pipe 20 50 100
default pipe 24 50 90
haltpoll pipe 48 60 180
idle=poll pipe 12 60 200
off nanosleep-100-50000 260 300 40
default nanosleep-100-50000 132 200 80
off cyclictest 100 150 30
default cyclictest 30 160 30
off idle 1000 1000 2
default idle 1000 1000 4.5
END
report < "$work/run"
is "all is told: status 0" $? 0

is "a ratio, met" "$(row 'pipe, default : off')" "ok 0.40"
is "a ratio, missed" "$(row 'pipe, default : fixed-200')" "MISS 1.20"
is "lateness, not time" "$(row '(default - 100) : (off - 100)')" "ok 0.20"
is "another percentile" "$(row '99.9th percentile, default : off')" "MISS 1.07"
is "what did not run" "$(row 'tcp, default : off')" "- -"
is "the better of two" "$(row 'pipe, default : better of haltpoll, idle=poll')" "MISS 2.00"
is "a mean of one load" "$(row 'latency loads, default : haltpoll')" "ok 0.50"
is "host CPU for a turn: 24 x .9 to 48 x 1.8" \
	"$(row 'host CPU for a turn, geometric mean, default : haltpoll')" "ok 0.25"
is "an idle guest, points of a core" "$(row 'idle guest, default less off, % of a core')" "MISS 2.50"
is "a dot for each arm that waited" "$(cut -f 1 "$work/out/cost.tsv" | xargs)" \
	"arm off fixed-200 default haltpoll idle=poll"
is "its place" "$(grep '^fixed' "$work/out/cost.tsv" | tr '\t' ' ')" "fixed-200 0.3333 0.5556"
is "time of a turn, median of the rounds" "$(cell pipe default 1)" 24.0
is "p99.9" "$(cell pipe default 3)" 50.0
is "ratio, and its interval" "$(cell pipe default 4) $(cell pipe default 5)" "0.40 0.40-0.40"
is "the same for a machine" "$(/usr/bin/python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
print(found["rounds"], found["works"]["pipe"]["default"]["time_ratio"]["median"],
      [t["verdict"] for t in found["targets"] if t["target"] == "tcp, default : off"][0])
' "$work/out/report.json")" "3 0.4 -"
is "a page that needs no other file" \
	"$(grep -c -e '<td>pipe</td><td>off</td>' "$work/out/report.html") $(grep -cE '(src|href)=.(http|[a-z]+\.)' "$work/out/report.html")" "1 0"

# An arm that is quick in one round and slow in the next, against one that is not.
awk -F '\t' -v OFS='\t' '$2 == "default" && $3 == "pipe" {
	$5 = $1 == 1 ? 12000 : $1 == 2 ? 24000 : 36000 } { print }' "$work/run" > "$work/unsure"
report < "$work/unsure"
is "what cannot be told: status 3" $? 3
is "is said" "$(row 'pipe, default : off')" "? 0.40"
is "with its interval" "$(cell pipe default 5)" "0.22-0.60"
is "and the others are told" "$(row '(default - 100) : (off - 100)')" "ok 0.20"

grep -v '^3' "$work/run" > "$work/two"
report < "$work/two"
is "two rounds are no measurement" "$(row 'pipe, default : off')" "- -"

sed '/^2.default.pipe/d' "$work/run" > "$work/hole"
report < "$work/hole"
is "nor is an arm that lacks one" "$(row 'pipe, default : off') $(row 'pipe, fixed-200 : off')" "- - ok 0.33"

head -n 2 "$work/run" > "$work/none"
report < "$work/none" 2> "$work/err"
is "nothing measured: status 1" $? 1
is "and said" "$(cat "$work/err")" "report: no figures"

done_testing
