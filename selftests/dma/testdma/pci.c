// SPDX-License-Identifier: GPL-2.0
/* The driver of both devices. */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "testdma.h"

#define TESTDMA_MAX_SEGMENT 0xff0000

static int testdma_map(struct testdma *td)
{
	const struct testdma_engine *engine = td->engine;
	struct pci_dev *pdev = td->pdev;
	int rc;

	rc = pcim_enable_device(pdev);
	if (!rc)
		rc = pcim_iomap_regions(pdev, BIT(engine->bar), engine->name);
	if (rc)
		return rc;
	td->regs = pcim_iomap_table(pdev)[engine->bar];
	pci_set_master(pdev);
	rc = dma_set_mask_and_coherent(
		&pdev->dev, DMA_BIT_MASK(testdma_mask_bits ?: engine->bits));
	if (rc)
		return rc;
	dma_set_max_seg_size(&pdev->dev, TESTDMA_MAX_SEGMENT);
	td->script = dmam_alloc_coherent(&pdev->dev, PAGE_SIZE, &td->script_dma,
					 GFP_KERNEL);
	return td->script ? 0 : -ENOMEM;
}

static int testdma_request_irq(struct testdma *td)
{
	int rc;

	rc = pci_alloc_irq_vectors(td->pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (rc < 0)
		return rc;
	rc = request_irq(pci_irq_vector(td->pdev, 0), testdma_interrupt,
			 IRQF_SHARED, td->engine->name, td);
	if (rc)
		pci_free_irq_vectors(td->pdev);
	return rc;
}

static void testdma_free_irq(struct testdma *td)
{
	free_irq(pci_irq_vector(td->pdev, 0), td);
	pci_free_irq_vectors(td->pdev);
}

static int testdma_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct testdma *td;
	int rc;

	if (testdma_align > 12)
		return -EINVAL;
	td = kzalloc(sizeof(*td), GFP_KERNEL);
	if (!td)
		return -ENOMEM;
	td->pdev = pdev;
	td->engine = (const void *)id->driver_data;
	testdma_provider_init(td);
	rc = testdma_map(td);
	if (!rc)
		rc = testdma_request_irq(td);
	if (rc)
		goto err;
	td->engine->reset(td);
	pci_set_drvdata(pdev, td);
	testdma_knobs_add(td);
	rc = testdma_pm_add(td);
	if (!rc) {
		rc = dma_async_device_register(&td->dma);
		if (!rc)
			return 0;
		testdma_pm_del(td);
	}
	testdma_knobs_del(td);
	testdma_free_irq(td);
err:
	kfree(td);
	return rc;
}

/* The last user of the dmaengine device frees it. */
static void testdma_remove(struct pci_dev *pdev)
{
	struct testdma *td = pci_get_drvdata(pdev);

	testdma_knobs_del(td);
	testdma_provider_stop(td);
	testdma_pm_del(td);
	testdma_free_irq(td);
	dma_async_device_unregister(&td->dma);
}

static const struct pci_device_id testdma_ids[] = {
	{ PCI_DEVICE(0x1234, 0x11e8),
	  .driver_data = (kernel_ulong_t)&testdma_edu },
	{ PCI_DEVICE(0x1000, 0x0012),
	  .driver_data = (kernel_ulong_t)&testdma_lsi },
	{}
};

static struct pci_driver testdma_driver = {
	.name = "testdma",
	.id_table = testdma_ids,
	.probe = testdma_probe,
	.remove = testdma_remove,
	.driver.pm = pm_ptr(&testdma_pm_ops),
};

static int __init testdma_init(void)
{
	int rc;

	testdma_knobs_init();
	rc = pci_register_driver(&testdma_driver);
	if (rc)
		testdma_knobs_exit();
	return rc;
}
module_init(testdma_init);

static void __exit testdma_exit(void)
{
	pci_unregister_driver(&testdma_driver);
	testdma_knobs_exit();
}
module_exit(testdma_exit);

MODULE_DESCRIPTION("DMA engine for tests, on devices of QEMU");
MODULE_LICENSE("GPL");
