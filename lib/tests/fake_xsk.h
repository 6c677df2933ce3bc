/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A fake interface, in place of lib/xsk's sys.c, program.c and net.c. The rings of AF_XDP
 * sockets and of a packet socket are in memory of the process, and the kernel's part is
 * done when a test says so. Sent frames may be received again. One file of a program
 * includes it.
 */
#ifndef DOCA_TESTS_FAKE_XSK_H
#define DOCA_TESTS_FAKE_XSK_H

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "xsk/packet.h"
#include "xsk/sys.h"

#define WIRE_RULES 16
#ifndef WIRE_SENT /* frames that are kept for tests */
#define WIRE_SENT 4096
#endif
#define WIRE_FRAME 4096

struct wire_ring {
	uint32_t producer, consumer, flags, size;
	void *entries;
};

struct xsk_socket {
	struct xsk_socket *next; /* next socket of the queue */
	struct wire_ring rx;
	int fd;
};

struct xsk_umem {
	char *memory;
	struct xsk_sys_sizes sizes;
	struct wire_ring fill; /* made with the memory, as in the kernel */
};

struct sys_program {
	struct {
		bool used;
		struct steer_match match;
		struct steer_target target;
	} rules[WIRE_RULES];
	int sockets[STEER_RECEIVERS * STEER_QUEUES];
	bool left; /* left to the parent */
};

static struct {
	/* Set by tests: */
	uint32_t queues;
	uint32_t mtu;
	enum xsk_mode mode;
	int ifindex_err, queues_err, memory_err, bind_err, attach_err, map_err;
	int mtu_err, packet_err, kick_err;
	enum xsk_step attach_step;
	bool holds; /* sent frames stay in the ring */
	bool loops; /* sent frames are received */
	uint8_t filtered; /* frames that begin with it lack room, and are dropped */
	int error; /* error of the sockets */
	void (*in_map)(void); /* called in each change of a rule */
	bool no_tags; /* the driver has no room for tags */

	/* Read by tests: */
	struct sys_program *program;
	struct xsk_umem *umem[STEER_QUEUES]; /* owner of each queue */
	struct xsk_socket *bound[STEER_QUEUES];
	unsigned int sockets, umems, programs, packets, kicks, wakes;
	unsigned int passed, dropped; /* frames: to the kernel, by a full ring */
	char *ring;
	uint32_t slots, slot_size, kernel_head;
	unsigned int nr_sent;
	uint32_t sent_len[WIRE_SENT];
	uint8_t *sent; /* frames of WIRE_FRAME bytes */
} wire;

/* The kernel's own lock: threads may change the maps of a program while frames arrive. */
static pthread_mutex_t wire_lock = PTHREAD_MUTEX_INITIALIZER;

/* fault.h must not fail this: it is not the libraries' allocation. */
static void *wire_alloc(size_t size)
{
	void *p = NULL;

	if (posix_memalign(&p, 4096, size))
		abort();
	return memset(p, 0, size);
}

static inline void wire_reset(void)
{
	free(wire.sent);
	memset(&wire, 0, sizeof(wire));
	wire.sent = wire_alloc((size_t)WIRE_SENT * WIRE_FRAME);
	wire.queues = 1;
	wire.mtu = 1500;
	wire.mode = XSK_COPY;
}

static inline bool wire_clean(void)
{
	free(wire.sent);
	wire.sent = NULL;
	return !wire.sockets && !wire.umems && !wire.programs && !wire.packets;
}

static void ring_make(struct wire_ring *ring, uint32_t size, size_t entry)
{
	*ring = (struct wire_ring){ .size = size };
	ring->entries = wire_alloc(size * entry);
}

static void ring_show_prod(struct xsk_ring_prod *to, struct wire_ring *ring)
{
	*to = (struct xsk_ring_prod){ .cached_cons = ring->size,
				      .mask = ring->size - 1,
				      .size = ring->size,
				      .producer = &ring->producer,
				      .consumer = &ring->consumer,
				      .ring = ring->entries,
				      .flags = &ring->flags };
}

static void ring_show_cons(struct xsk_ring_cons *to, struct wire_ring *ring)
{
	*to = (struct xsk_ring_cons){ .mask = ring->size - 1,
				      .size = ring->size,
				      .producer = &ring->producer,
				      .consumer = &ring->consumer,
				      .ring = ring->entries,
				      .flags = &ring->flags };
}

