#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016 # Perl and another shell expand what is in single quotes
# What is missing is said in a sentence, with a status of its own; and what
# comes, goes or turns round while we look does no harm

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

# refused STATUS SENTENCE ARGUMENTS...
refused()
{
	wanted=$1 sentence=$2
	shift 2
	run "$@"
	is "$status" "$wanted" && is "$(cat "$work/out")" '' &&
	is "$(wc -l <"$work/err")" 1 && grep -q -- "$sentence" "$work/err"
}

a_kernel
rm -r "$root"/sys/devices/system/cpu/cpu*/halt_poll
ok 'a kernel without: status 3' refused 3 'this kernel does not know halt polling: .*CONFIG_HALT_POLL' -n 1
ok 'a kernel without, Prometheus' refused 3 'does not know halt polling' -P
ok 'a kernel without, histogram' refused 3 'does not know halt polling' -H
ok 'a kernel without, advice' refused 3 'does not know halt polling' -A 1
ok 'a kernel without: the command is not run' refused 3 'does not know' -- touch "$work/ran"
ok 'it was not' [ ! -e "$work/ran" ]
rm -r "$root/sys"
ok 'sysfs is not mounted: status 4' refused 4 'sysfs is not mounted on .*/sys$' -n 1
a_kernel
rm -r "$root/proc/sys"
ok 'proc is not mounted: status 4' refused 4 'proc is not mounted on .*/proc$' -n 1
a_kernel
ok 'debugfs is not mounted: status 4' refused 4 'is debugfs mounted on .*/sys/kernel/debug?$' -H
ok 'tracefs is not mounted: status 4' refused 4 'is tracefs mounted?$' -A 1
ok 'nor anything left behind' [ ! -e "$root/sys/kernel" ]
counts 1 attempted=many
ok 'a counter that is no number' refused 1 'cpu1/halt_poll/attempted: "many" is no number' -n 1
counts 1 attempted=
ok 'an empty one' refused 1 'cpu1/halt_poll/attempted: "" is no number' -n 1
counts 1 attempted=-5
ok 'a negative one' refused 1 '"-5" is no number' -n 1
counts 1 attempted=18446744073709551616
ok 'one beyond 2^64' refused 1 'is no number' -n 1
a_kernel
settings grow=x
ok 'a tunable that is no number' refused 1 'kernel.halt_poll_grow: "x" is no number' -n 1
a_kernel

vanishes()
{
	( sleep 0.25; rm -r "$root/sys/devices/system/cpu/cpu1" ) &
	run -j -i 0.1 -n 6
	wait
	is "$status" 0 && is "$(grep -c 'cpu1 has vanished, going on without it' "$work/err")" 1 &&
	is "$(json 'scalar @d')" 6 && is "$(json 'scalar @{$d[0]{cpus}}')" 3 &&
	is "$(json 'scalar @{$d[-1]{cpus}}')" 2 && is "$(json '$d[-1]{cpus}[1]{cpu}')" 10
}
ok 'a CPU that vanishes' vanishes
appears()
{
	( sleep 0.25; mkdir "$root/new"; cp -r "$root/sys/devices/system/cpu/cpu0/halt_poll" "$root/new"
		mv "$root/new" "$root/sys/devices/system/cpu/cpu5" ) &
	run -j -i 0.1 -n 6
	wait
	is "$status" 0 && grep -q 'cpu5 has appeared' "$work/err" &&
	is "$(json 'scalar @{$d[-1]{cpus}}')" 3 && is "$(json '$d[-1]{cpus}[1]{cpu}')" 5
}
ok 'one that appears' appears
# written TEXT FILE: until it is in the file
written()
{
	tries=0
	until grep -q -e "$1" "$2"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return
		sleep 0.1
	done
}

