// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Machines of libvirt, which keeps their monitors to itself: virsh asks, in a process of its own. It
 * finds libvirt as it always does (LIBVIRT_DEFAULT_URI).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

/* milliseconds without an answer after which libvirt has none */
#define PATIENCE 10000

/* Start virsh, whose output is read from *from; its errors are the user's to read. */
static pid_t start(char *const argv[], int *from)
{
	posix_spawn_file_actions_t actions;
	int ends[2], err;
	pid_t pid = 0;

	if (pipe2(ends, O_CLOEXEC) || posix_spawn_file_actions_init(&actions))
		target_fail("cannot run %s: %s", argv[0], strerror(errno));
	err = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
					       "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, ends[1],
						       STDOUT_FILENO);
	if (!err)
		err = posix_spawnp(&pid, argv[0], &actions, NULL, argv,
				   environ);
	if (err)
		target_fail("cannot run %s: %s%s", argv[0], strerror(err),
			    err == ENOENT ? "; it is in libvirt-clients, on "
					    "Debian" :
					    "");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*from = ends[0];
	return pid;
}

/* Read to the end. Return false if there is nothing for too long. */
static bool read_answer(int from, char **text)
{
	struct pollfd ready = { .fd = from, .events = POLLIN };
	size_t len = 0, room = 0;
	ssize_t got;

	*text = NULL;
	do {
		if (len + 1 >= room) {
			room = room ? 2 * room : 4096;
			*text = realloc(*text, room);
		}
		if (!*text)
			target_fail("out of memory");
		if (!poll(&ready, 1, PATIENCE))
			return false;
		got = read(from, *text + len, room - len - 1);
		if (got > 0)
			len += (size_t)got;
	} while ((got > 0 && len < QMP_MAX_ANSWER) ||
		 (got < 0 && errno == EINTR));
	(*text)[len] = '\0';
	return true;
}

/* Return what virsh has printed; it ends the program if virsh fails. */
static char *run_virsh(const char *domain, char *const argv[])
{
	bool is_whole;
	char *text;
	int status, from;
	pid_t pid = start(argv, &from);

	is_whole = read_answer(from, &text);
	close(from);
	if (!is_whole)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			target_fail("virsh: %s", strerror(errno));
	if (!is_whole)
		target_fail("virsh has no answer for %s within %d s: does "
			    "libvirt have another job with the machine?",
			    domain, PATIENCE / 1000);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		target_fail("virsh cannot ask the monitor of %s: is the "
			    "machine on, and does 'virsh list' have it?",
			    domain);
	return text;
}

struct json_object *domain_ask(const char *domain, const char *question)
{
	char *text = run_virsh(domain,
			       (char *[]){ "virsh", "qemu-monitor-command",
					   "--domain", (char *)domain, "--cmd",
					   (char *)question, NULL });
	struct json_object *answer = json_tokener_parse(text);

	free(text);
	if (!json_object_object_get_ex(answer, "return", NULL) &&
	    !json_object_object_get_ex(answer, "error", NULL))
		target_fail("virsh has no answer of QEMU's monitor for %s",
			    domain);
	return answer;
}

/* Virsh takes what could be a number, or a UUID, for one before it looks for a name. */
static void check_name(const char *domain, const char *uuid)
{
	char *name;

	if (!strcasecmp(domain, uuid))
		return;
	name = run_virsh(domain, (char *[]){ "virsh", "domname", "--domain",
					     (char *)uuid, NULL });
	name[strcspn(name, "\n")] = '\0';
	if (strcmp(name, domain) != 0)
		target_fail("%s is the number of another machine, '%s': name "
			    "it by its UUID, which 'virsh domuuid' prints",
			    domain, name);
	free(name);
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

	check_name(domain, uuid);
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
