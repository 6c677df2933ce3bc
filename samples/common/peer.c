// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer.h"

static enum peer_role role;
static char device[DOCA_DEVINFO_IBDEV_NAME_SIZE]; /* empty: any */
static char address[256] = "127.0.0.1";
static char port[16] = "18515";
static char gid_index[16]; /* empty: the library's choice */

static doca_error_t be_server(void *config)
{
	(void)config;
	role = PEER_SERVER;
	return DOCA_SUCCESS;
}

static doca_error_t be_client(void *config)
{
	(void)config;
	role = PEER_CLIENT;
	return DOCA_SUCCESS;
}

static const struct sample_command commands[] = {
	{ "server", "wait for the client", be_server },
	{ "client", "connect to the server", be_client },
	{},
};

static doca_error_t set(char *to, size_t size, const char *value)
{
	return snprintf(to, size, "%s", value) < (int)size ?
		       DOCA_SUCCESS :
		       DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t set_device(void *value, void *config)
{
	(void)config;
	return set(device, sizeof(device), value);
}

static doca_error_t set_address(void *value, void *config)
{
	(void)config;
	return set(address, sizeof(address), value);
}

static doca_error_t set_port(void *value, void *config)
{
	(void)config;
	return set(port, sizeof(port), value);
}

static doca_error_t set_gid_index(void *value, void *config)
{
	(void)config;
	return set(gid_index, sizeof(gid_index), value);
}

static const struct sample_flag flags[] = {
	{ "d", "device", "<name>",
	  "RDMA device, such as rxe0 (default: the first)", set_device },
	{ "g", "gid-index", "<number>",
	  "Entry of the device's table of GIDs (default: an IPv4 address)",
	  set_gid_index },
	{ "a", "address", "<address>",
	  "Where the server waits for the client (default: 127.0.0.1)",
	  set_address },
	{ "t", "tcp-port", "<port>", "Its TCP port (default: 18515)",
	  set_port },
	{},
};

enum peer_role peer_start(const char *name, int argc, char **argv)
{
	sample_start_command(name, argc, argv, flags, commands);
	if (!role)
		give_up(DOCA_ERROR_INVALID_VALUE,
			"the arguments: name a role, server or client");
	return role;
}

static doca_error_t can_rdma(const struct doca_devinfo *devinfo)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	doca_error_t err = doca_rdma_cap_task_send_is_supported(devinfo);

	if (err == DOCA_SUCCESS && device[0])
		err = doca_devinfo_get_ibdev_name(devinfo, name, sizeof(name));
	if (err == DOCA_SUCCESS && device[0] && strcmp(name, device) != 0)
		err = DOCA_ERROR_NOT_FOUND;
	return err;
}

void peer_open(struct peer *peer)
{
	*peer = (struct peer){ .socket = -1 };
	if (!sample_try_devices(can_rdma, &peer->dev, 1)) {
		fprintf(stderr,
			"There is no such RDMA device: doca_caps lists them. To make one in "
			"software:\n"
			"\tsudo rdma link add rxe0 type rxe netdev eth0\n");
		give_up(DOCA_ERROR_NOT_FOUND, "an RDMA device");
	}
	check(doca_pe_create(&peer->pe), "the engine");
}

void peer_configure(struct doca_rdma *rdma)
{
	char *end;
	unsigned long index = strtoul(gid_index, &end, 10);

	if (*end || index > UINT32_MAX)
		give_up(DOCA_ERROR_INVALID_VALUE, "the number of the GID");
	if (gid_index[0])
		check(doca_rdma_set_gid_index(rdma, index), "the GID");
}

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

/* Wait for one client; others are turned away. */
static int serve(const struct addrinfo *where)
{
	static const int yes = 1;
	int listener = socket(where->ai_family, SOCK_STREAM, 0), client;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(listener, where->ai_addr, where->ai_addrlen) ||
	    listen(listener, 1))
		fail(address);
	printf("Waiting at %s, port %s\n", address, port);
	fflush(stdout);
	client = accept(listener, NULL, NULL);
	if (client < 0)
		fail("the client");
	close(listener);
	return client;
}

void peer_meet(struct peer *peer, enum peer_role as)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *where;
	int err = getaddrinfo(address, port, &hints, &where);

	if (err) {
		fprintf(stderr, "%s: %s\n", address, gai_strerror(err));
		exit(EXIT_FAILURE);
	}
	if (as == PEER_SERVER) {
		peer->socket = serve(where);
	} else {
		peer->socket = socket(where->ai_family, SOCK_STREAM, 0);
		if (connect(peer->socket, where->ai_addr, where->ai_addrlen))
			fail("the server, which has to be there first");
	}
	freeaddrinfo(where);
}

static void give(struct peer *peer, const void *bytes, size_t length)
{
	if (length &&
	    send(peer->socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
		fail("the other side");
}

/* A call for no bytes would wait for some. */
static void take(struct peer *peer, void *bytes, size_t length)
{
	ssize_t got = length ? recv(peer->socket, bytes, length, MSG_WAITALL) :
			       0;

	if (got < 0)
		fail("the other side");
	if (got != (ssize_t)length)
		give_up(DOCA_ERROR_CONNECTION_RESET, "the other side");
}

/* Few bytes: they fit into the socket's buffer, so both sides may send first. */
size_t peer_swap(struct peer *peer, const void *ours, size_t length,
		 void *theirs, size_t size)
{
	uint32_t header = htonl(length);

	give(peer, &header, sizeof(header));
	give(peer, ours, length);
	take(peer, &header, sizeof(header));
	length = ntohl(header);
	if (length > size)
		give_up(DOCA_ERROR_TOO_BIG, "what the other side has sent");
	take(peer, theirs, length);
	return length;
}

void peer_progress(struct peer *peer)
{
	struct pollfd fds[] = {
		{ .events = POLLIN },
		{ .fd = peer->socket, .events = POLLRDHUP }, /* -1: ignored */
	};

	if (doca_pe_progress(peer->pe))
		return;
	check(doca_pe_get_notification_handle(peer->pe, &fds[0].fd),
	      "the handle");
	check(doca_pe_request_notification(peer->pe), "a request");
	if (poll(fds, 2, -1) < 0 && errno != EINTR)
		give_up(DOCA_ERROR_OPERATING_SYSTEM, "poll");
	check(doca_pe_clear_notification(peer->pe, fds[0].fd), "clearing");
	if (fds[1].revents && !fds[0].revents)
		give_up(DOCA_ERROR_CONNECTION_RESET, "the other side");
}

void peer_part(struct peer *peer)
{
	peer_swap(peer, NULL, 0, NULL, 0);
	close(peer->socket);
	peer->socket = -1;
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	check(doca_ctx_get_state(ctx, &state), "the state");
	return state;
}

void peer_stop(struct peer *peer, struct doca_ctx *ctx)
{
	doca_error_t err = doca_ctx_stop(ctx);

	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop");
	/* Nothing wakes a program for the end of its last context. */
	while (state_of(ctx) != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(peer->pe);
}

void peer_close(struct peer *peer)
{
	check(doca_pe_destroy(peer->pe), "the engine");
	check(doca_dev_close(peer->dev), "the device");
}
