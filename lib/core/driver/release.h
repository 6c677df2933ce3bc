/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Of which release of Open DOCA the module is, and of which the libraries are. */
#ifndef DOCA_CORE_DRIVER_RELEASE_H
#define DOCA_CORE_DRIVER_RELEASE_H

/* Say once in the life of the process that they differ, if they do. */
void driver_tell_release(void);

#endif /* DOCA_CORE_DRIVER_RELEASE_H */
