// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The provider of far ends: how servers of other processes are found, and this one's. */
#include "shim/kernel.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "channel_inner.h"
#include "servers.h"
#include "service.h"
#include "wire.h"

static void channel_close(struct doca_far *far)
{
	channel_shut(channel_of(far));
}

/* The last reference to the connection is put. */
static void channel_free(struct doca_far *far)
{
	free(channel_of(far));
}

/* Only the client's user may answer, unless the pair is for all. */
static u32 check_server(int fd, const struct doca_function *function)
{
	uid_t uid;

	if (wire_peer_uid(fd, &uid) ||
	    (uid != geteuid() && !function->any_user))
		return DOCA_STATUS_BAD_ACCESS;
	return DOCA_STATUS_SUCCESS;
}

/* Connect a socket: a &enum doca_status. If a server is overrun, the client tries again. */
static u32 find_server(int fd, const struct doca_function *function,
		       const char *name, u32 max_message)
{
	struct channel_hello hello = {
		.magic = CHANNEL_MAGIC,
		.version = CHANNEL_VERSION,
		.max_message = max_message,
	};
	struct sockaddr_un address;
	int size = servers_address(function, name, &address);
	u32 status;

	if (size < 0)
		return DOCA_STATUS_NOT_CONNECTED;
	wire_refuse_fds(fd);
	if (connect(fd, (void *)&address, size))
		return errno == EACCES || errno == EPERM ?
			       DOCA_STATUS_BAD_ACCESS :
			       DOCA_STATUS_NOT_CONNECTED;
	status = check_server(fd, function);
	if (status)
		return status;
	strscpy(hello.pair, function->name, sizeof(hello.pair));
	strscpy(hello.name, name, sizeof(hello.name));
	return channel_wire_send(fd, &hello, sizeof(hello), NULL, 0) ?
		       DOCA_STATUS_NOT_CONNECTED :
		       DOCA_STATUS_SUCCESS;
}

static u32 channel_connect(struct doca_function *function, const char *name,
			   u32 max_message, struct doca_conn *conn)
{
	int fd, place;
	u32 status;

	if (service_start())
		return DOCA_STATUS_NO_SPACE;
	fd = peers_socket(&place);
	if (fd < 0)
		return DOCA_STATUS_NO_SPACE;
	status = find_server(fd, function, name, max_message);
	status = status ?: channel_begin(fd, place, conn);
	if (status)
		peers_close(place);
	return status;
}

static int channel_listen(struct doca_function *function, const char *name,
			  void **server)
{
	int rc = service_start();

	return rc ?: servers_listen(function, name, channel_accept, server);
}

static const struct doca_far_ops far_ops = {
	.listen = channel_listen,
	.unlisten = servers_unlisten,
	.connect = channel_connect,
	.accepted = channel_accepted,
	.free = channel_free,
	.close = channel_close,
	.send = channel_send,
	.deliver = channel_deliver,
	.announce = channel_announce,
	.gone = channel_gone,
	.part = channel_part,
	.produce = channel_produce,
	.forget = channel_forget,
};

void channels_start(void)
{
	doca_far_ops = &far_ops;
}
