// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Files: of the driver's, and as the program sees them. The calls that a program
 * makes to the kernel come here first, by the linker's --wrap; what is not about
 * the driver goes on to where it was going.
 *
 * A file descriptor is one end of a pair of sockets, so that it can be polled: the
 * driver's wake-ups write into the other end, and before the program polls what is
 * there is made what the driver says.
 */
#include <poll.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "shim/kernel.h"
#include "native.h"

#define NATIVE_NODE "/dev/doca"
#define MAX_FDS 16384

static struct {
	pthread_mutex_t lock;
	const struct file_operations *misc;
	struct file *files[MAX_FDS];
	int peers[MAX_FDS]; /* of what get_unused_fd_flags() gave */
	int nr_fds; /* all are below */
	struct list_head mappings;
} fs = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.mappings = LIST_HEAD_INIT(fs.mappings),
};

/* What the program has mapped. */
struct mapping {
	struct list_head node;
	struct vm_area_struct vma;
	struct file *filp;
};

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

int misc_register(struct miscdevice *misc)
{
	fs.misc = misc->fops;
	return 0;
}

void misc_deregister(struct miscdevice *misc)
{
	fs.misc = NULL;
}

int get_unused_fd_flags(int flags)
{
	int pair[2];

	if (socketpair(AF_UNIX,
		       SOCK_STREAM | SOCK_NONBLOCK |
			       (flags & O_CLOEXEC ? SOCK_CLOEXEC : 0),
		       0, pair))
		return -errno;
	if (pair[0] >= MAX_FDS) {
		__real_close(pair[0]);
		__real_close(pair[1]);
		return -EMFILE;
	}
	fs.peers[pair[0]] = pair[1];
	return pair[0];
}

void put_unused_fd(int fd)
{
	__real_close(fs.peers[fd]);
	__real_close(fd);
}

static void signal_file(struct file *filp, __poll_t events)
{
	if (!__atomic_exchange_n(&filp->signalled, true, __ATOMIC_SEQ_CST))
		send(filp->peer, "", 1, MSG_NOSIGNAL);
	if (events & EPOLLHUP)
		shutdown(filp->peer, SHUT_RDWR);
}

static int file_woken(struct wait_queue_entry *entry, unsigned int mode,
		      int flags, void *key)
{
	struct file *filp = container_of(entry, struct file, entry);

	signal_file(filp, (uintptr_t)key);
	return 1;
}

void poll_wait(struct file *filp, wait_queue_head_t *head, poll_table *table)
{
	if (!table)
		return;
	init_waitqueue_func_entry(&filp->entry, file_woken);
	add_wait_queue(head, &filp->entry);
	filp->waits = head;
}

/* Have the descriptor readable if and only if the driver says so. */
static void sync_file(struct file *filp, int fd)
{
	__poll_t events;
	char c[8];

	if (!filp->f_op->poll)
		return;
	while (recv(fd, c, sizeof(c), MSG_DONTWAIT) > 0)
		;
	__atomic_store_n(&filp->signalled, false, __ATOMIC_SEQ_CST);
	events = filp->f_op->poll(filp, NULL);
	if (events)
		signal_file(filp, events);
}

static struct file *file_alloc(const struct file_operations *fops, void *data)
{
	struct file *filp = calloc(1, sizeof(*filp));

	if (!filp)
		return NULL;
	kref_init(&filp->ref);
	filp->f_op = fops;
	filp->private_data = data;
	filp->peer = -1;
	return filp;
}

struct file *anon_inode_getfile(const char *name,
				const struct file_operations *fops, void *data,
				int flags)
{
	return file_alloc(fops, data) ?: ERR_PTR(-ENOMEM);
}

static void file_release(struct kref *ref)
{
	struct file *filp = container_of(ref, struct file, ref);

	if (filp->waits)
		remove_wait_queue(filp->waits, &filp->entry);
	filp->f_op->release(NULL, filp);
	if (filp->peer >= 0)
		__real_close(filp->peer);
	free(filp);
}

void fput(struct file *filp)
{
	kref_put(&filp->ref, file_release);
}

void fd_install(int fd, struct file *filp)
{
	poll_table table = { filp };

	filp->peer = fs.peers[fd];
	if (filp->f_op->poll)
		filp->f_op->poll(filp, &table);
	pthread_mutex_lock(&fs.lock);
	fs.files[fd] = filp;
	WRITE_ONCE(fs.nr_fds, max(fs.nr_fds, fd + 1));
	pthread_mutex_unlock(&fs.lock);
}

/* With a reference; NULL if the descriptor is not one of ours. */
static struct file *fget(int fd)
{
	struct file *filp = NULL;

	if (fd < 0 || fd >= MAX_FDS)
		return NULL;
	pthread_mutex_lock(&fs.lock);
	filp = fs.files[fd];
	if (filp)
		kref_get(&filp->ref);
	pthread_mutex_unlock(&fs.lock);
	return filp;
}

