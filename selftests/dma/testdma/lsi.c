// SPDX-License-Identifier: GPL-2.0
/* LSI 53C895A: a script of memory moves that ends with an interrupt. */
#include <linux/io.h>

#include "testdma.h"

#define LSI_DSTAT 0x0c
#define LSI_DSTAT_SIR BIT(2)
#define LSI_ISTAT 0x14
#define LSI_ISTAT_RESET BIT(6)
#define LSI_ISTAT_PENDING 3
#define LSI_DSP 0x2c
#define LSI_DIEN 0x39
#define LSI_DIEN_SIR BIT(2)
#define LSI_SIST0 0x42
#define LSI_SIST1 0x43
#define LSI_MOVE 0xc0000000
#define LSI_INT 0x98080000

/* A move takes three words, and the end two: a page has room for more. */
#define LSI_BATCH 64

static void lsi_start(struct testdma *td)
{
	struct testdma_desc *desc;
	u32 *word = td->script;

	list_for_each_entry(desc, &td->active, node) {
		if (desc->fault == TESTDMA_FAIL || desc->fault == TESTDMA_SKIP)
			continue;
		*word++ = (__force u32)cpu_to_le32(LSI_MOVE | (u32)desc->len);
		*word++ = (__force u32)cpu_to_le32(lower_32_bits(desc->src));
		*word++ = (__force u32)cpu_to_le32(lower_32_bits(desc->dst));
	}
	*word++ = (__force u32)cpu_to_le32(LSI_INT);
	*word = 0;
	dma_wmb();
	schedule_work(&td->kick);
}

/* The device copies in the CPU that writes this register, which must not hold a lock. */
void testdma_lsi_kick(struct work_struct *work)
{
	struct testdma *td = container_of(work, struct testdma, kick);

	writel(lower_32_bits(td->script_dma), td->regs + LSI_DSP);
}

static bool lsi_interrupt(struct testdma *td, bool *done)
{
	struct testdma_desc *desc;
	u8 dstat;

	if (!(readb(td->regs + LSI_ISTAT) & LSI_ISTAT_PENDING))
		return false;
	dstat = readb(td->regs + LSI_DSTAT);
	readb(td->regs + LSI_SIST0);
	readb(td->regs + LSI_SIST1);
	if (!td->busy || td->hung)
		return true;
	if (!(dstat & LSI_DSTAT_SIR))
		dev_warn(&td->pdev->dev, "dstat %x\n", dstat);
	list_for_each_entry(desc, &td->active, node)
		desc->done = desc->len;
	*done = true;
	return true;
}

static void lsi_reset(struct testdma *td)
{
	writeb(LSI_ISTAT_RESET, td->regs + LSI_ISTAT);
	writeb(0, td->regs + LSI_ISTAT);
	writeb(LSI_DIEN_SIR, td->regs + LSI_DIEN);
}

const struct testdma_engine testdma_lsi = {
	.name = "testdma-lsi",
	.bar = 1,
	.bits = 32,
	.batch = LSI_BATCH,
	.reset = lsi_reset,
	.start = lsi_start,
	.interrupt = lsi_interrupt,
};
