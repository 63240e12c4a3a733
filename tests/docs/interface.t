#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# interface.t - what the code has is documented, what is documented the code has

# shellcheck disable=SC2016 # a pattern
# shellcheck source=tests/docs/lib.sh
. "$(dirname -- "$0")/lib.sh"
page=$top/Documentation/admin-guide/sysctl/halt_poll.rst
abi=$top/Documentation/ABI/testing

# described: the same as knobs, from the page
described()
{
	awk '
	/^===/ { name = before }
	/^:Range: / { min = $2; max = $4 }
	/^:Values: / { min = max = "-" }
	/^:Default: / { print name, min, max, $2; min = max = "" }
	{ before = $0 }' "$page"
}

# units_fit: who has a unit is kept in ns, and so is nobody else
units_fit()
{
	awk '/^===/ { name = before } /^:Unit: ns$/ { print name } { before = $0 }' "$page" |
		sort >"$work/with"
	rows | sed -n 's/^"\([a-z_]*\)", *[a-z_.]*_ns,.*/\1/p' | sort >"$work/ns"
	same "$work/ns" "$work/with"
}

# whats FILE: what an ABI file describes, below cpuX
whats() { sed -n 's,.*/cpuX/\(halt_poll/\)*\([a-z_]\{1\,\}\)$,\2,p' "$1" | sort; }

# words PATTERN FILE...: what in the files looks so, once each
words()
{
	pattern=$1
	shift
	grep -oh -e "$pattern" "$@" | sort -u
}

# all_known LIST WORDS: each word is in the list
all_known()
{
	sort -u "$1" | comm -13 - "$2" >"$work/unknown"
	cat "$work/unknown"
	[ -s "$2" ] && [ ! -s "$work/unknown" ]
}

knobs | sort >"$work/knobs"
described | sort >"$work/described"
ok "ranges and defaults of the sysctls are the code's" same "$work/knobs" "$work/described"
described | cut -d' ' -f1 >"$work/order"
ok "the sysctls are in alphabetical order" sort -c "$work/order"
ok "each sysctl has its unit" units_fit
policies >"$work/policies"
sed -n 's/^:Values: //p' "$page" | sed 's/, /\n/g' >"$work/values"
ok "the policies are named, the default first" same "$work/policies" "$work/values"

attributes >"$work/attributes"
whats "$abi/sysfs-devices-system-cpu-halt_poll" >"$work/whats"
ok "the ABI has each file in sysfs, and no other" same "$work/attributes" "$work/whats"
histograms >"$work/histograms"
whats "$abi/debugfs-halt_poll" >"$work/debugfs"
ok "the ABI has each file in debugfs, and no other" same "$work/histograms" "$work/debugfs"

# What else is called halt_poll_ in the guide: events, parameters of KVM's.
sed -n 's/^TRACE_EVENT(\(.*\),$/\1/p' "$top/include/trace/events/halt_poll.h" >"$work/events"
{ cut -d' ' -f1 "$work/knobs"; cat "$work/events"; echo halt_poll_ns; } >"$work/names"
sed 's/guest_halt_poll_[a-z_]*//g' "$guide" >"$work/guide"
words '\bhalt_poll_[a-z_]*[a-z]' "$work/guide" >"$work/used"
ok "the guide names no sysctl and no event that there is not" all_known "$work/names" "$work/used"
words 'halt_poll:[a-z_]*[a-z]' "$guide" | sed 's/.*://' >"$work/used"
sort "$work/events" >"$work/sorted"
ok "the guide describes each event" same "$work/sorted" "$work/used"
# Apart from the parameters that others have, or had.
words '`[a-z_]*_ns`' "$guide" | tr -d '`' >"$work/used"
{
	cat "$work/attributes" "$work/histograms"
	printf '%s\n' halt_poll_ns guest_halt_poll_ns poll_threshold_ns
	sed -n 's/^\t\t__field(.*,\t\([a-z_]*\))$/\1/p' "$top/include/trace/events/halt_poll.h"
} >"$work/names"
ok "the guide names no counter and no field that there is not" all_known "$work/names" "$work/used"

sed -n 's/^ \* DOC: \(.*\)/\1/p' "$engine"/*.c | sort >"$work/blocks"
sed -n 's/^   :doc: \(.*\)/\1/p' "$guide" | sort >"$work/included"
ok "the guide includes each DOC block" same "$work/blocks" "$work/included"

# options_known: the tools have the options that the guide has them called with
options_known()
{
	grep -oE '`halt-poll-(stat|replay)[^`]*`' "$work/joined" | tr -d '`' |
		while read -r tool options; do
			for option in $options; do
				case $option in --?*) ;; *) continue ;; esac
				grep -q "{ \"${option#--}\"," "$top/tools/power/halt-poll/$tool.c" ||
					echo "$tool has no $option"
				echo "$option" >>"$work/options"
			done
		done >"$work/unknown"
	cat "$work/unknown"
	[ -s "$work/options" ] && [ ! -s "$work/unknown" ]
}
tr '\n' ' ' <"$guide" | sed 's/`--generate list`/`halt-poll-replay --generate list`/' >"$work/joined"
ok "the tools have the options that the guide names" options_known

done_testing