static int answer(long rc)
{
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

static int open_driver(int flags)
{
	struct file *filp;
	int fd, rc;

	native_start();
	if (!fs.misc)
		return answer(-ENOENT);
	fd = get_unused_fd_flags(flags);
	if (fd < 0)
		return answer(fd);
	rc = -ENOMEM;
	filp = file_alloc(fs.misc, NULL);
	if (!filp)
		goto err_fd;
	rc = fs.misc->open(NULL, filp);
	if (rc)
		goto err_file;
	fd_install(fd, filp);
	return fd;

err_file:
	free(filp);
err_fd:
	put_unused_fd(fd);
	return answer(rc);
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	if (!strcmp(path, NATIVE_NODE))
		return open_driver(flags);
	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return __real_open(path, flags, mode);
}

int __wrap_close(int fd)
{
	struct file *filp = NULL;

	if (fd >= 0 && fd < MAX_FDS) {
		pthread_mutex_lock(&fs.lock);
		filp = fs.files[fd];
		fs.files[fd] = NULL;
		pthread_mutex_unlock(&fs.lock);
	}
	if (filp)
		fput(filp);
	return __real_close(fd);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct file *filp = fget(fd);
	unsigned long arg;
	va_list args;
	long rc;

	va_start(args, request);
	arg = va_arg(args, unsigned long);
	va_end(args);
	if (!filp)
		return __real_ioctl(fd, request, arg);
	rc = filp->f_op->unlocked_ioctl(filp, request, arg);
	fput(filp);
	return answer(rc);
}

static int map_file(struct mapping *mapping, size_t length, int prot, int flags,
		    off_t offset)
{
	struct vm_area_struct *vma = &mapping->vma;

	if (!mapping->filp->f_op->mmap)
		return -ENODEV;
	vma->vm_end = PAGE_ALIGN(length);
	vma->vm_pgoff = offset >> PAGE_SHIFT;
	vma->vm_flags = (prot & PROT_WRITE ? VM_WRITE : 0) |
			(prot & PROT_EXEC ? VM_EXEC : 0) |
			(flags & MAP_SHARED ? VM_SHARED : 0);
	return mapping->filp->f_op->mmap(mapping->filp, vma);
}

void *__wrap_mmap(void *addr, size_t length, int prot, int flags, int fd,
		  off_t offset)
{
	struct file *filp = fget(fd);
	struct mapping *mapping;
	int rc = -ENOMEM;

	if (!filp)
		return __real_mmap(addr, length, prot, flags, fd, offset);
	mapping = calloc(1, sizeof(*mapping));
	if (mapping) {
		mapping->filp = filp;
		rc = map_file(mapping, length, prot, flags, offset);
	}
	if (rc) {
		free(mapping);
		fput(filp);
		errno = -rc;
		return MAP_FAILED;
	}
	pthread_mutex_lock(&fs.lock);
	list_add(&mapping->node, &fs.mappings);
	pthread_mutex_unlock(&fs.lock);
	return (void *)mapping->vma.vm_start;
}

static struct mapping *take_mapping(uintptr_t addr)
{
	struct mapping *mapping, *found = NULL;

	pthread_mutex_lock(&fs.lock);
	list_for_each_entry(mapping, &fs.mappings, node) {
		if (mapping->vma.vm_start != addr)
			continue;
		found = mapping;
		list_del(&mapping->node);
		break;
	}
	pthread_mutex_unlock(&fs.lock);
	return found;
}

/* As a whole: no part of one is unmapped alone. */
int __wrap_munmap(void *addr, size_t length)
{
	struct mapping *mapping = take_mapping((uintptr_t)addr);
	unsigned long i;

	if (!mapping)
		return __real_munmap(addr, length);
	BUG_ON(PAGE_ALIGN(length) !=
	       mapping->vma.vm_end - mapping->vma.vm_start);
	for (i = 0; i < vma_pages(&mapping->vma); i++)
		put_page(mapping->vma.pages[i]);
	free(mapping->vma.pages);
	if (mapping->vma.vm_ops->close)
		mapping->vma.vm_ops->close(&mapping->vma);
	fput(mapping->filp);
	free(mapping);
	return 0;
}

/* What the end of a process does. */
void native_exit_files(void)
{
	struct mapping *mapping;
	int fd;

	while ((mapping = list_first_entry_or_null(&fs.mappings, struct mapping,
						   node)))
		__wrap_munmap((void *)mapping->vma.vm_start,
			      mapping->vma.vm_end - mapping->vma.vm_start);
	for (fd = 0; fd < fs.nr_fds; fd++)
		if (fs.files[fd])
			__wrap_close(fd);
}

/* For sets of epoll, which looks anew at what has been woken, and at nothing else. */
static void sync_woken(void)
{
	int fd, nr = READ_ONCE(fs.nr_fds);

	for (fd = 0; fd < nr; fd++) {
		struct file *filp = fget(fd);

		if (!filp)
			continue;
		if (__atomic_load_n(&filp->signalled, __ATOMIC_SEQ_CST))
			sync_file(filp, fd);
		fput(filp);
	}
}

static void sync_fd(int fd)
{
	struct file *filp = fget(fd);

	if (!filp)
		return;
	sync_file(filp, fd);
	fput(filp);
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	nfds_t i;

	for (i = 0; i < nr; i++)
		sync_fd(fds[i].fd);
	sync_woken();
	return __real_poll(fds, nr, timeout);
}

int __wrap_epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
{
	if (op != EPOLL_CTL_DEL)
		sync_fd(fd);
	return __real_epoll_ctl(epfd, op, fd, event);
}

int __wrap_epoll_wait(int epfd, struct epoll_event *events, int nr, int timeout)
{
	sync_woken();
	return __real_epoll_wait(epfd, events, nr, timeout);
}

/* Threads, locks and all, the driver has stayed with the parent. */
static void fork_child(void)
{
	fs.misc = NULL;
	memset(fs.files, 0, sizeof(fs.files));
	INIT_LIST_HEAD(&fs.mappings);
	pthread_mutex_init(&fs.lock, NULL);
}

/* Before the library's own, so that what it closes then is just a descriptor. */
static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(NULL, NULL, fork_child);
}
