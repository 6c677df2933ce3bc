// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The exporter's end: a socket that importers find by the id in a blob, and the users
 * that may connect to it.
 */
#include "shim/kernel.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "conns.h"
#include "inproc.h"
#include "listen.h"
#include "memory.h"
#include "wire.h"

#define REST_MS 100

static struct {
	pthread_mutex_t lock;
	bool running;
	struct peers_watch watch;
	int place;
	u64 rests; /* service thread: it rests until then, or 0 */
	char path[108]; /* path of the socket, if it is a file */
	pid_t process; /* process that has made the file */
} listener = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

static void refuse(int fd)
{
	struct wire_msg msg = {
		.type = WIRE_HELLO,
		.hello = {
			.magic = WIRE_MAGIC,
			.version = WIRE_VERSION,
			.error = -EDQUOT,
		},
	};

	wire_send(fd, &msg, NULL, 0);
}

/*
 * No descriptor is left for a connection, so it stays in the queue, and would be reported
 * for ever.
 */
static void rest(void)
{
	listener.rests = local_clock() + REST_MS * NSEC_PER_MSEC;
	peers_watch_pause(&listener.watch, true);
}

int listen_patience(void)
{
	if (!listener.rests)
		return -1;
	if (local_clock() < listener.rests)
		return REST_MS;
	listener.rests = 0;
	peers_watch_pause(&listener.watch, false);
	return -1;
}

static void accept_one(struct peers_watch *watch)
{
	int place, fd = peers_accept(watch->fd, &place);
	uid_t uid;

	if (fd < 0) {
		if (errno != EAGAIN)
			rest();
		return;
	}
	if (wire_peer_uid(fd, &uid) || !conns_have_room(uid))
		refuse(fd);
	else if (conns_add(fd, place, uid))
		return;
	peers_close(place);
}

static int bind_listener(int fd)
{
	struct sockaddr_un address;
	int size, rc;

	size = wire_address(doca_export_identity(), &address);
	if (size < 0)
		return size;
	rc = wire_listen(fd, &address, size, INPROC_IMPORTERS_MAX);
	if (rc)
		return rc;
	strscpy(listener.path, address.sun_path, sizeof(listener.path));
	listener.process = getpid();
	return 0;
}

static int start(void)
{
	int fd, rc;

	/* Importers know us by this id; the user may have changed since the program began. */
	wire_identify(doca_export_identity());
	fd = peers_socket(&listener.place);
	if (fd < 0)
		return fd;
	rc = bind_listener(fd);
	listener.watch = (struct peers_watch){ fd, accept_one };
	rc = rc ?: peers_watch(&listener.watch);
	if (rc)
		peers_close(listener.place);
	else
		listener.running = true;
	return rc;
}

int listen_start(void)
{
	int rc = 0;

	pthread_mutex_lock(&listener.lock);
	if (!listener.running)
		rc = start();
	pthread_mutex_unlock(&listener.lock);
	return rc;
}

/* Do it at the end of the process, too: the driver does not end before. */
static void __attribute__((destructor)) remove_path(void)
{
	if (listener.path[0] && listener.process == getpid())
		unlink(listener.path);
	listener.path[0] = '\0';
}

/* Serve nothing any more. */
void listen_end(void)
{
	conns_end();
	if (!listener.running)
		return;
	peers_close(listener.place);
	remove_path();
	listener.running = false;
}
