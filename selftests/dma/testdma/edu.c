// SPDX-License-Identifier: GPL-2.0
/* QEMU's edu: it has a buffer of 4 KiB, so a copy goes there and then on. */
#include <linux/io-64-nonatomic-lo-hi.h>

#include "testdma.h"

#define EDU_STATUS 0x24
#define EDU_ACK 0x64
#define EDU_FROM 0x80
#define EDU_TO 0x88
#define EDU_COUNT 0x90
#define EDU_COMMAND 0x98
#define EDU_RUN BIT(0)
#define EDU_OUT BIT(1)
#define EDU_IRQ BIT(2)
#define EDU_BUFFER 0x40000
/* QEMU 7.2 rejects steps that use the whole buffer. */
#define EDU_STEP 2048

static void edu_start(struct testdma *td)
{
	struct testdma_desc *desc;

	desc = list_first_entry(&td->active, struct testdma_desc, node);
	td->chunk = min_t(size_t, desc->len - desc->done, EDU_STEP);
	if (td->step2) {
		writeq(EDU_BUFFER, td->regs + EDU_FROM);
		writeq(desc->dst + desc->done, td->regs + EDU_TO);
	} else {
		writeq(desc->src + desc->done, td->regs + EDU_FROM);
		writeq(EDU_BUFFER, td->regs + EDU_TO);
	}
	writeq(td->chunk, td->regs + EDU_COUNT);
	writel(EDU_RUN | EDU_IRQ | (td->step2 ? EDU_OUT : 0),
	       td->regs + EDU_COMMAND);
}

static bool edu_interrupt(struct testdma *td, bool *done)
{
	struct testdma_desc *desc;
	u32 status = readl(td->regs + EDU_STATUS);

	if (!status)
		return false;
	writel(status, td->regs + EDU_ACK);
	if (!td->busy || td->hung)
		return true;
	desc = list_first_entry(&td->active, struct testdma_desc, node);
	if (td->step2)
		desc->done += td->chunk;
	td->step2 = !td->step2;
	*done = desc->done == desc->len;
	if (!*done && !td->stopping) {
		edu_start(td);
		return true;
	}
	/* A caller that terminates waits for one step at most. */
	if (!*done) {
		td->hung = true;
		wake_up(&td->idle);
	}
	return true;
}

/* It cannot be stopped: a running step ends within 100 ms. */
static void edu_reset(struct testdma *td)
{
	td->step2 = false;
	while (readl(td->regs + EDU_COMMAND) & EDU_RUN)
		cpu_relax();
}

const struct testdma_engine testdma_edu = {
	.name = "testdma-edu",
	.bar = 0,
	.bits = 28,
	.batch = 1,
	.reset = edu_reset,
	.start = edu_start,
	.interrupt = edu_interrupt,
};
