// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* As much memory of another process as programs have of one, in as many maps. */
#include "bed.h"

#define MAPS 64
#define LEN ((size_t)16 << 20) /* of each: a gigabyte in all */
#define WINDOWS 4 /* of ours, into which is copied */

struct desc {
	size_t len;
	char bytes[512];
};

/* What the exporter has from the test's process. */
struct shared {
	int there;
	struct desc descs[MAPS];
};

static void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int exporter(struct shared *shared, char *theirs)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *mmap;
	const void *bytes;
	int i;

	for (i = 0; i < MAPS; i++) {
		struct desc *desc = &shared->descs[i];

		if (bed_mmap(theirs + i * LEN, LEN,
			     DOCA_ACCESS_FLAG_PCI_READ_WRITE, dev, NULL,
			     &mmap) ||
		    doca_mmap_export_pci(mmap, dev, &bytes, &desc->len) ||
		    desc->len > sizeof(desc->bytes))
			return 1;
		memcpy(desc->bytes, bytes, desc->len);
	}
	__atomic_store_n(&shared->there, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
}

TEST(a_gigabyte_in_64_maps)
{
	struct shared *shared = map(sizeof(*shared));
	char *theirs = map(MAPS * LEN), *mem = map(WINDOWS * LEN);
	struct doca_mmap *local, *imports[MAPS];
	struct doca_dev *dev;
	struct bed bed;
	pid_t pid;
	int i, j;

	for (i = 0; i < MAPS; i++)
		bed_fill(theirs + i * LEN, LEN, i);
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(exporter(shared, theirs));
	}
	while (!__atomic_load_n(&shared->there, __ATOMIC_ACQUIRE)) {
		ASSERT_EQ(0, waitpid(pid, NULL, WNOHANG));
		usleep(1000);
	}
	dev = bed_open_dev(NULL);
	ASSERT_OK(bed_mmap(mem, WINDOWS * LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
			   &local));
	for (i = 0; i < MAPS; i++)
		ASSERT_OK(doca_mmap_create_from_export(
			NULL, shared->descs[i].bytes, shared->descs[i].len, dev,
			&imports[i]));
	ASSERT_OK(bed_create(&bed, dev, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < MAPS; i += WINDOWS) {
		memset(mem, 0, WINDOWS * LEN);
		for (j = 0; j < WINDOWS; j++)
			ASSERT_OK(bed_copy(&bed, imports[i + j],
					   theirs + (i + j) * LEN, local,
					   mem + j * LEN, LEN));
		ASSERT_TRUE(BED_UNTIL(&bed, bed.succeeded ==
						    (unsigned int)(i + j)));
		ASSERT_EQ(0, memcmp(mem, theirs + i * LEN, WINDOWS * LEN));
	}
	ASSERT_OK(doca_ctx_stop(bed.ctx));
	ASSERT_TRUE(BED_UNTIL(&bed, bed_state_of(&bed) == DOCA_CTX_STATE_IDLE));
	EXPECT_OK(bed_destroy(&bed));
	for (i = 0; i < MAPS; i++)
		EXPECT_OK(doca_mmap_destroy(imports[i]));
	EXPECT_OK(doca_mmap_destroy(local));
	EXPECT_OK(doca_dev_close(dev));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_HARNESS_MAIN
