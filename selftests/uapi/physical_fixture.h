/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Physical memory, some pages of which are known, and a queue that reads it. */
#ifndef SELFTESTS_UAPI_PHYSICAL_FIXTURE_H
#define SELFTESTS_UAPI_PHYSICAL_FIXTURE_H

#include "doca_ring.h"
#include "kselftest_harness.h"

#define ALL (1UL << 52)
#define PIECES 64
#define PIECE 512
#define ROOM (PIECES * PIECE)
#define STEP (64UL << 10)

static inline int reg_flags(int fd, uint64_t addr, uint64_t length, uint32_t access,
		     uint32_t flags, uint32_t *mem)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.flags = flags,
		.addr = addr,
		.length = length,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_REG, &reg);

	*mem = reg.out_mem_id;
	return err;
}

static inline int reg_physical(int fd, uint32_t *mem)
{
	return reg_flags(fd, 0, ALL, DOCA_ACCESS_LOCAL_READ,
			 DOCA_MEM_REG_PHYSICAL, mem);
}

static inline bool is_offered(int fd)
{
	struct doca_query q;

	return !query(fd, &q) && q.out_features & DOCA_FEATURE_PHYSICAL;
}

/* Of a page that the process has; 0 if it cannot be told */
static inline uint64_t physical_of(const void *addr)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (pread(fd, &entry, sizeof(entry), (uintptr_t)addr / PAGE * 8) != 8 ||
	    !(entry >> 63))
		entry = 0;
	close(fd);
	entry &= (1UL << 55) - 1;
	return entry ? entry * PAGE + (uintptr_t)addr % PAGE : 0;
}

static inline struct doca_sqe sqe_gather(struct doca_seg dst, uint32_t pieces)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_GATHER,
				  .flags = DOCA_SQE_SRC_LIST,
				  .src = seg_list(0, pieces),
				  .dst = dst };
}

static inline int queue_open_gather(struct queue *q, const struct doca *d,
			     uint32_t worker)
{
	return queue_create(q, d, (struct doca_queue_create){
					  .worker_id = worker,
					  .sq_entries = 16,
					  .cq_entries = 16,
					  .nr_segments = PIECES,
					  .opcodes = 1UL << DOCA_OP_GATHER |
						     1UL << DOCA_OP_MEMCPY |
						     1UL << DOCA_OP_SYNC_GET |
						     1UL << DOCA_OP_SYNC_SET |
						     1UL << DOCA_OP_INVALIDATE |
						     1UL << DOCA_OP_SYNC_WAIT_NE,
					  .nr_waits = 1,
				  });
}

FIXTURE(physical) {
	struct doca d;
	struct buf room;
	uint8_t *source; /* of ROOM bytes */
	uint64_t at[ROOM / PAGE];
	uint32_t mem, key, worker;
	struct queue q;
};

FIXTURE_VARIANT(physical) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(physical, enter) {
	.mode = {} };
FIXTURE_VARIANT_ADD(physical, worker) {
	.mode = { .worker = true } };

FIXTURE_SETUP(physical)
{
	size_t i;

	DOCA_OPEN(&self->d);
	if (!is_offered(self->d.fd))
		SKIP_SETUP("the module does not have it");
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	/* Secret memory is charged to the same user, whose limit may be 8 MiB */
	ASSERT_EQ(0, buf_make(&self->d, &self->room, PIECES * STEP + ROOM,
			      ACCESS_LOCAL));
	self->source = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
	ASSERT_NE(MAP_FAILED, self->source);
	fill_random(self->source, ROOM, 7);
	for (i = 0; i < ROOM / PAGE; i++) {
		self->at[i] = physical_of(self->source + i * PAGE);
		ASSERT_NE(0, self->at[i]);
	}
	ASSERT_EQ(0, reg_physical(self->d.fd, &self->mem));
	ASSERT_EQ(0, mem_map(self->d.fd, self->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->key));
	ASSERT_EQ(0, queue_open_gather(&self->q, &self->d, self->worker));
	memset(self->room.addr, 0xee, self->room.length);
}

FIXTURE_TEARDOWN(physical)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* All of the source in pieces, each where the last one ends */
static inline void fill_list(FIXTURE_DATA(physical) *self)
{
	int i;

	for (i = 0; i < PIECES; i++) {
		size_t at = (size_t)i * PIECE;

		self->q.segs[i] = (struct doca_seg){
			.key = self->key,
			.length = PIECE,
			.address = self->at[at / PAGE] + at % PAGE,
		};
	}
}

static inline int gather(FIXTURE_DATA(physical) *self, uint32_t pieces,
		  struct doca_cqe *cqe)
{
	return queue_do(&self->q, sqe_gather(seg_of(&self->room, 0, ROOM), pieces),
			cqe);
}

static inline bool is_filled_with(const uint8_t *p, size_t length, uint8_t byte)
{
	while (length && *p == byte)
		p++, length--;
	return !length;
}

static inline int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;

	close(fd);
	return err;
}

/* A queue is over after each: one for each */
static inline int status_of(FIXTURE_DATA(physical) *self, struct doca_sqe sqe,
		     const struct doca_seg *segs, int nr)
{
	struct queue q;
	int status;

	status = queue_open_gather(&q, &self->d, self->worker);
	if (status)
		return status;
	if (nr)
		memcpy(q.segs, segs, nr * sizeof(*segs));
	status = queue_status(&q, sqe);
	queue_close(&q);
	return status;
}

#endif
