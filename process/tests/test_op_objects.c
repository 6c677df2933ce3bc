// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Objects of operations: named, held, counted, and gone with their file. */
#include "op_object.h"
#include "program.h"

#define BLOCK (LENGTH / 2) /* two of them take several steps */

static const u8 sum[] = { 1, 1 };

static u32 add_matrix(const struct program *p)
{
	u32 id = 0;

	EXPECT(!matrix_create(p->fd, p->device, sum, 1, 2, &id));
	return id;
}

static void objects_open(struct program *p)
{
	u32 i;

	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_GF_MATRIX) | BIT_ULL(DOCA_OP_NOP),
		      });
	for (i = 0; i < LENGTH; i++)
		mem[0][i] = i * 0x9e3779b1 >> 24;
	memset(mem[1], 0, LENGTH);
}

static void objects_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

/* Add the two halves of the memory. */
static struct doca_sqe add_halves(const struct program *p, u16 object)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_GF_MATRIX,
		.aux = object,
		.src = seg_at(p->key, mem[0], LENGTH),
		.dst = seg_at(p->key, mem[1], BLOCK),
	};
}

static void expect_sums(void)
{
	u32 i;

	for (i = 0; i < BLOCK && mem[1][i] == (mem[0][i] ^ mem[0][BLOCK + i]); i++)
		;
	EXPECT_EQ(i, BLOCK);
}

static enum doca_batch step(struct program *p)
{
	struct doca_budget left = { .entries = ENTRIES, .length = DOCA_BATCH_LENGTH };
	enum doca_batch batch;

	doca_run_lock(p->queue->run);
	batch = doca_queue_batch(p->queue, &left);
	doca_run_unlock(p->queue->run);
	return batch;
}

/* Whatever keeps an object counts. */
static bool has_room(const struct program *p, u32 limit)
{
	u32 id;
	int rc;

	EXPECT(inproc_set_param("max_objects", limit));
	rc = matrix_create(p->fd, p->device, sum, 1, 2, &id);
	if (!rc)
		EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GF_MATRIX, id), 0);
	else
		EXPECT_EQ(rc, -EDQUOT);
	EXPECT(inproc_set_param("max_objects", 1024));
	return !rc;
}

TEST(an_object_is_named_by_its_type)
{
	struct program p;
	u32 id, type;

	objects_open(&p);
	id = add_matrix(&p);
	EXPECT_EQ(id, 1);
	for (type = DOCA_OBJECT_MEMORY; type <= DOCA_OBJECT_DM; type++)
		if (type != DOCA_OBJECT_MEMORY || id != p.mem)
			EXPECT_EQ(object_destroy(p.fd, type, id), -ENOENT);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id + 1), -ENOENT);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, 0), -ENOENT);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, U32_MAX), -ENOENT);
	EXPECT_EQ(run(&p, add_halves(&p, id)).status, DOCA_STATUS_SUCCESS);
	expect_sums();
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id), 0);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id), -ENOENT);
	EXPECT_EQ(run(&p, add_halves(&p, id)).status, DOCA_STATUS_BAD_OBJECT);
	objects_close(&p);
}

TEST(objects_that_cannot_be)
{
	struct doca_object_create good = {
		.size = sizeof(good),
		.type = DOCA_OBJECT_GF_MATRIX,
		.data = (uintptr_t)sum,
		.length = 2,
		.rows = 1,
		.columns = 2,
	};
	struct doca_object_create bad[] = { good, good, good, good, good, good, good, good };
	static const int errors[] = { -EOPNOTSUPP, -EOPNOTSUPP, -EOPNOTSUPP, -EINVAL,
				      -EINVAL,	   -EINVAL,	-EINVAL,     -ENODEV };
	static const u8 zeros[33 * 129];
	struct program p;
	u32 i, id;

	objects_open(&p);
	bad[0].flags = 1;
	bad[1].type = DOCA_OBJECT_MEMORY;
	bad[2].type = ~0u;
	bad[3].__reserved = 1;
	bad[4].length = 1;
	bad[5].rows = 0;
	bad[6].columns = 0;
	bad[6].length = 0;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		bad[i].device_id = i == 7 ? 4711 : p.device;
		EXPECT_EQ(doca_call(p.fd, DOCA_OBJECT_CREATE, &bad[i]), errors[i]);
	}
	EXPECT_EQ(matrix_create(p.fd, p.device, zeros, 33, 128, &id), -ERANGE);
	EXPECT_EQ(matrix_create(p.fd, p.device, zeros, 32, 129, &id), -ERANGE);
	EXPECT_EQ(matrix_create(p.fd, p.device, zeros, 32, 128, &id), 0);
	EXPECT_EQ(id, 1);
	EXPECT(has_room(&p, 2));
	objects_close(&p);
}

TEST(a_queue_finds_only_what_its_file_made_for_its_device)
{
	struct doca_op_object *object;
	struct program p, other;
	u32 id;

	objects_open(&other);
	id = add_matrix(&other);
	objects_open(&p);
	EXPECT_EQ(run(&p, add_halves(&p, id)).status, DOCA_STATUS_BAD_OBJECT);
	id = add_matrix(&p);
	object = xa_load(&p.file->op_objects, id);
	object->device_id++;
	open_queue(&p, (struct doca_queue_create){ .opcodes = BIT_ULL(DOCA_OP_GF_MATRIX) });
	EXPECT_EQ(run(&p, add_halves(&p, id)).status, DOCA_STATUS_BAD_OBJECT);
	EXPECT_EQ(run(&other, add_halves(&other, id)).status, DOCA_STATUS_SUCCESS);
	program_close(&p);
	objects_close(&other);
}

