// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Hostile ends of a channel, controlled by an input: a server, a client, a consumer and a
 * producer, their entries, phases and heads, the order in which they come and go, and the memory
 * that is taken away meanwhile. ASan detects copies outside of the memory; this checks that who
 * is honest gets only what was sent, and that its queue does not break.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/doca.h>

#include "inproc.h"
#include "input.h"
#include "ring.h"
#include "selftests/lib/own_name.h"

#define NAME own_name("fuzzed")
#define ENTRIES 8
#define ORDER 3
#define INBOX 16
#define INBOX_ORDER 4
#define SLOTS 4
#define SLOT 64
#define MEM_SIZE 5000 /* not whole pages */
#define UNTOUCHED 0xa5

/* The first two are of the sides of a pair. */
enum { SERVER, CLIENT, CONSUMER, PRODUCER, NR_ENDS };

struct end {
	int fd;
	struct doca_queue_create arg;
	struct doca_ring_user *user;
	const struct doca_ring_kernel *kernel;
	uint32_t tail; /* entries announced */
	uint32_t reaped; /* completions */
	uint32_t head; /* events */
	uint32_t id; /* id of the connection, or of the consumer or producer */
	bool honest; /* no phase or head was invented */
};

static struct {
	int fd;
	uint32_t devices[2]; /* devices of server and client */
	uint32_t function;
	struct end ends[NR_ENDS];
	/* Memory of the consumer, of the producer, and of the latter that is read only. */
	struct {
		uint8_t *addr;
		uint32_t id;
		uint32_t key;
	} mems[3];
} program = { .fd = -1 };

static const uint64_t opcodes[NR_ENDS] = {
	[SERVER] = 1 << DOCA_OP_MSG_SEND,
	[CLIENT] = 1 << DOCA_OP_MSG_SEND,
	[CONSUMER] = 1 << DOCA_OP_POST_RECV,
	[PRODUCER] = 1 << DOCA_OP_SEND_TO,
};

static uint32_t device_of(int which)
{
	return program.devices[which % 2];
}

static void map(int i)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = program.mems[i].id,
		.device_id = program.devices[i > 0],
		.access = DOCA_ACCESS_LOCAL_READ |
			  (i < 2 ? DOCA_ACCESS_LOCAL_WRITE : 0),
	};

	CHECK(!ioctl(program.fd, DOCA_MEM_MAP, &arg));
	program.mems[i].key = arg.out_key;
}

static void unmap(int i)
{
	struct doca_mem_unmap arg = {
		.size = sizeof(arg),
		.key = program.mems[i].key,
	};

	CHECK(!ioctl(program.fd, DOCA_MEM_UNMAP, &arg));
}

static void begin(void)
{
	struct inproc_function function = {};
	char name[64];
	int i;

	if (program.fd >= 0)
		return;
	CHECK(inproc_next_device(&program.devices[SERVER], name, sizeof(name)));
	program.devices[CLIENT] = inproc_add_device("host");
	CHECK(!inproc_add_function("pair", program.devices[SERVER],
				   program.devices[CLIENT], false));
	CHECK(inproc_next_function(&function));
	program.function = function.id;
	program.fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	CHECK(program.fd >= 0);
	for (i = 0; i < 3; i++) {
		struct doca_mem_reg arg = {
			.size = sizeof(arg),
			.length = MEM_SIZE,
			.access = DOCA_ACCESS_LOCAL_READ |
				  DOCA_ACCESS_LOCAL_WRITE,
		};

		program.mems[i].addr = malloc(MEM_SIZE);
		CHECK(program.mems[i].addr);
		memset(program.mems[i].addr, i ? UNTOUCHED : 0, MEM_SIZE);
		arg.addr = (uintptr_t)program.mems[i].addr;
		CHECK(!ioctl(program.fd, DOCA_MEM_REG, &arg));
		program.mems[i].id = arg.out_mem_id;
		map(i);
	}
}

static void end_open(int which)
{
	bool talks = which < CONSUMER;
	struct end *e = &program.ends[which];
	char *user, *kernel;

	*e = (struct end){
		.arg = {
			.size = sizeof(e->arg),
			.device_id = device_of(which),
			.sq_entries = ENTRIES,
			.cq_entries = ENTRIES,
			.nr_segments = which == PRODUCER ? 8 : 0,
			.opcodes = opcodes[which],
			.nr_ops = talks ? 2 : 0,
			.inbox_entries = INBOX,
			.recv_slots = talks ? SLOTS : 0,
			.send_slots = talks ? SLOTS : 0,
			.slot_size = talks ? SLOT : 0,
		},
		.honest = true,
	};
	CHECK(!ioctl(program.fd, DOCA_QUEUE_CREATE, &e->arg));
	e->fd = e->arg.out_fd;
	user = mmap(NULL, e->arg.out_user_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, e->fd, DOCA_MMAP_USER);
	kernel = mmap(NULL, e->arg.out_kernel_size, PROT_READ, MAP_SHARED,
		      e->fd, DOCA_MMAP_KERNEL);
	CHECK(user != MAP_FAILED && kernel != MAP_FAILED);
	e->user = (void *)user;
	e->kernel = (const void *)kernel;
}

