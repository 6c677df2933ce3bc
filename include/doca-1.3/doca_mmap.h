/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_mmap.h
 * @brief Memory maps, at the levels 1.3 and 1.5: memory that devices may reach.
 *
 * A memory map holds chunks, ranges of memory of this process, and devices; each
 * device can reach each chunk. It is created and started; then chunks and
 * devices are added, in any order, and buffers are made. A chunk is pinned while
 * there is a device, and counted against RLIMIT_MEMLOCK of the user.
 *
 * While it is stopped, nothing can be added or removed, no buffer made, and it
 * cannot be exported; buffers that were made go on to work. Its properties can
 * be set only before it is started for the first time.
 *
 * A memory map of one chunk can be exported, once: a process that has the
 * descriptor, this one or another one of the same user on the same machine, can
 * import it with doca_mmap_create_from_export(). With DOCA_EXPORT_SCOPE=any in
 * the exporter's environment, any user can. Neither the exported nor the
 * imported one can be changed any more. When the exporter destroys it or ends,
 * jobs with the import fail.
 *
 * The descriptor is a text in JSON, with a NUL behind it, of at most 1000 bytes
 * in all. Its members "addr" and "len" are the range, as numbers, and "desc" is
 * for the driver. It holds a secret: any process that reads it can reach the memory. It
 * is imported as it was exported; spaces or another order make it another text.
 *
 * Thread safety: a memory map belongs to one thread at a time.
 */
#ifndef DOCA_1_3_MMAP_H
#define DOCA_1_3_MMAP_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_mmap;

/** @brief Bytes of a memory map's name with NUL. @since DOCA 1.3 */
#define DOCA_MMAP_NAME_SIZE 128

/** @brief Access permissions of the memory; bits. @since DOCA 1.3 */
enum doca_mmap_access_flags {
	/** devices of this process may read; 0, so it goes with all others */
	DOCA_MMAP_ACCESS_LOCAL_READ_ONLY = 0,
	/** they may read and write */
	DOCA_MMAP_ACCESS_LOCAL_READ_WRITE = 1 << 0,
	/** importers may read; not together with the next one */
	DOCA_MMAP_ACCESS_REMOTE_READ_ONLY = 1 << 1,
	/** importers may read and write */
	DOCA_MMAP_ACCESS_REMOTE_READ_WRITE = 1 << 2,
};

/**
 * @brief Properties of memory maps, with the type of their values.
 * @since DOCA 1.3
 */
enum doca_mmap_property {
	/** its name: char[DOCA_MMAP_NAME_SIZE]; can only be read */
	DOCA_MMAP_NAME,
	/** how many chunks can be added: uint32_t, at least 1, at first 1; of a
	 * map made from an export, how many it has
	 */
	DOCA_MMAP_MAX_NUM_CHUNKS,
	/** how many devices can be added: uint32_t, at least 1, at first 1 */
	DOCA_MMAP_MAX_NUM_DEVICES,
	/** buffers of it that are taken: uint32_t; can only be read */
	DOCA_MMAP_NUM_BUFS,
	/** 1 if it is exported, else 0: uint8_t; can only be read */
	DOCA_MMAP_EXPORTED,
	/** 1 if it is made from an export, else 0: uint8_t; can only be read */
	DOCA_MMAP_FROM_EXPORT,
	/** bits of enum doca_mmap_access_flags: uint32_t, at first
	 * DOCA_MMAP_ACCESS_LOCAL_READ_WRITE and
	 * DOCA_MMAP_ACCESS_REMOTE_READ_WRITE
	 */
	DOCA_MMAP_ACCESS_FLAGS,
};

/**
 * @brief Frees the memory of a chunk.
 *
 * @param[in] addr    First byte.
 * @param[in] len     Bytes.
 * @param[in] opaque  What was given to doca_mmap_populate().
 *
 * @since DOCA 1.3
 */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len,
					   void *opaque);

