/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What only the verbs library knows of an RDMA device. The device is opened, asked
 * and closed at once, since an open one cannot always be removed.
 */
#ifndef DOCA_CORE_VERBS_H
#define DOCA_CORE_VERBS_H

#include <stdbool.h>
#include <stdint.h>

struct verbs_port {
	bool infiniband; /* its link layer */
	uint16_t lid;
	uint64_t rate; /* bits a second */
};

/* 0 or a negative errno; ENODEV if there is no such device. */
int verbs_query_port(const char *ibdev, struct verbs_port *port);

#endif /* DOCA_CORE_VERBS_H */
