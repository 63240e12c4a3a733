#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A fault in a trace is named by file and line, and then there is no result

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

# refused LINES MESSAGE: a trace of LINES gives MESSAGE, status 1 and no row
refused()
{
	printf '%b' "$1" >"$work/trace"
	(cd "$work" && "$replay" trace >out 2>err)
	status=$?
	cat "$work/out" "$work/err"
	[ $status = 1 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "$2" ]
}

ok 'no number' refused 'abc - other\n' 'trace:1: a length in ns is expected, not "abc"'
ok 'a negative number' refused '-5 - other\n' 'trace:1: a length in ns is expected, not "-5"'
ok 'a fraction' refused '1.5 - other\n' 'trace:1: a length in ns is expected, not "1.5"'
ok 'a number with a tail' refused '20us - other\n' 'trace:1: a length in ns is expected, not "20us"'
ok 'hexadecimal' refused '0x10 - other\n' 'trace:1: a length in ns is expected, not "0x10"'
ok '2^64' refused '18446744073709551616 - other\n' 'trace:1: a length in ns is larger than 2^64'
ok 'far beyond 2^64' refused '99999999999999999999999 - other\n' \
	'trace:1: a length in ns is larger than 2^64'
ok 'only one field' refused '20\n' 'trace:1: the next timer in ns or "-" is missing'
ok 'a bad timer' refused '20 soon other\n' \
	'trace:1: the next timer in ns or "-" is expected, not "soon"'
ok 'two fields' refused '20 -\n' 'trace:1: "timer" or "other" is missing'
ok 'a bad reason' refused '20 - irq\n' 'trace:1: "timer" or "other" is expected, not "irq"'
ok 'a reason with a tail' refused '20 - others\n' \
	'trace:1: "timer" or "other" is expected, not "others"'
ok 'a field too many' refused '20 - other 7\n' \
	'trace:1: the end of the line is expected, not "7"'
ok 'the right line is named' refused '# comment\n20 - other\n\n30 - timer\nx\n' \
	'trace:5: a length in ns is expected, not "x"'
ok 'a fault in a last line without newline' refused '20 - other\n30 -' \
	'trace:2: "timer" or "other" is missing'
ok 'control characters do not reach the terminal' refused '\033[2J - other\n' \
	'trace:1: a length in ns is expected, not "?[2J"'
ok 'a zero byte' refused '20\000 - other\n' 'trace:1: a length in ns is expected, not "20?"'
ok 'nothing' refused '' 'trace: there is no idle period in it'
ok 'nothing but comments' refused '# a\n\n' 'trace: there is no idle period in it'

late_fault()
{
	"$replay" --generate busy --count 200000 >"$work/long" || return
	echo oops >>"$work/long"
	(cd "$work" && "$replay" long >out 2>err)
	[ $? = 1 ] && [ ! -s "$work/out" ] && grep -q '^long:200001: ' "$work/err"
}
ok 'a fault after 200000 good lines' late_fault

long_line()
{
	head -c 100000 /dev/zero | tr '\0' 1 >"$work/trace"
	(cd "$work" && "$replay" trace >out 2>err)
	[ $? = 1 ] && [ ! -s "$work/out" ] && grep -q '^trace:1: ' "$work/err"
}
ok 'a line without end' long_line

endless_line()
{
	head -c 1000000 /dev/zero | tr '\0' ' ' >"$work/trace"
	(cd "$work" && "$replay" trace >out 2>err)
	[ $? = 1 ] && [ ! -s "$work/out" ] &&
		[ "$(cat "$work/err")" = 'trace:1: the line is longer than 1023 characters' ]
}
ok 'a line without end, of blanks' endless_line

from_pipe()
{
	printf '20 - other\nbad\n' | "$replay" - 2>"$work/err"
	[ "$(cat "$work/err")" = '<stdin>:2: a length in ns is expected, not "bad"' ]
}
ok 'a fault in a pipe' from_pipe

no_file()
{
	"$replay" "$work/none" >"$work/out" 2>"$work/err"
	[ $? = 1 ] && [ ! -s "$work/out" ] && grep -q 'none: No such file' "$work/err"
}
ok 'no such file' no_file

a_directory()
{
	"$replay" "$work" >"$work/out" 2>"$work/err"
	[ $? = 1 ] && [ ! -s "$work/out" ] && grep -q 'Is a directory' "$work/err"
}
ok 'a directory' a_directory

full_disk()
{
	"$replay" --trace busy >/dev/full 2>"$work/err"
	[ $? = 1 ] && grep -q 'No space left' "$work/err"
}
ok 'no room for the result' full_disk

done_testing
