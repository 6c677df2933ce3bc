/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_compress.h
 * @brief Compress: DEFLATE, and decompression of LZ4.
 *
 * A doca_compress is a context (see doca_ctx.h) with four kinds of tasks. Each
 * reads the data of its source, and appends what comes out to the destination,
 * whose data length grows; either may be a list of buffers, of any cut. The
 * data of lists is filled buffer by buffer.
 *
 * - compress_deflate makes one stream of DEFLATE (RFC 1951), without a header
 *   and without a checksum: what is between them in a gzip or zlib file. The
 *   source may be empty. The output is not the same on all devices and
 *   releases. What cannot be compressed grows by no more than a 1024th and 64
 *   bytes.
 * - decompress_deflate takes such a stream. What is behind it in the source is
 *   not looked at.
 * - decompress_lz4_stream takes blocks as they are in an LZ4 frame, behind its
 *   header: each with its size and, if it has one, its checksum. They end with
 *   a size of 0, or with the source. No blocks are no output, and no error.
 * - decompress_lz4_block takes one block without its size.
 *
 * All tasks sum up the bytes that are not compressed, those of the source or
 * of the output: getters return the CRC-32, and the Adler-32 or XXH32.
 *
 * A task fails, and the context runs on:
 *
 * - with DOCA_ERROR_IO_FAILED if its data is malformed or ends too early, or
 *   the checksum of an LZ4 block is wrong;
 * - with DOCA_ERROR_INVALID_VALUE if the destination has less room than the
 *   output takes.
 *
 * Some output may have been written then, but no data length has grown.
 *
 * A task fails with DOCA_ERROR_INVALID_VALUE, too, if its source has more than
 * 128 MiB, or a list more buffers than
 * doca_compress_cap_task_compress_deflate_get_max_buf_list_len() says; if a
 * buffer is missing, or the destination may not be written to. With
 * DOCA_ERROR_NOT_SUPPORTED if its memory is another process's, and the driver
 * is within this one: copy it (doca_dma.h). As with tasks of all kinds, the
 * context then stops: see doca_ctx.h.
 *
 * Data that is changed while a task is in flight gives any output, or an error.
 * Tasks may complete in another order than they were submitted.
 *
 * In a process with the driver's own code (doca(7)), DEFLATE is that of ISA-L,
 * or of zlib; where it is not installed, a line in the log says so, and no
 * device has these tasks.
 *
 * Thread safety: a doca_compress belongs, as every context, with its progress
 * engine and its tasks to one thread at a time. The capabilities of devices may
 * be asked for by any thread.
 */
#ifndef DOCA_COMPRESS_H
#define DOCA_COMPRESS_H

#include <inttypes.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_compress;
struct doca_compress_task_compress_deflate;
struct doca_compress_task_decompress_deflate;
struct doca_compress_task_decompress_lz4_block;
struct doca_compress_task_decompress_lz4_stream;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_task;

