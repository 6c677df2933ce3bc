// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* SIGKILL of an exporter or an importer at any moment. */
#include "bed.h"

#define LEN (1 << 20)

struct desc {
	size_t len;
	char bytes[512];
};

/* Export from a child, tell so on @fd, and wait to be killed. */
static void exporter(int fd, bool fork_heir, pid_t *heir)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct desc desc = {};
	struct doca_mmap *exported;
	const void *bytes;
	char *mem;

	mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bed_fill(mem, LEN, 5);
	if (!dev || bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE, dev, NULL, &exported) ||
	    doca_mmap_export_pci(exported, dev, &bytes, &desc.len))
		_exit(1);
	memcpy(desc.bytes, bytes, desc.len);
	if (fork_heir) {
		*heir = fork();
		if (!*heir)
			for (;;)
				pause();
	}
	if (write(fd, &desc, sizeof(desc)) != sizeof(desc) ||
	    write(fd, heir, sizeof(*heir)) != sizeof(*heir))
		_exit(2);
	for (;;)
		pause();
}

FIXTURE(death)
{
	struct doca_dev *dev;
	struct doca_mmap *local, *imported;
	struct bed bed;
	pid_t pid, heir;
	char *mem;
	long pins;
};

FIXTURE_VARIANT(death)
{
	bool heir;
};

FIXTURE_VARIANT_ADD(death, alone){
	.heir = false,
};

/* The exporter has forked a child, which has all its descriptors and lives. */
FIXTURE_VARIANT_ADD(death, with_heir){
	.heir = true,
};

FIXTURE_SETUP(death)
{
	struct desc desc;
	int fds[2];

	self->pins = pins_held();
	ASSERT_EQ(0, pipe(fds));
	self->pid = quiet_fork();
	if (!self->pid) {
		pid_t heir = 0;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exporter(fds[1], variant->heir, &heir);
	}
	close(fds[1]);
	ASSERT_EQ(sizeof(desc), read(fds[0], &desc, sizeof(desc)));
	ASSERT_EQ(sizeof(self->heir), read(fds[0], &self->heir, sizeof(self->heir)));
	close(fds[0]);

	self->dev = bed_open_dev(NULL);
	self->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->local));
	ASSERT_OK(doca_mmap_create_from_export(NULL, desc.bytes, desc.len, self->dev,
					       &self->imported));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(death)
{
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->imported));
	EXPECT_OK(doca_mmap_destroy(self->local));
	EXPECT_OK(doca_dev_close(self->dev));
	/* Pins go, also the exporter's, although its child may live. */
	EXPECT_EQ(self->pins, pins_settle(self->pins));
	if (self->heir)
		kill(self->heir, SIGKILL);
}

static doca_error_t copy(FIXTURE_DATA(death) *self)
{
	void *addr;
	size_t len;

	doca_mmap_get_memrange(self->imported, &addr, &len);
	return bed_copy(&self->bed, self->imported, addr, self->local, self->mem, len);
}

TEST_F(death, of_the_exporter)
{
	ASSERT_OK(copy(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, NULL, 0));

	ASSERT_OK(copy(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(1, self->bed.succeeded);
	EXPECT_EQ(1, self->bed.failed);
	EXPECT_ERR(IO_FAILED, self->bed.status);
}

TEST_F(death, of_the_exporter_while_copying)
{
	self->bed.resubmit = true;
	ASSERT_OK(copy(self));
	ASSERT_OK(copy(self));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded > 10));
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, NULL, 0));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(2, self->bed.failed);
}

/* Import the parent's export and copy it for ever, reporting each step. */
static void importer(const struct desc *desc, int *steps)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	char *mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct doca_mmap *local, *imported;
	struct bed bed;
	void *addr;
	size_t len;
	int i;

	*steps = 1;
	if (!dev || bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &local) ||
	    doca_mmap_create_from_export(NULL, desc->bytes, desc->len, dev, &imported))
		_exit(1);
	*steps = 2;
	if (doca_mmap_get_memrange(imported, &addr, &len) || bed_create(&bed, dev, NULL) ||
	    doca_ctx_start(bed.ctx))
		_exit(1);
	*steps = 3;
	bed.resubmit = true;
	for (i = 0; i < 8; i++)
		if (bed_copy(&bed, imported, addr, local, mem, len))
			_exit(2);
	while (!bed.failed)
		*steps += doca_pe_progress(bed.pe);
	_exit(3);
}

/* Kill it at thirty moments, from before it opens the device to deep in its work. */
TEST(of_an_importer_at_any_moment)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	long pins = pins_held();
	struct doca_mmap *exported;
	struct desc desc = {};
	const void *bytes;
	volatile int *steps;
	int i, status;
	char *mem;
	pid_t pid;

	if (!dev)
		SKIP(return, "no device");
	mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_ONLY, dev, NULL, &exported));
	ASSERT_OK(doca_mmap_export_pci(exported, dev, &bytes, &desc.len));
	memcpy(desc.bytes, bytes, desc.len);

	steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	for (i = 0; i < rounds(30); i++) {
		*steps = 0;
		pid = quiet_fork();
		if (!pid)
			importer(&desc, (int *)steps);
		EXPECT_TRUE(AWAIT_BY(sched_yield(), *steps >= i % 30));
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_OK(doca_mmap_destroy(exported));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_EQ(pins, pins_settle(pins));
}

TEST_HARNESS_MAIN
