// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Listeners of RDMA contexts, settings of connections by address, and calls in wrong states. */
#include <errno.h>
#include <pthread.h>

#include <infiniband/ib.h>

#include "core/base/loader.h"
#include "fault.h"
#include "in_child.h"
#include "rdma_addr_bed.h"

static uint16_t a_timeout;

TEST(listeners_are_at_all_addresses)
{
	addr_start();
	EXPECT_EQ(cm.listeners, 3);
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], PORT), BAD_STATE, "already");
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[0], PORT), CONNECTION_ABORTED, "in use");
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT + 1));
	EXPECT_EQ(cm.listeners, 6);
	OK(doca_rdma_stop_listen_to_port(rb.rdma[1], PORT));
	FAILS(doca_rdma_stop_listen_to_port(rb.rdma[1], PORT), BAD_STATE, "does not listen");
	EXPECT_EQ(cm.listeners, 3);
	OK(doca_rdma_start_listen_to_port(rb.rdma[0], PORT));
	logged();
	addr_end();
}

/* Requests that came before are answered. */
TEST(requests_outlive_their_listener)
{
	addr_start();
	ab.lets_wait = true;
	dial();
	EXPECT_STR(took(), "Q");
	OK(doca_rdma_stop_listen_to_port(rb.rdma[1], PORT));
	OK(doca_rdma_connection_accept(ab.last, NULL, 0));
	turn();
	EXPECT_STR(took(), "eE");
	dial();
	EXPECT_STR(took(), "f");
	logged();
	addr_end();
}

/* A GID may be no address of the interface; one address that can be listened at is enough. */
TEST(addresses_that_cannot_be_listened_at)
{
	addr_set_up();
	rdma_start();
	cm.bind_error = EADDRNOTAVAIL;
	cm.bind_good = 1;
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	EXPECT_EQ(cm.listeners, 1);
	cm.bind_good = 0;
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], PORT + 1), CONNECTION_ABORTED,
	      "cannot listen to port 7001");
	cm.bind_error = 0;
	cm.listen_error = EACCES;
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], 80), CONNECTION_ABORTED, "denied");
	cm.listen_error = 0;
	cm.create_error = ENFILE;
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], 81), CONNECTION_ABORTED, "ENFILE");
	FAILS(doca_rdma_connect_to_addr(rb.rdma[1], ab.addr, no_data), DRIVER, "ENFILE");
	cm.create_error = 0;
	hca.gid_error = EIO;
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], 82), DRIVER, "addresses");
	hca.gid_error = 0;
	EXPECT_EQ(cm.ids, 1);
	logged();
	addr_end();
}

TEST(listening_without_memory)
{
	addr_set_up();
	rdma_start();
	for (int i = 0; i < 2; i++)
		OK(doca_rdma_start_listen_to_port(rb.rdma[i], PORT + 2 * i));
	fault_at(FAULT_ALLOC, 1);
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], PORT + 1), NO_MEMORY, "memory");
	fault_at(FAULT_ALLOC, 1);
	ERR(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), NO_MEMORY);
	if (!doca_priv_debug) {
		fault_at(FAULT_ALLOC, 2);
		ERR(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), NO_MEMORY);
	}
	fault_at(FAULT_ALLOC, 0);
	hca.qp_error = ENOMEM;
	ERR(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), DRIVER);
	hca.qp_error = 0;
	EXPECT_EQ(hca.qps, 0);
	logged();
	addr_end();
}

static unsigned int count(const char *text, const char *word)
{
	unsigned int n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

/* The requester has its queue pair before the responder makes none. */
static void dial_in_vain(void)
{
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	hca.qp_error = ENOMEM;
	turn();
	hca.qp_error = 0;
	EXPECT_STR(took(), "f");
}

/* They cannot fill the log, even if some are accepted. */
TEST(peers_for_whom_there_is_no_queue_pair)
{
	const char *text;

	addr_start();
	for (int i = 0; i < 2; i++) {
		dial_in_vain();
		dial_in_vain();
		text = logged();
		EXPECT_EQ(count(text, "no queue pair for a peer"), !i);
		EXPECT_EQ(count(text, "\n"), 2 + !i);
		dial();
		EXPECT_STR(took(), "QeE");
	}
	addr_end();
}

TEST(the_module_is_missing)
{
	addr_set_up();
	rdma_start();
	cm.channel_error = ENODEV;
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[1], PORT), DRIVER, "rdma_ucm");
	FAILS(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), DRIVER, "rdma_ucm");
	EXPECT_EQ(hca.qps, 0);
	logged();
	addr_end();
}

