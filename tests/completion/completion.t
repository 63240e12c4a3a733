#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# completion.t - what bash offers for the tools, installed as make install does

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL

[ -r /usr/share/bash-completion/bash_completion ] ||
	{ echo '1..0 # SKIP bash-completion is not installed'; exit 0; }
if ! make -s -C "$top/tools/power/halt-poll" O="$work/build" DESTDIR="$work/root" PREFIX=/usr \
	install >"$work/said" 2>&1; then
	sed 's/^/# /' "$work/said"
	echo 'Bail out! the tools cannot be installed'
	exit 1
fi
mkdir "$work/here" "$work/here/traces"
: >"$work/here/a trace"
PATH=$work/root/usr/bin:$PATH
XDG_DATA_DIRS=$work/root/usr/share:/usr/share
export PATH XDG_DATA_DIRS

# offered WORD...: for the last word, in the directory that has those two
offered() { (cd "$work/here" && bash "$top/tests/completion/complete" "$@" | sort); }

# offers LIST WORD...: these and no others
offers()
{
	printf '%s' "$1" | sed 's/,/\n/g; s/$/\n/' | sort >"$work/wanted"
	shift
	offered "$@" >"$work/got"
	diff "$work/wanted" "$work/got"
}

# options TOOL: the long ones that its help explains, each with what it has to take
options()
{
	"$1" --help | sed -n 's/^ *\(-[A-Za-z], \)*\(--[a-z-]*\)\(\[=.*\| \([A-Z]*\).*\)/\2 \4/p'
}

# all_options TOOL: and no others
all_options()
{
	options "$1" | sed 's/ .*//' | sort >"$work/wanted"
	[ -s "$work/wanted" ] || return
	offered "$1" -- >"$work/got"
	diff "$work/wanted" "$work/got"
}

# no_files TOOL TAKES...: an option that takes such a thing is offered nothing
no_files()
{
	tool=$1
	shift
	for takes; do
		options "$tool" | sed -n "s/ $takes$//p" >"$work/options"
		[ -s "$work/options" ] || { echo "no option takes $takes"; return 1; }
		while read -r option; do
			offers '' "$tool" "$option" '' && offers '' "$tool" "$option" = || return
		done <"$work/options"
	done
}

ok 'halt-poll-stat: the options of --help' all_options halt-poll-stat
ok 'halt-poll-stat: one that is begun' offers --prometheus halt-poll-stat --pro
ok 'halt-poll-stat: the second' offers --interval halt-poll-stat --json --inter
ok 'halt-poll-stat: no files for numbers' no_files halt-poll-stat SECONDS N NS
ok 'halt-poll-stat: nor for the time of --advise=' offers '' halt-poll-stat --advise =
ok 'halt-poll-stat: a file for -o' offers 'a trace' halt-poll-stat -o a
ok 'halt-poll-stat: a file for --output=' offers 'a trace' halt-poll-stat --output = a
ok 'halt-poll-stat: all files there' offers 'a trace,traces' halt-poll-stat --output =
ok 'halt-poll-stat: only directories for --root' offers traces halt-poll-stat --root ''
ok 'halt-poll-stat: a command' offers halt-poll-record halt-poll-stat -jo file halt-poll-rec
ok 'halt-poll-stat: a command after --' offers halt-poll-record halt-poll-stat -i 2 -- halt-poll-rec
ok 'halt-poll-stat: a command after the time of --advise' offers halt-poll-record \
	halt-poll-stat --advise 5 --output = file halt-poll-rec
ok 'halt-poll-stat: the options of the command are its own' offers --jitter \
	halt-poll-stat --output = file halt-poll-replay --ji
ok 'halt-poll-stat: so are their arguments' offers fixed \
	halt-poll-stat -- halt-poll-replay --policy = 'fi'

# The policies that the kernel has, and the rules of others.
policies=$(sed -n 's/^\t\.name\t*= "\(.*\)",$/\1/p' "$top"/kernel/halt_poll/policy_*.c \
	"$top/tools/power/halt-poll/reference.c" | tr '\n' ,)all
traces=$(halt-poll-replay --generate list | cut -f1 | tr '\n' ,)
ok 'halt-poll-replay: the options of --help' all_options halt-poll-replay
ok 'halt-poll-replay: the policies' offers "$policies" halt-poll-replay --policy ''
ok 'halt-poll-replay: a policy' offers predictive halt-poll-replay -p pre
ok 'halt-poll-replay: a policy after =' offers fixed halt-poll-replay --policy = 'fi'
ok 'halt-poll-replay: the made-up traces' offers "${traces%,}" halt-poll-replay --trace ''
ok 'halt-poll-replay: and the list of them' offers "${traces}list" halt-poll-replay --generate ''
ok 'halt-poll-replay: no files for numbers' no_files halt-poll-replay NS N PERCENT
ok 'halt-poll-replay: files' offers 'a trace,traces' halt-poll-replay --policy fixed ''

ok 'halt-poll-record: the options of -h' eval 'halt-poll-record -h |
	sed -n "s/^ *\(-[a-z]\) .*/\1/p" >"$work/options"
	offers "$(paste -sd, "$work/options")" halt-poll-record -'
ok 'halt-poll-record: the tools' offers 'perf,trace-cmd' halt-poll-record -t ''
ok 'halt-poll-record: a file' offers 'a trace' halt-poll-record -ko a
ok 'halt-poll-record: a command' offers halt-poll-stat halt-poll-record -o file halt-poll-st
ok 'halt-poll-record: the options of the command are its own' offers --json \
	halt-poll-record -- halt-poll-stat --js
done_testing
