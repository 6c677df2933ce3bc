/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf.h
 * @brief Buffers: memory that tasks read and write.
 *
 * A buffer describes a piece of the memory of a doca_mmap, and within it the
 * data:
 *
 *     head                data                               head + len
 *     |                   |<------ data_len ------>|         |
 *     +-------------------+------------------------+---------+
 *
 * A task reads its source from data on, data_len bytes. It writes behind the
 * data of its destination, and data_len grows by what it has written. The
 * addresses are those of the process that owns the memory: for an mmap made
 * from an export they are not valid in this process, and nothing here touches
 * what they point at.
 *
 * Buffers come from a doca_buf_inventory or a doca_buf_pool and go back to it
 * with their last reference. They can be chained to lists, which tasks take like
 * one buffer as far as the library's capabilities allow. A list is named by its
 * first buffer, its head, whose references are those of the list.
 *
 * While a task with a buffer is in flight, the buffer belongs to the task: it
 * must not be changed. It may be released, and goes back to where it came from
 * when the task is done.
 *
 * Thread safety: none of these functions is thread safe with others on the same
 * buffer, list, inventory or pool.
 */
#ifndef DOCA_BUF_H
#define DOCA_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;

/**
 * @brief Take one more reference on a buffer or list.
 *
 * @param[in] buf        Buffer that is in no list, or the head of one.
 * @param[out] refcount  References before the call; may be NULL. Set on success
 *                       only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is in a list and not its head,
 *         or has no reference any more.
 * @retval DOCA_ERROR_TOO_BIG        It has UINT16_MAX references.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Drop a reference on a buffer or list.
 *
 * With the last one, the buffer, or all buffers of the list, go back to their
 * inventories; if a task with it is in flight, when the task is done.
 *
 * @param[in] buf        Buffer that is in no list, or the head of one. After
 *                       the last reference it must not be used any more.
 * @param[out] refcount  References before the call; may be NULL. Set on success
 *                       only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is in a list and not its head.
 * @retval DOCA_ERROR_BAD_STATE      It has no reference any more.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Get the number of references to a buffer.
 *
 * @param[in] buf        Buffer.
 * @param[out] refcount  References; of a buffer in a list that is not its head,
 *                       1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf,
				   uint16_t *refcount);

/**
 * @brief Append a list to another one.
 *
 * Afterwards @p list1 names the whole; @p list2 is no head any more, and its
 * reference belongs to the list. Finds the end of @p list1 step by step; see
 * doca_buf_chain_list_tail().
 *
 * @param[in] list1  Buffer, or head of a list.
 * @param[in] list2  Another buffer, or head of another list, with one
 *                   reference.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p list1 was
 *         released.
 * @retval DOCA_ERROR_NOT_PERMITTED  One of them is in a list and not its head,
 *         they are the same, or @p list2 has not exactly one reference.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_chain_list(struct doca_buf *list1,
				 struct doca_buf *list2);

/**
 * @brief Append a list to another one whose last buffer is known.
 *
 * Like doca_buf_chain_list(), in constant time.
 *
 * @param[in] list1_head  Buffer, or head of a list.
 * @param[in] list1_tail  The last buffer of that list; that it is of that list
 *                        is not checked.
 * @param[in] list2       Another buffer, or head of another list, with one
 *                        reference.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or a buffer of the
 *         first list was released.
 * @retval DOCA_ERROR_NOT_PERMITTED  As doca_buf_chain_list(), or @p list1_tail
 *         is not the last buffer of a list.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
				      struct doca_buf *list1_tail,
				      struct doca_buf *list2);

/**
 * @brief Cut a list in two.
 *
 * Afterwards @p list2 is the head of a list of its own, with one reference.
 *
 * @param[in] list1  Head of a list, or a buffer in it before @p list2.
 * @param[in] list2  Buffer in that list, behind @p list1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p list1 was released,
 *         or @p list2 does not follow it in a list.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_unchain_list(struct doca_buf *list1,
				   struct doca_buf *list2);

/**
 * @brief The next buffer of a list.
 *
 * @param[in] buf        Buffer.
 * @param[out] next_buf  The next one; NULL if @p buf is the last one.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
				       struct doca_buf **next_buf);

/**
 * @brief The last buffer of a list.
 *
 * @param[in] buf        Buffer.
 * @param[out] last_buf  The last one of its list; may be @p buf itself.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
				       struct doca_buf **last_buf);

/**
 * @brief Get the number of buffers in a list.
 *
 * @param[in] buf            Buffer that is in no list, or the head of one.
 * @param[out] num_elements  Buffers, at least 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is in a list and not its head.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
				   uint32_t *num_elements);

/**
 * @brief Check whether a buffer is the first one of its list.
 *
 * @param[in] buf        Buffer.
 * @param[out] is_first  1 if it is, also if it is in no list; else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf,
				       uint8_t *is_first);

/**
 * @brief Check whether a buffer is the last one of its list.
 *
 * @param[in] buf       Buffer.
 * @param[out] is_last  1 if it is, also if it is in no list; else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf,
				      uint8_t *is_last);

/**
 * @brief Check whether a buffer is in a list of two buffers or more.
 *
 * @param[in] buf          Buffer.
 * @param[out] is_in_list  1 if it is, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf,
				 uint8_t *is_in_list);

/**
 * @brief Get the address of a buffer's memory.
 *
 * @param[in] buf    Buffer.
 * @param[out] head  Address, of the process that owns the memory.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);

/**
 * @brief Get the length of a buffer's memory.
 *
 * @param[in] buf   Buffer.
 * @param[out] len  Bytes.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);

/**
 * @brief Get the address of a buffer's data.
 *
 * @param[in] buf    Buffer.
 * @param[out] data  Address, of the process that owns the memory.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);

/**
 * @brief Get the length of a buffer's data; of this buffer, not of its list.
 *
 * @param[in] buf        Buffer.
 * @param[out] data_len  Bytes.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf,
				   size_t *data_len);

/**
 * @brief Set the data of a buffer.
 *
 * Whether it is within the buffer's memory is not checked here: a task with a
 * buffer whose data is not fails.
 *
 * @param[in] buf       Buffer.
 * @param[in] data      Address, of the process that owns the memory.
 * @param[in] data_len  Bytes; 0 is legal.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf or @p data is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data,
			       size_t data_len);

/**
 * @brief Set the length of a buffer's data; its address stays.
 *
 * The length is not checked here, either; see doca_buf_set_data().
 *
 * @param[in] buf       Buffer.
 * @param[in] data_len  Bytes; 0 is legal.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/**
 * @brief Empty a buffer's data; its address stays.
 *
 * A destination needs this before it is used again.
 *
 * @param[in] buf  Buffer.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_H */