int sys_ifindex(const char *ifname)
{
	(void)ifname;
	return wire.ifindex_err ? wire.ifindex_err : 3;
}

uint64_t sys_namespace(void)
{
	return 0;
}

int sys_nr_queues(const char *ifname, uint32_t *nr)
{
	(void)ifname;
	*nr = wire.queues;
	return wire.queues_err;
}

int sys_memory_add(struct xsk_sys_queue *queue, void *memory, size_t length,
		   const struct xsk_sys_sizes *sizes)
{
	struct xsk_umem *umem;

	(void)length;
	if (wire.memory_err)
		return wire.memory_err;
	umem = wire_alloc(sizeof(*umem));
	umem->memory = memory;
	umem->sizes = *sizes;
	ring_make(&umem->fill, sizes->fill, sizeof(uint64_t));
	ring_show_prod(&queue->fill, &umem->fill);
	queue->umem = umem;
	wire.umems++;
	return 0;
}

void sys_memory_del(struct xsk_umem *umem)
{
	for (uint32_t i = 0; i < STEER_QUEUES; i++)
		if (wire.umem[i] == umem)
			wire.umem[i] = NULL;
	wire.umems--;
	free(umem->fill.entries);
	free(umem);
}

/* The last queue always fails. */
int sys_queue_bind(struct xsk_sys_queue *queue, const char *ifname, uint32_t nr,
		   const struct xsk_sys_sizes *sizes, enum xsk_mode *mode)
{
	struct xsk_socket *socket;

	(void)ifname;
	if (wire.umem[nr] && wire.umem[nr] != queue->umem)
		return -EBUSY;
	if (wire.bind_err && nr == wire.queues - 1)
		return wire.bind_err;
	socket = wire_alloc(sizeof(*socket));
	ring_make(&socket->rx, sizes->rx, sizeof(struct xdp_desc));
	ring_show_cons(&queue->rx, &socket->rx);
	socket->fd = eventfd(0, EFD_NONBLOCK);
	queue->socket = socket;
	queue->fd = socket->fd;
	*mode = wire.mode == XSK_LATE ? XSK_COPY : wire.mode;
	wire.umem[nr] = queue->umem;
	socket->next = wire.bound[nr];
	wire.bound[nr] = socket;
	wire.sockets++;
	return 0;
}

void sys_queue_close(struct xsk_sys_queue *queue)
{
	struct xsk_socket **at;

	for (uint32_t i = 0; i < STEER_QUEUES; i++)
		for (at = &wire.bound[i]; *at; at = &(*at)->next)
			if (*at == queue->socket) {
				*at = (*at)->next;
				break;
			}
	wire.sockets--;
	close(queue->socket->fd);
	free(queue->socket->rx.entries);
	free(queue->socket);
}

void sys_queue_wake(struct xsk_sys_queue *queue)
{
	(void)queue;
	wire.wakes++;
}

int sys_queue_error(const struct xsk_sys_queue *queue)
{
	(void)queue;
	return wire.error;
}

uint64_t sys_queue_lost(const struct xsk_sys_queue *queue)
{
	uint64_t dropped;

	(void)queue;
	pthread_mutex_lock(&wire_lock);
	dropped = wire.dropped;
	pthread_mutex_unlock(&wire_lock);
	return dropped;
}

int sys_program_attach(struct sys_program **program, int ifindex, bool *late, enum xsk_step *step)
{
	(void)ifindex;
	*late = wire.mode == XSK_LATE;
	*step = wire.attach_step;
	if (wire.attach_err)
		return wire.attach_err;
	*program = wire_alloc(sizeof(**program));
	memset((*program)->sockets, -1, sizeof((*program)->sockets));
	wire.program = *program;
	wire.programs++;
	return 0;
}

void sys_program_leave(struct sys_program *program)
{
	program->left = true;
}

void sys_program_detach(struct sys_program *program)
{
	wire.programs--;
	wire.program = NULL;
	free(program);
}

int sys_program_set_socket(struct sys_program *program, uint32_t slot, int fd)
{
	if (fd >= 0 && wire.map_err)
		return wire.map_err;
	pthread_mutex_lock(&wire_lock);
	program->sockets[slot] = fd;
	pthread_mutex_unlock(&wire_lock);
	return 0;
}

