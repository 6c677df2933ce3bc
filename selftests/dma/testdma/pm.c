// SPDX-License-Identifier: GPL-2.0
/* The device is active while it has work, and a little longer. */
#include <linux/delay.h>
#include <linux/pm_runtime.h>
#include <linux/suspend.h>

#include "testdma.h"

#define TESTDMA_AUTOSUSPEND_MS 500
#define TESTDMA_PREPARE_MS 100

void testdma_wanted(struct testdma *td)
{
	lockdep_assert_held(&td->lock);
	td->knobs.suspended += td->system_sleeps;
	if (td->active_ref || list_empty(&td->issued))
		return;
	td->active_ref = true;
	pm_runtime_get(&td->pdev->dev);
}

void testdma_rest(struct testdma *td)
{
	lockdep_assert_held(&td->lock);
	if (!td->active_ref || td->busy || !list_empty(&td->issued) ||
	    !list_empty(&td->completed))
		return;
	td->active_ref = false;
	pm_runtime_mark_last_busy(&td->pdev->dev);
	pm_runtime_put_autosuspend(&td->pdev->dev);
}

static int testdma_runtime_suspend(struct device *dev)
{
	struct testdma *td = dev_get_drvdata(dev);
	unsigned long flags;
	int rc = -EBUSY;

	spin_lock_irqsave(&td->lock, flags);
	if (!td->active_ref) {
		td->asleep = true;
		rc = 0;
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return rc;
}

static int testdma_runtime_resume(struct device *dev)
{
	struct testdma *td = dev_get_drvdata(dev);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->asleep = false;
	testdma_start(td);
	spin_unlock_irqrestore(&td->lock, flags);
	return 0;
}

const struct dev_pm_ops testdma_pm_ops = {
	RUNTIME_PM_OPS(testdma_runtime_suspend, testdma_runtime_resume, NULL)
};

/* Called after its users, none of which may have left work with it. */
static int testdma_system(struct notifier_block *nb, unsigned long event,
			  void *unused)
{
	struct testdma *td = container_of(nb, struct testdma, system);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->system_sleeps = event == PM_SUSPEND_PREPARE;
	if (td->system_sleeps)
		td->knobs.suspended += td->nr;
	spin_unlock_irqrestore(&td->lock, flags);
	/* Programs run until they are frozen: give them time to submit work. */
	if (event == PM_SUSPEND_PREPARE)
		msleep(TESTDMA_PREPARE_MS);
	return NOTIFY_DONE;
}

int testdma_pm_add(struct testdma *td)
{
	struct device *dev = &td->pdev->dev;
	int rc;

	td->system.notifier_call = testdma_system;
	td->system.priority = -1;
	rc = register_pm_notifier(&td->system);
	if (rc)
		return rc;
	pm_runtime_set_autosuspend_delay(dev, TESTDMA_AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
	return 0;
}

/* The bus has made it active; keep it so. */
void testdma_pm_del(struct testdma *td)
{
	struct device *dev = &td->pdev->dev;

	unregister_pm_notifier(&td->system);
	pm_runtime_get_noresume(dev);
	pm_runtime_dont_use_autosuspend(dev);
	if (td->active_ref)
		pm_runtime_put_noidle(dev);
}
