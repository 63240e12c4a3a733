# SPDX-License-Identifier: GPL-2.0-only
# The overlay and its hooks: what this repository holds for a kernel tree.
#
# Sourced by the scripts beside it; $root is the top of this repository.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # shared with the sourcing script

me=${0##*/}

# Names are bytes, messages are ours.
LC_ALL=C
export LC_ALL

# Plain git, wherever it runs: not the user's settings (apply.whitespace and
# diff.noprefix change what is written), not the repository around the current
# directory. GIT_CEILING_DIRECTORIES would do for the latter but for a path
# with a colon in it; a GIT_DIR that does not exist has no such exception.
plain_git()
{
	GIT_DIR=/nonexistent GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 \
		git "$@"
}

# say WORDS...: to the user, on standard error
say()
{
	printf '%s: %s\n' "$me" "$*" >&2
}

# refuse WORDS...: nothing has been done, and here is why
refuse()
{
	say "$*"
	exit 1
}

# usage: print the lines of the script's own comment that begin with "Usage"
# or follow one that does, up to the first empty comment line
usage()
{
	sed -n '/^# Usage/,/^#$/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

# need_git: git is the only tool needed beyond POSIX
need_git()
{
	command -v git >/dev/null 2>&1 || refuse "git is needed and not found"
	# Left over from a git hook or an alias, these would redirect git.
	# shellcheck disable=SC2046 # a list of names
	unset $(git rev-parse --local-env-vars)
}

# hooks: the patch files of the series, in order
hooks()
{
	[ -r "$root/series" ] || refuse "$root/series is missing"
	sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d' "$root/series"
}

# claims HOOK...: "MODE PATH" of each new file that the hooks claim, from the
# region that git, patch and quilt skip: between "---" and the first diff
claims()
{
	awk '
	FNR == 1 { region = 0 }
	region == 0 && $0 == "---" { region = 1; next }
	region == 1 && (/^diff --git / || /^--- /) { region = 2 }
	region == 1 && /^ create mode [0-7]+ / {
		mode = $3
		sub(/^ create mode [0-7]+ /, "")
		print mode, $0
	}' "$@" </dev/null
}

# all_claims: "MODE PATH" of each new file in the series
all_claims()
{
	(
		cd "$root" || exit 1
		# shellcheck disable=SC2046 # check-overlay wants plain names
		claims $(hooks)
	)
}

# stream HOOK: the hook's mail, then a new-file diff for each file it claims.
# All hooks' streams, one after the other, are one patch to git apply.
stream()
(
	cd "$root" || exit 1
	printf 'Hook: %s\n' "$1"
	bare_stream "$1"
)

# bare_stream HOOK: the same, as a mail that git am takes
bare_stream()
(
	cd "$root" || exit 1
	cat "./$1" || exit 1
	claims "./$1" | while read -r _ path; do
		# 1 is git diff's word for "they differ", which is what we want
		plain_git -c core.autocrlf=false diff --no-index --no-color \
			--no-ext-diff --no-textconv --full-index -- /dev/null "$path"
		[ $? -eq 1 ] || exit 1
	done
)

# whole_stream FILE: the one patch, written to FILE
whole_stream()
{
	for hook in $(hooks); do
		stream "$hook" || return 1
	done >"$1"
}
