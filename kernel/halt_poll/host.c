// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's own polling for this guest
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/halt_poll.h>
#include <linux/init.h>
#include <linux/notifier.h>
#include <linux/reboot.h>

#include "internal.h"

/**
 * DOC: host polling
 *
 * A host may poll on behalf of a virtual CPU that has halted. While the guest
 * polls, that is to wait twice for the same wake-up, so each CPU tells its host
 * not to, where the host can be told: from when polling is switched on, or the
 * CPU comes up, until polling is switched off, the CPU goes down, or the
 * machine reboots. The last is for kexec, because the next kernel may not know.
 * A kernel that kdump starts finds the host's polling as the crash left it.
 */

/**
 * halt_poll_host_switch - have the host poll, or not, for all CPUs
 * @poll: the host shall poll
 *
 * Called with the CPU hotplug lock held for reading.
 */
void halt_poll_host_switch(bool poll)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		arch_halt_poll_host(cpu, poll);
}

/* These are serialised with the switch by the CPU hotplug lock. */
static int halt_poll_host_online(unsigned int cpu)
{
	if (static_key_enabled(&halt_poll_key))
		arch_halt_poll_host(cpu, false);
	return 0;
}

static int halt_poll_host_offline(unsigned int cpu)
{
	if (static_key_enabled(&halt_poll_key))
		arch_halt_poll_host(cpu, true);
	return 0;
}

static int halt_poll_host_reboot(struct notifier_block *nb, unsigned long action,
				 void *unused)
{
	cpus_read_lock();
	if (static_key_enabled(&halt_poll_key))
		halt_poll_host_switch(true);
	cpus_read_unlock();

	return NOTIFY_DONE;
}

static struct notifier_block halt_poll_host_nb = {
	.notifier_call = halt_poll_host_reboot,
};

/* A device_initcall(), because the tunables appear in a late_initcall(). */
static int __init halt_poll_host_init(void)
{
	int ret;

	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "halt_poll:online",
				halt_poll_host_online, halt_poll_host_offline);
	if (ret < 0)
		return ret;
	return register_reboot_notifier(&halt_poll_host_nb);
}
device_initcall(halt_poll_host_init);
