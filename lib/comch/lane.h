/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The lane of servers and clients: the driver's ring, and an inbox. */
#ifndef DOCA_COMCH_LANE_H
#define DOCA_COMCH_LANE_H

#include "core/exec/lane.h"

extern const struct lane_ops comch_lane;

#endif /* DOCA_COMCH_LANE_H */
