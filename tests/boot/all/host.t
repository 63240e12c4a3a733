#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The host's polling is off while the guest polls, and on again afterwards
guest='--append halt_poll_stub'
stub=yes
after=yes
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# The guest was left polling, and went through a reboot.
if outside; then
	is "$(sed '1,/the test is over/d' "$log" | grep -o 'CPU [0-9]: host polling .*' | tr -d '\r' | sort)" \
"CPU 0: host polling on
CPU 1: host polling on" "before the next kernel is started, the host polls again"
	finish
fi

# said: what the host was told since the last time
said()
{
	dmesg | grep -o 'halt_poll_stub: CPU .*' > /tmp/all
	tail -n "+$((seen + 1))" /tmp/all | sort | sed 's/.*CPU //; s/: host polling//' | paste -sd ' '
	seen=$(wc -l < /tmp/all)
	echo "$seen" > /tmp/seen
}
# told WANTED WHAT
told()
{
	seen=$(cat /tmp/seen)
	is "$(said)" "$1" "$2"
}
echo 0 > /tmp/seen

told "" "while nothing is polled the host is told nothing"
cpu1=/sys/devices/system/cpu/cpu1/online
echo 0 > $cpu1
echo 1 > $cpu1
told "" "a CPU comes and goes: nothing"
set_knob threshold 200000
told "0 off 1 off" "a threshold: off on both CPUs"
set_knob threshold 300000
set_knob policy fixed
set_knob timer 100000
told "" "another one, a policy, timers: nothing more"
echo 0 > $cpu1
told "1 on" "a CPU goes offline: on again, on that one"
echo 1 > $cpu1
told "1 off" "and comes back: off"
set_knob threshold 0
told "" "a threshold of 0, but timers to poll for: nothing"
set_knob timer 0
told "0 on 1 on" "and no timers: on again, on both"
set_knob threshold 0
told "" "once more: nothing"
echo 0 > $cpu1
set_knob threshold 1000
told "0 off" "a CPU that is offline is not told"
echo 1 > $cpu1
told "1 off" "until it is back"
# as loud as the console wants it
echo "<4>the test is over" > /dev/kmsg
finish
