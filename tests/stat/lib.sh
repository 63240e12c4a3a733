# SPDX-License-Identifier: GPL-2.0-only
# What the tests of halt-poll-stat share: TAP, the tool, built afresh, and a
# made-up kernel to look at
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
tools=$top/tools/power/halt-poll
stat=$work/build/halt-poll-stat
root=$work/root

# Not with what a make above this test has been given.
unset MAKEFLAGS MFLAGS MAKELEVEL COLUMNS
if ! make -s -C "$tools" O="$work/build" "$stat" >"$work/said" 2>&1; then
	sed 's/^/# /' "$work/said"
	echo 'Bail out! halt-poll-stat cannot be built'
	exit 1
fi

# is GOT WANTED
is()
{
	[ "$1" = "$2" ] || { printf 'got "%s", wanted "%s"\n' "$1" "$2"; return 1; }
}

# counts CPU NAME=VALUE...: set some counters
counts()
{
	dir=$root/sys/devices/system/cpu/cpu$1/halt_poll
	mkdir -p "$dir"
	shift
	for pair; do
		echo "${pair#*=}" >"$dir/${pair%%=*}"
	done
}

# settings NAME=VALUE...: set some tunables
settings()
{
	mkdir -p "$root/proc/sys/kernel"
	for pair; do
		printf '%s\n' "${pair#*=}" >"$root/proc/sys/kernel/halt_poll_${pair%%=*}"
	done
}

# a_kernel: with CPUs 0, 1 and 10
a_kernel()
{
	rm -rf "$root"
	mkdir -p "$root/sys/devices/system/cpu/cpufreq"
	for cpu in 0 1 10; do
		counts $cpu window_ns=200000 idles=1000 attempted=900 successful=800 \
			success_ns=16000000 fail_ns=20000000 halts=300 timers=7 \
			timer_early_ns=5000 stolen_ns=0 backoffs=0
	done
	settings policy=predictive threshold=200000 cost=0 grow=2 grow_start=2000 shrink=2 timer=0
}

# run ARGUMENTS: the tool on the made-up kernel; $status, $work/out and $work/err
run()
{
	status=0
	"$stat" --root "$root" "$@" >"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
}

# json EXPRESSION: of Perl, on what the lines in $work/out hold, @d
json()
{
	perl -MJSON::PP -e '
		@d = map { decode_json($_) } <STDIN>;
		my $value = eval($ARGV[0]);
		die $@ if $@;
		print defined $value ? $value : "null", "\n"' "$1" <"$work/out"
}