static void end_close(int which)
{
	struct end *e = &program.ends[which];

	munmap(e->user, e->arg.out_user_size);
	munmap((void *)e->kernel, e->arg.out_kernel_size);
	close(e->fd);
}

static void call_listen(void)
{
	struct doca_queue_listen arg = {
		.size = sizeof(arg),
		.function_id = program.function,
		.max_message = SLOT,
	};

	strcpy(arg.name, NAME);
	ioctl(program.ends[SERVER].fd, DOCA_QUEUE_LISTEN, &arg);
}

static void call_connect(void)
{
	struct doca_queue_connect arg = {
		.size = sizeof(arg),
		.max_message = SLOT,
	};

	strcpy(arg.name, NAME);
	if (!ioctl(program.ends[CLIENT].fd, DOCA_QUEUE_CONNECT, &arg))
		program.ends[CLIENT].id = arg.out_connection;
}

static void call_disconnect(int which)
{
	struct doca_queue_disconnect arg = {
		.size = sizeof(arg),
		.connection = program.ends[which].id,
	};

	ioctl(program.ends[which].fd, DOCA_QUEUE_DISCONNECT, &arg);
}

static void call_attach(int which)
{
	struct end *parent = &program.ends[which - CONSUMER];
	struct doca_queue_attach arg = {
		.size = sizeof(arg),
		.parent_fd = parent->fd,
		.connection = parent->id,
		.role = which == CONSUMER ? DOCA_ATTACH_CONSUMER :
					    DOCA_ATTACH_PRODUCER,
		.key = which == CONSUMER ? program.mems[0].key : 0,
		.imm_length = which == CONSUMER ? 16 : 0,
	};

	if (!ioctl(program.ends[which].fd, DOCA_QUEUE_ATTACH, &arg))
		program.ends[which].id = arg.out_id;
}

static void call_announce(void)
{
	struct doca_queue_announce arg = { .size = sizeof(arg) };

	ioctl(program.ends[CONSUMER].fd, DOCA_QUEUE_ANNOUNCE, &arg);
}

static void call_stop(int which)
{
	struct doca_queue_stop arg = { .size = sizeof(arg) };

	CHECK(!ioctl(program.ends[which].fd, DOCA_QUEUE_STOP, &arg));
}

/* Only the events that an end may get, and of what there is. */
static void check_event(int which, const struct doca_event *event)
{
	CHECK(event->status <= DOCA_STATUS_RESET || event->status >= 0x100);
	switch (event->type) {
	case DOCA_EVENT_MESSAGE:
		CHECK(which < CONSUMER && event->slot < SLOTS);
		CHECK(event->length && event->length <= SLOT);
		break;
	case DOCA_EVENT_RECEIVED:
		CHECK(which == CONSUMER && event->imm_length <= 16);
		CHECK(event->length <= MEM_SIZE);
		break;
	case DOCA_EVENT_DISCONNECTED:
		break;
	default:
		CHECK(which < CONSUMER && event->type);
	}
}

static void note_event(int which, const struct doca_event *event)
{
	if (event->type == DOCA_EVENT_CONNECTED)
		program.ends[which].id = event->connection;
}

static void enter(int which)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = ENTRIES,
	};

	CHECK(!ioctl(program.ends[which].fd, DOCA_QUEUE_ENTER, &arg));
}

static void reap(int which)
{
	struct end *e = &program.ends[which];
	const struct doca_cqe *cqes =
		(const void *)((char *)e->kernel + e->arg.out_cq_off);

	while (cqes[e->reaped % ENTRIES].phase ==
	       DOCA_RING_PHASE(e->reaped, ORDER))
		e->reaped++;
	if (!e->honest)
		return;
	CHECK((int32_t)(e->tail - e->reaped) >= 0);
	e->user->cq_head = e->reaped;
}

/* Take up to @nr events. */
static void take_events(int which, unsigned int nr)
{
	struct end *e = &program.ends[which];
	const struct doca_event *events =
		(const void *)((char *)e->kernel + e->arg.out_event_off);
	const struct doca_event *event = &events[e->head % INBOX];

	while (nr-- && event->phase == DOCA_RING_PHASE(e->head, INBOX_ORDER)) {
		if (e->honest)
			check_event(which, event);
		note_event(which, event);
		event = &events[++e->head % INBOX];
	}
	if (e->honest)
		e->user->ev_head = e->head;
	if (e->kernel->ev_starved)
		enter(which);
	CHECK(e->kernel->state <= DOCA_QUEUE_BROKEN);
	if (e->honest)
		CHECK(e->kernel->state != DOCA_QUEUE_BROKEN);
}