static int set_rule(struct sys_program *program, const struct steer_match *match,
		    const struct steer_target *target)
{
	int at = -1;

	for (int i = WIRE_RULES; i--;)
		if (!program->rules[i].used ||
		    !memcmp(&program->rules[i].match, match, sizeof(*match)))
			at = i;
	for (int i = 0; i < WIRE_RULES; i++)
		if (program->rules[i].used &&
		    !memcmp(&program->rules[i].match, match, sizeof(*match)))
			at = i;
	if (at < 0)
		return -ENOSPC;
	program->rules[at].used = target;
	program->rules[at].match = *match;
	if (target)
		program->rules[at].target = *target;
	return 0;
}

int sys_program_set_rule(struct sys_program *program, const struct steer_match *match,
			 const struct steer_target *target)
{
	int err;

	if (target && wire.map_err)
		return wire.map_err;
	if (wire.in_map)
		wire.in_map();
	pthread_mutex_lock(&wire_lock);
	err = set_rule(program, match, target);
	pthread_mutex_unlock(&wire_lock);
	return err;
}

/* Return the number of rules. */
static inline unsigned int wire_rules(void)
{
	unsigned int n = 0;

	for (int i = 0; wire.program && i < WIRE_RULES; i++)
		n += wire.program->rules[i].used;
	return n;
}

int sys_mtu(const char *ifname, uint32_t *mtu)
{
	(void)ifname;
	*mtu = wire.mtu;
	return wire.mtu_err;
}

int sys_packet_open(const char *ifname, uint32_t slots, uint32_t slot_size, int *fd, void **ring)
{
	(void)ifname;
	if (wire.packet_err)
		return wire.packet_err;
	*ring = wire_alloc((size_t)slots * slot_size);
	wire.ring = *ring;
	wire.slots = slots;
	wire.slot_size = slot_size;
	wire.kernel_head = 0;
	wire.packets++;
	*fd = 1000;
	return 0;
}

void sys_packet_close(int fd, void *ring, size_t size)
{
	(void)fd;
	(void)size;
	wire.packets--;
	free(ring);
}

/* Return the key of a frame, as in rules.h, without using the program's own code. */
static bool wire_key(const uint8_t *f, uint32_t len, struct steer_match *key)
{
	memset(key, 0, sizeof(*key));
	if (len >= 42 && f[12] == 8 && f[13] == 0 && f[14] == 0x45 && f[23] == 17 &&
	    !(f[20] & 0x3f) && !f[21]) {
		key->family = 4;
		memcpy(key->address, f + 30, 4);
		memcpy(&key->port, f + 36, 2);
		return true;
	}
	if (len >= 62 && f[12] == 0x86 && f[13] == 0xdd && f[20] == 17) {
		key->family = 6;
		memcpy(key->address, f + 38, 16);
		memcpy(&key->port, f + 56, 2);
		return true;
	}
	return false;
}

static const struct steer_target *wire_find(const struct steer_match *key)
{
	const struct steer_target *target;

	for (int i = 0; wire.program && i < WIRE_RULES; i++) {
		target = &wire.program->rules[i].target;
		if (!wire.program->rules[i].used ||
		    memcmp(&wire.program->rules[i].match, key, sizeof(*key)))
			continue;
		/* An expired lease does not count. */
		return target->until && target->until < clock_ns() ? NULL : target;
	}
	return NULL;
}

static const struct steer_target *wire_target(const uint8_t *frame, uint32_t len)
{
	const struct steer_target *target = NULL;
	struct steer_match key;

	if (wire_key(frame, len, &key)) {
		target = wire_find(&key);
		memset(key.address, 0, sizeof(key.address));
		if (!target)
			target = wire_find(&key);
	}
	memset(&key, 0, sizeof(key));
	return target ? target : wire_find(&key);
}

static void socket_desc(struct xsk_socket *socket, uint64_t addr, uint32_t len)
{
	struct wire_ring *rx = &socket->rx;
	struct xdp_desc *desc = rx->entries;

	desc += rx->producer & (rx->size - 1);
	*desc = (struct xdp_desc){ .addr = addr, .len = len };
	__atomic_store_n(&rx->producer, rx->producer + 1, __ATOMIC_RELEASE);
	eventfd_write(socket->fd, 1);
}

/* Add a descriptor of the test, like a broken kernel. */
static inline void wire_desc(uint32_t queue, uint64_t addr, uint32_t len)
{
	socket_desc(wire.bound[queue], addr, len);
}

