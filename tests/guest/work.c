// SPDX-License-Identifier: GPL-2.0-only
/*
 * work - the loads that polling is for, each with the proof of what happened
 *
 * Two processes, one per CPU, take turns, or more in a ring; or one sleeps, or
 * asks a server. Every turn is timed.
 * Or another program does so, and says what it found.
 * One line of tab-separated figures: time per round trip, and beside it what
 * the kernel counted meanwhile (wake IPIs, polls, hits, timers, halts), so that
 * a figure cannot be taken for another setting's.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <err.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000ULL
#define CPU_DIR		"/sys/devices/system/cpu"

/* What the kernel counted, summed over all CPUs. */
enum { C_RES, C_CAL, C_ATTEMPTED, C_SUCCESSFUL, C_SUCCESS_NS, C_FAIL_NS,
       C_HALTS, C_TIMERS, C_HP_NR, C_POLL_STATE = C_HP_NR, C_NR };

static const char * const counter_name[C_NR] = {
	[C_RES]		= "res",
	[C_CAL]		= "cal",
	[C_ATTEMPTED]	= "attempted",
	[C_SUCCESSFUL]	= "successful",
	[C_SUCCESS_NS]	= "success_ns",
	[C_FAIL_NS]	= "fail_ns",
	[C_HALTS]	= "halts",
	[C_TIMERS]	= "timers",
	[C_POLL_STATE]	= "poll_state",
};

struct counters {
	uint64_t v[C_NR];
	bool known[C_NR];
};

static unsigned int count_max = 20000;
static unsigned int limit_ms = 2000;
static unsigned int warmup = 200;
static int cpu_near, cpu_far = 1;
static int mark_fd = -1;

/* When this turn began: at the end of the last, or when a turn says it was due. */
static uint64_t began_ns;
/* The first turn after the warm-up: what was due before it is not late. */
static bool first_turn;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static uint64_t now_raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "pin to CPU %d", cpu);
}

static void sleep_us(unsigned int us)
{
	struct timespec ts = {
		.tv_sec = us / 1000000,
		.tv_nsec = us % 1000000 * 1000L,
	};

	if (us && nanosleep(&ts, NULL))
		err(2, "nanosleep");
}

/* A row of /proc/interrupts: "RES:   12   34   Rescheduling interrupts". */
static void read_interrupts(struct counters *c)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char *line = NULL;
	size_t size = 0;

	if (!f)
		err(2, "/proc/interrupts");
	while (getline(&line, &size, f) > 0) {
		char *p = line + strspn(line, " "), *end;
		int which;

		if (!strncmp(p, "RES:", 4))
			which = C_RES;
		else if (!strncmp(p, "CAL:", 4))
			which = C_CAL;
		else
			continue;
		c->known[which] = true;
		for (p += 4;; p = end) {
			uint64_t n = strtoull(p, &end, 10);

			if (end == p)
				break;
			c->v[which] += n;
		}
	}
	free(line);
	fclose(f);
}

static void add_file(struct counters *c, int which, const char *cpu, const char *name)
{
	char path[512];
	uint64_t n;
	FILE *f;

	snprintf(path, sizeof(path), CPU_DIR "/%s/%s", cpu, name);
	f = fopen(path, "r");
	if (!f)
		return;
	if (fscanf(f, "%" SCNu64, &n) != 1)
		errx(2, "%s: no number", path);
	c->v[which] += n;
	c->known[which] = true;
	fclose(f);
}

/* Of all CPUs: halt_poll's counters, and uses of cpuidle's polling state. */
static void read_cpus(struct counters *c)
{
	DIR *dir = opendir(CPU_DIR);
	struct dirent *de;

	if (!dir)
		err(2, CPU_DIR);
	while ((de = readdir(dir))) {
		if (strncmp(de->d_name, "cpu", 3))
			continue;
		for (int i = C_ATTEMPTED; i < C_HP_NR; i++) {
			char name[32];

			snprintf(name, sizeof(name), "halt_poll/%s", counter_name[i]);
			add_file(c, i, de->d_name, name);
		}
		add_file(c, C_POLL_STATE, de->d_name, "cpuidle/state0/usage");
	}
	closedir(dir);
}

