// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The meaning of steps: the list of calls, their arguments, processes and threads. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "language.h"

#define FIRST_FD 3
#define BLOCK_MAX 8 /* steps of another task */

struct common *common;
struct process self;
void (*on_task)(unsigned int number);

/* The next steps belong to another task. */
#define FORK "fork"
#define THREAD "thread"

/* Add new calls at the end: the corpus has the numbers of the others. */
static const struct {
	const char *name;
	void (*run)(const uint8_t *arg);
} calls[] = {
	{ "none", do_none },
	{ FORK, NULL },
	{ THREAD, NULL },
	{ "query", do_query },
	{ "reg", do_reg },
	{ "dereg", do_dereg },
	{ "map", do_map },
	{ "unmap", do_unmap },
	{ "export", do_export },
	{ "revoke", do_revoke },
	{ "import", do_import },
	{ "blob_change", do_blob_change },
	{ "worker_create", do_worker_create },
	{ "worker_destroy", do_worker_destroy },
	{ "queue_create", do_queue_create },
	{ "queue_map", do_queue_map },
	{ "queue_remap", do_queue_remap },
	{ "queue_unmap", do_queue_unmap },
	{ "queue_protect", do_queue_protect },
	{ "queue_close", do_queue_close },
	{ "enter", do_enter },
	{ "stop", do_stop },
	{ "poll", do_poll },
	{ "entry", do_entry },
	{ "segment", do_segment },
	{ "phase", do_phase },
	{ "index", do_index },
	{ "reap", do_reap },
	{ "scribble", do_scribble },
	{ "arena_map", do_arena_map },
	{ "arena_unmap", do_arena_unmap },
	{ "arena_protect", do_arena_protect },
	{ "arena_advise", do_arena_advise },
	{ "arena_move", do_arena_move },
	{ "arena_write", do_arena_write },
	{ "open", do_open },
	{ "close", do_close },
	{ "dup", do_dup },
	{ "send", do_send },
	{ "receive", do_receive },
	{ "raw", do_raw },
	{ "fdinfo", do_fdinfo },
	{ "list", do_list },
	{ "become", do_become },
	{ "limit", do_limit },
	{ "fail", do_fail },
	{ "pause", do_pause },
	{ "unplug", do_unplug },
	{ "plug", do_plug },
	{ "reg_dmabuf", do_reg_dmabuf },
	{ "dmabuf", do_dmabuf },
	{ "entry", do_entry }, /* repeated to be chosen more often: most depends on it */
	{ "entry", do_entry },
	{ "reg", do_reg },
	{ "map", do_map },
	{ "queue_create", do_queue_create },
	{ "enter", do_enter },
	{ "device_query", do_device_query },
	{ "inbox_create", do_inbox_create },
	{ "listen", do_listen },
	{ "connect", do_connect },
	{ "disconnect", do_disconnect },
	{ "attach", do_attach },
	{ "announce", do_announce },
	{ "message", do_message },
	{ "receive_events", do_receive_events },
};

#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

const unsigned int nr_calls = NR_CALLS;

const char *step_name(const struct step *step)
{
	return calls[step->call % NR_CALLS].name;
}

uint64_t take_number(uint8_t byte)
{
	static const uint64_t edges[] = {
		255, 256, 257, 511, 512, 1023, 1024, 1025, 4095, 4096, 4097, 8192,
		0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x10001, 0xfffff,
		0x3fffffff, 0x40000000, 0x40001000, 0x7fffffff, 0x80000000,
		0x80000001, 0xfffff000, 0xfffffffe, 0xffffffff, 0x100000000,
		0x100000001, 0x1ffffffff, 0x7ffffffff000, 0x7fffffffffff,
		0x800000000000, 0x7fffffffffffffff, 0x8000000000000000,
		0xffff800000000000, 0xffffffff81000000, 0xfffffffffffff000,
		0xfffffffffffffff8, 0xffffffffffffffff,
	};

	if (byte < 0xc0)
		return byte;
	return edges[(byte - 0xc0) % (sizeof(edges) / sizeof(edges[0]))];
}

/* Take words, pages or any length; seldom too much. */
uint64_t take_length(uint8_t byte)
{
	if (byte < 0x10)
		return byte ? byte * PAGE_BYTES : 8;
	if (byte < 0x40)
		return (byte - 0x10) * 8;
	if (byte < 0xe0)
		return (byte - 0x40) * 6007;
	return take_number(byte);
}

char *take_address(const uint8_t *two)
{
	uint64_t page = two[0], offset = (two[1] & 0x7f) * 32;

	if (two[1] & 0x80)
		offset = PAGE_BYTES - offset / 32 - 1;
	if (page < ARENA_PAGES)
		return ARENA + page * PAGE_BYTES + offset;
	if (page < 0xf8)
		return take_ring(page)->user + offset;
	return (char *)take_number(0xd8 + (page & 7) * 2) + offset;
}

uint32_t take_recent(const struct recent *things, uint8_t byte)
{
	uint32_t made = __atomic_load_n(&things->made, __ATOMIC_RELAXED), value;
	uint32_t age = byte % RECENT;

	if (byte >= 0xf0)
		return take_number(byte) >> (byte & 1 ? 0 : 8);
	if (!made)
		return 0;
	value = __atomic_load_n(&things->value[(made - 1 - age % made) % RECENT],
				__ATOMIC_RELAXED);
	if (byte < 0xc0)
		return value;
	return byte & 8 ? value + 1 : value ^ 1U << (byte & 7) * 4;
}

void recent_add(struct recent *things, uint32_t value)
{
	uint32_t made = __atomic_fetch_add(&things->made, 1, __ATOMIC_RELAXED);

	__atomic_store_n(&things->value[made % RECENT], value, __ATOMIC_RELAXED);
}

