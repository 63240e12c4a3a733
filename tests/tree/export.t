#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# export.t - the exported patches, by git am, quilt and patch

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck disable=SC2154 # from lib.sh
export=$repo/scripts/export out=$work/out

fresh
echo '*.c diff=cpp' >"$t/.gitattributes"
cp -a "$t" "$work/base"
cp -a "$t" "$work/applied"
"$repo/scripts/apply" "$work/applied" 2>/dev/null
rm "$work/applied/.halt-poll.patch"
cp -a "$t" "$work/git"
git -C "$work/git" init -q
git -C "$work/git" add -A -f
git -C "$work/git" commit -qm base

printf '# SPDX-License-Identifier: GPL-2.0-only\nThe subject of it all\n\nWhy.\n\nAnd more.\n' \
	>"$repo/Documentation/repo/cover-letter.txt"
state "$t" >"$work/before"
ok 'export' "$export" "$t" "$out"
state "$t" >"$work/after"
ok 'the tree is not touched' diff "$work/before" "$work/after"
ok 'a cover letter and a patch a hook' [ "$(cd "$out" && echo ./*.patch)" = \
	"./0000-cover-letter.patch ./0001-sched-idle-Let-the-architecture-poll.patch ./0002-halt_poll-Poll-before-halting.patch ./0003-x86-idle-Poll-in-guests.patch" ]
ok "the cover letter: subject, text, git's diffstat" eval \
	'cd "$out" && cat 0000* && grep -x "Subject: .PATCH 0/3. The subject of it all" 0000* &&
	grep -x "And more." 0000* && grep "9 files changed, 11 insertions" 0000* &&
	! grep SPDX 0000*'
ok 'author of the hook, signed off by the exporter, once' eval 'cd "$out" &&
	for n in 1 2 3; do
		grep -x "From: The Project <project@example.org>" 000$n* &&
		[ "$(grep -c "^Signed-off-by:" 000$n*)" = 1 ] &&
		grep -x "Signed-off-by: Exporting Person <export@example.org>" 000$n* || exit 1
	done'
ok 'each patch carries the files it claims' eval 'cd "$out" &&
	! grep "^new file" 0001* && [ "$(grep -c "^new file" 0002*)" = 3 ] &&
	grep "^ create mode 100755 tools/power/halt-poll/tool" 0003*'

# same_files DIR1 DIR2: as git and quilt see it, no directories, two modes
same_files()
{
	for dir in "$1" "$2"; do
		content "$dir" | grep -v ' d [0-7]* $' | sed 's/ 664 / 644 /'
		echo
	done >"$work/both"
	awk -v RS= '{ s[NR] = $0 } END { exit NR != 2 || s[1] != s[2] }' "$work/both"
}

# am NAME OPTIONS...: git am into a copy of the git tree
am()
{
	rm -rf "$work/am"
	cp -a "$1" "$work/am"
	shift
	git -C "$work/am" am -q "$@" "$out"/000[123]*.patch
}
ok 'git am gives what apply gives' eval \
	'am "$work/git" && same_files "$work/am" "$work/applied" && [ ! "$(git -C "$work/am" status --short)" ]'
ok 'blob ids are those of the whole tree' eval 'cd "$work/am" &&
	sed -n "s/^index \(.*\)\.\.\(.*\) 1.*/\1 \2/p" "$out"/000[123]* | tr " " "\n" |
	git cat-file --batch-check | tee "$work/ids" && ! grep missing "$work/ids" &&
	[ "$(wc -l <"$work/ids")" -ge 10 ]'
sed -i '38s/$/ changed upstream/' "$work/git/arch/x86/kernel/process.c"
git -C "$work/git" commit -qam upstream
ok 'a changed context line: plain git am fails' eval '! am "$work/git"'
ok 'and git am -3 merges' eval 'am "$work/git" -3 && grep two "$work/am/arch/x86/kernel/process.c"'

cp -a "$work/base" "$work/q"
ok 'OUT/quilt: quilt push -a gives what apply gives' eval 'cd "$work/q" &&
	QUILT_PATCHES=$out/quilt quilt push -a && rm -rf "$work/q.pc" && mv .pc "$work/q.pc" &&
	same . "$work/applied"'
ok 'and quilt pop -a takes it out' eval 'cd "$work/q" && mv "$work/q.pc" .pc &&
	QUILT_PATCHES=$out/quilt quilt pop -a && rm -rf .pc && same_files . "$work/base"'
cp -a "$work/base" "$work/p"
ok 'halt-poll.diff by patch gives what apply gives' eval \
	'patch -s -p1 -d "$work/p" <"$out/halt-poll.diff" && same "$work/p" "$work/applied"'

# copy_overlay TREE: as Documentation/repo/overlay.rst says
copy_overlay()
{
	# shellcheck disable=SC2046 # a list of names
	(cd "$repo" && sed -n 's/^ create mode 100[67][45][45] //p' \
		$(grep '\.patch$' series) | tar -cf - -T - | tar -xf - -C "$1")
}
cp -a "$work/base" "$work/o"
copy_overlay "$work/o"
ok 'quilt with this repository as QUILT_PATCHES' eval 'cd "$work/o" &&
	QUILT_PATCHES=$repo quilt push -a && rm -r .pc && same . "$work/applied"'
cp -a "$work/base" "$work/i"
copy_overlay "$work/i"
git -C "$work/i" init -q
git -C "$work/i" add -A -f
git -C "$work/i" commit -qm overlay
ok 'git quiltimport takes the hooks' eval 'cd "$work/i" &&
	git quiltimport --patches "$repo" && same_files . "$work/applied"'

ok 'OUT that is not empty' eval 'touch "$out/mine"; refuses "no empty directory" "$out" "$export" "$t" "$out"'
mkdir "$work/o2"
ok 'OUT that is an empty directory, with blanks' eval \
	'mkdir "$work/o 3" && "$export" "$t" "$work/o 3/" && [ -s "$work/o 3/halt-poll.diff" ]'
git -C "$work" init -q outer
ok 'variables of a git hook do no harm' eval '(GIT_DIR=$work/outer/.git
	GIT_INDEX_FILE=$work/outer/.git/index
	export GIT_DIR GIT_INDEX_FILE; "$export" "$t" "$work/o6") &&
	cmp "$out/halt-poll.diff" "$work/o6/halt-poll.diff" && ! git -C "$work/outer" log'
"$repo/scripts/apply" "$t" 2>/dev/null
ok 'a tree that has it applied' refuses 'export needs it without' "$t" "$export" "$t" "$work/o4"
fresh
sed -i '39s/.*/mine/' "$t/arch/x86/kernel/process.c"
ok 'a tree that it does not fit: file and hunk named, nothing written' eval \
	'refuses "process.c: hunk 2 .* does not fit" "$t" "$export" "$t" "$work/o4" && [ ! -e "$work/o4" ]'
fresh
git config --global --unset user.email
ok 'nobody to sign off' eval 'refuses "does not know who signs off" "$t" "$export" "$t" "$work/o4"'
git config --global user.email export@example.org
rm "$repo/Documentation/repo/cover-letter.txt"
ok 'without a cover letter text: a subject all the same' eval '"$export" "$t" "$work/o5" &&
	grep -x "Subject: .PATCH 0/3. halt_poll: Poll in the guest before halting" "$work/o5"/0000* &&
	! grep "HERE" "$work/o5"/0000*'
done_testing