static void read_counters(struct counters *c)
{
	memset(c, 0, sizeof(*c));
	read_interrupts(c);
	read_cpus(c);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void print_header(void)
{
	printf("work\tn\tmean_ns\tmedian_ns\tp99_ns\tp999_ns");
	for (int i = 0; i < C_NR; i++)
		printf("\t%s", counter_name[i]);
	printf("\n");
}

/* Tell whoever meters us from outside. */
static void mark(const char *line)
{
	if (mark_fd >= 0 && write(mark_fd, line, strlen(line)) < 0)
		err(2, "mark");
}

static void print_counters(const struct counters *before,
			   const struct counters *after)
{
	for (int i = 0; i < C_NR; i++) {
		if (after->known[i])
			printf("\t%" PRIu64, after->v[i] - before->v[i]);
		else
			printf("\t-");
	}
	printf("\n");
}

/*
 * Warm up, then time turns one by one until there are enough or time is up.
 * A turn returns false where the other side is gone.
 */
static int measure(const char *name, bool (*turn)(void *), void *arg)
{
	uint64_t *sample = calloc(count_max, sizeof(*sample));
	struct counters before, after;
	uint64_t start, last, sum = 0;
	unsigned int n = 0;

	if (!sample)
		err(2, "calloc");
	/* Touch the pages now, not in the timed part. */
	memset(sample, 1, count_max * sizeof(*sample));

	for (unsigned int i = 0; i < warmup; i++)
		if (!turn(arg))
			errx(2, "%s: the other side is gone", name);

	read_counters(&before);
	mark("begin\n");
	start = last = now_ns();
	first_turn = true;
	while (n < count_max && last - start < limit_ms * 1000000ULL) {
		began_ns = last;
		if (!turn(arg))
			errx(2, "%s: the other side is gone", name);
		first_turn = false;
		last = now_ns();
		sample[n] = last - began_ns;
		sum += sample[n++];
	}
	mark("end\n");
	read_counters(&after);

	qsort(sample, n, sizeof(*sample), compare_u64);
	printf("%s\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, name, n,
	       sum / n, sample[n / 2],
	       sample[(uint64_t)n * 99 / 100], sample[(uint64_t)n * 999 / 1000]);
	print_counters(&before, &after);
	free(sample);
	return 0;
}

/* A process that runs fn on a CPU, and is gone when we are. */
static pid_t start_on(int cpu, void (*fn)(void *), void *arg)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pin(cpu);
		fn(arg);
		_exit(0);
	}
	return pid;
}

/* The other side, on its own CPU until near() closes its end. */
static pid_t start_far(void (*far)(void *), void *arg)
{
	pid_t pid = start_on(cpu_far, far, arg);

	pin(cpu_near);
	return pid;
}

static void end_far(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	if (status)
		errx(2, "the other side failed, status %#x", status);
}

/* Ping-pong over a pair of descriptors: pipes, or one socket twice. */
struct pair {
	int near_in, near_out, far_in, far_out;
	unsigned int near_us, far_us;
	/* Turns between two sleeps of the near side; 0 is 1. */
	unsigned int burst, turns;
};

static bool pair_turn(void *arg)
{
	struct pair *p = arg;
	char c = 0;

	if (!p->burst || p->turns++ % p->burst == 0)
		sleep_us(p->near_us);
	return write(p->near_out, &c, 1) == 1 && read(p->near_in, &c, 1) == 1;
}

static void pair_far(void *arg)
{
	struct pair *p = arg;
	char c;

	/* The near side's ends, or its close would never be seen. */
	close(p->near_in);
	if (p->near_out != p->near_in)
		close(p->near_out);
	while (read(p->far_in, &c, 1) == 1) {
		sleep_us(p->far_us);
		if (write(p->far_out, &c, 1) != 1)
			break;
	}
}

