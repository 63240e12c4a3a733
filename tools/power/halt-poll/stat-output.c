// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file that is there with all that is in it, or as it was before
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stat.h"

/* Where it is written before it gets its name. */
static char temporary[PATH_SIZE];

static void __attribute__((noreturn)) give_up(const char *name)
{
	int error = errno;

	if (*temporary)
		unlink(temporary);
	die(STATUS_FAILED, "%s: %s", name, strerror(error));
}

/**
 * output_open() - begin to write a file
 * @name: its name; %NULL = the standard output
 *
 * Return: where to write.
 */
FILE *output_open(const char *name)
{
	const char *slash;
	mode_t mask;
	FILE *out;
	int fd;

	if (!name)
		return stdout;

	/* In the same folder, so that it can be renamed, and hidden meanwhile. */
	slash = strrchr(name, '/');
	slash = slash ? slash + 1 : name;
	if (snprintf(temporary, sizeof(temporary), "%.*s.%s.XXXXXX", (int)(slash - name),
		     name, slash) >= (int)sizeof(temporary))
		die(STATUS_FAILED, "%s: %s", name, strerror(ENAMETOOLONG));
	fd = mkstemp(temporary);
	if (fd < 0) {
		*temporary = '\0';
		give_up(name);
	}

	mask = umask(0);
	umask(mask);
	out = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (!out)
		give_up(name);
	return out;
}

/**
 * output_close() - have the file appear
 * @out: from output_open()
 * @name: as there
 *
 * Does not return if anything of it could not be written.
 */
void output_close(FILE *out, const char *name)
{
	if (!name) {
		if (fflush(out) || ferror(out))
			die(STATUS_FAILED, "standard output: %s", strerror(errno));
		return;
	}
	if (fflush(out) || ferror(out) || fsync(fileno(out)) || fclose(out) ||
	    rename(temporary, name))
		give_up(name);
	*temporary = '\0';
}
