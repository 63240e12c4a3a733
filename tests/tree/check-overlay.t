#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# check-overlay.t - each fault that check-overlay is there for, made and found

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck disable=SC2154 # from lib.sh
cp -a "$repo" "$work/good"
# shellcheck disable=SC2154 # from lib.sh
check=$repo/scripts/check-overlay hook=$repo/kernel/halt_poll.patch

# finds PATTERN [SOURCE...]: just this fault; the repository is good again after
finds()
{
	pattern=$1
	shift
	"$check" "$@" >"$work/out" 2>&1
	status=$?
	rm -rf "$repo"
	cp -a "$work/good" "$repo"
	cat "$work/out"
	[ "$status" -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 1 ] &&
		grep -q -e "$pattern" "$work/out"
}

silent()
{
	"$check" "$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq 0 ] && [ ! -s "$work/out" ]
}

ok 'a good repository: silence, status 0' silent
ok 'its pristine kernel source is fine' silent "$work/pristine"
(cd "$work" && tar -cJf pristine.tar.xz pristine)
ok 'and so is the tarball of it' silent "$work/pristine.tar.xz"

echo 'int x;' >"$repo/kernel/halt_poll/new.c"
ok 'a file that no hook claims' finds '^kernel/halt_poll/new.c: claimed by no hook$'
mkdir "$repo/Documentation/virt"
echo text >"$repo/Documentation/virt/halt-poll.rst"
ok 'also below Documentation' finds '^Documentation/virt/halt-poll.rst: claimed by no'
rm "$repo/kernel/halt_poll/core.c"
ok 'a claim without a file' finds '^kernel/halt_poll/core.c: claimed, and no such file$'
sed -i '/^---$/a\ create mode 100644 kernel/halt_poll/core.c' "$repo/arch/x86/halt_poll.patch"
ok 'a file that two hooks claim' finds '^kernel/halt_poll/core.c: claimed twice$'
chmod 755 "$repo/kernel/halt_poll/core.c"
ok 'a mode that is not the claimed one' finds 'core.c: claimed with mode 100644 and has'
sed -i 's/^ create mode 100644 kernel.halt_poll.core.c/ create mode 100600 core.c/' "$hook"
ok 'a claim that is not one' eval '"$check" >"$work/out"
	grep "not a claim:  create mode 100600 core.c" "$work/out"'
rm -rf "$repo"
cp -a "$work/good" "$repo"
sed -i 's/halt_poll.patch$/& # why/;' "$repo/series"
ok 'a comment behind a name in series' eval '"$check" >"$work/out"
	grep "^series: more than a file name in the line: kernel/halt_poll.patch # why" "$work/out"'
cp "$work/good/series" "$repo"
echo kernel/none.patch >>"$repo/series"
ok 'series names what is not there' finds '^series: no such file: kernel/none.patch$'
cp "$work/good/kernel/sched/idle.patch" "$repo/kernel/other.patch"
ok 'a hook that is not in series' finds '^kernel/other.patch: not in series$'
echo kernel/sched/idle.patch >>"$repo/series"
ok 'a hook that is twice in series' finds '^series: named twice: kernel/sched/idle.patch$'
sed -i 's/^Subject:/Sobject:/' "$hook"
ok 'a hook without a subject' finds 'halt_poll.patch: no mail'
sed -i 's,^+++ b/kernel/Makefile,&\t2026-01-01 00:00:00,' "$hook"
ok 'a time stamp in a hook' finds 'a time stamp'
sed -i '/^@@/,$d' "$repo/kernel/sched/idle.patch"
ok 'a hook without a hunk' eval '! "$check" >"$work/out" && grep "^kernel/sched/idle.patch: " "$work/out"'
cp -a "$work/good/." "$repo"
sed -i 's/^@@ -3,6 /@@ -3,7 /' "$hook"
ok 'a hunk with the wrong length' finds 'corrupt patch'
mkdir "$work/pristine/kernel/halt_poll"
echo theirs >"$work/pristine/kernel/halt_poll/core.c"
(cd "$work" && tar -cJf pristine.tar.xz pristine)
ok 'an overlay path that the kernel has' \
	finds '^kernel/halt_poll/core.c: exists in ' "$work/pristine"
