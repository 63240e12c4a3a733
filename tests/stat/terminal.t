#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a person sees who has a terminal, in tmux

# shellcheck source=tests/stat/lib.sh
. "$(dirname -- "$0")/lib.sh"

if ! command -v tmux >/dev/null; then
	echo '1..0 # SKIP no tmux'
	exit 0
fi

unset TMUX
server=0
tmux() { command tmux -f /dev/null -S "$work/tmux.$server" "$@"; }
trap 'tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT

# open_terminal COLUMNS LINES ARGUMENTS: the tool in one, which stays when it ends
open_terminal()
{
	columns=$1 lines=$2
	shift 2
	tmux kill-server 2>/dev/null
	# It takes a moment to go.
	server=$((server + 1))
	tmux new-session -d -x "$columns" -y "$lines" \
		"'$stat' --root '$root' $*; echo status \$?; exec sleep 60"
}

# screen: what is on it, lines that were broken made whole
screen() { tmux capture-pane -p -J | tee "$work/screen"; }

# seen COMMAND...: until it succeeds, with the screen on its standard input
seen()
{
	tries=0
	until screen | "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 50 ] || { cat "$work/screen"; return 1; }
		sleep 0.1
	done
}
widest() { awk 'length > most { most = length } END { print most + 0 }' "$work/screen"; }

a_kernel
wide()
{
	open_terminal 120 30 -i 0.1 || return
	seen grep -q '^all .*0$' && grep -q '^cpu .*idles/s.*backoffs$' "$work/screen"
}
ok 'a wide terminal has all columns' wide
bold()
{
	tmux capture-pane -p -e | cat -v | tee "$work/codes"
	grep -q '^^\[\[1mcpu ' "$work/codes"
}
ok 'the head is bold' bold

# The last head on the screen, as it is while rows are added to it.
last_head() { grep '^cpu ' | tail -n 1 | grep -q "$1"; }
narrower()
{
	tmux resize-window -x 50 -y 30
	seen last_head 'hit%[^k]*$' || return
	# By now what was wide has gone.
	tmux clear-history
	tmux send-keys -R
	sleep 1
	screen >/dev/null
	cat "$work/screen"
	[ "$(widest)" -gt 20 ] && [ "$(widest)" -le 50 ]
}
ok 'made narrower while it runs it goes without the last columns' narrower
wider()
{
	tmux resize-window -x 120 -y 30
	seen last_head 'backoffs$'
}
ok 'made wider again it has them' wider
head_again()
{
	open_terminal 100 60 -i 0.02
	several() { [ "$(grep -c '^cpu ')" -ge 2 ]; }
	seen several
}
ok 'the head comes again before it is out of sight' head_again
interrupted()
{
	open_terminal 100 30 -i 0.1
	seen grep -q '^all ' || return
	tmux send-keys C-c
	seen grep -q 'status 0$'
}
ok 'ctrl-C ends it' interrupted
summary()
{
	open_terminal 60 30 -- sleep 0.1
	seen grep -q 'status 0$' && grep -q '^all ' "$work/screen" || return
	# The last line is a sentence, and breaks where the terminal ends.
	sed '/ polled for /d' "$work/screen" >"$work/table"
	is "$(awk 'length > 60' "$work/table")" ''
}
ok 'the summary of a command fits, too' summary

done_testing
