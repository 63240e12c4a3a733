#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# contributing.t - the steps of Documentation/repo/contributing.rst, followed
#
# Each diff there is applied and each command run, in a copy of the repository.

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/docs/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=tests/tree/source.sh
. "$top/tests/tree/source.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
# shellcheck disable=SC2046 # a list of names
unset $(git rev-parse --local-env-vars)
HOME=$work
export HOME
git config --global user.name Contributor
git config --global user.email contributor@example.org

find_source 6.12 || { echo '1..0 # SKIP no linux-source-6.12'; exit 0; }
snapshot
partial 6.12 || { echo 'Bail out! no files of the kernel'; exit 1; }

copy=$work/copy
mkdir "$copy"
# What git has, and what the series claims; not what somebody else is about to add.
# shellcheck disable=SC2086 # a list of names
(cd "$top" && { git ls-files; printf '%s\n' $claims; } | sort -u | while read -r file; do
	[ ! -f "$file" ] || echo "$file"; done | tar -cf - -T -) | tar -xf - -C "$copy"
cd "$copy" || exit
git init -q && git add -A -f && git commit -q -m copy

# blocks SECTION: its blocks, as 01.diff, 02.sh, ... and 01.file with 01.name,
# in the directory $steps
blocks()
{
	steps=$work/steps
	rm -rf "$steps"
	mkdir "$steps"
	awk -v section="$1" -v to="$steps" '
	function close_block() { if (out) close(out); out = "" }
	function name(end) { return sprintf("%s/%02d.%s", to, ++n, end) }
	/^=+$/ { inside = before == section; if (length($0) != length(before)) inside = 0 }
	{ before = $0 }
	!inside { close_block(); next }
	match($0, /`[a-z_\/]*\.c`/) { file = substr($0, RSTART + 1, RLENGTH - 2) }
	/^ *\.\. code-block:: c$/ {
		out = name("file"); n--
		print file >name("name")
		indent = "      "
		next
	}
	indent && substr($0, 1, 6) ~ /^ *[^ ]/ { close_block(); indent = "" }
	indent { sub("^" indent, ""); if ($0 != "" || some) print >out; some = $0 != ""; next }
	/^\t/ {
		sub(/^\t/, "")
		if (/^diff --git / && out !~ /diff$/) { close_block(); out = name("diff") }
		if (!out) out = name("sh")
		print >out
		next
	}
	{ close_block() }' "$top/Documentation/repo/contributing.rst"
}

# Not in here: what builds a kernel, or runs all the tests.
heavy='^make (unit|lint|check)$|make run|^prove tests/tree/'

# follow STEP...: these, in order
follow()
{
	for step; do
		case $step in
		*.diff) git apply "$step" || return 1 ;;
		*.name) cp "${step%.name}.file" "$(cat "$step")" || return 1 ;;
		*.sh)	grep -Ev -e "$heavy" "$step" >"$work/commands"
			sh -ex "$work/commands" || return 1 ;;
		esac
	done
}

# fresh: a pristine tree, as $TREE
fresh()
{
	TREE=$work/tree
	export TREE
	rm -rf "$TREE"
	cp -a "$part" "$TREE"
}

# put_diff HOOK FILE: the diff on standard input in the place of the one of FILE
put_diff()
{
	cat >"$work/diff"
	awk -v file="$2" -v with="$work/diff" '
	/^diff --git / { old = $3 == "a/" file; if (old) while ((getline line <with) > 0) print line }
	!old' "$1" >"$work/hook" && cp "$work/hook" "$1"
}

# docs_hold: the tests that hold the documentation to the code pass
docs_hold()
{
	{ sh tests/docs/interface.t; sh tests/docs/settings.t; } >"$work/held" 2>&1
	! grep '^not ok' "$work/held"
}

blocks 'Change a hook'
fresh
ok "change a hook: the series is applied to a tree in git" follow "$steps"/01.sh
sed -i 's/^\tarch_cpu_idle_poll();$/& \/* changed *\//' "$TREE/kernel/sched/idle.c"
ok "change a hook: the diff takes its place" eval 'sh -e "$steps/02.sh" >"$work/new" &&
	put_diff kernel/sched/halt_poll.patch kernel/sched/idle.c <"$work/new"'
ok "change a hook: it fits" follow "$steps"/03.sh
fresh
ok "change a hook: it is applied as changed" eval 'scripts/apply "$TREE" &&
	grep -q "arch_cpu_idle_poll(); /\* changed" "$TREE/kernel/sched/idle.c" &&
	grep -q "__weak arch_cpu_idle_poll(void)" "$TREE/kernel/sched/idle.c"'

git add -A && git commit -q -m 'change a hook'

blocks 'Add a policy'
ok "add a policy: all files are there" follow "$steps"/01.name "$steps"/02.diff "$steps"/03.sh
git status --short | sed 's/^/# /'
ok "add a policy: it takes three files" [ "$(git status --short | wc -l)" -eq 3 ]
ok "add a policy: it is replayed" eval 'follow "$steps"/04.sh >"$work/replayed" &&
	grep "^message	100" "$work/replayed" || { cat "$work/replayed"; false; }'
ok "add a policy: the tests run it" eval 'follow "$steps"/05.sh >"$work/unit"'
ok "add a policy: the documentation's tests miss it" eval '! docs_hold && grep message "$work/held"'
ok "add a policy: with its documentation they do not" follow "$steps"/06.diff "$steps"/07.sh
fresh
ok "add a policy: it goes into a kernel" eval 'scripts/apply "$TREE" &&
	cmp kernel/halt_poll/policy_message.c "$TREE/kernel/halt_poll/policy_message.c"'

blocks 'Add a tunable'
ok "add a tunable: the code takes it" follow "$steps"/01.diff "$steps"/02.diff "$steps"/03.diff
ok "add a tunable: the policies still pass" make -s -C tools/power/halt-poll unit
ok "add a tunable: the documentation's tests miss it" eval '! docs_hold && grep patience "$work/held"'
ok "add a tunable: with its documentation they do not" follow "$steps"/04.diff "$steps"/05.sh

blocks 'Add a kernel version'
fresh
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 99/' "$TREE/Makefile"
ok "add a kernel version: it is refused" eval '! scripts/apply "$TREE"'
ok "add a kernel version: the trial works" follow "$steps"/01.sh
ok "add a kernel version: the list takes it" follow "$steps"/03.diff
ok "add a kernel version: it is supported" scripts/apply "$TREE"
# each_test: each that goes through the versions goes to this one, too
each_test()
{
	grep -l '^for version in 6\.1 6\.12' tests/tree/*.t >"$work/through" || return
	while read -r file; do
		grep '^for version in .* 6\.99; do$' "$file" || { echo "not in $file"; return 1; }
	done <"$work/through"
	[ -e tests/boot/6.99/poll.t ] && grep -w linux-source-6.99 scripts/install-packages
}
ok "add a kernel version: the tests take it" eval 'follow "$steps"/04.sh && each_test'

done_testing
