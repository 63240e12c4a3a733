#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# halt-poll-record - record the idle periods of this guest, for halt-poll-replay
#
# Usage: halt-poll-record [OPTION...] [SECONDS]
#        halt-poll-record [OPTION...] [--] COMMAND [ARGUMENT...]
#
#   -o FILE    write FILE.cpu0, FILE.cpu1 and so on (halt-poll.trace)
#   -t TOOL    trace-cmd or perf (trace-cmd where there is one)
#   -k         keep what the tool has recorded, as FILE.dat
#   -h         this
#
# For SECONDS (10), or while COMMAND runs. Needs root.
# Status: that of COMMAND; 1 failed, 2 wrong usage, 3 no halt polling in this
# kernel, 4 tracefs is not mounted, 5 needs more rights, 6 nothing was recorded.

set -u

die() { status=$1; shift; echo "halt-poll-record: $*" >&2; exit "$status"; }
usage() { sed -n '/^# Usage/,/^$/s/^# \{0,1\}//p' "$0"; }

file=halt-poll.trace tool='' keep=''
while getopts o:t:kh option; do
	case $option in
	o) file=$OPTARG ;;
	t) tool=$OPTARG ;;
	k) keep=y ;;
	h) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))

# No command is a number.
case ${1-10} in
*[!0-9.]* | '' | . | *.*.*) ;;
*)
	[ $# -le 1 ] || die 2 "SECONDS or a command, not both"
	set -- sleep "${1-10}"
	;;
esac

if [ -z "$tool" ]; then
	tool=perf
	! command -v trace-cmd > /dev/null || tool="trace-cmd"
fi
case $tool in
trace-cmd | perf) ;;
*) die 2 "-t takes trace-cmd or perf, not \"$tool\"" ;;
esac
command -v "$tool" > /dev/null || die 1 "there is no $tool: install trace-cmd or perf"

[ -e /sys/devices/system/cpu/cpu0/halt_poll ] || {
	[ -e /sys/devices ] || die 4 "sysfs is not mounted on /sys"
	die 3 "this kernel does not know halt polling. It takes a kernel with CONFIG_HALT_POLL"
}
[ "$(id -u)" -eq 0 ] || die 5 "recording needs root"
event=events/halt_poll/halt_poll_idle
[ -e /sys/kernel/tracing/$event ] || [ -e /sys/kernel/debug/tracing/$event ] ||
	die 4 "there is no /sys/kernel/tracing/$event: is tracefs mounted?"
if [ "$(cat /proc/sys/kernel/halt_poll_threshold)" = 0 ] &&
	[ "$(cat /proc/sys/kernel/halt_poll_timer)" -le 0 ]; then
	die 6 "polling is off, and idle periods are not looked at. To look, and hardly poll:" \
		"sysctl -w kernel.halt_poll_threshold=1"
fi

dir=$(dirname "$file")
{ [ -d "$dir" ] && [ -w "$dir" ]; } || die 1 "$dir: cannot write there"
tmp=$(mktemp -d "$dir/.halt-poll-record.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 143' TERM
# Ctrl-C ends the command, and what was recorded until then is kept.
trap : INT

policy=$(cat /proc/sys/kernel/halt_poll_policy)
settings="# policy=$policy"
for knob in threshold cost grow grow_start shrink timer; do
	settings="$settings $knob=$(cat /proc/sys/kernel/halt_poll_$knob)"
done

# The tools do not hand on the command's status as it is.
# shellcheck disable=SC2016 # expanded by that shell
set -- sh -c 'file=$1; shift; "$@"; echo $? > "$file"' sh "$tmp/status" "$@"
rc=0
if [ "$tool" = trace-cmd ]; then
	# There are versions that cannot read what they have compressed.
	none='--compression none'
	trace-cmd record -h 2>&1 | grep -q -- --compression || none=''
	# shellcheck disable=SC2086 # words
	trace-cmd record -q $none -b 16384 -e halt_poll:halt_poll_idle \
		-o "$tmp/dat" "$@" || rc=$?
else
	perf record -q -a -m 2048 -e halt_poll:halt_poll_idle -o "$tmp/dat" -- "$@" || rc=$?
fi
[ -s "$tmp/status" ] || die 1 "$tool failed with status $rc"
status=$(cat "$tmp/status")
[ -s "$tmp/dat" ] || die 1 "$tool has recorded nothing"
[ -z "$keep" ] || cp "$tmp/dat" "$file.dat" || die 1 "$file.dat cannot be written"

report()
{
	if [ "$tool" = trace-cmd ]; then
		trace-cmd report -i "$tmp/dat" 2>&1
	else
		perf script --show-lost-events -i "$tmp/dat" 2>&1
	fi
}

# A trace a CPU, as the state of a policy is the CPU's own.
report | awk -v dir="$tmp" -v settings="$settings" '
	/halt_poll_idle: .*own_timer=/ && match($0, /\[[0-9]+\]/) {
		cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
		delete value
		for (i = 1; i <= NF; i++)
			if (split($i, part, "=") == 2)
				value[part[1]] = part[2]
		file = dir "/trace.cpu" cpu
		if (!(cpu in count))
			print settings "\n# CPU " cpu > file
		count[cpu]++
		print value["idle_ns"],
			value["next_timer_ns"] < 0 ? "-" : value["next_timer_ns"],
			value["own_timer"] ? "timer" : "other" > file
	}
	/EVENTS DROPPED|PERF_RECORD_LOST/ { lost[++n] = $0 }
	END {
		for (cpu in count)
			printf "cpu%d: %d idle periods\n", cpu, count[cpu] | "sort"
		close("sort")
		for (i = 1; i <= n; i++)
			print "halt-poll-record: lost: " lost[i] > "/dev/stderr"
	}' > "$tmp/summary" || die 1 "the recording cannot be read"
[ -s "$tmp/summary" ] || die 6 "no idle period was recorded"

rm -f "$file".cpu[0-9]*
for trace in "$tmp"/trace.cpu*; do
	mv "$trace" "$file.${trace##*/trace.}" || die 1 "$file: cannot be written"
done
sed "s|^\(cpu[0-9]*\)|halt-poll-record: $file.\1|" "$tmp/summary" >&2
exit "$status"
