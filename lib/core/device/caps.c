// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "caps.h"
#include "core/base/log.h"
#include "core/driver/driver.h"
#include "dev.h"

LOG_SOURCE("COMMON::CAPS");

doca_error_t doca_priv_caps(struct doca_query *caps)
{
	int err = driver_get();

	if (err) {
		LOG_ERR("cannot ask /dev/doca what it can do: %s",
			dev_driver_reason(err));
		return DOCA_ERROR_DRIVER;
	}
	*caps = *driver_caps();
	driver_put();
	return DOCA_SUCCESS;
}
