// SPDX-License-Identifier: GPL-2.0-only
/*
 * advise PRICE - what halt-poll-stat would advise, had its CPUs been seen to wait
 * for so long: a wait a line, "CPU IDLE_NS NEXT_TIMER_NS OWN_TIMER"
 */
#include <stdlib.h>

#include "replay.h"
#include "stat.h"

int main(int argc, char **argv)
{
	struct settings settings = {
		.policy	= "predictive",
		.value	= { [SETTING_GROW] = 2, [SETTING_GROW_START] = 2000,
			    [SETTING_SHRINK] = 2, [SETTING_TIMER] = HALT_POLL_TIMER_AUTO },
	};
	struct seen seen[2] = { { .cpu = 0 }, { .cpu = 1 } };
	unsigned long long idle_ns, next_timer_ns;
	unsigned int cpu, own;

	if (argc != 2)
		return STATUS_USAGE;
	while (scanf("%u %llu %llu %u", &cpu, &idle_ns, &next_timer_ns, &own) == 4) {
		struct seen *to = &seen[cpu & 1];

		to->period = make_room(to->period, &to->room, to->periods + 1,
				       sizeof(*to->period));
		to->period[to->periods++] = (struct period) {
			.idle_ns = idle_ns, .next_timer_ns = next_timer_ns, .own_timer = own,
		};
		to->span_ns += idle_ns;
	}
	return advise(stdout, seen, 2, &settings, atoi(argv[1]));
}
