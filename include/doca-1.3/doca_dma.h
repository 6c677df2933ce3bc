/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_dma.h
 * @brief DMA, at the levels 1.3 and 1.5: copies between memory maps.
 *
 * A doca_dma is a context (see doca_ctx.h) with one kind of job: copy bytes from
 * one buffer to another. Source and destination may be in memory of this process
 * or of a memory map made from an export.
 *
 * Thread safety: the functions here are thread safe, but for destroying a
 * context that another thread uses.
 */
#ifndef DOCA_1_3_DMA_H
#define DOCA_1_3_DMA_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_devinfo;
struct doca_dma;

/** @brief Types of jobs. @since DOCA 1.3 */
enum doca_dma_job_types {
	DOCA_DMA_JOB_MEMCPY = 0x100, /**< struct doca_dma_job_memcpy */
};

/** @brief Abilities of a device; bits. @since DOCA 1.3 */
enum doca_dma_devinfo_caps {
	DOCA_DMA_CAP_NONE = 0, /**< it cannot copy */
	/** it copies without the calling thread; also in software */
	DOCA_DMA_CAP_HW_OFFLOAD = 1 << 0,
};

/**
 * @brief Copy bytes.
 *
 * At level 1.3 these are @c num_bytes_to_copy, from the start of the source to
 * the start of the destination; it is at least 1, and not more than either of
 * them has. At level 1.5 they are the data of the source, and go to where the
 * data of the destination begins; afterwards that is as long as what was copied.
 *
 * A job that has failed may have copied a part.
 * @since DOCA 1.3
 */
struct doca_dma_job_memcpy {
	struct doca_job base; /**< type DOCA_DMA_JOB_MEMCPY */
	struct doca_buf *dst_buff; /**< destination */
	struct doca_buf const *src_buff; /**< source */
#if DOCA_LEVEL < 105
	uint64_t num_bytes_to_copy; /**< bytes */
#endif
};

/**
 * @brief Create a DMA context.
 *
 * @param[out] dma  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dma is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dma **dma) DOCA_1_3(dma_create);

/**
 * @brief Destroy a DMA context.
 *
 * @param[in] dma  Context that is stopped and has no device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dma is NULL.
 * @retval DOCA_ERROR_IN_USE         It is started, or has a device. It was not
 *         changed.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma) DOCA_1_3(dma_destroy);

/**
 * @brief The context as which a DMA context is started and stopped.
 *
 * @param[in] dma  Context.
 *
 * @return The same context, for the functions of doca_ctx.h; NULL if @p dma is
 * NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma) DOCA_1_3(dma_as_ctx);

#if DOCA_LEVEL < 105
/**
 * @brief Get the abilities of a device for DMA.
 *
 * @param[in] devinfo  Device.
 * @param[out] caps    Bits of enum doca_dma_devinfo_caps. Set on success only.
 *
 * @retval DOCA_SUCCESS              Also if it cannot copy.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo,
				       uint32_t *caps)
	DOCA_1_3(dma_devinfo_caps_get);
#else
/**
 * @brief Check whether a device executes jobs of a type.
 *
 * @param[in] devinfo   Device.
 * @param[in] job_type  One of enum doca_dma_job_types.
 *
 * @retval DOCA_SUCCESS              It does.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or there is no such
 *         type.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_dma_job_get_supported(const struct doca_devinfo *devinfo,
					enum doca_dma_job_types job_type)
	DOCA_1_5(dma_job_get_supported);

/**
 * @brief Get the maximum number of bytes that one job may copy.
 *
 * @param[in] devinfo    Device.
 * @param[out] buf_size  Bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
				       uint64_t *buf_size)
	DOCA_1_5(dma_get_max_buf_size);
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_DMA_H */
