// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Servers of the communication channel: their names, and the clients that come. */
#include "shim/kernel.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "peers.h"
#include "servers.h"
#include "wire.h"

#define REST_MS 100
#define BACKLOG 512

/**
 * struct server - a server that others can find
 * @node: in one of the lists
 * @function: its pair; reference
 * @name: its name
 * @accept: gets its clients
 * @lock: protects the members below it
 * @closed: it has ended; set for good
 * @watch: its socket
 * @place: place of the socket
 * @rests: no connection is accepted until then; 0: it does not rest
 * @path: path of the socket, if it is a file
 * @guard: lock of @path; -1: there is none
 * @guard_place: its place
 */
struct server {
	struct list_head node;
	struct doca_function *function;
	char name[DOCA_SERVER_NAME_SIZE];
	servers_accept *accept;
	pthread_mutex_t lock; /* see above */
	bool closed;
	struct peers_watch watch;
	int place;
	u64 rests;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	int guard;
	int guard_place;
};

static struct {
	pthread_mutex_t lock; /* protects the lists */
	struct list_head live;
	struct list_head dead;
	pid_t process; /* process that has made their files */
} servers = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.live = LIST_HEAD_INIT(servers.live),
	.dead = LIST_HEAD_INIT(servers.dead),
};

/* FNV-1a. Two names with one value are told apart when a client says HELLO. */
static u64 hash(u64 value, const char *text)
{
	do {
		value = (value ^ (u8)*text) * 0x100000001b3ULL;
	} while (*text++);
	return value;
}

int servers_address(const struct doca_function *function, const char *name,
		    struct sockaddr_un *address)
{
	u64 value = hash(hash(0xcbf29ce484222325ULL, function->name), name);
	char text[40];

	if (function->any_user)
		snprintf(text, sizeof(text), "any-%016llx",
			 (unsigned long long)value);
	else
		snprintf(text, sizeof(text), "%u-%016llx", geteuid(),
			 (unsigned long long)value);
	return wire_named(text, address);
}

static void guard_path(const struct server *server, char path[128])
{
	snprintf(path, 128, "%s.lock", server->path);
}

/* Return a descriptor with the lock, which no other descriptor of the file has. */
static int open_guard(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK };
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc;

	if (fd < 0)
		return -errno;
	if (!fcntl(fd, F_OFD_SETLK, &lock))
		return fd;
	rc = errno == EAGAIN || errno == EACCES ? -EADDRINUSE : -errno;
	close(fd);
	return rc;
}

/* Return true if the file has a name: its last owner may have removed it meanwhile. */
static bool guard_is_there(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_nlink;
}

/*
 * A socket's file does not tell whether its process lives, so there is a lock beside it, which
 * ends with the process. With it, a socket that is there is nobody's.
 */
static int take_guard(struct server *server)
{
	char path[128];
	int fd;

	guard_path(server, path);
	/* A child would have the lock, too. */
	peers_hold_forks();
	while ((fd = open_guard(path)) >= 0 && !guard_is_there(fd))
		close(fd);
	server->guard_place = fd < 0 ? -1 : peers_keep(fd);
	peers_let_fork();
	if (fd < 0)
		return fd;
	if (server->guard_place < 0) {
		close(fd);
		return -EMFILE;
	}
	server->guard = fd;
	unlink(server->path);
	return 0;
}

static void remove_paths(const struct server *server)
{
	char path[128];

	if (server->guard < 0)
		return;
	guard_path(server, path);
	unlink(server->path);
	unlink(path);
}

/* Remove the files before the lock is let go. */
static void drop_guard(struct server *server)
{
	if (server->guard < 0)
		return;
	remove_paths(server);
	peers_close(server->guard_place);
	server->guard = -1;
}

/* Do it at the end of the process, too: the driver does not end before. */
static void __attribute__((destructor)) remove_all_paths(void)
{
	struct server *server;

	if (servers.process != getpid())
		return;
	list_for_each_entry(server, &servers.live, node)
		remove_paths(server);
}

static void server_rest(struct server *server)
{
	server->rests = local_clock() + REST_MS * NSEC_PER_MSEC;
	peers_watch_pause(&server->watch, true);
}

