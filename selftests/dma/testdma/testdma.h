/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dmaengine provider for tests, on devices of QEMU that can copy memory. It makes the
 * mistakes that a provider may make, at the descriptor that a test names.
 *
 * lsi is a SCSI controller (lsi53c895a) whose scripts have an instruction that moves memory:
 * it takes lists, is as fast as the machine, and copies in the CPU that starts it. edu is
 * slow: 100 ms for each step of 2 KiB, of which a copy needs two.
 */
#ifndef TESTDMA_H
#define TESTDMA_H

#include <linux/dmaengine.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct testdma;

/**
 * enum testdma_fault - fault of a descriptor
 * @TESTDMA_NONE: nothing
 * @TESTDMA_FAIL: it is not executed, and that is reported
 * @TESTDMA_HANG: the engine stops at it, until it is terminated
 * @TESTDMA_DROP: it is executed, and its callback is not called
 * @TESTDMA_LOSE: its interrupt is lost: it is done when a client asks for its status
 * @TESTDMA_SKIP: it is not executed, and success is reported
 */
enum testdma_fault {
	TESTDMA_NONE,
	TESTDMA_FAIL,
	TESTDMA_HANG,
	TESTDMA_DROP,
	TESTDMA_LOSE,
	TESTDMA_SKIP,
	TESTDMA_NR_FAULTS,
};

/**
 * struct testdma_knobs - files in debugfs, in testdma/ADDRESS/
 * @at: for each fault, number of the descriptor at which it happens; 0: none
 * @from: if set, it happens at all later ones as well
 * @seen: descriptors that were started; tests set it to 0
 * @null_after: prep has no descriptor while this many are in use; 0: always has one
 * @prep_ms: time that prep sleeps
 * @delay_us: delay of the interrupt's handling
 * @late_ms: time that a callback sleeps which has begun and is not dropped any more
 * @irqs: interrupts; @issues: calls of issue_pending; @most: greatest number of
 *	descriptors in use at a time
 * @suspended: descriptors in use when the system was suspended, and calls of
 *	issue_pending until it was resumed
 * @loop_depth, @loop_length, @loop_count: for reading the file "loop": copies at a time,
 *	bytes of each, and their number
 */
struct testdma_knobs {
	u32 at[TESTDMA_NR_FAULTS];
	u32 from;
	u32 seen;
	u32 null_after;
	u32 prep_ms;
	u32 delay_us;
	u32 late_ms;
	u32 irqs;
	u32 issues;
	u32 most;
	u32 suspended;
	u32 loop_depth;
	u32 loop_length;
	u32 loop_count;
};

struct testdma_desc {
	struct dma_async_tx_descriptor tx;
	struct list_head node;
	dma_addr_t src, dst;
	size_t len;
	size_t done;
	enum testdma_fault fault;
};

/**
 * struct testdma_engine - a kind of device
 * @name: name of its interrupt
 * @bar: BAR with its registers
 * @bits: width of the addresses that it reaches
 * @batch: number of descriptors that it takes at a time
 * @reset: make it stop
 * @start: begin all of @active, which is not empty; called with the lock held
 * @interrupt: return true if the interrupt was the device's; set @done if @active is
 *	done; called with the lock held
 */
struct testdma_engine {
	const char *name;
	int bar;
	unsigned int bits;
	unsigned int batch;
	void (*reset)(struct testdma *td);
	void (*start)(struct testdma *td);
	bool (*interrupt)(struct testdma *td, bool *done);
};

/**
 * struct testdma - an engine with one channel
 * @lock: protects the members below it; taken in interrupts
 * @submitted: not issued yet
 * @issued: yet to be started
 * @active: being executed
 * @completed: their callbacks are to be called
 * @nr: descriptors in all of these lists
 * @busy: the device has @active, or it hangs
 * @hung: by a fault, or stopped between two steps
 * @unseen: @active is done, and its interrupt was lost
 * @stopping: nothing more is started
 * @active_ref: the device is kept active, or becomes so
 * @asleep: suspended by its runtime power management
 * @system: notifier of the system's sleep
 * @system_sleeps: the system is suspended, or about to be
 * @step2: for edu: this is the second step of two
 * @chunk: for edu: bytes of this step
 */
struct testdma {
	struct dma_device dma;
	struct dma_chan chan;
	struct pci_dev *pdev;
	void __iomem *regs;
	const struct testdma_engine *engine;
	u32 *script;
	dma_addr_t script_dma;
	struct work_struct kick;
	struct delayed_work work;
	wait_queue_head_t idle;
	struct dentry *dir;
	struct testdma_knobs knobs;
	spinlock_t lock; /* see above */
	struct list_head submitted;
	struct list_head issued;
	struct list_head active;
	struct list_head completed;
	u32 nr;
	bool busy;
	bool hung;
	bool unseen;
	bool stopping;
	bool active_ref;
	bool asleep;
	struct notifier_block system;
	bool system_sleeps;
	bool step2;
	size_t chunk;
};

static inline struct testdma *testdma_of(struct dma_chan *chan)
{
	return container_of(chan, struct testdma, chan);
}

/* knobs.c: module parameters that probe reads, and files. */
extern unsigned int testdma_mask_bits;
extern unsigned int testdma_align;
extern bool testdma_no_order;
extern bool testdma_no_terminate;
extern bool testdma_no_synchronize;
void testdma_knobs_init(void);
void testdma_knobs_exit(void);
void testdma_knobs_add(struct testdma *td);
void testdma_knobs_del(struct testdma *td);
/* Return the fault of the descriptor that is started next; call it with the lock held. */
enum testdma_fault testdma_fault(struct testdma *td);

/* loop.c: files to measure it, in its directory. */
void testdma_loop_add(struct testdma *td);

/* edu.c, lsi.c */
extern const struct testdma_engine testdma_edu;
extern const struct testdma_engine testdma_lsi;
void testdma_lsi_kick(struct work_struct *work);

/* pm.c: tell of issued work, and of rest; call these with the lock held. */
extern const struct dev_pm_ops testdma_pm_ops;
void testdma_wanted(struct testdma *td);
void testdma_rest(struct testdma *td);
int testdma_pm_add(struct testdma *td);
void testdma_pm_del(struct testdma *td);

/* provider.c: the functions for dmaengine, and the interrupt. */
void testdma_provider_init(struct testdma *td);
irqreturn_t testdma_interrupt(int irq, void *data);
/* Start issued descriptors, unless some are active; call it with the lock held. */
void testdma_start(struct testdma *td);
/* After it returns, nothing is started or called back any more. */
void testdma_provider_stop(struct testdma *td);

#endif