static void make_pipes(struct pair *p)
{
	int there[2], back[2];

	if (pipe(there) || pipe(back))
		err(2, "pipe");
	p->near_out = there[1];
	p->far_in = there[0];
	p->near_in = back[0];
	p->far_out = back[1];
}

static void make_tcp(struct pair *p)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(addr);
	int one = 1, listener, near, far;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	near = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || near < 0 ||
	    bind(listener, (struct sockaddr *)&addr, len) ||
	    listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&addr, &len) ||
	    connect(near, (struct sockaddr *)&addr, len))
		err(2, "TCP over loopback");
	far = accept(listener, NULL, NULL);
	if (far < 0 ||
	    setsockopt(near, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	    setsockopt(far, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		err(2, "TCP over loopback");
	close(listener);
	p->near_in = p->near_out = near;
	p->far_in = p->far_out = far;
}

static pid_t start_pair(struct pair *p)
{
	pid_t pid = start_far(pair_far, p);

	close(p->far_in);
	if (p->far_out != p->far_in)
		close(p->far_out);
	return pid;
}

static void end_pair(struct pair *p, pid_t pid)
{
	close(p->near_out);
	if (p->near_in != p->near_out)
		close(p->near_in);
	end_far(pid);
}

static int run_pair(const char *name, struct pair *p)
{
	pid_t pid = start_pair(p);

	measure(name, pair_turn, p);
	end_pair(p, pid);
	return 0;
}

static int run_pipe(char **argv)
{
	struct pair p = {};

	(void)argv;
	make_pipes(&p);
	return run_pair("pipe", &p);
}

static int run_tcp(char **argv)
{
	struct pair p = {};

	(void)argv;
	make_tcp(&p);
	return run_pair("tcp", &p);
}

static unsigned int number(const char *s)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || n > 1000000000)
		errx(2, "%s: not a number from 0 to 1000000000", s);
	return n;
}

static int run_tcp_sleep(char **argv)
{
	struct pair p = {
		.near_us = number(argv[0]),
		.far_us = number(argv[1]),
	};
	char name[64];

	snprintf(name, sizeof(name), "tcp-sleep-%u-%u", p.near_us, p.far_us);
	make_tcp(&p);
	return run_pair(name, &p);
}

static int run_pipe_burst(char **argv)
{
	struct pair p = {
		.burst = number(argv[0]),
		.near_us = number(argv[1]),
	};

	make_pipes(&p);
	return run_pair("pipe-burst", &p);
}

/* Two futex words in shared memory; each side waits on its own. */
struct futexes {
	uint32_t near, far;
	bool stop;
};

