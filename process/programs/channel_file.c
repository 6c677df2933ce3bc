// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A file is copied from one process to another by DMA: the descriptor of its memory comes over the
 * communication channel, and the answer that it was copied goes back.
 */
#include <fcntl.h>

#include "channel.h"

#define FILE_LEN (3 * LEN + 4321)

/* The message that offers a file. */
struct offer {
	void *addr;
	size_t length, blob_length;
	char blob[512];
};

static int make_file(char *path, size_t length)
{
	int fd;

	strcpy(path, "/tmp/doca-channel.XXXXXX");
	fd = mkstemp(path);
	return fd >= 0 && !ftruncate(fd, length) ? fd : -1;
}

/* Read or write the whole file. */
static bool move_file(const char *path, char *mem, bool read)
{
	int fd = open(path, O_RDWR);
	bool moved = fd >= 0 &&
		     (read ? pread(fd, mem, FILE_LEN, 0) : pwrite(fd, mem, FILE_LEN, 0)) == FILE_LEN;

	close(fd);
	return moved;
}

static const char *source;

/* Offer the file to the client that comes, and wait for its answer. */
static int run_giver(struct shared *shared)
{
	char *mem = map(FILE_LEN);
	struct offer offer = { .addr = mem, .length = FILE_LEN };
	struct side side = {};
	struct doca_mmap *mmap;
	const void *blob;

	if (!move_file(source, mem, true) || server_open(&side, NAME) ||
	    bed_mmap(mem, FILE_LEN, DOCA_ACCESS_FLAG_PCI_READ_ONLY, side.dev, NULL, &mmap) ||
	    doca_mmap_export_pci(mmap, side.dev, &blob, &offer.blob_length))
		return 1;
	memcpy(offer.blob, blob, offer.blob_length);
	store(&shared->ready, 1);
	if (!SIDE_UNTIL(&side, side.connects) ||
	    side_send_bytes(&side, side.connection, &offer, sizeof(offer)) ||
	    !SIDE_UNTIL(&side, side.received == 1) || memcmp(side.last, "done", 4))
		return 2;
	store(&shared->steps, 1);
	return !SIDE_UNTIL(&side, side.disconnects) || doca_mmap_destroy(mmap) ||
	       side_destroy(&side);
}

static int copy(struct side *side, const struct offer *offer, char *mem)
{
	struct doca_mmap *local, *imported;
	struct bed bed;

	if (doca_mmap_create_from_export(NULL, offer->blob, offer->blob_length, side->dev,
					 &imported) ||
	    bed_mmap(mem, FILE_LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, side->dev, NULL, &local) ||
	    bed_create(&bed, side->dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_copy(&bed, imported, offer->addr, local, mem, offer->length) ||
	    !BED_UNTIL(&bed, bed.succeeded == 1) || doca_ctx_stop(bed.ctx) || bed_destroy(&bed))
		return -1;
	return doca_mmap_destroy(local) || doca_mmap_destroy(imported);
}

TEST(a_file_is_copied_by_a_descriptor_that_came_over_the_channel)
{
	struct shared *shared = map(sizeof(*shared));
	struct side side = {};
	struct offer offer;
	char path[32], *from = map(FILE_LEN), *to = map(FILE_LEN);
	int status;
	pid_t pid;

	close(make_file(path, FILE_LEN));
	bed_fill(from, FILE_LEN, 5);
	ASSERT_TRUE(move_file(path, from, false));
	source = path;
	pid = victim(shared, run_giver);
	ASSERT_EQ(0, client_make(&side, "b1:00.0", NAME));
	ASSERT_TRUE(client_connect(&side));
	ASSERT_TRUE(SIDE_UNTIL(&side, side.received == 1));
	ASSERT_EQ(sizeof(offer), side.last_length);
	memcpy(&offer, side.last, sizeof(offer));
	ASSERT_EQ(FILE_LEN, offer.length);
	ASSERT_EQ(0, copy(&side, &offer, to));
	EXPECT_EQ(0, memcmp(from, to, FILE_LEN));
	ASSERT_OK(side_send_bytes(&side, side.connection, "done", 4));
	EXPECT_TRUE(SIDE_UNTIL(&side, load(&shared->steps) == 1));
	EXPECT_EQ(0, side_destroy(&side));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	unlink(path);
}

TEST_HARNESS_MAIN
