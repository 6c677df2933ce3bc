// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * System calls of a small program from its start to its first completion, with what loads it and
 * its libraries. Files that the loader looks for in vain depend on where libraries are, and do not
 * count.
 */
#include <libgen.h>
#include <limits.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "bed.h"

enum { LOAD, DEVICE, MEMORY, CONTEXT, COPY, PARTS };

static const char *const parts[PARTS] = { "load", "device", "memory", "context", "copy" };

/*
 * Documentation/performance.rst has what there are. One bound of all would let one part have what
 * another has saved. How often the module is called to copy depends on when its worker is there.
 */
static const unsigned int bounds_process[PARTS] = { 48, 19, 4, 6, 0 };
static const unsigned int bounds_kernel[PARTS] = { 48, 31, 3, 10, UINT_MAX };

/* The child's status if it cannot be traced */
enum { UNTRACED = 126 };

struct count {
	unsigned int calls[PARTS];
	unsigned int part; /* that it is in; PARTS at the end */
	uint64_t nr; /* the call that it is in */
};

static bool is_lookup(uint64_t nr)
{
#ifdef SYS_access
	if (nr == SYS_access)
		return true;
#endif
	return nr == SYS_openat || nr == SYS_newfstatat || nr == SYS_faccessat;
}

static void count_end(struct count *count, int64_t result)
{
	if (count->part == PARTS)
		return;
	if (count->nr == SYS_getppid)
		count->part++;
	else if (count->part != LOAD || result != -ENOENT || !is_lookup(count->nr))
		count->calls[count->part]++;
}

static void count_call(pid_t pid, struct count *count)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		count->nr = info.entry.nr;
	else
		count_end(count, info.exit.rval);
}

/* Count until it ends. Return its status. */
static int count_all(pid_t pid, struct count *count)
{
	int signal, status;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80))
			count_call(pid, count);
		if ((signal & ~0x80) == SIGTRAP)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, NULL, (uintptr_t)signal);
	}
	return status;
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
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(UNTRACED);
	raise(SIGSTOP);
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
	struct count count = { 0 };
	pid_t pid = start();
	int status;

	if (is_in_process() && !access("/sys/class/infiniband_verbs", F_OK))
		SKIP(return, "what is asked of RDMA devices depends on how many there are");
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNTRACED)
		SKIP(return, "programs cannot be traced here");
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(0,
		  ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	ASSERT_EQ(0, ptrace(PTRACE_SYSCALL, pid, NULL, NULL));
	status = count_all(pid, &count);
	ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
	ASSERT_EQ(PARTS, count.part);
	for (int i = 0; i < PARTS; i++) {
		TH_LOG("%s: %u", parts[i], count.calls[i]);
		EXPECT_LE(count.calls[i], bounds[i])
		{
			TH_LOG("%s may have %u calls", parts[i], bounds[i]);
		}
	}
}

TEST_HARNESS_MAIN
