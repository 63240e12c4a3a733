#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# build.t - the kernel's own Sphinx takes our pages without a warning
#
# SPHINXBUILD may name another sphinx-build than the one in PATH.

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/docs/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=tests/tree/source.sh
. "$top/tests/tree/source.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
sphinx=$(command -v "${SPHINXBUILD:-sphinx-build}" || command -v /usr/bin/sphinx-build)
version=6.12

[ "$sphinx" ] || { echo '1..0 # SKIP python3-sphinx is not installed'; exit 0; }
find_source $version || { echo "1..0 # SKIP no linux-source-$version"; exit 0; }

# What a build of the documentation needs of the kernel, unpacked once.
docs=$cache/$version-docs
origin="$source $(stat -c %Y "$source")"
if [ "$(cat "$docs.origin" 2>/dev/null)" != "$origin" ]; then
	rm -rf "$docs"
	mkdir "$docs"
	set -- Documentation Kconfig Makefile arch/x86 include kernel scripts tools/Makefile .gitignore
	if [ -d "$source" ]; then
		(cd "$source" && tar -cf - "$@") | tar -xf - -C "$docs"
	else
		for path; do
			shift
			set -- "$@" "linux-source-$version/$path"
		done
		tar -xf "$source" -C "$docs" --strip-components=1 "$@"
	fi && echo "$origin" >"$docs.origin"
fi
snapshot
tree=$cache/docs-$$
trap 'rm -rf "$tree" "$work"' EXIT
cp -al "$docs" "$tree"
ok "the series goes into the kernel" "$repo/scripts/apply" "$tree"

# Only the folders that our pages are in; YNL_INDEX= keeps it out of the others.
make -C "$tree" htmldocs YNL_INDEX= SPHINXBUILD="$sphinx" \
	SPHINXDIRS='virt admin-guide/sysctl' >"$work/log" 2>&1
built=$?
html=$tree/Documentation/output

# quiet: nothing that the build says is about a file of ours
quiet()
{
	[ "$built" -eq 0 ] || { tail -n 20 "$work/log"; return 1; }
	! grep -e 'halt_poll' -e 'halt-poll' "$work/log"
}

# text PAGE: what a reader sees of it
text() { sed 's/<[^>]*>//g; s/&#8217;/'"'"'/g; s/&amp;/\&/g' "$1" | tr -s ' \n\t' ' '; }

# Sphinx makes some of these from others.
# shellcheck disable=SC1111 # they are meant
marks="*'’\"“”"

# explained: the first words of each DOC block are in the guide
explained()
{
	text "$html/virt/halt_poll.html" | tr -d "$marks" >"$work/text"
	sed -n '/^ \* DOC: /{n;n;s/^ \* //p}' "$tree"/kernel/halt_poll/*.c | tr -d "$marks" |
		sed 's/[.,(].*//' |
		while read -r words; do
			grep -Fq -e "$words" "$work/text" || echo "not in the guide: $words"
		done >"$work/missing"
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}

# references: what our files refer to is there
references()
{
	# shellcheck disable=SC2086 # a list of names
	(cd "$tree" && grep -ohE '\bDocumentation/[A-Za-z0-9_/.-]*[a-z_]' $claims) | sort -u |
		while read -r path; do
			[ -e "$tree/$path" ] || echo "no such file: $path"
		done >"$work/dead"
	cat "$work/dead"
	[ ! -s "$work/dead" ]
}

ok "Sphinx has nothing to say of our pages" quiet
ok "the guide is in the index of virt" grep -q 'halt_poll\.html' "$html/virt/index.html"
ok "the sysctls are in the index of sysctl" grep -q 'halt_poll\.html' \
	"$html/admin-guide/sysctl/index.html"
ok "the kernel's page of sysctls leads to ours" grep -q 'href="halt_poll\.html"' \
	"$html/admin-guide/sysctl/kernel.html"
ok "the guide explains what the DOC blocks do" explained
ok "no reference leads nowhere" references
ok "the ABI files parse" eval '
	! (cd "$tree" && perl scripts/get_abi.pl validate --dir Documentation/ABI 2>&1) | grep halt_poll &&
	(cd "$tree" && perl scripts/get_abi.pl search halt_poll/stolen_ns) | grep -q "while it"'
done_testing
