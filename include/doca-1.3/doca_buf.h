/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf.h
 * @brief Buffers, at the levels 1.3 and 1.5: what jobs read and write.
 *
 * A buffer describes a range of the memory of a doca_mmap. It comes from a
 * doca_buf_inventory and goes back to it with its last reference. Addresses are
 * those of the process that owns the memory: for a memory map made from an
 * export they are not valid in this process.
 *
 * At level 1.3 a job says how many bytes it copies, from the start of one
 * buffer to the start of another. At level 1.5 a buffer has data, a part of its
 * range, which is what a job reads; what it writes begins where the data of its
 * destination begins.
 *
 * A buffer may be released while jobs with it are in flight: it goes back when
 * they are done.
 *
 * Thread safety: none of these functions is thread safe with others on the same
 * buffer or its inventory.
 */
#ifndef DOCA_1_3_BUF_H
#define DOCA_1_3_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;

/** @brief Abilities of an inventory's buffers; bits. @since DOCA 1.3 */
enum doca_buf_extension {
	DOCA_BUF_EXTENSION_NONE = 0, /**< nothing more */
	/** be in lists; no function of these levels makes one */
	DOCA_BUF_EXTENSION_LINKED_LIST = 1 << 0,
};

/**
 * @brief Get the address of a buffer's range.
 *
 * @param[in] buf    Buffer.
 * @param[out] head  Address. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the buffer was
 *         released.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head)
	DOCA_1_3(buf_head_get);

/**
 * @brief Get the length of a buffer's range.
 *
 * @param[in] buf   Buffer.
 * @param[out] len  Bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the buffer was
 *         released.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len)
	DOCA_1_3(buf_len_get);

/**
 * @brief Drop a reference on a buffer.
 *
 * With the last one the buffer goes back to its inventory; if jobs with it are
 * in flight, when they are done. It must not be used any more then.
 *
 * @param[in] buf        Buffer.
 * @param[out] refcount  References before the call; may be NULL. Set on success
 *                       only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It has no reference any more.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount)
	DOCA_1_3(buf_refcount_rm);

/**
 * @brief Get the number of references to a buffer.
 *
 * @param[in] buf        Buffer.
 * @param[out] refcount  References: 1, for no function of these levels takes
 *                       another one. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the buffer was
 *         released.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount)
	DOCA_1_3(buf_refcount_get);

#if DOCA_LEVEL >= 105
/**
 * @brief Get the address of a buffer's data.
 *
 * @param[in] buf    Buffer.
 * @param[out] data  Address. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the buffer was
 *         released.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
	DOCA_1_5(buf_get_data);

/**
 * @brief Set the data of a buffer.
 *
 * Whether it is within the buffer's range is not checked here. A job whose
 * data is not within the memory of the memory map fails.
 *
 * @param[in] buf       Buffer.
 * @param[in] data      Address.
 * @param[in] data_len  Bytes; 0 is legal.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the buffer was
 *         released.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data,
			       size_t data_len) DOCA_1_5(buf_set_data);
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_BUF_H */
