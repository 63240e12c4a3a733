// SPDX-License-Identifier: GPL-2.0-only
/*
 * A rule at work: the kernel's part of a poll, without the waiting
 */
#include <string.h>

#include "replay.h"

static const struct halt_poll_policy *const references[] = {
	&reference_haltpoll,
	&reference_kvm,
};

/**
 * arm_policy_number() - the rules in turn
 * @number: from 0
 *
 * Return: the kernel's policies, then those of others; %NULL at the end.
 */
const struct halt_poll_policy *arm_policy_number(unsigned int number)
{
	unsigned int i;

	for (i = 0; halt_poll_policies[i]; i++) {
		if (i == number)
			return halt_poll_policies[i];
	}
	number -= i;
	return number < sizeof(references) / sizeof(*references) ? references[number] : NULL;
}

/**
 * arm_policy() - a rule by its name
 * @name: the name
 *
 * Return: the rule, or %NULL.
 */
const struct halt_poll_policy *arm_policy(const char *name)
{
	const struct halt_poll_policy *policy;
	unsigned int i;

	for (i = 0; (policy = arm_policy_number(i)); i++) {
		if (!strcmp(policy->name, name))
			break;
	}
	return policy;
}

/**
 * arm_open() - begin
 * @arm: to be set up
 * @policy: the rule
 * @tunables: what it is told; its price is also what a halt is charged
 * @halt_cost_ns: what a halt adds to the length that is seen
 */
void arm_open(struct arm *arm, const struct halt_poll_policy *policy,
	      const struct halt_poll_tunables *tunables, u32 halt_cost_ns)
{
	*arm = (struct arm) {
		.policy		= policy,
		.tunables	= *tunables,
		.price_ns	= halt_poll_price(tunables),
		.halt_cost_ns	= halt_cost_ns,
	};
	policy->reset(&arm->state);
}

/* Make of a period what the kernel makes of it: see what there is to be seen. */
static void arm_look(struct arm *arm, const struct period *period,
		     struct halt_poll_idle *idle)
{
	if (period->own_timer && period->idle_ns >= period->next_timer_ns)
		halt_poll_wake_cost_note(&arm->wake_cost, idle->idle_ns - period->next_timer_ns,
					 !idle->hit);
	if (!idle->hit)
		idle->idle_ns = halt_poll_wake_cost_correct(&arm->wake_cost, idle->idle_ns,
							    idle->window_ns);
}

/*
 * Poll for a period, unless it was over before the poll could begin. A timer that
 * comes due within timer_ns, or within the window, is run from the poll, at once,
 * and not late.
 */
static void arm_poll(struct arm *arm, const struct period *period,
		     struct halt_poll_idle *idle)
{
	u64 reach_ns = idle->window_ns;

	if (!idle->idle_ns) {
		arm->at_once++;
		return;
	}
	if (arm->timer_ns && period->next_timer_ns <
	    (reach_ns > arm->timer_ns ? reach_ns : arm->timer_ns)) {
		if (reach_ns < period->next_timer_ns)
			reach_ns = period->next_timer_ns;
		if (idle->own_timer && idle->idle_ns > period->next_timer_ns)
			idle->idle_ns = period->next_timer_ns;
	}
	idle->hit = reach_ns && idle->idle_ns <= reach_ns;
	arm->hits += idle->hit;
	arm->burned_ns += idle->hit ? idle->idle_ns : reach_ns;
}

/**
 * arm_feed() - have the rule go through some periods
 * @arm: from arm_open()
 * @periods: the periods
 * @count: how many there are
 */
void arm_feed(struct arm *arm, const struct period *periods, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct period *period = &periods[i];
		struct halt_poll_idle idle = {
			.idle_ns	= period->idle_ns,
			.own_timer	= period->own_timer,
		};

		idle.window_ns = arm->policy->select(&arm->state, &arm->tunables,
						     period->next_timer_ns);
		arm_poll(arm, period, &idle);

		arm->idles++;
		if (__builtin_add_overflow(arm->idle_ns, period->idle_ns, &arm->idle_ns))
			arm->idle_ns = U64_MAX;

		if (arm->halt_cost_ns && period->idle_ns) {
			if (!idle.hit && idle.idle_ns <= U64_MAX - arm->halt_cost_ns)
				idle.idle_ns += arm->halt_cost_ns;
			arm_look(arm, period, &idle);
		}
		arm->policy->reflect(&arm->state, &arm->tunables, &idle);
	}
}

/**
 * arm_halts() - how often the CPU has halted
 * @arm: the arm
 */
u64 arm_halts(const struct arm *arm)
{
	return arm->idles - arm->at_once - arm->hits;
}

/**
 * arm_cost_ns() - what the rule has cost
 * @arm: the arm
 *
 * Return: the time polled, and the price of each halt.
 */
u64 arm_cost_ns(const struct arm *arm)
{
	return arm->burned_ns + arm_halts(arm) * arm->price_ns;
}
