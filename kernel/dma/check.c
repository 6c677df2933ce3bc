// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Refuses engines by their properties.
 *
 * Users map as much as their limits allow, and for as long as they like. So memory must
 * never be bounced: swiotlb has a few megabytes for the drivers that cannot do without,
 * and a mapping that does not fit warns.
 */
#include <linux/device.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/errno.h>
#include <linux/iommu.h>
#include <linux/pci.h>

#include "check.h"
#include "engine.h"

#define DOCA_ENGINE_MAX_ALIGN 6 /* 64 bytes, a cache line */

u8 doca_engine_iommu(struct device *dev)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(dev);

	if (!domain)
		return DOCA_ENGINE_IOMMU_NONE;
	if (domain->type == IOMMU_DOMAIN_IDENTITY)
		return DOCA_ENGINE_IOMMU_IDENTITY;
	if (domain->type & __IOMMU_DOMAIN_DMA_API)
		return DOCA_ENGINE_IOMMU_TRANSLATED;
	return DOCA_ENGINE_IOMMU_FOREIGN;
}

static bool doca_engine_is_untrusted(const struct doca_engine *engine)
{
	return dev_is_pci(engine->provider) &&
	       to_pci_dev(engine->provider)->untrusted;
}

/*
 * The limit says whether the DMA API could bounce. Whether the mask reaches all memory
 * matters even without swiotlb: mapping just fails then.
 */
static bool doca_engine_is_bounced(const struct doca_engine *engine)
{
	if (dma_max_mapping_size(engine->dev) != SIZE_MAX)
		return true;
	return !engine->translated && dma_addressing_limited(engine->dev);
}

static const char *doca_engine_objection(const struct doca_engine *engine)
{
	if (engine->iommu == DOCA_ENGINE_IOMMU_FOREIGN)
		return "its IOMMU domain is not the kernel's: unbind it from VFIO";
	if (doca_engine_is_untrusted(engine))
		return "it is behind an external port, and so is not trusted";
	if (doca_engine_is_bounced(engine))
		return "its memory would be bounced: boot with the IOMMU on, no iommu=pt";
	if (!engine->translated && !doca_engines_unsafe)
		return "no IOMMU confines it: turn that on, no iommu=pt, or engines_unsafe=1";
	if (engine->align > DOCA_ENGINE_MAX_ALIGN)
		return "it needs more than 64 bytes of alignment";
	return NULL;
}

int doca_engine_check(const struct doca_engine *engine, const char **why)
{
	*why = doca_engine_objection(engine);
	return *why ? -EOPNOTSUPP : 0;
}
