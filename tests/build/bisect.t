#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# bisect.t - after each patch of the exported series the kernel builds and boots

# shellcheck disable=SC2016,SC2034 # eval gets its words whole
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL KERNEL
VERSION=6.12
export VERSION
GIT_COMMITTER_NAME=Bisecter GIT_COMMITTER_EMAIL=bisect@example.org
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

# The tree is kept: the next run builds what has changed.
dir=$top/build/$VERSION-bisect
tree=$dir/linux
pristine=$("$top/scripts/kernel-source" --pristine 2>"$work/log") ||
	{ echo "1..0 # SKIP no linux-source-$VERSION"; exit 0; }

# again: the tree as it was before any patch; times tell make what has changed
again()
{
	if [ "$(cat "$dir/origin" 2>/dev/null)" != "$(cat "$pristine/origin")" ]; then
		rm -rf "$dir" && mkdir -p "$tree" || return
		tar -C "$pristine/linux" --exclude='./obj-*' -cf - . | tar -C "$tree" -xf - || return
		cp "$pristine/origin" "$dir/origin"
	fi
	# What the last run has applied and not undone.
	tac "$dir/patches" 2>/dev/null | while read -r patch; do
		patch -s -R -p1 --no-backup-if-mismatch -d "$tree" <"$dir/$patch" || return
	done
	rm -f "$dir/patches" "$dir"/0*.patch
}
ok "a tree without the series" again

ok "the series is exported" "$top/scripts/export" "$tree" "$work/out"
while read -r patch; do
	cp "$work/out/quilt/$patch" "$dir/$patch"
	ok "$patch applies" patch -s -p1 --no-backup-if-mismatch -d "$tree" -i "$dir/$patch"
	echo "$patch" >>"$dir/patches"
	ok "it builds" eval '"$top/scripts/build-kernel" "$dir" 2>&1 </dev/null'
	# No architecture has the option before the third.
	knobs=0
	! grep -qx CONFIG_HALT_POLL=y "$dir/config" || knobs=7
	booted=$("$top/scripts/guest" --kernel "$dir/bzImage" sh -c \
		'ls /proc/sys/kernel | grep -c halt_poll_' 2>"$work/log" </dev/null)
	ok "it boots, with $knobs tunables" eval \
		'[ "$booted" = $knobs ] || { echo "$booted"; cat "$work/log"; false; }'
done <"$work/out/quilt/series"
ok "in the end polling is there" [ "$knobs" = 7 ]
ok "the tree is as it was" again
done_testing
