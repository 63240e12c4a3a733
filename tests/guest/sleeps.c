// SPDX-License-Identifier: GPL-2.0-only
/*
 * sleeps - do timers keep their word? None early, none lost
 *
 * Each test sleeps in one of the ways that a program can, over and over, and
 * looks at the very clock that it slept on. A sleep that returned before its
 * time is early, one that took seconds more than it should is lost. Timers
 * that repeat must have expired as often as their time has passed, no more and
 * no less. One line of tab-separated figures; the exit status is 1 where
 * something was early or lost.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000LL
#define NSEC_PER_MSEC	1000000LL
#define NSEC_PER_USEC	1000LL
#define MAX_US		500
#define MAX_WORKERS	16
#define TRACE		"/sys/kernel/tracing/trace"

static const clockid_t clocks[] = {
	CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI,
};

/* Shared by all processes of a test. */
struct tally {
	atomic_ullong n, early, lost;
	atomic_llong worst_ns;
	atomic_bool stop;
};

static struct tally *tally;
static unsigned int count = 1000;
static int64_t lost_ns = 2 * NSEC_PER_SEC;
static int workers = 4;

static int64_t to_ns(struct timespec ts)
{
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static struct timespec to_timespec(int64_t ns)
{
	return (struct timespec) { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(2, "clock_gettime %d", clock);
	return to_ns(ts);
}

static void pause_ms(int ms)
{
	struct timespec ts = to_timespec(ms * NSEC_PER_MSEC);

	nanosleep(&ts, NULL);
}

static void count_lost(const char *what, int64_t ns)
{
	fprintf(stderr, "lost: %s, %" PRId64 " ns late\n", what, ns);
	tally->lost++;
}

static void count_early(const char *what, int64_t ns)
{
	fprintf(stderr, "early: %s, by %" PRId64 " ns\n", what, ns);
	tally->early++;
}

/* A sleep that is over: @early_ns is what was left of it, @late_ns too much. */
static void note(const char *what, int64_t early_ns, int64_t late_ns)
{
	long long worst = tally->worst_ns;

	tally->n++;
	if (early_ns > 0)
		count_early(what, early_ns);
	if (late_ns > lost_ns)
		count_lost(what, late_ns);
	while (late_ns > worst &&
	       !atomic_compare_exchange_weak(&tally->worst_ns, &worst, late_ns))
		;
}

/*
 * A timer that repeats: how often it had expired (@times) when it was asked,
 * which was after @asked and before @until. It was set after @before and
 * before @set, with the interval as the time to the first expiry too.
 */
static void note_interval(const char *what, int64_t times, int64_t interval,
			  int64_t before, int64_t set, int64_t asked, int64_t until)
{
	int64_t most = (until - before) / interval;
	int64_t least = (asked - set) / interval;

	tally->n += times;
	if (times > most)
		count_early(what, (times - most) * interval);
	if (times < least)
		count_lost(what, (least - times) * interval);
}

/* A generator of its own for each worker, so that a run can be repeated. */
static uint32_t random_us(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return 1 + (*state >> 33) % MAX_US;
}

struct worker {
	void (*run)(struct worker *me);
	unsigned int count;
	uint64_t random;
};

static void *worker_thread(void *arg)
{
	struct worker *me = arg;

	me->run(me);
	return NULL;
}

/* Half of the workers are threads of one process, half of another. */
static void run_workers(void (*run)(struct worker *me))
{
	struct worker w[MAX_WORKERS];
	pthread_t thread[MAX_WORKERS];
	pid_t pid;
	int status, half;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	half = pid ? workers / 2 : workers - workers / 2;
	for (int i = 0; i < half; i++) {
		w[i] = (struct worker) {
			.run	= run,
			.count	= count / workers,
			.random	= 2 * i + !pid,
		};
		if (pthread_create(&thread[i], NULL, worker_thread, &w[i]))
			errx(2, "pthread_create");
	}
	for (int i = 0; i < half; i++)
		pthread_join(thread[i], NULL);
	if (!pid)
		_exit(0);
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "a worker failed");
}

/* nanosleep(), which is relative. */
static void nanosleep_worker(struct worker *me)
{
	while (me->count--) {
		int64_t want = random_us(&me->random) * NSEC_PER_USEC;
		struct timespec ts = to_timespec(want);
		int64_t start = now_ns(CLOCK_MONOTONIC), took;

		if (nanosleep(&ts, NULL))
			err(2, "nanosleep");
		took = now_ns(CLOCK_MONOTONIC) - start;
		note("nanosleep", want - took, took - want);
	}
}

static void run_nanosleep(void)
{
	run_workers(nanosleep_worker);
}

/*
 * clock_nanosleep(), by all clocks in turn, relative and absolute. Also while
 * the time of day is set forward: that is the end of an absolute sleep whose
 * time it passes, and changes nothing for a relative one.
 */
static void clock_worker(struct worker *me)
{
	for (unsigned int i = 0; i < me->count; i++) {
		clockid_t clock = clocks[i % ARRAY_SIZE(clocks)];
		bool absolute = i / ARRAY_SIZE(clocks) % 2;
		/* A relative sleep on CLOCK_REALTIME is one on CLOCK_MONOTONIC. */
		clockid_t by = clock == CLOCK_REALTIME && !absolute ?
			CLOCK_MONOTONIC : clock;
		int64_t want = random_us(&me->random) * NSEC_PER_USEC;
		int64_t mono = now_ns(CLOCK_MONOTONIC), end = now_ns(by) + want;
		struct timespec ts = to_timespec(absolute ? end : want);

		errno = clock_nanosleep(clock, absolute ? TIMER_ABSTIME : 0, &ts, NULL);
		if (errno)
			err(2, "clock_nanosleep %d", clock);
		note(absolute ? "clock_nanosleep, absolute" : "clock_nanosleep, relative",
		     end - now_ns(by), now_ns(CLOCK_MONOTONIC) - mono - want);
	}
}

static void run_clock(void)
{
	run_workers(clock_worker);
}

/* In one piece: to read the clock and set it would lose the time in between. */
static void step(int64_t by_ns)
{
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO };

	tx.time.tv_sec = by_ns / NSEC_PER_SEC;
	tx.time.tv_usec = by_ns % NSEC_PER_SEC;
	if (tx.time.tv_usec < 0) {
		tx.time.tv_sec--;
		tx.time.tv_usec += NSEC_PER_SEC;
	}
	if (clock_adjtime(CLOCK_REALTIME, &tx) < 0)
		err(2, "clock_adjtime");
}

