#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# figures.t - the README's table is what the run that it names has measured

# shellcheck disable=SC2016 # evaluated later
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

run=$(sed -n 's/.*<!-- figures: \(.*\) -->.*/\1/p' "$top/README.md")
ok "the README names a run" test -s "$top/$run/bench.tsv"

# between the marks, without the empty lines that Markdown wants around a table
sed -n '/<!-- figures: /,/<!-- end of figures -->/p' "$top/README.md" | sed '1d; $d' |
	sed '/./,$!d' >"$work/has"
"$top/tests/bench/readme" "$top/$run" >"$work/is"
ok "it has a table" grep -q '^| pipe' "$work/is"
ok "which is the README's, too" eval 'diff "$work/has" "$work/is"'

mkdir "$work/run"
cp "$top/$run/bench.tsv" "$work/run"
"$top/tests/bench/report" "$work/run" >/dev/null
ok "the report beside it is of the same figures" diff "$top/$run/report.txt" "$work/run/report.txt"
for word in kernel QEMU rounds 'a host with' 20[0-9][0-9]-; do
	ok "it says where it was measured: $word" eval 'head -n 1 "$top/$run/report.txt" | grep -q "$word"'
done

awk 'BEGIN { FS = OFS = "\t" } $2 == "off" && $3 == "pipe" { $5 *= 2 } { print }' \
	"$top/$run/bench.tsv" >"$work/run/bench.tsv"
ok "another figure makes another table" eval '! "$top/tests/bench/readme" "$work/run" | diff "$work/is" - >/dev/null'
done_testing
