// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Connections to those from whom something is imported: how one is made, imports, and
 * the end. A connection is that of a process, found by the id in its blobs; the service
 * thread reads what comes over its socket, and frees it.
 */
#include "shim/kernel.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "link_inner.h"
#include "peers.h"
#include "ring.h"

#define PATIENCE_NS (5 * NSEC_PER_SEC)

static struct {
	pthread_mutex_t lock; /* of the lists */
	pthread_mutex_t connecting;
	struct list_head links;
	struct list_head closed;
	unsigned int nr;
} links = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.connecting = PTHREAD_MUTEX_INITIALIZER,
	.links = LIST_HEAD_INIT(links.links),
	.closed = LIST_HEAD_INIT(links.closed),
};

/* With a reference; NULL. */
static struct link *link_find(const u8 id[16])
{
	struct link *link, *found = NULL;

	pthread_mutex_lock(&links.lock);
	list_for_each_entry(link, &links.links, node) {
		if (memcmp(link->id, id, sizeof(link->id)) ||
		    link_is_dead(link) || !kref_get_unless_zero(&link->ref))
			continue;
		found = link;
		break;
	}
	pthread_mutex_unlock(&links.lock);
	return found;
}

/* Nobody names it any more; the thread, which may be about to, frees it. */
static void link_last(struct kref *ref)
{
	struct link *link = container_of(ref, struct link, ref);

	pthread_mutex_lock(&links.lock);
	list_move_tail(&link->node, &links.closed);
	pthread_mutex_unlock(&links.lock);
	peers_poke();
}

void link_put(struct link *link)
{
	kref_put(&link->ref, link_last);
}

static void link_unmap(struct link *link)
{
	int i;

	for (i = 0; i < WIRE_AREAS; i++)
		if (link->areas[i])
			munmap(link->areas[i], link->sizes[i]);
}

static void link_free(struct link *link)
{
	link_unmap(link);
	if (link->place >= 0) {
		peers_unwatch(&link->watch);
		peers_close(link->place);
	}
	pthread_mutex_destroy(&link->lock);
	pthread_mutex_destroy(&link->asking);
	pthread_cond_destroy(&link->answered);
	free(link);
}

void link_reap_closed(void)
{
	struct link *link;

	for (;;) {
		pthread_mutex_lock(&links.lock);
		link = list_first_entry_or_null(&links.closed, struct link,
						node);
		if (link) {
			list_del(&link->node);
			links.nr--;
		}
		pthread_mutex_unlock(&links.lock);
		if (!link)
			return;
		link_free(link);
	}
}

void link_end(void)
{
	link_reap_closed();
	BUG_ON(!list_empty(&links.links));
}

/* It is over: all that is under way fails, and who waits for an answer is told. */
static void link_die(struct link *link)
{
	pthread_mutex_lock(&link->lock);
	WRITE_ONCE(link->dead, true);
	pthread_cond_broadcast(&link->answered);
	link_kick_all(link);
	pthread_mutex_unlock(&link->lock);
	shutdown(link->watch.fd, SHUT_RDWR);
}

/* To a question that nobody waits for any more: what it has brought is given back. */
static void answer_late(struct link *link, const struct wire_answer *answer)
{
	struct wire_msg msg = { .type = WIRE_RELEASE, .key = answer->key };

	if (!answer->error)
		wire_send(link->watch.fd, &msg, NULL, 0);
}

static void link_answered(struct link *link, const struct wire_msg *msg)
{
	pthread_mutex_lock(&link->lock);
	if (link->asked && msg->seq == link->seq) {
		link->answer = msg->answer;
		link->asked = false;
		pthread_cond_broadcast(&link->answered);
	} else {
		answer_late(link, &msg->answer);
	}
	pthread_mutex_unlock(&link->lock);
}

/* Once without a message there will be another event. */
#define MAX_MESSAGES 16

static void link_ready(struct peers_watch *watch)
{
	struct link *link = container_of(watch, struct link, watch);
	struct wire_msg msg;
	int i, rc = 0;

	for (i = 0; i < MAX_MESSAGES && !rc; i++) {
		rc = wire_recv(watch->fd, &msg, NULL, 0);
		if (!rc && msg.type == WIRE_ANSWER)
			link_answered(link, &msg);
		else if (!rc && msg.type != WIRE_BELL)
			rc = -EPROTO;
	}
	if (rc && rc != -EAGAIN && !link->dead) {
		link_die(link);
		/* An end that stays would be told for ever. */
		peers_unwatch(watch);
		return;
	}
	link_reap(link, NULL);
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

/* In memory that may become shorter, looking at it would be the end. */
static int map_area(struct link *link, int area, int fd, size_t size)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	int has = fcntl(fd, F_GET_SEALS);
	struct stat st;
	void *addr;

	if (has < 0 || (has & seals) != seals)
		return -EPERM;
	if (fstat(fd, &st) || st.st_size < (off_t)size)
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

static int say_hello(struct link *link)
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
	u64 until = local_clock() + PATIENCE_NS;
	int fds[WIRE_AREAS], nr, i, rc;

	rc = wire_send(link->watch.fd, &msg, NULL, 0);
	if (rc)
		return -EXDEV;
	do {
		rc = wait_readable(link->watch.fd, until);
		if (rc)
			return rc;
		nr = wire_recv(link->watch.fd, &msg, fds, WIRE_AREAS);
	} while (nr == -EAGAIN);
	if (nr < 0)
		return nr == -EPIPE ? -EXDEV : nr;
	rc = check_hello(link, &msg, nr);
	rc = rc ?: map_areas(link, fds);
	for (i = 0; i < nr; i++)
		close(fds[i]);
	return rc;
}

