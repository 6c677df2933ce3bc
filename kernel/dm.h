/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Device memory: a pool of pages that all processes share, for RDMA devices that have no
 * memory of their own.
 *
 * References point one way: a holder, which an id of a file names, and a mapping hold the
 * device memory. That holds the device, the account of its user, and one reference to
 * each page. RDMA devices and others that pin the pages hold only the pages.
 */
#ifndef DOCA_DM_H
#define DOCA_DM_H

#include <linux/kref.h>
#include <linux/uidgid.h>

#include "file.h"

struct doca_device;
struct doca_ucmd;
struct doca_user;
struct page;
struct user_namespace;
struct vm_area_struct;

/**
 * struct doca_dm - an allocation of device memory
 * @ref: held by each holder and each mapping
 * @handle: name by which other files import it; one number space for all files
 * @device: reference; the device whose pool it is from
 * @user: reference; the owner's account, which is charged
 * @uid: effective user id of the owner
 * @user_ns: reference; the owner's namespace
 * @length: bytes requested
 * @npages: number of pages
 * @pages: the pages, with one reference to each
 * @nr_imports: imports in other files; under the lock of the table of handles
 * @freed: it cannot be imported any more; under the lock of the table of handles
 *
 * It ends with the last holder and the last mapping, in any order, and its room returns to
 * the pool. Pages that others still pin stay with them.
 */
struct doca_dm {
	struct kref ref;
	u32 handle;
	struct doca_device *device;
	struct doca_user *user;
	kuid_t uid;
	struct user_namespace *user_ns;
	u64 length;
	unsigned long npages;
	struct page **pages;
	unsigned int nr_imports;
	bool freed;
};

/**
 * struct doca_dm_holder - device memory as an object of a file
 * @obj: references are held by the table of the file and by calls that have found it
 * @user: reference; account of the file's owner, which is charged
 * @dm: reference
 * @imported: the file has imported the memory
 */
struct doca_dm_holder {
	struct doca_object obj;
	struct doca_user *user;
	struct doca_dm *dm;
	bool imported;
};

/* dm_pool.c */
/* Return the bytes of a device's pool, and how many of them are free. */
u64 doca_dm_pool_size(void);
u64 doca_dm_pool_free(struct doca_device *device);
/* Allocate from the pool. -ENOSPC if there is not enough room. */
struct doca_dm *doca_dm_alloc(struct doca_device *device,
			      struct doca_user *user, u64 length);
/* Free an allocation without references. */
void doca_dm_free(struct doca_dm *dm);
/* Count registrations that pin its pages; two that touch each other may count as one. */
u32 doca_dm_pins(const struct doca_dm *dm);

/* dm.c */
int doca_ioctl_dm_query(struct doca_ucmd *ucmd);
int doca_ioctl_dm_alloc(struct doca_ucmd *ucmd);
int doca_dm_destroy(struct doca_file *file, struct doca_object *obj);
int doca_ioctl_dm_import(struct doca_ucmd *ucmd);
int doca_dm_mmap(struct doca_file *file, struct vm_area_struct *vma);
/* Drop all device memory, at the end of the mm and of the file. */
void doca_file_kill_dms(struct doca_file *file);

#endif
