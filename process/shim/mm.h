/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory. Allocations come from the heap. Registered memory stays where the process
 * has it, so the "linear map" is the process's own address space.
 */
#ifndef INPROC_MM_H
#define INPROC_MM_H

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "inproc.h"

#include "atomic.h"
#include "sched.h"

extern unsigned int inproc_page_shift;

#undef PAGE_SHIFT
#undef PAGE_SIZE
#undef PAGE_MASK
#define PAGE_SHIFT inproc_page_shift
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(x) ALIGN(x, PAGE_SIZE)
#define offset_in_page(addr) ((unsigned long)(addr) & ~PAGE_MASK)

#define kmalloc_size_roundup(size) (size)
#define THREAD_SIZE (4 * PAGE_SIZE)

struct vm_struct {
	void *addr;
};

struct vmap_area {
	void *addr;
};

typedef int gfp_t;

#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 0
#define GFP_NOWAIT 0
#define __GFP_ZERO 0
#define __GFP_NOWARN 0
#define __GFP_RETRY_MAYFAIL 0

#ifdef __clang_analyzer__
/* The analyzer does not know that no memory is at the addresses of errors. */
#define kzalloc(size, gfp)                        \
	({                                        \
		void *__new = calloc(1, size);    \
		__builtin_assume(!IS_ERR(__new)); \
		__new;                            \
	})
#else
#define kzalloc(size, gfp) calloc(1, size)
#endif
#define kvzalloc(size, gfp) calloc(1, size)
#define alloc_pages_exact(size, gfp) calloc(1, size)
#define free_pages_exact(at, size) free(at)
#define kvcalloc(nr, size, gfp) calloc(nr, size)
#define kvmalloc_array(nr, size, gfp) reallocarray(NULL, nr, size)
#define kmalloc(size, gfp) malloc(size)
#define kmalloc_array(nr, size, gfp) reallocarray(NULL, nr, size)
#define __vmalloc(size, gfp) malloc(size)
#define kfree(ptr) free(ptr)
#define kvfree(ptr) free(ptr)
#define memzero_explicit(at, size) explicit_bzero(at, size)

/* All that the heap has given for it, as in the kernel: the caller does not tell how much. */
static inline void kfree_sensitive(void *at)
{
	memzero_explicit(at, malloc_usable_size(at));
	free(at);
}

struct doca_area;
struct page;
struct vm_area_struct;

/*
 * Make memory for other processes to map, and its descriptor; NULL on failure. A sealed area
 * keeps its size, and if @readonly is not writable for others.
 */
void *inproc_share(size_t size, int *fd);
/* Return true if all of it is mapped for this access. Faults nothing in. */
bool inproc_is_mapped(unsigned long addr, unsigned long size, bool write);
/* Call it before a call of this thread that may pin: the program may have unmapped memory since. */
void inproc_forget_mapped(void);
int inproc_seal(int fd, bool readonly);
/* The descriptor of an area that was made where current->shares is set, until it is unshared. */
int inproc_area_fd(const struct doca_area *area);
void inproc_area_unshare(struct doca_area *area);

struct page *alloc_page(int gfp);
void get_page(struct page *page);
void put_page(struct page *page);
int page_ref_count(const struct page *page);
int vm_map_pages(struct vm_area_struct *vma, struct page **pages,
		 unsigned long nr);

#define VM_WRITE 0x2UL
#define VM_EXEC 0x4UL
#define VM_SHARED 0x8UL
#define VM_MAYWRITE 0UL
#define VM_MAYEXEC 0UL
#define VM_DONTEXPAND 0UL
#define VM_DONTCOPY 0UL
#define VM_DONTDUMP 0UL
#define VM_IO 0UL

/* There are no faults later: what comes by them is there from the beginning. */
struct vm_fault {
	struct vm_area_struct *vma;
	unsigned long pgoff;
	struct page *page;
};

typedef int vm_fault_t;
#define VM_FAULT_SIGBUS 2

struct vm_operations_struct {
	void (*open)(struct vm_area_struct *vma);
	void (*close)(struct vm_area_struct *vma);
	vm_fault_t (*fault)(struct vm_fault *vmf);
	int (*mremap)(struct vm_area_struct *vma);
	int (*access)(struct vm_area_struct *vma, unsigned long addr, void *buf,
		      int len, int write);
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	const struct vm_operations_struct *vm_ops;
	void *vm_private_data;
	struct mm_struct *vm_mm;
	struct file *vm_file;
	struct page **pages; /* references; NULL if there are none */
};

#define alloc_pages_node(node, gfp, order) ((void)(node), alloc_page(gfp))

/* Pages of the driver are pinned at their place in the process. */
#define GUP_PIN_COUNTING_BIAS 1024

#define vma_pages(vma) (((vma)->vm_end - (vma)->vm_start) >> PAGE_SHIFT)

/* For compat.h, which is not asked to pin here: driver/pin.c does. */
#define FOLL_WRITE 1
#define FOLL_LONGTERM 2

long pin_user_pages_fast(unsigned long addr, int nr, unsigned int flags,
			 struct page **pages);
long pin_user_pages(unsigned long addr, unsigned long nr, unsigned int flags,
		    struct page **pages);

#define mmgrab(mm) ((void)(mm))
#define mmdrop(mm) ((void)(mm))

/* The charges of the process. */
struct user_struct {
	atomic_long_t locked_vm;
};

struct user_struct *current_user(void);

#define get_uid(user) (user)
#define free_uid(user) ((void)(user))

/* Nothing is locked, so that limit does not apply. */
#define rlimit(resource) RLIM_INFINITY

/* The program's addresses are trusted: a wrong one crashes it. */
/* Stop reading at poisoned memory. */
static inline unsigned long copy_mc_to_kernel(void *to, const void *from,
					      unsigned long size)
{
	unsigned long good = inproc_poison - (const char *)from;

	good = min(good, size);
	memcpy(to, from, good);
	return size - good;
}

#define copy_from_user(to, from, size) (memcpy(to, from, size), 0)
#define copy_to_user(to, from, size) (memcpy(to, from, size), 0)
#define get_user(x, ptr) ((x) = *(ptr), 0)
#define u64_to_user_ptr(x) ((void *)(uintptr_t)(x))

int copy_struct_from_user(void *to, size_t ksize, const void *from,
			  size_t usize);

/* The driver is not told of the end of the address space; files are closed instead. */
struct mmu_notifier;

struct mmu_notifier_ops {
	void (*release)(struct mmu_notifier *notifier, struct mm_struct *mm);
	struct mmu_notifier *(*alloc_notifier)(struct mm_struct *mm);
	void (*free_notifier)(struct mmu_notifier *notifier);
};

struct mmu_notifier {
	const struct mmu_notifier_ops *ops;
};

static inline struct mmu_notifier *
mmu_notifier_get(const struct mmu_notifier_ops *ops, struct mm_struct *mm)
{
	struct mmu_notifier *notifier = ops->alloc_notifier(mm);

	if (!IS_ERR(notifier))
		notifier->ops = ops;
	return notifier;
}

static inline void mmu_notifier_put(struct mmu_notifier *notifier)
{
	notifier->ops->free_notifier(notifier);
}

#define mmu_notifier_synchronize() ((void)0)

struct iosys_map {
	void *vaddr;
};

#endif