static void futex_wake(uint32_t *word)
{
	__atomic_store_n(word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void futex_wait(uint32_t *word)
{
	while (!__atomic_exchange_n(word, 0, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static bool futex_turn(void *arg)
{
	struct futexes *f = arg;

	futex_wake(&f->far);
	futex_wait(&f->near);
	return true;
}

static void futex_far(void *arg)
{
	struct futexes *f = arg;

	for (;;) {
		futex_wait(&f->far);
		if (__atomic_load_n(&f->stop, __ATOMIC_ACQUIRE))
			return;
		futex_wake(&f->near);
	}
}

static int run_futex(char **argv)
{
	struct futexes *f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	(void)argv;
	if (f == MAP_FAILED)
		err(2, "mmap");
	pid = start_far(futex_far, f);
	measure("futex", futex_turn, f);
	__atomic_store_n(&f->stop, true, __ATOMIC_RELEASE);
	futex_wake(&f->far);
	end_far(pid);
	return 0;
}

/*
 * A ring of processes, every second one on the other CPU: a turn is once around,
 * so many context switches. We are the first of them.
 */
#define RING_MAX	64

struct ring {
	unsigned int n, self;
	int fds[RING_MAX][2];		/* each reads from its own pipe */
	struct futexes *words;		/* or waits on its own futex */
};

static struct ring *make_ring(const char *length)
{
	struct ring *r = calloc(1, sizeof(*r));

	if (!r)
		err(2, "calloc");
	r->n = number(length);
	if (r->n < 2 || r->n > RING_MAX)
		errx(2, "a ring has 2 to %d processes", RING_MAX);
	return r;
}

static void start_ring(struct ring *r, void (*member)(void *), pid_t *pids)
{
	for (unsigned int i = 1; i < r->n; i++) {
		r->self = i;
		pids[i] = start_on(i % 2 ? cpu_far : cpu_near, member, r);
	}
	r->self = 0;
	pin(cpu_near);
}

static void end_ring(const struct ring *r, const pid_t *pids)
{
	for (unsigned int i = 1; i < r->n; i++)
		end_far(pids[i]);
}

/* Of all the pipes, keep what self reads and what the next one reads. */
static void keep_pipes(const struct ring *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		if (i != r->self)
			close(r->fds[i][0]);
		if (i != (r->self + 1) % r->n)
			close(r->fds[i][1]);
	}
}

static void pipe_member(void *arg)
{
	struct ring *r = arg;
	char c;

	keep_pipes(r);
	while (read(r->fds[r->self][0], &c, 1) == 1)
		if (write(r->fds[(r->self + 1) % r->n][1], &c, 1) != 1)
			break;
}

static bool pipe_ring_turn(void *arg)
{
	struct ring *r = arg;
	char c = 0;

	return write(r->fds[1][1], &c, 1) == 1 && read(r->fds[0][0], &c, 1) == 1;
}

static int run_pipe_ring(char **argv)
{
	struct ring *r = make_ring(argv[0]);
	pid_t pids[RING_MAX];
	char name[32];

	for (unsigned int i = 0; i < r->n; i++)
		if (pipe(r->fds[i]))
			err(2, "pipe");
	start_ring(r, pipe_member, pids);
	keep_pipes(r);
	snprintf(name, sizeof(name), "pipe-%u", r->n);
	measure(name, pipe_ring_turn, r);
	close(r->fds[1][1]);
	end_ring(r, pids);
	return 0;
}

static void futex_member(void *arg)
{
	struct ring *r = arg;
	bool stop;

	do {
		futex_wait(&r->words[r->self].near);
		/* While it is our turn: after that it may be set, for the next round. */
		stop = __atomic_load_n(&r->words->stop, __ATOMIC_ACQUIRE);
		futex_wake(&r->words[(r->self + 1) % r->n].near);
	} while (!stop);
}

static bool futex_ring_turn(void *arg)
{
	struct ring *r = arg;

	futex_wake(&r->words[1].near);
	futex_wait(&r->words[0].near);
	return true;
}

static int run_futex_ring(char **argv)
{
	struct ring *r = make_ring(argv[0]);
	pid_t pids[RING_MAX];
	char name[32];

	r->words = mmap(NULL, r->n * sizeof(*r->words), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r->words == MAP_FAILED)
		err(2, "mmap");
	start_ring(r, futex_member, pids);
	snprintf(name, sizeof(name), "futex-%u", r->n);
	measure(name, futex_ring_turn, r);
	__atomic_store_n(&r->words->stop, true, __ATOMIC_RELEASE);
	futex_ring_turn(r);
	end_ring(r, pids);
	return 0;
}

/*
 * Requests at a fixed rate to a server on the other CPU. A request's time starts
 * when it was due, whether or not the one before it has been answered: a server
 * that is late is late for all that it keeps waiting.
 */
struct request {
	const char *server, *port;
	int fd;
	uint64_t interval_ns, due_ns;
};

static void request_server(void *arg)
{
	struct request *r = arg;

	execlp(r->server, r->server, r->port, NULL);
	err(127, "%s", r->server);
}

static int connect_to(const char *port)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(number(port)),
	};
	int one = 1, fd;

	for (int tries = 0; tries < 300; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (fd < 0)
			err(2, "socket");
		if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr))) {
			if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
				err(2, "TCP_NODELAY");
			return fd;
		}
		close(fd);
		sleep_us(100000);
	}
	errx(2, "nobody listens to port %s", port);
}

