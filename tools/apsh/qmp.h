/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* QEMU's monitor (QMP). Each function that fails says why and ends the program. */
#ifndef APSH_QMP_H
#define APSH_QMP_H

#include <stdio.h>
#include <sys/types.h>

#include <json-c/json.h>

/* More is no answer: bytes, and events in front of one. A monitor may be hostile. */
#define QMP_MAX_ANSWER ((size_t)16 << 20)
#define QMP_MAX_EVENTS 10000

struct qmp {
	const char *socket; /* NULL: libvirt has it */
	const char *domain; /* name of that machine of libvirt's */
	FILE *stream; /* read only: events in it could hide questions */
	pid_t pid; /* QEMU's; 0: see qmp_pid() */
};

void qmp_open(struct qmp *qmp, const char *socket);
/* Let virsh ask the monitor of a machine, to which libvirt alone is connected. */
void qmp_open_domain(struct qmp *qmp, const char *domain);
/* Return the process of QEMU. */
pid_t qmp_pid(struct qmp *qmp);
/* Ask, skip events, and return the answer. */
struct json_object *qmp_ask(struct qmp *qmp, const char *question);
void qmp_close(struct qmp *qmp);

/* domain.c: ask once by virsh, and return all that QEMU has answered. */
struct json_object *domain_ask(const char *domain, const char *question);
/* Find the process that was started with that UUID, which must be of the machine so named. */
pid_t domain_pid(const char *domain, const char *uuid);

/*
 * Stop the machine until the program ends, in any way but SIGKILL. A machine that is not
 * running stays as it is.
 */
void qmp_pause(const char *socket);

#endif /* APSH_QMP_H */
