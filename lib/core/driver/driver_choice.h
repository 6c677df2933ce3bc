/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Which driver: by DOCA_DRIVER, DOCA_WORKERS, and what there is. */
#ifndef DOCA_CORE_DRIVER_CHOICE_H
#define DOCA_CORE_DRIVER_CHOICE_H

#include <stdbool.h>

/* Of DOCA_DRIVER. AUTO: the kernel's, or that of the process where there is no other. */
enum driver_wish {
	DRIVER_WISH_AUTO,
	DRIVER_WISH_KERNEL,
	DRIVER_WISH_PROCESS,
	DRIVER_WISH_UNKNOWN, /* a word that is none of these */
};

/* What driver_get() answers to a word that it does not know. */
#define DRIVER_WORD_ERROR EBADRQC

enum driver_wish driver_wish(void);

/* Is it an error of who has no module? */
bool driver_is_absent(int err);

/* Say once in the life of the process that the driver is in it. */
void driver_tell_process(bool asked_for);

/* Is a worker thread to execute, for a driver in the process? Says why not. */
bool driver_wants_workers(void);

#endif /* DOCA_CORE_DRIVER_CHOICE_H */