static void *fork_in_channel(void *unused)
{
	IN_CHILD({
		EXPECT_EQ(loader_check(), -EOWNERDEAD);
		fflush(stdout);
		_exit(ktap_bad ? 1 : 0); /* it has no memory of the other thread */
	});
	return unused;
}

static void in_channel(void)
{
	pthread_t thread;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	EXPECT_EQ(state, PTHREAD_CANCEL_DISABLE);
	ASSERT(!pthread_create(&thread, NULL, fork_in_channel, NULL));
	ASSERT(!pthread_join(thread, NULL));
	cm.in_channel = NULL;
}

/* librdmacm looks for devices then: a thread that is cancelled would leave locks locked. */
TEST(a_channel_counts_as_a_list_of_devices)
{
	addr_set_up();
	rdma_start();
	cm.in_channel = in_channel;
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	EXPECT(!cm.in_channel);
	addr_end();
}

TEST(callbacks_are_needed)
{
	addr_set_up();
	FAILS(doca_rdma_set_connection_state_callbacks(rb.rdma[0], on_request, NULL, on_failure,
						       on_disconnect),
	      INVALID_VALUE, "established_cb");
	FAILS(doca_rdma_set_connection_state_callbacks(rb.rdma[0], on_request, on_established, NULL,
						       on_disconnect),
	      INVALID_VALUE, "failure_cb");
	FAILS(doca_rdma_set_connection_state_callbacks(rb.rdma[0], on_request, on_established,
						       on_failure, NULL),
	      INVALID_VALUE, "disconnect_cb");
	OK(doca_rdma_set_connection_state_callbacks(rb.rdma[0], NULL, on_established, on_failure,
						    on_disconnect));
	rb.rdma[1]->set.on.established = NULL;
	ERR(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), BAD_STATE);
	ERR(doca_rdma_start_listen_to_port(rb.rdma[0], PORT), BAD_STATE);
	ERR(doca_rdma_stop_listen_to_port(rb.rdma[0], PORT), BAD_STATE);
	rdma_start();
	logged();
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[0], PORT), BAD_STATE,
	      "a callback for requests");
	FAILS(doca_rdma_connect_to_addr(rb.rdma[1], ab.addr, no_data), BAD_STATE, "cannot tell");
	FAILS(doca_rdma_set_connection_state_callbacks(rb.rdma[0], NULL, on_established, on_failure,
						       on_disconnect),
	      BAD_STATE, "is started");
	logged();
	addr_end();
}

TEST(the_timeout_is_set)
{
	addr_set_up();
	OK(doca_rdma_get_connection_request_timeout(rb.rdma[0], &a_timeout));
	EXPECT_EQ(a_timeout, 2000);
	FAILS(doca_rdma_set_connection_request_timeout(rb.rdma[0], 0), INVALID_VALUE, "1 to 65535");
	OK(doca_rdma_set_connection_request_timeout(rb.rdma[0], 65535));
	OK(doca_rdma_get_connection_request_timeout(rb.rdma[0], &a_timeout));
	EXPECT_EQ(a_timeout, 65535);
	rdma_start();
	FAILS(doca_rdma_set_connection_request_timeout(rb.rdma[0], 1), BAD_STATE, "is started");
	logged();
	addr_end();
}

