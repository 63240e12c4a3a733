#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# interrupt.t - apply and revert stopped in the middle, and on a full disk
#
# Commands that the scripts call are shadowed by ones that send a signal before
# or after the real work, at the N-th such call: every point is tried, in turn.

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck disable=SC2154 # from lib.sh
apply=$repo/scripts/apply revert=$repo/scripts/revert

mkdir "$work/commit" "$work/prepare"
for name in commit/mv commit/rm prepare/cp prepare/git prepare/mkdir prepare/cat; do
	real=$(command -v ${name#*/})
	cat >"$work/$name" <<-END
		#!/bin/sh
		[ -e "$work/armed" ] || exec $real "\$@"
		echo x >>"$work/calls"
		n=\$($(command -v wc) -l <"$work/calls")
		. "$work/armed"
		[ \$n -eq \$at ] || exec $real "\$@"
		[ \$when = before ] || $real "\$@"
		status=\$?
		kill -\$signal \$who
		[ \$when = before ] || exit \$status
		exec $real "\$@"
	END
done
chmod +x "$work"/commit/* "$work"/prepare/*

# stopped SIGNAL WHEN WHOM STEP COMMAND DIR: run it with a signal at call $at of
# those of STEP. The shell around it is its own session, so that a signal can go
# to all of it, as from a terminal; and INT is not ignored, as it is in what a
# script starts in the background. False when there is no such call.
#
# What a killed shell has started lives on for a moment, and holds the lock that
# it inherited. Only when that is gone too is there a state to look at.
stopped()
{
	rm -f "$work/calls"
	setsid -w env --default-signal=INT sh -c '
		flock 9
		who=$$
		[ "$3" = one ] || who=-$$
		echo "signal=$1 when=$2 who=$who at=$7" >"$8/armed"
		PATH=$8/$4:$PATH exec "$5" "$6"' sh "$@" "$at" "$work" >"$work/out" 2>&1 9>"$work/alive"
	status=$?
	flock "$work/alive" true
	rm -f "$work/armed"
	[ "$(wc -l <"$work/calls")" -ge "$at" ]
}

# as_found: what a run of $command left, $status, is all or nothing
as_found()
{
	case $status in
	0)	all=$((all + 1))
		same "$t" "$to" ;;
	1 | 129 | 130 | 143)
		none=$((none + 1))
		same "$t" "$from" ;;
	137)	# killed: it may be between; the next run clears that up
		none=$((none + 1))
		"$revert" "$t" >"$work/out" 2>&1
		[ -s "$work/out" ] && same "$t" "$work/pristine" ;;
	*)	return 1 ;;
	esac
}

# every SIGNAL WHEN WHOM STEP VERB: at every call of commit, some of prepare
every()
{
	case $5 in
	apply) command=$apply from=$work/pristine to=$work/applied ;;
	revert) command=$revert from=$work/applied to=$work/pristine ;;
	esac
	at=1 none=0 all=0
	while rm -rf "$t" && cp -a "$from" "$t" &&
		stopped "$1" "$2" "$3" "$4" "$command" "$t"; do
		if ! as_found; then
			echo "call $at, status $status"
			cat "$work/out"
			return 1
		fi
		at=$((at + 1))
		[ "$4" = commit ] || at=$((at + 10))
	done
	echo "$none undone, $all complete"
	[ $((none + all)) -ge 4 ] && [ "$none" -gt 0 ]
}

fresh
cp -a "$t" "$work/applied"
"$apply" "$work/applied" 2>/dev/null || exit 1

for verb in apply revert; do
	for how in 'INT before one' 'INT after all' 'TERM after one' \
		'KILL before one' 'KILL after one'; do
		# shellcheck disable=SC2086 # three words
		ok "$verb, $how, at any rename" every $how commit $verb
	done
	for how in 'INT before all' 'TERM after one' 'HUP after all' 'KILL after one'; do
		# shellcheck disable=SC2086 # three words
		ok "$verb, $how, while preparing" every $how prepare $verb
	done
done

# killed COMMAND FROM: a tree left half changed by a kill at a rename or removal
killed()
{
	at=0
	while :; do
		at=$((at + 1))
		rm -rf "$t"
		cp -a "$2" "$t"
		stopped KILL after one commit "$1" "$t" || return 1
		ls "$t"/.halt-poll.tmp/*/ready >/dev/null 2>&1 && ! same "$t" "$2" >/dev/null &&
			! same "$t" "$work/pristine" >/dev/null &&
			grep -q 'the poll' "$t/kernel/sched/idle.c" && return 0
	done
}

killed "$apply" "$work/pristine"
cp -a "$t" "$work/half"
ok 'apply after a killed apply: undone, then done' eval \
	'"$apply" "$t" 2>"$work/said" && same "$t" "$work/applied" && grep "undone" "$work/said"'
rm -rf "$t"
cp -a "$work/half" "$t"
touch "$work/mark"
ok 'revert after a killed apply: undone, status 0' eval \
	'"$revert" "$t" && same "$t" "$work/pristine"'
ok 'what was undone has a new time, for make' \
	eval '! [ "$t/kernel/sched/idle.c" -ot "$work/mark" ]'
rm -rf "$t"
cp -a "$work/half" "$t"
echo mine >>"$t/kernel/sched/idle.c"
ok "a user's edit since the kill is not undone" refuses \
	'was killed.*kernel/sched/idle.c was changed since' "$t" "$apply" "$t"
rm -rf "$t"
cp -a "$work/half" "$t"
sleep 100 &
sleeper=$!
echo $sleeper >"$t/.halt-poll.tmp/pid"
ok 'another one is at work: refused, named' \
	refuses "process $sleeper is at work" "$t" "$apply" "$t"
kill $sleeper
killed "$revert" "$work/applied"
ok 'apply after a killed revert: the tree is applied' eval '"$apply" "$t" 2>"$work/said"
	grep "applied .* already" "$work/said" && same "$t" "$work/applied"'

# a failing rename, at each: no signal, just an error
failing()
{
	cat >"$work/fail/mv" <<-END
		#!/bin/sh
		echo x >>"$work/calls"
		[ \$(wc -l <"$work/calls") -ne $1 ] || exit 1
		exec $(command -v mv) "\$@"
	END
	chmod +x "$work/fail/mv"
	rm -f "$work/calls"
	PATH=$work/fail:$PATH refuses 'as it was' "$t" "$apply" "$t"
}
mkdir "$work/fail"
fresh
for n in 1 3 8; do
	ok "rename $n fails: undone" failing $n
done

# race TREE: the status of all, and the tree, after six at once
race()
{
	rm -rf "$t" "$work/said"
	cp -a "$1" "$t"
	for n in 1 2 3 4 5 6; do
		{ "$apply" "$t"; echo $? >"$work/race.$n"; } 2>>"$work/said" &
	done
	wait
	cat "$work/said"
	[ "$(cat "$work"/race.* | sort | tr -d '\n')" = 011111 ] && same "$t" "$work/applied"
}
ok 'six at once: one does it, five are refused' race "$work/pristine"
for n in 1 2 3; do
	ok "six at once after a killed apply, $n" race "$work/half"
done

if [ "$(id -u)" = 0 ] && mkdir "$work/mnt" && mount -t tmpfs -o size=256k none "$work/mnt"; then
	# full COMMAND FROM TO: at each amount of free space, all or nothing
	full()
	{
		t=$work/mnt/t refused=0 done=0
		for free in 0 4 8 12 16 20 24 32 40 48 56 64 72 80 96 112; do
			rm -rf "$work/mnt/t" "$work/mnt/fill"
			cp -a "$2" "$t"
			head -c 1M /dev/zero >"$work/mnt/fill" 2>/dev/null
			truncate -s -"$free"k "$work/mnt/fill"
			if refuses "no space left for" "$t" "$1" "$t"; then
				refused=$((refused + 1))
			elif same "$t" "$3"; then
				done=$((done + 1))
			else
				echo "with $free KiB"
				return 1
			fi
		done
		echo "$refused refused, $done done"
		[ $refused -gt 3 ] && [ $done -gt 0 ]
	}
	ok 'apply on a full disk, up to enough space' full "$apply" \
		"$work/pristine" "$work/applied"
	ok 'revert on a full disk, up to enough space' full "$revert" \
		"$work/applied" "$work/pristine"
	umount "$work/mnt"
else
	skip 'full disk' 'needs root for a small tmpfs'
fi
done_testing
