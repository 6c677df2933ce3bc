/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The choice of a driver, by DOCA_DRIVER, DOCA_WORKERS and the machine. */
#ifndef DOCA_CORE_DRIVER_CHOICE_H
#define DOCA_CORE_DRIVER_CHOICE_H

#include <stdbool.h>

#include "core/base/symver.h"

/* Values of DOCA_DRIVER. AUTO: the kernel's driver, or the process's if there is no module. */
enum driver_choice {
	DRIVER_CHOICE_AUTO,
	DRIVER_CHOICE_KERNEL,
	DRIVER_CHOICE_PROCESS,
	DRIVER_CHOICE_UNKNOWN, /* any other word */
};

/* The error of driver_get() for an unknown word. */
#define DRIVER_WORD_ERROR EBADRQC

DOCA_STABLE enum driver_choice driver_choice(void) DOCA_PRIVATE(driver_choice);

/* Return true if the error means that there is no module. */
DOCA_STABLE bool driver_is_absent(int err) DOCA_PRIVATE(driver_is_absent);

/* Say once in the life of the process that the driver is in it. */
void driver_tell_process(bool asked_for);

/* Return true if a worker thread shall execute for a driver in the process; log why not. */
bool driver_wants_workers(void);

#endif /* DOCA_CORE_DRIVER_CHOICE_H */
