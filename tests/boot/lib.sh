# SPDX-License-Identifier: GPL-2.0-only
# What the tests in this folder share: each boots a guest and runs itself there
#
# Sourced first. Outside the guest it boots one and does not come back; inside
# it defines how to say what is so. What a test puts into $guest before are
# options of scripts/guest. With $stub it is the kernel of stub/, with $after
# the test goes on outside, with the guest's console in $log. GUEST_KERNEL is
# another kernel than the one that make run builds, GUEST_STUB_KERNEL than that
# of stub/.
# shellcheck shell=sh

self=$0
here=$(cd "$(dirname "$0")" && pwd -P)
repo=$(cd "$here/../../.." && pwd)
knob=kernel.halt_poll
n=0 failed=0

if [ -z "${GUEST_ACCEL:-}" ]; then
	# The folder that the test was called from names the kernel.
	VERSION=$(basename "$(dirname "$self")")
	export VERSION
	[ "$VERSION" != all ] || { echo "Bail out! call it as 6.12/ or 6.1/"; exit 1; }
	name=$(basename "$self" .t)
	log=$repo/build/$VERSION/log/$name
	[ -z "${stub:-}" ] || GUEST_KERNEL=${GUEST_STUB_KERNEL:-$repo/build/$VERSION-stub/stub/bzImage}
	# shellcheck disable=SC2154,SC2086 # words, set by the test
	set -- --log "$log" --timeout 600 $guest \
		${GUEST_KERNEL:+--kernel "$GUEST_KERNEL"} sh "$here/$(basename "$self")"
	# The guest's own answer counts, and so does the kernel's log: without
	# an answer there is no plan, and a status all the same.
	[ -n "${after:-}" ] || exec "$repo/scripts/guest" "$@"
	tap=$("$repo/scripts/guest" "$@")
	failed=$?
	n=$(echo "$tap" | grep -cE '^(not )?ok ')
	echo "$tap" | sed '/^1\.\./d'
fi

# How long to poll for the other side of a ping-pong, at which a kernel that
# checks itself is several times slower.
turn_ns=200000
[ ! -e /proc/lockdep ] || turn_ns=5000000

outside() { [ -z "${GUEST_ACCEL:-}" ]; }

# ok STATUS WHAT: one test, passed if STATUS is 0
ok()
{
	n=$((n + 1))
	[ "$1" -eq 0 ] || { failed=$((failed + 1)); printf 'not '; }
	shift
	echo "ok $n - $VERSION: $*"
}

# is GOT WANTED WHAT
is()
{
	[ "$1" = "$2" ]
	ok $? "$3"
	[ "$1" = "$2" ] || echo "#   got '$1', wanted '$2'"
}

# true_that WHAT EXPRESSION: an awk expression
true_that()
{
	awk "BEGIN { exit !($2) }"
	ok $? "$1"
	awk "BEGIN { exit !($2) }" || echo "#   not so: $2"
}

# snapshot: the counters now
snapshot()
{
	# The order matters: the counters go on counting.
	attempted=$(count attempted) successful=$(count successful) halts=$(count halts)
	success_ns=$(count success_ns) fail_ns=$(count fail_ns) ipis=$(ipis)
	at=$(now_ns)
}
# since: the same as differences, in d_NAME
since()
{
	d_successful=$(($(count successful) - successful))
	d_attempted=$(($(count attempted) - attempted))
	d_halts=$(($(count halts) - halts))
	d_success_ns=$(($(count success_ns) - success_ns))
	d_fail_ns=$(($(count fail_ns) - fail_ns))
	d_ipis=$(($(ipis) - ipis))
	d_ns=$(($(now_ns) - at))
}

# polled: the time polled so far, in polled_ns. Nothing is run for it, which
# would be polled for.
polled()
{
	polled_ns=0
	for file in /sys/devices/system/cpu/cpu*/halt_poll/fail_ns \
		/sys/devices/system/cpu/cpu*/halt_poll/success_ns; do
		read -r value < "$file"
		polled_ns=$((polled_ns + value))
	done
}

# rounds: of the workload's line
rounds() { awk '{ print $2 }'; }

# pipe: a ping-pong between the CPUs, what it took, and its turns in $on
pipe()
{
	snapshot
	on=$(work pipe | rounds)
	since
}

# undisturbed COMMAND: until the host has left the guest its CPUs meanwhile, as
# far as the guest can tell; a CPU that loses time leaves polling alone. After
# that, steady is for what must not be judged where there was no such time.
few=5 disturbed=
undisturbed()
{
	for try in 1 2 3 4; do
		backoffs=$(count backoffs)
		"$@"
		disturbed=
		# A few are how a quiet machine looks as well, and last 10 ms.
		[ $(($(count backoffs) - backoffs)) -gt $few ] || return 0
		disturbed=yes
		echo "# disturbed by other work on the host, try $try"
		sleep 1
	done
}

# no_losses: from here on there is a hypervisor that says that it takes nothing
# away, so that no CPU leaves polling alone. For the kernel of stub/, booted with
# halt_poll_stub_steal=1.
no_losses() { echo 0 > /sys/module/kernel/parameters/halt_poll_stub_steal; }

# steady WHAT EXPRESSION: true_that, if what it is about was undisturbed
steady()
{
	if [ -n "$disturbed" ]; then
		n=$((n + 1))
		echo "ok $n - $VERSION: $1 # SKIP the host was busy with other work"
	else
		true_that "$@"
	fi
}

# finish: the plan
finish()
{
	echo "1..$n"
	[ $failed -eq 0 ]
	exit
}

# set_knob NAME VALUE: with procps, as a user would
set_knob() { sysctl -qw "${knob}_$1=$2"; }

# get_knob NAME
get_knob() { sysctl -n "${knob}_$1"; }

# count NAME: one of the counters, over all CPUs
count() { cat /sys/devices/system/cpu/cpu*/halt_poll/"$1" | awk '{ s += $1 } END { printf "%.0f\n", s }'; }

# ipis: interrupts that wake another CPU
ipis() { awk '/^ *(RES|CAL):/ { for (i = 2; $i ~ /^[0-9]+$/; i++) s += $i } END { print s + 0 }' /proc/interrupts; }

# work ARGUMENTS: the workload program
work() { "$repo/build/work" "$@"; }

# now_ns: the time
now_ns() { date +%s%N; }
