# SPDX-License-Identifier: GPL-2.0-only
# Where the tests find the kernels' real sources: a directory or a tarball
# linux-source-VERSION in $HALT_POLL_SRC_DIR, or Debian's in /usr/src.
#
# Sourced after lib.sh.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # shared with the test

cache=$top/build/tests
mkdir -p "$cache"

# find_source VERSION: set $source, or fail
find_source()
{
	for source in ${HALT_POLL_SRC_DIR:+"$HALT_POLL_SRC_DIR/linux-source-$1" \
		"$HALT_POLL_SRC_DIR/linux-source-$1.tar.xz"} \
		"/usr/src/linux-source-$1.tar.xz"; do
		[ ! -r "$source" ] || return 0
	done
	return 1
}

# snapshot: what the series has, as it is now, in a repository at $repo, so that
# nobody who edits in the meantime changes what is tested
snapshot()
{
	repo=$work/snapshot
	mkdir "$repo"
	hooks=$(grep -v -e '^#' -e '^$' "$top/series")
	# shellcheck disable=SC2086 # a list of names
	(cd "$top" &&
		{ printf '%s\n' series $hooks; find scripts -type f; sed -n \
			'/^---$/,/^diff/s/^ create mode 100[67][45][45] //p' $hooks; } |
		tar -cf - -T - | tar -xf - -C "$repo")
	claims=$(cd "$repo" && find . -type f ! -name '*.patch' ! -name series \
		! -path './scripts/*' | sed 's,^\./,,')
	touched=$(cd "$repo" && for hook in $hooks; do
		sed -n 's,^--- a/,,p' "$hook"
	done | sort -u)
}

# partial VERSION: only the files that matter, in $part, unpacked once
partial()
{
	part=$cache/$1-partial
	want=$(printf '%s\n' Makefile Kconfig kernel/sched/idle.c .gitattributes \
		.gitignore scripts/checkpatch.pl "$touched" "$claims" | sort -u)
	origin="$source $(stat -c %Y "$source") $(printf '%s' "$want" | cksum)"
	[ "$(cat "$part.origin" 2>/dev/null)" != "$origin" ] || return 0
	rm -rf "$part"
	mkdir "$part"
	if [ -d "$source" ]; then
		(cd "$source" && for file in $want; do
			[ ! -e "$file" ] || echo "$file"
		done | tar -cf - -T -) | tar -xf - -C "$part"
	else
		# Claimed files are asked for to see that they are not there.
		# shellcheck disable=SC2046,SC2086 # a list of names
		tar -xf "$source" -C "$part" --strip-components=1 \
			$(printf "linux-source-$1/%s " $want) 2>/dev/null
	fi
	[ -f "$part/kernel/sched/idle.c" ] && echo "$origin" >"$part.origin"
}