/* Redis and memcached both understand it; the key is not there: one line. */
static bool ask(int fd)
{
	static const char text[] = "get k\r\n";
	char answer[256];
	ssize_t n;

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return false;
	do {
		n = read(fd, answer, sizeof(answer));
		if (n <= 0)
			return false;
	} while (answer[n - 1] != '\n');
	return true;
}

static bool request_turn(void *arg)
{
	struct request *r = arg;
	struct timespec due;

	if (first_turn || !r->due_ns)
		r->due_ns = now_ns();
	r->due_ns += r->interval_ns;
	due.tv_sec = r->due_ns / NSEC_PER_SEC;
	due.tv_nsec = r->due_ns % NSEC_PER_SEC;
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	if (errno)
		err(2, "clock_nanosleep");
	began_ns = r->due_ns;
	return ask(r->fd);
}

static int run_request(char **argv)
{
	unsigned int rate = number(argv[3]);
	struct request r = { .server = argv[1], .port = argv[2] };
	int status;
	pid_t pid;

	if (!rate)
		errx(2, "the rate must be 1 a second or more");
	r.interval_ns = NSEC_PER_SEC / rate;
	pid = start_far(request_server, &r);
	r.fd = connect_to(r.port);
	measure(argv[0], request_turn, &r);
	close(r.fd);
	kill(pid, SIGTERM);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return 0;
}

static unsigned int early;

static bool nanosleep_turn(void *arg)
{
	unsigned int us = *(unsigned int *)arg;
	uint64_t start = now_ns();

	sleep_us(us);
	if (now_ns() - start < us * 1000ULL)
		early++;
	return true;
}

static int run_nanosleep(char **argv)
{
	unsigned int us = number(argv[0]), slack_ns = number(argv[1]);
	char name[64];

	/* 0 would ask for the default. */
	if (!slack_ns)
		errx(2, "the slack must be 1 ns or more");
	if (prctl(PR_SET_TIMERSLACK, slack_ns))
		err(2, "timer slack");
	pin(cpu_near);
	snprintf(name, sizeof(name), "nanosleep-%u-%u", us, slack_ns);
	measure(name, nanosleep_turn, &us);
	if (early)
		errx(1, "%u sleeps returned early", early);
	return 0;
}

/* A control that polling cannot help: about half a millisecond a turn. */
static bool cpu_turn(void *arg)
{
	volatile unsigned int *sink = arg;

	for (unsigned int i = 0; i < 100000; i++)
		*sink += i;
	return true;
}

static int run_cpu(char **argv)
{
	unsigned int sink = 0;

	(void)argv;
	pin(cpu_near);
	return measure("cpu", cpu_turn, &sink);
}

/* A guest with nothing to do: what it costs is seen from outside. */
static bool idle_turn(void *arg)
{
	(void)arg;
	sleep_us(limit_ms * 1000);
	return true;
}

static int run_idle(char **argv)
{
	(void)argv;
	warmup = 0;
	return measure("idle", idle_turn, NULL);
}

/*
 * Another program's figures: the last line that it prints is the number of
 * turns, mean, median, 99th and 99.9th percentile in ns. WORK_MS tells it how
 * long to take. A program that has no business here says so by its status.
 */
#define NOT_HERE	77

static int run_command(char **argv)
{
	struct counters before, after;
	uint64_t v[5] = {};
	char line[256], ms[16];
	int out[2], status, found = 0;
	FILE *f;
	pid_t pid;

	snprintf(ms, sizeof(ms), "%u", limit_ms);
	if (setenv("WORK_MS", ms, 1) || pipe(out))
		err(2, "command");
	read_counters(&before);
	mark("begin\n");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	close(out[1]);
	f = fdopen(out[0], "r");
	if (!f)
		err(2, "fdopen");
	while (fgets(line, sizeof(line), f))
		found = sscanf(line, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64,
			       &v[0], &v[1], &v[2], &v[3], &v[4]);
	fclose(f);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	mark("end\n");
	read_counters(&after);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE)
		return NOT_HERE;
	if (status || found != 5 || !v[0])
		errx(2, "%s: no figures, status %#x", argv[1], status);

	printf("%s", argv[0]);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		printf("\t%" PRIu64, v[i]);
	print_counters(&before, &after);
	return 0;
}

