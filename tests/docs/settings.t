#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# settings.t - the settings that ship: known names, values in range, files that
# the programs that they are for can read. tests/boot/all/settings.t applies them.

# shellcheck disable=SC2016 # eval gets its words whole
# shellcheck source=tests/docs/lib.sh
. "$(dirname -- "$0")/lib.sh"
examples=$top/examples
# Debian's, which sees Debian's modules
python=/usr/bin/python3

knobs >"$work/knobs"
policies >"$work/policies"

# in_range: lines of a name and a value, each one that the kernel takes
in_range()
{
	awk -v policies="$(tr '\n' ' ' <"$work/policies")" '
	BEGIN { policies = " " policies }
	NR == FNR { min[$1] = $2; max[$1] = $3; next }
	{ some = 1 }
	!($1 in min) { print "no such sysctl: " $1; bad = 1; next }
	min[$1] == "-" ? !index(policies, " " $2 " ") : \
		$2 !~ /^-?[0-9]+$/ || $2 + 0 < min[$1] + 0 || $2 + 0 > max[$1] + 0 {
		print $1 " = " $2 " is refused"; bad = 1
	}
	END { if (!some) print "sets nothing"; exit bad || !some }' "$work/knobs" -
}

# assigned FILE: what a sysctl.d file sets
assigned() { sed -n 's/^ *kernel\.\([^ =]*\) *= *\(.*\)$/\1 \2/p' "$1"; }

# plain FILE: no line but comments and assignments
plain() { ! grep -v -e '^#' -e '^$' -e '^kernel\.halt_poll_[a-z_]* = -\{0,1\}[a-z0-9]*$' "$1"; }

example=$examples/sysctl.d/60-halt-poll.conf
ok "the example sets nothing" eval '! assigned "$example" | grep .'
sed 's/^#kernel/kernel/' "$example" >"$work/example"
ok "the example has values in range" eval 'assigned "$work/example" | in_range'
# off: but for the one that switches it on, what it has is the defaults
off()
{
	assigned "$work/example" | grep -v '_threshold ' | sort >"$work/has"
	grep -v '_threshold ' "$work/knobs" | sed 's/ .* / /' | sort >"$work/default"
	same "$work/default" "$work/has"
}
ok "the example has the defaults" off
for file in "$examples"/profiles/*.conf; do
	profile=$(basename "$file" .conf)
	ok "profile $profile has no strange line" plain "$file"
	ok "profile $profile has values in range" eval 'assigned "$file" | in_range'
	assigned "$file" | cut -d' ' -f1 | sort >"$work/sets"
	cut -d' ' -f1 "$work/knobs" | sort >"$work/all"
	ok "profile $profile sets all that there is" same "$work/all" "$work/sets"
done

# shellcheck source=examples/grub.d/halt-poll.cfg
cmdline() { (GRUB_CMDLINE_LINUX='quiet ro'; . "$examples/grub.d/halt-poll.cfg"; echo "$GRUB_CMDLINE_LINUX"); }
cmdline | tr ' ' '\n' | sed -n 's/^sysctl\.kernel\.\(.*\)=/\1 /p' >"$work/cmdline"
ok "the kernel command line has values in range" eval 'in_range <"$work/cmdline"'
ok "the kernel command line keeps what was there" eval 'cmdline | grep "^quiet ro "'

# Where install-packages leaves what it does not install
unpacked=$top/build/packages

profile=$examples/tuned/halt-poll-latency/tuned.conf
tuned=
[ -d /usr/lib/tuned ] || tuned=$unpacked/tuned
if [ -d "$tuned/usr/lib/tuned" ]; then
	mkdir "$work/tuned"
	cp -R "$examples/tuned/halt-poll-latency" "$work/tuned/"
	ok "tuned loads the profile and what it includes" eval \
		'"$python" "$top/tests/docs/tuned-load" "$tuned" "$work/tuned" halt-poll-latency >"$work/loaded"'
	grep '^kernel\.halt_poll' "$work/loaded" | sed 's/^kernel\.//' | sort >"$work/sets"
	sed -n 's/^kernel\.\(.*\)=/\1 /p' "$profile" | sort >"$work/written"
	ok "tuned sets each line of the profile" same "$work/written" "$work/sets"
	ok "tuned finds values in range" eval 'in_range <"$work/sets"'
	ok "tuned finds what virtual-guest sets as well" grep '^vm\.' "$work/loaded"
else
	skip "tuned loads the profile" "tuned is neither installed nor unpacked"
	sed -n 's/^kernel\.\(.*\)=/\1 /p' "$profile" >"$work/sets"
	ok "the tuned profile has values in range" eval 'in_range <"$work/sets"'
fi

data=$examples/cloud-init/halt-poll.yaml
ok "cloud-init will know it for its own" eval '[ "$(head -n 1 "$data")" = "#cloud-config" ]'
if "$python" -c 'import yaml' 2>/dev/null; then
	"$python" -c 'import sys, yaml
for file in yaml.safe_load(sys.stdin)["write_files"]: print(file["content"])' \
		<"$data" >"$work/written"
	ok "what cloud-init writes has no strange line" plain "$work/written"
	ok "what cloud-init writes has values in range" eval 'assigned "$work/written" | in_range'
else
	skip "what cloud-init writes" "python3-yaml is not installed"
fi
# cloud_init FILE: what its own schema makes of it
cloud_init()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$cloud_init/usr/lib/python3/dist-packages \
		"$python" "$cloud_init/usr/bin/cloud-init" schema --config-file "$1"
}

cloud_init=
[ -x /usr/bin/cloud-init ] || cloud_init=$unpacked/cloud-init
if [ -x "$cloud_init/usr/bin/cloud-init" ]; then
	ok "cloud-init finds it valid" cloud_init "$data"
	# It finds everything valid where it misses python3-jsonschema.
	sed "s/'0644'/[0644]/" "$data" >"$work/bad.yaml"
	ok "and would not, with a fault in it" eval '! cloud_init "$work/bad.yaml" 2>"$work/fault" &&
		grep write_files.0.permissions "$work/fault"'
else
	skip "cloud-init finds it valid" "cloud-init is neither installed nor unpacked"
fi

done_testing