static void *step_often(void *arg)
{
	uint64_t random = 1;

	(void)arg;
	while (!tally->stop) {
		step(random_us(&random) * 10 * NSEC_PER_USEC);
		pause_ms(2);
	}
	return NULL;
}

static int64_t stepped_at;

static void *step_once(void *by_ns)
{
	pause_ms(30);
	step(*(int64_t *)by_ns);
	stepped_at = now_ns(CLOCK_MONOTONIC);
	return NULL;
}

/* An absolute sleep that is stepped over, or away from. */
static void step_in_sleep(clockid_t clock, int64_t want, int64_t by_ns)
{
	int64_t mono = now_ns(CLOCK_MONOTONIC), end = now_ns(clock) + want;
	struct timespec ts = to_timespec(end);
	int64_t left, took;
	pthread_t stepper;

	if (pthread_create(&stepper, NULL, step_once, &by_ns))
		errx(2, "pthread_create");
	errno = clock_nanosleep(clock, TIMER_ABSTIME, &ts, NULL);
	if (errno)
		err(2, "clock_nanosleep %d", clock);
	left = end - now_ns(clock);
	took = now_ns(CLOCK_MONOTONIC) - mono;
	pthread_join(stepper, NULL);

	/* On a busy host the step may have come too late to matter. */
	if (stepped_at < mono + want) {
		note("sleep with a step", left, 0);
		want = want > by_ns ? want - by_ns : 0;
		note("sleep after a step", want - took, took - want);
	}
	step(-by_ns);
}

