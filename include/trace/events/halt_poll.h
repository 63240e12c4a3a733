/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of kernel/halt_poll/
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM halt_poll

#if !defined(_TRACE_HALT_POLL_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_HALT_POLL_H

#include <linux/string.h>
#include <linux/tracepoint.h>

struct halt_poll_idle;

/*
 * An idle period is over. It is known to be when its CPU goes idle the next
 * time, and that is when the event comes.
 */
TRACE_EVENT(halt_poll_idle,

	TP_PROTO(const struct halt_poll_idle *idle, u64 wake_cost_ns, u64 polled_ns,
		 u64 next_timer_ns),

	TP_ARGS(idle, wake_cost_ns, polled_ns, next_timer_ns),

	TP_STRUCT__entry(
		__field(u64,	idle_ns)
		__field(u64,	wake_cost_ns)
		__field(u64,	polled_ns)
		__field(s64,	next_timer_ns)
		__field(u32,	window_ns)
		__field(u8,	hit)
		__field(u8,	own_timer)
	),

	TP_fast_assign(
		__entry->idle_ns = idle->idle_ns;
		__entry->wake_cost_ns = wake_cost_ns;
		__entry->polled_ns = polled_ns;
		__entry->next_timer_ns = next_timer_ns;
		__entry->window_ns = idle->window_ns;
		__entry->hit = idle->hit;
		__entry->own_timer = idle->own_timer;
	),

	/*
	 * idle_ns is what the policy is told, with wake_cost_ns taken off
	 * already; next_timer_ns is -1 where there was no timer.
	 */
	TP_printk("idle_ns=%llu wake_cost_ns=%llu polled_ns=%llu next_timer_ns=%lld window_ns=%u hit=%u own_timer=%u",
		  __entry->idle_ns, __entry->wake_cost_ns, __entry->polled_ns,
		  __entry->next_timer_ns, __entry->window_ns, __entry->hit,
		  __entry->own_timer)
);

/* The policy has chosen another window than the last time. */
TRACE_EVENT(halt_poll_window,

	TP_PROTO(const char *policy, u32 old_ns, u32 new_ns),

	TP_ARGS(policy, old_ns, new_ns),

	TP_STRUCT__entry(
		__array(char,	policy, 16)
		__field(u32,	old_ns)
		__field(u32,	new_ns)
	),

	TP_fast_assign(
		strscpy(__entry->policy, policy, sizeof(__entry->policy));
		__entry->old_ns = old_ns;
		__entry->new_ns = new_ns;
	),

	TP_printk("policy=%s old_ns=%u new_ns=%u",
		  __entry->policy, __entry->old_ns, __entry->new_ns)
);

#endif

#include <trace/define_trace.h>
