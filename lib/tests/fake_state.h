/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: the driver's state, set and read by tests. */
#ifndef DOCA_TESTS_FAKE_STATE_H
#define DOCA_TESTS_FAKE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/device/dev.h"
#include "core/driver/driver.h"
#include "core/driver/function.h"

#define FAKE_DEVICE_ID 7 /* device of all queues */
#define FAKE_OTHER_ID 8 /* memory can be mapped for it, nothing else */
#define FAKE_LIST_MAX 64
#define FAKE_MAX_WAITS 16
#define FAKE_MAX_LENGTH (1U << 20)
#define FAKE_UNIT 64 /* blocks that a matrix multiplies are a multiple of it, */
#define FAKE_MAX_BLOCK 4096 /* up to this */

struct fake {
	/* Set by tests: */
	bool workers; /* if false, calls execute entries */
	bool asleep; /* workers must be called */
	bool late; /* calls replace workers */
	bool enter_fails;
	uint32_t enter_budget; /* entries that a call executes, 0: all */
	int get_error; /* errno of driver_get() */
	int query_error; /* errno of queries of devices */
	int queue_error; /* errno of the next queues */
	int worker_error;
	int object_error; /* errno of new objects of operations */
	int mem_error;
	int write_error; /* for memory to be written */
	uint32_t reg_refuse; /* bits to remove from the requested access */
	uint64_t mem_max; /* maximum bytes of a registration, 0: any */
	struct driver_mem_limit limit; /* reported with mem_error */
	int dereg_error;
	int map_error;
	uint32_t map_error_device; /* fail for this device only; 0: for all */
	int unmap_error;
	int export_error;
	int import_error;
	struct doca_mem_import import; /* answer for any blob, if it has a key */
	int check_error;
	const struct driver_function *functions; /* pairs of devices */
	uint32_t nr_functions;
	int functions_error;
	uint32_t status; /* status of the next entry, which is not executed */
	uint64_t copies; /* bitmap of opcodes that are executed like MEMCPY */
	uint64_t variants; /* each of hashes and messages, which are executed if there are any */
	bool multiplies; /* executes DOCA_OP_GF_MATRIX */
	const struct doca_query *caps; /* replaces the usual ones */

	/* Read by tests: */
	unsigned int refs; /* references on the driver */
	unsigned int mems, keys, exports; /* existing ones */
	unsigned int regs; /* registrations */
	unsigned int objects; /* existing objects of operations */
	void *addr; /* address of the last one */
	size_t len;
	int dmabuf_fd;
	size_t dmabuf_offset;
	uint32_t reg_access, map_access;
	bool any_user; /* flag of the last export */
	unsigned int workers_made, workers_gone;
	uint32_t idle_us;
	unsigned int queues; /* existing ones */
	unsigned int enters, stops;
	struct doca_seg invalidated; /* the last one */
	struct doca_sqe hashed; /* the last hash */
	const char *name; /* driver's */
	uint32_t max_src; /* bytes of a source; 0: FAKE_MAX_LENGTH */
	struct doca_sqe sealed; /* the last message of AES-GCM */
	uint64_t copied[2]; /* op of the last one of those entries */
	uint16_t copied_flags; /* and its flags */
	uint32_t copied_status; /* their status, if it is not 0 */
	uint64_t copied_result;
	uint64_t consumed; /* the second word of all results */
	struct driver_queue_attr attr; /* attributes of the last queue requested */
};

#define MAX_OBJECTS 256
#define MAX_QUEUES 64

static struct fake fake;
static struct doca_dev fake_dev = {
	.info = { .id = FAKE_DEVICE_ID, .name = "fake0" },
	.opens = 1,
	.refs = 1,
};

uint32_t driver_forks;

static const struct doca_query caps = {
	.size = sizeof(caps),
	.out_abi_version = DOCA_ABI_VERSION,
	.out_ring_version = DOCA_RING_VERSION,
	.out_opcodes = ((1 << (DOCA_OP_SYNC_WAIT_NE + 1)) - 1) | 1ULL << DOCA_OP_MSG_SEND |
		       1ULL << DOCA_OP_POST_RECV | 1ULL << DOCA_OP_SEND_TO,
	.out_max_queue_entries = 1024,
	.out_max_queue_segments = 512 * 2 * FAKE_LIST_MAX,
	.out_max_segments = FAKE_LIST_MAX,
	.out_blob_size = DOCA_BLOB_SIZE,
	.out_max_length = FAKE_MAX_LENGTH,
	.out_max_queue_waits = FAKE_MAX_WAITS,
};

/* The index is the key, and is never 0. */
static struct {
	uint64_t addr, length;
	uint32_t access;
	uint32_t mem, device; /* for a key */
	bool exported; /* for a key */
} mems[MAX_OBJECTS], keys[MAX_OBJECTS];

static struct fake_queue {
	struct driver_queue *queue; /* NULL: free */
	char *memory;
	size_t size;
	struct doca_ring_kernel *kernel;
	struct doca_cqe *cqes;
	uint32_t nr_segs;
	int peer; /* other end of the queue's fd */
	uint32_t sq_head, cq_tail;
	bool woken; /* its waiter was woken: the requested completion has come */
	struct doca_sqe waits[FAKE_MAX_WAITS];
	uint32_t nr_waits, max_waits;
	uint64_t opcodes; /* opcodes to execute */
	uint32_t ev_tail; /* events that its inbox has had */
} queues[MAX_QUEUES];

static bool removed;
static uint32_t next_mem, next_key;

/* Protects the tables above. */
static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;

#define FAKE_COUNT(counter, n) __atomic_fetch_add(&(counter), n, __ATOMIC_RELAXED)

#endif /* DOCA_TESTS_FAKE_STATE_H */
