// SPDX-License-Identifier: GPL-2.0
#include <linux/debugfs.h>
#include <linux/module.h>

#include "testdma.h"

unsigned int testdma_mask_bits;
module_param_named(mask_bits, testdma_mask_bits, uint, 0644);
MODULE_PARM_DESC(mask_bits,
		 "addresses that it says it reaches; 0: those that it does");

unsigned int testdma_align;
module_param_named(align, testdma_align, uint, 0644);
MODULE_PARM_DESC(
	align,
	"log2 of what it says addresses and lengths must be multiples of");

bool testdma_no_order;
module_param_named(no_order, testdma_no_order, bool, 0644);
MODULE_PARM_DESC(no_order, "copies complete in any order, the last first");

bool testdma_no_terminate;
module_param_named(no_terminate, testdma_no_terminate, bool, 0644);
MODULE_PARM_DESC(no_terminate, "it cannot be terminated");

bool testdma_no_synchronize;
module_param_named(no_synchronize, testdma_no_synchronize, bool, 0644);
MODULE_PARM_DESC(no_synchronize,
		 "nobody can wait for callbacks of what was terminated");

static struct dentry *root;

enum testdma_fault testdma_fault(struct testdma *td)
{
	struct testdma_knobs *knobs = &td->knobs;
	enum testdma_fault fault;

	lockdep_assert_held(&td->lock);
	knobs->seen++;
	for (fault = TESTDMA_NONE + 1; fault < TESTDMA_NR_FAULTS; fault++) {
		u32 at = READ_ONCE(knobs->at[fault]);

		if (at && (knobs->seen == at ||
			   (READ_ONCE(knobs->from) && knobs->seen > at)))
			return fault;
	}
	return TESTDMA_NONE;
}

void testdma_knobs_add(struct testdma *td)
{
	static const char *const faults[TESTDMA_NR_FAULTS] = {
		[TESTDMA_FAIL] = "fail_at", [TESTDMA_HANG] = "hang_at",
		[TESTDMA_DROP] = "drop_at", [TESTDMA_LOSE] = "lose_at",
		[TESTDMA_SKIP] = "skip_at",
	};
	struct testdma_knobs *knobs = &td->knobs;
	unsigned int i;

	td->dir = debugfs_create_dir(pci_name(td->pdev), root);
	for (i = TESTDMA_NONE + 1; i < TESTDMA_NR_FAULTS; i++)
		debugfs_create_u32(faults[i], 0600, td->dir, &knobs->at[i]);
	debugfs_create_u32("from", 0600, td->dir, &knobs->from);
	debugfs_create_u32("seen", 0600, td->dir, &knobs->seen);
	debugfs_create_u32("null_after", 0600, td->dir, &knobs->null_after);
	debugfs_create_u32("prep_ms", 0600, td->dir, &knobs->prep_ms);
	debugfs_create_u32("delay_us", 0600, td->dir, &knobs->delay_us);
	debugfs_create_u32("late_ms", 0600, td->dir, &knobs->late_ms);
	debugfs_create_u32("irqs", 0600, td->dir, &knobs->irqs);
	debugfs_create_u32("issues", 0600, td->dir, &knobs->issues);
	debugfs_create_u32("most", 0600, td->dir, &knobs->most);
	debugfs_create_u32("suspended", 0600, td->dir, &knobs->suspended);
	testdma_loop_add(td);
}

void testdma_knobs_del(struct testdma *td)
{
	debugfs_remove_recursive(td->dir);
}

void testdma_knobs_init(void)
{
	root = debugfs_create_dir("testdma", NULL);
}

void testdma_knobs_exit(void)
{
	debugfs_remove_recursive(root);
}
