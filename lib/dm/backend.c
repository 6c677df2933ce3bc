// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Where device memory comes from, by DOCA_DRIVER and by what there is. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <open_doca_dm.h>

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
			strerror(-err));
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

__attribute__((visibility("default"))) const char *open_doca_dm_driver(void)
{
	int err;
	const struct backend *backend = backend_get(&err);

	return backend ? backend->name : NULL;
}

size_t whole_pages(size_t length)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (length + page - 1) / page * page;
}

void *reserve(size_t length, size_t align)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t room = whole_pages(length) + align - page;
	uintptr_t first, addr;
	void *p;

	p = mmap(NULL, room, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	first = (uintptr_t)p;
	addr = (first + align - 1) / align * align;
	if (addr > first)
		munmap(p, addr - first);
	if (addr + whole_pages(length) < first + room)
		munmap((void *)(addr + whole_pages(length)),
		       first + room - addr - whole_pages(length));
	return (void *)addr;
}
