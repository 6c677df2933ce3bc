// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* /dev/doca: the file, its calls, and the module. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "algo.h"
#include "descriptors.h"
#include "device.h"
#include "dm.h"
#include "dma/engine.h"
#include "end.h"
#include "file.h"
#include "flight.h"
#include "function.h"
#include "ib.h"
#include "inbox.h"
#include "ioctl.h"
#include "memory.h"
#include "netlink.h"
#include "nowait.h"
#include "op_object.h"
#include "poison.h"
#include "poller.h"
#include "queue.h"
#include "thread.h"
#include "user.h"
#include "worker.h"

#ifndef CONFIG_64BIT
#error "doca needs a 64-bit kernel: it reaches all memory through the linear map"
#endif

static bool doca_software = true;
module_param_named(software, doca_software, bool, 0444);
MODULE_PARM_DESC(software, "provide the software device, which needs no hardware");

static int doca_ioctl_query(struct doca_ucmd *ucmd)
{
	struct doca_query *arg = ucmd->arg;

	if (arg->flags)
		return -EOPNOTSUPP;
	arg->out_abi_version = DOCA_ABI_VERSION;
	arg->out_ring_version = DOCA_RING_VERSION;
	arg->out_features = DOCA_FEATURE_EXECUTE | DOCA_FEATURE_CHANNEL;
	if (doca_workers_allowed())
		arg->out_features |= DOCA_FEATURE_WORKER;
	if (IS_REACHABLE(CONFIG_INFINIBAND))
		arg->out_features |= DOCA_FEATURE_RDMA;
	if (doca_dmabuf_is_safe())
		arg->out_features |= DOCA_FEATURE_DMABUF;
	arg->out_opcodes = doca_op_known(doca_op_types);
	arg->out_max_queue_entries = DOCA_RING_MAX_ENTRIES;
	arg->out_max_queue_segments = DOCA_RING_MAX_SEGMENTS;
	arg->out_max_segments = DOCA_OP_MAX_SEGMENTS;
	arg->out_blob_size = DOCA_BLOB_SIZE;
	arg->out_max_length = DOCA_OP_MAX_LENGTH;
	arg->out_step_length = DOCA_OP_STEP_LENGTH;
	arg->out_max_queue_waits = DOCA_MAX_WAITS;
	arg->out_max_queue_ops = DOCA_MAX_OPS;
	arg->out_max_msg_size = DOCA_MAX_MESSAGE;
	arg->out_max_inbox = DOCA_RING_MAX_ENTRIES;
	arg->__reserved = 0;
	return doca_ucmd_respond(ucmd);
}

/* Return an error, too, if no operation that takes such objects is executed. */
static int doca_ioctl_object_create(struct doca_ucmd *ucmd)
{
	struct doca_object_create *arg = ucmd->arg;
	const struct doca_op_object_type *type = doca_op_object_type(arg->type);
	struct doca_device *device;
	int rc;

	if (arg->flags || !type)
		return -EOPNOTSUPP;
	if (arg->__reserved)
		return -EINVAL;
	device = doca_device_find(arg->device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return PTR_ERR(device);
	rc = doca_op_object_create(ucmd, type);
	doca_device_put(device);
	return rc;
}

static int doca_ioctl_object_destroy(struct doca_ucmd *ucmd)
{
	static int (*const destroy[DOCA_OBJECT_NR])(struct doca_file *file,
						    struct doca_object *obj) = {
		[DOCA_OBJECT_MEMORY] = doca_memory_destroy,
		[DOCA_OBJECT_EXPORT] = doca_export_destroy,
		[DOCA_OBJECT_WORKER] = doca_worker_destroy,
		[DOCA_OBJECT_DM] = doca_dm_destroy,
	};
	struct doca_object_destroy *arg = ucmd->arg;
	const struct doca_op_object_type *type = doca_op_object_type(arg->type);
	struct doca_object *obj;
	int rc;

	if (type)
		return doca_op_object_destroy(ucmd->file, type, arg->id);
	if (arg->type < DOCA_OBJECT_MEMORY || arg->type >= DOCA_OBJECT_NR)
		return -EOPNOTSUPP;
	obj = doca_object_find(ucmd->file, arg->id, arg->type);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	rc = destroy[obj->type](ucmd->file, obj);
	doca_object_put(obj);
	return rc;
}

static const struct doca_ioctl doca_file_ioctls[] = {
	DOCA_IOCTL(QUERY, query, out_max_queue_waits),
	DOCA_IOCTL(MEM_REG, mem_reg, out_used),
	DOCA_IOCTL(MEM_MAP, mem_map, out_key),
	DOCA_IOCTL(MEM_UNMAP, mem_unmap, key),
	DOCA_IOCTL(MEM_EXPORT, mem_export, __reserved),
	DOCA_IOCTL(MEM_IMPORT, mem_import, out_length),
	DOCA_IOCTL(WORKER_CREATE, worker_create, out_worker_id),
	DOCA_IOCTL(QUEUE_CREATE, queue_create, nr_waits),
	DOCA_IOCTL(DM_QUERY, dm_query, __reserved),
	DOCA_IOCTL(DM_ALLOC, dm_alloc, __reserved),
	DOCA_IOCTL(DM_IMPORT, dm_import, out_offset),
	DOCA_IOCTL(DEVICE_QUERY, device_query, out_name),
	DOCA_IOCTL(OBJECT_DESTROY, object_destroy, id),
	DOCA_IOCTL(OBJECT_CREATE, object_create, __reserved),
};

static bool doca_is_over(struct doca_file *file)
{
	return current->mm == file->mm && doca_file_is_dead(file);
}

/* The process may get a file back whose last descriptor it has closed. */
static long doca_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct doca_file *file = filp->private_data;
	long rc;

	if (doca_is_over(file))
		return -ENODEV;
	rc = doca_ioctl_dispatch(doca_file_ioctls,
				 ARRAY_SIZE(doca_file_ioctls), DOCA_CMD_BASE,
				 file, NULL, cmd, arg);
	/* It may have made something behind the end, even if it has failed. */
	if (doca_is_over(file))
		doca_file_kill(file);
	return rc;
}

