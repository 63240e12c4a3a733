#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# targets.t - the figures of make bench: what is computed, and what is left out

here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0

# is TEXT GOT EXPECTED: one test
is() {
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# got '$2', expected '$3'"
	fi
}

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

targets() { awk -f "$here/targets" "$@"; }

# row TEXT: verdict and value of that line
row() { awk -v text="$1" 'index($0, text) { print $1, $(NF - 1); exit }'; }

run > "$tmp/run" <<END
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
targets -v dots="$tmp/dots" "$tmp/run" > "$tmp/out"

is "a ratio, met" "$(row 'pipe, default : off' < "$tmp/out")" "ok 0.40"
is "a ratio, missed" "$(row 'pipe, default : fixed-200' < "$tmp/out")" "MISS 1.20"
is "lateness, not time" "$(row '(default - 100) : (off - 100)' < "$tmp/out")" "ok 0.20"
is "another percentile" "$(row '99.9th percentile' < "$tmp/out")" "MISS 1.07"
is "what did not run" "$(row 'tcp, default : off' < "$tmp/out")" "- -"
is "the better of two" "$(row 'pipe, default : better' < "$tmp/out")" "MISS 2.00"
is "a mean of one load" "$(row 'latency loads, default : haltpoll' < "$tmp/out")" "ok 0.50"
is "host CPU for a turn: 24 x .9 to 48 x 1.8" \
	"$(row 'host CPU for a turn' < "$tmp/out")" "ok 0.25"
is "an idle guest, points of a core" "$(row 'idle guest' < "$tmp/out")" "MISS 2.50"
is "a dot for each arm that waited" "$(cut -f 1 "$tmp/dots" | xargs)" \
	"arm off fixed-200 default haltpoll idle=poll"
is "its place" "$(grep '^fixed' "$tmp/dots" | tr '\t' ' ')" "fixed-200 0.3333 0.5556"

targets -v refused="pipe cyclictest" "$tmp/run" > "$tmp/out"
is "a load that was refused" "$(row 'pipe, default : off' < "$tmp/out")" "- -"
is "and another" "$(row '99.9th percentile' < "$tmp/out")" "- -"
is "but no other" "$(row '(default - 100) : (off - 100)' < "$tmp/out")" "ok 0.20"

echo "1..$n"