struct ring *take_ring(uint8_t byte)
{
	static struct ring none = { .fd = -1, .user = ARENA, .kernel = ARENA,
				    .geo = { .sq_entries = 1, .cq_entries = 1,
					     .out_user_size = PAGE_BYTES } };
	uint32_t made = __atomic_load_n(&self.nr_rings, __ATOMIC_RELAXED);

	if (!made)
		return &none;
	return &self.rings[(made - 1 - byte % RECENT % made) % RECENT];
}

/* Make the @nth allocation or copy of this thread fail; 0 for none. */
static int arm(unsigned int nth)
{
	char word[16];
	int fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	int len = snprintf(word, sizeof(word), "%u", nth);

	if (fd >= 0 && write(fd, word, len) == len)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Try twice: this write may be what fails. Another thread may have closed the file. */
static void disarm(int fd)
{
	if (pwrite(fd, "0", 1, 0) < 0 && pwrite(fd, "0", 1, 0) < 0)
		errno = 0;
	close(fd);
}

static void *twist_argument(void *arg, size_t size, uint8_t twist)
{
	uint8_t *bytes = arg;
	size_t at = (twist & 0x1f) * 4;

	switch (twist >> 5) {
	case 6:
		return ARENA + (twist & 0x1f) * PAGE_BYTES + PAGE_BYTES - 8;
	case 7:
		return (void *)take_number(0xd0 + (twist & 0x1f));
	case 5:
		*(uint32_t *)arg = take_number(0xc0 + (twist & 0x1f));
		return arg;
	default:
		bytes[(at + (twist >> 5)) % size] ^= 1U << (twist % 8);
		return arg;
	}
}

/* For dma_buf_vmap() it is a bug if an exporter has no memory. */
static bool may_fail(unsigned long cmd, const uint64_t *arg, uint8_t twist)
{
	const struct doca_mem_reg *reg = (const void *)arg;

	return twist < 0xc0 && (cmd != DOCA_MEM_REG || !(reg->flags & DOCA_MEM_REG_DMABUF));
}

/* A twisted size may be larger than the argument. */
int call_driver(int fd, unsigned long cmd, void *arg, size_t size, uint8_t twist)
{
	uint64_t copy[64] = {};
	void *at = copy;
	int armed = -1, code;

	memcpy(copy, arg, size);
	if (twist)
		at = twist_argument(copy, size, twist);
	if (self.fail_nth && may_fail(cmd, copy, twist))
		armed = arm(self.fail_nth);
	code = ioctl(fd, cmd, at);
	if (armed >= 0)
		disarm(armed);
	self.fail_nth = 0;
	memcpy(arg, copy, size);
	return code;
}

/* Steps of another task, or of the whole program. */
struct block {
	const struct step *steps;
	unsigned int n;
	unsigned int repeat;
};

/* Threads of one process; each comes after the thread that made it. */
static struct thread {
	pthread_t id;
	struct block block;
	bool begun;
} threads[TASKS];
static unsigned int nr_threads;

static void run_block(const struct block *block);

static bool begin_task(void)
{
	unsigned int number = __atomic_fetch_add(&common->nr_tasks, 1,
						 __ATOMIC_RELAXED);

	if (number >= TASKS)
		return false;
	if (on_task)
		on_task(number);
	return true;
}

/* End all tasks that are left, in the order of their numbers. */
static void end_process(void)
{
	unsigned int i;

	__atomic_store_n(&self.over, true, __ATOMIC_RELAXED);
	for (i = 0; i < TASKS; i++)
		if (threads[i].begun)
			pthread_join(threads[i].id, NULL);
	close_range(FIRST_FD, UINT_MAX, 0);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

static void run_process(const struct block *block)
{
	pid_t pid = fork();

	if (pid)
		return;
	memset(threads, 0, sizeof(threads));
	nr_threads = 0;
	if (begin_task())
		run_block(block);
	end_process();
}

static void *thread_main(void *arg)
{
	struct block *block = arg;
	unsigned int i;

	if (begin_task())
		for (i = 0; i < block->repeat &&
			    !__atomic_load_n(&self.over, __ATOMIC_RELAXED); i++)
			run_block(block);
	return NULL;
}

static void run_thread(const struct block *block)
{
	unsigned int i = __atomic_fetch_add(&nr_threads, 1, __ATOMIC_RELAXED);

	if (i >= TASKS)
		return;
	threads[i].block = *block;
	threads[i].begun = !pthread_create(&threads[i].id, NULL, thread_main,
					   &threads[i].block);
}

static unsigned int run_step(const struct step *step, unsigned int left)
{
	const char *name = step_name(step);
	struct block block = { .steps = step + 1,
			       .n = step->arg[0] % BLOCK_MAX + 1,
			       .repeat = 1 + take_number(step->arg[1]) % 256 };

	if (calls[step->call % NR_CALLS].run) {
		calls[step->call % NR_CALLS].run(step->arg);
		return 1;
	}
	if (block.n > left - 1)
		block.n = left - 1;
	if (!strcmp(name, FORK))
		run_process(&block);
	else
		run_thread(&block);
	return 1 + block.n;
}

static void run_block(const struct block *block)
{
	unsigned int at = 0;

	while (at < block->n)
		at += run_step(&block->steps[at], block->n - at);
}

void program_run(const struct step *steps, unsigned int n)
{
	static const uint8_t zeros[15];
	struct block block = { .steps = steps, .n = n };

	mmap(ARENA, ARENA_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (begin_task()) {
		do_open(zeros);
		run_block(&block);
	}
	end_process();
}
