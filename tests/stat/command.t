#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016 # Perl and another shell expand what is in single quotes
# What is said of the time that a command ran

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

# The command is the load: it sets the counters.
cat >"$work/load" <<END
cd $root/sys/devices/system/cpu
echo 3000 >cpu0/halt_poll/idles
echo 1900 >cpu0/halt_poll/attempted
echo 1550 >cpu0/halt_poll/successful
echo 1016000000 >cpu0/halt_poll/success_ns
echo 70000000 >cpu0/halt_poll/fail_ns
echo 1250 >cpu1/halt_poll/attempted
echo 850 >cpu1/halt_poll/successful
echo 50000 >cpu1/halt_poll/window_ns
echo 20 >cpu10/halt_poll/timers
echo 5000000 >cpu10/halt_poll/stolen_ns
echo 1 >cpu10/halt_poll/backoffs
echo from the command
END

a_kernel
the_counts()
{
	run -j -- sh "$work/load"
	is "$(cat "$work/out")" 'from the command' || return
	cp "$work/err" "$work/out"
	is "$(json '$d[0]{cpus}[0]{idles}')" 2000 &&
	is "$(json '$d[0]{cpus}[0]{attempted}')" 1000 &&
	is "$(json '$d[0]{cpus}[0]{successful}')" 750 &&
	is "$(json '$d[0]{cpus}[0]{success_ns}')" 1000000000 &&
	is "$(json '$d[0]{cpus}[0]{fail_ns}')" 50000000 &&
	is "$(json '$d[0]{cpus}[0]{hit_percent}')" 75 &&
	is "$(json '$d[0]{cpus}[2]{hit_percent}')" null &&
	is "$(json '$d[0]{cpus}[2]{timers}')" 13 &&
	is "$(json '$d[0]{cpus}[2]{cpu}')" 10 &&
	is "$(json '$d[0]{total}{attempted}')" 1350 &&
	is "$(json '$d[0]{total}{successful}')" 800 &&
	is "$(json '$d[0]{total}{stolen_ns}')" 5000000 &&
	is "$(json '$d[0]{total}{backoffs}')" 1 &&
	is "$(json '$d[0]{total}{window_ns}')" 200000 &&
	is "$(json '$d[0]{settings}{threshold}')" 200000 &&
	is "$(json '$d[0]{settings}{policy}')" predictive
}
ok 'the counters are those of the time that the command ran' the_counts

shares()
{
	is "$(json 'my $share = 100 * $d[0]{cpus}[0]{success_ns} / $d[0]{elapsed_ns};
		abs($share - $d[0]{cpus}[0]{success_percent}) < 0.001 ? "same" : $share')" same &&
	is "$(json 'my $share = 100 * $d[0]{total}{fail_ns} / 3 / $d[0]{elapsed_ns};
		abs($share - $d[0]{total}{fail_percent}) < 0.001 ? "same" : $share')" same
}
ok 'shares are of the time of one CPU, and in all of three' shares

a_kernel
summary()
{
	run -- sh "$work/load"
	is "$(cat "$work/out")" 'from the command' &&
	grep -qx 'Halt polling during [0-9.]* s of sh .*load:' "$work/err" &&
	grep -qx '2000 idle periods, 1350 polled, 800 hit, polled for 1000ms in hits and for 50ms in vain' \
		"$work/err" &&
	is "$(awk '$1 == 0 { print $4 } $1 == 1 { print $4, $5 } $1 == "all" { print $4 }' "$work/err" |
		xargs)" '75.0 14.3 50us 59.3'
}
ok 'a summary for people goes to the standard error' summary

a_kernel
to_file()
{
	echo stale >"$work/file"
	run -o "$work/file" -- sh "$work/load"
	is "$(cat "$work/out" "$work/err")" 'from the command' &&
	grep -q '^all ' "$work/file" && ! grep -q stale "$work/file"
}
ok 'or to a file' to_file

# status_of WANTED COMMAND...
status_of()
{
	wanted=$1
	shift
	run -- "$@"
	is "$status" "$wanted"
}
ok 'the status is that of the command: 0' status_of 0 true
ok '7' status_of 7 sh -c 'exit 7'
ok 'no such command' status_of 127 "$work/none"
ok 'a command that cannot be run' status_of 126 "$work"
ok 'a command that a signal kills' status_of 143 sh -c 'kill -TERM $$'

options_of_the_command()
{
	run sh -c 'echo "$1"' sh --json
	is "$(cat "$work/out")" --json && grep -q '^all ' "$work/err"
}
ok 'the options of the command are its own, without -- too' options_of_the_command

# Signals are blocked while nothing waits; a child must not inherit that.
signals()
{
	run -- sh -c 'trap "exit 9" TERM; kill -TERM $$; exit 1'
	is "$status" 9
}
ok 'the command gets its signals' signals

terminated()
{
	"$stat" --root "$root" -- sleep 60 >"$work/out" 2>"$work/err" &
	pid=$!
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	is "$status" 143 && grep -q '^all ' "$work/err"
}
ok 'SIGTERM ends the command, and there is a summary' terminated

done_testing
