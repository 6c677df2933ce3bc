/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file open_doca.h
 * @brief Functions of Open DOCA alone, not of DOCA.
 *
 * They are part of libdoca_common, unless said otherwise.
 */
#ifndef OPEN_DOCA_H
#define OPEN_DOCA_H

#include <stdint.h>

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Get the driver that executes for this process.
 *
 * It is chosen when the driver is first opened, as doca_devinfo_create_list() does, by
 * DOCA_DRIVER in the environment and by which drivers there are. It does not change after
 * that, and is the same in the children of a fork. See doca(7).
 *
 * @return "kernel": the module, by /dev/doca; "process": the driver within the process; or
 * NULL, if none has been opened yet. The text lasts as long as the process.
 *
 * @note Thread safe.
 */
DOCA_STABLE
const char *open_doca_driver(void);

/**
 * @brief Size of the name of a DMA engine, with the zero at its end.
 */
#define OPEN_DOCA_ENGINE_NAME_SIZE 64

/**
 * @brief Get the DMA engine that copies for a device.
 *
 * It is what the driver said when the list was created. An administrator may attach another
 * one, or none, at any time: memory that is set for a device, and contexts that are started,
 * afterwards get that. Results are the same with an engine and without.
 *
 * @param [in] devinfo
 * A device of a list.
 * @param [out] engine
 * The engine's name, as "0000:6a:01.0"; "" if the CPU copies.
 * @param [in] size
 * Bytes at @p engine, at least OPEN_DOCA_ENGINE_NAME_SIZE.
 *
 * @return
 * DOCA_SUCCESS.
 * DOCA_ERROR_INVALID_VALUE - @p devinfo or @p engine is NULL, or @p size is too small.
 *
 * @note Thread safe, as long as the list exists.
 */
DOCA_STABLE
doca_error_t open_doca_devinfo_get_engine(const struct doca_devinfo *devinfo,
					  char *engine, uint32_t size);

struct doca_compress;

/**
 * @brief Set how well a context compresses; a part of libdoca_compress.
 *
 * @param [in] compress
 * A context (doca_compress.h) that is idle.
 * @param [in] level
 * 1, the fastest, to 9, the smallest output; 0, the default, leaves it to the driver, which
 * takes the fastest. Not all levels differ: within a process, those above 3 are as 3.
 *
 * @return
 * DOCA_SUCCESS.
 * DOCA_ERROR_INVALID_VALUE - @p compress is NULL, or @p level greater than 9.
 * DOCA_ERROR_BAD_STATE - the context is not idle.
 *
 * @note Not thread safe.
 */
DOCA_STABLE
doca_error_t open_doca_compress_set_level(struct doca_compress *compress,
					  uint8_t level);

struct doca_compress_task_decompress_deflate;

/**
 * @brief Get how much of its source a task has read; a part of libdoca_compress.
 *
 * Behind a stream of DEFLATE other data may stand, such as the trailer of a gzip file, and
 * nothing but the stream tells where it ends.
 *
 * @param [in] task
 * A task (doca_compress.h) that has ended.
 *
 * @return
 * Bytes of the source: on success, those of the stream. If the task has failed for its data,
 * those up to a place just behind the damage, or all, if the source ends too early; if it has
 * failed for another reason, any number of them. 0 if @p task is NULL. It is valid until the
 * task is submitted again.
 *
 * @note Not thread safe.
 */
DOCA_STABLE
uint64_t open_doca_compress_task_decompress_deflate_get_consumed(
	const struct doca_compress_task_decompress_deflate *task);

#ifdef __cplusplus
}
#endif

#endif /* OPEN_DOCA_H */