static void server_ready(struct peers_watch *watch)
{
	struct server *server = container_of(watch, struct server, watch);
	int place = -1, fd = -1;

	pthread_mutex_lock(&server->lock);
	if (!server->closed) {
		fd = peers_accept(watch->fd, &place);
		if (fd < 0 && errno != EAGAIN)
			server_rest(server);
	}
	pthread_mutex_unlock(&server->lock);
	if (fd >= 0)
		server->accept(fd, place, server->function, server->name);
}

static int server_bind(struct server *server, int fd)
{
	struct sockaddr_un address;
	int size, rc;

	size = servers_address(server->function, server->name, &address);
	if (size < 0)
		return size;
	strscpy(server->path, address.sun_path, sizeof(server->path));
	/* Make and remove no files in a directory of others. */
	rc = wire_check_directory(&address);
	if (!rc && server->path[0])
		rc = take_guard(server);
	return rc ?: wire_listen(fd, &address, size, BACKLOG);
}

static int server_open(struct server *server)
{
	int fd, rc;

	fd = peers_socket(&server->place);
	if (fd < 0)
		return fd;
	server->watch = (struct peers_watch){ fd, server_ready };
	rc = server_bind(server, fd);
	rc = rc ?: peers_watch(&server->watch);
	if (rc) {
		drop_guard(server);
		peers_close(server->place);
	}
	return rc;
}

static void server_free(struct server *server)
{
	doca_function_put(server->function);
	pthread_mutex_destroy(&server->lock);
	free(server);
}

int servers_listen(struct doca_function *function, const char *name,
		   servers_accept *accept, void **out)
{
	struct server *server = calloc(1, sizeof(*server));
	int rc;

	if (!server)
		return -ENOMEM;
	pthread_mutex_init(&server->lock, NULL);
	kref_get(&function->ref);
	server->function = function;
	strscpy(server->name, name, sizeof(server->name));
	server->accept = accept;
	server->guard = -1;
	pthread_mutex_lock(&servers.lock);
	servers.process = getpid();
	list_add_tail(&server->node, &servers.live);
	pthread_mutex_unlock(&servers.lock);
	*out = server;
	rc = server_open(server);
	if (!rc)
		return 0;
	pthread_mutex_lock(&servers.lock);
	list_del(&server->node);
	pthread_mutex_unlock(&servers.lock);
	server_free(server);
	*out = NULL;
	return rc;
}

/* The service thread may be about to serve it, so it alone frees it. */
void servers_unlisten(void *at)
{
	struct server *server = at;

	pthread_mutex_lock(&server->lock);
	server->closed = true;
	peers_unwatch(&server->watch);
	drop_guard(server);
	peers_close(server->place);
	pthread_mutex_unlock(&server->lock);
	pthread_mutex_lock(&servers.lock);
	list_move_tail(&server->node, &servers.dead);
	pthread_mutex_unlock(&servers.lock);
	peers_poke();
}

/* Return the time until it accepts again, or -1. */
static int server_patience(struct server *server)
{
	int patience = -1;

	pthread_mutex_lock(&server->lock);
	if (server->rests && !server->closed) {
		if (local_clock() < server->rests) {
			patience = REST_MS;
		} else {
			server->rests = 0;
			peers_watch_pause(&server->watch, false);
		}
	}
	pthread_mutex_unlock(&server->lock);
	return patience;
}

int servers_patience(void)
{
	struct server *server;
	int patience = -1;

	pthread_mutex_lock(&servers.lock);
	list_for_each_entry(server, &servers.live, node)
		patience = max(patience, server_patience(server));
	pthread_mutex_unlock(&servers.lock);
	return patience;
}

void servers_reap(void)
{
	struct server *server;

	for (;;) {
		pthread_mutex_lock(&servers.lock);
		server = list_first_entry_or_null(&servers.dead, struct server,
						  node);
		if (server)
			list_del(&server->node);
		pthread_mutex_unlock(&servers.lock);
		if (!server)
			return;
		server_free(server);
	}
}
