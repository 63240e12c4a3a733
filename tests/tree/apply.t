#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# apply.t - apply and revert: what they do, and what they refuse

# shellcheck disable=SC2016 # eval gets its words whole

# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck disable=SC2154 # from lib.sh
apply=$repo/scripts/apply revert=$repo/scripts/revert

applied()
{
	grep -q 'the poll' "$1/kernel/sched/idle.c" &&
	grep -q 'halt_poll/' "$1/kernel/Makefile" && grep -q x86 "$1/kernel/Makefile" &&
	grep -q one "$1/arch/x86/kernel/process.c" &&
	grep -q two "$1/arch/x86/kernel/process.c" &&
	cmp "$repo/kernel/halt_poll/core.c" "$1/kernel/halt_poll/core.c" &&
	cmp "$repo/kernel/halt_poll/policy.c" "$1/kernel/halt_poll/policy.c" &&
	[ -f "$1/kernel/halt_poll/empty.h" ] && [ ! -s "$1/kernel/halt_poll/empty.h" ] &&
	[ -x "$1/tools/power/halt-poll/tool" ] && [ ! -e "$1/Documentation" ] &&
	[ ! -e "$1/.halt-poll.tmp" ]
}

# usage COMMAND...: does it say how it is used?
usage()
{
	"$@" 2>"$work/said"
	[ $? -eq 2 ] && grep '^Usage: scripts/' "$work/said"
}

# round DIR: apply, all there; revert, all as before
round()
{
	same "$1" "$work/pristine" && "$apply" "$1" && applied "$1" &&
	"$revert" "$1" && same "$1" "$work/pristine"
}

fresh
ok 'apply makes all edits and adds all files' eval '"$apply" "$t" && applied "$t"'
cp -a "$t" "$work/applied"
ok 'mode of an edited file stays' \
	[ "$(stat -c %a "$t/arch/x86/kernel/process.c")" = 664 ]
ok 'edited files have a new time, for make' \
	[ "$t/kernel/sched/idle.c" -nt "$work/pristine/kernel/sched/idle.c" ]
ok 'applied already' refuses 'applied to .* already' "$t" "$apply" "$t"
touch "$work/mark"
ok 'revert brings back every byte' eval '"$revert" "$t" && same "$t" "$work/pristine"'
ok 'reverted files have a new time, for make' \
	eval '! [ "$t/kernel/sched/idle.c" -ot "$work/mark" ]'
ok 'files of no concern keep their times' \
	[ "$(stat -c %y "$t/tools/power/README")" = "$(stat -c %y "$work/pristine/tools/power/README")" ]
ok 'revert of a tree without it' refuses 'not applied' "$t" "$revert" "$t"

fresh 'a tree: with "odd" $name;x'
ok 'a path with blanks, a colon, quotes and a dollar' round "$t"
fresh
ln -s t "$work/link"
ok 'a tree by its symbolic link' round "$work/link"
ok 'a relative path, from anywhere' eval 'cd "$work/repo" && round ../t'
ok 'the directory one is in, CDPATH set' \
	eval 'cd "$t" && CDPATH=$work && export CDPATH && round .'
unset CDPATH
cd / || exit

mkdir "$work/outer"
git -C "$work/outer" init -q
fresh outer/t
ok 'a tree within another git repository' round "$t"
git -C "$t" init -q && git -C "$t" add -A && git -C "$t" commit -qm base
echo mine >>"$t/tools/power/README"
echo mine >"$t/mine"
cp -a "$t" "$work/dirty"
ok 'a git checkout with changes of its own' eval \
	'"$apply" "$t" && applied "$t" && "$revert" "$t" && same "$t" "$work/dirty"'
git -C "$t" status --short >"$work/status"
"$apply" "$t" 2>/dev/null
ok 'git status shows nothing that apply keeps for itself' \
	eval '! git -C "$t" status --short | grep -F .halt-poll'
fresh
git config --global apply.whitespace error-all
git config --global diff.noprefix true
git config --global core.autocrlf true
ok "git settings that change patches do no harm" round "$t"
git config --global --unset apply.whitespace
git config --global --unset diff.noprefix
git config --global --unset core.autocrlf
ok 'variables of a git hook do no harm' eval '(GIT_DIR=$work/outer/.git
	GIT_WORK_TREE=$work/outer; export GIT_DIR GIT_WORK_TREE; round "$t")'

ok 'no such directory' refuses 'no such directory' "$work/t" "$apply" "$work/none"
mkdir "$work/empty"
ok 'no kernel tree' refuses 'no kernel tree' "$work/empty" "$apply" "$work/empty"
cp "$work/t/Makefile" "$work/empty"
ok 'kernel headers only' refuses 'headers only' "$work/empty" "$apply" "$work/empty"
for version in 5.15 6.2 6.120; do
	fresh
	sed -i "s/^VERSION.*/VERSION = ${version%.*}/; s/^PATCHL.*/PATCHLEVEL = ${version#*.}/" \
		"$t/Makefile"
	ok "Linux $version" refuses "is Linux $version; supported are" "$t" "$apply" "$t"
done
ok '--force takes it' eval '"$apply" --force "$t" && applied "$t" && "$revert" "$t"'
for version in 6.1 6.6 6.19; do
	fresh
	sed -i "s/^PATCHL.*/PATCHLEVEL = ${version#*.}/" "$t/Makefile"
	ok "Linux $version is taken" "$apply" "$t"
done

fresh
sed -i '39s/.*/line of mine/' "$t/arch/x86/kernel/process.c"
ok "a user's edit at a hook: file, hunk and hook named" refuses \
	'^apply: arch/x86/kernel/process.c: hunk 2 (@@ -38,6 +39,7 @@) of arch/x86/halt_poll.patch does not fit' \
	"$t" "$apply" "$t"
