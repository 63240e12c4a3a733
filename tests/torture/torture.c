// SPDX-License-Identifier: GPL-2.0-only
/*
 * torture - everything that a polling CPU may meet, all at once
 *
 * Usage: torture SEED SECONDS
 *
 * Worker processes, each with random numbers of its own that the seed
 * determines, write to every tunable what fits and what does not, take CPUs
 * off line and back, move tasks about, sleep, send each other bytes, run in
 * real time, switch trace events, cpuidle states and governors, and read the
 * counters meanwhile. A worker looks at what it can judge: whether a tunable
 * reads as a value that it may have, whether a sleep ended early, whether
 * counters go back or contradict each other. What becomes of the kernel is in
 * its log.
 *
 * One line for each worker: its name, how often it has done its thing, and how
 * often it was refused. The exit status is 1 where a worker has found a fault,
 * or hangs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000ULL
#define MAX_WORKERS	32
#define MAX_CPUS	64
#define CPU_DIR		"/sys/devices/system/cpu"
#define TRACING		"/sys/kernel/tracing"
#define KNOBS		"/proc/sys/kernel/halt_poll_"

/* Shared with the parent. */
struct account {
	char name[16];
	pid_t pid;
	volatile uint64_t done, refused, faults;
};

static struct account *accounts, *me;
static unsigned int n_accounts, n_cpus;
static uint64_t random_state, deadline_ns;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static bool time_left(void)
{
	return now_ns() < deadline_ns;
}

/* A multiplicative step over a counter: each seed gives an unrelated stream. */
static uint64_t any(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

static uint64_t below(uint64_t n)
{
	return any() % n;
}

static void nap_us(unsigned int us)
{
	struct timespec ts = { us / 1000000, us % 1000000 * 1000L };

	nanosleep(&ts, NULL);
}

__attribute__((format(printf, 1, 2)))
static void fault(const char *fmt, ...)
{
	va_list ap;

	/* The first few tell what is wrong, the rest how wrong. */
	if (me->faults++ >= 5)
		return;
	va_start(ap, fmt);
	printf("# %s: ", me->name);
	vprintf(fmt, ap);
	printf("\n");
	fflush(stdout);
	va_end(ap);
}

/* Write, and count: true where the kernel took it. */
static bool put(const char *path, const void *buf, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, buf, len) == (ssize_t)len;

	if (fd >= 0)
		close(fd);
	me->done++;
	me->refused += !good;
	return good;
}

static bool put_text(const char *path, const char *text)
{
	return put(path, text, strlen(text));
}

/* The text of a small file, without its newline. */
static bool get(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return true;
}

/* One of the words of a file. */
static bool get_word(const char *path, char *word, size_t size)
{
	char text[512], *at = text, *one;
	unsigned int n = 0;

	if (!get(path, text, sizeof(text)))
		return false;
	while ((one = strsep(&at, " ")))
		if (*one && !below(++n))
			snprintf(word, size, "%s", one);
	return n;
}

struct knob {
	const char *name;
	int64_t min, max;
};

/* The ranges of Documentation/admin-guide/sysctl/halt_poll.rst. */
static const struct knob knobs[] = {
	{ "threshold", 0, 1000000000 },
	{ "timer", -1, 1000000000 },
	{ "cost", 0, 1000000000 },
	{ "grow", 1, 1000 },
	{ "grow_start", 1, 1000000000 },
	{ "shrink", 0, 1000 },
	{ "policy", 0, 0 },
};

static const char * const policies[] = { "fixed", "adaptive", "predictive" };

