// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* As much memory of another process as real programs use, in as many maps. */
#define MAPS 64
#define WINDOWS 4 /* our own windows, the destinations */
#define EACH ((size_t)16 << 20) /* a gigabyte in all */
#define LEN (WINDOWS * EACH)
#include "pair.h"

static struct desc *descs;

static int run_exporters(struct shared *shared)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *mmap;
	const void *bytes;
	size_t len;
	int i;

	for (i = 0; i < MAPS; i++) {
		char *mem = shared->mem + i * EACH;

		if (bed_mmap(mem, EACH, DOCA_ACCESS_FLAG_PCI_READ_WRITE, dev, NULL, &mmap) ||
		    doca_mmap_export_pci(mmap, dev, &bytes, &len))
			return 1;
		desc_write(&descs[i], bytes, len, mem);
	}
	store(&shared->ready, 1);
	for (;;)
		pause();
}

TEST_F_TIMEOUT(ends, of_a_gigabyte_in_64_maps, 120)
{
	char *theirs = self->shared->mem = map(MAPS * EACH);
	struct doca_mmap *imports[MAPS];
	struct importer importer;
	unsigned int i, j;
	pid_t pid;

	descs = map(MAPS * sizeof(*descs));
	for (i = 0; i < MAPS; i++)
		bed_fill(theirs + i * EACH, EACH, i);
	pid = victim(self->shared, run_exporters);
	ASSERT_EQ(0, importer_open(&importer));
	for (i = 0; i < MAPS; i++)
		ASSERT_OK(importer_import(&importer, &descs[i], &imports[i]));
	for (i = 0; i < MAPS; i += WINDOWS) {
		memset(importer.mem, 0, LEN);
		for (j = 0; j < WINDOWS; j++)
			ASSERT_OK(bed_copy(&importer.bed, imports[i + j], theirs + (i + j) * EACH,
					   importer.local, importer.mem + j * EACH, EACH));
		ASSERT_TRUE(BED_UNTIL(&importer.bed, importer.bed.succeeded == i + j));
		ASSERT_EQ(0, memcmp(importer.mem, theirs + i * EACH, LEN));
	}
	for (i = 0; i < MAPS; i++)
		EXPECT_OK(doca_mmap_destroy(imports[i]));
	importer_close(&importer);
	bury(self->shared, pid);
}

TEST_HARNESS_MAIN
