# SPDX-License-Identifier: GPL-2.0-only
# What the tests of single objects share: TAP, and configurations to build in
#
# Sourced first. Nothing is linked: an object directory is configured and a few
# objects are made in it, in a tree of scripts/kernel-source.
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
touched="arch/x86/kernel/process.o kernel/sched/build_policy.o"

# The kernel's own makefiles must not see what ours were called with.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES KBUILD_OUTPUT ARCH CROSS_COMPILE LOCALVERSION
unset VERSION KERNEL

# source_of VERSION [--pristine]: set $tree
source_of()
{
	tree=$(VERSION=$1 "$top/scripts/kernel-source" ${2:+"$2"} 2> "$work/source")/linux ||
		{ cat "$work/source" >&2; return 1; }
}

# kmake ARGUMENTS: make, in $tree for $obj, with the compiler $cc
cc=gcc
kmake()
{
	make -s -C "$tree" O="$obj" CC="ccache $cc" HOSTCC="ccache gcc" \
		KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=halt-poll \
		KBUILD_BUILD_HOST=halt-poll "$@" < /dev/null
}

# configure OPTION=VALUE...: $obj with all of these, beside guest.config, or a
# word on those that the kernel does not let have that value
configure()
{
	mkdir -p "$obj"
	cat "$top/tests/configs/guest.config" > "$obj/fragment"
	[ ! -d "$tree/kernel/halt_poll" ] ||
		cat "$top/tests/configs/halt-poll.config" >> "$obj/fragment"
	# Else some of what the kernel can do without cannot be left out.
	for option in EXPERT=y "$@"; do
		echo "CONFIG_$option"
	done >> "$obj/fragment"
	# The last word on an option is the one that counts.
	kmake KCONFIG_ALLCONFIG="$obj/fragment" allnoconfig || return
	for option; do
		case $option in
		*=n) ! grep "^CONFIG_${option%=n}=" "$obj/.config" || return ;;
		*) grep -qx "CONFIG_$option" "$obj/.config" ||
			{ echo "not to be had: $option"; return 1; } ;;
		esac
	done
}

# assembly FILE [FUNCTION]: its instructions and what they refer to, a line each
# with the function's name, and without what moves when one is added: places in
# a function become numbered labels, places in a section that section
assembly()
{
	objdump -dr --no-show-raw-insn "$1" | awk -v only="${2:-}" '
	/^[0-9a-f]+ <.*>:$/ {
		name = substr($2, 2, length($2) - 3)
		wanted = only == "" || name == only
		next
	}
	!wanted || !/^[ \t]+[0-9a-f]+:/ { next }
	{
		at = $1
		sub(/:$/, "", at)
		sub(/^[ \t]+[0-9a-f]+:[ \t]*/, "")
		sub(/[ \t]+$/, "")
		gsub(/[ \t]+/, " ")
	}
	# says what the instruction before it refers to, which is not what
	# that one seems to
	/^R_(X86_64|386)_/ {
		delete goal[n]
		sub(/ <[^>]*>$/, "", line[n])
		if (/text/)
			sub(/[-+]0x[0-9a-f]+$/, "")
		line[n] = line[n] " {" $NF "}"
		next
	}
	{
		sub(/ # .*/, "")
		# "jmp 1a3 <do_idle+0x43>", "call af <other_function>"
		if (match($0, / [0-9a-f]+ <.*>$/)) {
			split(substr($0, RSTART + 1), word, " ")
			$0 = substr($0, 1, RSTART - 1)
			if (word[2] ~ /\+/)
				goal[n + 1] = name " " word[1]
			else
				$0 = $0 " " word[2]
		}
		line[++n] = $0
		of[n] = name
		place[n] = name " " at
	}
	END {
		# behind the end of a function
		for (i = n; i; i--)
			if ((of[i] != of[i + 1] || i + 1 in padding) &&
			    line[i] ~ /^(data16 )*(cs )?(nop|xchg %ax,%ax|int3)/)
				padding[i]
		for (i in goal)
			label[goal[i]] = 0
		for (i = 1; i <= n; i++)
			if (place[i] in label)
				label[place[i]] = ++labels[of[i]]
		for (i = 1; i <= n; i++) {
			if (i in padding)
				continue
			if (place[i] in label)
				print of[i] ": ." label[place[i]]
			print of[i] ": " line[i] (i in goal ? " ." label[goal[i]] : "")
		}
	}'
}
