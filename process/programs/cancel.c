// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A thread that is cancelled during a call: the call continues to its end, like a system call,
 * and leaves no lock locked.
 */
#include <pthread.h>

#include "pair.h"

/* The copy's completion wakes the program, as the call itself does here. */
static void *copy_cancelled(void *arg)
{
	struct importer *self = arg;

	pthread_cancel(pthread_self());
	if (bed_copy(&self->bed, self->local, self->mem, self->local,
		     self->mem + LEN / 2, 64))
		return NULL;
	pthread_testcancel();
	return NULL;
}

static bool is_cancelled(void *(*run)(void *), void *arg)
{
	pthread_t thread;
	void *how = NULL;

	return !pthread_create(&thread, NULL, run, arg) &&
	       !pthread_join(thread, &how) && how == PTHREAD_CANCELED;
}

TEST_F(ends, of_a_thread_that_submits)
{
	struct importer importer;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(doca_pe_request_notification(importer.bed.pe));
	ASSERT_TRUE(is_cancelled(copy_cancelled, &importer));
	EXPECT_TRUE(BED_UNTIL(&importer.bed, importer.bed.succeeded == 1));
	importer_close(&importer);
}

struct question {
	struct importer importer;
	struct desc desc;
	doca_error_t rc;
};

static void *import_cancelled(void *arg)
{
	struct question *self = arg;

	pthread_cancel(pthread_self());
	self->rc = importer_import(&self->importer, &self->desc,
				   &self->importer.imported);
	pthread_testcancel();
	return NULL;
}

TEST_F(ends, of_a_thread_that_imports)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct question first = { .rc = -1 };

	first.desc = desc_read(&self->shared->desc);
	ASSERT_EQ(0, importer_open(&first.importer));
	ASSERT_TRUE(is_cancelled(import_cancelled, &first));
	ASSERT_OK(first.rc);
	ASSERT_OK(bed_copy(&first.importer.bed, first.importer.imported,
			   first.desc.addr, first.importer.local,
			   first.importer.mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&first.importer.bed,
			      first.importer.bed.succeeded == 1));
	importer_close(&first.importer);
	bury(self->shared, pid);
}

static void *stop_cancelled(void *arg)
{
	struct importer *self = arg;

	pthread_cancel(pthread_self());
	doca_ctx_stop(self->bed.ctx);
	pthread_testcancel();
	return NULL;
}

TEST_F(ends, of_a_thread_that_stops)
{
	struct importer importer;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_TRUE(is_cancelled(stop_cancelled, &importer));
	EXPECT_TRUE(is_idle(importer.bed.ctx));
	EXPECT_OK(doca_ctx_start(importer.bed.ctx));
	importer_close(&importer);
}

TEST_HARNESS_MAIN
