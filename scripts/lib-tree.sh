# SPDX-License-Identifier: GPL-2.0-only
# The kernel tree: is it one, which, and may it be changed as planned?
#
# Sourced after lib-overlay.sh; $tree is the top of the kernel tree.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # shared with the sourcing script

supported='6.1 6.6 6.12 6.19'

# What an applied tree keeps for revert. The kernel's .gitignore covers names
# that begin with a dot, and no make target removes this one.
kept=.halt-poll.patch

# open_tree DIR: check that DIR is a kernel source tree, make it $tree
open_tree()
{
	[ -d "$1" ] || refuse "$1: no such directory"
	tree=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd -P && echo .) ||
		refuse "$1: cannot enter this directory"
	tree=${tree%??}		# pwd's newline and the dot that guards it
	version=$(awk '$1 == "VERSION" && $2 == "=" { v = $3 }
		$1 == "PATCHLEVEL" && $2 == "=" { p = $3 }
		END { if (v != "" && p != "") print v "." p }' \
		"$tree/Makefile" 2>/dev/null)
	[ "$version" ] || refuse "$tree is no kernel tree: it has no Makefile" \
		"with VERSION and PATCHLEVEL"
	[ -f "$tree/kernel/sched/idle.c" ] || refuse "$tree is no kernel source" \
		"tree (headers only?): it has no kernel/sched/idle.c"
}

# check_version: is this a version that the hooks are made for?
check_version()
{
	case " $supported " in
	*" $version "*) ;;
	*)	refuse "$tree is Linux $version; supported are $supported" \
			"(--force tries all the same)" ;;
	esac
}

# plan_of STREAM: what it does to a tree, a line a file: A (adds), D
# (deletes) or M (modifies) and the path
plan_of()
{
	list=$(plain_git apply --numstat --summary ${reverse:+-R} "$1") || return 1
	printf '%s\n' "$list" | awk '
		BEGIN { FS = "\t" }
		NF == 3 { if (!($3 in what)) { n++; path[n] = $3; what[$3] = "M" } }
		/^ create mode / { sub(/^ create mode [0-7]+ /, ""); what[$0] = "A" }
		/^ delete mode / { sub(/^ delete mode [0-7]+ /, ""); what[$0] = "D" }
		END { for (i = 1; i <= n; i++) print what[path[i]], path[i] }'
}

# check_path WHAT PATH: may this path be changed so? Here and not by git, which
# speaks of its own terms, looks at no permissions and goes to places outside.
check_path()
{
	case /$2/ in
	*/../* | *//* | *\"*) refuse "$2: not a path in a kernel tree" ;;
	esac
	dir=$tree/$2
	dir=${dir%/*}
	if [ "$1" = A ]; then
		if [ -e "$tree/$2" ] || [ -h "$tree/$2" ]; then
			refuse "$2 exists in $tree already; the tree is untouched"
		fi
		while [ ! -e "$dir" ]; do dir=${dir%/*}; done
		[ -d "$dir" ] || refuse "$dir is no directory," \
			"and $2 is to go there; the tree is untouched"
	else
		[ -e "$tree/$2" ] ||
			refuse "$2 is missing in $tree; the tree is untouched"
		if [ ! -f "$tree/$2" ] || [ -h "$tree/$2" ]; then
			refuse "$2 is no regular file; the tree is untouched"
		fi
		[ -w "$tree/$2" ] || refuse "$2 is read-only; the tree is untouched"
	fi
	[ "$(cd "$dir" && pwd -P)" = "$dir" ] ||
		refuse "$2 lies behind a symbolic link; the tree is untouched"
	[ -w "$dir" ] || refuse "$dir is read-only; the tree is untouched"
}

# explain STREAM ERRORS: git apply's complaints as sentences that name the
# file, the hunk and the hook that it comes from
explain()
{
	awk -v reverse="$reverse" '
	NR == FNR {
		if (/^Hook: /)
			hook = substr($0, 7)
		else if (/^diff --git /) {
			file = $NF
			sub(/^b\//, "", file)
			hunk = 0
		} else if (/^@@ /) {
			hunk++
			where = "hunk " hunk " (" $1 " " $2 " " $3 " " $4 ") of " hook
			old[file, substr($2, 2) + 0] = where
			new[file, substr($3, 2) + 0] = where
		}
		next
	}
	/^error: patch failed: / {
		sub(/^error: patch failed: /, "")
		line = $0
		sub(/.*:/, "", line)
		file = $0
		sub(/:[0-9]+$/, "", file)
		line += 0
		if (reverse && (file, line) in new)
			print file ": " new[file, line] " is no longer as it was applied"
		else if (!reverse && (file, line) in old)
			print file ": " old[file, line] " does not fit"
		else
			print file ": does not fit at line " line
		next
	}
	/: patch does not apply$/ { next }
	/^error: / { sub(/^error: /, ""); print }
	/^fatal: / { sub(/^fatal: /, ""); print }
	' "$1" "$2"
}

# fail_prepared: prepare() failed, with $errors
fail_prepared()
{
	case $errors in
	*'No space left'* | *'I/O error'*)
		refuse "no space left for $tree; it is untouched" ;;
	"$me: "*)
		printf '%s\n' "$errors" >&2
		exit 1 ;;
	esac
	printf '%s\n' "$errors" | explain "$stage/stream" - | while read -r line; do
		say "$line"
	done
	refuse "nothing was changed in $tree"
}
