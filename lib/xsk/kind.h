/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_XSK_KIND_H
#define DOCA_XSK_KIND_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Return true if XDP in the interface's driver sees each frame, once, as a frame of this
 * interface. The kernel does not tell: some kinds accept a program and run it elsewhere.
 */
bool kind_has_own_hook(int ifindex);

/*
 * Return the number of queues on which frames may come, where the driver does not answer.
 * Frames of a master have the queues of the interfaces below it.
 */
uint32_t kind_queues(int ifindex);

#endif /* DOCA_XSK_KIND_H */
