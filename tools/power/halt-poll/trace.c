// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a trace: an idle period a line, fast, and from a pipe too
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "replay.h"

/* Room for what is read at a time, and for a line that it cuts in two. */
#define CHUNK		(256 * 1024)
#define LINE_MAX_LEN	1024

/**
 * struct cursor - where the reader is
 * @name: of the file, for messages
 * @line: number of the line
 * @at: next character
 * @end: end of the line, where a newline stands
 */
struct cursor {
	const char	*name;
	u64		line;
	const char	*at;
	const char	*end;
};

static int complain(const struct cursor *cursor, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int complain(const struct cursor *cursor, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%llu: ", cursor->name, cursor->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct cursor *cursor)
{
	while (is_blank(*cursor->at))
		cursor->at++;
}

/* The word at the cursor, for a message; not more than fits on a line. */
static int word_length(const struct cursor *cursor)
{
	const char *c = cursor->at;

	while (c < cursor->end && !is_blank(*c) && c - cursor->at < 40)
		c++;
	return c - cursor->at;
}

static int complain_word(const struct cursor *cursor, const char *what)
{
	char word[48];
	int i, length = word_length(cursor);

	if (!length)
		return complain(cursor, "%s is missing", what);
	for (i = 0; i < length; i++)
		word[i] = cursor->at[i] < 32 || cursor->at[i] > 126 ? '?' : cursor->at[i];
	word[length] = '\0';
	return complain(cursor, "%s is expected, not \"%s\"", what, word);
}

/* The newline at the end of each line ends all of the loops. */
static int read_number(struct cursor *cursor, u64 *number, const char *what)
{
	const char *c = cursor->at;
	u64 value = 0;

	while ((unsigned char)(*c - '0') < 10) {
		unsigned int digit = *c++ - '0';

		if (value > (U64_MAX - digit) / 10)
			return complain(cursor, "%s is larger than 2^64", what);
		value = value * 10 + digit;
	}
	if (c == cursor->at || (!is_blank(*c) && c != cursor->end))
		return complain_word(cursor, what);

	*number = value;
	cursor->at = c;
	skip_blanks(cursor);
	return 0;
}

static bool read_word(struct cursor *cursor, const char *word, size_t length)
{
	if ((size_t)(cursor->end - cursor->at) < length ||
	    memcmp(cursor->at, word, length))
		return false;
	if (cursor->at + length != cursor->end && !is_blank(cursor->at[length]))
		return false;
	cursor->at += length;
	skip_blanks(cursor);
	return true;
}

/* Returns 1 for a period, 0 for a line without, -1 for an error. */
static int read_line(struct cursor *cursor, struct period *period)
{
	skip_blanks(cursor);
	if (cursor->at == cursor->end || *cursor->at == '#')
		return 0;

	if (read_number(cursor, &period->idle_ns, "a length in ns"))
		return -1;

	if (read_word(cursor, "-", 1))
		period->next_timer_ns = HALT_POLL_NO_TIMER;
	else if (read_number(cursor, &period->next_timer_ns,
			     "the next timer in ns or \"-\""))
		return -1;

	if (read_word(cursor, "other", 5))
		period->own_timer = false;
	else if (read_word(cursor, "timer", 5))
		period->own_timer = true;
	else
		return complain_word(cursor, "\"timer\" or \"other\"");

	if (cursor->at != cursor->end && *cursor->at != '#')
		return complain_word(cursor, "the end of the line");
	return 1;
}

/**
 * trace_read() - read a trace to its end
 * @fd: where from
 * @name: what to call it in messages
 * @feed: takes the idle periods
 * @context: for @feed
 *
 * Return: 0, or -1 after a message to stderr that says what is wrong where.
 */
int trace_read(int fd, const char *name, feed_fn *feed, void *context)
{
	static char buffer[LINE_MAX_LEN + CHUNK + 1];
	static struct period periods[BATCH];
	struct cursor cursor = { .name = name };
	size_t kept = 0, batch = 0;
	ssize_t got;

	do {
		const char *line = buffer;
		char *end;

		got = read(fd, buffer + kept, CHUNK);
		if (got < 0 && errno == EINTR) {
			got = 1;
			continue;
		}
		if (got < 0) {
			fprintf(stderr, "%s: %s\n", name, strerror(errno));
			return -1;
		}
		end = buffer + kept + got;
		/* The last line may lack its newline. */
		if (!got && kept)
			*end++ = '\n';

		while ((cursor.end = memchr(line, '\n', end - line))) {
			int ret;

			cursor.line++;
			cursor.at = line;
			ret = read_line(&cursor, &periods[batch]);
			if (ret < 0)
				return -1;
			batch += ret;
			if (batch == BATCH) {
				feed(context, periods, batch);
				batch = 0;
			}
			line = cursor.end + 1;
		}

		kept = end - line;
		if (kept >= LINE_MAX_LEN) {
			cursor.line++;
			return complain(&cursor, "the line is longer than %d characters",
					LINE_MAX_LEN - 1);
		}
		memmove(buffer, line, kept);
	} while (got);

	feed(context, periods, batch);
	return 0;
}
