#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Timers that a poll runs: none early, none lost, and the tick's work is done
guest='--timeout 1800'
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# A busy host can spoil the calibration of the timer's interrupt at boot. Then
# there are no timers of high resolution, and none that a poll could run.
if ! grep -q 'hres_active *: 1' /proc/timer_list; then
	echo "1..0 # SKIP no high resolution timers: the host was busy as the guest booted"
	exit 0
fi

# In all 100,000 of nanosleep; a debug kernel is several times slower.
n_sleeps=1800
[ ! -e /proc/lockdep ] || n_sleeps=400

# sleeps ARGUMENTS: the sleeping program, its line kept for sum_up
sleeps()
{
	timeout 200 "$repo/build/sleeps" "$@" > /tmp/line 2> /tmp/said
	cat /tmp/line >> /tmp/sleeps
	awk '{ print "# sleeps, early, lost, worst: " $0 }' /tmp/line
	head -n 5 /tmp/said | sed 's/^/# /'
}

# sum_up WANTED WHAT: all that was kept, of WANTED runs
sum_up()
{
	true_that "$2: all $1 runs came to their end" "$(wc -l < /tmp/sleeps) == $1"
	sums=$(awk '{ n += $2; early += $3; lost += $4 } END { print n + 0, early + 0, lost + 0 }' /tmp/sleeps)
	# shellcheck disable=SC2086 # three numbers
	set -- "$2" $sums
	is "$3" 0 "$1: no sleep of $2 is early"
	is "$4" 0 "$1: none is lost"
	: > /tmp/sleeps
}

# all_sleeps: each way to sleep
all_sleeps()
{
	sleeps -n $((2 * n_sleeps)) -s 0 nanosleep
	sleeps -n $((2 * n_sleeps)) -s 1 nanosleep
	sleeps -n $((2 * n_sleeps)) -s 50000 nanosleep
	sleeps -n $((2 * n_sleeps)) -f nanosleep
	sleeps -n $n_sleeps clock
	sleeps -n $n_sleeps -s 1 clock
	sleeps -n $n_sleeps timerfd
	sleeps -n $n_sleeps posix
	sleeps -n 300 itimer
	sleeps -n $n_sleeps step
}

# ahead WHAT: were timers run ahead of the time that the device was set to? In the
# real-time kernel only the sleeps of real-time tasks are hard timers, and those
# have no slack to be run in.
ahead()
{
	case $(uname -v) in
	*PREEMPT_RT*)
		n=$((n + 1))
		echo "ok $n - $VERSION: $1: ahead of the interrupt # SKIP PREEMPT_RT has no hard timers with slack" ;;
	*)
		true_that "$1: ahead of the interrupt" "$early_ns > 0" ;;
	esac
}

# arm WHAT POLICY THRESHOLD TIMER
arm()
{
	set_knob threshold "$3"
	set_knob policy "$2"
	set_knob timer "$4"
	timers=$(count timers) early_ns=$(count timer_early_ns)
	all_sleeps
	timers=$(($(count timers) - timers)) early_ns=$(($(count timer_early_ns) - early_ns))
	echo "# $1: $timers timers run from the poll, $early_ns ns ahead"
	sum_up 10 "$1"
}

: > /tmp/sleeps
arm "all off" predictive 0 0
is "$timers $early_ns" "0 0" "all off: no timer is run from a poll"
arm "all off, by default" predictive 0 -1
is "$timers $early_ns" "0 0" "all off, by default: no timer is run from a poll"
arm "by the threshold alone" predictive 400000 -1
true_that "by the threshold alone: timers are run from the poll" "$timers > 100"
arm "polling, but not for timers" fixed 200000 0
is "$timers $early_ns" "0 0" "not for timers: none is run from a poll"
arm "only timers" predictive 0 500000
true_that "only timers: they are run from the poll" "$timers > 100"
ahead "only timers"
for policy in fixed adaptive predictive; do
	arm "$policy" $policy 200000 500000
	true_that "$policy: timers are run from the poll" "$timers > 100"
	ahead "$policy"
done

