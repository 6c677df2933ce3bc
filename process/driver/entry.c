// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The ways of a program into the driver and out of it. The first file starts the driver;
 * from the first export on, importers can find the process; the end closes everything.
 */
#include "shim/kernel.h"

#include <linux/doca.h>

#include "inproc.h"
#include "listen.h"
#include "service.h"

int inproc_open(void)
{
	int rc = inproc_start();

	return rc ?: inproc_open_file();
}

/* Let importers of the file's memory find this process. */
static int be_found(int fd)
{
	struct file *filp = inproc_file(fd);
	int cancel, rc;

	if (!filp)
		return -EBADF;
	cancel = inproc_hold_cancel();
	rc = service_start();
	rc = rc ?: listen_start();
	fput(filp);
	inproc_let_cancel(cancel);
	return rc;
}

int inproc_call(int fd, unsigned long request, void *arg)
{
	int rc = request == DOCA_MEM_EXPORT ? be_found(fd) : 0;

	return rc ?: inproc_call_file(fd, request, arg);
}

void inproc_end(void)
{
	if (!inproc_has_begun())
		return;
	inproc_end_files();
	service_end();
	inproc_end_devices();
	inproc_module_exit();
	BUG_ON(inproc_pinned());
}
