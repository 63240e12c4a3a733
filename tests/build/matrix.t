#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The build matrix on both kernels, side by side: MATRIX=full for all of it

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'kill $jobs 2>/dev/null; exit 130' INT TERM HUP

jobs=
for version in 6.12 6.1; do
	"$top/tests/build/matrix" $version "${MATRIX:-quick}" > "$work/$version" 2>&1 &
	jobs="$jobs $!"
done
bad=0
for job in $jobs; do
	wait "$job" || bad=1
done

# One plan for both, and a number to each test of it.
cat "$work/6.12" "$work/6.1" | awk '
	/^(not )?ok [0-9]+ / { sub(/ok [0-9]+/, "ok " ++n) }
	/^(not )?ok |^#/ { print; next }
	{ print "# " $0 }
	END { print "1.." n + 0 }'
exit $bad
