#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Everything at once, for a minute: see tests/torture/torture.c. A debug kernel
# runs rcutorture beside it.
#
# make torture SECONDS=600 SEED=7 for as long, and with such numbers, as one
# likes. The seed determines what each worker does, not how they meet.
guest="--vcpus 4 --threads single --timeout $((${TORTURE_SECONDS:-60} * 2 + 300))
	--append torture.seed=${TORTURE_SEED:-1} --append torture.seconds=${TORTURE_SECONDS:-60}"
for parameter in torture_type=rcu nreaders=2 nfakewriters=2 stat_interval=20 stutter=2 \
	fwd_progress=0 test_boost=0; do
	guest="$guest --append rcutorture.$parameter"
done
[ -n "${GUEST_ACCEL:-}" ] || make -s -C "$(dirname "$0")/../../.." build/torture build/work || exit
stub=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# option NAME: of the command line
option() { tr ' ' '\n' < /proc/cmdline | sed -n "s/^torture\.$1=//p"; }
seed=$(option seed) seconds=$(option seconds)
echo "# seed $seed, $seconds s, $(nproc) CPUs, kernel $(uname -r)"

start=$(now_ns)
"$repo/build/torture" "$seed" "$seconds"
ok $? "no worker finds a fault, and none hangs"
is "$(cat /sys/devices/system/cpu/online)" 0-3 "all CPUs are on line"
if [ -e /sys/module/rcutorture ]; then
	dmesg | grep -o 'rcu-torture:.*' > /tmp/rcu
	true_that "rcutorture had updates to torture with" \
		"$(sed -n 's/.* ver: \([0-9]*\) .*/\1/p' /tmp/rcu | tail -n 1) > 100"
	! grep '!!!' /tmp/rcu
	ok $? "and found no fault"
fi

# sum HISTOGRAM CPU
sum() { awk '{ s += $2 } END { printf "%.0f\n", s }' "/sys/kernel/debug/halt_poll/cpu$2/$1"; }

# Nothing counts any more.
set_knob threshold 0
set_knob timer 0
sleep 0.2
for cpu in 0 1 2 3; do
	dir=/sys/devices/system/cpu/cpu$cpu/halt_poll
	idles=$(cat $dir/idles) attempted=$(cat $dir/attempted) successful=$(cat $dir/successful)
	time_ns=$(($(cat $dir/success_ns) + $(cat $dir/fail_ns)))
	true_that "CPU $cpu: hits are polls, and polls are idle periods" \
		"0 < $successful && $successful <= $attempted && $attempted <= $idles"
	true_that "CPU $cpu: the time polled is within the wall time" \
		"0 < $time_ns && $time_ns <= $(now_ns) - $start"
	true_that "CPU $cpu: what was lost was polled" "$(cat $dir/stolen_ns) <= $time_ns"
	is "$(sum idle_ns_hist $cpu) $(sum hit_ns_hist $cpu) $(sum miss_ns_hist $cpu)" \
		"$idles $successful $((attempted - successful))" "CPU $cpu: the histograms add up"
done

set_knob policy predictive
for name in cost grow:2 grow_start:10000 shrink:2; do
	value=${name#*:}
	set_knob "${name%:*}" "$([ "$value" = "$name" ] && echo 0 || echo "$value")"
done
set_knob threshold 5000000
again()
{
	before=$(count successful)
	on=$(work pipe | rounds)
	after=$(count successful)
}
undisturbed again
steady "a ping-pong is polled for after that, with hits" "$after - $before > 0.5 * $on"
finish
