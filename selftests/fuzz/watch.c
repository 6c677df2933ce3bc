// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../uapi/doca_uapi.h"
#include "watch.h"

#define SETTLE_TRIES 6000 /* 5 ms each, or more */

static int log_fd;
static regex_t complaint;
static struct pins pins;

static int read_patterns(const char *path)
{
	char all[4096] = "", line[256];
	FILE *f = fopen(path, "r");

	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!line[0] || line[0] == '#')
			continue;
		if (all[0])
			strncat(all, "|", sizeof(all) - strlen(all) - 1);
		strncat(all, line, sizeof(all) - strlen(all) - 1);
	}
	fclose(f);
	return regcomp(&complaint, all, REG_EXTENDED | REG_NOSUB) ? -EINVAL : 0;
}

int watch_init(const char *patterns)
{
	log_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log_fd < 0 || lseek(log_fd, 0, SEEK_END) < 0)
		return -errno;
	pins = pins_read();
	return read_patterns(patterns);
}

/* One read gives one line; EPIPE means that some were lost. */
const char *watch_complaint(void)
{
	static char line[8192];
	ssize_t n;

	for (;;) {
		n = read(log_fd, line, sizeof(line) - 1);
		if (n < 0 && errno != EPIPE)
			return NULL;
		line[n < 0 ? 0 : n] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (!regexec(&complaint, line, 0, NULL, 0))
			return line;
	}
}

/* Some objects are freed later, by other threads. */
const char *watch_remains(void)
{
	int tries = SETTLE_TRIES;

	if (proc_value("/proc/modules", "doca") < 0)
		return "the module is gone";
	do {
		FILE *f = fopen("/sys/module/doca/refcnt", "r");
		int users = -1;

		if (f && fscanf(f, "%d", &users) != 1)
			users = -1;
		if (f)
			fclose(f);
		if (!users && pins_read().pages == pins.pages)
			return NULL;
		pause_us(5000);
	} while (--tries);
	return "pages are pinned, or the module is in use";
}
