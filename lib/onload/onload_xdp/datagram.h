/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_ONLOAD_XDP_DATAGRAM_H
#define DOCA_ONLOAD_XDP_DATAGRAM_H

#include "onload/onload/base/xdp.h"

int datagram_find(const struct xsk_frame *frame, struct datagram *to);

#endif /* DOCA_ONLOAD_XDP_DATAGRAM_H */
