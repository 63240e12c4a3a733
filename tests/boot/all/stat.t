#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2046 # Perl's own names; words
# halt-poll-stat, halt-poll-record and halt-poll-replay on a live guest
# With a hypervisor that reports no steal there are no pauses in the way, of
# which a replay knows nothing.
guest='--timeout 900 --append halt_poll_stub_steal=1'
stub=yes
[ -n "${GUEST_ACCEL:-}" ] ||
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$(dirname "$0")/../../../tools/power/halt-poll" \
		O="$(cd "$(dirname "$0")/../../.." && pwd)/build/tools" || exit
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"
no_losses
tools=$repo/tools/power/halt-poll
stat=$repo/build/tools/halt-poll-stat
replay=$repo/build/tools/halt-poll-replay
instances=/sys/kernel/tracing/instances

# field FILE EXPRESSION: of Perl, on the JSON in FILE, $d
field() { perl -MJSON::PP -e '$d = decode_json(<STDIN>); print eval($ARGV[0]), "\n"' "$2" < "$1"; }

# Counters, in the tool's words and in the kernel's.
set_knob policy fixed
set_knob threshold 5000000
# Of three intervals, each lies within the next: the load's own, the tool's, and
# the shell's.
cat > /tmp/count << 'END'
for name in idles attempted successful success_ns fail_ns; do
	cat /sys/devices/system/cpu/cpu*/halt_poll/$name | awk -v name=$name '{ s += $1 } END { printf "%s=%.0f\n", name, s }'
done
END
before=$(sh /tmp/count)
"$stat" --json -o /tmp/json -- "$repo/build/work" pipe > /tmp/work
ok $? "--json of a command"
after=$(sh /tmp/count)
column() { awk -F "\t" -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) f = i } NR == 2 { print $f }' /tmp/both; }
{ work header; cat /tmp/work; } > /tmp/both
for name in attempted successful success_ns fail_ns; do
	most=$(printf '%s\n%s\n' "$before" "$after" | awk -F = -v name=$name '$1 == name { v[n++] = $2 } END { printf "%.0f\n", v[1] - v[0] }')
	got=$(field /tmp/json "\$d->{total}{$name}")
	least=$(column $name)
	true_that "$name: no less than the load saw, no more than the kernel counted" \
		"$got >= $least && $got <= $most && $got > 0"
done
is "$(field /tmp/json '$d->{settings}{policy} . " " . $d->{settings}{threshold}')" "fixed 5000000" \
	"the settings in force"
is "$(field /tmp/json 'scalar @{$d->{cpus}}')" 2 "both CPUs"
true_that "no more is polled than there is time" "$(field /tmp/json \
	'$d->{total}{success_percent} + $d->{total}{fail_percent}') <= 100.5"
sed 's/^/# /' /tmp/work

"$stat" -i 0.2 -n 3 > /tmp/table
is "$(grep -c '^all ' /tmp/table)" 3 "a table, three times"
"$stat" -P | grep -q '^halt_poll_idles_total{cpu="1"} [1-9]'
ok $? "Prometheus"
"$stat" -H | grep -q '^ *[0-9a-z]*-[0-9a-z]* *[0-9]* |#'
ok $? "a histogram with bars"
setpriv --reuid 65534 --clear-groups "$stat" -i 0.1 -n 1 > /tmp/table
ok $? "the table takes no root"
setpriv --reuid 65534 --clear-groups "$stat" -H > /tmp/table 2> /tmp/said
is $? 5 "the histogram does"
setpriv --reuid 65534 --clear-groups "$stat" -A 1 > /tmp/table 2> /tmp/said
is $? 5 "advice does"

# A CPU that goes offline keeps its counters.
(sleep 0.3; echo 0 > /sys/devices/system/cpu/cpu1/online; sleep 0.3
	echo 1 > /sys/devices/system/cpu/cpu1/online) &
"$stat" -i 0.2 -n 6 > /tmp/table 2> /tmp/said
ok $? "a CPU goes offline and comes back"
wait
is "$(grep -c '^1 ' /tmp/table)" 6 "and has its row all the time"

# Round trip: a policy that is fed what was recorded has the kernel's own hits.
cat > /tmp/load << END
sh /tmp/count > /tmp/before
"$repo/build/work" pipe
sh /tmp/count > /tmp/after
END
round_trip()
{
	"$tools/halt-poll-record.sh" -t "$1" -o /tmp/rec sh /tmp/load > /tmp/work 2> /tmp/said
	recorded=$?
	kernel=$(cat /tmp/before /tmp/after | awk -F = '$1 == "successful" { v[n++] = $2 } END { print v[1] - v[0] }')
	idles=$(cat /tmp/before /tmp/after | awk -F = '$1 == "idles" { v[n++] = $2 } END { print v[1] - v[0] }')
	hits=0 periods=0
	for trace in /tmp/rec.cpu*; do
		set -- $("$replay" -p "$(get_knob policy)" -t "$(get_knob threshold)" \
			--timer "$(get_knob timer)" "$trace" | tail -n 1)
		periods=$((periods + $2)) hits=$((hits + $3))
	done
	echo "# $idles idle periods, $periods recorded; $kernel hits, $hits replayed"
}
for policy in fixed predictive adaptive; do
	set_knob policy $policy
	set_knob threshold 2000000
	tool='trace-cmd'
	[ $policy != predictive ] || tool=perf
	round_trip $tool
	is "$recorded" 0 "$policy, $tool: a record"
	is "$(grep -c lost: /tmp/said)" 0 "$policy, $tool: without losses"
	true_that "$policy, $tool: all idle periods are in it" "$periods >= $idles"
	# Those before and after the counting are in the record, too.
	true_that "$policy: the hits replayed are those counted, to 1 %" \
		"$hits - $kernel <= 0.01 * $periods + ($periods - $idles) && $kernel - $hits <= 0.01 * $periods"
done
"$tools/halt-poll-record.sh" -o /tmp/rec sh -c 'exit 7' 2> /tmp/said
is $? 7 "a record has the status of its command"
set_knob threshold 0
"$tools/halt-poll-record.sh" 0.1 2> /tmp/said
is $? 6 "without polling there is nothing to record"

# Advice. Nothing of it is left behind.
set_knob policy predictive
"$stat" --advise --price 5000000 -- "$repo/build/work" pipe > /tmp/advice 2> /tmp/said
ok $? "advice while nothing is polled"
sed 's/^/# /' /tmp/advice
is "$(get_knob threshold)" 0 "the threshold is what it was"
is "$(ls $instances)" "" "no tracing instance is left"
sed -n 's/^sysctl -w //p' /tmp/advice > /tmp/settings
sysctl -qw $(cat /tmp/settings)
ok $? "the lines can be set"
is "$(sysctl $(sed 's/=.*//' /tmp/settings) | sed 's/ = /=/')" "$(cat /tmp/settings)" "and are in force"

set_knob threshold 0
"$stat" --advise 60 > /tmp/advice 2> /tmp/said &
pid=$!
i=0
while [ "$(get_knob threshold)" != 1 ] && [ $i -lt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
is "$(get_knob threshold)" 1 "it looks at idle periods with a threshold of 1"
kill -TERM $pid
wait $pid
is $? 143 "SIGTERM ends it"
is "$(get_knob threshold) $(ls $instances)" "0 " "and leaves nothing behind"
finish
