// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Files of the driver. To the program each is an eventfd: the driver's wake-ups write to
 * it, once until it is rearmed, and its number names the file in calls.
 */
#include <sys/eventfd.h>
#include <sys/mman.h>

#include "shim/kernel.h"

#include <linux/doca.h>

#include "descriptors.h"
#include "inproc.h"
#include "remote_op.h"

static const struct file_operations *misc_fops;
static bool ended; /* the process is at its end */
static DEFINE_XARRAY(files); /* by their descriptors */
static LIST_HEAD(mappings);
static DEFINE_SPINLOCK(mappings_lock);

/* A mapping that the program has made. */
struct mapping {
	struct list_head node;
	struct vm_area_struct vma;
	struct file *filp;
};

int misc_register(struct miscdevice *misc)
{
	misc_fops = misc->fops;
	WRITE_ONCE(ended, false);
	return 0;
}

void misc_deregister(struct miscdevice *misc)
{
	misc_fops = NULL;
}

/* Keep a place in the array, so that fd_install() cannot fail. */
int get_unused_fd_flags(int flags)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	rc = xa_insert(&files, fd, NULL, GFP_KERNEL);
	if (rc) {
		close(fd);
		return rc;
	}
	return fd;
}

void put_unused_fd(int fd)
{
	xa_erase(&files, fd);
	close(fd);
}

static void signal_file(struct file *filp)
{
	int cancel;

	if (__atomic_exchange_n(&filp->signalled, true, __ATOMIC_SEQ_CST))
		return;
	cancel = inproc_hold_cancel();
	eventfd_write(filp->fd, 1);
	inproc_let_cancel(cancel);
}