/**
 * @brief Create a context.
 *
 * @param[in] dev        Device; the context keeps it open.
 * @param[out] compress  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has none of these tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_create(struct doca_dev *dev,
				  struct doca_compress **compress);

/**
 * @brief Destroy a context. It is disconnected from its progress engine.
 *
 * @param[in] compress  Context that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p compress is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_destroy(struct doca_compress *compress);

/**
 * @brief The context as which it is started and stopped.
 *
 * @param[in] compress  Context.
 *
 * @return The same context, for the functions of doca_ctx.h and doca_pe.h;
 * NULL if @p compress is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_compress_as_ctx(struct doca_compress *compress);

/**
 * @brief Get the maximum number of tasks of a context.
 *
 * @param[in] compress        Context.
 * @param[out] max_num_tasks  Tasks of all kinds together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_get_max_num_tasks(struct doca_compress *compress,
						 uint32_t *max_num_tasks);

/**
 * @brief Called when a compress_deflate task has ended.
 *
 * @param[in] task            Task; the program's again, to be submitted again
 *                            or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_compress_task_compress_deflate_completion_cb_t)(
	struct doca_compress_task_compress_deflate *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Whether a device has compress_deflate tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Get how large the buffers of compress_deflate tasks should be at most.
 *
 * It is 128 MiB. With the module, and where RLIMIT_MEMLOCK is lower, it is the
 * largest power of two that is at most a quarter of that limit, but at least
 * 1 MiB, because programs register buffers of this size; a task may have
 * 128 MiB nevertheless.
 *
 * @param[in] devinfo           Device.
 * @param[out] max_buffer_size  Bytes of the source, of all buffers of a list
 *                              together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);

/**
 * @brief Get the maximum length of the lists of compress_deflate tasks.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and as many of the
 *                               destination. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

/**
 * @brief Enable compress_deflate tasks.
 *
 * @param[in] compress            Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Tasks that can be allocated at a time, from 1
 *                                to what doca_compress_cap_get_max_num_tasks()
 *                                says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_tasks out of
 *         range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_compress_deflate_set_conf(
	struct doca_compress *compress,
	doca_compress_task_compress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_compress_deflate_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a compress_deflate task.
 *
 * @param[in] compress   Context that is running.
 * @param[in] src_buff   Source: data, which may be empty; or the head
 *                       of a list. NULL: it is set later.
 * @param[in] dst_buff   Destination: room for what comes out; or the head of a
 *                       list. NULL: it is set later.
 * @param[in] user_data  Value for the callback.
 * @param[out] task      The task. It is freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p compress or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_compress_deflate_alloc_init(
	struct doca_compress *compress, const struct doca_buf *src_buff,
	struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_compress_deflate **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_compress_deflate_as_task(
	struct doca_compress_task_compress_deflate *task);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_compress_deflate_get_src(
	const struct doca_compress_task_compress_deflate *task);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_compress_deflate_get_dst(
	const struct doca_compress_task_compress_deflate *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] src_buff  Source, or the head of its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_compress_deflate_set_src(
	struct doca_compress_task_compress_deflate *task,
	const struct doca_buf *src_buff);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] dst_buff  Destination, or the head of its list; NULL takes it
 *                      away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_compress_deflate_set_dst(
	struct doca_compress_task_compress_deflate *task,
	struct doca_buf *dst_buff);

/**
 * @brief Get the CRC-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the source as gzip has it: 0 of no
 * bytes. It is valid from the task's callback on until it is submitted again;
 * 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_crc_cs(
	const struct doca_compress_task_compress_deflate *task);

/**
 * @brief Get the Adler-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the source as zlib has it: 1 of no bytes.
 * It is valid from the task's callback on until it is submitted again; 0 if the
 * task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_adler_cs(
	const struct doca_compress_task_compress_deflate *task);

/**
 * @brief Called when a decompress_deflate task has ended.
 *
 * @param[in] task            Task; the program's again, to be submitted again
 *                            or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_compress_task_decompress_deflate_completion_cb_t)(
	struct doca_compress_task_decompress_deflate *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Whether a device has decompress_deflate tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Get how large the buffers of decompress_deflate tasks should be at most.
 *
 * It is 128 MiB. With the module, and where RLIMIT_MEMLOCK is lower, it is the
 * largest power of two that is at most a quarter of that limit, but at least
 * 1 MiB, because programs register buffers of this size; a task may have
 * 128 MiB nevertheless.
 *
 * @param[in] devinfo           Device.
 * @param[out] max_buffer_size  Bytes of the source, of all buffers of a list
 *                              together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);

/**
 * @brief Get the maximum length of the lists of decompress_deflate tasks.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and as many of the
 *                               destination. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

/**
 * @brief Enable decompress_deflate tasks.
 *
 * @param[in] compress            Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Tasks that can be allocated at a time, from 1
 *                                to what doca_compress_cap_get_max_num_tasks()
 *                                says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_tasks out of
 *         range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_deflate_set_conf(
	struct doca_compress *compress,
	doca_compress_task_decompress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_deflate_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a decompress_deflate task.
 *
 * @param[in] compress   Context that is running.
 * @param[in] src_buff   Source: one stream of DEFLATE; or the head
 *                       of a list. NULL: it is set later.
 * @param[in] dst_buff   Destination: room for what comes out; or the head of a
 *                       list. NULL: it is set later.
 * @param[in] user_data  Value for the callback.
 * @param[out] task      The task. It is freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p compress or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_deflate_alloc_init(
	struct doca_compress *compress, const struct doca_buf *src_buff,
	struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_deflate **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_deflate_as_task(
	struct doca_compress_task_decompress_deflate *task);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_deflate_get_src(
	const struct doca_compress_task_decompress_deflate *task);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_deflate_get_dst(
	const struct doca_compress_task_decompress_deflate *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] src_buff  Source, or the head of its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_deflate_set_src(
	struct doca_compress_task_decompress_deflate *task,
	const struct doca_buf *src_buff);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] dst_buff  Destination, or the head of its list; NULL takes it
 *                      away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_deflate_set_dst(
	struct doca_compress_task_decompress_deflate *task,
	struct doca_buf *dst_buff);

/**
 * @brief Get the CRC-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output as gzip has it: 0 of no
 * bytes. It is valid from the task's callback on until it is submitted again;
 * 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_crc_cs(
	const struct doca_compress_task_decompress_deflate *task);

/**
 * @brief Get the Adler-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output as zlib has it: 1 of no bytes.
 * It is valid from the task's callback on until it is submitted again; 0 if the
 * task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_adler_cs(
	const struct doca_compress_task_decompress_deflate *task);

/**
 * @brief Called when a decompress_lz4_stream task has ended.
 *
 * @param[in] task            Task; the program's again, to be submitted again
 *                            or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_compress_task_decompress_lz4_stream_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_stream *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Whether a device has decompress_lz4_stream tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Get how large the buffers of decompress_lz4_stream tasks should be at most.
 *
 * It is 128 MiB. With the module, and where RLIMIT_MEMLOCK is lower, it is the
 * largest power of two that is at most a quarter of that limit, but at least
 * 1 MiB, because programs register buffers of this size; a task may have
 * 128 MiB nevertheless.
 *
 * @param[in] devinfo           Device.
 * @param[out] max_buffer_size  Bytes of the source, of all buffers of a list
 *                              together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);

/**
 * @brief Get the maximum length of the lists of decompress_lz4_stream tasks.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and as many of the
 *                               destination. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

/**
 * @brief Enable decompress_lz4_stream tasks.
 *
 * @param[in] compress            Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Tasks that can be allocated at a time, from 1
 *                                to what doca_compress_cap_get_max_num_tasks()
 *                                says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_tasks out of
 *         range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_stream_set_conf(
	struct doca_compress *compress,
	doca_compress_task_decompress_lz4_stream_completion_cb_t
		task_completion_cb,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a decompress_lz4_stream task.
 *
 * @param[in] compress   Context that is running.
 * @param[in] has_block_checksum
 *                       1 if a checksum follows each block, else 0; any other
 *                       number is as 1.
 * @param[in] are_blocks_independent
 *                       1 if no block refers to those before it, else 0; any
 *                       other number is as 1. Blocks that do refer to others
 *                       are malformed then.
 * @param[in] src_buff   Source: blocks, each with its size; or the head
 *                       of a list. NULL: it is set later.
 * @param[in] dst_buff   Destination: room for what comes out; or the head of a
 *                       list. NULL: it is set later.
 * @param[in] user_data  Value for the callback.
 * @param[out] task      The task. It is freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p compress or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_stream_alloc_init(
	struct doca_compress *compress, uint8_t has_block_checksum,
	uint8_t are_blocks_independent, const struct doca_buf *src_buff,
	struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_stream **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_lz4_stream_as_task(
	struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_lz4_stream_get_src(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_lz4_stream_get_dst(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] src_buff  Source, or the head of its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_src(
	struct doca_compress_task_decompress_lz4_stream *task,
	const struct doca_buf *src_buff);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] dst_buff  Destination, or the head of its list; NULL takes it
 *                      away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_dst(
	struct doca_compress_task_decompress_lz4_stream *task,
	struct doca_buf *dst_buff);

/**
 * @brief Get the CRC-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output as gzip has it: 0 of no
 * bytes. It is valid from the task's callback on until it is submitted again;
 * 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_crc_cs(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Get the XXH32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output, with the seed 0, in the order of bytes
 * of a big-endian word: on a CPU that is little-endian, a frame's value that was
 * read as a number has to be swapped for a comparison, as htobe32() does.
 * It is valid from the task's callback on until it is submitted again; 0 if the
 * task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Get whether a checksum follows each block.
 *
 * @param[in] task  Task.
 *
 * @return 1 or 0; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_has_block_checksum(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Set whether a checksum follows each block.
 *
 * @param[in] task  Task that is not in flight; in flight, or NULL, nothing
 *                  happens.
 * @param[in] has_block_checksum  0 or 1; any other number is as 1.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
	struct doca_compress_task_decompress_lz4_stream *task,
	uint8_t has_block_checksum);

/**
 * @brief Get whether no block refers to those before it.
 *
 * @param[in] task  Task.
 *
 * @return 1 or 0; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(
	const struct doca_compress_task_decompress_lz4_stream *task);

/**
 * @brief Set whether no block refers to those before it.
 *
 * @param[in] task  Task that is not in flight; in flight, or NULL, nothing
 *                  happens.
 * @param[in] are_blocks_independent  0 or 1; any other number is as 1.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
	struct doca_compress_task_decompress_lz4_stream *task,
	uint8_t are_blocks_independent);

/**
 * @brief Called when a decompress_lz4_block task has ended.
 *
 * @param[in] task            Task; the program's again, to be submitted again
 *                            or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_compress_task_decompress_lz4_block_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_block *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Whether a device has decompress_lz4_block tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Get how large the buffers of decompress_lz4_block tasks should be at most.
 *
 * It is 128 MiB. With the module, and where RLIMIT_MEMLOCK is lower, it is the
 * largest power of two that is at most a quarter of that limit, but at least
 * 1 MiB, because programs register buffers of this size; a task may have
 * 128 MiB nevertheless.
 *
 * @param[in] devinfo           Device.
 * @param[out] max_buffer_size  Bytes of the source, of all buffers of a list
 *                              together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);

/**
 * @brief Get the maximum length of the lists of decompress_lz4_block tasks.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and as many of the
 *                               destination. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

/**
 * @brief Enable decompress_lz4_block tasks.
 *
 * @param[in] compress            Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Tasks that can be allocated at a time, from 1
 *                                to what doca_compress_cap_get_max_num_tasks()
 *                                says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_tasks out of
 *         range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_block_set_conf(
	struct doca_compress *compress,
	doca_compress_task_decompress_lz4_block_completion_cb_t
		task_completion_cb,
	doca_compress_task_decompress_lz4_block_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a decompress_lz4_block task.
 *
 * @param[in] compress   Context that is running.
 * @param[in] src_buff   Source: one block without its size; or the head
 *                       of a list. NULL: it is set later.
 * @param[in] dst_buff   Destination: room for what comes out; or the head of a
 *                       list. NULL: it is set later.
 * @param[in] user_data  Value for the callback.
 * @param[out] task      The task. It is freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p compress or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_block_alloc_init(
	struct doca_compress *compress, const struct doca_buf *src_buff,
	struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_block **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_lz4_block_as_task(
	struct doca_compress_task_decompress_lz4_block *task);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_lz4_block_get_src(
	const struct doca_compress_task_decompress_lz4_block *task);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if it is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_lz4_block_get_dst(
	const struct doca_compress_task_decompress_lz4_block *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] src_buff  Source, or the head of its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_block_set_src(
	struct doca_compress_task_decompress_lz4_block *task,
	const struct doca_buf *src_buff);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task      Task that is not in flight; in flight, or NULL, nothing
 *                      happens.
 * @param[in] dst_buff  Destination, or the head of its list; NULL takes it
 *                      away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_block_set_dst(
	struct doca_compress_task_decompress_lz4_block *task,
	struct doca_buf *dst_buff);

/**
 * @brief Get the CRC-32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output as gzip has it: 0 of no
 * bytes. It is valid from the task's callback on until it is submitted again;
 * 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_crc_cs(
	const struct doca_compress_task_decompress_lz4_block *task);

/**
 * @brief Get the XXH32 of the bytes that are not compressed.
 *
 * @param[in] task  Task.
 *
 * @return The checksum of the output, with the seed 0, in the order of bytes
 * of a big-endian word: on a CPU that is little-endian, a frame's value that was
 * read as a number has to be swapped for a comparison, as htobe32() does.
 * It is valid from the task's callback on until it is submitted again; 0 if the
 * task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_xxh_cs(
	const struct doca_compress_task_decompress_lz4_block *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMPRESS_H */
