/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_XSK_KIND_H
#define DOCA_XSK_KIND_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Does XDP in the driver of an interface see each frame, once, as one of this interface? The
 * kernel does not tell: of some kinds a program is taken and runs elsewhere.
 */
bool kind_has_own_hook(int ifindex);

/*
 * Queues on which frames may come, where its driver does not answer. A master's frames have the
 * queues of the interfaces below it.
 */
uint32_t kind_queues(int ifindex);

#endif /* DOCA_XSK_KIND_H */
