// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel.halt_poll_*: the tunables
 */
#include <linux/cpu.h>
#include <linux/halt_poll.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "internal.h"

/* Protects halt_poll_config and halt_poll_key against other writers. */
static DEFINE_MUTEX(halt_poll_mutex);

/**
 * struct halt_poll_knob - a numeric tunable
 * @value: where it is kept
 * @min: smallest value that is accepted
 * @max: largest value that is accepted
 */
struct halt_poll_knob {
	u32	*value;
	s32	min;
	s32	max;
};

#define HALT_POLL_KNOB(_value, _min, _max) \
	(&(struct halt_poll_knob) { .value = &(_value), .min = (_min), .max = (_max) })

/*
 * The poll needs a clock that moves while it polls. Without a TSC the sched
 * clock counts jiffies, and a window of 200 us would last for one of those. In
 * a few turns of the loop such a clock moves once at the most.
 */
static bool halt_poll_clock_moves(void)
{
	unsigned int turns, moves = 0;
	u64 last_ns, now_ns;

	preempt_disable();
	last_ns = local_clock();
	for (turns = 0; turns < 100 && moves < 2; turns++) {
		cpu_relax();
		now_ns = local_clock();
		moves += now_ns != last_ns;
		last_ns = now_ns;
	}
	preempt_enable();

	return moves >= 2;
}

static const char *halt_poll_unusable(void)
{
	const char *why = arch_halt_poll_unusable();

	if (!why && !halt_poll_clock_moves())
		why = "the sched clock only counts jiffies";
	return why;
}

/*
 * Switch the hooks in the idle loop with the tunables. Hotplug callbacks run
 * under the lock that is taken here first, and must not take halt_poll_mutex.
 */
static int halt_poll_switch(void)
{
	const struct halt_poll_config *config = &halt_poll_config;
	bool on = config->tunables.threshold_ns ||
		  halt_poll_timer_reach(&config->tunables, config->timer_ns);

	if (on == static_key_enabled(&halt_poll_key))
		return 0;

	if (on) {
		const char *why = halt_poll_unusable();

		if (why) {
			pr_warn("halt_poll: not polling: %s\n", why);
			return -EOPNOTSUPP;
		}
		WRITE_ONCE(halt_poll_config.epoch, config->epoch + 1);
		static_branch_enable_cpuslocked(&halt_poll_key);
		halt_poll_host_switch(false);
	} else {
		static_branch_disable_cpuslocked(&halt_poll_key);
		halt_poll_host_switch(true);
	}
	return 0;
}

/*
 * Have every CPU see a change now: those that are busy when they go idle next,
 * the others by being woken.
 */
static void halt_poll_publish(void)
{
	/* Pairs with the acquire in halt_poll_refresh(). */
	smp_store_release(&halt_poll_config.generation, halt_poll_config.generation + 1);
	wake_up_all_idle_cpus();
}

/* Store @value unless polling would have to begin and cannot. */
static int halt_poll_set(u32 *where, u32 value)
{
	u32 old;
	int ret;

	cpus_read_lock();
	mutex_lock(&halt_poll_mutex);

	old = *where;
	WRITE_ONCE(*where, value);
	ret = halt_poll_switch();
	if (ret)
		WRITE_ONCE(*where, old);
	halt_poll_publish();

	mutex_unlock(&halt_poll_mutex);
	cpus_read_unlock();

	return ret;
}

/*
 * Cut the word out of what was written. The whole of it must come in one
 * write, and be nothing but one word and white space around it.
 */
static char *halt_poll_word(char *buf, size_t size, const void *buffer,
			    size_t len, loff_t pos)
{
	if (pos || len >= size)
		return NULL;

	memcpy(buf, buffer, len);
	buf[len] = '\0';
	if (strlen(buf) != len)
		return NULL;

	return strim(buf);
}

/* Give back @text the way that sysctl files are read. */
static int halt_poll_show(char *text, void *buffer, size_t *lenp, loff_t *ppos)
{
	struct ctl_table table = {
		.data	= text,
		.maxlen	= strlen(text) + 1,
	};

	return proc_dostring(&table, 0, buffer, lenp, ppos);
}

static int halt_poll_do_number(const struct halt_poll_knob *knob, int write,
			       void *buffer, size_t *lenp, loff_t *ppos)
{
	char buf[32], *word;
	int ret;
	s64 value;

	if (!write) {
		/* A negative one has a meaning of its own. */
		snprintf(buf, sizeof(buf), "%d", READ_ONCE(*knob->value));
		return halt_poll_show(buf, buffer, lenp, ppos);
	}

	word = halt_poll_word(buf, sizeof(buf), buffer, *lenp, *ppos);
	if (!word || kstrtos64(word, 10, &value) ||
	    value < knob->min || value > knob->max)
		return -EINVAL;

	ret = halt_poll_set(knob->value, value);
	if (!ret)
		*ppos += *lenp;
	return ret;
}

