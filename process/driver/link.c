// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Connections to exporters: opening, and imports through them. A connection leads to one
 * process, which the id in the process's blobs names. The service thread reads the socket,
 * and frees the connection.
 */
#include "shim/kernel.h"

#include <linux/magic.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>

#include "link_inner.h"
#include "ring.h"

/* An import ends two seconds after it began, whatever the other side does. */
#define PATIENCE_NS (WIRE_SLOW * 1900 * NSEC_PER_MSEC)

/* Release the import of an answer that comes too late. */
static void answer_late(struct link *link, const struct wire_answer *answer)
{
	struct wire_msg msg = { .type = WIRE_RELEASE, .key = answer->key };

	if (!answer->error)
		link_say(link, &msg);
}

/* Take an answer. One without a question ends the connection: its release may take memory. */
static int link_answered(struct link *link, const struct wire_msg *msg)
{
	int rc = 0;

	pthread_mutex_lock(&link->lock);
	if (link->asked && msg->seq == link->seq) {
		link->answer = msg->answer;
		link->asked = false;
		pthread_cond_broadcast(&link->changed);
	} else if (link->late) {
		link->late--;
		answer_late(link, &msg->answer);
	} else {
		rc = -EPROTO;
	}
	pthread_mutex_unlock(&link->lock);
	return rc;
}

/* If more messages are left, there will be another event. */
#define MAX_MESSAGES 16

static void link_ready(struct peers_watch *watch)
{
	struct link *link = container_of(watch, struct link, watch);
	struct wire_msg msg;
	int i, rc = 0;

	for (i = 0; i < MAX_MESSAGES && !rc; i++) {
		rc = wire_recv(watch->fd, &msg, NULL, 0);
		if (!rc && msg.type == WIRE_ANSWER)
			rc = link_answered(link, &msg);
		else if (!rc && msg.type != WIRE_BELL)
			rc = -EPROTO;
	}
	pthread_mutex_lock(&link->lock);
	if (rc && rc != -EAGAIN)
		link_kill(link);
	else
		link_say_rest(link);
	pthread_mutex_unlock(&link->lock);
	/* An end that stays would be reported for ever. */
	if (link_is_dead(link)) {
		peers_unwatch(watch);
		link_fail(link);
	} else {
		link_reap(link);
	}
}

void link_run(void)
{
	struct link *link;

	if (!link_were_stirred())
		return;
	while ((link = link_next_stirred())) {
		link_settle(link);
		link_put(link);
	}
}

static int wait_readable(int fd, u64 until)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	s64 left;
	int n;

	for (;;) {
		left = until - local_clock();
		if (left <= 0)
			return -ETIMEDOUT;
		n = poll(&pfd, 1, left / NSEC_PER_MSEC + 1);
		if (n > 0)
			return 0;
	}
}

/* If the memory could become shorter, reading it would end the process. */
static int map_area(struct link *link, int area, int fd, size_t size)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	int has = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;
	void *addr;

	if (has < 0 || (has & seals) != seals)
		return -EPERM;
	if (fstat(fd, &st) || st.st_size < (off_t)size)
		return -EPERM;
	/* There may be no huge pages left. */
	if (fstatfs(fd, &fs) || fs.f_type == HUGETLBFS_MAGIC)
		return -EPERM;
	addr = mmap(NULL, size,
		    area == WIRE_KERNEL ? PROT_READ : PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (addr == MAP_FAILED)
		return -errno;
	madvise(addr, size, MADV_DONTFORK);
	link->areas[area] = addr;
	link->sizes[area] = size;
	return 0;
}

static int map_areas(struct link *link, const int fds[WIRE_AREAS])
{
	struct doca_queue_create arg;
	int rc;

	wire_queue(&arg);
	rc = doca_ring_size(&arg);
	rc = rc ?: map_area(link, WIRE_USER, fds[WIRE_USER], arg.out_user_size);
	rc = rc	   ?:
		     map_area(link, WIRE_KERNEL, fds[WIRE_KERNEL],
			      arg.out_kernel_size);
	rc = rc ?: map_area(link, WIRE_DATA, fds[WIRE_DATA], WIRE_DATA_SIZE);
	if (rc)
		return rc;
	link_init_ring(link, &arg);
	return 0;
}

static int check_hello(struct link *link, const struct wire_msg *msg, int nr)
{
	const struct wire_hello *hello = &msg->hello;

	if (msg->type != WIRE_HELLO || hello->magic != WIRE_MAGIC)
		return -EPROTO;
	if (hello->error)
		return hello->error < 0 && hello->error > -4096 ? hello->error :
								  -EPROTO;
	if (nr != WIRE_AREAS || hello->version != WIRE_VERSION ||
	    hello->ring_version != DOCA_RING_VERSION ||
	    hello->page_size != PAGE_SIZE)
		return -EPROTO;
	link->data_key = hello->key;
	link->data_addr = hello->data;
	return 0;
}