ok 'the same in a tarball' \
	finds '^kernel/halt_poll/core.c: exists in pristine.tar.xz$' "$work/pristine.tar.xz"
ok 'a source that is not there' eval '"$check" "$work/none" 2>"$work/out"
	[ $? -eq 1 ] && grep "no such file" "$work/out"'

git -C "$repo" init -q
printf '*.o\n' >"$repo/.gitignore"
echo object >"$repo/kernel/halt_poll/core.o"
git -C "$repo" add -A
ok 'in a clone: what git ignores is no overlay file' silent
echo 'int x;' >"$repo/kernel/halt_poll/new.c"
ok 'in a clone: a file not yet added is one' \
	finds '^kernel/halt_poll/new.c: claimed by no hook$'
ok 'this repository itself' "$top/scripts/check-overlay"

# Bytes of the hooks and the series flipped: applied whole or not at all.
random_damage()
{
	seed=1 refused=0 done=0
	while [ $seed -le 40 ]; do
		rm -rf "$repo"
		cp -a "$work/good" "$repo"
		file=$(cd "$repo" && { cat series; echo series; } | grep -v '^#' | grep . |
			sed -n "$((seed % 4 + 1))p")
		size=$(wc -c <"$repo/$file")
		at=$((seed * 7919 % size))
		# shellcheck disable=SC2059 # an octal escape
		printf "\\$(printf %o $((33 + seed * 31 % 90)))" |
			dd of="$repo/$file" bs=1 seek=$at conv=notrunc 2>/dev/null
		t=$work/t
		rm -rf "$t"
		cp -a "$work/whole" "$t"
		if "$repo/scripts/apply" "$t" >"$work/out" 2>&1; then
			done=$((done + 1))
			if [ ! -f "$t/kernel/halt_poll/core.c" ] ||
				[ ! -f "$t/arch/x86/kernel/halt_poll.c" ] ||
				[ "$(grep -c -v '^line' "$t/kernel/Makefile")" != 2 ] ||
				! "$repo/scripts/revert" "$t" 2>"$work/out" ||
				[ "$(content "$t")" != "$(content "$work/whole")" ]; then
				echo "seed $seed: $file at $at"
				cat "$work/out"
				return 1
			fi
		else
			refused=$((refused + 1))
			[ "$(content "$t")" = "$(content "$work/whole")" ] ||
				{ echo "seed $seed: $file at $at"; return 1; }
		fi
		seed=$((seed + 1))
	done
	echo "$done applied, $refused refused"
	[ $done -gt 3 ] && [ $refused -gt 3 ]
}
rm -rf "$work/whole"
make_tree "$work/whole"
# The patch that an applied tree keeps, too: revert must not undo less.
kept_damage()
{
	seed=1
	rm -rf "$repo"
	cp -a "$work/good" "$repo"
	cp -a "$work/whole" "$work/applied"
	"$repo/scripts/apply" "$work/applied" 2>"$work/out" || return 1
	while [ $seed -le 20 ]; do
		rm -rf "$t"
		cp -a "$work/applied" "$t"
		size=$(wc -c <"$t/.halt-poll.patch")
		printf '\001' | dd of="$t/.halt-poll.patch" bs=1 conv=notrunc \
			seek=$((seed * 7919 % size)) 2>/dev/null
		refuses 'is damaged' "$t" "$repo/scripts/revert" "$t" || return 1
		seed=$((seed + 1))
	done
}
ok 'hooks and series with a random byte: all or nothing' random_damage
ok 'a kept patch with a random byte is refused' kept_damage
done_testing
