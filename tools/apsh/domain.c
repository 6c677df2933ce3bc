// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Machines of libvirt, which keeps their monitors to itself: virsh asks, in a process of its own. It
 * finds libvirt as it always does (LIBVIRT_DEFAULT_URI).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail.h"
#include "qmp.h"

extern char **environ;

/* Start a program whose output is read from *from; its errors are the user's to read. */
static pid_t start(char *const argv[], FILE **from)
{
	posix_spawn_file_actions_t actions;
	int ends[2], err;
	pid_t pid = 0;

	if (pipe2(ends, O_CLOEXEC) || posix_spawn_file_actions_init(&actions))
		target_fail("cannot run %s: %s", argv[0], strerror(errno));
	err = posix_spawn_file_actions_adddup2(&actions, ends[1],
					       STDOUT_FILENO);
	if (!err)
		err = posix_spawnp(&pid, argv[0], &actions, NULL, argv,
				   environ);
	if (err)
		target_fail("cannot run %s: %s%s", argv[0], strerror(err),
			    err == ENOENT ? "; it is in libvirt-clients" : "");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*from = fdopen(ends[0], "r");
	if (!*from)
		target_fail("out of memory");
	return pid;
}

struct json_object *domain_ask(const char *domain, const char *question)
{
	struct json_object *answer = NULL;
	char *text = NULL;
	size_t room = 0;
	int status;
	FILE *from;
	pid_t pid;

	pid = start((char *[]){ "virsh", "qemu-monitor-command", "--domain",
				(char *)domain, "--cmd", (char *)question,
				NULL },
		    &from);
	if (getdelim(&text, &room, '\0', from) > 0)
		answer = json_tokener_parse(text);
	free(text);
	fclose(from);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			target_fail("virsh: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		target_fail("virsh cannot ask the monitor of %s: is the "
			    "machine on, and does 'virsh list' have it?",
			    domain);
	if (!json_object_object_get_ex(answer, "return", NULL) &&
	    !json_object_object_get_ex(answer, "error", NULL))
		target_fail("virsh has no answer of QEMU's monitor for %s",
			    domain);
	return answer;
}

/* Return true if "-uuid" and that follow each other among its arguments. */
static bool has_uuid(const char *pid, const char *uuid)
{
	char path[32], *word = NULL;
	bool is_next = false, has = false;
	size_t room = 0;
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%.10s/cmdline", pid);
	from = fopen(path, "re");
	while (from && !has && getdelim(&word, &room, '\0', from) > 0) {
		has = is_next && !strcasecmp(word, uuid);
		is_next = !strcmp(word, "-uuid");
	}
	free(word);
	if (from)
		fclose(from);
	return has;
}

pid_t domain_pid(const char *domain, const char *uuid)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	pid_t found = 0;

	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)*entry->d_name) ||
		    !has_uuid(entry->d_name, uuid))
			continue;
		if (found)
			target_fail("several processes have the UUID of %s, "
				    "%s: %d and %s",
				    domain, uuid, found, entry->d_name);
		found = atoi(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (!found)
		target_fail("no process here has the UUID of %s, %s: does "
			    "libvirt run on this machine?",
			    domain, uuid);
	return found;
}
