// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks on memory that is a dma-buf: alone, and shared with another process. */
#include <sys/socket.h>

#include "../lib/dmabuf.h"
#include "bed.h"

#define LEN (64 * 1024UL)
#define OFFSET 4099
#define ADDR ((char *)0x7000000000 + OFFSET) /* nothing is mapped there */

FIXTURE(dmabuf)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap; /* maps the dma-buf */
	struct doca_mmap *mine;
	char *seen;
	char *mem;
	int fd;
	long pins;
};

FIXTURE_VARIANT(dmabuf)
{
	dmabuf_create_t *create;
};

FIXTURE_VARIANT_ADD(dmabuf, vgem){
	.create = dmabuf_vgem,
};

FIXTURE_VARIANT_ADD(dmabuf, heap){
	.create = dmabuf_heap,
};

static doca_error_t dmabuf_map(struct doca_mmap **mmap, int fd, size_t len, uint32_t access,
			       struct doca_dev *dev)
{
	doca_error_t rc;

	if ((rc = doca_mmap_create(mmap)) ||
	    (rc = doca_mmap_set_dmabuf_memrange(*mmap, fd, ADDR, OFFSET, len)) ||
	    (rc = doca_mmap_set_permissions(*mmap, access)) || (rc = doca_mmap_add_dev(*mmap, dev)))
		return rc;
	return doca_mmap_start(*mmap);
}

FIXTURE_SETUP(dmabuf)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	self->fd = variant->create(2 * LEN, true);
	/* The harness runs a test even if its setup skipped: leave here. */
	if (!self->dev || self->fd == -ENODEV)
		SKIP_SETUP("no device, no such exporter, or no dma-bufs are taken");
	ASSERT_LE(0, self->fd);
	self->seen = dmabuf_mmap(self->fd, 2 * LEN, true);
	ASSERT_NE(NULL, self->seen);
	self->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	ASSERT_OK(bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mine));
	ASSERT_OK(dmabuf_map(&self->mmap, self->fd, LEN,
			     DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
			     self->dev));
}

FIXTURE_TEARDOWN(dmabuf)
{
	EXPECT_TRUE(BED_UNTIL(&self->bed, !bed_inflight(&self->bed)));
	if (bed_state_of(&self->bed) != DOCA_CTX_STATE_IDLE)
		EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mine));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Make one copy through a context; return true if it succeeded. */
static bool copied(struct bed *bed, struct doca_mmap *from, char *src, struct doca_mmap *to,
		   char *dst, size_t len)
{
	unsigned int before = bed->succeeded;

	return !bed_copy(bed, from, src, to, dst, len) && BED_UNTIL(bed, !bed_inflight(bed)) &&
	       bed->succeeded == before + 1;
}

TEST_F(dmabuf, tasks_read_and_write_it)
{
	close(self->fd);
	bed_fill(self->seen + OFFSET, LEN, 1);
	EXPECT_TRUE(copied(&self->bed, self->mmap, ADDR, self->mine, self->mem, LEN));
	EXPECT_EQ(0, memcmp(self->mem, self->seen + OFFSET, LEN));
	bed_fill(self->mem, LEN, 2);
	EXPECT_TRUE(copied(&self->bed, self->mine, self->mem, self->mmap, ADDR, LEN));
	EXPECT_EQ(0, memcmp(self->mem, self->seen + OFFSET, LEN));
	self->fd = open("/dev/null", O_RDONLY);
}

struct peer {
	int sock;
	char desc[512];
	size_t len;
};

/* Add one to every byte of the import, tell so, and wait for the end. */
static int importer(void *arg)
{
	struct doca_mmap *far, *near;
	struct peer *peer = arg;
	struct doca_dev *dev;
	struct bed bed;
	char *mem, c;
	size_t i, len;
	void *addr;

	mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dev = bed_open_dev(NULL);
	if (!dev || bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &near) ||
	    doca_mmap_create_from_export(NULL, peer->desc, peer->len, dev, &far) ||
	    doca_mmap_get_memrange(far, &addr, &len) || addr != ADDR || len != LEN)
		return 1;
	if (!copied(&bed, far, ADDR, near, mem, LEN))
		return 2;
	for (i = 0; i < LEN; i++)
		mem[i]++;
	if (!copied(&bed, near, mem, far, ADDR, LEN))
		return 3;
	if (write(peer->sock, "x", 1) != 1 || read(peer->sock, &c, 1) != 1)
		return 4;
	/* The export was stopped: further copies fail, and nothing else happens. */
	if (copied(&bed, far, ADDR, near, mem, LEN) || bed.failed != 1 ||
	    bed.status != DOCA_ERROR_IO_FAILED)
		return 5;
	if (!BED_UNTIL(&bed, bed_state_of(&bed) == DOCA_CTX_STATE_IDLE))
		return 6;
	return doca_mmap_destroy(far) || doca_mmap_destroy(near) || bed_destroy(&bed) ||
			       doca_dev_close(dev) ?
		       7 :
		       0;
}

TEST_F(dmabuf, shared_with_another_process)
{
	const void *desc;
	struct peer peer;
	int socks[2];
	size_t i;
	pid_t pid;
	char c;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, socks));
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &desc, &peer.len));
	memcpy(peer.desc, desc, peer.len);
	bed_fill(self->seen + OFFSET, LEN, 4);
	peer.sock = socks[1];
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(importer(&peer));
	}
	close(socks[1]);
	ASSERT_EQ(1, read(socks[0], &c, 1));
	bed_fill(self->mem, LEN, 4);
	for (i = 0; i < LEN; i++)
		self->mem[i]++;
	EXPECT_EQ(0, memcmp(self->mem, self->seen + OFFSET, LEN));
	EXPECT_OK(doca_mmap_stop(self->mmap));
	ASSERT_EQ(1, write(socks[0], "x", 1));
	EXPECT_EQ(0, bed_wait(pid));
	close(socks[0]);
}

TEST_HARNESS_MAIN
