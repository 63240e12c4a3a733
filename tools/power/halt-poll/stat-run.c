// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting, for the time or for a command, and being told to stop
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stat.h"

/* The last signal that told us to stop, or 0. */
volatile int stop_signal;

static const int stopping[] = { SIGINT, SIGTERM, SIGHUP };
static sigset_t signals_before;

static void note_signal(int signal)
{
	if (signal != SIGCHLD)
		stop_signal = signal;
}

/**
 * catch_signals() - from here on signals come only while we wait
 *
 * So none of them cuts anything in two, and none is missed.
 */
void catch_signals(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	struct sigaction before;
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	for (i = 0; i < sizeof(stopping) / sizeof(*stopping); i++)
		sigaddset(&block, stopping[i]);
	sigprocmask(SIG_BLOCK, &block, &signals_before);

	/* nohup and the like know what they do. */
	for (i = 0; i < sizeof(stopping) / sizeof(*stopping); i++) {
		sigaction(stopping[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(stopping[i], &action, NULL);
	}
	sigaction(SIGCHLD, &action, NULL);
}

/**
 * wait_until() - wait for a time, or for a signal
 * @at_ns: the time, on the monotonic clock; U64_MAX = for ever
 *
 * Even if the time has come already this is when signals come.
 *
 * Return: whether to go on, and not to stop.
 */
bool wait_until(u64 at_ns)
{
	u64 now = now_ns(), left_ns = at_ns > now ? at_ns - now : 0;
	struct timespec timeout = {
		.tv_sec		= left_ns / NSEC_PER_SEC,
		.tv_nsec	= left_ns % NSEC_PER_SEC,
	};

	ppoll(NULL, 0, at_ns == ~0ULL ? NULL : &timeout, &signals_before);
	return !stop_signal;
}

/**
 * wait_interval() - wait for the end of an interval, or for a signal
 * @next_ns: when the last one ended; is set to when this one does
 * @interval_ns: how long it is
 *
 * Return: whether to go on, and not to stop.
 */
bool wait_interval(u64 *next_ns, u64 interval_ns)
{
	u64 now = now_ns();

	/* Who is late does not make up for it. */
	*next_ns += interval_ns;
	if (*next_ns < now)
		*next_ns = now;
	return wait_until(*next_ns);
}

static void run_child(char **argv)
{
	int error;

	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &signals_before, NULL);
	execvp(argv[0], argv);
	error = errno;
	say("%s: %s", argv[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/**
 * run_command() - run a command to its end
 * @argv: the command
 *
 * Return: its exit status; 128 and the signal that killed it.
 */
int run_command(char **argv)
{
	int status, told = 0;
	pid_t child, ended;

	fflush(NULL);
	child = fork();
	if (child < 0)
		die(STATUS_FAILED, "%s: %s", argv[0], strerror(errno));
	if (!child)
		run_child(argv);

	while (!(ended = waitpid(child, &status, WNOHANG))) {
		wait_until(~0ULL);
		/* The terminal has told the command of ctrl-C already. */
		if (stop_signal && stop_signal != SIGINT && stop_signal != told)
			kill(child, stop_signal);
		told = stop_signal;
	}
	if (ended < 0)
		die(STATUS_FAILED, "%s: %s", argv[0], strerror(errno));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