/* Nobody else may answer in the name of who has made the blob. */
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

static int connect_to(int fd, const struct doca_blob *blob)
{
	struct sockaddr_un address;
	int size, rc;

	size = wire_address(blob->kernel_id, &address);
	if (size < 0)
		return size;
	if (connect(fd, (void *)&address, size)) {
		rc = -errno;
		/* Who was there has gone, and cannot take it away itself. */
		if (rc == -ECONNREFUSED && address.sun_path[0])
			unlink(address.sun_path);
		return rc == -EAGAIN		     ? -ETIMEDOUT :
		       rc == -EACCES || rc == -EPERM ? rc :
						       -EXDEV;
	}
	return check_uid(fd, blob);
}

static int link_open(struct link *link, const struct doca_blob *blob)
{
	int fd, rc;

	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	link->place = peers_keep(fd);
	if (link->place < 0) {
		close(fd);
		return -EDQUOT;
	}
	link->watch = (struct peers_watch){ fd, link_ready };
	rc = connect_to(fd, blob);
	return rc ?: say_hello(link);
}

static struct link *link_alloc(const u8 id[16])
{
	struct link *link = calloc(1, sizeof(*link));
	pthread_condattr_t attr;

	if (!link)
		return NULL;
	kref_init(&link->ref);
	memcpy(link->id, id, sizeof(link->id));
	link->place = -1;
	pthread_mutex_init(&link->lock, NULL);
	pthread_mutex_init(&link->asking, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&link->answered, &attr);
	pthread_condattr_destroy(&attr);
	link_init_pieces(link);
	return link;
}

static struct link *link_connect(const struct doca_blob *blob)
{
	struct link *link;
	int rc;

	rc = peers_start();
	if (rc)
		return ERR_PTR(rc);
	if (READ_ONCE(links.nr) >= PEERS_MAX)
		return ERR_PTR(-EDQUOT);
	link = link_alloc(blob->kernel_id);
	if (!link)
		return ERR_PTR(-ENOMEM);
	rc = link_open(link, blob);
	rc = rc ?: peers_watch(&link->watch);
	if (rc) {
		link_free(link);
		return ERR_PTR(rc);
	}
	pthread_mutex_lock(&links.lock);
	list_add_tail(&link->node, &links.links);
	links.nr++;
	pthread_mutex_unlock(&links.lock);
	return link;
}

static struct link *link_get(const struct doca_blob *blob)
{
	struct link *link;

	pthread_mutex_lock(&links.connecting);
	link = link_find(blob->kernel_id);
	if (!link)
		link = link_connect(blob);
	pthread_mutex_unlock(&links.connecting);
	return link;
}

/* With @asking. */
static int link_ask(struct link *link, const struct doca_blob *blob,
		    struct wire_answer *answer)
{
	struct wire_msg msg = { .type = WIRE_IMPORT, .blob = *blob };
	u64 until = local_clock() + PATIENCE_NS;
	struct timespec at = { until / NSEC_PER_SEC, until % NSEC_PER_SEC };
	int rc;

	pthread_mutex_lock(&link->lock);
	msg.seq = ++link->seq;
	link->asked = true;
	rc = wire_send(link->watch.fd, &msg, NULL, 0);
	if (rc == -EAGAIN)
		rc = -ETIMEDOUT;
	while (!rc && link->asked && !link->dead)
		rc = -pthread_cond_timedwait(&link->answered, &link->lock, &at);
	if (link->asked && link->dead)
		rc = -EXDEV;
	else if (!link->asked)
		rc = 0;
	link->asked = false;
	*answer = link->answer;
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
	struct link *link = link_get(blob);
	struct wire_answer answer;
	int rc;

	if (IS_ERR(link))
		return PTR_ERR(link);
	pthread_mutex_lock(&link->asking);
	rc = link_ask(link, blob, &answer);
	pthread_mutex_unlock(&link->asking);
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

/* If there is no room, the other side is far behind, and the key goes with the link. */
void link_release(struct link *link, u32 key)
{
	struct wire_msg msg = { .type = WIRE_RELEASE, .key = key };

	if (!link_is_dead(link))
		wire_send(link->watch.fd, &msg, NULL, 0);
	link_put(link);
}
