/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_mmap.h
 * @brief Memory maps: memory that devices may reach.
 *
 * A memory map is created, given a range of memory, permissions and devices, and
 * started: then the memory is pinned and the devices can reach it.
 * Any alignment, length and kind of memory will do. Memory of
 * other drivers comes as a dma-buf, doca_mmap_set_dmabuf_memrange(). Pinned
 * memory is charged to the user against RLIMIT_MEMLOCK; when that limit is
 * reached, the log says so, with figures. The program may unmap the memory before
 * the map is stopped: the pages stay until then.
 *
 * A range with a writable shared mapping of a file that a filesystem writes back (not
 * one of tmpfs, a memfd or hugetlbfs) is only read, as a whole: a task that would write
 * to it fails with DOCA_ERROR_NOT_PERMITTED, and an export of it is for reading,
 * whatever the permissions. Tasks on pages that a file has lost since, because it was
 * truncated, fail with DOCA_ERROR_IO_FAILED; a file that is too short already is an
 * error of doca_mmap_start(). Queues of doca_eth copy frames in the program, which gets a
 * SIGBUS then.
 *
 * A started map with a PCI permission can be exported: a process that has the
 * descriptor, this one or another one of the same user on the same machine, can
 * import it with doca_mmap_create_from_export(). With DOCA_EXPORT_SCOPE=any in
 * the exporter's environment, a process of any user can. When the exporter stops
 * the map or ends, imports are dead and tasks that use them fail.
 *
 * Thread safety: a map belongs to one thread at a time, unless
 * doca_mmap_enable_thread_safety() was called for it. Buffers of a started map may
 * be made and released by several threads, each with an inventory of its own.
 */
#ifndef DOCA_MMAP_H
#define DOCA_MMAP_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_mmap;

/** @brief Handle of a map on a data path accelerator. @since DOCA 3.0 */
typedef uint32_t doca_dpa_dev_mmap_t;

/**
 * @brief Frees the memory of a map.
 *
 * @param[in] addr    First byte.
 * @param[in] len     Bytes.
 * @param[in] cookie  What was given to doca_mmap_set_free_cb().
 *
 * @since DOCA 2.5
 */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len,
					   void *cookie);

