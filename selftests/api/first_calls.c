// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * System calls of a small program from its start to its first completion, with what loads it and
 * its libraries. Files that the loader looks for in vain depend on where libraries are, and do not
 * count.
 */
#include <libgen.h>
#include <limits.h>

#include "bed.h"
#include "../lib/calls.h"

enum { LOAD, DEVICE, MEMORY, CONTEXT, COPY, PARTS };

static const char *const parts[PARTS] = { "load", "device", "memory", "context", "copy" };

/*
 * Documentation/performance.rst has what there are. One bound of all would let one part have what
 * another has saved. How often the module is called to copy depends on when its worker is there.
 */
static const unsigned int bounds_process[PARTS] = { 48, 19, 4, 6, 0 };
static const unsigned int bounds_kernel[PARTS] = { 48, 31, 3, 10, UINT_MAX };

static bool is_lookup(uint64_t nr)
{
#ifdef SYS_access
	if (nr == SYS_access)
		return true;
#endif
	return nr == SYS_openat || nr == SYS_newfstatat || nr == SYS_faccessat;
}

static bool counts(unsigned int part, uint64_t nr, int64_t result)
{
	return part != LOAD || result != -ENOENT || !is_lookup(nr);
}

/* Settings of other users of the environment cost calls, or choose other devices. */
static char **environment(void)
{
	static const char *const names[] = { "LD_LIBRARY_PATH", "DOCA_DRIVER" };
	static char texts[2][2 * PATH_MAX];
	static char *all[3];
	const char *value;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		value = getenv(names[i]);
		if (!value)
			continue;
		snprintf(texts[n], sizeof(texts[n]), "%s=%s", names[i], value);
		all[n] = texts[n];
		n++;
	}
	return all;
}

static pid_t start(void)
{
	char self[PATH_MAX] = "", path[PATH_MAX + 16];
	pid_t pid;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/first_copy", dirname(self));
	pid = fork();
	if (pid)
		return pid;
	calls_begin();
	execle(path, path, NULL, environment());
	_exit(127);
}

static bool is_in_process(void)
{
	const char *driver = getenv("DOCA_DRIVER");

	return driver && !strcmp(driver, "process");
}

TEST(few_calls_come_before_a_first_completion)
{
	const unsigned int *bounds = is_in_process() ? bounds_process : bounds_kernel;
	struct calls calls = { .nr_parts = PARTS, .counts = counts };
	pid_t pid;
	int status;

	if (is_in_process() && !access("/sys/class/infiniband_verbs", F_OK))
		SKIP(return, "what is asked of RDMA devices depends on how many there are");
	pid = start();
	ASSERT_LT(0, pid);
	status = calls_count(pid, &calls);
	if (calls_untraced(status))
		SKIP(return, "programs cannot be traced here");
	ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
	ASSERT_EQ(PARTS, calls.part);
	for (int i = 0; i < PARTS; i++) {
		TH_LOG("%s: %u", parts[i], calls.nr[i]);
		EXPECT_LE(calls.nr[i], bounds[i])
		{
			TH_LOG("%s may have %u calls", parts[i], bounds[i]);
		}
	}
}

TEST_HARNESS_MAIN
