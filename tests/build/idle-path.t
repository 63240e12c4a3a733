#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the hooks add to the idle path, in instructions: a call each, and behind
# it a NOP while nothing is to be polled

# shellcheck source=tests/build/lib.sh
. "$(dirname "$0")/lib.sh"

# sources VERSION: two trees
sources()
{
	source_of "$1" && ours=$tree &&
		source_of "$1" --pristine && pristine=$tree
}

# Without padding, a NOP is one that was meant.
pack="-fno-align-functions -fno-align-jumps -fno-align-loops -fno-align-labels"

# build OPTION...: the objects, of the pristine tree and of ours
build()
{
	for tree in "$pristine" "$ours"; do
		obj=$tree/obj-check
		configure "$@" || return
		# shellcheck disable=SC2086 # a list of names
		kmake KCFLAGS="$pack" $touched || return
	done
}

# differs OBJECT [FUNCTION]: the instructions that ours has and the pristine one
# has not, in $work/added; there must be none the other way. Their order is the
# compiler's business: around a call more it moves one or the other.
differs()
{
	assembly "$pristine/obj-check/$1" ${2:+"$2"} | sort > "$work/pristine"
	assembly "$ours/obj-check/$1" ${2:+"$2"} | sort > "$work/ours"
	[ -s "$work/pristine" ] || return
	comm -13 "$work/pristine" "$work/ours" > "$work/added"
	cat "$work/added"
	comm -23 "$work/pristine" "$work/ours" | sed 's/^/gone: /' > "$work/gone"
	cat "$work/gone"
	[ ! -s "$work/gone" ]
}

# one_call: do_idle() has a call more, and that is all
one_call()
{
	differs kernel/sched/build_policy.o do_idle &&
		echo 'do_idle: call {arch_cpu_idle_poll-0x4}' | diff "$work/added" -
}

# of two bytes or five
nop=' (xchg %ax,%ax|nop[lw] .*)$'

# nop_and_return FUNCTION: up to its return it does nothing
nop_and_return()
{
	assembly "$ours/obj-check/arch/x86/kernel/halt_poll.o" "$1" > "$work/function"
	cat "$work/function"
	# what jump labels leave in a place, and what indirect branches land on
	sed '/: ret$/q' "$work/function" > "$work/path"
	grep -q ': ret$' "$work/path" &&
		[ "$(grep -cE "$nop" "$work/path")" -eq 1 ] &&
		! grep -vE "$nop|: (endbr(32|64)|ret)\$" "$work/path"
}

# switched FUNCTION...: the NOPs are places that the key knows, one each
switched()
{
	objdump -r -j __jump_table "$ours/obj-check/arch/x86/kernel/halt_poll.o" |
		tee "$work/table"
	[ "$(grep -c 'halt_poll_key' "$work/table")" -eq $# ]
}

# stub_alone: without HYPERVISOR_GUEST, one call and the weak function it is to
stub_alone()
{
	differs kernel/sched/build_policy.o || return
	grep -v ': endbr64$' "$work/added" > "$work/added.ours"
	printf '%s\n' 'arch_cpu_idle_poll: ret' 'do_idle: call {arch_cpu_idle_poll-0x4}' |
		diff "$work/added.ours" -
}

# The rest of the object: sizes of all that is loaded but of code and of what
# tells a place in it. The table of places grows with the call's.
data()
{
	objdump -h "$1" | awk '$2 ~ /data|bss|init|cpuidle|noinstr|jump|export|alt/ {
		print $2, $3 }'
}

same_data()
{
	data "$pristine/obj-check/kernel/sched/build_policy.o" > "$work/pristine"
	data "$ours/obj-check/kernel/sched/build_policy.o" | diff "$work/pristine" -
}

same_process()
{
	differs arch/x86/kernel/process.o && [ ! -s "$work/added" ]
}

for version in 6.12 6.1; do
	ok "$version: the sources" sources "$version"

	# as distributions have it
	ok "$version: the objects are built" build JUMP_LABEL=y
	ok "$version: do_idle() differs in one call" one_call
	obj=$ours/obj-check tree=$ours
	ok "$version: the architecture's part is built" kmake KCFLAGS="$pack" \
		arch/x86/kernel/halt_poll.o
	ok "$version: on the way in it is a NOP" nop_and_return arch_cpu_idle_poll
	ok "$version: on the way out it is a NOP" nop_and_return arch_cpu_idle_exit
	ok "$version: which the key switches" switched arch_cpu_idle_poll arch_cpu_idle_exit

	ok "$version: no guest: the objects are built" build HYPERVISOR_GUEST=n JUMP_LABEL=y
	ok "$version: no guest: a call and its weak function are all there is" stub_alone
	ok "$version: no guest: no data of ours" same_data
	ok "$version: no guest: process.o is the same" same_process
done
done_testing