static struct xsk_socket *wire_socket(uint32_t queue, const struct steer_target *target)
{
	struct xsk_socket *socket = wire.bound[queue];

	while (socket->fd != wire.program->sockets[target->base + queue])
		socket = socket->next;
	return socket;
}

static void wire_store(uint32_t queue, const struct steer_target *target, const void *frame,
		       uint32_t len)
{
	struct xsk_socket *socket = wire_socket(queue, target);
	struct xsk_umem *umem = wire.umem[queue];
	struct wire_ring *fill = &umem->fill;
	struct wire_ring *rx = &socket->rx;
	const struct steer_tags tags = { .magic = STEER_MAGIC,
					 .flow_tag = target->flow_tag,
					 .metadata = target->metadata };
	uint64_t addr;

	if (__atomic_load_n(&fill->producer, __ATOMIC_ACQUIRE) == fill->consumer ||
	    rx->producer - __atomic_load_n(&rx->consumer, __ATOMIC_ACQUIRE) == rx->size) {
		wire.dropped++;
		return;
	}
	addr = ((uint64_t *)fill->entries)[fill->consumer & (fill->size - 1)];
	__atomic_store_n(&fill->consumer, fill->consumer + 1, __ATOMIC_RELEASE);
	addr += XSK_XDP_HEADROOM + umem->sizes.headroom;
	memcpy(umem->memory + addr, frame, len);
	if ((target->flow_tag || target->metadata) && !wire.no_tags)
		memcpy(umem->memory + addr - sizeof(tags), &tags, sizeof(tags));
	socket_desc(socket, addr, len);
}

static void receive_locked(uint32_t queue, const void *frame, uint32_t len)
{
	const struct steer_target *target = wire_target(frame, len);

	if (target && target->action == STEER_DROP)
		return;
	if (!target || target->action != STEER_QUEUE || len > target->room ||
	    wire.program->sockets[target->base + queue] < 0)
		wire.passed++;
	else
		wire_store(queue, target, frame, len);
}

/* Let a frame arrive. */
static inline void wire_receive(uint32_t queue, const void *frame, uint32_t len)
{
	pthread_mutex_lock(&wire_lock);
	receive_locked(queue, frame, len);
	pthread_mutex_unlock(&wire_lock);
}

/* Make descriptors of sockets that have nothing left unreadable. */
static inline void wire_settle(void)
{
	eventfd_t value;

	for (struct xsk_socket *s = wire.bound[0]; s; s = s->next)
		if (s->rx.producer == __atomic_load_n(&s->rx.consumer, __ATOMIC_ACQUIRE))
			eventfd_read(s->fd, &value);
}

/* Like the kernel: skip frames that are too long, and retry dropped ones. */
static inline int wire_send_slot(struct tpacket2_hdr *slot)
{
	char *frame = (char *)slot + PACKET_DATA;

	if (slot->tp_len > wire.slot_size)
		return 0;
	if (wire.filtered && frame[0] == wire.filtered)
		return -ENOBUFS;
	if (wire.nr_sent < WIRE_SENT) {
		memcpy(wire.sent + (size_t)wire.nr_sent * WIRE_FRAME, frame, slot->tp_len);
		wire.sent_len[wire.nr_sent++] = slot->tp_len;
	}
	if (wire.loops)
		wire_receive(0, frame, slot->tp_len);
	return 0;
}

/* Let the kernel take up to @n frames from the ring of frames to send. */
static inline int wire_send(unsigned int n)
{
	struct tpacket2_hdr *slot;
	int err;

	while (n--) {
		slot = (void *)(wire.ring +
				(size_t)(wire.kernel_head & (wire.slots - 1)) * wire.slot_size);
		if (slot->tp_status != TP_STATUS_SEND_REQUEST)
			return 0;
		err = wire_send_slot(slot);
		if (err)
			return err;
		slot->tp_status = TP_STATUS_AVAILABLE;
		wire.kernel_head++;
	}
	return 0;
}

int sys_packet_kick(int fd)
{
	(void)fd;
	wire.kicks++;
	if (wire.kick_err)
		return wire.kick_err;
	return wire.holds ? 0 : wire_send(wire.slots);
}

static inline const uint8_t *wire_sent(unsigned int i)
{
	return wire.sent + (size_t)i * WIRE_FRAME;
}

#endif /* DOCA_TESTS_FAKE_XSK_H */
