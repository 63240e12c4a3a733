// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/devices/system/cpu/cpuN/halt_poll/: the counters
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/init.h>
#include <linux/sysfs.h>

#include "internal.h"

/* Described in Documentation/ABI/testing/sysfs-devices-system-cpu-halt_poll. */
#define HALT_POLL_STAT(_name)							\
static ssize_t _name##_show(struct device *dev, struct device_attribute *attr,	\
			    char *buf)						\
{										\
	const struct halt_poll_stats *stats =					\
		&per_cpu_ptr(&halt_poll_cpus, dev->id)->stats;			\
	unsigned int start;							\
	u64 value;								\
										\
	do {									\
		start = u64_stats_fetch_begin(&stats->syncp);			\
		value = READ_ONCE(stats->_name);				\
	} while (u64_stats_fetch_retry(&stats->syncp, start));			\
										\
	return sysfs_emit(buf, "%llu\n", value);				\
}										\
static DEVICE_ATTR_RO(_name)

HALT_POLL_STAT(attempted);
HALT_POLL_STAT(successful);
HALT_POLL_STAT(success_ns);
HALT_POLL_STAT(fail_ns);
HALT_POLL_STAT(halts);
HALT_POLL_STAT(timers);
HALT_POLL_STAT(timer_early_ns);

/* The window that the CPU uses, or will cut to the threshold when it wakes. */
static ssize_t window_ns_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	const struct halt_poll_cpu *hp = per_cpu_ptr(&halt_poll_cpus, dev->id);

	return sysfs_emit(buf, "%u\n",
			  min(READ_ONCE(hp->period.window_ns),
			      READ_ONCE(halt_poll_config.tunables.threshold_ns)));
}
static DEVICE_ATTR_RO(window_ns);

static struct attribute *halt_poll_attrs[] = {
	&dev_attr_window_ns.attr,
	&dev_attr_attempted.attr,
	&dev_attr_successful.attr,
	&dev_attr_success_ns.attr,
	&dev_attr_fail_ns.attr,
	&dev_attr_halts.attr,
	&dev_attr_timers.attr,
	&dev_attr_timer_early_ns.attr,
	NULL
};

static const struct attribute_group halt_poll_group = {
	.name	= "halt_poll",
	.attrs	= halt_poll_attrs,
};

static int halt_poll_add_cpu(struct device *dev, struct subsys_interface *sif)
{
	return sysfs_create_group(&dev->kobj, &halt_poll_group);
}

static void halt_poll_remove_cpu(struct device *dev, struct subsys_interface *sif)
{
	sysfs_remove_group(&dev->kobj, &halt_poll_group);
}

/* Follows CPUs as they are added and removed, not as they go on and off line. */
static struct subsys_interface halt_poll_interface = {
	.name		= "halt_poll",
	.subsys		= &cpu_subsys,
	.add_dev	= halt_poll_add_cpu,
	.remove_dev	= halt_poll_remove_cpu,
};

static int __init halt_poll_stats_init(void)
{
	return subsys_interface_register(&halt_poll_interface);
}
late_initcall(halt_poll_stats_init);