/* What somebody might write, half of it wrong. */
static size_t make_input(const struct knob *knob, char *buf, size_t size)
{
	static const char * const odd[] = {
		"", "\n", " ", "-1", "+1", "abc", "1 2", "0x10", "1e3", "1.5", "1\n2", "on",
		"18446744073709551615", "18446744073709551616", "4294967296", "1000000001",
		"predictive fixed", "FIXED", "fixe", "fixedd", " predictive\n", "\t200000 \n",
	};
	size_t len;

	switch (below(8)) {
	case 0:
		return snprintf(buf, size, "%s", odd[below(ARRAY_SIZE(odd))]);
	case 1:
		len = below(64);
		for (size_t i = 0; i < len; i++)
			buf[i] = any();
		return len;
	case 2:
		if (below(16))
			return snprintf(buf, size, "%" PRIu64, any());
		/* Larger than a page, and than a sysctl takes. */
		len = size / 2 + below(size / 2);
		memset(buf, below(2) ? '1' : ' ', len);
		return len;
	default:
		if (!knob->max)
			return snprintf(buf, size, "%s\n", policies[below(ARRAY_SIZE(policies))]);
		/* Each order of magnitude as often as the next. */
		return snprintf(buf, size, "%" PRId64 "\n",
				knob->min + (int64_t)(below(knob->max - knob->min + 1) /
				(uint64_t[]){ 1, 10, 1000, 10000, 1000000, 1000000000 }[below(6)]));
	}
}

static void check_knob(const struct knob *knob, const char *path)
{
	char text[256], *end;
	int64_t value;

	if (!get(path, text, sizeof(text))) {
		fault("%s cannot be read", path);
		return;
	}
	if (!knob->max) {
		for (size_t i = 0; i < ARRAY_SIZE(policies); i++)
			if (!strcmp(text, policies[i]))
				return;
		fault("policy reads '%s'", text);
		return;
	}
	value = strtoll(text, &end, 10);
	if (end == text || *end || value < knob->min || value > knob->max)
		fault("%s reads '%s'", knob->name, text);
}

static void scribble(void)
{
	static char buf[256 << 10];
	char path[64];

	while (time_left()) {
		const struct knob *knob = &knobs[below(ARRAY_SIZE(knobs))];
		size_t len = make_input(knob, buf, sizeof(buf));
		int fd;

		snprintf(path, sizeof(path), KNOBS "%s", knob->name);
		if (below(8)) {
			put(path, buf, len);
		} else {
			/* Not at the start of the file, or in two parts. */
			fd = open(path, O_RDWR | O_CLOEXEC);
			if (fd < 0)
				err(2, "%s", path);
			me->refused += pwrite(fd, buf, len, below(2)) < 0;
			me->refused += write(fd, buf, len / 2) < 0;
			me->refused += write(fd, buf + len / 2, len - len / 2) < 0;
			me->done += 3;
			close(fd);
		}
		check_knob(knob, path);
		nap_us(below(3000));
	}
}

static void hotplug(void)
{
	char path[64];

	while (time_left() && n_cpus > 1) {
		snprintf(path, sizeof(path), CPU_DIR "/cpu%u/online",
			 1 + (unsigned int)below(n_cpus - 1));
		put_text(path, below(2) ? "1" : "0");
		nap_us(below(200000));
	}
	for (unsigned int cpu = 1; cpu < n_cpus; cpu++) {
		snprintf(path, sizeof(path), CPU_DIR "/cpu%u/online", cpu);
		put_text(path, "1");
	}
}

static void move(pid_t pid)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(below(n_cpus), &set);
	if (below(4))
		for (unsigned int cpu = 0; cpu < n_cpus; cpu++)
			CPU_SET(cpu, &set);
	/* Refused where none of these is on line. */
	me->refused += sched_setaffinity(pid, sizeof(set), &set) != 0;
	me->done++;
}

static void mover(void)
{
	while (time_left()) {
		move(accounts[below(n_accounts)].pid);
		nap_us(below(20000));
	}
}

static void sleeper(void)
{
	while (time_left()) {
		unsigned int us = 1 + below(below(8) ? 500 : 20000);
		uint64_t start = now_ns(), took;

		if (!below(16))
			prctl(PR_SET_TIMERSLACK, below(2) ? 1UL : 50000UL);
		nap_us(us);
		took = now_ns() - start;
		if (took < us * 1000ULL)
			fault("a sleep of %u us took %" PRIu64 " ns", us, took);
		me->done++;
	}
}

static void spin_ns(uint64_t ns)
{
	uint64_t start = now_ns();

	while (now_ns() - start < ns)
		;
}