/* The longest window of all CPUs; -1 = there is none. */
static int64_t window_ns(void)
{
	int64_t longest = -1, ns;

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		char path[64];
		FILE *f;

		snprintf(path, sizeof(path), CPU_DIR "/cpu%d/halt_poll/window_ns", cpu);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%" SCNd64, &ns) == 1 && ns > longest)
			longest = ns;
		fclose(f);
	}
	return longest;
}

/*
 * What the kernel counts, over time: a line every so often, with what has been
 * added since the last one.
 */
static int run_watch(char **argv)
{
	unsigned int every_ms = number(argv[1]);
	struct counters before, after;
	uint64_t start = now_ns();
	int64_t window;

	if (!every_ms)
		errx(2, "a line every 1 ms or more");
	printf("round\tarm\tms\twindow_ns");
	for (int i = 0; i < C_NR; i++)
		printf("\t%s", counter_name[i]);
	printf("\n");
	read_counters(&before);
	mark("begin\n");
	while (now_ns() - start < limit_ms * 1000000ULL) {
		sleep_us(every_ms * 1000);
		read_counters(&after);
		window = window_ns();
		mark("end\n");
		printf("1\t%s\t%" PRIu64 "\t", argv[0], (now_ns() - start) / 1000000);
		if (window < 0)
			printf("-");
		else
			printf("%" PRId64, window);
		print_counters(&before, &after);
		fflush(stdout);
		mark("begin\n");
		before = after;
	}
	return 0;
}

/* Idle time of all CPUs as /proc/stat has it, in ns. */
static uint64_t stat_idle_ns(void)
{
	uint64_t user, nice, system, idle, iowait;
	FILE *f = fopen("/proc/stat", "r");

	if (!f || fscanf(f, "cpu %" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
			 "%" SCNu64, &user, &nice, &system, &idle, &iowait) != 5)
		err(2, "/proc/stat");
	fclose(f);
	return (idle + iowait) * (NSEC_PER_SEC / sysconf(_SC_CLK_TCK));
}

