// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The source of device memory: the module or the process, by DOCA_DRIVER. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/doca.h>

#include "bed.h"

/*
 * The result of opening /dev/doca, unless 0. MODULE_IS_OLD opens, and has a version from
 * before device memory.
 */
#define MODULE_IS_OLD (-1)

static int node_says;

#define STANDS_BEFORE_LIBC __attribute__((visibility("default")))

STANDS_BEFORE_LIBC int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (node_says && !strcmp(path, "/dev/doca")) {
		errno = node_says;
		return node_says == MODULE_IS_OLD ? memfd_create("doca", MFD_CLOEXEC) : -1;
	}
	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

STANDS_BEFORE_LIBC int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (node_says != MODULE_IS_OLD || request != DOCA_QUERY)
		return syscall(SYS_ioctl, fd, request, arg);
	((struct doca_query *)arg)->out_abi_version = DOCA_ABI_VERSION - 1;
	return 0;
}

/* DOCA_DRIVER is evaluated once, so each value needs a child. */
static int with_driver(const char *word, int err, const char *why)
{
	struct ibv_device_attr_ex attr = {};
	struct ibv_context *ctx;
	const char *text, *driver;
	struct ibv_dm *dm;

	setenv("DOCA_DRIVER", word, 1);
	ctx = ibv_open_device(&fake_plain);
	text = logged();
	if (!ctx || ibv_query_device_ex(ctx, NULL, &attr) || (*why ? !strstr(text, why) : *text))
		return 1;
	driver = open_doca_dm_driver();
	if (err ? driver != NULL : !driver || strcmp(driver, "process"))
		return 4;
	dm = alloc(ctx, 1);
	if (err)
		return dm || errno != err || attr.max_dm_size ? 2 : 0;
	return !dm || attr.max_dm_size != POOL ? 3 : 0;
}

TEST(the_environment_chooses)
{
	const char *words = "none of auto, kernel and process";
	const char *no_right = "no permission to open /dev/doca; join its group";
	const char *too_old = "the loaded doca.ko does not know it";
	const struct {
		int node;
		const char *word;
		int err;
		const char *why;
	} rows[] = {
		{ ENOENT, "", 0, "[WRN]" },
		{ ENXIO, "", 0, "[WRN]" },
		{ ENODEV, "auto", 0, "as there is no /dev/doca" },
		{ ENOENT, "process", 0, "" },
		{ EACCES, "process", 0, "" },
		{ MODULE_IS_OLD, "process", 0, "" },
		{ ENOENT, "kernel", ENOENT, "No such file or directory; load doca.ko" },
		{ EACCES, "", EACCES, no_right },
		{ EPERM, "auto", EPERM, no_right },
		{ EACCES, "kernel", EACCES, no_right },
		{ MODULE_IS_OLD, "", EPROTO, too_old },
		{ MODULE_IS_OLD, "kernel", EPROTO, too_old },
		{ ENOENT, "Kernel", ENOTCONN, words },
		{ ENOENT, "processes", ENOTCONN, words },
	};
	int status;
	size_t i;
	pid_t pid;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		node_says = rows[i].node;
		pid = fork();
		if (!pid)
			_exit(with_driver(rows[i].word, rows[i].err, rows[i].why));
		ASSERT(waitpid(pid, &status, 0) == pid);
		if (status)
			KTAP_SAY_("%d, %s: %#x", rows[i].node, rows[i].word, status);
	}
	node_says = 0;
	logged();
}

/* The first test, because the message comes once. */
TEST(who_did_not_ask_is_told_where_the_memory_is)
{
	struct ibv_context *ctx;

	if (!access("/dev/doca", F_OK))
		SKIP("doca.ko is loaded");
	unsetenv("DOCA_DRIVER");
	ctx = ibv_open_device(&fake_plain);
	EXPECT_LOGGED(
		"device memory is in the process, 16 MiB for each device, as there is no /dev/doca");
	EXPECT_EQ(ibv_close_device(ctx), 0);
	ctx = ibv_open_device(&fake_other);
	EXPECT_STR(logged(), "");
	EXPECT_EQ(ibv_close_device(ctx), 0);
}
