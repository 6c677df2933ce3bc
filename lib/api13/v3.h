/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The functions of level 3.0 that this library uses, and no others.
 *
 * The headers of both levels use the same names for different things, so no file can
 * include both. This header declares the needed part of level 3.0 under other names:
 * the function v3_mmap_create() is the symbol doca_mmap_create. v3.c includes it a
 * second time, beside the headers of level 3.0, to compare each declaration.
 *
 * Devices, error codes, union doca_data and the log are the same at all levels.
 */
#ifndef DOCA_API13_V3_H
#define DOCA_API13_V3_H

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>

struct doca_dev;
struct doca_devinfo;

#ifndef V3
#define V3(type, name, ...) type v3_##name(__VA_ARGS__) __asm__("doca_" #name)
#define V3_TAG(name) struct v3_##name
#define V3_ENUM(name) enum v3_##name

enum v3_ctx_states {
	V3_CTX_STATE_IDLE = 0,
	V3_CTX_STATE_STOPPING = 3,
};

V3_TAG(buf);
V3_TAG(buf_inventory);
V3_TAG(ctx);
V3_TAG(dev_rep);
V3_TAG(devinfo_rep);
V3_TAG(dma);
V3_TAG(dma_task_memcpy);
V3_TAG(mmap);
V3_TAG(pe);
V3_TAG(task);
#endif

V3(doca_error_t, buf_dec_refcount, V3_TAG(buf) *, uint16_t *);
V3(doca_error_t, buf_get_data, const V3_TAG(buf) *, void **);
V3(doca_error_t, buf_get_data_len, const V3_TAG(buf) *, size_t *);
V3(doca_error_t, buf_reset_data_len, V3_TAG(buf) *);
V3(doca_error_t, buf_set_data, V3_TAG(buf) *, void *, size_t);

V3(doca_error_t, buf_inventory_buf_get_by_args, V3_TAG(buf_inventory) *,
   V3_TAG(mmap) *, void *, size_t, void *, size_t, V3_TAG(buf) **);
V3(doca_error_t, buf_inventory_create, size_t, V3_TAG(buf_inventory) **);
V3(doca_error_t, buf_inventory_destroy, V3_TAG(buf_inventory) *);
V3(doca_error_t, buf_inventory_start, V3_TAG(buf_inventory) *);

V3(doca_error_t, ctx_set_state_changed_cb, V3_TAG(ctx) *,
   void (*)(const union doca_data, V3_TAG(ctx) *, V3_ENUM(ctx_states),
	    V3_ENUM(ctx_states)));
V3(doca_error_t, ctx_set_user_data, V3_TAG(ctx) *, union doca_data);
V3(doca_error_t, ctx_start, V3_TAG(ctx) *);
V3(doca_error_t, ctx_stop, V3_TAG(ctx) *);

V3(struct doca_devinfo *, dev_as_devinfo, const struct doca_dev *);
V3(doca_error_t, dev_close, struct doca_dev *);
V3(doca_error_t, dev_open, struct doca_devinfo *, struct doca_dev **);
V3(doca_error_t, devinfo_create_list, struct doca_devinfo ***, uint32_t *);
V3(doca_error_t, devinfo_destroy_list, struct doca_devinfo **);
V3(doca_error_t, devinfo_get_ibdev_name, const struct doca_devinfo *, char *,
   uint32_t);
V3(doca_error_t, devinfo_get_iface_name, const struct doca_devinfo *, char *,
   uint32_t);
V3(doca_error_t, devinfo_get_ipv4_addr, const struct doca_devinfo *, uint8_t *,
   uint32_t);
V3(doca_error_t, devinfo_get_ipv6_addr, const struct doca_devinfo *, uint8_t *,
   uint32_t);
V3(doca_error_t, devinfo_get_pci_addr_str, const struct doca_devinfo *, char *);