#if DOCA_LEVEL < 105
/**
 * @brief Create a memory map, without chunks and devices.
 *
 * @param[in] name   Name for people; may be NULL. What is longer than
 *                   DOCA_MMAP_NAME_SIZE is cut off.
 * @param[out] mmap  The memory map. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_create(const char *name, struct doca_mmap **mmap)
	DOCA_1_3(mmap_create);
#else
/**
 * @brief Create a memory map, without chunks and devices.
 *
 * @param[in] user_data  Value of the program's own; may be NULL. No function of
 *                       this level gives it back.
 * @param[out] mmap      The memory map. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_mmap_create(const union doca_data *user_data,
			      struct doca_mmap **mmap) DOCA_1_5(mmap_create);
#endif

/**
 * @brief Destroy a memory map, started or not.
 *
 * Exports are revoked. Then the callbacks of doca_mmap_populate() run,
 * in the order of their chunks.
 *
 * @param[in] mmap  Memory map.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 * @retval DOCA_ERROR_IN_USE         Buffers of it are in use. Nothing was
 *         freed.
 * @retval DOCA_ERROR_NOT_PERMITTED  The driver could not release memory. It and
 *         what comes behind it stay as they are.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap) DOCA_1_3(mmap_destroy);

#if DOCA_LEVEL < 105
/**
 * @brief Set a property of a memory map, before it is started.
 *
 * @param[in] mmap      Memory map that was never started.
 * @param[in] property  Which one; the enumerators say of what type it is.
 * @param[in] value     The new value.
 * @param[in] size      Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, @p size is not that of its type, or it cannot have that
 *         value.
 * @retval DOCA_ERROR_NOT_PERMITTED  It can only be read; or the memory map was
 *         started, or made from an export.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_property_set(struct doca_mmap *mmap,
				    enum doca_mmap_property property,
				    const void *value, uint32_t size)
	DOCA_1_3(mmap_property_set);

/**
 * @brief Get a property of a memory map.
 *
 * @param[in] mmap      Memory map, in any state.
 * @param[in] property  Which one; the enumerators say of what type it is.
 * @param[out] value    The value. Set on success only.
 * @param[in] size      Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_property_get(struct doca_mmap *mmap,
				    enum doca_mmap_property property,
				    void *value, uint32_t size)
	DOCA_1_3(mmap_property_get);
#else
/**
 * @brief Set how many chunks can be added.
 *
 * @param[in] mmap            Memory map that was never started.
 * @param[in] max_num_chunks  Chunks, at least 1; at first 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL, or @p max_num_chunks 0.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map was started, or made from an
 *         export.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_chunks(struct doca_mmap *mmap,
					  uint32_t max_num_chunks)
	DOCA_1_5(mmap_set_max_num_chunks);
#endif

/**
 * @brief Let chunks and devices be added, and buffers be made.
 *
 * @param[in] mmap  Memory map; may be started already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap) DOCA_1_3(mmap_start);

/**
 * @brief Let the memory map not be changed, and no buffers be made.
 *
 * Its devices still reach its chunks: jobs with its buffers go on.
 *
 * @param[in] mmap  Memory map; may be stopped already.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap) DOCA_1_3(mmap_stop);

/**
 * @brief Add a device, which is to reach all chunks.
 *
 * @param[in] mmap  Memory map that is started.
 * @param[in] dev   Device; the memory map keeps it open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; or a chunk is not
 *         mapped, or not accessible as the access flags ask.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map is not started, is exported
 *         or made from an export; or the device was opened before a fork().
 * @retval DOCA_ERROR_ALREADY_EXIST  It has the device already.
 * @retval DOCA_ERROR_IN_USE         Buffers of it are in use.
 * @retval DOCA_ERROR_NO_MEMORY      It has as many devices as
 *         DOCA_MMAP_MAX_NUM_DEVICES says, there is no memory, or RLIMIT_MEMLOCK
 *         is met.
 * @retval DOCA_ERROR_NOT_CONNECTED  The device was removed.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * In case of an error nothing was changed.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_dev_add(struct doca_mmap *mmap, struct doca_dev *dev)
	DOCA_1_3(mmap_dev_add);

/**
 * @brief Remove a device.
 *
 * @param[in] mmap  Memory map that is started.
 * @param[in] dev   Device that was added.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; or other devices stay,
 *         and a chunk is not mapped any more, or one of them was removed.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map is not started, is exported
 *         or made from an export.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 * @retval DOCA_ERROR_IN_USE         Buffers of it are in use.
 * @retval DOCA_ERROR_NO_MEMORY      There is no memory, or RLIMIT_MEMLOCK is
 *         met: where other devices stay, chunks are pinned a second time before
 *         they are given back once.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * In case of an error nothing was changed.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_dev_rm(struct doca_mmap *mmap, struct doca_dev *dev)
	DOCA_1_3(mmap_dev_rm);

/**
 * @brief Add a chunk: a range of memory of this process.
 *
 * All devices can reach it afterwards. It may overlap others: what lies within
 * one that is there is not pinned again, other overlaps are pinned once for each
 * chunk. Each counts as one, and has its own @p free_cb. In case of an error
 * nothing was changed.
 *
 * @param[in] mmap     Memory map that is started.
 * @param[in] addr     First byte; any alignment.
 * @param[in] len      Bytes, at least 1.
 * @param[in] pg_sz    A power of two, at least 4096. It is not used otherwise.
 * @param[in] free_cb  Frees the memory when the memory map is destroyed; may be
 *                     NULL.
 * @param[in] opaque   Given to @p free_cb.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap or @p addr is NULL, @p len 0, the
 *         range runs over the end of the address space; @p pg_sz is none; or
 *         there is a device, and it was removed, or the range is not mapped, or
 *         not accessible as the access flags ask.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map is not started, is exported
 *         or made from an export; or a device was opened before a fork().
 * @retval DOCA_ERROR_NO_MEMORY      It has as many chunks as
 *         DOCA_MMAP_MAX_NUM_CHUNKS says, there is no memory, or RLIMIT_MEMLOCK
 *         is met.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_populate(struct doca_mmap *mmap, void *addr, size_t len,
				size_t pg_sz,
				doca_mmap_memrange_free_cb_t *free_cb,
				void *opaque) DOCA_1_3(mmap_populate);

/**
 * @brief Export a memory map to devices of other processes. Once for each.
 *
 * @param[in] mmap              Memory map that is started and has one chunk,
 *                              in which others that were added lie.
 * @param[in] dev               One of its devices.
 * @param[out] export_desc      The descriptor, to be freed with free(). Set on
 *                              success only.
 * @param[out] export_desc_len  Bytes of it, with the NUL; at most 1000. Set on
 *                              success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map is not started, was exported
 *         or made from an export, or its access flags name no importers.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not exactly one chunk; or the device
 *         cannot export.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or the user has too many
 *         exports.
 * @retval DOCA_ERROR_DRIVER         The device was removed, or the driver
 *         refused for another reason.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_mmap_export(struct doca_mmap *mmap,
			      const struct doca_dev *dev, void **export_desc,
			      size_t *export_desc_len) DOCA_1_3(mmap_export);

#if DOCA_LEVEL < 105
/**
 * @brief Make a memory map from the descriptor that somebody has exported.
 *
 * It is started, and has one chunk and one device. Its addresses are those of
 * the exporter, and must not be used as pointers here.
 *
 * @param[in] name             Name for people; may be NULL.
 * @param[in] export_desc      Descriptor from doca_mmap_export().
 * @param[in] export_desc_len  Bytes of it; what is behind its NUL is not read.
 * @param[in] dev              Device that is to reach it; the memory map keeps
 *                             it open.
 * @param[out] mmap            The memory map. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the text is no
 *         descriptor, or was cut off.
 * @retval DOCA_ERROR_NOT_PERMITTED  The descriptor was altered or revoked, its
 *         owner has exited, or another user or kernel made it; or @p dev was
 *         removed, or opened before a fork().
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is of another version, or the device
 *         cannot import.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or too many imports.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * Thread safety: safe.
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_mmap_create_from_export(const char *name, const void *export_desc,
			     size_t export_desc_len, struct doca_dev *dev,
			     struct doca_mmap **mmap)
	DOCA_1_3(mmap_create_from_export);
#else
/**
 * @brief Make a memory map from the descriptor that somebody has exported.
 *
 * It is started, and has one chunk and one device. Its addresses are those of
 * the exporter, and must not be used as pointers here.
 *
 * @param[in] user_data        Value of the program's own; may be NULL. No
 *                             function of this level gives it back.
 * @param[in] export_desc      Descriptor from doca_mmap_export().
 * @param[in] export_desc_len  Bytes of it; what is behind its NUL is not read.
 * @param[in] dev              Device that is to reach it; the memory map keeps
 *                             it open.
 * @param[out] mmap            The memory map. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the text is no
 *         descriptor, or was cut off.
 * @retval DOCA_ERROR_NOT_PERMITTED  The descriptor was altered or revoked, its
 *         owner has exited, or another user or kernel made it; or @p dev was
 *         removed, or opened before a fork().
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is of another version, or the device
 *         cannot import.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or too many imports.
 * @retval DOCA_ERROR_DRIVER         The driver refused for another reason.
 *
 * Thread safety: safe.
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t
doca_mmap_create_from_export(const union doca_data *user_data,
			     const void *export_desc, size_t export_desc_len,
			     struct doca_dev *dev, struct doca_mmap **mmap)
	DOCA_1_5(mmap_create_from_export);
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_MMAP_H */
