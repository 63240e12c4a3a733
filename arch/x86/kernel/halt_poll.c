// SPDX-License-Identifier: GPL-2.0-only
/*
 * Polling before an idle CPU halts: what only x86 knows
 */
#include <linux/cpu.h>
#include <linux/cpuidle_haltpoll.h>
#include <linux/entry-common.h>
#include <linux/halt_poll.h>
#include <linux/kernel.h>
#include <linux/kvm_para.h>
#include <linux/processor.h>
#include <linux/ptrace.h>
#include <asm/hardirq.h>
#include <asm/irq_stack.h>
#include <asm/segment.h>

void arch_cpu_idle_poll(void)
{
	halt_poll_idle();
}

void arch_cpu_idle_exit(void)
{
	halt_poll_idle_exit();
}

const char *arch_halt_poll_unusable(void)
{
	if (boot_option_idle_override == IDLE_POLL)
		return "idle=poll never halts";
	return NULL;
}

/* What cpuidle calls enabling is switching the host's polling off. */
void arch_halt_poll_host(unsigned int cpu, bool poll)
{
	/* Asked first, because arch_haltpoll_enable() complains. */
	if (!kvm_para_has_feature(KVM_FEATURE_POLL_CONTROL))
		return;

	if (poll)
		arch_haltpoll_disable(cpu);
	else
		arch_haltpoll_enable(cpu);
}

#ifdef CONFIG_HIGH_RES_TIMERS

/*
 * The body of an interrupt's entry, with a frame made up to look as if the
 * poll had been interrupted here. Neither INT nor an IPI to itself would do:
 * FRED has no such INT, and the IPI is an exit, which is what this is to save.
 */
noinstr void arch_halt_poll_timer_interrupt(void)
{
	struct pt_regs frame = {
		.ip	= _THIS_IP_,
		.cs	= __KERNEL_CS,
		.flags	= X86_EFLAGS_IF | X86_EFLAGS_FIXED,
		.sp	= current_stack_pointer,
		.bp	= (unsigned long)__builtin_frame_address(0),
		.ss	= __KERNEL_DS,
	};
	/* The name that run_sysvec_on_irqstack_cond() asks for. */
	struct pt_regs *regs = &frame;
	irqentry_state_t state = irqentry_enter(regs);

	instrumentation_begin();
	kvm_set_cpu_l1tf_flush_l1d();
	run_sysvec_on_irqstack_cond(halt_poll_timer_interrupt, regs);
	instrumentation_end();
	irqentry_exit(regs, state);
}

#endif
