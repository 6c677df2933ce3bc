// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The linker's --wrap sends a program's system calls here first. Those for /dev/doca and its queues
 * go to the driver in the process, others to the kernel. The driver's descriptors become readable
 * on events; before the program polls, they are updated by the driver's poll().
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "inproc.h"

#define NODE "/dev/doca"

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
int __real_ioctl(int fd, unsigned long request, ...);
void *__real_mmap(void *addr, size_t length, int prot, int flags, int fd,
		  off_t offset);
int __real_munmap(void *addr, size_t length);
int __real_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __real_epoll_ctl(int epfd, int op, int fd, struct epoll_event *event);
int __real_epoll_wait(int epfd, struct epoll_event *events, int nr,
		      int timeout);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
int __wrap_ioctl(int fd, unsigned long request, ...);
void *__wrap_mmap(void *addr, size_t length, int prot, int flags, int fd,
		  off_t offset);
int __wrap_munmap(void *addr, size_t length);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __wrap_epoll_ctl(int epfd, int op, int fd, struct epoll_event *event);
int __wrap_epoll_wait(int epfd, struct epoll_event *events, int nr,
		      int timeout);

/* Free everything, so that leaks are found. */
static void __attribute__((constructor)) end_at_exit(void)
{
	atexit(inproc_end);
}

static pid_t opener;

static int answer(int rc)
{
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	if (!strcmp(path, NODE)) {
		__atomic_store_n(&opener, getpid(), __ATOMIC_RELAXED);
		return answer(inproc_open());
	}
	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return __real_open(path, flags, mode);
}

/* The driver closes its own descriptors. A child only closes what it has inherited. */
int __wrap_close(int fd)
{
	if (getpid() == __atomic_load_n(&opener, __ATOMIC_RELAXED) &&
	    !inproc_close(fd))
		return 0;
	return __real_close(fd);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int rc;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	rc = inproc_call(fd, request, arg);
	return rc == -EBADF ? __real_ioctl(fd, request, arg) : answer(rc);
}

void *__wrap_mmap(void *addr, size_t length, int prot, int flags, int fd,
		  off_t offset)
{
	void *mapped;
	int rc;

	rc = inproc_map(fd, offset, length, prot, flags & MAP_SHARED, &mapped);
	if (rc == -EBADF)
		return __real_mmap(addr, length, prot, flags, fd, offset);
	return answer(rc) ? MAP_FAILED : mapped;
}

int __wrap_munmap(void *addr, size_t length)
{
	return inproc_unmap(addr, length) ? __real_munmap(addr, length) : 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	nfds_t i;

	for (i = 0; i < nr; i++)
		inproc_sync(fds[i].fd);
	inproc_sync_woken();
	return __real_poll(fds, nr, timeout);
}

int __wrap_epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
{
	if (op != EPOLL_CTL_DEL)
		inproc_sync(fd);
	return __real_epoll_ctl(epfd, op, fd, event);
}

int __wrap_epoll_wait(int epfd, struct epoll_event *events, int nr, int timeout)
{
	inproc_sync_woken();
	return __real_epoll_wait(epfd, events, nr, timeout);
}