/**
 * @brief Create a memory map, without memory and devices.
 *
 * Its permission is DOCA_ACCESS_FLAG_LOCAL_READ_WRITE until another one is set.
 *
 * @param[out] mmap  The memory map; NULL on failure.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_create(struct doca_mmap **mmap);

/**
 * @brief Destroy a memory map. It is stopped if it is started.
 *
 * The callback of doca_mmap_set_free_cb() runs if the map was started since the
 * callback was set.
 *
 * @param[in] mmap  Memory map.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  Buffers of it are in use, or the memory
 *         could not be released. It was not changed.
 *
 * Thread safety: no other thread may use it.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

/**
 * @brief Let the devices reach the memory.
 *
 * Afterwards buffers can be made of it and it can be exported; its devices and
 * properties cannot be changed before it is stopped. It may be called from
 * callbacks and after contexts were started.
 *
 * @param[in] mmap  Memory map that has a range of memory and is not started.
 *                  Without a device nothing is pinned.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL or has no range; the range
 *         is not mapped, or not accessible as the permissions ask, or not within
 *         the dma-buf; what should be a dma-buf is none; a device was removed.
 * @retval DOCA_ERROR_NOT_PERMITTED  It is started, or made from an export; or
 *         the devices were opened by another process, before a fork().
 * @retval DOCA_ERROR_NO_MEMORY      No memory, RLIMIT_MEMLOCK is met, or the
 *         user or process has too many maps.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The memory is a dma-buf that the CPU cannot
 *         reach; or a device made with doca_rdma_bridge_open_dev_from_pd() does
 *         not support the permissions.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap);

/**
 * @brief Let the devices reach the memory no more.
 *
 * Exports are revoked: imports are dead, descriptors freed. Operations
 * that use the memory, also those of importers, have ended or are cut short
 * when this returns, and fail. A map made from an export can be stopped, but
 * not be started again.
 *
 * @param[in] mmap  Memory map; may be stopped already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  Buffers of it are in use, or the memory
 *         could not be released.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/**
 * @brief Add a device that is to reach the memory.
 *
 * @param[in] mmap  Memory map that is not started.
 * @param[in] dev   Device; the map keeps it open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is started, or made from an export.
 * @retval DOCA_ERROR_ALREADY_EXIST  It has the device already.
 * @retval DOCA_ERROR_NO_MEMORY      It has as many devices as
 *         doca_mmap_get_max_num_devices() says, or no memory.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Remove a device.
 *
 * @param[in] mmap  Memory map that is not started.
 * @param[in] dev   Device that was added.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is started, or made from an export.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Set the memory range. Once for each map, before start.
 *
 * @param[in] mmap  Memory map that is not started.
 * @param[in] addr  First byte; any alignment.
 * @param[in] len   Bytes, at least 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap or @p addr is NULL, @p len is 0, or
 *         the range runs over the end of the address space.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 * @retval DOCA_ERROR_NOT_PERMITTED  It has a range already.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr,
				    size_t len);

/**
 * @brief Say that the memory is a part of a dma-buf.
 *
 * Instead of doca_mmap_set_memrange(), once for each map, before start. The map
 * keeps the dma-buf, so the file descriptor may be closed after the call. When
 * the map is started, the whole dma-buf is held and counted against
 * RLIMIT_MEMLOCK. The CPU copies from and to it: start fails with
 * DOCA_ERROR_NOT_SUPPORTED where it cannot, because the driver that exports
 * the dma-buf does not map it for the kernel or may move it, or the machine is
 * not an x86 (see DOCA_FEATURE_DMABUF of linux/doca.h). Tasks do not wait for
 * what other devices do with it: its owner must say when it is ready.
 *
 * @param[in] mmap           Memory map that is not started.
 * @param[in] dmabuf_fd      File descriptor of the dma-buf. A read-only one will
 *                           do if no permission names writing.
 * @param[in] addr           Address by which buffers are to name its byte
 *                           @p dmabuf_offset, at the same place in a page as
 *                           that. The library does not use it as a pointer.
 * @param[in] dmabuf_offset  First byte in the dma-buf; any alignment.
 * @param[in] len            Bytes, at least 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap or @p addr is NULL, @p dmabuf_fd is
 *         no open file descriptor, @p len is 0, a range overflows, or @p addr is
 *         elsewhere in a page than @p dmabuf_offset. That the file descriptor
 *         is one of a dma-buf that has the range is found by doca_mmap_start().
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 * @retval DOCA_ERROR_NOT_PERMITTED  It has a range already.
 * @retval DOCA_ERROR_NO_MEMORY      The process has too many open files.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap,
					   int dmabuf_fd, void *addr,
					   size_t dmabuf_offset, size_t len);

/**
 * @brief Say that the memory is that of a data path accelerator (DPA).
 *
 * No device has one, so it always fails.
 *
 * @param[in] mmap      Memory map that is not started.
 * @param[in] dpa       DPA.
 * @param[in] dpa_addr  First byte, as an address of the DPA.
 * @param[in] len       Bytes, at least 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p len is 0, or the
 *         range overflows.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 * @retval DOCA_ERROR_NOT_PERMITTED  It has a range already.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap,
					struct doca_dpa *dpa, uint64_t dpa_addr,
					size_t len);

/**
 * @brief Get the handle of a map for a data path accelerator (DPA).
 *
 * No device has one, so it always fails.
 *
 * @param[in] mmap              Memory map.
 * @param[in] dev               Device with a DPA.
 * @param[out] dpa_mmap_handle  The handle; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
					  const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle);

/**
 * @brief Set the access permissions of the memory.
 *
 * Memory with only PCI or RDMA permissions still works locally.
 *
 * @param[in] mmap         Memory map that is not started.
 * @param[in] access_mask  Bits of enum doca_access_flag. The two PCI
 *                         permissions exclude each other.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL, or the bits are unknown or
 *         do not go together.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap,
				       uint32_t access_mask);

/**
 * @brief Set the function that frees the memory when the map is destroyed.
 *
 * It runs only if the map was started afterwards.
 *
 * @param[in] mmap     Memory map that is not started.
 * @param[in] free_cb  Frees the memory.
 * @param[in] opaque   Given to @p free_cb; may be NULL.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap or @p free_cb is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
				   doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque);

/**
 * @brief Set a value of the program's own.
 *
 * @param[in] mmap       Memory map that is not started.
 * @param[in] user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, or made from an export.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
				     union doca_data user_data);

/**
 * @brief Set how many devices can be added.
 *
 * @param[in] mmap             Memory map that was never started.
 * @param[in] max_num_devices  Devices, at least 1 and as many as it has.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL, or @p max_num_devices too
 *         small.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map was started, or made from an
 *         export.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
					   uint32_t max_num_devices);

/**
 * @brief Let several threads use a map.
 *
 * All calls for it are then serialized, where they must be. Each thread still
 * needs an inventory of its own. It cannot be undone. For a map that is made from an
 * export, which is started from the beginning, it is called before another thread has
 * the map.
 *
 * @param[in] mmap  Memory map that is not started, or is made from an export.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The map is started, and not made from an export.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);

/**
 * @brief Get the memory range of a map.
 *
 * @param[in] mmap   Memory map.
 * @param[out] addr  First byte; of a map made from an export, as an address of
 *                   the exporter.
 * @param[out] len   Bytes.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It has no range.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
				    size_t *len);

/**
 * @brief Get the number of buffers of a map that are in use.
 *
 * @param[in] mmap       Memory map.
 * @param[out] num_bufs  Buffers.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap,
				    uint32_t *num_bufs);

/**
 * @brief Get the value that the program has set for a map.
 *
 * @param[in] mmap        Memory map.
 * @param[out] user_data  The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
				     union doca_data *user_data);

/**
 * @brief Get the maximum number of devices.
 *
 * @param[in] mmap              Memory map.
 * @param[out] max_num_devices  Devices; at first 64.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
					   uint32_t *max_num_devices);

/**
 * @brief Check whether a map is exported.
 *
 * @param[in] mmap       Memory map.
 * @param[out] exported  1 if it was exported since it was started, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap,
				    uint8_t *exported);

/**
 * @brief Check whether a map was made from an export.
 *
 * @param[in] mmap          Memory map.
 * @param[out] from_export  1 if it is, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
				       uint8_t *from_export);

/**
 * @brief Export a map to devices of other processes.
 *
 * The descriptor holds a secret: any process that reads it can reach the memory,
 * within the PCI permission of the map. It can be stored and sent as it is, and
 * is worthless once the map is stopped. A second call for the same device returns
 * the same descriptor.
 *
 * @param[in] mmap              Memory map that is started and has a PCI
 *                              permission.
 * @param[in] dev               One of its devices.
 * @param[out] export_desc      The descriptor. It belongs to the map and is
 *                              valid until the map is stopped. Set on success
 *                              only.
 * @param[out] export_desc_len  Bytes of it, at most 512. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is not started, is made from an
 *         export, or has no PCI permission.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device was made with
 *         doca_rdma_bridge_open_dev_from_pd().
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or the user has too many
 *         exports.
 * @retval DOCA_ERROR_DRIVER         The device was removed, or the driver
 *         refused for another reason.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap,
				  const struct doca_dev *dev,
				  const void **export_desc,
				  size_t *export_desc_len);

/**
 * @brief Export a map to peers over RDMA.
 *
 * The memory is registered with the RDMA device, which pins it once more. A peer
 * that is connected with this process through the device (doca_rdma.h) makes a map
 * from the descriptor, and its tasks read and write the memory as the RDMA
 * permissions say, without a call here. Called again it returns the same
 * descriptor. A map may be exported in both ways. Memory of another process, which
 * came by its doca_mmap_export_pci(), cannot be handed on: devices register only what
 * their own process has mapped.
 *
 * The descriptor has a key, which is a secret: every peer that this process is
 * connected with through the device reaches the memory if it knows the key. When the
 * map is stopped nobody reaches it any more, and tasks of peers that try fail.
 *
 * @param[in] mmap              Memory map that is started and has an RDMA
 *                              permission.
 * @param[in] dev               One of its devices, an RDMA device.
 * @param[out] export_desc      The descriptor. It belongs to the map and is
 *                              valid until the map is stopped. Set on success
 *                              only.
 * @param[out] export_desc_len  Bytes of it, 64. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the device was opened
 *         before a fork, or the memory is not mapped any more.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is not started, is made from an
 *         export of a peer, or has no RDMA permission that its memory allows.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, was made with
 *         doca_rdma_bridge_open_dev_from_pd(), or cannot register such memory
 *         with these permissions; or the map is made from an export of another
 *         process of this machine.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or RLIMIT_MEMLOCK is too low, in
 *         which the memory counts once more.
 * @retval DOCA_ERROR_DRIVER         The device was removed, or refused for another
 *         reason.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
				   const struct doca_dev *dev,
				   const void **export_desc,
				   size_t *export_desc_len);

/**
 * @brief Make a map from the descriptor that another process has exported.
 *
 * The map is started and has one device. It cannot be changed, started again or
 * exported; threads can share it after doca_mmap_enable_thread_safety(). Its addresses
 * are those of the exporter, and must not be used as pointers here; its permission is
 * the PCI permission of the exporter. Pinned memory is counted for the exporter alone.
 *
 * A descriptor of doca_mmap_export_rdma() makes a map of a peer's memory, which only
 * tasks of doca_rdma.h reach, over a connection with the exporter and as its RDMA
 * permissions say. Nothing but the bytes of the descriptor is checked here: if the
 * exporter has stopped the map, such tasks fail.
 *
 * @param[in] user_data        Value of the program's own for the map; may be
 *                             NULL.
 * @param[in] export_desc      Descriptor from doca_mmap_export_pci() or
 *                             doca_mmap_export_rdma().
 * @param[in] export_desc_len  Bytes of it.
 * @param[in] dev              Device of this process that is to reach it; the
 *                             map keeps it open.
 * @param[out] mmap            The memory map. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p dev is of another
 *         process or was removed, the bytes are no descriptor or were altered,
 *         or it was revoked, its owner has exited, or another kernel made it.
 * @retval DOCA_ERROR_NOT_PERMITTED  Another user exported it.
 * @retval DOCA_ERROR_TIME_OUT       Without the module: its owner is stopped, and
 *         has not answered in two seconds.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The descriptor is of another version, or is a
 *         peer's and @p dev no RDMA device, or @p dev was made with
 *         doca_rdma_bridge_open_dev_from_pd().
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or too many imports.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
					  const void *export_desc,
					  size_t export_desc_len,
					  struct doca_dev *dev,
					  struct doca_mmap **mmap);

/**
 * @brief Check whether a map can be exported for a device with
 * doca_mmap_export_pci().
 *
 * @param[in] devinfo       Device.
 * @param[out] mmap_export  1 if it can, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
				      uint8_t *mmap_export);

/**
 * @brief Check whether a device can reach exports of doca_mmap_export_pci().
 *
 * @param[in] devinfo       Device.
 * @param[out] from_export  1 if it can, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
	const struct doca_devinfo *devinfo, uint8_t *from_export);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_MMAP_H */