/* Destroying one neither waits for the operation nor affects it. */
TEST(an_operation_keeps_its_object)
{
	struct program p;
	u32 id;

	objects_open(&p);
	id = add_matrix(&p);
	put(&p, add_halves(&p, id));
	put(&p, add_halves(&p, id));
	EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id), 0);
	EXPECT(!has_room(&p, 1));
	EXPECT(has_room(&p, 2));
	execute(&p);
	EXPECT_EQ(completion(&p, 0).status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(completion(&p, 1).status, DOCA_STATUS_BAD_OBJECT);
	expect_sums();
	EXPECT(has_room(&p, 1));
	objects_close(&p);
}

static void take_key(struct program *p)
{
	ASSERT(!mem_unmap(p->fd, p->key));
	execute(p);
	EXPECT_EQ(completion(p, 0).status, DOCA_STATUS_BAD_KEY);
}

static void stop(struct program *p)
{
	ASSERT(!queue_stop(p->queue_fd));
	execute(p);
	EXPECT_EQ(completion(p, 0).status, DOCA_STATUS_CANCELED);
}

/* However an operation ends, behind any of its steps, it lets go of its object. */
TEST(an_operation_that_ends_lets_go)
{
	static void (*const ends[])(struct program * p) = { take_key, stop, close_queue };
	struct program p;
	u32 i, id, steps;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		for (steps = 0; steps < LENGTH / DOCA_OP_STEP_LENGTH; steps++) {
			u32 k;

			objects_open(&p);
			id = add_matrix(&p);
			put(&p, add_halves(&p, id));
			for (k = 0; k < steps; k++)
				EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
			EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id), 0);
			if (steps)
				EXPECT(!has_room(&p, 1));
			if (steps || ends[i] != take_key)
				ends[i](&p);
			EXPECT(has_room(&p, 1));
			objects_close(&p);
		}
}

/* An entry that was written for an object that is gone does not meet another one. */
TEST(ids_are_used_again_last)
{
	struct program p;
	u32 i, id;

	objects_open(&p);
	for (i = 1; i <= 300; i++) {
		id = add_matrix(&p);
		EXPECT_EQ(id, i);
		EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, id), 0);
	}
	EXPECT(inproc_set_param("max_objects", U32_MAX));
	for (i = 301; i <= U16_MAX; i++)
		EXPECT_EQ(add_matrix(&p), i);
	for (i = 1; i <= 300; i++)
		EXPECT_EQ(add_matrix(&p), i);
	EXPECT_EQ(matrix_create(p.fd, p.device, sum, 1, 2, &id), -ENOSPC);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, 4711), 0);
	EXPECT_EQ(add_matrix(&p), 4711);
	EXPECT(inproc_set_param("max_objects", 1024));
	objects_close(&p);
}

TEST(objects_are_charged)
{
	struct program p;
	static const u8 zeros[32 * 128];
	u32 i, id;

	objects_open(&p);
	EXPECT(has_room(&p, 1));
	EXPECT(!has_room(&p, 0));
	EXPECT(inproc_set_param("max_ring_bytes", 1 << 20));
	/* 128 KiB of tables each; the queue has rings and a workspace. */
	for (i = 0; !matrix_create(p.fd, p.device, zeros, 32, 128, &id); i++)
		;
	EXPECT(i > 3 && i < 8);
	EXPECT_EQ(matrix_create(p.fd, p.device, zeros, 32, 128, &id), -EDQUOT);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GF_MATRIX, i), 0);
	EXPECT_EQ(matrix_create(p.fd, p.device, zeros, 32, 128, &id), 0);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	objects_close(&p);
}

/* Another file keeps the user's account. */
TEST(objects_end_with_their_file)
{
	struct program p, other;
	u32 i;

	objects_open(&other);
	objects_open(&p);
	for (i = 0; i < 100; i++)
		add_matrix(&p);
	EXPECT(!has_room(&other, 100));
	put(&p, add_halves(&p, 1));
	EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
	program_close(&p);
	EXPECT(until(has_room(&other, 1)));
	objects_close(&other);
}

static void *make_and_destroy(void *arg)
{
	struct program *p = arg;
	u32 i, id;

	for (i = 0; i < 2000; i++) {
		if (!matrix_create(p->fd, p->device, sum, 1, 2, &id))
			EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GF_MATRIX, id), 0);
	}
	return NULL;
}

/* Entries meet an object or none, while others come and go. */
TEST(objects_come_and_go_under_operations)
{
	struct doca_sqe sqe;
	pthread_t thread;
	struct program p;
	u32 i, status;

	objects_open(&p);
	ASSERT(!pthread_create(&thread, NULL, make_and_destroy, &p));
	for (i = 1; i <= 200; i++) {
		sqe = add_halves(&p, i * 7);
		sqe.src.length = 128;
		status = run(&p, sqe).status;
		EXPECT(!status || status == DOCA_STATUS_BAD_OBJECT);
		if (status)
			open_queue(&p, (struct doca_queue_create){
					       .opcodes = BIT_ULL(DOCA_OP_GF_MATRIX),
				       });
	}
	pthread_join(thread, NULL);
	EXPECT(has_room(&p, 1));
	objects_close(&p);
}
