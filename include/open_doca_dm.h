/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file open_doca_dm.h
 *
 * Device memory on any verbs device. Part of Open DOCA alone, not of DOCA.
 *
 * RDMA devices with memory of their own offer it by ibv_alloc_dm(), ibv_free_dm(),
 * ibv_reg_dm_mr(), ibv_memcpy_to_dm() and ibv_memcpy_from_dm(). A program that is linked
 * with libopen_doca_dm before libibverbs, or that runs under doca_dm(1), has the same
 * functions on all other devices: there the memory is that of the host. See
 * open_doca_dm(3) for what differs.
 *
 * The functions here add what those lack: the address by which the CPU, and so DOCA's
 * DMA, reaches the memory, and where the memory comes from.
 */
#ifndef OPEN_DOCA_DM_H
#define OPEN_DOCA_DM_H

#include <stddef.h>

struct ibv_dm;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Get the address of device memory in the process.
 *
 * The address may be given to doca_mmap_set_memrange(), and is good until ibv_free_dm().
 * It is aligned to a page at least and, where it was not imported, as ibv_alloc_dm() was
 * asked for.
 *
 * @param [in] dm
 * Device memory from ibv_alloc_dm() or ibv_import_dm().
 * @param [out] addr
 * Its first byte.
 * @param [out] len
 * Bytes, as they were asked for when it was allocated.
 *
 * @return 0, or a value of errno:
 * - EINVAL: an argument is NULL, or @p dm was freed.
 * - EOPNOTSUPP: it is memory of a device that has its own, to which there is no address.
 * - EFAULT: it is the parent's, from before a fork(), and not mapped in this process.
 *
 * @note Thread safe, but against ibv_free_dm() of the same memory.
 */
int open_doca_dm_get_addr(struct ibv_dm *dm, void **addr, size_t *len);

/**
 * @brief Source of device memory for devices without any.
 *
 * DOCA_DRIVER in the environment and what there is settle that for all of the process,
 * when it is asked for first or a device is opened, whichever comes first.
 *
 * @return "kernel", the pools of doca(4), which all processes share; "process", the process
 * itself; or NULL if there is no such memory. The log says why.
 *
 * @note Thread safe.
 */
const char *open_doca_dm_driver(void);

#ifdef __cplusplus
}
#endif

#endif /* OPEN_DOCA_DM_H */
