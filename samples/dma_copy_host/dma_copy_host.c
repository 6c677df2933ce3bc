// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Export: let another process copy from and to memory of this one.
 *
 * The other process, dma_copy_dpu, runs on this machine; on NVIDIA's hardware it runs on the DPU.
 * It needs nothing but the descriptor. This side takes no part in the copies: it waits for Enter,
 * and then checks whether its text has come back. When the map is stopped or the process ends, the
 * descriptor becomes worthless.
 *
 * Usage: dma_copy_host [-p PCI-ADDRESS] [-d DESCRIPTOR-FILE] [-t TEXT]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_mmap.h>

#include "../common/descriptor.h"
#include "../common/sample.h"

/* One half for each direction. */
static struct {
	char text[256];
	char answer[256];
} memory = { .text = "Hello from the host" };

static doca_error_t set_text(void *value, void *config)
{
	(void)config;
	if (snprintf(memory.text, sizeof(memory.text), "%s", (char *)value) >=
	    (int)sizeof(memory.text))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

static doca_error_t can_export(const struct doca_devinfo *devinfo)
{
	uint8_t can;
	doca_error_t err = doca_mmap_cap_is_export_pci_supported(devinfo, &can);

	if (err == DOCA_SUCCESS && !can)
		return DOCA_ERROR_NOT_SUPPORTED;
	return err;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { descriptor_flag,
				       { "t", "text", "<text>",
					 "What the other side is to read",
					 set_text },
				       {} };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	const void *desc;
	size_t len;
	int c;

	sample_start("dma_copy_host", argc, argv, flags);
	dev = sample_open_device(can_export);

	/* The PCI permission tells what the other side may do. */
	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(mmap, dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	check(doca_mmap_export_pci(mmap, dev, &desc, &len), "export");
	descriptor_write(desc, len);

	printf("Exported to %s. Run dma_copy_dpu, then press Enter.\n",
	       descriptor_path);
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);

	descriptor_remove();
	check(doca_mmap_stop(mmap), "stop of the memory map");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");

	if (memcmp(memory.text, memory.answer, sizeof(memory.text))) {
		printf("The text has not come back\n");
		return EXIT_FAILURE;
	}
	printf("The text has come back\n");
	return EXIT_SUCCESS;
}
