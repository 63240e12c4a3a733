/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Polling before an idle CPU halts: what the architecture calls and provides
 */
#ifndef _LINUX_HALT_POLL_H
#define _LINUX_HALT_POLL_H

#include <linux/jump_label.h>
#include <linux/types.h>

struct pt_regs;

DECLARE_STATIC_KEY_FALSE(halt_poll_key);

void __halt_poll_idle(void);
void __halt_poll_idle_exit(void);
void halt_poll_timer_interrupt(struct pt_regs *regs);

/**
 * halt_poll_idle - poll for a wake-up before the CPU halts
 *
 * For arch_cpu_idle_poll(): the idle task calls it once for each time that it
 * goes idle, after the polling flag is set and idle accounting has begun, with
 * interrupts on and RCU watching. It returns the same way, with need_resched()
 * set if the poll paid.
 */
static inline void halt_poll_idle(void)
{
	if (static_branch_unlikely(&halt_poll_key))
		__halt_poll_idle();
}

/**
 * halt_poll_idle_exit - note that a halt is over
 *
 * For arch_cpu_idle_exit(), which runs after every halt, also after those that
 * an interrupt ended without waking anybody.
 */
static inline void halt_poll_idle_exit(void)
{
	if (static_branch_unlikely(&halt_poll_key))
		__halt_poll_idle_exit();
}

/*
 * Provided by the architecture.
 */

/**
 * arch_halt_poll_unusable - why this machine must not or cannot poll
 *
 * Return: a clause for the log, or %NULL where polling can work.
 */
const char *arch_halt_poll_unusable(void);

/**
 * arch_halt_poll_host - have the host poll on behalf of a CPU, or not
 * @cpu: the CPU, which is online
 * @poll: it shall poll, as it does without being asked
 *
 * Called where it may sleep. Does nothing where the host cannot be told.
 */
void arch_halt_poll_host(unsigned int cpu, bool poll);

/**
 * arch_halt_poll_timer_interrupt - take a timer interrupt without the device
 *
 * Makes the kernel believe that the local timer's interrupt has arrived now,
 * and has halt_poll_timer_interrupt() handle it. Called by the idle task where
 * RCU does not watch, with interrupts off in hardware and on for lockdep;
 * returns the same way.
 */
void arch_halt_poll_timer_interrupt(void);

#endif