ok '--force does not make it fit' refuses 'hunk 2' "$t" "$apply" --force "$t"
sed -i '12s/.*/also mine/' "$t/kernel/sched/idle.c"
ok 'two such edits: both named' eval \
	'refuses process.c: "$t" "$apply" "$t" && grep idle.c: "$work/.out"'
fresh
sed -i '3i one line\nand another\nand a third' "$t/kernel/sched/idle.c"
cp -a "$t" "$work/shifted"
ok "a user's edit elsewhere in a hooked file is kept" eval \
	'"$apply" "$t" && applied "$t" && "$revert" "$t" && same "$t" "$work/shifted"'
fresh
rm "$t/include/linux/cpu.h"
ok 'a hooked file is missing' refuses 'include/linux/cpu.h is missing' "$t" "$apply" "$t"
fresh
mkdir "$t/kernel/halt_poll"
echo mine >"$t/kernel/halt_poll/policy.c"
ok 'an overlay path is taken' \
	refuses 'kernel/halt_poll/policy.c exists' "$t" "$apply" "$t"
rm -r "$t/kernel/halt_poll"
echo mine >"$t/kernel/halt_poll"
ok 'an overlay directory is a file' \
	refuses 'kernel/halt_poll is no directory' "$t" "$apply" "$t"
rm "$t/kernel/halt_poll"
ln -s /nowhere "$t/arch/x86/kernel/halt_poll.c"
ok 'an overlay path is a dangling link' \
	refuses 'arch/x86/kernel/halt_poll.c exists' "$t" "$apply" "$t"
fresh
mv "$t/kernel/sched/idle.c" "$work/idle.c"
ln -s "$work/idle.c" "$t/kernel/sched/idle.c"
ok 'a hooked file is a symbolic link' refuses 'no regular file' "$t" "$apply" "$t"
fresh
mv "$t/arch/x86" "$work/x86"
ln -s "$work/x86" "$t/arch/x86"
ok 'a directory is a symbolic link to outside' \
	refuses 'behind a symbolic link' "$t" "$apply" "$t"
fresh
cp -al "$t" "$work/clone"
cp -a "$work/clone" "$work/clone.before"
ok 'a tree of hard links: the other one does not change' eval \
	'"$apply" "$t" && applied "$t" && same "$work/clone" "$work/clone.before"'

for path in kernel/sched/idle.c:10 kernel/halt_poll/core.c:1 arch/x86/kernel/process.c:22; do
	file=${path%:*}
	rm -rf "$t"
	cp -a "$work/applied" "$t"
	sed -i "${path#*:}s/.*/mine/" "$t/$file"
	ok "revert: $file was edited where it matters" refuses \
		"^revert: $file: hunk .* is no longer as it was applied" "$t" "$revert" "$t"
done
rm -rf "$t"
cp -a "$work/applied" "$t"
rm "$t/kernel/halt_poll/empty.h"
ok 'revert: an added file is gone' refuses 'empty.h is missing' "$t" "$revert" "$t"
rm -rf "$t"
cp -a "$work/applied" "$t"
sed -i '55s/.*/mine/' "$t/kernel/sched/idle.c"
fresh u
sed -i '54s/.*/mine/' "$work/u/kernel/sched/idle.c"
t=$work/t
ok "revert keeps a user's edit elsewhere" eval '"$revert" "$t" && same "$t" "$work/u"'
rm -rf "$t"
cp -a "$work/applied" "$t"
echo object >"$t/kernel/halt_poll/core.o"
ok 'revert leaves build products and says so' eval '"$revert" "$t" 2>"$work/said" &&
	[ "$(ls -A "$t/kernel/halt_poll")" = core.o ] && grep "halt_poll stays" "$work/said"'
rm -rf "$t"
cp -a "$work/applied" "$t"
mv "$repo" "$work/newer"
make_repo "$work/repo"
echo 'int newer;' >"$repo/kernel/halt_poll/core.c"
ok 'revert undoes what was applied, not what is here now' eval \
	'"$revert" "$t" && same "$t" "$work/pristine"'
rm -rf "$repo"
mv "$work/newer" "$repo"

for bad in '' '-x t' 't t' '--force' '--help'; do
	# shellcheck disable=SC2086 # the words
	ok "apply $bad: usage, status 2" usage "$apply" $bad
done
ok 'revert without a tree: usage, status 2' usage "$revert"
fresh
echo 'int forgotten;' >"$repo/kernel/halt_poll/forgotten.c"
ok 'an overlay at odds with its hooks is not applied' eval '"$apply" "$t"
	[ $? = 1 ] && same "$t" "$work/pristine"'
rm "$repo/kernel/halt_poll/forgotten.c"
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/mnt"
	mount --bind "$t" "$work/mnt" && mount -o remount,ro,bind "$work/mnt"
	ok 'a read-only file system' refuses 'Read-only' "$t" "$apply" "$work/mnt"
	umount "$work/mnt"
	chmod 755 "$work"
	chown -R nobody "$t"
	chmod a-w "$t/kernel/sched"
	ok 'a directory that one may not write to' refuses 'read-only' "$t" \
		setpriv --reuid=nobody --clear-groups "$apply" "$t"
	chmod a-w "$t"
	ok 'a tree that one may not write to' refuses 'untouched' "$t" \
		setpriv --reuid=nobody --clear-groups "$apply" "$t"
else
	chmod a-w "$t/kernel/sched"
	ok 'a directory that one may not write to' refuses 'read-only' "$t" "$apply" "$t"
	chmod u+w "$t/kernel/sched"
fi
done_testing
