/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf_array.h
 * @brief Arrays of buffers of one size, made for processors other than the CPU.
 *
 * An array cuts a piece of a doca_mmap into elements of one size, which a
 * program on a GPU or on a data path accelerator (DPA) reaches through the handle
 * of the array. No device here has either: such targets are refused with
 * DOCA_ERROR_NOT_SUPPORTED. An array without a target, which is one for the CPU,
 * is complete; the CPU takes its buffers from a doca_buf_pool or a
 * doca_buf_inventory.
 *
 * DOCA 2.5 had other forms of doca_buf_arr_create(), doca_buf_arr_set_params() and
 * doca_buf_arr_get_dpa_handle(). A program that defines DOCA_API_COMPAT_2_5
 * before it includes this header gets these; without it, those of DOCA 3.0. Both
 * may be used in one program, by different sources, on different arrays.
 *
 * Thread safety: none of these functions is thread safe with others on the same
 * array.
 */
#ifndef DOCA_BUF_ARRAY_H
#define DOCA_BUF_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_arr;
struct doca_dpa;
struct doca_dpa_dev_buf_arr;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_mmap;

/** @brief An array as the DPA names it. @since DOCA 3.0 */
typedef uint64_t doca_dpa_dev_buf_arr_t;

#ifdef DOCA_API_COMPAT_2_5

/**
 * @brief Create an array. Form of DOCA 2.5.
 *
 * @param[in] mmap      Whose memory it gets. Its range must be set; it need not
 *                      be started yet. It must exist as long as the array is
 *                      started or will be started.
 * @param[out] buf_arr  The array. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p mmap has no memory
 *         range.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5; another form in DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(struct doca_mmap *mmap,
				 struct doca_buf_arr **buf_arr);
DOCA_SYMBOL_2_5(doca_buf_arr_create);

/**
 * @brief Set the memory of the elements. Form of DOCA 2.5.
 *
 * @param[in] buf_arr       Array that is not started.
 * @param[in] size          Bytes of an element, at least 1.
 * @param[in] num_elem      Elements, at least 1.
 * @param[in] start_offset  Bytes from the start of the mmap to the first element.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_arr is NULL, a number is 0, or the
 *         elements are not within the mmap.
 * @retval DOCA_ERROR_BAD_STATE      The array is started.
 *
 * @since DOCA 2.5; another form in DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size,
				     uint32_t num_elem, uint32_t start_offset);
DOCA_SYMBOL_2_5(doca_buf_arr_set_params);

/**
 * @brief The handle of an array for the DPA. Form of DOCA 2.5.
 *
 * @param[in] buf_arr       Array that was started.
 * @param[out] dpa_buf_arr  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The array is not started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Else: the array is not for a DPA.
 *
 * @since DOCA 2.5; another form in DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
			    struct doca_dpa_dev_buf_arr **dpa_buf_arr);
DOCA_SYMBOL_2_5(doca_buf_arr_get_dpa_handle);

#else /* DOCA_API_COMPAT_2_5 */

/**
 * @brief Create an array.
 *
 * @param[in] num_elem  Elements; from 1 to UINT32_MAX.
 * @param[out] buf_arr  The array. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p num_elem is out of range, or @p buf_arr
 *         NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0; another form in DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(size_t num_elem,
				 struct doca_buf_arr **buf_arr);

/**
 * @brief Set the memory of the elements.
 *
 * @param[in] buf_arr       Array that is not started.
 * @param[in] mmap          Whose memory it gets. Its range must be set; it need
 *                          not be started yet. It must exist as long as the
 *                          array is started or will be started.
 * @param[in] elem_size     Bytes of an element, at least 1.
 * @param[in] start_offset  Bytes from the start of the mmap to the first element.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p mmap has no memory
 *         range, @p elem_size is 0, or the elements are not within the mmap.
 * @retval DOCA_ERROR_BAD_STATE      The array is started.
 *
 * @since DOCA 3.0; another form in DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr,
				     struct doca_mmap *mmap, size_t elem_size,
				     uint64_t start_offset);

/**
 * @brief The handle of an array for the DPA.
 *
 * @param[in] buf_arr       Array that was started.
 * @param[out] dpa_buf_arr  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The array is not started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Else: the array is not for a DPA.
 *
 * @since DOCA 3.0; another form in DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr);

#endif /* DOCA_API_COMPAT_2_5 */

/**
 * @brief Destroy an array. It is stopped if it is started.
 *
 * @param[in] buf_arr  Array.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_arr is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

/**
 * @brief Have the elements of an array reached by a DPA.
 *
 * @param[in] buf_arr      Array that is not started.
 * @param[in] dpa_handler  The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The array is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Else: no device has a DPA.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
					 struct doca_dpa *dpa_handler);

/**
 * @brief Have the elements of an array reached by a GPU.
 *
 * @param[in] buf_arr      Array that is not started.
 * @param[in] gpu_handler  The GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The array is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Else: GPUs are not supported.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
					 struct doca_gpu *gpu_handler);

/**
 * @brief Start an array.
 *
 * From here to doca_buf_arr_stop() its elements are buffers of the mmap, which
 * therefore cannot be stopped.
 *
 * @param[in] buf_arr  Array that is not started, with its mmap started.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_arr is NULL, or was never told where
 *         its elements are.
 * @retval DOCA_ERROR_BAD_STATE      It is started already.
 * @retval DOCA_ERROR_NOT_PERMITTED  Its mmap is not started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

/**
 * @brief Stop an array, which can be configured again then.
 *
 * @param[in] buf_arr  Array; may be stopped already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_arr is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/**
 * @brief The handle of an array for the GPU.
 *
 * @param[in] buf_arr       Array that was started.
 * @param[out] gpu_buf_arr  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The array is not started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Else: the array is not for a GPU.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_ARRAY_H */
