#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# guest.t - the guest runner: can a test that failed there look like a pass?
# shellcheck disable=SC2016 # the guest's shell is to expand these


here=$(cd "$(dirname "$0")" && pwd)
repo=$here/../..
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0

if ! ls "$repo/build/${VERSION:-6.12}/bzImage" > /dev/null 2>&1; then
	echo "Bail out! no guest kernel: make kernel"
	exit 1
fi

# guest STATUS COMMAND...: does the runner return that?
guest() {
	want=$1
	shift
	rc=0
	"$repo/scripts/guest" --timeout "${limit:-60}" --log "$tmp/log" "$@" \
		> "$tmp/out" 2> "$tmp/err" || rc=$?
	[ "$rc" -eq "$want" ] || { echo "status $rc, expected $want"; false; }
}

# ok TEXT COMMAND...: one test
ok() {
	n=$((n + 1))
	text=$1
	shift
	if "$@" > "$tmp/said" 2>&1; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		cat "$tmp/said" "$tmp/out" "$tmp/err" 2>/dev/null | tail -n 40 | sed 's/^/# /'
	fi
}

ok "a command that succeeds" guest 0 sh -c 'nproc; uname -r; echo "a  b"; echo words >&2'
ok "its output, whole" grep -qx 'a  b' "$tmp/out"
ok "2 vCPUs" grep -qx 2 "$tmp/out"
ok "its errors" grep -qx words "$tmp/err"
ok "a command's own status" guest 3 sh -c 'exit 3'
ok "arguments with quotes, blanks, dollars" guest 0 sh -c \
	'[ "$1" = "it'\''s \$HOME" ] && [ "$2" = "" ] && [ $# -eq 2 ]' x "it's \$HOME" ""
ok "a megabyte of output" guest 0 sh -c 'head -c 1000000 /dev/zero | tr "\0" x'
ok "arrives whole" [ "$(wc -c < "$tmp/out")" -eq 1000000 ]
ok "the console says 0, the command 1" guest 1 sh -c 'echo 0 > /dev/console; exit 1'
ok "a WARNING in the kernel's log" guest 125 sh -c 'echo "<4>WARNING: CPU: 0" > /dev/kmsg'
ok "a panic" guest 125 sh -c 'echo c > /proc/sysrq-trigger; sleep 5'
limit=8
ok "a hang" guest 125 sleep 100
limit=60
ok "a reset in the middle" guest 125 busybox reboot -f
ok "no kernel" guest 125 --kernel "$tmp/none" true
ok "the root is read-only" guest 1 sh -c "echo > '$here/guest.t' 2>/dev/null || exit 1"
ok "procps, not a shell's own" guest 0 sh -c 'sysctl --version | grep procps'
ok "one vCPU" guest 0 --vcpus 1 sh -c '[ "$(nproc)" -eq 1 ]'
ok "time by instruction count" guest 0 --icount 3 true
echo "1..$n"
