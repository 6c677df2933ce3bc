// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_dev.h>
#include <doca_mmap.h>

#include "device.h"
#include "lender.h"
#include "msg.h"

enum { LENT_NOT_YET, LENT, LENT_NOT };

static doca_error_t export_area(const struct area *area, struct doca_dev *dev,
				struct lent *lent)
{
	const void *descriptor;
	struct doca_mmap *mmap;
	doca_error_t err;

	err = doca_mmap_create(&mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(mmap, area->src, area->half);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(
			mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(mmap, dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_export_pci(mmap, dev, &descriptor,
					   &lent->length);
	if (err == DOCA_SUCCESS && lent->length > sizeof(lent->descriptor))
		err = DOCA_ERROR_TOO_BIG;
	if (err == DOCA_SUCCESS)
		memcpy(lent->descriptor, descriptor, lent->length);
	return err;
}

static _Noreturn void lend(const struct lender *lender, const struct cpus *cpus,
			   const char *device)
{
	struct lent *lent = lender->lent;
	uint32_t state = LENT_NOT;
	struct doca_dev *dev;
	doca_error_t err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!cpu_pin(cpus->work) && !device_open(device, &dev)) {
		err = export_area(lender->area, dev, lent);
		if (err == DOCA_SUCCESS)
			state = LENT;
		else
			fail_doca(err, "cannot export the memory");
	}
	__atomic_store_n(&lent->state, state, __ATOMIC_RELEASE);
	while (state == LENT)
		pause();
	_exit(EXIT_FAILURE);
}

static int wait_for(struct lender *lender)
{
	uint32_t state;

	do {
		if (waitpid(lender->pid, NULL, WNOHANG) == lender->pid)
			return fail("the process that exports has ended");
		usleep(1000);
		state = __atomic_load_n(&lender->lent->state, __ATOMIC_ACQUIRE);
	} while (state == LENT_NOT_YET);
	return state == LENT ? 0 : -1;
}

int lender_open(struct lender *lender, const struct area *area,
		const struct cpus *cpus, const char *device)
{
	*lender = (struct lender){ .area = area };
	lender->lent = mmap(NULL, sizeof(*lender->lent), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (lender->lent == MAP_FAILED)
		return fail_errno(errno, "cannot share memory");
	lender->pid = fork();
	if (!lender->pid)
		lend(lender, cpus, device);
	if (lender->pid > 0 && !wait_for(lender))
		return 0;
	if (lender->pid < 0)
		fail_errno(errno, "cannot create a process");
	lender_close(lender);
	return -1;
}

void lender_close(struct lender *lender)
{
	if (lender->pid > 0) {
		kill(lender->pid, SIGKILL);
		waitpid(lender->pid, NULL, 0);
	}
	munmap(lender->lent, sizeof(*lender->lent));
}
