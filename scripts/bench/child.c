// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/area.h"
#include "bench/hist.h"
#include "bench/msg.h"
#include "child.h"

enum verb { OPEN, RUN, CLOSE };

/* In shared memory. Each side writes while the other waits for a byte. */
struct talk {
	enum verb verb;
	struct load load;
	struct meter meter;
	struct hist times;
	int ret;
	bool found;
	char name[32];
	unsigned int max_depth;
	struct peer_text text;
};

static struct child {
	struct way way;
	struct talk *talk;
	int fd; /* ends when the other side does */
} child;

static int say(int fd)
{
	return send(fd, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int hear(int fd)
{
	char byte;
	ssize_t n;

	do {
		n = read(fd, &byte, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : -1;
}

static int obey(struct way *way, struct talk *talk)
{
	struct meter *meter = &talk->meter;

	switch (talk->verb) {
	case OPEN:
		return way->open(way, &talk->load);
	case RUN:
		if (meter->times)
			meter->times = &talk->times;
		return way_run(way, &talk->load, meter);
	case CLOSE:
		way_close(way);
	}
	return 0;
}

static void serve(struct way *way, struct talk *talk, int fd)
{
	while (!say(fd) && way && !hear(fd))
		talk->ret = obey(way, talk);
}

/* Do not run the program's exit handlers in the child. */
static _Noreturn void be_child(struct way *(*find)(const struct peer_conf *conf,
						   struct peer_text *text),
			       struct peer_conf conf, struct talk *talk, int fd)
{
	struct way *way = NULL;
	struct area area;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	conf.area = &area;
	if (!cpu_pin(conf.cpus->submit) && !area_open(&area, conf.half))
		way = find(&conf, &talk->text);
	talk->found = way;
	if (way) {
		snprintf(talk->name, sizeof(talk->name), "%s", way->name);
		talk->max_depth = way->max_depth;
	}
	serve(way, talk, fd);
	_exit(EXIT_SUCCESS);
}

static int command(enum verb verb)
{
	child.talk->verb = verb;
	if (say(child.fd) || hear(child.fd))
		return fail("the process of %s has ended", child.way.name);
	return child.talk->ret;
}

static int child_open(struct way *way, const struct load *load)
{
	(void)way;
	child.talk->load = *load;
	return command(OPEN);
}

static int child_run(struct way *way, struct meter *meter)
{
	struct hist *times = meter->times;
	int ret;

	(void)way;
	child.talk->meter = *meter;
	if (times)
		child.talk->times = *times;
	ret = command(RUN);
	*meter = child.talk->meter;
	meter->times = times;
	if (times)
		*times = child.talk->times;
	return ret;
}

static void child_close(struct way *way)
{
	(void)way;
	child.talk->verb = CLOSE;
	if (!say(child.fd))
		hear(child.fd);
}

struct way *child_way(struct way *(*find)(const struct peer_conf *conf,
					  struct peer_text *text),
		      const struct peer_conf *conf, struct peer_text *text)
{
	struct talk *talk;
	int fds[2];
	pid_t pid;

	talk = mmap(NULL, sizeof(*talk), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (talk == MAP_FAILED ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		goto err;
	snprintf(talk->text.s, sizeof(talk->text.s),
		 "not measured: its process has ended");
	pid = fork();
	if (pid < 0)
		goto err;
	if (!pid) {
		close(fds[0]);
		be_child(find, *conf, talk, fds[1]);
	}
	close(fds[1]);
	child.fd = fds[0];
	child.talk = talk;
	hear(child.fd);
	*text = talk->text;
	if (!talk->found)
		return NULL;
	child.way = (struct way){
		.name = talk->name,
		.optional = true,
		.open = child_open,
		.run = child_run,
		.close = child_close,
		.max_depth = talk->max_depth,
	};
	return &child.way;
err:
	snprintf(text->s, sizeof(text->s),
		 "not measured: there cannot be a process for it");
	return NULL;
}
