# SPDX-License-Identifier: GPL-2.0-only
# What the tests of the tools on a kernel tree share: TAP, and a small fake
# kernel tree with a small repository for it.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2119,SC2120,SC2154 # shared with the test

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

# The exporter, and no settings of whoever runs the tests.
unset GIT_CONFIG_GLOBAL XDG_CONFIG_HOME
# shellcheck disable=SC2046 # a list of names
unset $(git rev-parse --local-env-vars)
HOME=$work
GIT_CONFIG_NOSYSTEM=1
export HOME GIT_CONFIG_NOSYSTEM
git config --global user.name 'Exporting Person'
git config --global user.email export@example.org
git config --global init.defaultBranch main

cleanup()
{
	umount "$work/mnt" 2>/dev/null
	chmod -R u+w "$work" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

# state DIR: all there is to see in it but the times of directories
state()
{
	(cd "$1" && find . -name .git -prune -o \
		\( -type f -printf '%p %m %U %T@ ' -exec sha1sum {} \; \) -o \
		-printf '%p %y %m %l\n' | sort)
}

# content DIR: the same without the times and without a git repository
content()
{
	state "$1" | sed 's/^\(\.[^ ]* [0-7]* [0-9]*\) [0-9.]* /\1 /'
}

# refuses PATTERN DIR COMMAND...: status 1, a sentence that has PATTERN in it
# and no line of a shell or awk, and nothing changed in DIR
refuses()
{
	pattern=$1 dir=$2
	shift 2
	state "$dir" | grep -v '/\.halt-poll\.tmp/pid ' >"$work/.before"
	"$@" >"$work/.out" 2>&1
	status=$?
	state "$dir" | grep -v '/\.halt-poll\.tmp/pid ' >"$work/.after"
	cat "$work/.out"
	diff "$work/.before" "$work/.after" || return 1
	[ "$status" -eq 1 ] || { echo "status $status"; return 1; }
	grep -q -e "$pattern" "$work/.out" || { echo "no $pattern"; return 1; }
	! grep -v -e '^apply: ' -e '^revert: ' -e '^export: ' "$work/.out"
}

# same DIR1 DIR2: the same but for the times
same()
{
	content "$1" >"$work/.one"
	content "$2" >"$work/.two"
	diff "$work/.one" "$work/.two"
}

# lines FROM TO: numbered lines of a file
lines()
{
	seq -f 'line %g' "$1" "$2"
}

# make_tree DIR: a tree that passes for Linux 6.12
make_tree()
{
	mkdir -p "$1/kernel/sched" "$1/arch/x86/kernel" "$1/include/linux" "$1/tools/power"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 7\n' >"$1/Makefile"
	printf '.*\n!.gitignore\n*.o\n' >"$1/.gitignore"
	lines 1 60 >"$1/kernel/sched/idle.c"
	lines 1 40 >"$1/kernel/Makefile"
	lines 1 50 >"$1/arch/x86/kernel/process.c"
	lines 1 20 >"$1/include/linux/cpu.h"
	lines 1 5 >"$1/tools/power/README"
	chmod 664 "$1/arch/x86/kernel/process.c"
	find "$1" -type f -exec touch -d '2024-01-02 03:04:05.6' {} +
}

# hook FILE SUBJECT CLAIMS: a hook around the diff on standard input
hook()
{
	printf 'From: The Project <project@example.org>\nSubject: [PATCH] %s\n\n' "$2"
	printf 'Why this is done.\n---\n'
	for claim in $3; do
		mode=100644
		[ ! -x "$repo/$claim" ] || mode=100755
		echo " create mode $mode $claim"
	done
	echo
	cat
} >"$repo/$1"

# edit FILE LINE TEXT: a diff that puts TEXT after LINE of a file of make_tree
edit()
{
	printf 'diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n' "$1" "$1" "$1" "$1"
	echo "@@ -$(($2 - 2)),6 +$(($2 - 2)),7 @@"
	lines $(($2 - 2)) "$2" | sed 's/^/ /'
	echo "+$3"
	lines $(($2 + 1)) $(($2 + 3)) | sed 's/^/ /'
}

# make_repo DIR: a repository with three hooks; two of them edit one file
make_repo()
{
	repo=$1
	mkdir -p "$1/kernel/halt_poll" "$1/kernel/sched" "$1/arch/x86/kernel" \
		"$1/tools/power/halt-poll" "$1/Documentation/repo"
	cp -R "$top/scripts" "$1/scripts"
	echo 'int core;' >"$1/kernel/halt_poll/core.c"
	printf 'no newline at the end' >"$1/kernel/halt_poll/policy.c"
	: >"$1/kernel/halt_poll/empty.h"
	printf '#!/bin/sh\nexit 0\n' >"$1/tools/power/halt-poll/tool"
	chmod 755 "$1/tools/power/halt-poll/tool"
	echo 'int x86;' >"$1/arch/x86/kernel/halt_poll.c"
	echo 'never copied' >"$1/Documentation/repo/overlay.rst"
	{
		edit kernel/sched/idle.c 10 'the poll'
		edit include/linux/cpu.h 8 'the prototype'
	} | hook kernel/sched/idle.patch 'sched/idle: Let the architecture poll' ''
	edit kernel/Makefile 5 'obj-y += halt_poll/' | hook kernel/halt_poll.patch \
		'halt_poll: Poll before halting' \
		'kernel/halt_poll/core.c kernel/halt_poll/policy.c kernel/halt_poll/empty.h'
	{
		edit kernel/Makefile 30 'x86'
		edit arch/x86/kernel/process.c 20 'one'
		edit arch/x86/kernel/process.c 40 'two' | sed -e '/^[-d+][-i+][-f+]/d' \
			-e 's/+38,/+39,/'
	} | hook arch/x86/halt_poll.patch 'x86/idle: Poll in guests' \
		'arch/x86/kernel/halt_poll.c tools/power/halt-poll/tool'
	printf '# the hooks\n\n%s\n%s\n%s\n' kernel/sched/idle.patch \
		kernel/halt_poll.patch arch/x86/halt_poll.patch >"$1/series"
}

make_repo "$work/repo"
make_tree "$work/pristine"
# fresh [NAME]: a new pristine tree, as $t
fresh()
{
	t=$work/${1:-t}
	rm -rf "$t"
	cp -a "$work/pristine" "$t"
}