static void run_step(void)
{
	int64_t start = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
	pthread_t stepper;

	if (pthread_create(&stepper, NULL, step_often, NULL))
		errx(2, "pthread_create");
	run_workers(clock_worker);
	tally->stop = true;
	pthread_join(stepper, NULL);
	step(start - (now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC)));

	for (int i = 0; i < 3; i++) {
		step_in_sleep(CLOCK_REALTIME, 600 * NSEC_PER_SEC, 700 * NSEC_PER_SEC);
		step_in_sleep(CLOCK_REALTIME, 100 * NSEC_PER_MSEC, -200 * NSEC_PER_MSEC);
		step_in_sleep(CLOCK_TAI, 600 * NSEC_PER_SEC, 700 * NSEC_PER_SEC);
		step_in_sleep(CLOCK_TAI, 100 * NSEC_PER_MSEC, -200 * NSEC_PER_MSEC);
	}
}

static uint64_t read_timerfd(int fd)
{
	uint64_t times;

	if (read(fd, &times, sizeof(times)) != sizeof(times))
		err(2, "read a timerfd");
	return times;
}

static void set_timerfd(int fd, int flags, int64_t value, int64_t interval)
{
	struct itimerspec its = {
		.it_value	= to_timespec(value),
		.it_interval	= to_timespec(interval),
	};

	if (timerfd_settime(fd, flags, &its, NULL))
		err(2, "timerfd_settime");
}

static void timerfd_intervals(clockid_t clock, int fd, unsigned int want)
{
	int64_t interval = 300 * NSEC_PER_USEC, asked;
	int64_t before = now_ns(clock), set;
	uint64_t times = 0;

	set_timerfd(fd, 0, interval, interval);
	set = now_ns(clock);
	do {
		asked = now_ns(clock);
		times += read_timerfd(fd);
	} while (times < want);
	note_interval("timerfd that repeats", times, interval, before, set, asked,
		      now_ns(clock));
}

static void timerfd_worker(struct worker *me)
{
	for (size_t c = 0; c < 3; c++) {
		clockid_t clock = clocks[c];
		int fd = timerfd_create(clock, 0);

		if (fd < 0)
			err(2, "timerfd_create");
		for (unsigned int i = 0; i < me->count / 6; i++) {
			int64_t want = random_us(&me->random) * NSEC_PER_USEC;
			int64_t end = now_ns(clock) + want, late;

			if (i % 2)
				set_timerfd(fd, TFD_TIMER_ABSTIME, end, 0);
			else
				set_timerfd(fd, 0, want, 0);
			if (read_timerfd(fd) != 1)
				count_early("timerfd that expired twice", 0);
			late = now_ns(clock) - end;
			note("timerfd", -late, late);
		}
		timerfd_intervals(clock, fd, me->count / 6);
		close(fd);
	}
}

static void run_timerfd(void)
{
	int64_t by_ns = NSEC_PER_SEC, start, took;
	pthread_t stepper;
	uint64_t times;
	int fd;

	run_workers(timerfd_worker);

	fd = timerfd_create(CLOCK_REALTIME, 0);
	if (fd < 0)
		err(2, "timerfd_create");
	set_timerfd(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
		    now_ns(CLOCK_REALTIME) + 600 * NSEC_PER_SEC, 0);
	start = now_ns(CLOCK_MONOTONIC);
	if (pthread_create(&stepper, NULL, step_once, &by_ns))
		errx(2, "pthread_create");
	if (read(fd, &times, sizeof(times)) >= 0 || errno != ECANCELED)
		errx(1, "a step did not cancel the timerfd");
	took = now_ns(CLOCK_MONOTONIC) - start;
	note("timerfd that a step cancels", 0, took);
	pthread_join(stepper, NULL);
	step(-by_ns);
}

