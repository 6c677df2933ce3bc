// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "caps.h"
#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/driver/driver.h"
#include "dev.h"

LOG_SOURCE("COMMON::CAPS");

doca_error_t doca_priv_caps(const struct doca_devinfo *devinfo, uint16_t opcode,
			    struct doca_query *caps,
			    struct doca_device_query *op)
{
	int err = driver_get();

	if (err) {
		LOG_ERR("cannot ask /dev/doca what it can do: %s",
			dev_driver_reason(err));
		return DOCA_ERROR_DRIVER;
	}
	*caps = *driver_caps();
	err = driver_device_query(devinfo ? devinfo->id : 0, opcode, op);
	/* The device was removed: answer for any, and let users of the device be told. */
	if (err == -ENODEV)
		err = driver_device_query(0, opcode, op);
	driver_put();
	if (!err || err == -ENOENT)
		return err ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS;
	LOG_ERR("cannot ask /dev/doca how it executes operation %u: %s", opcode,
		errno_text(err));
	return DOCA_ERROR_DRIVER;
}
