/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Hundreds of memories, keys and exports, to be taken away beside executors of all kinds. */
#ifndef SELFTESTS_UAPI_RETIRE_H
#define SELFTESTS_UAPI_RETIRE_H

#include <pthread.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define MAPS 500

FIXTURE(retire) {
	struct doca d;
	struct buf buf;
	struct queue q, control;
	pthread_t thread;
	bool busy, stop, polls;
	uint32_t copies; /* made by the busy thread */
	uint8_t *pages;
	uint32_t ids[MAPS];
	struct doca_blob blobs[MAPS];
	int importer;
};

FIXTURE_VARIANT(retire) {
	struct mode mode;
	bool busy;
};

FIXTURE_VARIANT_ADD(retire, enter) {};
FIXTURE_VARIANT_ADD(retire, enter_busy) { .busy = true };
FIXTURE_VARIANT_ADD(retire, asleep) { .mode = { true, 0 } };
FIXTURE_VARIANT_ADD(retire, polls) { .mode = { true, DOCA_IDLE_NEVER } };
FIXTURE_VARIANT_ADD(retire, busy) { .mode = { true, DOCA_IDLE_NEVER }, .busy = true };

/* Copy a page, again and again */
static void *submitter(void *data)
{
	FIXTURE_DATA(retire) *self = data;
	struct doca_cqe cqe;

	while (!ring_load(&self->stop)) {
		if (queue_do(&self->q, sqe_copy(seg_of(&self->buf, 0, PAGE),
						seg_of(&self->buf, PAGE, PAGE)), &cqe) ||
		    cqe.status)
			return data;
		ring_store(&self->copies, self->copies + 1);
	}
	return NULL;
}

FIXTURE_SETUP(retire)
{
	uint32_t worker;

	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &worker);
	ASSERT_EQ(0, queue_open(&self->q, &self->d, worker, 16, 0));
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 2 * PAGE, ACCESS_LOCAL | ACCESS_PCI));
	self->importer = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->importer);
	self->pages = pages_alloc(MAPS * PAGE);
	ASSERT_NE(NULL, self->pages);
	memset(self->pages, 1, MAPS * PAGE);
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_nop(0)));
	self->stop = false;
	self->polls = variant->mode.idle_us;
	ASSERT_EQ(0, queue_open(&self->control, &self->d, worker, 2, 0));
	self->busy = variant->busy;
	if (self->busy)
		ASSERT_EQ(0, pthread_create(&self->thread, NULL, submitter, self));
}

FIXTURE_TEARDOWN(retire)
{
	void *failed = NULL;

	ring_store(&self->stop, true);
	if (self->busy)
		pthread_join(self->thread, &failed);
	EXPECT_EQ(NULL, failed);
	close(self->importer);
	queue_close(&self->control);
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

typedef int (*step_fn)(FIXTURE_DATA(retire) *self, int i);

static int make_memory(FIXTURE_DATA(retire) *self, int i)
{
	uint32_t key;

	return mem_reg(self->d.fd, self->pages + i * PAGE, PAGE, ACCESS_LOCAL, &self->ids[i]) ?:
	       mem_map(self->d.fd, self->ids[i], self->d.device, ACCESS_LOCAL, &key);
}

static int take_memory(FIXTURE_DATA(retire) *self, int i)
{
	return mem_dereg(self->d.fd, self->ids[i]);
}

static int make_key(FIXTURE_DATA(retire) *self, int i)
{
	return mem_map(self->d.fd, self->buf.mem, self->d.device, ACCESS_LOCAL, &self->ids[i]);
}

static int take_key(FIXTURE_DATA(retire) *self, int i)
{
	return mem_unmap(self->d.fd, self->ids[i]);
}

static int make_import(FIXTURE_DATA(retire) *self, int i)
{
	struct doca_mem_import in = {};
	int err;

	err = mem_export(self->d.fd, self->buf.key, 0, &self->blobs[i], NULL) ?:
	      mem_import(self->d.fd, self->d.device, &self->blobs[i], &in);
	self->ids[i] = in.out_key;
	return err;
}

/* Import into a file whose executors the exporter does not know */
static int make_export(FIXTURE_DATA(retire) *self, int i)
{
	return mem_export(self->d.fd, self->buf.key, 0, &self->blobs[i], &self->ids[i]) ?:
	       mem_import(self->importer, self->d.device, &self->blobs[i], NULL);
}

static int take_export(FIXTURE_DATA(retire) *self, int i)
{
	return export_revoke(self->d.fd, self->ids[i]);
}

static int make_elsewhere(FIXTURE_DATA(retire) *self, int i)
{
	uint32_t key;

	return mem_reg(self->importer, self->pages + i * PAGE, PAGE, ACCESS_LOCAL, &self->ids[i]) ?:
	       mem_map(self->importer, self->ids[i], self->d.device, ACCESS_LOCAL, &key);
}

static int take_all_at_last(FIXTURE_DATA(retire) *self, int i)
{
	if (i == MAPS - 1) {
		close(self->importer);
		self->importer = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	}
	return self->importer < 0 ? -errno : 0;
}

static const struct {
	const char *name;
	step_fn make, take;
} kinds[] = {
	{ "memory", make_memory, take_memory },
	{ "keys", make_key, take_key },
	{ "imports", make_import, take_key },
	{ "exports", make_export, take_export },
	{ "all of a file", make_elsewhere, take_all_at_last },
};

static int do_all(FIXTURE_DATA(retire) *self, step_fn step)
{
	int i, err = 0;

	for (i = 0; !err && i < MAPS; i++)
		err = step(self, i);
	return err;
}

#endif /* SELFTESTS_UAPI_RETIRE_H */
