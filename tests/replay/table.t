#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The made-up traces at five prices: what the policies promise as a whole
#
# All rules are held to the same longest window, 200 us, which is what the rules
# of others have by default. What is replayed is exact, so these figures are.

# shellcheck source=tests/replay/lib.sh
. "$(dirname -- "$0")/lib.sh"

for price in 5000 30000 50000 100000 200000; do
	"$replay" --table --threshold 200000 --cost $price >"$work/$price" || exit
done

# cell ROW COLUMN PRICE
cell()
{
	value "$1" "$2" <"$work/$3"
}

# below ROW COLUMN PRICE LIMIT
below()
{
	holds "$(cell "$1" "$2" "$3") <= $4"
}

# cheaper POLICY PRICE: in the mean, than both haltpoll and the KVM rule
cheaper()
{
	ours=$(cell mean "$1" "$2")
	holds "$ours < $(cell mean haltpoll "$2") && $ours < $(cell mean kvm "$2")"
}

# no_loss PRICE: predictive is not 5 % above the better of the two on any trace
no_loss()
{
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "mean" { exit bad }
		{
			best = $at["haltpoll"] < $at["kvm"] ? $at["haltpoll"] : $at["kvm"]
			if ($at["predictive"] > 1.05 * best) {
				print $1 ": " $at["predictive"] " : " best
				bad = 1
			}
		}' "$work/$1"
}

for price in 5000 30000 50000 100000 200000; do
	us=$((price / 1000))
	ok "price $us us: predictive, best fixed: mean at most 1.05" \
		below mean predictive/best $price 1.05
	ok "price $us us: predictive, clairvoyant: at most 1.60 on every trace" \
		below worst predictive $price 1.60
	ok "price $us us: predictive is cheaper than haltpoll and KVM" cheaper predictive $price
	ok "price $us us: adaptive is cheaper than haltpoll and KVM" cheaper adaptive $price
	ok "price $us us: predictive is not 5 % above either on any trace" no_loss $price
	ok "price $us us: predictive is cheaper than adaptive, or within 1 %" \
		below mean predictive $price "1.01 * $(cell mean adaptive $price)"
done

# Two CPUs that wait for each other. Optimism needs room above the price.
for price in 5000 30000 50000; do
	"$replay" --pairs 150 --cost $price --threshold $((4 * price)) >"$work/pairs$price" || exit
	us=$((price / 1000))
	ok "150 pairs, price $us us: predictive, best pair: mean at most 1.05" \
		below mean predictive/best pairs$price 1.05
	ok "150 pairs, price $us us: predictive, best pair: at most 1.5" \
		below worst predictive/best pairs$price 1.5
done

ok 'a pair that should poll does' sh -c "
	'$replay' --closed-loop 5000,5000 --halt-cost 50000 --cost 50000 --count 2000 |
	awk '/^predictive/ { exit !(\$7 <= 1.2 * \$8) }'"
ok 'and would not without optimism' sh -c "
	'$replay' --closed-loop 5000,5000 --halt-cost 50000 --cost 50000 --count 2000 --grow 1 |
	awk '/^predictive/ { exit !(\$3 == 0) }'"

done_testing
