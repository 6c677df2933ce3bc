// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * SHA: digests of buffers, of lists and of parts are those of others; tasks that fail say
 * why, and leave nothing behind.
 */
#include <doca_graph.h>
#include <doca_sha.h>

#include "../uapi/hash.h"
#include "../lib/rounds.h"
#include "bed.h"

#define LENGTH (1 << 20) /* several steps of the driver */
#define LIST 64
#define LOG_TASKS 3

static const enum doca_sha_algorithm algorithms[] = {
	DOCA_SHA_ALGORITHM_SHA1,
	DOCA_SHA_ALGORITHM_SHA256,
	DOCA_SHA_ALGORITHM_SHA512,
};

FIXTURE(sha)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_sha *sha;
	struct doca_ctx *ctx;
	uint8_t *mem; /* sources; digests are behind them */
	uint8_t *out;
};

/* The end of the last task. */
static struct {
	unsigned int nr;
	doca_error_t status;
} ended;

static void on_hash(struct doca_sha_task_hash *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	ended.nr++;
	ended.status = doca_task_get_status(doca_sha_task_hash_as_task(task));
}

static void on_part(struct doca_sha_task_partial_hash *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	ended.nr++;
	ended.status = doca_task_get_status(doca_sha_task_partial_hash_as_task(task));
}

static doca_error_t start(FIXTURE_DATA(sha) * self)
{
	doca_error_t rc;

	if ((rc = doca_pe_create(&self->pe)) || (rc = doca_sha_create(self->dev, &self->sha)))
		return rc;
	self->ctx = doca_sha_as_ctx(self->sha);
	if ((rc = doca_sha_task_hash_set_conf(self->sha, on_hash, on_hash, LOG_TASKS)) ||
	    (rc = doca_sha_task_partial_hash_set_conf(self->sha, on_part, on_part, LOG_TASKS)) ||
	    (rc = doca_pe_connect_ctx(self->pe, self->ctx)))
		return rc;
	return doca_ctx_start(self->ctx);
}

