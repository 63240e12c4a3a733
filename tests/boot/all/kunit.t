#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The KUnit suites of the policies, run by the kernel as it boots
guest=''
# shellcheck source=tests/boot/lib.sh
. "$(dirname "$0")/../lib.sh"

# Cases of our suites, as "ok" or "not ok" and a name.
dmesg | sed 's/^\[[^]]*\] //' | awk '
	/^ *# Subtest: / { ours = /halt_poll/ }
	ours && /^ +(not )?ok [0-9]+ / { sub(/^ +/, ""); print }' > /tmp/cases
sed 's/ [0-9]* *-* */ /' /tmp/cases > /tmp/named
while read -r line; do
	case $line in
	ok*) ok 0 "KUnit ${line#ok }" ;;
	*) ok 1 "KUnit ${line#not ok }" ;;
	esac
done < /tmp/named
true_that "the suites were run" "$n >= 10"
finish
