// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The listings of the netlink family, compared with the objects made. */
#include "dm.h"
#include "doca_nl.h"
#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (3 * PAGE + 5)
#define COPIES 3
#define MANY 400

/* A file that has one of everything, and keys for two devices */
FIXTURE(listing) {
	struct doca d;
	struct family nl;
	struct listing l;
	struct buf buf;
	struct doca_blob blob;
	struct doca_mem_import in;
	uint32_t file;
	uint32_t worker;
	struct queue q;
};

FIXTURE_VARIANT(listing) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(listing, by_enter) { .mode = { .worker = false } };
FIXTURE_VARIANT_ADD(listing, by_worker) {
	.mode = { .worker = true, .idle_us = 50 } };

FIXTURE_SETUP(listing)
{
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, family_open(&self->nl));
	self->file = fdinfo_value(self->d.fd, "doca-file");
	self->l = (struct listing){};
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL | DOCA_ACCESS_PCI_READ));
	ASSERT_EQ(0, mem_export(self->d.fd, self->buf.key,
				DOCA_EXPORT_ANY_USER, &self->blob, NULL));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->blob, &self->in));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 16, 4));
}

FIXTURE_TEARDOWN(listing)
{
	listing_free(&self->l);
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
	EXPECT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
	EXPECT_EQ(0, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
	listing_free(&self->l);
	family_close(&self->nl);
}

/* Find our file's only entry in a listing, by an attribute */
#define LIST_ONE(cmd, attr, value)                                             \
	({                                                                     \
		const struct entry *e_;                                        \
                                                                               \
		listing_free(&self->l);                                        \
		ASSERT_EQ(0, family_list(&self->nl, cmd, &self->l));               \
		e_ = listing_find(&self->l, attr, value);                      \
		ASSERT_NE(NULL, e_);                                           \
		EXPECT_EQ(self->file, e_->v[DOCA_GENL_A_FILE_ID]);             \
		EXPECT_EQ(getpid(), e_->v[DOCA_GENL_A_PID]);                   \
		EXPECT_EQ(getuid(), e_->v[DOCA_GENL_A_UID]);                   \
		EXPECT_TRUE(e_->has[DOCA_GENL_A_UID]);                         \
		EXPECT_STREQ("listing", e_->comm);                             \
		e_;                                                            \
	})

#define EXPECT_ATTR(e, attr, value)                                            \
	do {                                                                   \
		EXPECT_TRUE((e)->has[DOCA_GENL_A_##attr]);                     \
		EXPECT_EQ(value, (e)->v[DOCA_GENL_A_##attr]);                  \
	} while (0)

TEST_F(listing, file)
{
	const struct entry *e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);

	EXPECT_ATTR(e, MEMORIES, 1);
	EXPECT_ATTR(e, PINNED_BYTES, 4 * PAGE);
	EXPECT_ATTR(e, MAPPINGS, 2);
	EXPECT_ATTR(e, EXPORTS, 1);
	EXPECT_ATTR(e, WORKERS, !!self->worker);
	EXPECT_ATTR(e, QUEUES, 1);
	EXPECT_ATTR(e, RING_BYTES, (uint64_t)self->q.geo.out_user_size +
					   self->q.geo.out_kernel_size);
	EXPECT_ATTR(e, OBJECTS, 0);
	EXPECT_ATTR(e, WORK_BYTES, 0);
}

/* Matrices and keys, until they are destroyed */
TEST_F(listing, objects_of_operations)
{
	const uint8_t coefficients[] = { 1, 2 };
	const struct entry *e;
	uint32_t id[2];

	ASSERT_EQ(0, matrix_create(self->d.fd, self->d.device, coefficients, 1, 2, &id[0]));
	ASSERT_EQ(0, matrix_create(self->d.fd, self->d.device, coefficients, 1, 2, &id[1]));
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, OBJECTS, 2);
	EXPECT_LE(2 * 64, e->v[DOCA_GENL_A_WORK_BYTES]);
	ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GF_MATRIX, id[0]));
	ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GF_MATRIX, id[1]));
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, OBJECTS, 0);
	EXPECT_ATTR(e, WORK_BYTES, 0);
}

