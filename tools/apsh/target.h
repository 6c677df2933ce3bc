/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* doca_apsh target add|del|show: the files that describe targets. */
#ifndef APSH_TARGET_H
#define APSH_TARGET_H

#include <json-c/json.h>

/* argv[0] is "target". Return the exit status; end the program if the usage is wrong. */
int cmd_target(int argc, char **argv);

/* QEMU's description of the machine's memory: arrays, as in a target file. */
struct qmp_memory {
	struct json_object *parts; /* at least one */
	struct json_object *regions; /* all have a part */
};

struct qmp;

/* Ask QEMU, and close its monitor. If that fails, say why and end the program. */
void qmp_memory(struct qmp *qmp, struct qmp_memory *memory);

#endif /* APSH_TARGET_H */
