/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file open_doca.h
 *
 * Functions of Open DOCA alone: part of libdoca_common, not of DOCA.
 */
#ifndef OPEN_DOCA_H
#define OPEN_DOCA_H

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Which driver executes for this process.
 *
 * It is chosen when the driver is first opened, as doca_devinfo_create_list() does, by
 * DOCA_DRIVER in the environment and by which drivers there are. It does not change after
 * that, and is the same in the children of a fork. See doca(7).
 *
 * @return "kernel": the module, by /dev/doca; "process": the driver within the process; or
 * NULL, if none has been opened yet. The text lasts as long as the process.
 *
 * @note Thread safe.
 */
DOCA_STABLE
const char *open_doca_driver(void);

#ifdef __cplusplus
}
#endif

#endif /* OPEN_DOCA_H */