# In the middle of it all: a CPU goes and comes back, everything is changed.
cpu=/sys/devices/system/cpu/cpu1/online
changes()
{
	while [ -e /tmp/sleeping ]; do
		for policy in fixed adaptive predictive; do
			echo $policy > /proc/sys/kernel/halt_poll_policy
			echo $((i % 5 * 250000)) > /proc/sys/kernel/halt_poll_timer
			echo $((i % 3 * 50000000)) > /proc/sys/kernel/halt_poll_threshold
			i=$((i + 1))
			sleep 0.02
		done
		echo $((1 - $(cat $cpu))) > $cpu
	done
	echo $i > /tmp/changes
	echo 1 > $cpu
}
touch /tmp/sleeping
i=0
changes &
changer=$!
all_sleeps
rm /tmp/sleeping
wait $changer
sum_up 10 "hotplug and changes"
true_that "hotplug and changes: there were some" "$(cat /tmp/changes) > 30"

# The tick's work, while a CPU polls for a second at a time: this shell is on
# CPU 0, and what sleeps on CPU 1 has that one to itself.
taskset -pc 0 $$ > /dev/null
tracing=/sys/kernel/tracing
stats=/sys/devices/system/cpu/cpu1/halt_poll
long_polls()
{
	set_knob policy fixed
	set_knob timer 500000
	set_knob threshold 1000000000
	sleep 0.1
}
polled_by_1() { echo $(($(cat "$stats"/success_ns) + $(cat "$stats"/fail_ns))); }
# during COMMAND: what CPU 1 polled meanwhile, and how long it took
during()
{
	d_polled=$(polled_by_1) d_ns=$(now_ns)
	"$@"
	d_polled=$(($(polled_by_1) - d_polled)) d_ns=$(($(now_ns) - d_ns))
}

# A timer of the wheel that is run late shows by how many ticks.
wheel()
{
	: > /tmp/sleeps
	echo > "$tracing/trace"
	echo 1 > "$tracing/events/timer/timer_expire_entry/enable"
	sleeps -c 1 -n 50 wheel
	echo 0 > "$tracing/events/timer/timer_expire_entry/enable"
	sed -n 's/.*\[001\].*timer_expire_entry:.* now=\([0-9]*\) baseclk=\([0-9]*\).*/\1 \2/p' \
		"$tracing/trace" | awk '{ print $1 - $2 }' | sort -n > /tmp/late
}
long_polls
undisturbed during wheel
sum_up 1 "the timer wheel"
steady "CPU 1 polled nearly all the time" "$d_polled > 0.8 * $d_ns"
true_that "the wheel's timers were run on it" "$(wc -l < /tmp/late) >= 50"
steady "nine of ten no more than a tick late" \
	"$(awk '{ v[NR] = $1 } END { print v[int(NR * 0.9)] + 0 }' /tmp/late) <= 1"

# From here on something wakes CPU 1 every now and then, so that it goes on
# polling, and counts it.
"$repo/build/sleeps" -c 1 -n 100000 wheel > /dev/null 2>&1 &
waker=$!

# jiffies: how many there have been, and when that was
jiffies() { awk '/^now at / { now = $3 } /^jiffies: / { print $2, now; exit }' /proc/timer_list; }
count_jiffies()
{
	rate=$({ jiffies; sleep 2; jiffies; } | awk '
		NR == 1 { n = $1; t = $2 }
		END { printf "%.1f", ($1 - n) * 1e9 / ($2 - t) }')
}
set_knob threshold 0
set_knob timer 0
count_jiffies
off_rate=$rate
long_polls
undisturbed during count_jiffies
echo "# $off_rate jiffies a second without polling, $rate with"
steady "CPU 1 polled meanwhile" "$d_polled > 0.8 * $d_ns"
steady "jiffies go on as they do without polling" \
	"$rate > 0.98 * $off_rate && $rate < 1.02 * $off_rate"

# The figure is the median.
rcu()
{
	: > /tmp/sleeps
	sleeps -c 0 -n 20 rcu
	grace_ns=$(awk '{ print $5 }' /tmp/sleeps)
}
set_knob threshold 0
set_knob timer 0
rcu
off_ns=$grace_ns
long_polls
undisturbed during rcu
echo "# a grace period takes $off_ns ns without polling, $grace_ns with"
sum_up 1 "grace periods"
steady "CPU 1 polled meanwhile" "$d_polled > 0.8 * $d_ns"
steady "no grace period waits for a poll" "$grace_ns < $off_ns + 50000000"
kill $waker
finish
