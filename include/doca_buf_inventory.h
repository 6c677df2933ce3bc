/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf_inventory.h
 * @brief Inventories: where buffers come from.
 *
 * An inventory holds a number of doca_buf structures, which have no memory of
 * their own. A program takes one for a piece of memory of any mmap; with its
 * last reference it goes back. All is allocated when the inventory is created
 * or expanded: taking and giving back are fast and allocate nothing.
 *
 * Thread safety: an inventory, with its buffers, belongs to one thread at a
 * time. With DOCA_DEBUG=1 in the environment, functions that take buffers or give
 * them back answer DOCA_ERROR_IN_USE while another thread is in one of them; see
 * doca(7).
 */
#ifndef DOCA_BUF_INVENTORY_H
#define DOCA_BUF_INVENTORY_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_inventory;
struct doca_mmap;

/**
 * @brief Create an inventory. It gives no buffers before it is started.
 *
 * @param[in] num_elements  Buffers in it; from 1 to UINT32_MAX.
 * @param[out] inventory    The inventory. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p num_elements is out of range, or
 *         @p inventory NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements,
				       struct doca_buf_inventory **inventory);

/**
 * @brief Destroy an inventory, in whatever state.
 *
 * @param[in] inventory  Inventory to which all buffers have come back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 * @retval DOCA_ERROR_IN_USE         Not all buffers have come back. It was not
 *         changed.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

/**
 * @brief Add buffers to an inventory, in whatever state.
 *
 * It allocates: not for the data path.
 *
 * @param[in] inventory     Inventory.
 * @param[in] num_elements  Buffers to add, at least 1; not more than UINT32_MAX
 *                          with those that it has.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL, or @p num_elements
 *         out of range.
 * @retval DOCA_ERROR_NO_MEMORY      No memory. It was not changed.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
				       uint32_t num_elements);

/**
 * @brief Let buffers be taken.
 *
 * @param[in] inventory  Inventory; may be started already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);

/**
 * @brief Let no more buffers be taken. Those that were taken stay valid.
 *
 * @param[in] inventory  Inventory; may be stopped already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/**
 * @brief Take a buffer for a piece of memory, with its data.
 *
 * The buffer has one reference, for the caller.
 *
 * @param[in] inventory  Inventory that was started.
 * @param[in] mmap       Memory map that was started; it cannot be stopped while
 *                       it has buffers.
 * @param[in] addr       First byte of the memory, within @p mmap.
 * @param[in] len        Bytes of it.
 * @param[in] data       First byte of the data, within that memory.
 * @param[in] data_len   Bytes of the data, within that memory.
 * @param[out] buf       The buffer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, the memory is not within
 *         @p mmap, or the data not within the memory.
 * @retval DOCA_ERROR_BAD_STATE      @p inventory or @p mmap is not started.
 * @retval DOCA_ERROR_NO_MEMORY      All buffers are taken.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
				   struct doca_mmap *mmap, void *addr,
				   size_t len, void *data, size_t data_len,
				   struct doca_buf **buf);

/**
 * @brief Take a buffer for a piece of memory, without data: a destination.
 *
 * @param[in] inventory  Inventory that was started.
 * @param[in] mmap       Memory map that was started.
 * @param[in] addr       First byte of the memory, within @p mmap; data will
 *                       begin there.
 * @param[in] len        Bytes of it.
 * @param[out] buf       The buffer. Set on success only.
 *
 * @return As doca_buf_inventory_buf_get_by_args().
 *
 * @since DOCA 2.5
 */
static inline doca_error_t
doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
				   struct doca_mmap *mmap, void *addr,
				   size_t len, struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len,
						  addr, 0, buf);
}