FIXTURE_SETUP(sha)
{
	size_t i;

	memset(&ended, 0, sizeof(ended));
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = aligned_alloc(4096, LENGTH + 4096);
	self->out = self->mem + LENGTH;
	for (i = 0; i < LENGTH + 4096; i++)
		self->mem[i] = i * 31 + (i >> 8);
	ASSERT_OK(bed_mmap(self->mem, LENGTH + 4096, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev,
			   NULL, &self->mmap));
	ASSERT_OK(doca_buf_inventory_create(4 * LIST, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	ASSERT_OK(start(self));
}

/* Progress until a condition holds; false if it never does. */
#define UNTIL(condition) AWAIT_BY(doca_pe_progress(self->pe), condition)

FIXTURE_TEARDOWN(sha)
{
	doca_ctx_stop(self->ctx);
	EXPECT_TRUE(UNTIL(bed_is_idle(self->ctx)));
	EXPECT_OK(doca_sha_destroy(self->sha));
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	free(self->mem);
}

static struct doca_buf *data_at(FIXTURE_DATA(sha) * self, size_t offset, size_t length)
{
	struct doca_buf *buf = NULL;

	doca_buf_inventory_buf_get_by_data(self->inv, self->mmap, self->mem + offset, length, &buf);
	return buf;
}

static struct doca_buf *room_at(FIXTURE_DATA(sha) * self, size_t offset)
{
	struct doca_buf *buf = NULL;

	doca_buf_inventory_buf_get_by_addr(self->inv, self->mmap, self->out + offset, DIGEST_MAX,
					   &buf);
	return buf;
}

static void put(const struct doca_buf *buf)
{
	doca_buf_dec_refcount((struct doca_buf *)buf, NULL);
}

/* Run a task to its end, and return its status. */
static doca_error_t run(FIXTURE_DATA(sha) * self, struct doca_task *task)
{
	unsigned int before = ended.nr;
	doca_error_t rc = doca_task_submit(task);

	if (rc)
		return rc;
	return UNTIL(ended.nr != before) ? ended.status : DOCA_ERROR_TIME_OUT;
}

/* Hash a source, which is released; the digest is in the memory behind the sources. */
static doca_error_t hash(FIXTURE_DATA(sha) * self, size_t i, struct doca_buf *src)
{
	struct doca_buf *dst = room_at(self, 0);
	struct doca_sha_task_hash *task;
	size_t length = 0;
	doca_error_t rc;

	rc = doca_sha_task_hash_alloc_init(self->sha, algorithms[i], src, dst,
					   (union doca_data){ 0 }, &task);
	if (!rc) {
		rc = run(self, doca_sha_task_hash_as_task(task));
		doca_task_free(doca_sha_task_hash_as_task(task));
	}
	doca_buf_get_data_len(dst, &length);
	put(src);
	put(dst);
	return !rc && length != hashes[i].digest ? DOCA_ERROR_UNEXPECTED : rc;
}

TEST_F(sha, known_answers)
{
	size_t i, k, times, length;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		length = strlen(examples[i].text);
		for (times = 0; times < examples[i].times; times++)
			memcpy(self->mem + times * length, examples[i].text, length);
		for (k = 0; k < NR_HASHES; k++) {
			ASSERT_OK(hash(self, k, data_at(self, 0, times * length)));
			EXPECT_TRUE(digest_is(&hashes[k], self->out, examples[i].digests[k]));
		}
	}
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

/* Make a list of the first bytes, of up to so many buffers, some of which are empty. */
static struct doca_buf *list_of(FIXTURE_DATA(sha) * self, size_t length, uint32_t *seed)
{
	uint32_t nr = next(seed) % LIST;
	struct doca_buf *head = NULL, *buf;
	size_t offset = 0, part;

	while (nr--) {
		part = next(seed) % (length / 4 + 2);
		if (part > length - offset)
			part = length - offset;
		buf = data_at(self, offset, part);
		if (head)
			doca_buf_chain_list(head, buf);
		else
			head = buf;
		offset += part;
	}
	buf = data_at(self, offset, length - offset);
	if (head)
		doca_buf_chain_list(head, buf);
	return head ? head : buf;
}

TEST_F(sha, lists)
{
	uint8_t digest[DIGEST_MAX];
	uint32_t seed = 1, round;
	size_t i, length;

	for (round = 0; round < cuts(); round++) {
		i = round % NR_HASHES;
		length = next(&seed) % (round % 8 ? 5000 : LENGTH);
		ASSERT_OK(hash(self, i, data_at(self, 0, length)));
		memcpy(digest, self->out, sizeof(digest));
		memset(self->out, 0, DIGEST_MAX);
		ASSERT_OK(hash(self, i, list_of(self, length, &seed)));
		ASSERT_EQ(0, memcmp(digest, self->out, hashes[i].digest));
	}
}

/* A task with a hash in parts of the first bytes. */
struct parts {
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *dst;
	size_t algorithm, length, done;
	uint8_t digest[DIGEST_MAX];
};

static bool begin_parts(FIXTURE_DATA(sha) * self, struct parts *p, size_t slot, size_t algorithm,
			size_t length)
{
	p->algorithm = algorithm;
	p->length = length;
	p->done = 0;
	if (hash(self, algorithm, data_at(self, 0, length)))
		return false;
	memcpy(p->digest, self->out, DIGEST_MAX);
	if (p->task) {
		doca_buf_reset_data_len(p->dst);
		return !doca_sha_task_partial_hash_reset(p->task) &&
		       !doca_sha_task_partial_hash_set_algorithm(p->task, algorithms[algorithm]);
	}
	p->dst = room_at(self, (slot + 1) * DIGEST_MAX);
	return !doca_sha_task_partial_hash_alloc_init(self->sha, algorithms[algorithm], NULL,
						      p->dst, (union doca_data){ 0 }, &p->task);
}

/* Return true if the part was hashed. */
static bool run_part(FIXTURE_DATA(sha) * self, struct parts *p, uint32_t *seed)
{
	size_t block = hashes[p->algorithm].block, left = p->length - p->done;
	size_t part = block * (1 + next(seed) % (1 + left / block));
	struct doca_buf *src;
	bool good;

	if (part >= left) {
		part = left;
		if (doca_sha_task_partial_hash_set_is_final_buf(p->task))
			return false;
	}
	src = data_at(self, p->done, part);
	good = !doca_sha_task_partial_hash_set_src(p->task, src) &&
	       !run(self, doca_sha_task_partial_hash_as_task(p->task));
	p->done += part;
	put(src);
	return good;
}

TEST_F(sha, parts_of_several_tasks)
{
	struct parts parts[1 << LOG_TASKS] = {}, *p;
	uint32_t seed = 5, round, slot, found = 0;
	uint8_t *digest;

	for (round = 0; round < rounds(200); round++) {
		slot = next(&seed) % (1 << LOG_TASKS);
		p = &parts[slot];
		if (!p->task || doca_sha_task_partial_hash_get_has_result(p->task)) {
			ASSERT_TRUE(begin_parts(self, p, slot, next(&seed) % NR_HASHES,
						next(&seed) % 20000));
		}
		ASSERT_TRUE(run_part(self, p, &seed));
		if (!doca_sha_task_partial_hash_get_has_result(p->task))
			continue;
		digest = self->out + (slot + 1) * DIGEST_MAX;
		ASSERT_EQ(0, memcmp(p->digest, digest, hashes[p->algorithm].digest));
		found++;
	}
	EXPECT_LT(10, found);
	for (slot = 0; slot < 1 << LOG_TASKS; slot++)
		if (parts[slot].task) {
			doca_task_free(doca_sha_task_partial_hash_as_task(parts[slot].task));
			put(parts[slot].dst);
		}
}

TEST_F(sha, tasks_in_flight_together)
{
	struct doca_sha_task_hash *tasks[1 << LOG_TASKS];
	struct doca_buf *src[1 << LOG_TASKS], *dst[1 << LOG_TASKS];
	uint8_t digest[DIGEST_MAX];
	size_t i;

	ASSERT_OK(hash(self, 1, data_at(self, 0, LENGTH)));
	memcpy(digest, self->out, sizeof(digest));
	ended.nr = 0;
	for (i = 0; i < 1 << LOG_TASKS; i++) {
		src[i] = data_at(self, 0, LENGTH);
		dst[i] = room_at(self, i * DIGEST_MAX);
		ASSERT_OK(doca_sha_task_hash_alloc_init(self->sha, algorithms[1], src[i], dst[i],
							(union doca_data){ 0 }, &tasks[i]));
		ASSERT_OK(doca_task_submit(doca_sha_task_hash_as_task(tasks[i])));
	}
	EXPECT_TRUE(UNTIL(ended.nr == 1 << LOG_TASKS));
	for (i = 0; i < 1 << LOG_TASKS; i++) {
		EXPECT_OK(doca_task_get_status(doca_sha_task_hash_as_task(tasks[i])));
		EXPECT_EQ(0, memcmp(digest, self->out + i * DIGEST_MAX, hashes[1].digest));
		doca_task_free(doca_sha_task_hash_as_task(tasks[i]));
		put(src[i]);
		put(dst[i]);
	}
}

/* A part of another length ends its hash and the context, in which a next one begins anew. */
TEST_F(sha, a_part_that_is_wrong)
{
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *part = data_at(self, 0, 64), *wrong = data_at(self, 64, 65);
	struct doca_buf *dst = room_at(self, 0);

	ASSERT_OK(doca_sha_task_partial_hash_alloc_init(self->sha, algorithms[1], part, dst,
							(union doca_data){ 0 }, &task));
	ASSERT_OK(run(self, doca_sha_task_partial_hash_as_task(task)));
	ASSERT_OK(doca_sha_task_partial_hash_set_src(task, wrong));
	EXPECT_ERR(INVALID_VALUE, run(self, doca_sha_task_partial_hash_as_task(task)));
	put(part);
	put(wrong);
	put(dst);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	EXPECT_TRUE(UNTIL(bed_is_idle(self->ctx)));
	ASSERT_OK(doca_ctx_start(self->ctx));
	ASSERT_OK(hash(self, 1, data_at(self, 0, 100)));
}

/* A task that cannot be done says so, and the context can be started again. */
static doca_error_t fail(FIXTURE_DATA(sha) * self, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_hash *task;
	doca_error_t rc;

	rc = doca_sha_task_hash_alloc_init(self->sha, algorithms[2], src, dst,
					   (union doca_data){ 0 }, &task);
	if (rc)
		return rc;
	rc = run(self, doca_sha_task_hash_as_task(task));
	doca_task_free(doca_sha_task_hash_as_task(task));
	if (src)
		put(src);
	if (dst)
		put(dst);
	if (!UNTIL(bed_is_idle(self->ctx)) || doca_ctx_start(self->ctx))
		return DOCA_ERROR_UNEXPECTED;
	return rc;
}

TEST_F(sha, failures)
{
	struct doca_buf *small;
	struct doca_mmap *mmap;
	static char constant[64];

	EXPECT_ERR(INVALID_VALUE, fail(self, NULL, room_at(self, 0)));
	EXPECT_ERR(INVALID_VALUE, fail(self, data_at(self, 0, 1), NULL));
	ASSERT_OK(doca_buf_inventory_buf_get_by_addr(self->inv, self->mmap, self->out, 63, &small));
	EXPECT_ERR(INVALID_VALUE, fail(self, data_at(self, 0, 1), small));
	ASSERT_OK(bed_mmap(constant, sizeof(constant), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, self->dev,
			   NULL, &mmap));
	ASSERT_OK(doca_buf_inventory_buf_get_by_addr(self->inv, mmap, constant, sizeof(constant),
						     &small));
	EXPECT_ERR(NOT_PERMITTED, fail(self, data_at(self, 0, 1), small));
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_OK(hash(self, 0, data_at(self, 0, 1)));
}

/* A stop meets a hash at any step. */
TEST_F(sha, a_stop_meets_a_hash)
{
	struct doca_sha_task_hash *task;
	struct doca_buf *src, *dst;
	uint32_t round, i;

	for (round = 0; round < rounds(20); round++) {
		src = data_at(self, 0, LENGTH);
		dst = room_at(self, 0);
		ASSERT_OK(doca_sha_task_hash_alloc_init(self->sha, algorithms[1], src, dst,
							(union doca_data){ 0 }, &task));
		ended.nr = 0;
		ASSERT_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
		for (i = 0; i < round % 5; i++)
			doca_pe_progress(self->pe);
		doca_ctx_stop(self->ctx);
		ASSERT_TRUE(UNTIL(ended.nr == 1));
		if (ended.status) {
			EXPECT_ERR(SHUTDOWN, ended.status);
		}
		doca_task_free(doca_sha_task_hash_as_task(task));
		put(src);
		put(dst);
		ASSERT_TRUE(UNTIL(bed_is_idle(self->ctx)));
		ASSERT_OK(doca_ctx_start(self->ctx));
	}
}

static void on_graph(struct doca_graph_instance *instance, union doca_data instance_data,
		     union doca_data graph_data)
{
	(void)instance, (void)instance_data, (void)graph_data;
	ended.nr++;
}

/* A graph of one hash. */
TEST_F(sha, a_node_of_a_graph)
{
	struct doca_buf *src = data_at(self, 0, 100), *dst = room_at(self, 0);
	struct doca_graph_instance *instance;
	struct doca_sha_task_hash *task;
	struct doca_graph_node *node;
	uint8_t digest[DIGEST_MAX];
	struct doca_graph *graph;

	ASSERT_OK(hash(self, 1, data_at(self, 0, 100)));
	memcpy(digest, self->out, sizeof(digest));
	memset(self->out, 0, DIGEST_MAX);
	ASSERT_OK(doca_graph_create(self->pe, &graph));
	ASSERT_OK(doca_graph_node_create_from_ctx(graph, self->ctx, &node));
	ASSERT_OK(doca_graph_set_conf(graph, on_graph, on_graph, 1));
	ASSERT_OK(doca_graph_start(graph));
	ASSERT_OK(doca_graph_instance_create(graph, &instance));
	ASSERT_OK(doca_sha_task_hash_alloc_init(self->sha, algorithms[1], src, dst,
						(union doca_data){ 0 }, &task));
	ASSERT_OK(doca_graph_instance_set_ctx_node_data(instance, node,
							doca_sha_task_hash_as_task(task)));
	ended.nr = 0;
	ASSERT_OK(doca_graph_instance_submit(instance));
	EXPECT_TRUE(UNTIL(ended.nr == 1));
	EXPECT_EQ(0, memcmp(digest, self->out, hashes[1].digest));
	EXPECT_OK(doca_graph_instance_destroy(instance));
	doca_task_free(doca_sha_task_hash_as_task(task));
	EXPECT_OK(doca_graph_stop(graph));
	EXPECT_OK(doca_graph_destroy(graph));
	put(src);
	put(dst);
}

TEST_HARNESS_MAIN
