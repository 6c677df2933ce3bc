/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* QEMU's monitor (QMP). Each function that fails says why and ends the program. */
#ifndef APSH_QMP_H
#define APSH_QMP_H

#include <stdio.h>
#include <sys/types.h>

#include <json-c/json.h>

struct qmp {
	const char *socket;
	FILE *stream; /* read only: events in it could hide questions */
	pid_t pid; /* QEMU's */
};

void qmp_open(struct qmp *qmp, const char *socket);
/* Ask, skip events, and return the answer. */
struct json_object *qmp_ask(struct qmp *qmp, const char *question);
void qmp_close(struct qmp *qmp);

/*
 * Stop the machine until the program ends, in any way but SIGKILL. A machine that is not
 * running stays as it is.
 */
void qmp_pause(const char *socket);

#endif /* APSH_QMP_H */