static int file_woken(struct wait_queue_entry *entry, unsigned int mode,
		      int flags, void *key)
{
	signal_file(container_of(entry, struct file, entry));
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

static struct file *file_alloc(const struct file_operations *fops, void *data)
{
	struct file *filp = calloc(1, sizeof(*filp));

	if (!filp)
		return NULL;
	kref_init(&filp->ref);
	spin_lock_init(&filp->sync_lock);
	filp->f_op = fops;
	filp->private_data = data;
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

	filp->f_op->release(NULL, filp);
	free(filp);
}

void fput(struct file *filp)
{
	kref_put(&filp->ref, file_release);
}

void fd_install(int fd, struct file *filp)
{
	poll_table table = { filp };

	filp->fd = fd;
	if (filp->f_op->poll)
		filp->f_op->poll(filp, &table);
	xa_store(&files, fd, filp, GFP_KERNEL);
}

struct file *inproc_file(int fd)
{
	struct file *filp;

	if (fd < 0)
		return NULL;
	xa_lock(&files);
	filp = __xa_load(&files, fd);
	if (filp)
		kref_get(&filp->ref);
	xa_unlock(&files);
	return filp;
}

bool inproc_files_ended(void)
{
	return smp_load_acquire(&ended);
}

static int open_file(void)
{
	struct file *filp;
	int fd, rc;

	if (inproc_files_ended())
		return -EBADF;
	if (!misc_fops)
		return -ENOENT;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	rc = -ENOMEM;
	filp = file_alloc(misc_fops, NULL);
	if (!filp)
		goto err_fd;
	rc = misc_fops->open(NULL, filp);
	if (rc)
		goto err_file;
	fd_install(fd, filp);
	return fd;

err_file:
	free(filp);
err_fd:
	put_unused_fd(fd);
	return rc;
}

int inproc_open_file(void)
{
	int cancel = inproc_hold_cancel();
	int fd = open_file();

	inproc_let_cancel(cancel);
	return fd;
}

/* A file has one descriptor, so each close is the last one. */
bool doca_process_has(const struct file *filp)
{
	return false;
}

/* Mappings may keep the file, but it can no longer be called. */
static int close_file(int fd)
{
	struct file *filp = fd < 0 ? NULL : xa_erase(&files, fd);

	if (!filp)
		return -EBADF;
	if (filp->waits)
		remove_wait_queue(filp->waits, &filp->entry);
	spin_lock(&filp->sync_lock);
	filp->fd = -1;
	close(fd);
	spin_unlock(&filp->sync_lock);
	if (filp->f_op->flush)
		filp->f_op->flush(filp, NULL);
	fput(filp);
	return 0;
}

int inproc_close(int fd)
{
	int cancel = inproc_hold_cancel();
	int rc = close_file(fd);

	inproc_let_cancel(cancel);
	return rc;
}

/* Return true for a queue, whose calls may wait for other processes. */
static bool is_queue(const struct file *filp)
{
	return filp->f_op != misc_fops;
}

static int call_file(struct file *filp, unsigned long request, void *arg)
{
	bool executes = request == DOCA_QUEUE_ENTER && is_queue(filp);
	bool away = executes && remote_awake(filp->private_data);
	int rc;

	rc = filp->f_op->unlocked_ioctl(filp, request, (unsigned long)arg);
	if (!rc && executes)
		remote_linger(filp->private_data, arg, away);
	return rc;
}

/* Make any call but the one that executes. */
static int call_whole(struct file *filp, unsigned long request, void *arg)
{
	int cancel = inproc_hold_cancel();
	int rc;

	inproc_forget_mapped();
	rc = call_file(filp, request, arg);
	inproc_let_cancel(cancel);
	return rc;
}

int inproc_call_file(int fd, unsigned long request, void *arg)
{
	struct file *filp = inproc_file(fd);
	int rc;

	if (!filp)
		return -EBADF;
	rc = request == DOCA_QUEUE_ENTER ? call_file(filp, request, arg) :
					   call_whole(filp, request, arg);
	fput(filp);
	return rc;
}

/* Map all pages that would come by faults. */
static int fault_in(struct vm_area_struct *vma)
{
	struct vm_fault fault = { .vma = vma };
	unsigned long nr = vma_pages(vma);
	struct page **pages;
	int rc = 0;

	pages = reallocarray(NULL, nr, sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	for (; fault.pgoff < nr; fault.pgoff++) {
		rc = vma->vm_ops->fault(&fault) ? -EFAULT : 0;
		if (rc)
			break;
		pages[fault.pgoff] = fault.page;
	}
	if (!rc)
		rc = vm_map_pages(vma, pages, nr);
	while (fault.pgoff)
		put_page(pages[--fault.pgoff]);
	free(pages);
	if (rc && vma->vm_ops->close)
		vma->vm_ops->close(vma);
	return rc;
}

static int map_file(struct mapping *mapping, uint64_t offset, size_t size,
		    int prot, bool shared)
{
	struct vm_area_struct *vma = &mapping->vma;
	int rc;

	if (!mapping->filp->f_op->mmap)
		return -ENODEV;
	vma->vm_mm = current->mm;
	vma->vm_file = mapping->filp;
	vma->vm_end = PAGE_ALIGN(size);
	vma->vm_pgoff = offset >> PAGE_SHIFT;
	vma->vm_flags = (prot & PROT_WRITE ? VM_WRITE : 0) |
			(prot & PROT_EXEC ? VM_EXEC : 0) |
			(shared ? VM_SHARED : 0);
	rc = mapping->filp->f_op->mmap(mapping->filp, vma);
	/* It has its address, or gets one with its pages. */
	if (!rc && !vma->vm_start)
		rc = fault_in(vma);
	return rc;
}

int inproc_map(int fd, uint64_t offset, size_t size, int prot, bool shared,
	       void **addr)
{
	struct file *filp = inproc_file(fd);
	struct mapping *mapping;
	int rc = -ENOMEM;

	if (!filp)
		return -EBADF;
	mapping = calloc(1, sizeof(*mapping));
	if (mapping) {
		mapping->filp = filp;
		rc = map_file(mapping, offset, size, prot, shared);
	}
	if (rc) {
		free(mapping);
		fput(filp);
		return rc;
	}
	spin_lock(&mappings_lock);
	list_add(&mapping->node, &mappings);
	spin_unlock(&mappings_lock);
	*addr = (void *)mapping->vma.vm_start;
	return 0;
}

static struct mapping *take_mapping(uintptr_t addr)
{
	struct mapping *mapping, *found = NULL;

	spin_lock(&mappings_lock);
	list_for_each_entry(mapping, &mappings, node) {
		if (mapping->vma.vm_start != addr)
			continue;
		found = mapping;
		list_del(&mapping->node);
		break;
	}
	spin_unlock(&mappings_lock);
	return found;
}

/* Unmap a whole mapping: no part is unmapped alone. */
int inproc_unmap(void *addr, size_t size)
{
	struct mapping *mapping = take_mapping((uintptr_t)addr);
	unsigned long i;
	int cancel;

	if (!mapping)
		return -ENOENT;
	cancel = inproc_hold_cancel();
	WARN_ON(PAGE_ALIGN(size) !=
		mapping->vma.vm_end - mapping->vma.vm_start);
	for (i = 0; mapping->vma.pages && i < vma_pages(&mapping->vma); i++)
		put_page(mapping->vma.pages[i]);
	free(mapping->vma.pages);
	if (mapping->vma.vm_ops->close)
		mapping->vma.vm_ops->close(&mapping->vma);
	fput(mapping->filp);
	free(mapping);
	inproc_let_cancel(cancel);
	return 0;
}

/*
 * The eventfd is read before the flag is cleared, so a wake-up in between does not write:
 * its cause exists already, and the library checks for it after rearming. A flag without
 * anything to read belongs to a writer that is just about to write.
 */
static void rearm(struct file *filp)
{
	eventfd_t count;
	int cancel;

	if (!__atomic_load_n(&filp->signalled, __ATOMIC_SEQ_CST))
		return;
	cancel = inproc_hold_cancel();
	if (!eventfd_read(filp->fd, &count))
		(void)__atomic_exchange_n(&filp->signalled, false,
					  __ATOMIC_SEQ_CST);
	inproc_let_cancel(cancel);
}

void inproc_rearm(int fd)
{
	struct file *filp = inproc_file(fd);

	if (!filp)
		return;
	rearm(filp);
	if (is_queue(filp))
		remote_arm(filp->private_data);
	fput(filp);
}

/* Another thread may close the file; its descriptor can name anything after that. */
static void sync_file(struct file *filp)
{
	if (!filp->f_op->poll)
		return;
	spin_lock(&filp->sync_lock);
	if (filp->fd >= 0) {
		rearm(filp);
		if (filp->f_op->poll(filp, NULL))
			signal_file(filp);
	}
	spin_unlock(&filp->sync_lock);
}

void inproc_sync(int fd)
{
	struct file *filp = inproc_file(fd);

	if (!filp)
		return;
	sync_file(filp);
	fput(filp);
}

/* Return the next file with a reference; NULL at the end. */
static struct file *next_file(unsigned long *fd)
{
	struct file *filp;

	xa_lock(&files);
	filp = xa_find(&files, fd, ULONG_MAX, XA_PRESENT);
	if (filp)
		kref_get(&filp->ref);
	xa_unlock(&files);
	return filp;
}

void inproc_sync_woken(void)
{
	unsigned long fd = 0;
	struct file *filp;

	for (; (filp = next_file(&fd)); fd++) {
		if (__atomic_load_n(&filp->signalled, __ATOMIC_SEQ_CST))
			sync_file(filp);
		fput(filp);
	}
}

/* Close the files as the end of a process does. Other threads may be at calls. */
void inproc_end_files(void)
{
	struct mapping *mapping;
	unsigned long fd = 0;
	struct file *filp;

	smp_store_release(&ended, true);
	while ((mapping = list_first_entry_or_null(&mappings, struct mapping,
						   node)))
		inproc_unmap((void *)mapping->vma.vm_start,
			     mapping->vma.vm_end - mapping->vma.vm_start);
	for (; (filp = next_file(&fd)); fd++) {
		fput(filp);
		inproc_close(fd);
	}
}