static int doca_open(struct inode *inode, struct file *filp)
{
	struct doca_file *file;
	int rc;

	if (!current->mm)
		return -EINVAL; /* a kernel thread has no memory to share */
	file = doca_file_alloc();
	if (IS_ERR(file))
		return PTR_ERR(file);
	doca_file_init_mappings(file);
	rc = doca_file_tie(file);
	if (rc) {
		doca_file_put(file);
		/* A signal that was handled must not make open() fail. */
		return rc == -EINTR ? -ERESTARTNOINTR : rc;
	}
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/*
 * The file ends with the last descriptor of the process that opened it, even if others have
 * some: they cannot use it.
 */
static int doca_flush(struct file *filp, fl_owner_t id)
{
	struct doca_file *file = filp->private_data;

	if (file->pid != task_tgid(current) || doca_process_has(filp))
		return 0;
	doca_file_set_dead(file);
	doca_file_kill_queues(file);
	/* A courtesy to the process: its threads are gone, and not charged any more. */
	doca_file_stop_workers(file, true);
	doca_file_stop_poller(file, true);
	doca_file_kill(file);
	return 0;
}

static int doca_release(struct inode *inode, struct file *filp)
{
	struct doca_file *file = filp->private_data;

	doca_nowait_begin();
	doca_file_untie(file);
	doca_file_kill(file);
	doca_file_put(file);
	doca_nowait_end();
	return 0;
}

static int doca_mmap(struct file *filp, struct vm_area_struct *vma)
{
	return doca_dm_mmap(filp->private_data, vma);
}

static void doca_show_fdinfo(struct seq_file *m, struct file *filp)
{
	struct doca_file *file = filp->private_data;

	seq_printf(m, "doca-file:\t%u\n", file->id);
	doca_memory_show_fdinfo(m, file);
	doca_user_show_fdinfo(m, file->user);
}

static const struct file_operations doca_fops = {
	.owner = THIS_MODULE,
	.open = doca_open,
	.flush = doca_flush,
	.release = doca_release,
	.mmap = doca_mmap,
	.unlocked_ioctl = doca_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = doca_show_fdinfo,
};

static struct miscdevice doca_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "doca",
	.mode = 0660,
	.fops = &doca_fops,
};

static int __init doca_init(void)
{
	int rc;

	rc = doca_threads_init();
	if (rc)
		return rc;
	rc = doca_memory_init();
	if (rc)
		goto err_threads;
	doca_export_init();
	doca_poison_init();
	rc = doca_devices_init(doca_software);
	if (rc)
		goto err_memory;
	rc = doca_netlink_init();
	if (rc)
		goto err_devices;
	rc = doca_ib_init();
	if (rc)
		goto err_netlink;
	rc = doca_engine_init();
	if (rc)
		goto err_ib;
	doca_algo_init();
	rc = misc_register(&doca_misc);
	if (rc)
		goto err_algo;
	return 0;

err_algo:
	doca_algo_exit();
	doca_engine_exit();
err_ib:
	doca_ib_exit();
err_netlink:
	doca_netlink_exit();
	doca_functions_exit();
err_devices:
	doca_devices_exit();
err_memory:
	doca_memory_exit();
err_threads:
	doca_threads_exit();
	return rc;
}

static void __exit doca_exit(void)
{
	/* No file is open: queues and workers are gone, but there may be flights and holds. */
	misc_deregister(&doca_misc);
	/* The end of an address space may still be ending files that are closed by now. */
	doca_ties_exit();
	doca_algo_exit();
	doca_engine_exit();
	doca_ib_exit();
	doca_netlink_exit();
	doca_functions_exit();
	/* Operations in flight may reach device memory. */
	doca_pools_exit();
	doca_memory_exit();
	doca_devices_exit();
	doca_threads_exit();
	rcu_barrier();
}

module_init(doca_init);
module_exit(doca_exit);

MODULE_DESCRIPTION("DOCA: memory and task queues shared with user space");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(OPEN_DOCA_VERSION);