static uint64_t rusage_ns(int who)
{
	struct rusage ru;

	if (getrusage(who, &ru))
		err(2, "getrusage");
	return (ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * NSEC_PER_SEC +
	       (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1000ULL;
}

/*
 * Idle time as accounted plus the exact time of the tasks, over wall time of
 * all CPUs: what is missing from 1 is interrupts and the way out of idle, so
 * much a wake-up. The near side sleeps between turns, for a number of wake-ups
 * that hardly depends on how fast they are. A poll outside the accounted
 * section would lose its time here.
 */
static int run_account(char **argv)
{
	uint64_t start, idle, task, wall;
	struct pair p = { .near_us = 100 };
	double cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t pid;

	(void)argv;
	make_pipes(&p);
	start = now_ns();
	idle = stat_idle_ns();
	task = rusage_ns(RUSAGE_SELF) + rusage_ns(RUSAGE_CHILDREN);
	pid = start_pair(&p);
	while (now_ns() - start < limit_ms * 1000000ULL)
		if (!pair_turn(&p))
			errx(2, "account: the other side is gone");
	end_pair(&p, pid);
	task = rusage_ns(RUSAGE_SELF) + rusage_ns(RUSAGE_CHILDREN) - task;
	idle = stat_idle_ns() - idle;
	wall = now_ns() - start;

	printf("account\t%.3f\tidle\t%.3f\ttasks\t%.3f\twall_ms\t%" PRIu64 "\n",
	       (idle + task) / (wall * cpus), idle / (wall * cpus),
	       task / (wall * cpus), wall / 1000000);
	return 0;
}

/* The rate of the time stamp counter, for a guest that cannot measure it. */
static int run_tsc_khz(char **argv)
{
	uint64_t best_ns = UINT64_MAX, khz = 0;

	(void)argv;
	for (int i = 0; i < 5; i++) {
		uint64_t ns[2], tsc[2], width = 0;

		/* The narrowest of a few readings was not interrupted. */
		for (int end = 0; end < 2; end++) {
			uint64_t least = UINT64_MAX;

			for (int try = 0; try < 50; try++) {
				uint64_t a = now_raw_ns(), t = __rdtsc();
				uint64_t b = now_raw_ns();

				if (b - a >= least)
					continue;
				least = b - a;
				ns[end] = a + least / 2;
				tsc[end] = t;
			}
			width += least;
			if (!end)
				usleep(20000);
		}
		if (width >= best_ns)
			continue;
		best_ns = width;
		khz = (tsc[1] - tsc[0]) * 1000000 / (ns[1] - ns[0]);
	}
	printf("%" PRIu64 "\n", khz);
	return 0;
}

#define AT_LEAST(n)	(-(n))

static const struct {
	const char *name;
	int nargs;
	int (*run)(char **argv);
	const char *help;
} works[] = {
	{ "pipe",	0, run_pipe,	  "ping-pong over two pipes" },
	{ "futex",	0, run_futex,	  "ping-pong over two futexes" },
	{ "pipe-ring",	1, run_pipe_ring, "N: once around N processes, over pipes" },
	{ "futex-ring",	1, run_futex_ring, "N: once around N processes, over futexes" },
	{ "pipe-burst",	2, run_pipe_burst, "TURNS US: ping-pong, with a sleep after every so many turns" },
	{ "tcp",	0, run_tcp,	  "ping-pong over loopback TCP" },
	{ "tcp-sleep",	2, run_tcp_sleep, "CLIENT_US SERVER_US: each side sleeps before it writes" },
	{ "nanosleep",	2, run_nanosleep, "US SLACK_NS: sleep after sleep" },
	{ "request",	4, run_request,	  "NAME SERVER PORT RATE: requests a second to SERVER PORT" },
	{ "cpu",	0, run_cpu,	  "count: a control that polling cannot help" },
	{ "idle",	0, run_idle,	  "sleep all the time" },
	{ "command",	AT_LEAST(2), run_command,	  "NAME PROGRAM...: what PROGRAM says of its own turns" },
	{ "watch",	2, run_watch,	  "ARM MS: what the kernel counts, a line every MS" },
	{ "tsc-khz",	0, run_tsc_khz,	  "rate of the time stamp counter" },
	{ "account",	0, run_account,	  "idle plus task time over wall time" },
};

static void usage(void)
{
	fprintf(stderr,
		"usage: work [-n TURNS] [-t MS] [-w WARMUP] [-c NEAR,FAR] [-m FD] NAME [ARGUMENT]...\n"
		"       work header\n");
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		fprintf(stderr, "  %-10s %s\n", works[i].name, works[i].help);
	exit(2);
}

int main(int argc, char **argv)
{
	int opt;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		cpu_far = 0;
	while ((opt = getopt(argc, argv, "+n:t:w:c:m:")) != -1) {
		switch (opt) {
		case 'n':
			count_max = number(optarg);
			break;
		case 't':
			limit_ms = number(optarg);
			break;
		case 'w':
			warmup = number(optarg);
			break;
		case 'c':
			if (sscanf(optarg, "%d,%d", &cpu_near, &cpu_far) != 2)
				usage();
			break;
		case 'm':
			mark_fd = number(optarg);
			break;
		default:
			usage();
		}
	}
	argc -= optind;
	argv += optind;
	if (!argc || !count_max || !limit_ms)
		usage();
	if (!strcmp(argv[0], "header")) {
		print_header();
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		if (!strcmp(argv[0], works[i].name) &&
		    (works[i].nargs < 0 ? argc - 1 >= -works[i].nargs :
					  argc - 1 == works[i].nargs))
			return works[i].run(argv + 1);
	usage();
}
