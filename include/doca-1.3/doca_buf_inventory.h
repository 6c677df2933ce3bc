/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_buf_inventory.h
 * @brief Inventories, at the levels 1.3 and 1.5: where buffers come from.
 *
 * An inventory holds a number of doca_buf structures. Once it was started, a
 * program takes one for a range of any doca_mmap; with its last reference it
 * goes back. All is allocated when the inventory is created.
 *
 * Thread safety: an inventory, with its buffers, belongs to one thread at a
 * time.
 */
#ifndef DOCA_1_3_BUF_INVENTORY_H
#define DOCA_1_3_BUF_INVENTORY_H

#include <stddef.h>
#include <stdint.h>
#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_inventory;
struct doca_mmap;

/** @brief Bytes of an inventory's name with NUL. @since DOCA 1.3 */
#define DOCA_BUF_INVENTORY_NAME_SIZE 128

/**
 * @brief Properties of inventories, with the type of their values.
 *
 * All of them can only be read.
 * @since DOCA 1.3
 */
enum doca_buf_inventory_property {
	/** its name: char[DOCA_BUF_INVENTORY_NAME_SIZE] */
	DOCA_BUF_INVENTORY_NAME,
	/** buffers in it, taken or not: uint32_t */
	DOCA_BUF_INVENTORY_NUM_ELEMENTS,
	/** buffers that are not taken: uint32_t */
	DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS,
	/** bits of enum doca_buf_extension: uint32_t */
	DOCA_BUF_INVENTORY_EXTENSIONS,
};

#if DOCA_LEVEL < 105
/**
 * @brief Create an inventory. It gives no buffers before it is started.
 *
 * @param[in] name            Name for people; may be NULL. What is longer than
 *                            DOCA_BUF_INVENTORY_NAME_SIZE is cut off.
 * @param[in] num_elements    Buffers in it; from 1 to UINT32_MAX.
 * @param[in] extensions      Bits of enum doca_buf_extension.
 * @param[out] buf_inventory  The inventory. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p num_elements is out of range,
 *         @p extensions has unknown bits, or @p buf_inventory is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_create(const char *name, size_t num_elements,
			  uint32_t extensions,
			  struct doca_buf_inventory **buf_inventory)
	DOCA_1_3(buf_inventory_create);
#else
/**
 * @brief Create an inventory. It gives no buffers before it is started.
 *
 * @param[in] user_data       Value of the program's own; may be NULL. No
 *                            function of this level gives it back.
 * @param[in] num_elements    Buffers in it; from 1 to UINT32_MAX.
 * @param[in] extensions      Bits of enum doca_buf_extension.
 * @param[out] buf_inventory  The inventory. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p num_elements is out of range,
 *         @p extensions has unknown bits, or @p buf_inventory is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_create(const union doca_data *user_data, size_t num_elements,
			  uint32_t extensions,
			  struct doca_buf_inventory **buf_inventory)
	DOCA_1_5(buf_inventory_create);
#endif

/**
 * @brief Destroy an inventory, started or not.
 *
 * @param[in] inventory  Inventory to which all buffers have come back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 * @retval DOCA_ERROR_IN_USE         Not all buffers have come back. It was not
 *         changed.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
	DOCA_1_3(buf_inventory_destroy);

/**
 * @brief Set a property of an inventory: none can be set.
 *
 * @param[in] inventory  Inventory.
 * @param[in] property   Which one.
 * @param[in] value      The new value.
 * @param[in] size       Bytes of its type.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 * @retval DOCA_ERROR_NOT_PERMITTED  Otherwise: it can only be read.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_property_set(struct doca_buf_inventory *inventory,
				enum doca_buf_inventory_property property,
				const void *value, uint32_t size)
	DOCA_1_3(buf_inventory_property_set);

/**
 * @brief Get a property of an inventory.
 *
 * @param[in] inventory  Inventory, started or not.
 * @param[in] property   Which one; the enumerators say of what type it is.
 * @param[out] value     The value. Set on success only.
 * @param[in] size       Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_property_get(struct doca_buf_inventory *inventory,
				enum doca_buf_inventory_property property,
				void *value, uint32_t size)
	DOCA_1_3(buf_inventory_property_get);

/**
 * @brief Let buffers be taken.
 *
 * @param[in] inventory  Inventory; may be started already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
	DOCA_1_3(buf_inventory_start);

/**
 * @brief Let no more buffers be taken. Those that were taken stay valid.
 *
 * @param[in] inventory  Inventory; may be stopped already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p inventory is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
	DOCA_1_3(buf_inventory_stop);

/**
 * @brief Take a buffer for a range of memory.
 *
 * The buffer has one reference, for the caller. At level 1.5 it has no data;
 * data would begin where it begins.
 *
 * @param[in] inventory  Inventory that is started.
 * @param[in] mmap       Memory map that is started.
 * @param[in] addr       First byte of the range.
 * @param[in] len        Bytes, at least 1; all in one chunk of @p mmap.
 * @param[out] buf       The buffer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p len is 0.
 * @retval DOCA_ERROR_BAD_STATE      @p inventory is not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  @p mmap is not started.
 * @retval DOCA_ERROR_NOT_FOUND      No chunk of @p mmap has all of the range.
 * @retval DOCA_ERROR_NO_MEMORY      All buffers are taken.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
			       struct doca_mmap *mmap, void *addr, size_t len,
			       struct doca_buf **buf)
	DOCA_1_3(buf_inventory_buf_by_addr);

#if DOCA_LEVEL >= 105
/**
 * @brief Take a buffer for a range of memory, with its data.
 *
 * @param[in] inventory  Inventory that is started.
 * @param[in] mmap       Memory map that is started.
 * @param[in] addr       First byte of the range.
 * @param[in] len        Bytes, at least 1; all in one chunk of @p mmap.
 * @param[in] data       First byte of the data, within that range.
 * @param[in] data_len   Bytes of the data, within that range.
 * @param[out] buf       The buffer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p len is 0, or the data
 *         is not within the range.
 * @retval DOCA_ERROR_BAD_STATE      @p inventory is not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  @p mmap is not started.
 * @retval DOCA_ERROR_NOT_FOUND      No chunk of @p mmap has all of the range.
 * @retval DOCA_ERROR_NO_MEMORY      All buffers are taken.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_by_args(
	struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
	void *addr, size_t len, void *data, size_t data_len,
	struct doca_buf **buf) DOCA_1_5(buf_inventory_buf_by_args);
#endif

/**
 * @brief Take a buffer for the range, and the data, of another one.
 *
 * The memory itself is not copied. Each has a reference of its own.
 *
 * @param[in] inventory  Inventory that is started; may be another one than that
 *                       of @p src_buf.
 * @param[in] src_buf    Buffer.
 * @param[out] dst_buf   The new buffer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p src_buf was
 *         released, or its data is not within its range.
 * @retval DOCA_ERROR_BAD_STATE      @p inventory is not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map of @p src_buf is stopped.
 * @retval DOCA_ERROR_NO_MEMORY      All buffers are taken.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf,
					struct doca_buf **dst_buf)
	DOCA_1_3(buf_inventory_buf_dup);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_BUF_INVENTORY_H */
