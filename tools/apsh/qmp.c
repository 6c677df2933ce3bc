// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fail.h"
#include "qmp.h"

/* seconds without an answer after which a socket is not a monitor */
#define PATIENCE 10

static int connect_to(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = PATIENCE };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(addr.sun_path))
		target_fail("%s is too long for a socket", path);
	strcpy(addr.sun_path, path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
		       sizeof(patience)))
		target_fail("cannot connect to %s: %s%s", path, strerror(errno),
			    errno == ECONNREFUSED || errno == ENOENT ?
				    "; is the machine on, and was it started "
				    "with -qmp unix:...,server=on?" :
				    "");
	return fd;
}

/* Return a line, or what there is of it if that is too long. */
static char *read_line(FILE *from)
{
	size_t len = 0, room = 0;
	char *line = NULL;
	int c;

	do {
		c = getc_unlocked(from);
		if (len + 1 >= room) {
			room = room ? 2 * room : 4096;
			line = realloc(line, room);
			if (!line)
				target_fail("out of memory");
		}
		line[len++] = c == EOF ? '\0' : (char)c;
	} while (c != EOF && c != '\n' && len < QMP_MAX_ANSWER);
	line[len] = '\0';
	return line;
}

static struct json_object *receive(struct qmp *qmp)
{
	char *line = read_line(qmp->stream);
	struct json_object *answer = json_tokener_parse(line);

	free(line);
	if (!json_object_is_type(answer, json_type_object))
		target_fail("%s is no socket of QEMU's monitor (QMP), or "
			    "somebody else is connected to it",
			    qmp->socket);
	return answer;
}

/* Do not use write(): if QEMU has ended, a signal would silently end the program. */
static bool tell(int fd, const char *text)
{
	return send(fd, text, strlen(text), MSG_NOSIGNAL) ==
	       (ssize_t)strlen(text);
}

static void send_question(struct qmp *qmp, const char *question)
{
	int fd = fileno(qmp->stream);

	if (!tell(fd, question) || !tell(fd, "\n"))
		target_fail("cannot write to %s: %s", qmp->socket,
			    strerror(errno));
}

struct json_object *qmp_ask(struct qmp *qmp, const char *question)
{
	struct json_object *answer, *found;

	if (qmp->socket)
		send_question(qmp, question);
	for (int events = 0; events < QMP_MAX_EVENTS; events++) {
		answer = qmp->socket ? receive(qmp) :
				       domain_ask(qmp->domain, question);
		if (json_object_object_get_ex(answer, "error", &found))
			target_fail("%s: QEMU answers %s",
				    qmp->socket ? qmp->socket : qmp->domain,
				    json_object_to_json_string(found));
		if (json_object_object_get_ex(answer, "return", &found)) {
			json_object_get(found);
			json_object_put(answer);
			return found;
		}
		json_object_put(answer);
	}
	target_fail("%s: QEMU's monitor answers nothing but events",
		    qmp->socket ? qmp->socket : qmp->domain);
}

void qmp_open(struct qmp *qmp, const char *socket)
{
	int fd = connect_to(socket);
	struct ucred peer = { 0 };
	socklen_t len = sizeof(peer);

	*qmp = (struct qmp){ .socket = socket };
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		qmp->pid = peer.pid;
	qmp->stream = fdopen(fd, "r");
	if (!qmp->stream)
		target_fail("out of memory");
	json_object_put(receive(qmp)); /* the greeting */
	json_object_put(qmp_ask(qmp, "{\"execute\": \"qmp_capabilities\"}"));
}

void qmp_open_domain(struct qmp *qmp, const char *domain)
{
	*qmp = (struct qmp){ .domain = domain };
}

pid_t qmp_pid(struct qmp *qmp)
{
	struct json_object *answer, *uuid;

	if (qmp->pid)
		return qmp->pid;
	answer = qmp_ask(qmp, "{\"execute\": \"query-uuid\"}");
	if (!json_object_object_get_ex(answer, "UUID", &uuid) ||
	    !json_object_is_type(uuid, json_type_string))
		target_fail("%s: QEMU does not tell its UUID", qmp->domain);
	qmp->pid = domain_pid(qmp->domain, json_object_get_string(uuid));
	json_object_put(answer);
	return qmp->pid;
}

void qmp_close(struct qmp *qmp)
{
	if (qmp->stream)
		fclose(qmp->stream);
}

static struct qmp paused;

/*
 * It may run in a signal handler. If the socket were closed with unread data, the last
 * request might be lost: so read everything until the monitor has seen the end.
 */
static void go_on(void)
{
	int fd = fileno(paused.stream);
	char answer[256];

	if (!tell(fd, "{\"execute\": \"cont\"}\n"))
		_exit(1);
	shutdown(fd, SHUT_WR);
	for (int i = 0; i < QMP_MAX_EVENTS; i++)
		if (read(fd, answer, sizeof(answer)) <= 0)
			break;
}

static void end_by_signal(int signal)
{
	go_on();
	_exit(128 + signal);
}

static bool runs(struct qmp *qmp)
{
	struct json_object *status =
		qmp_ask(qmp, "{\"execute\": \"query-status\"}");
	struct json_object *found;
	bool running;

	running = json_object_object_get_ex(status, "running", &found) &&
		  json_object_get_boolean(found);
	json_object_put(status);
	return running;
}

void qmp_pause(const char *socket)
{
	struct sigaction end = { .sa_handler = end_by_signal };

	qmp_open(&paused, socket);
	if (!runs(&paused))
		return;
	atexit(go_on);
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
	sigaction(SIGPIPE, &end, NULL);
	json_object_put(qmp_ask(&paused, "{\"execute\": \"stop\"}"));
}
