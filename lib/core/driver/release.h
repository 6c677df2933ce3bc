/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The releases of Open DOCA that the module and the libraries are from. */
#ifndef DOCA_CORE_DRIVER_RELEASE_H
#define DOCA_CORE_DRIVER_RELEASE_H

struct doca_query;

/* Log it, once in the life of the process, if they differ. */
void driver_tell_release(void);

/* The module has versions that do not do: note why. */
void driver_note_release(const struct doca_query *caps);

/* Return why, as the thread that has heard -EPROTO from driver_get() has noted it. */
const char *driver_release_reason(void);

#endif /* DOCA_CORE_DRIVER_RELEASE_H */
