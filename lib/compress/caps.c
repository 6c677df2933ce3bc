// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * How large buffers may be. Programs allocate and register as much as they are told, several
 * times, whatever they need: so they are told no more than they can pin.
 */
#include <linux/capability.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doca_error.h>
#include <open_doca.h>

#include "compress.h"

/* A source and a destination, and as much for the rest of the program. */
#define BUFFERS 4
#define AT_LEAST (1ULL << 20)

/* The number that this namespace has in /proc, of all kernels. */
#define INITIAL_USER_NAMESPACE 0xeffffffd

static bool is_in_initial_namespace(void)
{
	struct stat user;

	return !stat("/proc/self/ns/user", &user) &&
	       user.st_ino == INITIAL_USER_NAMESPACE;
}

/*
 * The module does not count what those pin who may lock any memory. The capability of another user
 * namespace, as that of root in a container, does not count for it.
 */
static bool may_lock_all(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return is_in_initial_namespace() &&
	       !syscall(SYS_capget, &header, data) &&
	       data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective &
		       CAP_TO_MASK(CAP_IPC_LOCK);
}

static uint64_t lockable(void)
{
	const char *driver = open_doca_driver();
	struct rlimit limit;

	if (!driver || strcmp(driver, "kernel") != 0 ||
	    getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY || may_lock_all())
		return UINT64_MAX;
	return limit.rlim_cur;
}

doca_error_t compress_max_buf_size(const struct doca_devinfo *devinfo,
				   const struct task_type *type, uint64_t *size,
				   const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;
	uint64_t most;

	ret = doca_priv_task_cap(devinfo, size, type, &limits, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	most = lockable() / BUFFERS;
	while (limits.length > most && limits.length > AT_LEAST)
		limits.length /= 2;
	*size = limits.length;
	return DOCA_SUCCESS;
}
