/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_types.h
 * @brief Types that many libraries share.
 */
#ifndef DOCA_TYPES_H
#define DOCA_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief 16 bits, big endian. @since DOCA 2.5 */
typedef uint16_t doca_be16_t;
/** @brief 32 bits, big endian. @since DOCA 2.5 */
typedef uint32_t doca_be32_t;
/** @brief 64 bits, big endian. @since DOCA 2.5 */
typedef uint64_t doca_be64_t;

/** @brief A file descriptor that a program waits for. @since DOCA 2.5 */
typedef int doca_event_handle_t;

/** @brief A descriptor to wait for a progress engine. @since DOCA 2.5 */
typedef doca_event_handle_t doca_notification_handle_t;

/** @brief A handle that is none. @since DOCA 2.5 */
#define doca_event_invalid_handle -1

/** @brief Bytes of a global identifier (GID). @since DOCA 2.5 */
#define DOCA_GID_BYTE_LENGTH 16

/** @brief A value of the program's own, passed through. @since DOCA 2.5 */
union doca_data {
	void *ptr; /**< as a pointer */
	uint64_t u64; /**< as a number */
};

/** @brief One part of scattered data. @since DOCA 2.5 */
struct doca_gather_list {
	void *addr; /**< first byte */
	uint64_t len; /**< bytes */
	struct doca_gather_list *next; /**< next part; NULL in the last one */
};

/**
 * @brief Access permissions of the memory of a doca_mmap.
 *
 * Local devices, which are those that this process has opened, may always read.
 * The PCI flags say what an importer of doca_mmap_export_pci() may do, and
 * exclude each other; the RDMA flags what an importer of
 * doca_mmap_export_rdma() may do.
 * @since DOCA 2.5
 */
enum doca_access_flag {
	/** local devices may read; 0, so it combines with everything */
	DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,
	/** local devices may read and write */
	DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = (1 << 0),
	/** remote peers may read */
	DOCA_ACCESS_FLAG_RDMA_READ = (1 << 1),
	/** remote peers may write */
	DOCA_ACCESS_FLAG_RDMA_WRITE = (1 << 2),
	/** remote peers may do atomic operations */
	DOCA_ACCESS_FLAG_RDMA_ATOMIC = (1 << 3),
	/** devices on the same PCI hierarchy may read */
	DOCA_ACCESS_FLAG_PCI_READ_ONLY = (1 << 4),
	/** devices on the same PCI hierarchy may read and write */
	DOCA_ACCESS_FLAG_PCI_READ_WRITE = (1 << 5),
	/** writes may reach the memory in another order; a hint */
	DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = (1 << 6),
};

/** @brief Kind of PCI function behind a representor. @since DOCA 2.5 */
enum doca_pci_func_type {
	DOCA_PCI_FUNC_TYPE_PF = 0, /**< physical function */
	DOCA_PCI_FUNC_TYPE_VF, /**< virtual function */
	DOCA_PCI_FUNC_TYPE_SF, /**< scalable function */
};

/** @brief Location of memory shared with a GPU. @since DOCA 2.5 */
enum doca_gpu_mem_type {
	DOCA_GPU_MEM_TYPE_GPU = 0, /**< on the GPU, for it alone */
	DOCA_GPU_MEM_TYPE_GPU_CPU = 1, /**< on the GPU, for both */
	DOCA_GPU_MEM_TYPE_CPU_GPU = 2, /**< on the CPU, for both */
};

/** @brief Largest packet. @since DOCA 2.5 */
enum doca_mtu_size {
	DOCA_MTU_SIZE_256_BYTES = 0x0, /**< 256 bytes */
	DOCA_MTU_SIZE_512_BYTES = 0x1, /**< 512 bytes */
	DOCA_MTU_SIZE_1K_BYTES = 0x2, /**< 1024 bytes */
	DOCA_MTU_SIZE_2K_BYTES = 0x3, /**< 2048 bytes */
	DOCA_MTU_SIZE_4K_BYTES = 0x4, /**< 4096 bytes */
	DOCA_MTU_SIZE_RAW_ETHERNET = 0x5, /**< the MTU of the interface */
};

/** @brief Way in which a device can send at a given time. @since DOCA 2.5 */
enum doca_eth_wait_on_time_type {
	DOCA_ETH_WAIT_ON_TIME_TYPE_NONE = 0, /**< not at all */
	DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE = 1, /**< by itself */
	DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK = 2, /**< with DPDK's help */
};

#ifdef __cplusplus
}
#endif

#endif /* DOCA_TYPES_H */