static void realtime(void)
{
	struct sched_param param = { .sched_priority = 1 + below(50) };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		fault("no real time: %s", strerror(errno));
	while (time_left()) {
		spin_ns(below(200000));
		nap_us(below(3000));
		me->done++;
	}
}

static void burner(void)
{
	while (time_left()) {
		spin_ns(below(5000000));
		sched_yield();
		nap_us(below(50000));
		me->done++;
	}
}

/* Bytes back and forth, in bursts with pauses between them. */
static void ping(void)
{
	int there[2], back[2];
	pid_t pid;
	char c = 0;

	if (pipe(there) || pipe(back))
		err(2, "pipe");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(there[1]);
		while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	while (time_left()) {
		for (uint64_t i = below(2000); i; i--)
			if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
				fault("the other side is gone");
		me->done++;
		move(0);
		move(pid);
		nap_us(below(20000));
	}
	close(there[1]);
	waitpid(pid, NULL, 0);
}

static void hackbench(void)
{
	while (time_left()) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			int null = open("/dev/null", O_WRONLY);

			prctl(PR_SET_PDEATHSIG, SIGKILL);
			dup2(null, 1);
			dup2(null, 2);
			execlp("hackbench", "hackbench", below(2) ? "-p" : "-T", "-g", "1",
			       "-f", "5", "-l", "200", NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			err(2, "hackbench");
		me->done++;
		me->refused += status != 0;
		nap_us(below(100000));
	}
}

static void tracer(void)
{
	static const char * const events[] = {
		"halt_poll", "power", "sched", "irq", "timer", "irq_vectors",
	};
	static char buf[64 << 10];
	char path[96];

	while (time_left()) {
		snprintf(path, sizeof(path), TRACING "/events/%s/enable",
			 events[below(ARRAY_SIZE(events))]);
		put_text(path, below(3) ? "0" : "1");
		if (!below(8))
			put_text(TRACING "/tracing_on", below(4) ? "1" : "0");
		if (!below(8))
			get(TRACING "/trace", buf, sizeof(buf));
		if (!below(16))
			me->refused += truncate(TRACING "/trace", 0) != 0;
		nap_us(below(100000));
	}
	put_text(TRACING "/events/enable", "0");
	put_text(TRACING "/tracing_on", "1");
}

static void cpuidle(void)
{
	glob_t states;
	char word[32];

	if (glob(CPU_DIR "/cpu*/cpuidle/state*/disable", 0, NULL, &states))
		states.gl_pathc = 0;
	while (time_left()) {
		if (get_word(CPU_DIR "/cpuidle/available_governors", word, sizeof(word)))
			put_text(CPU_DIR "/cpuidle/current_governor", word);
		if (states.gl_pathc)
			put_text(states.gl_pathv[below(states.gl_pathc)], below(2) ? "1" : "0");
		nap_us(below(200000));
	}
	for (size_t i = 0; i < states.gl_pathc; i++)
		put_text(states.gl_pathv[i], "0");
}

/* Somebody who bears no latency, some latency, any. */
static void latency(void)
{
	while (time_left()) {
		int fd = open("/dev/cpu_dma_latency", O_RDWR | O_CLOEXEC);
		int32_t us = (int32_t[]){ 0, 0, 1, 50, 2000000 }[below(5)];

		if (fd < 0)
			return;
		me->refused += write(fd, &us, sizeof(us)) != sizeof(us);
		me->done++;
		nap_us(below(50000));
		close(fd);
		nap_us(below(50000));
	}
}

static uint64_t counter(unsigned int cpu, const char *name)
{
	char path[96], text[64];

	snprintf(path, sizeof(path), CPU_DIR "/cpu%u/halt_poll/%s", cpu, name);
	if (!get(path, text, sizeof(text))) {
		fault("%s cannot be read", path);
		return 0;
	}
	return strtoull(text, NULL, 10);
}

