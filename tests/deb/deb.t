#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# deb.t - the packages of make deb, installed into a root, booted, and removed

# shellcheck disable=SC2016,SC2034 # eval gets its words whole
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL KERNEL DEB_CONFIG_ONLY
VERSION=6.12
export VERSION

if [ "$(id -u)" != 0 ] || ! command -v dh_listpackages >/dev/null; then
	echo '1..0 # SKIP needs root and debhelper'
	exit 0
fi

# What a package's scripts get: a shell with the usual tools, and hooks.
root=$work/root
mkdir -p "$root/bin" "$root/etc/kernel/postinst.d" "$root/etc/kernel/postrm.d" \
	"$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
cp "$(command -v busybox)" "$root/bin/busybox"
for name in sh rm run-parts; do
	ln -s busybox "$root/bin/$name"
done
for when in postinst postrm; do
	printf '#!/bin/sh\necho "%s $1" >>/hooks\n' $when >"$root/etc/kernel/$when.d/note"
	chmod +x "$root/etc/kernel/$when.d/note"
done

# files: all there are, but for dpkg's own records and what the hooks write
files() { (cd "$root" && find . -path ./var/lib/dpkg -prune -o ! -name hooks -print | sort); }
files >"$work/before"

# Dependencies are not in this root. Scripts run in it, not on this machine.
dpkg_root() { dpkg --root="$root" --force-depends "$@"; }

"$top/scripts/deb" small >"$work/debs" 2>"$work/log"
built=$?
ok "the packages are built" eval '[ $built = 0 ] || { tail "$work/log"; false; }'
image=$(grep '/linux-image-' "$work/debs")
tools=$(grep '/halt-poll-tools' "$work/debs")
release=${image##*/linux-image-}
release=${release%%_*}
ok "a kernel and the tools, and nothing else" eval '[ "$(wc -l <"$work/debs")" = 2 ]'
ok "its version says what it is" eval 'case $release in 6.12.*-halt-poll) ;; *) echo "$release"; false ;; esac'
ok "the tools depend on the C library alone" eval \
	'dpkg-deb -f "$tools" Depends | grep -x "libc6 ([^,|]*)"'
ok "the settings are a configuration file" eval \
	'[ "$(dpkg-deb -I "$tools" conffiles)" = /etc/sysctl.d/60-halt-poll.conf ]'

ok "both install" dpkg_root -i "$image" "$tools"
ok "the kernel's hooks were run" grep -qx "postinst $release" "$root/hooks"
ok "the kernel is there" test -s "$root/boot/vmlinuz-$release"
ok "so is its configuration" grep -qx CONFIG_HALT_POLL=y "$root/boot/config-$release"
ok "the tools run" eval '"$root/usr/bin/halt-poll-stat" --version && "$root/usr/bin/halt-poll-replay" --trace idle >/dev/null ||
	"$root/usr/bin/halt-poll-replay" --generate list'
(cd "$root/usr/bin" && ls) >"$work/programs"
(cd "$root/usr/share/bash-completion/completions" && ls) >"$work/completions"
ok "bash completes each of them" eval '[ -s "$work/programs" ] &&
	diff "$work/programs" "$work/completions"'
ok "man finds its pages" eval 'gzip -dc "$root/usr/share/man/man1/halt-poll-stat.1.gz" | grep -q "^.TH"'
ok "the settings change nothing as they are" eval '! grep -v "^#" "$root/etc/sysctl.d/60-halt-poll.conf" | grep .'

booted=$("$top/scripts/guest" --kernel "$root/boot/vmlinuz-$release" \
	sh -c 'uname -r; sysctl -n kernel.halt_poll_threshold' 2>"$work/log")
ok "what was installed boots" eval '[ "$booted" = "$release
0" ] || { echo "$booted"; cat "$work/log"; false; }'

ok "both are purged" dpkg_root -P halt-poll-tools "linux-image-$release"
ok "the kernel's hooks were run again" grep -qx "postrm $release" "$root/hooks"
files >"$work/after"
ok "and nothing is left" diff "$work/before" "$work/after"

if [ -r "/usr/src/linux-config-$VERSION/config.amd64_none_cloud-amd64.xz" ]; then
	config=$(DEB_CONFIG_ONLY=y "$top/scripts/deb" cloud 2>"$work/log")
	ok "Debian's cloud configuration takes it" grep -qx CONFIG_HALT_POLL=y "$config"
	ok "with the modules that Debian has" grep -qx CONFIG_VIRTIO_NET=m "$config"
	ok "and no key of Debian's" grep -qx 'CONFIG_SYSTEM_TRUSTED_KEYS=""' "$config"
else
	skip "Debian's cloud configuration" "linux-config-$VERSION is not installed"
fi
ok "an unknown configuration is refused" eval \
	'"$top/scripts/deb" tiny 2>"$work/log"; [ $? = 2 ]'
done_testing
