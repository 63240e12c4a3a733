#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The settings that ship, applied by procps and by the kernel's command line

examples=$(dirname "$0")/../../../examples
# shellcheck source=examples/grub.d/halt-poll.cfg
. "$examples/grub.d/halt-poll.cfg"
# shellcheck disable=SC2086 # words
guest=$(printf -- '--append %s ' $GRUB_CMDLINE_LINUX)
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"
examples=$repo/examples

# all_knobs: each tunable and its value
all_knobs() { sysctl -a --pattern '^kernel\.halt_poll_' | sort; }

# assigned FILE: what a file sets, in the same form
assigned()
{
	sed -n 's/^ *\(kernel\.[a-z_]*\) *= *\([^ ]*\)$/\1 = \2/p' "$1" | sort
}

# in_force FILE WHAT: all that the file sets is so now, and it sets something
in_force()
{
	assigned "$1" > /tmp/wanted
	all_knobs > /tmp/got
	[ -s /tmp/wanted ] && [ -z "$(comm -23 /tmp/wanted /tmp/got)" ]
	ok $? "$2"
	comm -23 /tmp/wanted /tmp/got | sed 's/^/#   not so: /'
}

# applied FILE WHAT
applied()
{
	sysctl -q -p "$1"
	ok $? "$2 is taken"
	in_force "$1" "$2 is in force"
}

# shellcheck disable=SC2086 # words
printf '%s\n' $GRUB_CMDLINE_LINUX | sed 's/^sysctl\.//; s/=/ = /' > /tmp/cmdline
in_force /tmp/cmdline "the kernel command line is in force"

example=$examples/sysctl.d/60-halt-poll.conf
before=$(all_knobs)
sysctl -q -p "$example"
ok $? "the example is taken as it is"
is "$(all_knobs)" "$before" "and changes nothing"
sed 's/^#kernel/kernel/' "$example" > /tmp/example.conf
applied /tmp/example.conf "the example with each line uncommented"
is "$(assigned /tmp/example.conf | sed 's/ =.*//')" "$(all_knobs | sed 's/ =.*//')" \
	"the example has all tunables"

for file in "$examples"/profiles/*.conf; do
	profile=$(basename "$file" .conf)
	sysctl -qw kernel.halt_poll_policy=fixed kernel.halt_poll_cost=7 kernel.halt_poll_timer=7 \
		kernel.halt_poll_grow=7 kernel.halt_poll_grow_start=7 kernel.halt_poll_shrink=7
	applied "$file" "profile $profile"
	is "$(assigned "$file")" "$(all_knobs)" "profile $profile leaves nothing of what was before"
done

sed -n '/^\[sysctl\]$/,$p' "$examples/tuned/halt-poll-latency/tuned.conf" > /tmp/tuned.conf
sed -i 1d /tmp/tuned.conf
applied /tmp/tuned.conf "the tuned profile"

set_knob threshold 0
sed -n '/^    content: |$/,/^$/s/^      //p' "$examples/cloud-init/halt-poll.yaml" \
	> /etc/sysctl.d/60-halt-poll.conf
sysctl -q --system 2> /tmp/said
! grep halt_poll /tmp/said
ok $? "what cloud-init writes is taken at boot"
in_force /etc/sysctl.d/60-halt-poll.conf "what cloud-init writes is in force"
finish