V3(V3_TAG(devinfo_rep) *, dev_rep_as_devinfo, V3_TAG(dev_rep) *);
V3(doca_error_t, dev_rep_close, V3_TAG(dev_rep) *);
V3(doca_error_t, dev_rep_open, V3_TAG(devinfo_rep) *, V3_TAG(dev_rep) **);
V3(doca_error_t, devinfo_rep_create_list, struct doca_dev *, int,
   V3_TAG(devinfo_rep) ***, uint32_t *);
V3(doca_error_t, devinfo_rep_destroy_list, V3_TAG(devinfo_rep) **);
V3(doca_error_t, devinfo_rep_get_vuid, const V3_TAG(devinfo_rep) *, char *,
   uint32_t);

V3(V3_TAG(ctx) *, dma_as_ctx, V3_TAG(dma) *);
V3(doca_error_t, dma_cap_task_memcpy_get_max_buf_size,
   const struct doca_devinfo *, uint64_t *);
V3(doca_error_t, dma_cap_task_memcpy_is_supported, const struct doca_devinfo *);
V3(doca_error_t, dma_create, struct doca_dev *, V3_TAG(dma) **);
V3(doca_error_t, dma_destroy, V3_TAG(dma) *);
V3(doca_error_t, dma_task_memcpy_alloc_init, V3_TAG(dma) *, const V3_TAG(buf) *,
   V3_TAG(buf) *, union doca_data, V3_TAG(dma_task_memcpy) **);
V3(V3_TAG(task) *, dma_task_memcpy_as_task, V3_TAG(dma_task_memcpy) *);
V3(doca_error_t, dma_task_memcpy_set_conf, V3_TAG(dma) *,
   void (*)(V3_TAG(dma_task_memcpy) *, union doca_data, union doca_data),
   void (*)(V3_TAG(dma_task_memcpy) *, union doca_data, union doca_data),
   uint32_t);
V3(void, dma_task_memcpy_set_dst, V3_TAG(dma_task_memcpy) *, V3_TAG(buf) *);
V3(void, dma_task_memcpy_set_src, V3_TAG(dma_task_memcpy) *,
   const V3_TAG(buf) *);

V3(doca_error_t, mmap_add_dev, V3_TAG(mmap) *, struct doca_dev *);
V3(doca_error_t, mmap_create, V3_TAG(mmap) **);
V3(doca_error_t, mmap_create_from_export, const union doca_data *, const void *,
   size_t, struct doca_dev *, V3_TAG(mmap) **);
V3(doca_error_t, mmap_destroy, V3_TAG(mmap) *);
V3(doca_error_t, mmap_export_pci, V3_TAG(mmap) *, const struct doca_dev *,
   const void **, size_t *);
V3(doca_error_t, mmap_get_memrange, const V3_TAG(mmap) *, void **, size_t *);
V3(doca_error_t, mmap_set_max_num_devices, V3_TAG(mmap) *, uint32_t);
V3(doca_error_t, mmap_set_memrange, V3_TAG(mmap) *, void *, size_t);
V3(doca_error_t, mmap_set_permissions, V3_TAG(mmap) *, uint32_t);
V3(doca_error_t, mmap_start, V3_TAG(mmap) *);

V3(doca_error_t, pe_clear_notification, V3_TAG(pe) *,
   doca_notification_handle_t);
V3(doca_error_t, pe_connect_ctx, V3_TAG(pe) *, V3_TAG(ctx) *);
V3(doca_error_t, pe_create, V3_TAG(pe) **);
V3(doca_error_t, pe_destroy, V3_TAG(pe) *);
V3(doca_error_t, pe_get_notification_handle, const V3_TAG(pe) *,
   doca_notification_handle_t *);
V3(uint8_t, pe_progress, V3_TAG(pe) *);
V3(doca_error_t, pe_request_notification, V3_TAG(pe) *);

V3(void, task_free, V3_TAG(task) *);
V3(doca_error_t, task_get_status, const V3_TAG(task) *);
V3(doca_error_t, task_submit, V3_TAG(task) *);

#endif /* DOCA_API13_V3_H */
