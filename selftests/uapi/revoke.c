// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The end of an export: its owner revokes it or dies, while the importer holds a key to
 * it and uses it.
 */
#include "exporter.h"
#include "kselftest_harness.h"

FIXTURE(ending) {
	struct doca d;
	struct buf buf;
	struct queue q;
	struct exporter e;
	uint32_t key;
};

FIXTURE_VARIANT(ending) {
	char command;
	bool child_lives_on;
	bool sigkill;
	struct mode mode;
};

#define ENDING(name, ...) \
	FIXTURE_VARIANT_ADD(ending, name) { __VA_ARGS__ }

ENDING(revoke, .command = 'r');
ENDING(dereg, .command = 'd');
ENDING(close, .command = 'c');
ENDING(exit, .command = 'x');
ENDING(sigkill, .sigkill = true);
ENDING(exit_of_parent, .command = 'x', .child_lives_on = true);
ENDING(sigkill_of_parent, .sigkill = true, .child_lives_on = true);
ENDING(worker_revoke, .command = 'r', .mode = { .worker = true });
ENDING(worker_dereg, .command = 'd', .mode = { .worker = true });
ENDING(worker_sigkill, .sigkill = true, .mode = { .worker = true });

FIXTURE_SETUP(ending)
{
	struct doca_mem_import in;
	uint32_t worker;

	signal(SIGPIPE, SIG_IGN);
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, worker, 16, 0));
	ASSERT_TRUE(exporter_start(&self->e, &plain));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &in));
	self->key = in.out_key;
	if (variant->child_lives_on) {
		ASSERT_TRUE(exporter_tell(&self->e, 'f'));
	}
}

FIXTURE_TEARDOWN(ending)
{
	queue_close(&self->q);
	close(self->e.sock);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
}

static int end_it(struct exporter *e, char command, bool sigkill)
{
	if (sigkill)
		return exporter_kill(e);
	if (command == 'x')
		return exporter_end(e);
	return exporter_tell(e, command) ? 0 : -1;
}

TEST_F(ending, blob_and_key_are_dead)
{
	ASSERT_EQ(0, copy_in(&self->q, &self->buf, self->key, self->e.addr));
	ASSERT_EQ(0, end_it(&self->e, variant->command, variant->sigkill));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &self->e.blob, NULL));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, copy_in(&self->q, &self->buf, self->key, self->e.addr));
	EXPECT_EQ(DOCA_QUEUE_FLUSH, self->q.kernel->state);
	EXPECT_EQ(DOCA_STATUS_CANCELED, queue_status(&self->q, sqe_nop(1)));
	EXPECT_EQ(0, self->q.kernel->dead);
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, self->key));
}

/* It goes on even if the importer has never used it, and a new queue works */
TEST_F(ending, importer_goes_on)
{
	struct queue fresh;

	ASSERT_EQ(0, end_it(&self->e, variant->command, variant->sigkill));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, copy_out(&self->q, self->key, self->e.addr, &self->buf));
	ASSERT_EQ(0, queue_open(&fresh, &self->d, 0, 2, 0));
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&fresh, sqe_copy(seg_of(&self->buf, 0, 64),
						seg_of(&self->buf, 64, 64))));
	queue_close(&fresh);
}

/* In the middle of operations: some succeed, one fails, the rest is flushed */
TEST_F(ending, under_load)
{
	uint32_t last = DOCA_STATUS_SUCCESS;
	struct doca_cqe cqe;
	bool told = false;
	int i, n;

	for (n = 0; last == DOCA_STATUS_SUCCESS; n++) {
		for (i = 0; i < 16; i++)
			queue_push(&self->q, sqe_copy(
				seg_of(&self->buf, 0, LENGTH),
				seg_at(self->key, self->e.addr, LENGTH)));
		ASSERT_EQ(0, queue_publish(&self->q));
		if (n == 3)
			told = !end_it(&self->e, variant->command, variant->sigkill);
		for (i = 0; i < 16; i++) {
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			if (last == DOCA_STATUS_SUCCESS)
				last = cqe.status;
			else {
				EXPECT_EQ(DOCA_STATUS_CANCELED, cqe.status);
			}
		}
	}
	EXPECT_TRUE(told);
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, last);
}

/* The memory is released although the importer and a forked child live on */
TEST_F(ending, pins_go)
{
	long before = pins_read().pages;

	if (variant->command == 'r')
		SKIP(return, "the exporter keeps its memory");
	ASSERT_EQ(0, end_it(&self->e, variant->command, variant->sigkill));
	EXPECT_EQ(before - 4,
		  pins_settle((struct pins){ before - 4,
					     pins_read().vmpin_kb }).pages);
}

FIXTURE(importer) {
	struct doca d;
	struct buf buf;
	struct doca_blob blob;
};

FIXTURE_VARIANT(importer) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(importer, enter) {};
FIXTURE_VARIANT_ADD(importer, worker) { .mode = { true, 50 } };

FIXTURE_SETUP(importer)
{
	uint32_t worker;

	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(self->d.fd, self->buf.key, 0, &self->blob, NULL));
}

FIXTURE_TEARDOWN(importer)
{
	DOCA_CLOSE(&self->d);
}

/* The memory still belongs to its owner, which can take it back */
TEST_F(importer, killed_under_load)
{
	uint32_t i;

	for (i = 0; i < rounds(10); i++) {
		int ends[2];
		pid_t pid;
		char c;

		ASSERT_EQ(0, pipe(ends));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			import_and_copy(&self->blob, &variant->mode, ends[1]);
		close(ends[1]);
		ASSERT_EQ(1, read(ends[0], &c, 1));
		spin(i * 10000);
		kill(pid, SIGKILL);
		EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
		close(ends[0]);
	}
	EXPECT_EQ(0, mem_dereg(self->d.fd, self->buf.mem));
}

TEST_HARNESS_MAIN
