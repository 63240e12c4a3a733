# SPDX-License-Identifier: GPL-2.0-only
# What the tests of documentation and settings share: TAP, and what the code has
# shellcheck shell=sh
# shellcheck disable=SC2034 # shared with the test

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
engine=$top/kernel/halt_poll
guide=$top/Documentation/virt/halt_poll.rst

# same WANTED GOT: two lists, of which the first is not empty
same()
{
	[ -s "$1" ] || { echo "nothing in $(basename "$1")"; return 1; }
	diff "$1" "$2"
}

# rows: of the table of numeric tunables, in C: a name, where it is kept, two limits
rows()
{
	sed -n '/^static struct ctl_table /,/^};/p' "$engine/sysctl.c" | tr -d '\n\t' |
		sed 's/HALT_POLL_NUMBER(/\n@/g; s/,/, /g; $s/$/\n/' |
		sed -n 's/^@\([^)]*\)), .*/\1/p'
}

# knobs: each tunable of the code with its smallest, largest and default value,
# as the compiler sees them; "-" for the sizes of a name
knobs()
{
	fields=$(sed -n '/^struct halt_poll_config halt_poll_config /,/^};/s/^\t*\.\(.*\)\t*= \(HALT.*\),$/\1 \2/p' \
		"$engine/core.c")
	{
		echo '#include "policy.h"'
		rows | tr -d '",' | while read -r name kept min max; do
			default=$(printf '%s\n' "$fields" |
				awk -v field="${kept##*.}" '$1 == field { print $2 }')
			echo "@ $name $min $max ${default:-0}"
		done
	} | cpp -P -I "$engine" -I "$top/tools/power/halt-poll/include" |
		sed -n 's/^@ \(halt_poll_.*\)/\1/p' | sed 's/\([0-9]\)U/\1/g'
	sed -n 's/^\t\t\.procname\t= "\(.*\)",$/\1 - -/p' "$engine/sysctl.c" |
		while read -r line; do echo "$line $(policies | head -n 1)"; done
}

# policies: their names, the default first
policies()
{
	sed -n 's/^\t&\(.*\)_policy,$/\1/p' "$engine/policies.c" |
		while read -r file; do
			sed -n 's/^\t\.name\t*= "\(.*\)",$/\1/p' "$engine/policy_$file.c"
		done
}

# attributes: the files in sysfs
attributes()
{
	sed -n 's/^\t&dev_attr_\(.*\)\.attr,$/\1/p' "$engine/stats.c" | sort
}

# histograms: the files in debugfs
histograms()
{
	sed -n 's/.*debugfs_create_file("\([^"]*\)".*/\1/p' "$engine/stats.c" | sort
}