static int say_hello(struct link *link, u64 until)
{
	struct wire_msg msg = {
		.type = WIRE_HELLO,
		.hello = {
			.magic = WIRE_MAGIC,
			.version = WIRE_VERSION,
			.ring_version = DOCA_RING_VERSION,
			.page_size = PAGE_SIZE,
		},
	};
	int fds[WIRE_AREAS], nr, i, rc;

	/* If the exporter does not take it, it may have sent the reason. */
	wire_send(link->watch.fd, &msg, NULL, 0);
	do {
		rc = wait_readable(link->watch.fd, until);
		if (rc)
			return rc;
		nr = wire_recv(link->watch.fd, &msg, fds, WIRE_AREAS);
	} while (nr == -EAGAIN);
	if (nr < 0)
		return nr == -EPIPE ? -EXDEV : nr;
	wire_refuse_fds(link->watch.fd);
	rc = check_hello(link, &msg, nr);
	rc = rc ?: map_areas(link, fds);
	for (i = 0; i < nr; i++)
		close(fds[i]);
	return rc;
}

/* Only the user that has made the blob may answer for it. */
static int check_uid(int fd, const struct doca_blob *blob)
{
	struct wire_id id;
	uid_t uid;
	int rc;

	memcpy(&id, blob->kernel_id, sizeof(id));
	rc = wire_peer_uid(fd, &uid);
	if (rc)
		return rc;
	return uid == le32_to_cpu(id.uid) ? 0 : -EPERM;
}

/* If many importers are waiting to be let in, there is room in a moment. */
static int connect_until(int fd, const struct sockaddr_un *address, int size,
			 u64 until)
{
	while (connect(fd, (const void *)address, size)) {
		if (errno != EAGAIN)
			return -errno;
		if (local_clock() >= until)
			return -ETIMEDOUT;
		poll(NULL, 0, 1);
	}
	return 0;
}

static int connect_to(int fd, const struct doca_blob *blob, u64 until)
{
	struct sockaddr_un address;
	int size, rc;

	size = wire_address(blob->kernel_id, &address);
	if (size < 0)
		return size;
	rc = connect_until(fd, &address, size, until);
	/* The exporter has ended, and cannot unlink its socket itself. */
	if (rc == -ECONNREFUSED && address.sun_path[0])
		unlink(address.sun_path);
	if (rc == -ETIMEDOUT || rc == -EACCES || rc == -EPERM)
		return rc;
	return rc ? -EXDEV : check_uid(fd, blob);
}

static int link_open(struct link *link, const struct doca_blob *blob, u64 until)
{
	int fd, rc;

	link_init_pieces(link);
	fd = peers_socket(&link->place);
	if (fd < 0)
		return fd;
	link->watch = (struct peers_watch){ fd, link_ready };
	rc = connect_to(fd, blob, until);
	rc = rc ?: say_hello(link, until);
	return rc ?: peers_watch(&link->watch);
}

static struct link *link_get(const struct doca_blob *blob, u64 until)
{
	struct link *link;
	bool found;
	int rc;

	link = link_get_any(blob->kernel_id, &found, until);
	if (IS_ERR(link) || found)
		return link;
	rc = link_open(link, blob, until);
	link_opened(link, rc);
	return rc ? ERR_PTR(rc) : link;
}

/* Ask one question at a time. */
static int link_ask(struct link *link, const struct doca_blob *blob,
		    struct wire_answer *answer, u64 until)
{
	struct wire_msg msg = { .type = WIRE_IMPORT, .blob = *blob };
	int rc = 0;

	pthread_mutex_lock(&link->lock);
	while (!rc && link->asking && !link->dead)
		rc = link_wait(&link->changed, &link->lock, until);
	if (rc || link->dead)
		goto out;
	link->asking = true;
	link->asked = true;
	msg.seq = ++link->seq;
	link_say(link, &msg);
	while (!rc && link->asked && !link->dead)
		rc = link_wait(&link->changed, &link->lock, until);
	if (!link->asked)
		rc = 0;
	*answer = link->answer;
	/* An answer that comes from now on is late. */
	link->late += link->asked;
	link->asked = false;
	link->asking = false;
	pthread_cond_broadcast(&link->changed);
out:
	if (link->dead)
		rc = -EXDEV;
	pthread_mutex_unlock(&link->lock);
	return rc;
}

static int check_answer(const struct wire_answer *answer)
{
	const u32 access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE;
	u64 last;

	if (answer->error)
		return answer->error < 0 && answer->error > -4096 ?
			       answer->error :
			       -EPROTO;
	if (!answer->length || answer->access & ~access ||
	    check_add_overflow(answer->addr, answer->length - 1, &last))
		return -EPROTO;
	return 0;
}

int link_import(const struct doca_blob *blob, struct link_import *import)
{
	u64 until = local_clock() + PATIENCE_NS;
	struct link *link = link_get(blob, until);
	struct wire_answer answer;
	int rc;

	if (IS_ERR(link))
		return PTR_ERR(link);
	rc = link_ask(link, blob, &answer, until);
	rc = rc ?: check_answer(&answer);
	if (rc) {
		link_put(link);
		return rc;
	}
	*import = (struct link_import){
		.link = link,
		.key = answer.key,
		.access = answer.access,
		.addr = answer.addr,
		.length = answer.length,
	};
	return 0;
}

void link_release(struct link *link, u32 key)
{
	struct wire_msg msg = { .type = WIRE_RELEASE, .key = key };

	pthread_mutex_lock(&link->lock);
	link_say(link, &msg);
	pthread_mutex_unlock(&link->lock);
	link_put(link);
}
