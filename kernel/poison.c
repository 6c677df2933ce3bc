// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Detects whether the CPU survives a read of memory with an error. */
#include <linux/cache.h>
#include <linux/init.h>

#ifdef CONFIG_X86_MCE
#include <asm/cpufeature.h>
#include <asm/mce.h>
#include <asm/msr.h>
#endif

#include "poison.h"

bool doca_poison_survivable __ro_after_init;

static bool doca_poison_can_survive(void)
{
#ifdef CONFIG_X86_MCE
	u64 cap;

	if (!boot_cpu_has(X86_FEATURE_MCA))
		return false;
	/* The flags of AMD and Intel. */
	return boot_cpu_has(X86_FEATURE_SUCCOR) ||
	       (!rdmsrl_safe(MSR_IA32_MCG_CAP, &cap) && cap & MCG_SER_P);
#else
	return IS_ENABLED(CONFIG_ARCH_HAS_COPY_MC);
#endif
}

/* Called when the module is loaded. */
void doca_poison_init(void)
{
	doca_poison_survivable = doca_poison_can_survive();
}
