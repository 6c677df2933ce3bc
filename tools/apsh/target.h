/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* doca_apsh target add|del|show: the files that describe targets. */
#ifndef APSH_TARGET_H
#define APSH_TARGET_H

#include <sys/types.h>

#include <json-c/json.h>

/* argv[0] is "target". The exit status; ends the program where the usage is wrong. */
int cmd_target(int argc, char **argv);

/* What QEMU says of the memory of its machine. */
struct qmp_memory {
	char *path; /* of the file; NULL: it is a memfd */
	pid_t pid;
	int fd;
	struct json_object *regions; /* as of a target file */
};

/* Ask the QEMU of that socket. Ends the program, and says why, if it cannot be told. */
void qmp_memory(const char *socket, struct qmp_memory *memory);

#endif /* APSH_TARGET_H */
