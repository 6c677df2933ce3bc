// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A program has a namespace of process ids: so all processes that it has started end with
 * its first one, and have ended when that one can be waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../uapi/pair.h"
#include "sandbox.h"

#define LIMIT_SECONDS 10 /* for a machine that is emulated, checked and loaded */
#define STUCK_SECONDS 120

void write_to(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, word, strlen(word)) < 0)
		errno = 0;
	close(fd);
}

/* Make all allocations fail that may, silently, if the kernel supports that. */
static void set_up_injection(void)
{
	write_to("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	write_to("/sys/kernel/debug/failslab/verbose", "0");
	write_to("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N");
	write_to("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	write_to("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	write_to("/sys/kernel/debug/fail_usercopy/verbose", "0");
}

static int find_devices(void)
{
	struct listing list;
	struct family nl;
	int err = family_open(&nl), i;

	if (err)
		return err;
	common->family = nl.family;
	err = family_list(&nl, DOCA_GENL_CMD_DEV_GET, &list);
	memset(&common->devices, 0, sizeof(common->devices));
	for (i = list.n; !err && i--;)
		recent_add(&common->devices, list.e[i].v[DOCA_GENL_A_DEV_ID]);
	listing_free(&list);
	family_close(&nl);
	return err;
}

/* Restore the devices of the machine's start; one may still be there. */
static int plug_again(void)
{
	if (system("rdma link add rxe0 type rxe netdev eth0 2>/dev/null"))
		errno = 0;
	common->unplugged = false;
	return find_devices();
}

/* Devices that exist already are left from the run before. */
static void find_pair(void)
{
	struct pair pair;

	pair_end();
	if (pair_make(&pair, true))
		return;
	common->function = pair.function;
	common->pair[0] = pair.dpu;
	common->pair[1] = pair.host;
}

int sandbox_init(void)
{
	common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (common == MAP_FAILED)
		return -ENOMEM;
	set_up_injection();
	find_pair();
	return find_devices();
}

static void limit(int what, rlim_t most)
{
	struct rlimit limit = { most, most };

	setrlimit(what, &limit);
}

/* Give file descriptors the same numbers in each run. */
static void prepare(void)
{
	int pair[2], i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	close_range(STDERR_FILENO + 1, KEPT_FDS - 1, 0);
	if (!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		memcpy(common->sockets, pair, sizeof(pair));
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 64UL << 20);
	limit(RLIMIT_AS, 2UL << 30);
	limit(RLIMIT_NOFILE, KEPT_FDS + 2 * TASKS + 8);
	limit(RLIMIT_MEMLOCK, 8UL << 20);
	for (i = 0; i <= STDERR_FILENO; i++)
		dup2(open("/dev/null", O_RDWR), i);
}

/* Wait in steps of a second, for a machine may be stopped while others measure. */
static bool ends_in(struct pollfd *fd, unsigned int seconds)
{
	while (seconds--)
		if (poll(fd, 1, 1000))
			return true;
	return false;
}

static enum outcome wait_for(pid_t pid)
{
	struct pollfd fd = { .fd = syscall(SYS_pidfd_open, pid, 0),
			     .events = POLLIN };
	enum outcome outcome = OUTCOME_ENDED;

	if (!ends_in(&fd, patiently(LIMIT_SECONDS))) {
		kill(pid, SIGKILL);
		outcome = ends_in(&fd, STUCK_SECONDS) ? OUTCOME_KILLED : OUTCOME_STUCK;
	}
	close(fd.fd);
	if (outcome != OUTCOME_STUCK)
		waitpid(pid, NULL, 0);
	return outcome;
}

enum outcome sandbox_run(const struct step *steps, unsigned int n, bool may_unplug)
{
	enum outcome outcome;
	pid_t pid;

	common->nr_tasks = 0;
	common->nr_blobs = 0;
	common->unplugs = may_unplug;
	pid = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		prepare();
		program_run(steps, n);
	}
	if (pid < 0)
		return OUTCOME_KILLED;
	outcome = wait_for(pid);
	if (outcome != OUTCOME_STUCK && common->unplugged && plug_again())
		return OUTCOME_STUCK;
	return outcome;
}