# Files stay open from one reading to the next, but not those of another CPU's time.
returns()
{
	a_kernel
	cpu=$root/sys/devices/system/cpu/cpu1
	"$stat" --root "$root" -j -i 0.05 >"$work/out" 2>"$work/err" &
	pid=$!
	written '"idles":0' "$work/out" && rm -r "$cpu" &&
	written 'cpu1 has vanished' "$work/err" &&
	mkdir "$root/new" && cp -r "$root/sys/devices/system/cpu/cpu0/halt_poll" "$root/new" &&
	echo 5000 >"$root/new/halt_poll/idles" && mv "$root/new" "$cpu" &&
	written 'cpu1 has appeared' "$work/err" && sleep 0.2 &&
	echo 5077 >"$cpu/halt_poll/idles" && written '"idles":77' "$work/out"
	status=$?
	kill $pid
	wait $pid
	cat "$work/err"
	is "$status" 0 && is "$(json 'my $s; $s += $_->{total}{idles} for @d; $s')" 77
}
ok 'one that comes back' returns
# few_files LIMIT
few_files()
{
	a_kernel
	( sleep 0.25; counts 10 idles=1042 ) &
	status=0
	prlimit --nofile="$1" "$stat" --root "$root" -j -i 0.1 -n 5 >"$work/out" 2>"$work/err" || status=$?
	wait
	cat "$work/err"
	is "$status" 0 && is "$(json 'my $s; $s += $_->{total}{idles} for @d; $s')" 42
}
ok 'room for hardly any open file' few_files 6
ok 'room for some' few_files 40
# 300 CPUs have 3300 files.
many_cpus()
{
	a_kernel
	i=11
	while [ $i -lt 300 ]; do
		cp -r "$root/sys/devices/system/cpu/cpu0" "$root/sys/devices/system/cpu/cpu$i"
		i=$((i + 1))
	done
	prlimit --nofile=1024 "$stat" --root "$root" -j -i 0.2 >"$work/out" 2>"$work/err" &
	pid=$!
	sleep 1
	open=$(find "/proc/$pid/fd" -type l | wc -l)
	kill $pid
	wait $pid
	echo "$open open"
	[ "$open" -le 520 ] && is "$(head -n 1 "$work/out" | grep -o '"cpu":' | wc -l)" 292
}
ok 'many CPUs do not mean as many open files' many_cpus
# One file less is not one CPU less, if it is one that a kernel may lack.
older()
{
	a_kernel
	rm "$root"/sys/devices/system/cpu/cpu*/halt_poll/idles
	run -j -i 0.01 -n 1
	is "$status" 0 && is "$(json '$d[0]{total}{idles}')" null &&
	is "$(json '$d[0]{total}{halts}')" 0 || return
	run -i 0.01 -n 1
	is "$(awk '$1 == "all" { print $2, $3 }' "$work/out")" '- 0' || return
	run -P
	! grep -q idles "$work/out" && grep -q halts "$work/out"
}
ok 'a kernel that has fewer counters' older

a_kernel
backwards()
{
	run -j -- sh -c "cd $root/sys/devices/system/cpu/cpu0/halt_poll
		for name in idles attempted successful success_ns fail_ns; do echo 5 >\$name; done
		echo 1001 >../../cpu1/halt_poll/idles"
	is "$(grep -c 'has gone backwards; that counts as no change' "$work/err")" 1 || return
	grep '^{' "$work/err" >"$work/out"
	is "$(json '$d[0]{cpus}[0]{fail_ns}')" 0 && is "$(json '$d[0]{total}{idles}')" 1 &&
	! grep -q -- '":-' "$work/out"
}
ok 'counters that go backwards: nothing is negative' backwards
largest()
{
	counts 0 idles=18446744073709551615
	run -P
	grep -qx 'halt_poll_idles_total{cpu="0"} 18446744073709551615' "$work/out"
}
ok 'the largest counter' largest

full()
{
	status=0
	"$stat" --root "$root" -i 0.01 -n 1 >/dev/full 2>"$work/err" || status=$?
	is "$status" 1 && grep -q 'halt-poll-stat: ' "$work/err"
}
ok 'no room for the output' full
unprivileged()
{
	chmod 755 "$work" "$work/build"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$stat" --root "$root" -i 0.01 -n 1 \
		>"$work/out" 2>"$work/err" && grep -q '^all' "$work/out"
}
ok 'reading takes no root' unprivileged
histogram_root()
{
	mkdir -p "$root/sys/kernel/debug/halt_poll"
	chmod 700 "$root/sys/kernel/debug"
	status=0
	setpriv --reuid 65534 --regid 65534 --clear-groups "$stat" --root "$root" -H \
		>"$work/out" 2>"$work/err" || status=$?
	is "$status" 5 && grep -q 'histograms need root' "$work/err"
}
ok 'histograms do: status 5' histogram_root

# wrong ARGUMENTS...
wrong()
{
	run "$@"
	is "$status" 2 && is "$(cat "$work/out")" '' && grep -q 'Try halt-poll-stat --help' "$work/err"
}
for arguments in '-i 0' '-i -1' '-i abc' '-i 1x' '-i nan' '-i inf' '-i 1e9' '-n 0' '-n -1' '-n x' \
	'-n 1.5' '-j -P' '-H -j' '-A -P' '-A -i 1' '-A 0' '--advise=x' '-A 1 true' '-n 1 true' \
	'-i 1 true' '--price 5' '-A --price 0' '-o f' '-j -o f' '--nonsense' '-i'; do
	# shellcheck disable=SC2086 # words
	ok "wrong usage: $arguments" wrong $arguments
done
ok 'help' sh -c '"$1" --help | grep -q "^Usage"' sh "$stat"
ok 'version' sh -c '"$1" --version | grep -qx "halt-poll-stat [0-9.]*"' sh "$stat"

done_testing