static void reader(void)
{
	/* In the order in which they must be read: each is at most the next. */
	static const char * const names[] = { "successful", "attempted", "idles" };
	static uint64_t last[MAX_CPUS][ARRAY_SIZE(names)];
	glob_t files;

	if (glob("/sys/kernel/debug/halt_poll/*/*", 0, NULL, &files))
		files.gl_pathc = 0;
	while (time_left()) {
		unsigned int cpu = below(n_cpus);
		uint64_t value, before = 0;
		char buf[4096];

		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			value = counter(cpu, names[i]);
			if (value < last[cpu][i])
				fault("CPU %u: %s went back from %" PRIu64 " to %" PRIu64,
				      cpu, names[i], last[cpu][i], value);
			if (value < before)
				fault("CPU %u: %s is %" PRIu64 ", %s is %" PRIu64, cpu,
				      names[i], value, names[i - 1], before);
			last[cpu][i] = before = value;
		}
		if (counter(cpu, "window_ns") > 1000000000)
			fault("CPU %u: its window is longer than a second", cpu);
		if (files.gl_pathc)
			get(files.gl_pathv[below(files.gl_pathc)], buf, sizeof(buf));
		me->done++;
		nap_us(below(20000));
	}
}

static const struct worker {
	const char *name;
	void (*run)(void);
	unsigned int n;
} workers[] = {
	{ "scribble", scribble, 3 },
	{ "hotplug", hotplug, 1 },
	{ "sleeper", sleeper, 3 },
	{ "realtime", realtime, 1 },
	{ "burner", burner, 1 },
	{ "ping", ping, 2 },
	{ "hackbench", hackbench, 1 },
	{ "tracer", tracer, 1 },
	{ "cpuidle", cpuidle, 1 },
	{ "latency", latency, 1 },
	{ "reader", reader, 1 },
	{ "mover", mover, 1 },
};

static void start(const struct worker *worker, uint64_t seed)
{
	struct account *account = &accounts[n_accounts++];
	pid_t pid;

	snprintf(account->name, sizeof(account->name), "%s", worker->name);
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		me = account;
		random_state = (seed << 8) + n_accounts;
		worker->run();
		_exit(0);
	}
	account->pid = pid;
}

/* Wait for all, and a minute longer than they should take. */
static unsigned int finish(void)
{
	unsigned int left = n_accounts, bad = 0;
	int status;
	pid_t pid;

	while (left && now_ns() < deadline_ns + 60 * NSEC_PER_SEC) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid <= 0) {
			nap_us(50000);
			continue;
		}
		left--;
		for (unsigned int i = 0; i < n_accounts; i++) {
			struct account *account = &accounts[i];

			if (account->pid != pid)
				continue;
			account->pid = 0;
			printf("# %s: %" PRIu64 " times, %" PRIu64 " refused\n", account->name,
			       account->done, account->refused);
			if (status)
				printf("# %s: ended with status %#x\n", account->name, status);
			bad += status || account->faults || !account->done;
		}
	}
	for (unsigned int i = 0; i < n_accounts; i++)
		if (accounts[i].pid) {
			printf("# %s hangs\n", accounts[i].name);
			kill(accounts[i].pid, SIGKILL);
			bad++;
		}
	return bad;
}

int main(int argc, char **argv)
{
	uint64_t seed, seconds;

	if (argc != 3)
		errx(2, "usage: torture SEED SECONDS");
	seed = strtoull(argv[1], NULL, 10);
	seconds = strtoull(argv[2], NULL, 10);
	n_cpus = sysconf(_SC_NPROCESSORS_CONF);
	if (!seconds || !n_cpus || n_cpus > MAX_CPUS)
		errx(2, "seconds from 1, CPUs from 1 to %d", MAX_CPUS);
	accounts = mmap(NULL, MAX_WORKERS * sizeof(*accounts), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (accounts == MAP_FAILED)
		err(2, "mmap");

	deadline_ns = now_ns() + seconds * NSEC_PER_SEC;
	for (size_t i = 0; i < ARRAY_SIZE(workers); i++)
		for (unsigned int n = workers[i].n; n; n--)
			start(&workers[i], seed);
	return finish() ? 1 : 0;
}