/**
 * @brief Take a buffer for a piece of memory that is all data: a source.
 *
 * @param[in] inventory  Inventory that was started.
 * @param[in] mmap       Memory map that was started.
 * @param[in] data       First byte of the memory and of the data, within @p
 *                       mmap.
 * @param[in] data_len   Bytes of both.
 * @param[out] buf       The buffer. Set on success only.
 *
 * @return As doca_buf_inventory_buf_get_by_args().
 *
 * @since DOCA 2.5
 */
static inline doca_error_t
doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
				   struct doca_mmap *mmap, void *data,
				   size_t data_len, struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(
		inventory, mmap, data, data_len, data, data_len, buf);
}

/**
 * @brief Take a buffer, or a list, for the memory and data of another one.
 *
 * The memory itself is not copied. Each has references of its own; the new one
 * has one.
 *
 * @param[in] inventory  Inventory that was started; may be another one than
 *                       that of @p src_buf.
 * @param[in] src_buf    Buffer that is in no list, or the head of one.
 * @param[out] dst_buf   The new buffer or head. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p src_buf was
 *         released.
 * @retval DOCA_ERROR_BAD_STATE      @p inventory, or the mmap of @p src_buf, is
 *         not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  @p src_buf is in a list and not its head.
 * @retval DOCA_ERROR_NO_MEMORY      Not enough buffers are left.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf,
					struct doca_buf **dst_buf);

/**
 * @brief Have a buffer be for another piece of its mmap, without data: a
 * destination.
 *
 * Like a release and a new doca_buf_inventory_buf_get_by_addr(),
 * but it stays the same buffer, with the same references and at its place in a list. In
 * case of failure it is what it was.
 *
 * @param[in] buf   Buffer of an inventory, or element of a list of them, in no task in
 *                  flight; of a list only the head tells whether it is.
 * @param[in] addr  First byte of the memory, within the mmap of @p buf; data will
 *                  begin there.
 * @param[in] len   Bytes of it.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p buf was released, or the
 *         memory is not within its mmap.
 * @retval DOCA_ERROR_NOT_PERMITTED  It is of a pool, or an element of a list whose
 *                                   memory has an owner, as that of packets has.
 * @retval DOCA_ERROR_IN_USE         A task in flight has it; of a list only the head tells.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf,
						  void *addr, size_t len);

/**
 * @brief Have a buffer be for another piece of its mmap that is all data: a
 * source.
 *
 * Like doca_buf_inventory_buf_reuse_by_addr(), with the arguments of
 * doca_buf_inventory_buf_get_by_data().
 *
 * @param[in] buf       Buffer of an inventory, or element of a list of them, in no task
 *                      in flight; of a list only the head tells whether it is.
 * @param[in] data      First byte of the memory and of the data, within the mmap of
 *                      @p buf.
 * @param[in] data_len  Bytes of both.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p buf was released, or the
 *         memory is not within its mmap.
 * @retval DOCA_ERROR_NOT_PERMITTED  It is of a pool, or an element of a list whose
 *                                   memory has an owner, as that of packets has.
 * @retval DOCA_ERROR_IN_USE         A task in flight has it; of a list only the head tells.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf,
						  void *data, size_t data_len);

/**
 * @brief Get the number of all buffers of an inventory.
 *
 * @param[in] inventory         Inventory.
 * @param[out] num_of_elements  Buffers, taken or not.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
				    uint32_t *num_of_elements);

/**
 * @brief Get the number of free buffers of an inventory.
 *
 * @param[in] inventory              Inventory.
 * @param[out] num_of_free_elements  Buffers that are not taken.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_free_elements(
	const struct doca_buf_inventory *inventory,
	uint32_t *num_of_free_elements);

/**
 * @brief Get the value that the program has set for an inventory.
 *
 * @param[in] inventory   Inventory.
 * @param[out] user_data  The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
				 union doca_data *user_data);

/**
 * @brief Set a value of the program's own, in whatever state.
 *
 * @param[in] inventory  Inventory.
 * @param[in] user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
				 union doca_data user_data);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_INVENTORY_H */
