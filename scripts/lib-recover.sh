# SPDX-License-Identifier: GPL-2.0-only
# A kernel tree in which an apply or revert was killed: undo the rest first.
#
# Sourced after lib-commit.sh.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # shared with the sourcing script

again=

# recover: deal with what another process has left in the tree
recover()
{
	hold=$tree/.halt-poll.tmp
	[ -d "$hold" ] || return 0
	pid=$(cat "$hold/pid" 2>/dev/null)
	if [ ! "$pid" ]; then
		sleep 1		# between its mkdir and its pid?
		pid=$(cat "$hold/pid" 2>/dev/null)
	fi
	if [ "$pid" ] && { kill -0 "$pid" || ps -p "$pid"; } >/dev/null 2>&1; then
		refuse "process $pid is at work in $tree" \
			"(if that is no apply or revert, remove $hold/pid)"
	fi
	# Of several that come to this point, one gets the file with the pid; and
	# it may be that of one that has been here, and gone on, in the meantime.
	# Or the dead one's last command is still at work, and removes it.
	if [ "$pid" ]; then
		mv "$hold/pid" "$hold/dead.$$" 2>/dev/null
		now=$(cat "$hold/dead.$$" 2>/dev/null)
		if [ "$now" != "$pid" ]; then
			[ ! "$now" ] || mv "$hold/dead.$$" "$hold/pid"
			[ ! "$again" ] || refuse "another process is at work in $tree"
			again=1
			sleep 1
			recover
			return
		fi
		rm -f "$hold/dead.$$"
	fi
	{ echo $$ >"$hold/pid"; } 2>/dev/null
	for stage in "$hold"/[0-9]*; do
		[ ! -e "$stage/ready" ] || repair
	done
	# A command that the dead one had started may be at work for a moment.
	rm -rf "$hold" 2>/dev/null || { sleep 1 && rm -rf "$hold"; } ||
		refuse "cannot remove $hold"
	stage=
}

# repair: undo what a killed process had begun, if nobody worked there since
repair()
{
	while read -r what path; do
		cmp -s "$stage/old/$path" "$tree/$path" 2>/dev/null ||
		cmp -s "$stage/new/$path" "$tree/$path" 2>/dev/null ||
		{ [ ! -e "$tree/$path" ] && [ "$what" != M ]; } ||
		{ [ ! -e "$stage/old/$path" ] && [ "$what" != A ]; } ||
		refuse "an apply or revert was killed in $tree, and $path was" \
			"changed since: compare it with those in $stage/old and" \
			"$stage/new, put right what is wrong, remove $hold"
	done <"$stage/plan"
	undo || refuse "cannot undo an apply or revert that was killed in $tree;" \
		"the old files are in $stage/old"
	# A make in between must not take its objects for up to date.
	while read -r what path; do
		[ ! -e "$tree/$path" ] || touch "$tree/$path"
	done <"$stage/old.plan"
	say "an apply or revert was killed in $tree; it is undone now"
	repaired=1
}
