/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The releases of Open DOCA that the module and the libraries are from. */
#ifndef DOCA_CORE_DRIVER_RELEASE_H
#define DOCA_CORE_DRIVER_RELEASE_H

/* Log it, once in the life of the process, if they differ. */
void driver_tell_release(void);

#endif /* DOCA_CORE_DRIVER_RELEASE_H */