/* Mostly within the memory, or near its end. */
static struct doca_seg take_seg(struct input *in, int i)
{
	uint8_t what = take(in, 1);
	struct doca_seg seg = {
		.key = program.mems[i].key,
		.length = take(in, what & 0x20 ? 2 : 1),
		.address = (uintptr_t)program.mems[i].addr,
	};

	if (what & 0x80)
		return (struct doca_seg){ 0 };
	if (what & 0x40)
		seg.key = take(in, 4);
	if (what & 0x10)
		seg.address += MEM_SIZE;
	seg.address += (int8_t)take(in, 1);
	return seg;
}

static struct doca_sqe take_entry(struct input *in, int which, uint8_t shape)
{
	struct doca_sqe sqe = { .opcode = __builtin_ctzll(opcodes[which]) };

	switch (which) {
	case CONSUMER:
		sqe.dst = take_seg(in, 0);
		break;
	case PRODUCER:
		sqe.src = take_seg(in, 1 + (shape & 1));
		sqe.aux = shape & 2 ? take(in, 2) : program.ends[CONSUMER].id;
		sqe.flags = take(in, 1) % 40 << DOCA_SQE_IMM_SHIFT;
		break;
	default:
		sqe.src.address = shape & 1 ? take(in, 4) : take(in, 1) % SLOTS;
		sqe.src.length = take(in, 1) % (SLOT + 2);
		sqe.op[0] = shape & 2 ? take(in, 4) : program.ends[which].id;
	}
	if (shape & 0x40)
		sqe.opcode = take_opcode(in);
	if (shape & 0x80)
		sqe.flags = take(in, 2);
	return sqe;
}

/* Send no more than there are slots; an honest program keeps the ring's limit. */
static void put_entry(struct input *in, int which)
{
	struct end *e = &program.ends[which];
	struct doca_sqe *sqes = (void *)((char *)e->user + e->arg.out_sq_off);
	struct doca_sqe *at = &sqes[e->tail % ENTRIES];
	struct doca_sqe sqe = take_entry(in, which, take(in, 1));

	if (e->tail - e->kernel->sq_head >= ENTRIES)
		return;
	sqe.user_data = e->tail;
	sqe.phase = at->phase;
	*at = sqe;
	__atomic_store_n(&at->phase, DOCA_RING_PHASE(e->tail, ORDER),
			 __ATOMIC_RELEASE);
	e->tail++;
	if (e->kernel->need_wakeup)
		enter(which);
}

static void lie(struct input *in, int which)
{
	struct end *e = &program.ends[which];
	struct doca_sqe *sqes = (void *)((char *)e->user + e->arg.out_sq_off);
	uint8_t what = take(in, 1);

	switch (what % 4) {
	case 0:
		e->honest = false;
		e->user->ev_head = what & 0x80 ? e->head + (int8_t)take(in, 1) :
						 take(in, 4);
		break;
	case 1:
		e->honest = false;
		sqes[take(in, 1) % ENTRIES].phase = take(in, 2);
		break;
	case 2:
		e->honest = false;
		e->user->cq_head = take(in, 4);
		break;
	case 3:
		e->user->ev_notify_at = e->user->notify_at = take(in, 4);
	}
}

/* Anyone may go at any time, and come back as it was. */
static void come_again(int which)
{
	end_close(which);
	end_open(which);
	if (which == SERVER)
		call_listen();
	else if (which == CLIENT)
		call_connect();
	else
		call_attach(which);
	if (which == CONSUMER)
		call_announce();
}

static void act(struct input *in)
{
	uint8_t what = take(in, 1);
	int which = what / 16 % NR_ENDS;

	switch (what % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
		put_entry(in, which);
		break;
	case 4:
	case 5:
		enter(which);
		reap(which);
		break;
	case 6:
	case 7:
		take_events(which, 1 + what / 64 * 4);
		break;
	case 8:
		lie(in, which);
		break;
	case 9:
		come_again(which);
		break;
	case 10:
		call_stop(which);
		break;
	case 11:
		call_disconnect(which % 2);
		break;
	case 12:
		call_connect();
		break;
	case 13:
		call_attach(CONSUMER + which % 2);
		break;
	case 14:
		call_announce();
		break;
	case 15:
		unmap(which % 3);
		map(which % 3);
	}
}

static void check_untouched(void)
{
	int i, j;

	for (i = 1; i < 3; i++)
		for (j = 0; j < MEM_SIZE; j++)
			CHECK(program.mems[i].addr[j] == UNTOUCHED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	int i;

	begin();
	for (i = 0; i < NR_ENDS; i++)
		end_open(i);
	call_listen();
	call_connect();
	take_events(SERVER, 1);
	take_events(CLIENT, 1);
	call_attach(CONSUMER);
	call_attach(PRODUCER);
	call_announce();
	while (in.size)
		act(&in);
	for (i = 0; i < NR_ENDS; i++)
		end_close(i);
	check_untouched();
	return 0;
}
