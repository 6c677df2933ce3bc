/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_dpdk.h
 * @brief Between DOCA and DPDK: packets as buffers, ports of devices.
 *
 * A pool of packets (mbufs) becomes a struct doca_dpdk_mempool, which gets the
 * devices that are to reach the packets and is started. Then each packet of the
 * pool can be had as a doca_buf of the same memory, without a copy. The buffer
 * holds the packet: the program may free its own reference at once, and the
 * packet goes back to its pool with the last buffer.
 *
 *     doca_dpdk_mempool_create(), doca_dpdk_mempool_dev_add(),
 *     doca_dpdk_mempool_set_permissions(), doca_dpdk_mempool_start()
 *     for each packet: doca_dpdk_mempool_mbuf_to_buf(), rte_pktmbuf_free(),
 *             tasks with the buffer, doca_buf_dec_refcount()
 *     doca_dpdk_mempool_destroy(), rte_mempool_free()
 *
 * DPDK's environment (rte_eal_init()) must be there for all functions. They are
 * in a library of their own, libdoca_dpdk_bridge (pkg-config doca-dpdk-bridge),
 * which is there where the libraries were built with DPDK.
 *
 * Thread safety: an object belongs to one thread at a time, except that several
 * threads may make buffers of one started pool, each with an inventory of its
 * own. The functions for ports are as thread safe as DPDK's: not.
 */
#ifndef DOCA_DPDK_H
#define DOCA_DPDK_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_inventory;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;
struct doca_dpdk_mempool;
struct rte_mbuf;
struct rte_mempool;

/**
 * @brief Make a pool of packets known to DOCA.
 *
 * @param[in] mbuf_pool     Pool from rte_pktmbuf_pool_create() or one of its
 *                          sisters, but not from
 *                          rte_pktmbuf_pool_create_extbuf(). It must be kept
 *                          until @p mempool_out is destroyed.
 * @param[out] mempool_out  The pool for DOCA. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p mbuf_pool is not
 *         of packets with memory of their own.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
				      struct doca_dpdk_mempool **mempool_out);

/**
 * @brief Destroy a pool, in whatever state. DPDK's pool and its packets stay.
 *
 * @param[in] mempool  Pool of which no buffer is left.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mempool is NULL.
 * @retval DOCA_ERROR_IN_USE         Buffers have not been released. It was not
 *         changed.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool);

/**
 * @brief Add a device that is to reach the packets. It cannot be removed again.
 *
 * @param[in] mempool  Pool that is not started.
 * @param[in] dev      Device; the pool keeps it open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the pool is started, or
 *         it has the device already.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
				       struct doca_dev *dev);

/**
 * @brief Set the permissions of devices for the packets.
 *
 * Without it, that is DOCA_ACCESS_FLAG_LOCAL_READ_WRITE.
 *
 * @param[in] mempool      Pool that is not started.
 * @param[in] access_mask  Bits of enum doca_access_flag, without those of PCI.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mempool is NULL or started, or the bits
 *         are unknown or of PCI.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
				  uint32_t access_mask);

/**
 * @brief Let the devices reach the packets.
 *
 * All memory of the pool is pinned. Afterwards nothing can be changed.
 *
 * @param[in] mempool  Pool that has a device and is not started.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mempool is NULL, started, or without a
 *         device; or the memory cannot be used for a reason that is in the log.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or RLIMIT_MEMLOCK is met.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool);

/**
 * @brief Have a packet as a buffer.
 *
 * Each segment of the packet becomes a buffer of the list: with the segment's
 * memory from buf_addr on, its headroom and tailroom included, and its data as
 * data. From then on they are independent of each other: a change of offset or
 * length of the one is not seen in the other. What is in the memory is shared.
 *
 * Each buffer holds its segment by one reference, and gives it up with
 * rte_pktmbuf_free_seg() when the buffer goes back to its inventory; copies made
 * with doca_buf_inventory_buf_dup() hold it as well. Of an indirect mbuf, the
 * one that it is attached to is held.
 *
 * Nothing is allocated and no call into the kernel is made.
 *
 * @param[in] mempool    Pool of the packet, started.
 * @param[in] inventory  Inventory, started, with a buffer for each segment.
 * @param[in] mbuf       First segment of the packet, none of which is attached
 *                       to external memory or to memory of another pool.
 * @param[out] buf       First buffer of the list, with one reference. Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p mempool or
 *         @p inventory not started, or the memory of a segment is not the
 *         pool's.
 * @retval DOCA_ERROR_NO_MEMORY      The inventory has too few buffers.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
					   struct doca_buf_inventory *inventory,
					   struct rte_mbuf *mbuf,
					   struct doca_buf **buf);

/**
 * @brief Have DPDK drive a device: attach a port.
 *
 * An RDMA device on PCI is driven by DPDK's driver for it, if DPDK has one that
 * leaves it to the kernel as well. A soft-RoCE device, or one in software that has
 * an interface by a profile (doca(7)), is driven through an AF_PACKET socket on
 * that network interface, which needs CAP_NET_RAW. The port
 * is neither configured nor started. It is closed by rte_eth_dev_close(). A
 * device that has a port already keeps it as it is.
 *
 * The program must keep rte_eal_init() from taking the device (-a, -b or
 * --no-pci).
 *
 * @param[in] dev      Device.
 * @param[in] devargs  Arguments of DPDK's driver, "key=value,..."; may be empty.
 *                     Without a PCI address.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p devargs has a PCI
 *         address or is too long, or the device has nothing to drive: one
 *         without a network interface, or one from
 *         doca_rdma_bridge_open_dev_from_pd().
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_DRIVER         DPDK could not attach it: it has no driver,
 *         or the driver does not know the arguments or may not do it.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs);

/**
 * @brief Find the first port of a device.
 *
 * @param[in] dev       Device, usually one that was probed with
 *                      doca_dpdk_port_probe().
 * @param[out] port_id  The port. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the device is from
 *         doca_rdma_bridge_open_dev_from_pd().
 * @retval DOCA_ERROR_NOT_FOUND      It has no port.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
					 uint16_t *port_id);

/**
 * @brief Find the device of a port.
 *
 * @param[in] port_id  Port of DPDK.
 * @param[out] dev     The device, as the program has it open; it is not opened
 *                     once more. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev is NULL.
 * @retval DOCA_ERROR_NOT_FOUND      There is no such port, or it is of no device
 *         that is open.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev);

/**
 * @brief Check whether a device has ports of representors.
 *
 * @param[in] devinfo                 Device.
 * @param[out] is_rep_port_supported  1 if it does, else 0; 0 for all devices.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpdk_cap_is_rep_port_supported(const struct doca_devinfo *devinfo,
				    uint8_t *is_rep_port_supported);

/**
 * @brief Open the representor whose port it is. No device has any.
 *
 * @param[in] port_id  Port of DPDK.
 * @param[in] dev      Device whose representor it is.
 * @param[out] rep     The representor; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_open_dev_rep_by_port_id(uint16_t port_id,
					       struct doca_dev *dev,
					       struct doca_dev_rep **rep);

/**
 * @brief Index of the virtual function of a representor. No device has any.
 *
 * @param[in] rep      Representor.
 * @param[out] vf_idx  The index; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_get_rep_vf_index(const struct doca_devinfo_rep *rep,
					uint16_t *vf_idx);

/**
 * @brief Number of the subfunction of a representor. No device has any.
 *
 * @param[in] rep      Representor.
 * @param[out] sf_num  The number; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpdk_get_rep_sf_num(const struct doca_devinfo_rep *rep,
				      uint16_t *sf_num);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPDK_H */
