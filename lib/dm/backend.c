// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Chooses the source of device memory, by DOCA_DRIVER and the machine. */
#include <errno.h>
#include <string.h>

#include <open_doca_dm.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/driver/driver_choice.h"
#include "dm.h"

LOG_SOURCE("DM");

static struct {
	pthread_once_t once;
	const struct backend *backend;
	int err;
} chosen = { .once = PTHREAD_ONCE_INIT };

static void tell_why_not(int err)
{
	if (err == -EACCES || err == -EPERM)
		LOG_ERR("no device memory: no permission to open /dev/doca; join its group, or set DOCA_DRIVER=process");
	else if (err == -EPROTO)
		LOG_ERR("no device memory: the loaded doca.ko does not know it; load the one of this release");
	else
		LOG_ERR("no device memory: /dev/doca: %s; load doca.ko, or do not set DOCA_DRIVER=kernel",
			errno_text(err));
}

static void choose_process(bool asked_for)
{
	chosen.backend = &process_backend;
	if (asked_for)
		LOG_INFO(
			"device memory is in the process, 16 MiB for each device, as DOCA_DRIVER asks");
	else
		LOG_WARN(
			"device memory is in the process, 16 MiB for each device, as there is no /dev/doca; DOCA_DRIVER=process hides this line");
}

static void choose(void)
{
	enum driver_choice choice = driver_choice();

	if (choice == DRIVER_CHOICE_UNKNOWN) {
		LOG_ERR("no device memory: DOCA_DRIVER is none of auto, kernel and process");
		chosen.err = -ENOTCONN;
		return;
	}
	if (choice == DRIVER_CHOICE_PROCESS) {
		choose_process(true);
		return;
	}
	chosen.err = kernel_open();
	if (!chosen.err) {
		chosen.backend = &kernel_backend;
	} else if (choice == DRIVER_CHOICE_AUTO &&
		   driver_is_absent(chosen.err)) {
		chosen.err = 0;
		choose_process(false);
	} else {
		tell_why_not(chosen.err);
	}
}

const struct backend *backend_get(int *err)
{
	pthread_once(&chosen.once, choose);
	*err = chosen.err;
	return chosen.backend;
}

EXPORT const char *open_doca_dm_driver(void)
{
	int err;
	const struct backend *backend = backend_get(&err);

	return backend ? backend->name : NULL;
}
