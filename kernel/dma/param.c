// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The module's parameters of DMA engines; engines= is in claim.c. */
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "engine.h"

#define DOCA_ENGINE_TIMEOUT_MIN_MS 10
#define DOCA_ENGINE_TIMEOUT_MAX_MS 60000
#define DOCA_ENGINE_WINDOW_MIN 4096U

/* All setters use this: a senseless number changes nothing. */
static int doca_param_set(const char *val, const struct kernel_param *kp,
			  bool (*valid)(unsigned int value))
{
	unsigned int value;
	int rc;

	rc = kstrtouint(val, 0, &value);
	if (rc)
		return rc;
	if (!valid(value))
		return -EINVAL;
	WRITE_ONCE(*(unsigned int *)kp->arg, value);
	return 0;
}

static bool doca_min_is_valid(unsigned int value)
{
	return is_power_of_2(value);
}

static bool doca_window_is_valid(unsigned int value)
{
	return value >= DOCA_ENGINE_WINDOW_MIN;
}

static bool doca_timeout_is_valid(unsigned int value)
{
	return value >= DOCA_ENGINE_TIMEOUT_MIN_MS &&
	       value <= DOCA_ENGINE_TIMEOUT_MAX_MS;
}

static int doca_min_set(const char *val, const struct kernel_param *kp)
{
	return doca_param_set(val, kp, doca_min_is_valid);
}

static int doca_window_set(const char *val, const struct kernel_param *kp)
{
	return doca_param_set(val, kp, doca_window_is_valid);
}

static int doca_timeout_set(const char *val, const struct kernel_param *kp)
{
	return doca_param_set(val, kp, doca_timeout_is_valid);
}

static const struct kernel_param_ops doca_min_ops = {
	.set = doca_min_set,
	.get = param_get_uint,
};

static const struct kernel_param_ops doca_window_ops = {
	.set = doca_window_set,
	.get = param_get_uint,
};

static const struct kernel_param_ops doca_timeout_ops = {
	.set = doca_timeout_set,
	.get = param_get_uint,
};

bool doca_engines_unsafe;
module_param_named(engines_unsafe, doca_engines_unsafe, bool, 0444);
MODULE_PARM_DESC(engines_unsafe,
		 "claim DMA engines that no IOMMU keeps from the rest of memory");

unsigned int doca_engine_timeout_ms = 2000;
module_param_cb(engine_timeout_ms, &doca_timeout_ops, &doca_engine_timeout_ms,
		0644);
MODULE_PARM_DESC(engine_timeout_ms,
		 "how long a DMA engine may take for a copy");

/* With one copy at a time, an engine costs less of the CPU from here on: performance.rst. */
unsigned int doca_engine_min = 128 << 10;
module_param_cb(engine_min, &doca_min_ops, &doca_engine_min, 0644);
MODULE_PARM_DESC(engine_min,
		 "shorter copies go by CPU: bytes, a power of two");

unsigned int doca_engine_window = 4 << 20;
module_param_cb(engine_window, &doca_window_ops, &doca_engine_window, 0644);
MODULE_PARM_DESC(engine_window, "bytes in flight in a DMA engine, at least 4096");
