#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The tunables: what they are, what they take, what they refuse
guest=''
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# file NAME
file() { echo "/proc/sys/kernel/halt_poll_$1"; }

# refused NAME VALUE: procps says so, and the old value is kept
refused()
{
	before=$(get_knob "$1")
	! sysctl -qw "${knob}_$1=$2" 2> /tmp/said && grep -q 'Invalid argument' /tmp/said
	ok $? "$1=$2 is refused"
	is "$(get_knob "$1")" "$before" "$1=$2 changes nothing"
}

# taken NAME VALUE
taken()
{
	set_knob "$1" "$2"
	ok $? "$1=$2 is taken"
	is "$(get_knob "$1")" "$2" "$1=$2 is read back"
}

is "$(get_knob threshold)" 0 "polling is off by default"
is "$(get_knob timer)" -1 "timers are polled for by the threshold by default"
is "$(get_knob policy)" predictive "the default policy"
is "$(get_knob cost)" 0 "the default price is the threshold"
is "$(stat -c %a "$(file threshold)")" 644 "all may read, root may write"

for value in 1 200000 1000000000 0; do
	taken threshold $value
done
set_knob threshold 5000
for value in -1 abc 1000000001 2147483648 4294967296 4295167296 18446744073709551616 \
	18446744073709751616 0x10 1e3 '1 2' 1.5 200us +-1 ' ' '' ; do
	refused threshold "$value"
done

# What no sysctl program would write.
# shellcheck disable=SC2059 # the escapes are the point
raw() { printf "$1" > "$(file threshold)"; } 2> /dev/null
set_knob threshold 5000
raw '\n'; is "$(get_knob threshold)" 5000 "an empty line is refused"
raw '7\0008'; is "$(get_knob threshold)" 5000 "a NUL in the middle is refused"
raw '7\000'; is "$(get_knob threshold)" 5000 "a NUL at the end is refused"
raw '7\n8'; is "$(get_knob threshold)" 5000 "two lines are refused"
raw ' \t7000 \n\n'; is "$(get_knob threshold)" 7000 "white space around is not minded"
raw '000000000000008000'; is "$(get_knob threshold)" 8000 "zeros in front are not octal"
head -c 5000 /dev/zero | tr '\000' 1 > "$(file threshold)" 2> /dev/null
is "$(get_knob threshold)" 8000 "5000 digits are refused"
{ printf 12; printf 34; } > "$(file threshold)" 2> /dev/null
is "$(get_knob threshold)" 12 "the first write is the value, a second one further on is refused"
dd if="$(file threshold)" bs=1 2> /dev/null | grep -qx "$(get_knob threshold)"
ok $? "it can be read byte by byte"

setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "echo 1 > $(file threshold)" 2> /dev/null
is $? 2 "an ordinary user may not write"
is "$(setpriv --reuid 65534 --regid 65534 --clear-groups cat "$(file threshold)")" \
	"$(get_knob threshold)" "an ordinary user may read"

for policy in fixed adaptive predictive; do
	taken policy $policy
done
for policy in none Fixed fix fixedd 'fixed adaptive' 0 ''; do
	refused policy "$policy"
done
# shellcheck disable=SC2059
raw_policy() { printf "$1" > "$(file policy)"; } 2> /dev/null
raw_policy 'fixed\000'; is "$(get_knob policy)" predictive "a name with a NUL is refused"
raw_policy '\tfixed \n'; is "$(get_knob policy)" fixed "white space around a name is not minded"
set_knob policy predictive

taken timer 1000000000
taken timer 0
taken timer -1
refused timer -2
refused timer -1000000000
refused timer 4294967295
refused timer 1000000001
taken cost 1000000000
taken cost 0
refused cost 1000000001
taken grow 1
taken grow 1000
refused grow 0
refused grow 1001
taken grow 2
taken grow_start 1
taken grow_start 1000000000
refused grow_start 0
refused grow_start 1000000001
taken grow_start 2000
taken shrink 0
taken shrink 1
taken shrink 1000
refused shrink 1001
taken shrink 2

# One line in a file, as the README has it.
set_knob threshold 0
mkdir -p /etc/sysctl.d
echo 'kernel.halt_poll_threshold = 150000' > /etc/sysctl.d/50-halt-poll.conf
sysctl -q --system > /dev/null 2>&1
is "$(get_knob threshold)" 150000 "a line in /etc/sysctl.d sets the threshold"

# The window follows the threshold down at once, on every CPU. While a CPU pauses,
# because of what it has lost, its window is 0.
set_knob policy fixed
widest() { sort -rn /sys/devices/system/cpu/cpu*/halt_poll/window_ns | head -n 1; }
lowered()
{
	set_knob threshold 900000
	# longer than any pause
	sleep 1.2
	set_knob threshold 300
	window_ns=$(widest)
}
few=0
undisturbed lowered
true_that "no window is above a threshold that was lowered" "$window_ns <= 300"
steady "one is that threshold" "$window_ns == 300"
set_knob threshold 0
is "$(widest)" 0 "no window is left at threshold 0"
finish
