#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# newcomer.t - the README's commands as written, on a Debian with nothing installed
#
# mmdebstrap makes it: apt and what is essential. What the README asks for beyond
# that, git and make, is installed first. make check is left out: it runs this.
# The compiler's cache is this machine's, if there is one, to save minutes.

# shellcheck disable=SC2016 # expanded by another shell
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null || ! unshare -m true 2>/dev/null; then
	echo '1..0 # SKIP needs root, mount namespaces and mmdebstrap'
	exit 0
fi
bare=$work/bare

# in_bare COMMAND: in that system's shell, at the top of the clone; mounts vanish with it
in_bare()
{
	unshare -m sh -c '
		mount --make-rprivate /
		mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
			mount -t sysfs sys "$1/sys" || exit 1
		if [ -d "$3" ]; then
			mkdir -p "$1/root/.cache/ccache" &&
				mount --bind "$3" "$1/root/.cache/ccache" || exit 1
		fi
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			sh -c "cd ~/halt-poll 2>/dev/null || cd; $2"
	' sh "$bare" "$1" "${CCACHE_DIR:-$HOME/.cache/ccache}" </dev/null
}

# section TITLE: the commands of a section of the README
section()
{
	awk -v title="## $1" '
	/^## / { inside = $0 == title }
	inside && /^ +(make|scripts\/|git) ?/ { sub(/^ +/, ""); sub(/ +#.*/, ""); print }
	' "$top/README.md"
}

# measured: the README's command runs to its end. A host with other work is told so.
measured()
{
	in_bare "$1" >"$work/out" 2>&1
	case $? in
	0) grep -q '^pipe .* off ' "$work/out" && grep -q '^ .* 200us ' "$work/out" ;;
	*) grep '^The machine was busy in all' "$work/out" || { cat "$work/out"; false; } ;;
	esac
}

# As the machine's own apt has them, so that a mirror is one here as well.
. /etc/os-release
ok "a Debian with nothing installed" mmdebstrap --quiet --variant=apt "$VERSION_CODENAME" "$bare"
ok "git and make" in_bare 'apt-get -qq update && apt-get -qq install -y git make >/dev/null'
git clone -q "$top" "$bare/root/halt-poll"
ok "there is no compiler yet, nor QEMU" eval '! in_bare "command -v gcc || command -v qemu-system-x86_64"'

section 'See it' | head -n 1 >"$work/see"
ok "the first command is make run" grep -qx 'make run' "$work/see"
ok "it measures, or says that the machine is busy" measured "$(cat "$work/see")"
ok "it has built a kernel" test -s "$bare/root/halt-poll/build/6.12/bzImage"

ok "a tree of one's own" in_bare 'mkdir ~/linux &&
	tar -C ~/linux --strip-components=1 -xf /usr/src/linux-source-6.12.tar.xz &&
	git config --global user.name Newcomer && git config --global user.email new@example.org'
section 'Use it' >"$work/use"
ok "the README says how to use it" eval '[ "$(wc -l <"$work/use")" -ge 4 ]'
ok "apply" in_bare "$(grep '^scripts/apply' "$work/use")"
ok "revert" in_bare 'scripts/revert ~/linux'
ok "export" in_bare "$(grep '^scripts/export' "$work/use")"
ok "git am" in_bare "cd ~/linux && git init -q && git add -A -f && git commit -qm linux && $(grep '^git am' "$work/use")"
ok "the tools as a package" in_bare "$(grep '^make deb.*CONFIG=none' "$work/use")"
ok "which installs" in_bare 'apt-get -qq install -y ./build/deb/halt-poll-tools_*.deb && halt-poll-stat --version'
done_testing
