#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Both compilers, without a warning, and the policies for 32 bits

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

tool=$top/tools/power/halt-poll
policies=$top/kernel/halt_poll

for compiler in gcc clang; do
	if ! command -v $compiler >"$work/said"; then
		tests=$((tests + 1))
		echo "ok $tests - $compiler # SKIP there is no $compiler"
		continue
	fi
	ok "$compiler" make -s -C "$tool" O="$work/$compiler" CC=$compiler all \
		"$work/$compiler/halt-poll-unit" "$work/$compiler/halt-poll-bench"
done

# A kernel of 32 bits has no division of 64, so nothing may call for one.
# Freestanding: there need not be a C library for 32 bits.
for source in policies wake_cost; do
	ok "$source for 32 bits, calling nothing" sh -c "
		gcc -m32 -std=gnu11 -O2 -ffreestanding -fno-pic -Wall -Werror -I '$tool/include' \
			-c -o '$work/$source.o' '$policies/$source.c' &&
		! nm -u '$work/$source.o' | grep ."
done

again()
{
	make -C "$tool" O="$work/build" | tee "$work/again"
	! grep -q -e ' -c ' "$work/again"
}
ok 'built again, nothing is to be done' again
ok 'clean' make -s -C "$tool" O="$work/build" clean

done_testing
