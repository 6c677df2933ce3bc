/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* QEMU's monitor (QMP). All ends the program, and says why, where it fails. */
#ifndef APSH_QMP_H
#define APSH_QMP_H

#include <stdio.h>
#include <sys/types.h>

#include <json-c/json.h>

struct qmp {
	const char *socket;
	FILE *stream; /* read only: a question would be lost behind an event in it */
	pid_t pid; /* of QEMU */
};

void qmp_open(struct qmp *qmp, const char *socket);
/* What is returned; events in between are of no interest. */
struct json_object *qmp_ask(struct qmp *qmp, const char *question);
void qmp_close(struct qmp *qmp);

/*
 * Stop the machine until the program ends, in whatever way but SIGKILL. One that does not
 * run stays as it is.
 */
void qmp_pause(const char *socket);

#endif /* APSH_QMP_H */
