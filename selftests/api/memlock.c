// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Beyond RLIMIT_MEMLOCK there is a clear error, and a log line with figures and remedy. */
#include <grp.h>
#include <sys/resource.h>

#include "bed.h"

#define MIB (1UL << 20)

static char logged[8192];

static void keep_log(char *text)
{
	strncat(logged, text, sizeof(logged) - strlen(logged) - 1);
}

/* Run as an unprivileged user, who may lock 8 MiB and wants 64. */
static int run(void *arg)
{
	const struct rlimit limit = { 8 * MIB, 8 * MIB };
	static char buffer[4096];
	struct doca_log_backend *backend;
	struct doca_mmap *small, *large;
	struct doca_dev *dev;
	doca_error_t rc;
	char *mem;

	(void)arg;
	if (doca_log_backend_create_with_buf_sdk(buffer, sizeof(buffer),
						 keep_log, &backend))
		return 1;
	dev = bed_open_dev(NULL);
	if (!dev || setrlimit(RLIMIT_MEMLOCK, &limit) || setgroups(0, NULL) ||
	    setresgid(1234, 1234, 1234) || setresuid(1234, 1234, 1234))
		return 2;
	mem = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* A huge page would be charged as a whole. */
	if (madvise(mem, 64 * MIB, MADV_NOHUGEPAGE))
		return 2;
	if (bed_mmap(mem, 2 * MIB, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		     &small))
		return 3;
	rc = bed_mmap(mem, 64 * MIB, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev,
		      NULL, &large);
	if (rc != DOCA_ERROR_NO_MEMORY)
		return 4;
	/* Further lines flush what is still in the buffer. */
	while (!strstr(logged, "RLIMIT_MEMLOCK") &&
	       strlen(logged) < sizeof(logged) - 1024)
		if (doca_mmap_start(large) != DOCA_ERROR_NO_MEMORY)
			return 5;
	if (!strstr(logged, "64 MiB") || !strstr(logged, "8 MiB") ||
	    !strstr(logged, "2 MiB in use") || !strstr(logged, "ulimit -l"))
		return 6;
	/* Nothing is lost: a map within the limit still works, and the mmap can be destroyed. */
	if (doca_mmap_destroy(large) || doca_mmap_destroy(small))
		return 7;
	if (bed_mmap(mem, 8 * MIB, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		     &small))
		return 8;
	return doca_mmap_destroy(small) || doca_dev_close(dev) ? 9 : 0;
}

TEST(over_the_limit)
{
	long pins = pins_held();
	struct doca_dev *dev = bed_open_dev(NULL);

	if (!dev)
		SKIP(return, "no device");
	doca_dev_close(dev);
	EXPECT_EQ(0, bed_in_child(run, NULL));
	EXPECT_EQ(pins, pins_settle(pins));
}

TEST_HARNESS_MAIN
