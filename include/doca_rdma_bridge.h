/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_rdma_bridge.h
 * @brief Between DOCA and programs that use the verbs library (libibverbs).
 *
 * For a verbs program, a DOCA device is a protection domain, a memory map is a
 * memory region in the domain of each of its devices, and a buffer is a piece
 * of such a region: its addresses are those of the program, and its key comes
 * from here. There are two uses:
 *
 * - A DOCA program opens devices as always, and makes verbs objects, such as
 *   queue pairs, in the domain from doca_rdma_bridge_get_dev_pd().
 * - A verbs program that has a domain makes a device from it with
 *   doca_rdma_bridge_open_dev_from_pd(), to have keys, for its domain, of memory
 *   that is in DOCA maps.
 *
 * A protection domain and a memory region are made when they are first asked
 * for. A program that never asks does not hold the RDMA device open, which can
 * then be removed at any time. One that asks does: a soft-RoCE device can be
 * removed when everything that was made in the domain is destroyed, the maps
 * are stopped and the device is closed.
 *
 * Memory with a key is pinned once for the map and once for each key, and each
 * counts for RLIMIT_MEMLOCK.
 *
 * Thread safety: all functions are thread safe; maps and buffers must not be
 * changed or released meanwhile.
 */
#ifndef DOCA_RDMA_BRIDGE_H
#define DOCA_RDMA_BRIDGE_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;
struct doca_mmap;
struct ibv_pd;

/**
 * @brief Get the key of a buffer's memory, for a device.
 *
 * It is the local key of a memory region in the device's protection domain. The
 * region allows what doca_mmap_set_permissions() gave the map: writing locally
 * where the memory can be written, and the RDMA permissions remotely. Where a
 * device has one key for both sides, as soft-RoCE, peers use it as well.
 *
 * The key is the same for all buffers of a map, and valid until the map is
 * stopped. The first call for a map and a device registers the memory; later
 * ones only look it up.
 *
 * @param[in] buf    Buffer, of a map that is started.
 * @param[in] dev    Device of the map, opened or made from a domain.
 * @param[out] mkey  The key. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the map does not have
 *         the device, or the device has no keys: it is no RDMA device, or was
 *         opened before a fork.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not support the kind of
 *         memory, such as a dma-buf, or the map's permissions; or the map was
 *         made from an export.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or RLIMIT_MEMLOCK is too low.
 * @retval DOCA_ERROR_DRIVER         The RDMA device was removed, cannot be
 *         opened, or did not register the memory for another reason.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
					   struct doca_dev *dev,
					   uint32_t *mkey);

/**
 * @brief Get the protection domain of a device.
 *
 * It belongs to the device, and must not be deallocated. Everything that is
 * made in it or in its context must be destroyed before the device is closed:
 * while the domain is in use, the last doca_dev_close() answers
 * DOCA_ERROR_IN_USE.
 *
 * From then on the asynchronous events of the domain's context are the
 * program's (ibv_get_async_event()), also those of connections of doca_rdma, which then
 * break and stop by what their tasks find, or by the device's removal, alone.
 *
 * @param[in] dev  Device, opened or made from a domain.
 * @param[out] pd  Its protection domain; the same at every call. Set on success
 *                 only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It has none and cannot have one: it is no
 *         RDMA device, was removed, was opened before a fork, or could not be
 *         opened; the log says why.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
					 struct ibv_pd **pd);

/**
 * @brief Get the key of a map's memory, for a protection domain.
 *
 * Like doca_rdma_bridge_get_buf_mkey(), for a program that knows the domain and
 * not the device, and needs no buffer.
 *
 * @param[in] mmap   Memory map that is started.
 * @param[in] pd     Protection domain of one of its devices.
 * @param[out] mkey  The key. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p pd is of no
 *         device of the map.
 * @retval DOCA_ERROR_BAD_STATE      The map is not started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not support the kind of
 *         memory, such as a dma-buf, or the map's permissions; or the map was
 *         made from an export.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or RLIMIT_MEMLOCK is too low.
 * @retval DOCA_ERROR_DRIVER         The RDMA device did not register the memory
 *         for another reason.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap,
				       struct ibv_pd *pd, uint32_t *mkey);

/**
 * @brief Make a device from a protection domain of the program's own.
 *
 * The device is good for keys of memory, and for nothing else: it can be added
 * to maps, asked for keys and its domain, and closed. Contexts on it do not
 * start, maps are neither exported for it nor made from exports with it, and it
 * has no representors and no properties: doca_dev_as_devinfo() is NULL. It needs neither the doca
 * module nor access to its node. Maps register their memory with it when they
 * are started.
 *
 * The domain stays the program's, which must keep it until the device is closed
 * and no map has it.
 *
 * @param[in] pd    Protection domain that is no device's: neither from
 *                  doca_rdma_bridge_get_dev_pd() nor in such a device already.
 * @param[out] dev  The device. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_IN_USE         The domain is a device's.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_DRIVER         The calls of verbs cannot be loaded; the log says why.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
					       struct doca_dev **dev);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_BRIDGE_H */
