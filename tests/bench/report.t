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

# Advice. COST is all halts, of 1000 ns each: "ARM LOAD HALTS", three rounds as above.
advice() {
	awk -v OFS='\t' '{
		if ($2 != load) {
			load = $2
			print "# " load ", second advice: threshold=" NR
			print "# kernel 6.12.0"
			print "round", "arm", "work", "n", "mean_ns", "success_ns", "fail_ns", "halts"
		}
		for (round = 1; round <= 3; round++) {
			f = round == 1 ? .9 : round == 2 ? 1.1 : 1
			print round, $1, load, 10, 5000, 100, 200, $3 * (load ~ /^unsure/ ? f : 1)
		}
	}' > "$work/advice"
	"$here/advise-report" 1000 "$work/advice" > "$work/text"
}
# told: verdict, the best of the sweep, ratio and interval, of each load
told() { sed -n 's/^ *\([^ ]*\) *advised : best of the sweep (\(.*\)) \(.*\), at most 1.10/\1 \2 \3/p' "$work/text"; }

advice <<END
advised pipe 100
off pipe 400
fixed pipe 95
END
is "advice that is nearly the best: status 0" $? 0
is "cost of it over the best of the others: 100300 to 95300" "$(told)" "ok fixed 1.05 (1.05-1.05)"
is "polled, halts and cost of a turn" "$(awk '$1 == "off" { print $2, $3, $4, $5 }' "$work/text")" \
	"5.0 0.0 40.000 40.0"
is "what was advised" "$(head -n 1 "$work/text")" "pipe, second advice: threshold=1"
advice <<END
advised pipe 120
off pipe 100
advised unsure 100
off unsure 95
END
is "advice that is not: status 1" $? 1
is "is a miss, and the other load is told as well" "$(told | cut -d ' ' -f 1-3 | xargs)" \
	"MISS off 1.20 ok off 1.05"
advice <<END
advised pipe 100
off pipe 100
END
sed -i '/^2.off/s/1000*$/80/; /^3.off/s/1000*$/125/' "$work/advice"
"$here/advise-report" 1000 "$work/advice" > "$work/text"
is "what cannot be told: status 3" $? 3
is "and its interval" "$(told)" "? off 1.00 (0.80-1.25)"

done_testing