/* POSIX timers that signal; a signal stands for itself and its overruns. */
static void posix_worker(struct worker *me)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);

	for (size_t c = 0; c < ARRAY_SIZE(clocks); c++) {
		struct sigevent sev = {
			.sigev_notify		= SIGEV_THREAD_ID,
			.sigev_signo		= SIGRTMIN,
			._sigev_un._tid		= gettid(),
		};
		int64_t interval = 250 * NSEC_PER_USEC, before, asked, is_set;
		unsigned int share = me->count / (2 * ARRAY_SIZE(clocks)), times = 0;
		clockid_t clock = clocks[c];
		struct itimerspec its = { };
		siginfo_t info;
		timer_t timer;

		if (timer_create(clock, &sev, &timer))
			err(2, "timer_create %d", clock);

		for (unsigned int i = 0; i < share; i++) {
			int64_t want = random_us(&me->random) * NSEC_PER_USEC;
			int64_t end = now_ns(clock) + want, late;

			its.it_value = to_timespec(i % 2 ? end : want);
			if (timer_settime(timer, i % 2 ? TIMER_ABSTIME : 0, &its, NULL))
				err(2, "timer_settime");
			if (sigwaitinfo(&set, &info) != SIGRTMIN)
				err(2, "sigwaitinfo");
			late = now_ns(clock) - end;
			note("POSIX timer", -late, late);
		}

		its.it_value = its.it_interval = to_timespec(interval);
		before = now_ns(clock);
		if (timer_settime(timer, 0, &its, NULL))
			err(2, "timer_settime");
		is_set = now_ns(clock);
		do {
			asked = now_ns(clock);
			if (sigwaitinfo(&set, &info) != SIGRTMIN)
				err(2, "sigwaitinfo");
			times += 1 + info.si_overrun;
		} while (times < share);
		note_interval("POSIX timer that repeats", times, interval, before,
			      is_set, asked, now_ns(clock));
		timer_delete(timer);
		/* What it had signalled by then is not the next one's. */
		while (sigtimedwait(&set, NULL, &(struct timespec) { }) == SIGRTMIN)
			;
	}
}

static void run_posix(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	run_workers(posix_worker);
}

static void set_itimer(int which, int64_t interval)
{
	struct itimerval itv = {
		.it_value.tv_usec	= interval / NSEC_PER_USEC,
		.it_interval.tv_usec	= interval / NSEC_PER_USEC,
	};

	if (setitimer(which, &itv, NULL))
		err(2, "setitimer");
}

static volatile sig_atomic_t signals;

static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

/*
 * The timers of CPU time count what the tick has seen, which in a guest is less
 * than the scheduler's exact time, but no more, and never nothing.
 */
static void itimer_cpu(int which, int signal, const char *what)
{
	int64_t interval = 10 * NSEC_PER_MSEC, start, used, last = 0;
	int seen = 0;

	signals = 0;
	sigaction(signal, &(struct sigaction) { .sa_handler = on_signal }, NULL);
	start = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	set_itimer(which, interval);
	do {
		for (volatile int i = 0; i < 100000; i++)
			;
		used = now_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
		if (seen != signals) {
			seen = signals;
			last = used;
		}
		if (used - last > lost_ns) {
			count_lost(what, used - last);
			break;
		}
	} while (seen < 20);
	set_itimer(which, 0);

	tally->n += signals;
	if (seen > 2 + used / interval * 5 / 4)
		count_early(what, seen * interval - used);
}

static void run_itimer(void)
{
	int64_t interval = NSEC_PER_MSEC, start, last, now;
	struct timespec limit = to_timespec(lost_ns);
	unsigned int times = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);

	/* Expiries while a signal is pending are not signalled, nor early. */
	start = last = now_ns(CLOCK_MONOTONIC);
	set_itimer(ITIMER_REAL, interval);
	while (times < count) {
		if (sigtimedwait(&set, NULL, &limit) != SIGALRM) {
			count_lost("ITIMER_REAL", lost_ns);
			break;
		}
		times++;
		now = now_ns(CLOCK_MONOTONIC);
		note("ITIMER_REAL", start + times * interval - now, now - last - interval);
		last = now;
	}
	set_itimer(ITIMER_REAL, 0);

	itimer_cpu(ITIMER_PROF, SIGPROF, "ITIMER_PROF");
	itimer_cpu(ITIMER_VIRTUAL, SIGVTALRM, "ITIMER_VIRTUAL");
}

/*
 * A socket's timeout is one of the timer wheel's, which the tick runs. It may
 * end within the tick before.
 */
