// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files, numbers, the clock and the terminal
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "stat.h"

/* Of the descriptors that are not for files that stay open. */
#define SPARE_FILES	8

static unsigned int files_kept;

/* What comes before /sys and /proc; for tests. */
const char *stat_root = "";

/**
 * say() - a message to the standard error
 * @format: as for printf(), without a newline
 */
void say(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("halt-poll-stat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/**
 * die() - a message to the standard error, and exit
 * @status: the exit status
 * @format: as for printf(), without a newline
 */
void die(int status, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("halt-poll-stat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (status == STATUS_USAGE)
		fputs("Try halt-poll-stat --help.\n", stderr);
	exit(status);
}

/**
 * make_path() - the name of a file below the root
 * @path: where to put it
 * @size: the room there
 * @format: as for printf(), from the leading slash on
 */
void make_path(char *path, size_t size, const char *format, ...)
{
	int used = snprintf(path, size, "%s", stat_root), more = 0;
	va_list args;

	if (used >= 0 && (size_t)used < size) {
		va_start(args, format);
		more = vsnprintf(path + used, size - used, format, args);
		va_end(args);
	}
	if (used < 0 || more < 0 || (size_t)used + more >= size)
		die(STATUS_FAILED, "a file name below %.40s... is too long", stat_root);
}

/* Without white space at the end, and with a NUL there. */
static void trim(char *text, size_t length)
{
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
}

/**
 * read_file() - read a short file
 * @path: its name
 * @text: where to put what is in it, without white space at the end
 * @size: the room there
 *
 * Return: 0, or the negative error number.
 */
int read_file(const char *path, char *text, size_t size)
{
	struct kept_file file = { };
	int error = read_and_keep(&file, path, text, size);

	close_kept(&file);
	return error;
}

/* Others need descriptors, too; what finds no room is opened each time. */
static bool room_to_keep(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 > files_kept + SPARE_FILES;
}

/**
 * read_and_keep() - read a short file that will be read again
 * @file: where to remember it; not kept so far
 * @path: its name
 * @text: where to put what is in it, without white space at the end
 * @size: the room there
 *
 * Return: 0, or the negative error number.
 */
int read_and_keep(struct kept_file *file, const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;
	int error;

	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	error = errno;
	/* 0 means none, and is what we get where there is no standard input. */
	if (got >= 0 && fd && room_to_keep()) {
		file->fd = fd;
		files_kept++;
	} else {
		close(fd);
	}
	if (got < 0)
		return -error;
	trim(text, got);
	return 0;
}

/**
 * read_kept() - read a file again
 * @file: from read_and_keep()
 * @text: where to put what is in it, without white space at the end
 * @size: the room there
 *
 * The kernel makes the text anew for whoever reads from the start. A file that
 * has gone, with its CPU, gives an error even if there is another of its name.
 *
 * Return: whether it was kept and still is.
 */
bool read_kept(struct kept_file *file, char *text, size_t size)
{
	ssize_t got;

	if (!file->fd)
		return false;
	got = pread(file->fd, text, size - 1, 0);
	if (got < 0) {
		close_kept(file);
		return false;
	}
	trim(text, got);
	return true;
}

/**
 * close_kept() - keep a file no longer
 * @file: from read_and_keep(), or all zero
 */
void close_kept(struct kept_file *file)
{
	if (!file->fd)
		return;
	close(file->fd);
	file->fd = 0;
	files_kept--;
}

/**
 * write_file() - write to a file of the kernel
 * @path: its name
 * @text: what to write, in one piece
 *
 * Return: 0, or the negative error number.
 */
int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		error = -errno;
	close(fd);
	return error;
}

/**
 * parse_u64() - a whole number and nothing else
 * @text: the number
 * @value: where to put it
 *
 * Return: whether it is one.
 */
bool parse_u64(const char *text, u64 *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !*end && !errno;
}

/**
 * parse_seconds() - a time in seconds, which may have a fraction
 * @option: whose argument it is
 * @text: the argument
 *
 * Return: the time in ns. Does not return if it is none.
 */
u64 parse_seconds(const char *option, const char *text)
{
	double seconds;
	char *end;

	errno = 0;
	seconds = strtod(text, &end);
	if ((!isdigit((unsigned char)*text) && *text != '.') || *end || errno ||
	    !(seconds >= 0.001 && seconds <= 1e6))
		die(STATUS_USAGE, "%s takes seconds, from 0.001 to 1000000, not \"%s\"",
		    option, text);
	return llround(seconds * NSEC_PER_SEC);
}

/**
 * now_ns() - the time
 *
 * Return: the monotonic clock, in ns.
 */
u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/**
 * show_ns() - a time for a person to read
 * @ns: the time
 *
 * Return: three or four digits and a unit. Four results are good at a time.
 */
const char *show_ns(u64 ns)
{
	static char texts[4][24];
	static unsigned int next;
	char *text = texts[next++ % 4];

	if (!ns)
		snprintf(text, sizeof(*texts), "0");
	else if (ns < 10000)
		snprintf(text, sizeof(*texts), "%lluns", ns);
	else if (ns < 10000000)
		snprintf(text, sizeof(*texts), "%lluus", (ns + 500) / 1000);
	else if (ns < 10 * NSEC_PER_SEC)
		snprintf(text, sizeof(*texts), "%llums", (ns + 500000) / 1000000);
	else
		snprintf(text, sizeof(*texts), "%.0fs", (double)ns / NSEC_PER_SEC);
	return text;
}

/**
 * terminal_width() - how wide a line may be
 * @out: where it goes
 *
 * Return: the columns of the terminal, or 0 if it is none.
 */
unsigned int terminal_width(FILE *out)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	u64 width;

	if (!isatty(fileno(out)))
		return 0;
	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	if (columns && parse_u64(columns, &width) && width && width < 10000)
		return width;
	return 80;
}
