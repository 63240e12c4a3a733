#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# full-tree.t - apply and revert on whole kernel trees, every file compared
#
# A tree that came through unchanged stays in build/tests for the next time.

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=tests/tree/source.sh
. "$(dirname -- "$0")/source.sh"
snapshot
printf "%s\n" "$touched" >"$work/names"

# list TREE: each path with type, mode, time of change and content
list()
{
	(cd "$1" && find . -type f -printf '%p %m %T@\n' -o ! -type d -printf '%p %l\n' \
		-o -printf '%p %m\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha1sum)
}

for version in 6.1 6.12; do
	if ! find_source $version; then
		skip "Linux $version" "no linux-source-$version"
		continue
	fi
	t=$cache/$version-full
	origin="$source $(stat -c %Y "$source")"
	if [ "$(cat "$t.origin" 2>/dev/null)" != "$origin" ]; then
		echo "# unpacking $source"
		rm -rf "$t" "$t.origin"
		if [ -d "$source" ]; then
			cp -a "$source" "$t"
		else
			mkdir "$t" && tar -xf "$source" -C "$t" --strip-components=1
		fi
	fi
	list "$t" >"$work/before"
	rm -f "$t.origin"
	ok "$version: apply to the whole tree" "$repo/scripts/apply" "$t"
	list "$t" >"$work/applied"
	ok "$version: the files that the series names have changed, and no others" eval '
		diff "$work/before" "$work/applied" | sed -n "s,^> \([0-9a-f]\{40\}  \)\./,,p" | sort >"$work/changed"
		printf "%s\n" .halt-poll.patch $touched $claims | sort | diff - "$work/changed"'
	ok "$version: revert" "$repo/scripts/revert" "$t"
	list "$t" >"$work/after"
	# Only the hooked files have a new time; contents and all else are the same.
	ok "$version: as before, every byte of $(grep -c '^[0-9a-f]\{40\}  ' "$work/before") files" eval '
		diff "$work/before" "$work/after" | sed -n "s,^> ,,p" | sort >"$work/changed"
		sed "s,^\./\([^ ]*\) [0-7]* [0-9.]*$,\1," "$work/changed" | diff - "$work/names"'
	if grep -q '^[0-9a-f]\{40\}  ' "$work/changed"; then
		rm -rf "$t"
	else
		echo "$origin" >"$t.origin"
	fi
done
done_testing
