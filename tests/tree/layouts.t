#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# layouts.t - what export makes for Debian's and for RPM's kernel packages, by their tools

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/tree/lib.sh
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=tests/tree/source.sh
. "$(dirname -- "$0")/source.sh"
snapshot
# Also where the machine has settings of its own
unset QUILT_PATCHES QUILT_PATCH_OPTS QUILT_SERIES

# spec HOW: a package of the files, with a patch of its own, prepared by that line
spec()
{
	mkdir -p "$work/rpm/SOURCES" "$work/rpm/BUILD"
	cat >"$work/rpm/kernel.spec" <<SPEC
Name: kernel
Version: 1
Release: 1
Summary: A kernel
License: GPL-2.0-only
Source0: linux.tar
Patch1: own.patch
%include %{_sourcedir}/halt-poll.inc
%description
%prep
$1
%files
SPEC
}

# rpm_tool PROGRAM ARGUMENTS...: on that, with no setting but ours
rpm_tool()
{
	program=$1
	shift
	"$program" --define "_topdir $work/rpm" "$@" "$work/rpm/kernel.spec"
}

# prepared: rpmbuild unpacks and patches, and the tree is as wanted
prepared()
{
	rm -rf "$work/rpm/BUILD" && mkdir "$work/rpm/BUILD" &&
		rpm_tool rpmbuild -bp --nodeps && same "$work/rpm/BUILD/linux" "$work/own"
}

# dep3 FILE: dpkg's parser finds the fields that DEP-3 asks for
dep3()
{
	sed '/^$/q' "$1" | perl -MDpkg::Control -e '
		my $c = Dpkg::Control->new(type => CTRL_UNKNOWN);
		$c->parse(\*STDIN, "header") or die "no header\n";
		my %wanted = (From => qr/^[^<]+<[^<>]+@[^<>]+>$/s, Subject => qr/: \w/,
			Forwarded => qr/^no$/);
		for my $field (keys %wanted) {
			$c->{$field} =~ $wanted{$field} or die "$field: $c->{$field}\n";
		}'
}

# An edit of the packager's own, before ours
cat >"$work/own.patch" <<'PATCH'
--- a/MAINTAINED
+++ b/MAINTAINED
@@ -0,0 +1 @@
+here
PATCH

for version in 6.1 6.12; do
	if ! find_source $version || ! partial $version; then
		skip "Linux $version" "no linux-source-$version"
		continue
	fi
	rm -rf "$work/own" "$work/rpm" "$work/out"
	cp -a "$part" "$work/own"
	chmod -R u=rwX,go=rX "$work/own"
	cp -a "$work/own" "$work/linux"
	tar -C "$work" -cf "$work/linux.tar" linux
	"$repo/scripts/apply" "$work/own" 2>"$work/said"
	rm "$work/own/.halt-poll.patch"
	echo here >"$work/own/MAINTAINED"
	ok "$version: export" "$repo/scripts/export" "$work/linux" "$work/out"

	mkdir -p "$work/linux/debian/patches/bugfix"
	cp "$work/own.patch" "$work/linux/debian/patches/bugfix"
	echo bugfix/own.patch >"$work/linux/debian/patches/series"
	ok "$version: Debian: copied as the manual says" eval '(cd "$work/linux" &&
		cp -R "$work/out/debian/patches/." debian/patches &&
		cat "$work/out/debian/series" >>debian/patches/series)'
	ok "$version: Debian: each patch has the fields of DEP-3" eval '(cd "$work/out/debian/patches" &&
		[ -s ../series ] && while read -r patch; do dep3 "$patch" || exit; done <../series)'
	ok "$version: Debian: quilt gives what apply gives" eval '(cd "$work/linux" &&
		QUILT_PATCHES=debian/patches QUILT_PATCH_OPTS=--fuzz=0 quilt push -a &&
		rm -r .pc debian) && same "$work/linux" "$work/own"'
	rm -rf "$work/linux"

	if ! command -v rpmbuild >/dev/null; then
		skip "$version: RPM" "rpm is not installed"
		continue
	fi
	spec '%autosetup -p1 -n linux'
	cp "$work/linux.tar" "$work/own.patch" "$work/out/rpm"/* "$work/rpm/SOURCES"
	ok "$version: RPM: rpmspec finds each patch" eval 'rpm_tool rpmspec -P >"$work/parsed" &&
		sed -n "s/^Patch9[0-9]*: //p" "$work/parsed" | diff "$work/out/quilt/series" -'
	ok "$version: RPM: %autosetup gives what apply gives" prepared
	spec '%setup -q -n linux
%patch -P 1 -p1
%halt_poll_prep'
	ok "$version: RPM: so does %halt_poll_prep" prepared
	spec '%setup -q -n linux
%patch -P 1 -p1'
	ok "$version: RPM: without either nothing of it is applied" eval '! prepared >"$work/said" 2>&1 &&
		[ -e "$work/rpm/BUILD/linux/MAINTAINED" ] && [ ! -e "$work/rpm/BUILD/linux/kernel/halt_poll" ]'
done
done_testing
