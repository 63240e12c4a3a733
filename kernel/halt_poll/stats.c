// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/devices/system/cpu/cpuN/halt_poll/: the counters, and in debugfs the
 * histograms
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/init.h>
#include <linux/seq_file.h>
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

HALT_POLL_STAT(idles);
HALT_POLL_STAT(attempted);
HALT_POLL_STAT(successful);
HALT_POLL_STAT(success_ns);
HALT_POLL_STAT(fail_ns);
HALT_POLL_STAT(halts);
HALT_POLL_STAT(timers);
HALT_POLL_STAT(timer_early_ns);
HALT_POLL_STAT(stolen_ns);
HALT_POLL_STAT(backoffs);

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
	&dev_attr_idles.attr,
	&dev_attr_attempted.attr,
	&dev_attr_successful.attr,
	&dev_attr_success_ns.attr,
	&dev_attr_fail_ns.attr,
	&dev_attr_halts.attr,
	&dev_attr_timers.attr,
	&dev_attr_timer_early_ns.attr,
	&dev_attr_stolen_ns.attr,
	&dev_attr_backoffs.attr,
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

static void halt_poll_show_hist(struct seq_file *file, const unsigned long *hist)
{
	unsigned int bucket;

	for (bucket = 0; bucket < HALT_POLL_BUCKETS; bucket++)
		seq_printf(file, "%lu %lu\n", bucket ? 1UL << bucket : 0,
			   READ_ONCE(hist[bucket]));
}

/* A file's private data is the CPU's counters. */
#define HALT_POLL_HIST(_name)							\
static int _name##_show(struct seq_file *file, void *unused)			\
{										\
	const struct halt_poll_stats *stats = file->private;			\
										\
	halt_poll_show_hist(file, stats->_name);				\
	return 0;								\
}										\
DEFINE_SHOW_ATTRIBUTE(_name)

HALT_POLL_HIST(idle_hist);
HALT_POLL_HIST(hit_hist);
HALT_POLL_HIST(miss_hist);

static void __init halt_poll_debugfs_init(void)
{
	struct dentry *top = debugfs_create_dir("halt_poll", NULL);
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		void *stats = &per_cpu_ptr(&halt_poll_cpus, cpu)->stats;
		struct dentry *dir;
		char name[16];

		snprintf(name, sizeof(name), "cpu%u", cpu);
		dir = debugfs_create_dir(name, top);
		debugfs_create_file("idle_ns_hist", 0444, dir, stats, &idle_hist_fops);
		debugfs_create_file("hit_ns_hist", 0444, dir, stats, &hit_hist_fops);
		debugfs_create_file("miss_ns_hist", 0444, dir, stats, &miss_hist_fops);
	}
}

static int __init halt_poll_stats_init(void)
{
	halt_poll_debugfs_init();
	return subsys_interface_register(&halt_poll_interface);
}
late_initcall(halt_poll_stats_init);
