/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf_pool.h
 * @brief Pools: buffers that have their memory already.
 *
 * A pool cuts the memory of one doca_mmap into elements of one size, and has a
 * doca_buf for each of them. A program takes any of these, which is faster than
 * to choose a piece of memory with doca_buf_inventory; with its last reference
 * the buffer goes back to the pool, and its memory can be taken again.
 *
 * The elements lie one behind the other, each at the next address that has the
 * alignment of the pool.
 *
 * Thread safety: a pool, with its buffers, belongs to one thread at a time.
 */
#ifndef DOCA_BUF_POOL_H
#define DOCA_BUF_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_pool;
struct doca_mmap;

/**
 * @brief Create a pool. It gives no buffers before it is started.
 *
 * All is allocated here: taking buffers and giving them back allocate nothing.
 *
 * @param[in] num_elements  Buffers in it; from 1 to UINT32_MAX.
 * @param[in] element_size  Bytes of each, at least 1.
 * @param[in] mmap          Whose memory they get. Its range must be set; it need
 *                          not be started yet. It must exist as long as the
 *                          pool is started or will be started.
 * @param[out] buf_pool     The pool. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A number is out of range, a pointer is NULL,
 *         or @p mmap has no memory range.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap,
				  struct doca_buf_pool **buf_pool);

/**
 * @brief Destroy a pool. It is stopped if it is started.
 *
 * @param[in] buf_pool  Pool to which all buffers have come back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_pool is NULL.
 * @retval DOCA_ERROR_IN_USE         Not all buffers have come back. It was not
 *         changed.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

/**
 * @brief Let buffers be taken.
 *
 * From here to doca_buf_pool_stop() all buffers of the pool, taken or not, are
 * buffers of the mmap, which therefore cannot be stopped.
 *
 * @param[in] buf_pool  Pool, with its mmap started; may be started already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p buf_pool is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The range of the mmap is too small for the
 *         elements with their alignment.
 * @retval DOCA_ERROR_BAD_STATE       The mmap is not started.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

/**
 * @brief Let no more buffers be taken, and properties be set again.
 *
 * @param[in] buf_pool  Pool to which all buffers have come back; may be stopped
 *                      already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_pool is NULL.
 * @retval DOCA_ERROR_IN_USE         Not all buffers have come back. It is still
 *         started.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/**
 * @brief Take a buffer. It has one reference, and no data.
 *
 * Which of the free elements it gets is not said; that given back last may be
 * the first to be taken again.
 *
 * @param[in] buf_pool  Pool that was started.
 * @param[out] buf      The buffer; data would begin with its memory. Set on
 *                      success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool is not started.
 * @retval DOCA_ERROR_EMPTY          All buffers are taken.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
				     struct doca_buf **buf);

/**
 * @brief Get the alignment of a pool's elements.
 *
 * @param[in] buf_pool            Pool.
 * @param[out] element_alignment  Bytes; 1 unless it was set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
				    size_t *element_alignment);

/**
 * @brief Set to what the elements of a pool are aligned.
 *
 * It is their addresses that are aligned, not their offsets in the mmap. In
 * front of the first element and between elements memory may be left over.
 *
 * @param[in] buf_pool           Pool that is not started.
 * @param[in] element_alignment  Bytes; a power of 2.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_pool is NULL, or @p element_alignment
 *         no power of 2.
 * @retval DOCA_ERROR_BAD_STATE      The pool is started.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment);

/**
 * @brief Get the number of all buffers of a pool.
 *
 * @param[in] buf_pool          Pool.
 * @param[out] num_of_elements  Buffers, taken or not.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
			       uint32_t *num_of_elements);

/**
 * @brief Get the number of free buffers of a pool.
 *
 * @param[in] buf_pool               Pool.
 * @param[out] num_of_free_elements  Buffers that are not taken.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
				    uint32_t *num_of_free_elements);

/**
 * @brief Get the value that the program has set for a pool.
 *
 * @param[in] buf_pool    Pool.
 * @param[out] user_data  The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data);

/**
 * @brief Set a value of the program's own.
 *
 * @param[in] buf_pool   Pool that is not started.
 * @param[in] user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_pool is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool is started.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
					 union doca_data user_data);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_POOL_H */