/* Counts go down when objects go */
TEST_F(listing, file_follows)
{
	const struct entry *e;

	ASSERT_EQ(0, mem_unmap(self->d.fd, self->in.out_key));
	queue_close(&self->q);
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, MAPPINGS, 1);
	EXPECT_ATTR(e, QUEUES, 0);
	EXPECT_ATTR(e, RING_BYTES, 0);
	ASSERT_EQ(0, mem_dereg(self->d.fd, self->buf.mem));
	if (self->worker)
		ASSERT_EQ(0, worker_destroy(self->d.fd, self->worker));
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, MEMORIES, 0);
	EXPECT_ATTR(e, PINNED_BYTES, 0);
	EXPECT_ATTR(e, MAPPINGS, 0);
	EXPECT_ATTR(e, EXPORTS, 0);
	EXPECT_ATTR(e, WORKERS, 0);
}

TEST_F(listing, memory)
{
	const struct entry *e = LIST_ONE(DOCA_GENL_CMD_MEMORY_GET, DOCA_GENL_A_FILE_ID, self->file);

	EXPECT_ATTR(e, MEM_ID, self->buf.mem);
	EXPECT_ATTR(e, ADDR, (uintptr_t)self->buf.addr);
	EXPECT_ATTR(e, LENGTH, LENGTH);
	EXPECT_ATTR(e, ACCESS, ACCESS_LOCAL | DOCA_ACCESS_PCI_READ);
	EXPECT_ATTR(e, PINNED_BYTES, 4 * PAGE);
	EXPECT_ATTR(e, MAPPINGS, 2);
}

TEST_F(listing, mapping)
{
	const struct entry *e = LIST_ONE(DOCA_GENL_CMD_MAPPING_GET, DOCA_GENL_A_KEY, self->buf.key);

	EXPECT_ATTR(e, DEV_ID, self->d.device);
	EXPECT_NE('\0', e->dev[0]);
	EXPECT_ATTR(e, MEM_ID, self->buf.mem);
	EXPECT_FALSE(e->has[DOCA_GENL_A_EXPORT_ID]);
	EXPECT_ATTR(e, ADDR, (uintptr_t)self->buf.addr);
	EXPECT_ATTR(e, LENGTH, LENGTH);
	EXPECT_ATTR(e, ACCESS, ACCESS_LOCAL);

	e = LIST_ONE(DOCA_GENL_CMD_MAPPING_GET, DOCA_GENL_A_KEY, self->in.out_key);
	EXPECT_ATTR(e, EXPORT_ID, le64toh(self->blob.export_id));
	EXPECT_FALSE(e->has[DOCA_GENL_A_MEM_ID]);
	EXPECT_ATTR(e, ACCESS, DOCA_ACCESS_LOCAL_READ);
}

TEST_F(listing, export)
{
	const struct entry *e = LIST_ONE(DOCA_GENL_CMD_EXPORT_GET,
					 DOCA_GENL_A_EXPORT_ID,
					 le64toh(self->blob.export_id));

	EXPECT_ATTR(e, DEV_ID, self->d.device);
	EXPECT_ATTR(e, MEM_ID, self->buf.mem);
	EXPECT_ATTR(e, ADDR, (uintptr_t)self->buf.addr);
	EXPECT_ATTR(e, LENGTH, LENGTH);
	EXPECT_ATTR(e, ACCESS, DOCA_ACCESS_PCI_READ);
	EXPECT_ATTR(e, IMPORTS, 1);
	EXPECT_TRUE(e->has[DOCA_GENL_A_ANY_USER]);
	EXPECT_FALSE(e->has[DOCA_GENL_A_REVOKED]);
}

static uint64_t thread_pid_of(const struct queue *q)
{
	return fdinfo_value(q->fd, "doca-worker-pid");
}

TEST_F(listing, worker)
{
	const struct entry *e;

	if (!self->worker) {
		ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_WORKER_GET, &self->l));
		EXPECT_EQ(0, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
		return;
	}
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(1)));
	e = LIST_ONE(DOCA_GENL_CMD_WORKER_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, WORKER_ID, self->worker);
	EXPECT_ATTR(e, WORKER_PID, thread_pid_of(&self->q));
	EXPECT_ATTR(e, IDLE_NS, 50000);
	EXPECT_ATTR(e, QUEUES, 1);
	EXPECT_TRUE(e->has[DOCA_GENL_A_POLLING_NS]);
	EXPECT_TRUE(e->has[DOCA_GENL_A_WORKING_NS]);
}