static void run_wheel(void)
{
	int64_t tick = NSEC_PER_SEC / 100;
	int pair[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		err(2, "socketpair");
	for (unsigned int i = 0; i < count; i++) {
		int64_t want = (20 + i % 5 * 20) * NSEC_PER_MSEC, start, took;
		struct timeval tv = { .tv_usec = want / NSEC_PER_USEC };

		if (setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)))
			err(2, "SO_RCVTIMEO");
		start = now_ns(CLOCK_MONOTONIC);
		if (recv(pair[0], &c, 1, 0) >= 0 || errno != EAGAIN)
			err(2, "recv");
		took = now_ns(CLOCK_MONOTONIC) - start;
		note("socket timeout", want - tick - took, took - want);
	}
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Emptying the trace waits for RCU, so that no CPU still writes to it. */
static void run_rcu(void)
{
	int64_t *took = calloc(count, sizeof(*took));

	if (!took)
		err(2, "calloc");
	for (unsigned int i = 0; i < count; i++) {
		int64_t start = now_ns(CLOCK_MONOTONIC);
		int fd = open(TRACE, O_WRONLY | O_TRUNC);

		if (fd < 0)
			err(2, TRACE);
		close(fd);
		took[i] = now_ns(CLOCK_MONOTONIC) - start;
		note("grace period", 0, took[i]);
	}
	/* The worst is the host's; the middle one is what polling would change. */
	qsort(took, count, sizeof(*took), compare);
	tally->worst_ns = took[count / 2];
	free(took);
}

static const struct {
	const char *name;
	void (*run)(void);
	const char *help;
} tests[] = {
	{ "nanosleep",	run_nanosleep,	"1 to 500 us, several tasks" },
	{ "clock",	run_clock,	"clock_nanosleep on four clocks, relative and absolute" },
	{ "step",	run_step,	"the same while the time of day is set" },
	{ "timerfd",	run_timerfd,	"once, repeating, cancelled by a step" },
	{ "posix",	run_posix,	"timer_create, once and repeating, overruns counted" },
	{ "itimer",	run_itimer,	"setitimer: real, of CPU time" },
	{ "wheel",	run_wheel,	"timeouts of a socket, 20 to 100 ms" },
	{ "rcu",	run_rcu,	"grace periods; the last figure is their median" },
};

static void usage(void)
{
	fprintf(stderr,
		"usage: sleeps [-n COUNT] [-w WORKERS] [-s SLACK_NS] [-l LOST_MS] [-c CPU] [-f] TEST\n"
		"       prints TEST, sleeps, early ones, lost ones, worst delay in ns\n");
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
		fprintf(stderr, "  %-10s %s\n", tests[i].name, tests[i].help);
	exit(2);
}

static unsigned long number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || n > max)
		errx(2, "%s: not a number up to %lu", text, max);
	return n;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "pin to CPU %d", cpu);
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 10 };
	int opt;

	while ((opt = getopt(argc, argv, "n:w:s:l:c:f")) != -1) {
		switch (opt) {
		case 'n':
			count = number(optarg, 10000000);
			break;
		case 'w':
			workers = number(optarg, MAX_WORKERS);
			break;
		case 's':
			/* 0 is the default, 50 us. */
			if (prctl(PR_SET_TIMERSLACK, number(optarg, NSEC_PER_SEC)))
				err(2, "timer slack");
			break;
		case 'l':
			lost_ns = number(optarg, 1000000) * NSEC_PER_MSEC;
			break;
		case 'c':
			pin(number(optarg, CPU_SETSIZE - 1));
			break;
		case 'f':
			if (sched_setscheduler(0, SCHED_FIFO, &fifo))
				err(2, "SCHED_FIFO");
			break;
		default:
			usage();
		}
	}
	if (optind != argc - 1 || !count || !workers)
		usage();

	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED)
		err(2, "mmap");

	for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
		if (strcmp(tests[i].name, argv[optind]))
			continue;
		tests[i].run();
		printf("%s\t%llu\t%llu\t%llu\t%lld\n", tests[i].name,
		       tally->n, tally->early, tally->lost, tally->worst_ns);
		return tally->early || tally->lost;
	}
	usage();
}
