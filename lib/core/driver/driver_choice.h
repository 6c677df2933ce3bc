/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Which driver: by DOCA_DRIVER, DOCA_WORKERS, and what the machine has. */
#ifndef DOCA_CORE_DRIVER_CHOICE_H
#define DOCA_CORE_DRIVER_CHOICE_H

#include <stdbool.h>

#include "core/base/symver.h"

/* By DOCA_DRIVER. AUTO: the kernel's, or that of the process if there is no module. */
enum driver_choice {
	DRIVER_CHOICE_AUTO,
	DRIVER_CHOICE_KERNEL,
	DRIVER_CHOICE_PROCESS,
	DRIVER_CHOICE_UNKNOWN, /* a word that is none of these */
};

/* What driver_get() answers to a word that it does not know. */
#define DRIVER_WORD_ERROR EBADRQC

DOCA_STABLE enum driver_choice driver_choice(void) DOCA_PRIVATE(driver_choice);

/* Does the error mean that there is no module? */
DOCA_STABLE bool driver_is_absent(int err) DOCA_PRIVATE(driver_is_absent);

/* Say once in the life of the process that the driver is in it. */
void driver_tell_process(bool asked_for);

/* Is a worker thread to execute, for a driver in the process? Says why not. */
bool driver_wants_workers(void);

#endif /* DOCA_CORE_DRIVER_CHOICE_H */
