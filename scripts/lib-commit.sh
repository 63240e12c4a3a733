# SPDX-License-Identifier: GPL-2.0-only
# Changing a kernel tree: all of it or none of it, whatever happens.
#
# Everything is prepared in TREE/.halt-poll.tmp/PID, on the tree's own disk: the
# files as they are (old), as they shall be (new, and once more in put, to be
# moved away) and the plan. A full disk is found out there. When all is
# there, the file "ready" is made and put is renamed into place, file by file.
# Removing "ready" is the commit. While it exists, undo() brings the tree back:
# in this process, or after a SIGKILL or a crash in the next one, which is for
# recover() in lib-recover.sh.
#
# Sourced after lib-tree.sh; $reverse is -R to revert, else empty.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2086,SC2154 # shared with the sourcing script

stage=

# take: claim the tree for this process
take()
{
	hold=$tree/.halt-poll.tmp
	stage=$hold/$$
	why=$(mkdir "$hold" 2>&1) ||
		refuse "cannot write to $tree (${why##*: }); it is untouched"
	trap finish EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	{ echo $$ >"$hold/pid" && mkdir "$stage"; } 2>/dev/null ||
		refuse "no space left for $tree; it is untouched"
}

# copy FROM TO PATH: with owner, mode and time
copy()
{
	to=$2/$3
	mkdir -p "${to%/*}" && cp -p "$1/$3" "$to"
}

# prepare: carry out $stage/stream on copies
prepare()
{
	plan_of "$stage/stream" >"$stage/plan" || return 1
	[ -s "$stage/plan" ] || refuse "the patch is empty"
	mkdir "$stage/old" "$stage/new" "$stage/put" || return 1
	while read -r what path; do
		check_path "$what" "$path"
		[ "$what" = A ] && continue
		copy "$tree" "$stage/old" "$path" || return 1
		copy "$tree" "$stage/new" "$path" || return 1
	done <"$stage/plan"
	(cd "$stage/new" && plain_git apply --check $reverse ../stream &&
		plain_git apply --whitespace=nowarn $reverse ../stream) || return 1
	while read -r what path; do
		case $what in
		A)	copy "$stage/new" "$stage/put" "$path" ;;
		D)	[ ! -e "$stage/new/$path" ] ;;
		M)	# git apply made a new file: keep the owner and the mode
			copy "$tree" "$stage/put" "$path" &&
			cat "$stage/new/$path" >"$stage/put/$path" &&
			! cmp -s "$stage/old/$path" "$stage/put/$path" ;;
		esac || return 1
	done <"$stage/plan"
	if [ "$reverse" ]; then
		echo "D $kept" >>"$stage/plan" && copy "$tree" "$stage/old" "$kept"
	else
		echo "A $kept" >>"$stage/plan" &&
		keep >"$stage/new/$kept" &&
		cp "$stage/new/$kept" "$stage/put/$kept"
	fi
}

# keep: the stream as the tree keeps it. Damaged, it could pass for a patch
# that undoes less.
keep()
{
	echo "Checksum: $(cksum <"$stage/stream")" && cat "$stage/stream"
}

# kept_stream: the other way round
kept_stream()
{
	sed 1d "$tree/$kept" >"$stage/stream" || return 1
	[ "$(sed 1q "$tree/$kept")" = "Checksum: $(cksum <"$stage/stream")" ] ||
		refuse "$kept, which tells what to revert, is damaged;" \
			"$tree is untouched"
}

# commit: rename everything into place
commit()
{
	grep -v '^A' "$stage/plan" >"$stage/old.plan"
	: >"$stage/ready" || return 1
	while read -r what path; do
		case $what in
		A)	to=$tree/$path
			mkdir -p "${to%/*}" && [ ! -e "$to" ] &&
			mv "$stage/put/$path" "$to" ;;
		D)	rm "$tree/$path" && drop_dirs "$path" ;;
		M)	mv -f "$stage/put/$path" "$tree/$path" ;;
		esac || return 1
	done <"$stage/plan"
	rm "$stage/ready"
}

# drop_dirs PATH: remove the directories above PATH that are empty now
drop_dirs()
{
	case $1 in
	*/*) (cd "$tree" && rmdir -p "${1%/*}" 2>/dev/null) ;;
	esac
	return 0
}

# undo: bring the tree back to what it was at take(); may be run again
undo()
{
	while read -r what path; do
		to=$tree/$path
		case $what in
		A)	# in put still: not ours, if it is there at all
			if [ ! -e "$stage/put/$path" ] && [ -e "$to" ]; then
				rm "$to" || return 1
			fi
			drop_dirs "$path" ;;
		*)	[ ! -e "$stage/old/$path" ] ||
			cmp -s "$stage/old/$path" "$to" 2>/dev/null ||
			{ mkdir -p "${to%/*}" && mv -f "$stage/old/$path" "$to"; } ;;
		esac || return 1
	done <"$stage/plan" && rm "$stage/ready"
}

# finish: on every exit from take() on
finish()
{
	status=$?
	trap '' HUP INT TERM
	if [ -e "$stage/ready" ]; then
		undo || {
			say "$tree is half changed, and undoing that failed;" \
				"run $me again when it can be written to"
			exit 3
		}
	elif [ -e "$stage/old.plan" ] && [ "$status" -gt 128 ]; then
		status=0	# too late: all was in place
	fi
	rm -rf "$hold" 2>/dev/null || { sleep 1 && rm -rf "$hold"; }
	[ "$status" -lt 128 ] || say "stopped by a signal; $tree is untouched"
	exit "$status"
}