static int halt_poll_do_policy(int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	const struct halt_poll_policy *const *policy = halt_poll_policies;
	char buf[32], *word;

	if (!write) {
		strscpy(buf, READ_ONCE(halt_poll_config.policy)->name, sizeof(buf));
		return halt_poll_show(buf, buffer, lenp, ppos);
	}

	word = halt_poll_word(buf, sizeof(buf), buffer, *lenp, *ppos);
	if (!word)
		return -EINVAL;
	while (*policy && strcmp((*policy)->name, word))
		policy++;
	if (!*policy)
		return -EINVAL;

	mutex_lock(&halt_poll_mutex);
	WRITE_ONCE(halt_poll_config.policy, *policy);
	halt_poll_publish();
	mutex_unlock(&halt_poll_mutex);

	*ppos += *lenp;
	return 0;
}

/*
 * Kernels differ in whether a handler's table is const. Each handler comes in
 * both shapes, and the compiler picks the one that fits proc_handler. No
 * function pointer is cast, so that control flow integrity has nothing to say.
 */
typedef int halt_poll_const_handler(const struct ctl_table *, int, void *,
				    size_t *, loff_t *);

#define HALT_POLL_HANDLER(_name, _call)						\
static int __maybe_unused _name##_const(const struct ctl_table *table, int write, \
					void *buffer, size_t *lenp, loff_t *ppos) \
{										\
	return _call;								\
}										\
static int __maybe_unused _name##_plain(struct ctl_table *table, int write,	\
					void *buffer, size_t *lenp, loff_t *ppos) \
{										\
	return _call;								\
}

#define HALT_POLL_HANDLER_OF(_name)						\
	__builtin_choose_expr(							\
		__builtin_types_compatible_p(proc_handler, halt_poll_const_handler), \
		_name##_const, _name##_plain)

HALT_POLL_HANDLER(halt_poll_number,
		  halt_poll_do_number(table->data, write, buffer, lenp, ppos))
HALT_POLL_HANDLER(halt_poll_policy,
		  halt_poll_do_policy(write, buffer, lenp, ppos))

#define HALT_POLL_NUMBER(_name, _value, _min, _max) {				\
	.procname	= _name,						\
	.data		= HALT_POLL_KNOB(_value, _min, _max),			\
	.mode		= 0644,							\
	.proc_handler	= HALT_POLL_HANDLER_OF(halt_poll_number),		\
}

/* Described in Documentation/admin-guide/sysctl/halt_poll.rst. */
static struct ctl_table halt_poll_table[] = {
	HALT_POLL_NUMBER("halt_poll_threshold", halt_poll_config.tunables.threshold_ns,
			 0, HALT_POLL_MAX_NS),
	{
		.procname	= "halt_poll_policy",
		.mode		= 0644,
		.proc_handler	= HALT_POLL_HANDLER_OF(halt_poll_policy),
	},
	HALT_POLL_NUMBER("halt_poll_cost", halt_poll_config.tunables.cost_ns,
			 0, HALT_POLL_MAX_NS),
	HALT_POLL_NUMBER("halt_poll_grow", halt_poll_config.tunables.grow,
			 HALT_POLL_GROW_MIN, HALT_POLL_GROW_MAX),
	HALT_POLL_NUMBER("halt_poll_grow_start", halt_poll_config.tunables.grow_start_ns,
			 HALT_POLL_GROW_START_MIN, HALT_POLL_GROW_START_MAX),
	HALT_POLL_NUMBER("halt_poll_shrink", halt_poll_config.tunables.shrink,
			 HALT_POLL_SHRINK_MIN, HALT_POLL_SHRINK_MAX),
	HALT_POLL_NUMBER("halt_poll_timer", halt_poll_config.timer_ns,
			 HALT_POLL_TIMER_AUTO, HALT_POLL_MAX_NS),
	{ }
};

static int __init halt_poll_sysctl_init(void)
{
	/* Older kernels want an empty last entry, newer ones must not count it. */
#ifdef register_sysctl
	register_sysctl_sz("kernel", halt_poll_table, ARRAY_SIZE(halt_poll_table) - 1);
#else
	register_sysctl("kernel", halt_poll_table);
#endif
	return 0;
}
late_initcall(halt_poll_sysctl_init);