TEST_F(listing, queue)
{
	struct doca_cqe cqe;
	const struct entry *e;
	int i;

	for (i = 0; i < COPIES; i++)
		ASSERT_EQ(DOCA_STATUS_SUCCESS,
			  queue_status(&self->q,
				       sqe_copy(seg_of(&self->buf, 0, 100),
						seg_of(&self->buf, 200, 100))));
	e = LIST_ONE(DOCA_GENL_CMD_QUEUE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, QUEUE_ID, fdinfo_value(self->q.fd, "doca-queue"));
	EXPECT_ATTR(e, DEV_ID, self->d.device);
	EXPECT_EQ(!!self->worker, e->has[DOCA_GENL_A_WORKER_ID]);
	EXPECT_EQ(self->worker, e->v[DOCA_GENL_A_WORKER_ID]);
	EXPECT_ATTR(e, QUEUE_STATE, DOCA_QUEUE_RUN);
	EXPECT_FALSE(e->has[DOCA_GENL_A_CLOSED]);
	EXPECT_FALSE(e->has[DOCA_GENL_A_REMOVED]);
	EXPECT_ATTR(e, SQ_ENTRIES, 16);
	EXPECT_ATTR(e, SQ_TAIL, COPIES);
	EXPECT_ATTR(e, SQ_HEAD, COPIES);
	EXPECT_ATTR(e, CQ_ENTRIES, 16);
	EXPECT_ATTR(e, CQ_TAIL, COPIES);
	EXPECT_ATTR(e, CQ_HEAD, COPIES);
	EXPECT_ATTR(e, OPS, COPIES);
	EXPECT_ATTR(e, ERRORS, 0);
	EXPECT_ATTR(e, BYTES, COPIES * 100);
	EXPECT_TRUE(e->has[DOCA_GENL_A_WAKEUPS]);

	/* A key that does not exist, and two entries that are flushed */
	queue_push(&self->q, sqe_copy(seg_of(&self->buf, 0, 8), seg_at(0, NULL, 8)));
	queue_push(&self->q, sqe_nop(0));
	queue_push(&self->q, sqe_nop(0));
	ASSERT_EQ(0, queue_publish(&self->q));
	WAIT_UNTIL(ring_load(&self->q.kernel->cq_tail) == COPIES + 3);
	/* Completed, but not reaped */
	e = LIST_ONE(DOCA_GENL_CMD_QUEUE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, CQ_TAIL, COPIES + 3);
	EXPECT_ATTR(e, CQ_HEAD, COPIES);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
	e = LIST_ONE(DOCA_GENL_CMD_QUEUE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, QUEUE_STATE, DOCA_QUEUE_FLUSH);
	EXPECT_ATTR(e, OPS, COPIES + 3);
	EXPECT_ATTR(e, ERRORS, 1);
}

/* Registrations that do not touch each other are told apart. */
TEST_F(listing, device_memory)
{
	/* Two of the same pages, a third that overlaps them, and one apart */
	const int at[] = { 0, 0, 1, 5 };
	struct doca_dm_import in;
	struct doca_dm_alloc a;
	const struct entry *e;
	uint32_t mem[4];
	uint8_t *p;
	int i, imported = 0;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, 9 * PAGE - 1, &a));
	p = dm_map(self->d.fd, 9 * PAGE, a.out_offset);
	ASSERT_NE(NULL, p);
	e = LIST_ONE(DOCA_GENL_CMD_DM_GET, DOCA_GENL_A_DM_HANDLE, a.out_handle);
	EXPECT_ATTR(e, DEV_ID, self->d.device);
	EXPECT_NE('\0', e->dev[0]);
	EXPECT_ATTR(e, LENGTH, 9 * PAGE - 1);
	EXPECT_ATTR(e, PINS, 0);
	EXPECT_ATTR(e, IMPORTS, 0);
	EXPECT_FALSE(e->has[DOCA_GENL_A_IMPORTED]);
	EXPECT_FALSE(e->has[DOCA_GENL_A_ADDR]);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, mem_reg(self->d.fd, p + at[i] * PAGE, 2 * PAGE,
				     ACCESS_LOCAL, &mem[i]));
	e = LIST_ONE(DOCA_GENL_CMD_DM_GET, DOCA_GENL_A_DM_HANDLE, a.out_handle);
	EXPECT_ATTR(e, PINS, 4);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, mem_dereg(self->d.fd, mem[i]));
	ASSERT_EQ(0, dm_import(self->d.fd, self->d.device, a.out_handle, &in));
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_DM_GET, &self->l));
	EXPECT_EQ(2, listing_count(&self->l, DOCA_GENL_A_DM_HANDLE, a.out_handle));
	for (i = 0; i < self->l.n; i++) {
		e = &self->l.e[i];
		if (e->v[DOCA_GENL_A_DM_HANDLE] != a.out_handle)
			continue;
		EXPECT_ATTR(e, IMPORTS, 1);
		imported += e->has[DOCA_GENL_A_IMPORTED];
	}
	EXPECT_EQ(1, imported);
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, DMS, 2);
	munmap(p, 9 * PAGE);
}

