/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Part of the bed of RDMA tests for connections by address: the responder listens, and the
 * requester connects. Callbacks are recorded: q request, e established, f failure, d
 * disconnection; at the responder in capital letters.
 */
#ifndef DOCA_TESTS_RDMA_ADDR_BED_H
#define DOCA_TESTS_RDMA_ADDR_BED_H

#include "rdma_bed.h"

#include "fake_cm.h"

#define PORT 7000
#define LOOKS 200 /* turns without an event after which there is none */

/* Choices for the bed's callbacks, and their last arguments. */
static struct {
	bool lets_wait; /* requests are not answered in the callback */
	bool rejects;
	void (*then)(struct doca_rdma_connection *connection, char what);
	struct doca_rdma_connection *last;
	union doca_data data;
	struct doca_rdma_addr *addr;
} ab;

static inline void heard(struct doca_rdma_connection *connection, char what, union doca_data data)
{
	int side = connection->rdma == rb.rdma[1];

	record(side ? what - 32 : what);
	ab.last = connection;
	ab.data = data;
	if (what == 'e')
		rb.conn[side] = connection;
	if (ab.then)
		ab.then(connection, what);
}

static inline void on_request(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	(void)ctx_data;
	heard(connection, 'q', no_data);
	if (ab.rejects)
		OK(doca_rdma_connection_reject(connection));
	else if (!ab.lets_wait)
		OK(doca_rdma_connection_accept(connection, NULL, 0));
}

static inline void on_established(struct doca_rdma_connection *connection, union doca_data data,
				  union doca_data ctx_data)
{
	(void)ctx_data;
	heard(connection, 'e', data);
}

static inline void on_failure(struct doca_rdma_connection *connection, union doca_data data,
			      union doca_data ctx_data)
{
	(void)ctx_data;
	heard(connection, 'f', data);
}

static inline void on_disconnect(struct doca_rdma_connection *connection, union doca_data data,
				 union doca_data ctx_data)
{
	(void)ctx_data;
	heard(connection, 'd', data);
}

static inline void set_callbacks(struct doca_rdma *rdma)
{
	OK(doca_rdma_set_connection_state_callbacks(rdma, on_request, on_established, on_failure,
						    on_disconnect));
}

/* Events are looked for now and then. */
static inline void turn(void)
{
	for (unsigned int i = 0; i < LOOKS; i++)
		if (doca_pe_progress(bed.pe))
			i = 0;
}

static inline void addr_set_up(void)
{
	memset(&ab, 0, sizeof(ab));
	cm_reset();
	rdma_set_up();
	for (int i = 0; i < 2; i++)
		set_callbacks(rb.rdma[i]);
	OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", PORT, &ab.addr));
}

static inline void addr_start(void)
{
	addr_set_up();
	rdma_start();
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
}

static inline void dial(void)
{
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	turn();
}

static inline void addr_begin(void)
{
	addr_start();
	dial();
	EXPECT_STR(took(), "QeE");
}

static inline void addr_end(void)
{
	ab.then = NULL;
	OK(doca_rdma_addr_destroy(ab.addr));
	rdma_end();
	EXPECT_EQ(cm.ids + cm.channels, 0);
	EXPECT_EQ(cm_nr_events, 0);
}

#endif /* DOCA_TESTS_RDMA_ADDR_BED_H */
