/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* System calls of a child, in parts: each ends with getppid(), and what follows the last one is not counted. */
#ifndef SELFTESTS_LIB_CALLS_H
#define SELFTESTS_LIB_CALLS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

enum { CALLS_PARTS = 8, CALLS_UNTRACED = 126 };

struct calls {
	unsigned int nr_parts;
	bool (*counts)(unsigned int part, uint64_t nr, int64_t result); /* NULL: each does */
	unsigned int nr[CALLS_PARTS];
	unsigned int part; /* that it is in; nr_parts at the end */
	uint64_t call; /* that it is in */
};

/* In the child: wait to be traced, from then on. */
static inline void calls_begin(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(CALLS_UNTRACED);
	raise(SIGSTOP);
}

static inline void calls_end_part(void)
{
	syscall(SYS_getppid);
}

static inline void calls_count_end(struct calls *calls, int64_t result)
{
	if (calls->part == calls->nr_parts)
		return;
	if (calls->call == SYS_getppid)
		calls->part++;
	else if (!calls->counts || calls->counts(calls->part, calls->call, result))
		calls->nr[calls->part]++;
}

static inline void calls_count_one(pid_t pid, struct calls *calls)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		calls->call = info.entry.nr;
	else
		calls_count_end(calls, info.exit.rval);
}

/* Count those of a child until it ends. Return its status; that of CALLS_UNTRACED if none can be traced. */
static inline int calls_count(pid_t pid, struct calls *calls)
{
	int signal, status;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return status;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_SYSCALL, pid, NULL, NULL)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return CALLS_UNTRACED << 8;
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80))
			calls_count_one(pid, calls);
		if ((signal & ~0x80) == SIGTRAP)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, NULL, (uintptr_t)signal);
	}
	return status;
}

static inline bool calls_untraced(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == CALLS_UNTRACED;
}

#endif /* SELFTESTS_LIB_CALLS_H */