/* More than fits into a message: none twice, and none left out */
TEST_F(listing, many)
{
	uint32_t mem[MANY], key[MANY];
	int i;

	for (i = 0; i < MANY; i++) {
		ASSERT_EQ(0, mem_reg(self->d.fd, self->buf.addr, PAGE, ACCESS_LOCAL, &mem[i]));
		ASSERT_EQ(0, mem_map(self->d.fd, mem[i], self->d.device, ACCESS_LOCAL, &key[i]));
	}
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_MEMORY_GET, &self->l));
	EXPECT_FALSE(self->l.interrupted);
	EXPECT_EQ(MANY + 1, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
	for (i = 0; i < MANY; i++)
		EXPECT_NE(NULL, listing_find(&self->l, DOCA_GENL_A_MEM_ID, mem[i]));
	listing_free(&self->l);
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_MAPPING_GET, &self->l));
	EXPECT_EQ(MANY + 2, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
	for (i = 0; i < MANY; i++)
		EXPECT_NE(NULL, listing_find(&self->l, DOCA_GENL_A_KEY, key[i]));
}

/* Both have the same figures */
TEST_F(listing, agrees_with_fdinfo)
{
	const struct entry *e;

	ASSERT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q, sqe_copy(seg_of(&self->buf, 0, 64),
						  seg_of(&self->buf, 64, 64))));
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, MEMORIES, fdinfo_value(self->d.fd, "doca-memories"));
	EXPECT_ATTR(e, PINNED_BYTES, fdinfo_value(self->d.fd, "doca-pinned-bytes"));
	EXPECT_EQ(self->file, fdinfo_value(self->q.fd, "doca-file"));

	e = LIST_ONE(DOCA_GENL_CMD_QUEUE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, DEV_ID, fdinfo_value(self->q.fd, "doca-device"));
	EXPECT_ATTR(e, QUEUE_STATE, fdinfo_value(self->q.fd, "doca-state"));
	EXPECT_ATTR(e, RING_BYTES, fdinfo_value(self->q.fd, "doca-ring-bytes"));
	EXPECT_ATTR(e, OPS, fdinfo_value(self->q.fd, "doca-ops"));
	EXPECT_ATTR(e, ERRORS, fdinfo_value(self->q.fd, "doca-errors"));
	EXPECT_ATTR(e, BYTES, fdinfo_value(self->q.fd, "doca-bytes"));
	EXPECT_ATTR(e, WAKEUPS, fdinfo_value(self->q.fd, "doca-wakeups"));
}

/* A file that is closed while its queue is open is still listed, with the queue */
TEST_F(listing, closed_file)
{
	const struct entry *e;

	close(self->d.fd);
	self->d.fd = -1;
	e = LIST_ONE(DOCA_GENL_CMD_QUEUE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_TRUE(e->has[DOCA_GENL_A_CLOSED]);
	e = LIST_ONE(DOCA_GENL_CMD_FILE_GET, DOCA_GENL_A_FILE_ID, self->file);
	EXPECT_ATTR(e, MEMORIES, 0);
	EXPECT_ATTR(e, WORKERS, 0);
	EXPECT_ATTR(e, QUEUES, 1);
}

TEST_HARNESS_MAIN
