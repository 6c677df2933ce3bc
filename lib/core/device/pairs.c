// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/driver/driver.h"
#include "dev.h"
#include "pairs.h"

LOG_SOURCE("COMMON::DEV");

doca_error_t doca_priv_pairs(struct driver_function **functions, uint32_t *n)
{
	int err = driver_get();

	if (err)
		return FAIL(DRIVER, "cannot ask for the pairs of devices: %s",
			    dev_driver_reason(err));
	err = driver_list_functions(functions, n);
	driver_put();
	if (err == -ENOMEM)
		return OUT_OF_MEMORY("a list of pairs");
	if (err)
		return FAIL(DRIVER, "cannot list the pairs of devices: %s",
			    errno_text(err));
	return DOCA_SUCCESS;
}
