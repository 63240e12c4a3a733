#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# real.t - the real series on the real files of the supported kernels

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=tests/tree/source.sh
. "$(dirname -- "$0")/source.sh"
snapshot
# shellcheck disable=SC2034,SC2154 # from lib.sh, and for eval
apply=$repo/scripts/apply revert=$repo/scripts/revert

as_applied()
{
	for file in $claims; do
		cmp "$repo/$file" "$1/$file" || return 1
	done
	for file in $touched; do
		[ -f "$1/$file" ] && ! cmp -s "$1/$file" "$part/$file" || return 1
	done
}

# one_place: no hunk could go to a second place in its file
one_place()
{
	(cd "$repo" && for hook in $hooks; do cat "$hook"; done) | perl -e '
	my ($file, $left, $text, $bad, $hunks);
	while (<STDIN>) {
		if (m{^--- a/(\S+)}) { $file = $1 }
		elsif (/^@@ -\d+(?:,(\d+))? /) { $left = $1 // 1; $text = ""; }
		elsif ($left && (s/^[ -]// || $_ eq "\n")) {
			$text .= $_;
			next if --$left;
			open(my $in, "<", "$ARGV[0]/$file") or die "$file: $!";
			my $whole = do { local $/; <$in> };
			my $n = () = $whole =~ /^(?=\Q$text\E)/mg;
			$hunks++;
			print "$file: $n places for\n$text" and $bad = 1 if $n != 1;
		}
	}
	print "$hunks hunks\n";
	exit($bad || !$hunks)' "$part"
}

for version in 6.1 6.12; do
	if ! find_source $version || ! partial $version; then
		skip "Linux $version" "no linux-source-$version"
		continue
	fi
	echo "# Linux $version from $source"
	t=$work/t$version
	cp -a "$part" "$t"
	ok "$version: no overlay path is in the kernel" "$repo/scripts/check-overlay" "$source"
	ok "$version: each hunk has one place to go" one_place
	ok "$version: apply" "$apply" "$t"
	ok "$version: all edits and all files are there" as_applied "$t"
	ok "$version: hooks change fewer than 60 lines" eval '
		(cd "$work" && diff -U0 -r "$part" "$t" | grep "^[-+][^-+]" >"$work/lines")
		wc -l <"$work/lines"; [ "$(wc -l <"$work/lines")" -lt 60 ] && [ -s "$work/lines" ]'
	cp -a "$t" "$work/a$version"
	rm "$work/a$version/.halt-poll.patch"
	ok "$version: revert brings back every byte" eval '"$revert" "$t" && same "$t" "$part"'
	sed -i 's/^\ttick_nohz_idle_enter();$/& \/* mine *\//' "$t/kernel/sched/idle.c"
	ok "$version: an edit at the idle loop's hook is refused, hunk named" refuses \
		'kernel/sched/idle.c: hunk 2 .* does not fit' "$t" "$apply" "$t"
	rm -rf "$t"
	cp -a "$part" "$t"
	ok "$version: export" "$repo/scripts/export" "$t" "$work/out$version"
	git -C "$t" init -q && git -C "$t" add -A -f && git -C "$t" commit -q -m base
	ok "$version: git am of it gives what apply gives" eval \
		'git -C "$t" am -q "$work/out$version"/000[1-9]* && rm -rf "$t/.git" && same "$t" "$work/a$version"'
	rm -rf "$t"
	cp -a "$part" "$t"
	(cd "$repo" && printf '%s\n' "$claims" | tar -cf - -T - | tar -xf - -C "$t")
	ok "$version: quilt with this repository gives the same, without fuzz" eval '(cd "$t" &&
		QUILT_PATCHES=$repo QUILT_PATCH_OPTS=--fuzz=0 quilt push -a && rm -r .pc) &&
		same "$t" "$work/a$version"'
done
done_testing