/* Those of links have an interface; a GID is an address of any of both. */
TEST(all_kinds_of_addresses_are_connected_to)
{
	static const struct {
		enum doca_rdma_addr_type type;
		const char *text;
		int family;
		uint32_t scope;
	} rows[] = {
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::1", AF_INET6, 0 },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "fe80::1%lo", AF_INET6, 1 },
		{ DOCA_RDMA_ADDR_TYPE_GID, "fe80::1", AF_INET6, 7 },
		{ DOCA_RDMA_ADDR_TYPE_GID, "::ffff:192.0.2.1", AF_INET, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&cm.to;

		addr_set_up();
		hca.gids[3].ndev_ifindex = 7;
		rdma_start();
		OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
		OK(doca_rdma_addr_destroy(ab.addr));
		OK(doca_rdma_addr_create(rows[i].type, rows[i].text, PORT, &ab.addr));
		dial();
		EXPECT_STR(took(), "QeE");
		EXPECT_EQ(cm.to.ss_family, rows[i].family);
		if (rows[i].family == AF_INET6)
			EXPECT_EQ(in6->sin6_scope_id, rows[i].scope);
		addr_end();
	}
}

TEST(a_chosen_gid_is_where_it_comes_from)
{
	addr_set_up();
	OK(doca_rdma_set_gid_index(rb.rdma[0], 3));
	OK(doca_rdma_set_sl(rb.rdma[0], 3));
	rdma_start();
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	dial();
	EXPECT_STR(took(), "QeE");
	EXPECT(cm.has_from);
	EXPECT_EQ(cm_port(&cm.from), 0);
	EXPECT_EQ(((struct sockaddr_in *)&cm.from)->sin_addr.s_addr, htonl(0xc0000201));
	EXPECT_EQ(hca.rtr.ah_attr.sl, 3);
	addr_end();
}

/* InfiniBand has ports as numbers of services, and a listener for all devices. */
TEST(infiniband)
{
	const struct sockaddr_ib *ib = (const struct sockaddr_ib *)&cm.to;

	memset(&ab, 0, sizeof(ab));
	cm_reset();
	rdma_set_up();
	for (int i = 0; i < 2; i++) {
		set_callbacks(rb.rdma[i]);
		rb.rdma[i]->hca.ethernet = false;
	}
	OK(doca_rdma_set_gid_index(rb.rdma[0], 3));
	rdma_start();
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	EXPECT_EQ(cm.listeners, 1);
	OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_GID, "fe80::1", PORT, &ab.addr));
	cm.resolve_error = EINVAL;
	dial();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(ib->sib_family, AF_IB);
	EXPECT_EQ(be64toh(ib->sib_sid), 0x01060000ull + PORT);
	OK(doca_rdma_addr_destroy(ab.addr));
	OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", PORT, &ab.addr));
	dial();
	EXPECT_STR(took(), "f");
	EXPECT(!cm.has_from);
	logged();
	addr_end();
}

TEST(details_have_no_address)
{
	struct doca_rdma_addr *addr;
	const void *details;
	size_t size;

	addr_start();
	OK(doca_rdma_export(rb.rdma[0], &details, &size, &rb.conn[0]));
	FAILS(doca_rdma_connection_get_addr(rb.conn[0], &addr), INVALID_VALUE, "by details");
	FAILS(doca_rdma_connection_accept(rb.conn[0], NULL, 0), CONNECTION_ABORTED, "no request");
	dial();
	EXPECT_STR(took(), "QeE");
	FAILS(doca_rdma_connect(rb.rdma[0], details, size, rb.conn[0]), BAD_STATE, "before");
	logged();
	addr_end();
}

/* A program that waits is woken by events, and looks for them at once. */
TEST(events_end_a_wait)
{
	doca_notification_handle_t fd = -1;
	unsigned int rounds = 0;

	addr_start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	while (rounds++ < 20) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		while (doca_pe_progress(bed.pe))
			;
		if (doca_pe_request_notification(bed.pe) == DOCA_SUCCESS && !poll(&p, 1, 0))
			break;
		doca_pe_clear_notification(bed.pe, fd);
	}
	EXPECT(rounds < 20);
	EXPECT_STR(took(), "QeE");
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	rounds = 0;
	while (rounds++ < 20) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		doca_pe_clear_notification(bed.pe, fd);
		while (doca_pe_progress(bed.pe))
			;
		if (doca_pe_request_notification(bed.pe) == DOCA_SUCCESS && !poll(&p, 1, 0))
			break;
	}
	EXPECT(rounds < 20);
	EXPECT_STR(took(), "dD");
	OK(doca_pe_clear_notification(bed.pe, fd));
	addr_end();
}

/* A look for events is a system call, so not every call of progress makes one. */
TEST(looks_are_rare)
{
	addr_start();
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	turn();
	rb.rdma[0]->news.turns = 0;
	for (int i = 0; i < 10; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT(rb.rdma[0]->news.turns > 0);
	took();
	addr_end();
}
