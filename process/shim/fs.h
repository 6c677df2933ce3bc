/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Files, and the processes that have them open. */
#ifndef INPROC_FS_H
#define INPROC_FS_H

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#include "mm.h"
#include "sched.h"

struct dentry {
	struct inode *inode;
};

struct inode;
struct seq_file;
struct vm_area_struct;

struct file {
	const struct file_operations *f_op;
	void *private_data;

	/* for the implementation of files */
	struct kref ref;
	int fd; /* an eventfd that the program polls; -1 after closing */
	spinlock_t sync_lock; /* keeps @fd open while all files are polled */
	bool signalled; /* the eventfd was written to */
	wait_queue_head_t *waits; /* wait queue of the polled events */
	struct wait_queue_entry entry;
};

typedef struct poll_table {
	struct file *file;
} poll_table;

typedef void *fl_owner_t;

struct file_operations {
	void *owner;
	int (*open)(struct inode *inode, struct file *filp);
	int (*flush)(struct file *filp, fl_owner_t id);
	int (*release)(struct inode *inode, struct file *filp);
	__poll_t (*poll)(struct file *filp, poll_table *wait);
	int (*mmap)(struct file *filp, struct vm_area_struct *vma);
	long (*unlocked_ioctl)(struct file *filp, unsigned int cmd,
			       unsigned long arg);
	long (*compat_ioctl)(struct file *filp, unsigned int cmd,
			     unsigned long arg);
	void (*show_fdinfo)(struct seq_file *m, struct file *filp);
};

#define compat_ptr_ioctl NULL
#define nonseekable_open(inode, filp) ((void)(inode), (void)(filp), 0)

/* There is no fdinfo. */
static inline void seq_printf(struct seq_file *m, const char *format, ...)
{
}

void poll_wait(struct file *filp, wait_queue_head_t *head, poll_table *table);

int get_unused_fd_flags(int flags);
void put_unused_fd(int fd);
void fd_install(int fd, struct file *filp);
struct file *anon_inode_getfile(const char *name,
				const struct file_operations *fops, void *data,
				int flags);
void fput(struct file *filp);
/* Return a reference, or NULL if the descriptor is not ours. */
struct file *inproc_file(int fd);
/* Act as a program would, once the driver has begun. An export alone lets nobody connect. */
int inproc_open_file(void);
int inproc_call_file(int fd, unsigned long request, void *arg);
#define fget(fd) inproc_file(fd)

struct miscdevice {
	int minor;
	const char *name;
	int mode;
	const struct file_operations *fops;
};

#define MISC_DYNAMIC_MINOR 255

int misc_register(struct miscdevice *misc);
void misc_deregister(struct miscdevice *misc);

void inproc_end_files(void);
/* Return true if that has begun: calls may fail for it, in many ways. */
bool inproc_files_ended(void);

/* One user, in one namespace of each kind. */
typedef struct {
	uid_t val;
} kuid_t;

struct net;
struct user_namespace;

#define __kuid_val(uid) ((uid).val)
#define current_uid() ((kuid_t){ current->foreign ? current->uid : getuid() })
#define current_euid() ((kuid_t){ current->foreign ? current->uid : geteuid() })
#define uid_eq(a, b) ((a).val == (b).val)
#define current_user_ns() ((struct user_namespace *)NULL)
#define get_user_ns(ns) (ns)
#define put_user_ns(ns) ((void)(ns))
#undef CAP_IPC_LOCK
#undef CAP_SYS_PTRACE
#define CAP_IPC_LOCK 14
#define CAP_SYS_PTRACE 19
/* Capabilities do not lift the limits that a process has set for itself. */
#define capable(cap) ((void)(cap), false)
#define ns_capable(ns, cap) ((void)(ns), capable(cap))
#define NUMA_NO_NODE (-1)

static inline void get_random_bytes(void *buf, size_t size)
{
	BUG_ON(getrandom(buf, size, 0) != (ssize_t)size);
}

#endif
