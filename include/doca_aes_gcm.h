/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_aes_gcm.h
 * @brief AES-GCM: authenticated encryption of memory, with AES-128 or AES-256.
 *
 * A doca_aes_gcm is a context (see doca_ctx.h) with two kinds of tasks. The
 * source of an encrypt task is additional data and data; its destination gets
 * the additional data as it is, the ciphertext, and the tag. A decrypt task is
 * the reverse: its source is additional data, ciphertext and tag, its
 * destination gets additional data and data. Either part may be empty. Source
 * and destination may each be a list of buffers, cut anywhere; output is
 * appended to the data of the destination, whose data length grows. The two may
 * be the same memory; if they overlap in another way, any bytes are written.
 *
 * A task names a key, an initialization vector of 12 bytes, and a tag of 12 or
 * 16 bytes. A vector must never be used for two messages with one key: a reader
 * of both learns what they have in common, and can forge others. To see to
 * that is the program's business. With DOCA_DEBUG=1 in the environment, a line
 * in the log tells, once for a key, of a vector that encrypts again, if it is
 * that of one of the last 1024 messages of its key.
 *
 * A message whose tag is wrong, or that is shorter than its additional data and
 * its tag, fails with DOCA_ERROR_IO_FAILED. Then nothing was decrypted: what was
 * written is zero, the data length of the destination does not grow, and the
 * context goes on. All other failures stop the context, as those of tasks of all
 * kinds do: see doca_ctx.h.
 *
 * A task fails with DOCA_ERROR_INVALID_VALUE if its key is missing or of another
 * context, its vector does not have 12 bytes, its tag neither 12 nor 16, its
 * additional data more than 65536 bytes or, to be encrypted, more than the
 * source, if the message is longer than
 * doca_aes_gcm_cap_task_encrypt_get_max_buf_size(), a list longer than
 * doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem(), or if the
 * destination has less room than the result takes. It fails with
 * DOCA_ERROR_NOT_SUPPORTED if some of its memory has no pages that the CPU
 * reaches, or is another process's, with the driver's own code in the process:
 * copy it (doca_dma.h).
 *
 * The driver has a copy of each key, and nobody reads it back. It is wiped when
 * the key is destroyed and the last task in flight with it has ended, at the
 * latest when the process ends. In a process with the driver's own code
 * (doca(7)), the cipher is libcrypto's; where it is not installed, a line in the
 * log says so, and no device encrypts.
 *
 * Tasks may complete in another order than they were submitted.
 *
 * Thread safety: a doca_aes_gcm belongs, as every context, with its progress
 * engine, its keys and its tasks to one thread at a time. The capabilities of
 * devices may be asked for by any thread.
 */
#ifndef DOCA_AES_GCM_H
#define DOCA_AES_GCM_H

#include <inttypes.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_task;

/** @brief A context with AES-GCM tasks. */
struct doca_aes_gcm;
/** @brief A key. */
struct doca_aes_gcm_key;
/** @brief A task that encrypts a message. */
struct doca_aes_gcm_task_encrypt;
/** @brief A task that decrypts a message. */
struct doca_aes_gcm_task_decrypt;

/**
 * @brief Types of keys.
 *
 * @since DOCA 3.0
 */
enum doca_aes_gcm_key_type {
	/** 128 bits, 16 bytes. */
	DOCA_AES_GCM_KEY_128 = 1,
	/** 256 bits, 32 bytes. */
	DOCA_AES_GCM_KEY_256 = 2,
};

/**
 * @brief Create an AES-GCM context.
 *
 * @param[in] dev       Device.
 * @param[out] aes_gcm  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no AES-GCM.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_create(struct doca_dev *dev,
				 struct doca_aes_gcm **aes_gcm);

/**
 * @brief Destroy an AES-GCM context.
 *
 * @param[in] aes_gcm  Context.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p aes_gcm is NULL.
 * @retval DOCA_ERROR_IN_USE         The context is not idle, or has keys that
 *         are not destroyed. Nothing has changed.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_destroy(struct doca_aes_gcm *aes_gcm);

/**
 * @brief The context as which it is started, stopped and connected.
 *
 * @param[in] aes_gcm  Context.
 *
 * @return The same context; NULL if @p aes_gcm is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_aes_gcm_as_ctx(struct doca_aes_gcm *aes_gcm);

/**
 * @brief Get the maximum number of tasks of a context.
 *
 * @param[in] aes_gcm         Context.
 * @param[out] max_num_tasks  Maximum number of tasks of all kinds together. Set
 *                            on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_get_max_num_tasks(struct doca_aes_gcm *aes_gcm,
						uint32_t *max_num_tasks);

/**
 * @brief Create a key, in any state of the context.
 *
 * @param[in] aes_gcm       Context whose tasks may use the key.
 * @param[in] raw_key       16 or 32 bytes, which are copied: the program may
 *                          wipe its own when the call returns.
 * @param[in] raw_key_type  Type of the key.
 * @param[out] key          The key. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p raw_key_type
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not have keys of this type.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory, or the user has as many keys
 *         and other objects as the driver allows (max_objects in doca(4)).
 * @retval DOCA_ERROR_DRIVER         The driver could not make it.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_key_create(struct doca_aes_gcm *aes_gcm,
				     const void *raw_key,
				     enum doca_aes_gcm_key_type raw_key_type,
				     struct doca_aes_gcm_key **key);

/**
 * @brief Destroy a key, and wipe it.
 *
 * @param[in] key  Key. Tasks that are not in flight may name it still: they must
 *                 be given another before they are submitted.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p key is NULL.
 * @retval DOCA_ERROR_IN_USE         A task in flight uses it. Nothing has
 *         changed.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_key_destroy(struct doca_aes_gcm_key *key);

/**
 * @brief Check whether a device encrypts messages.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_aes_gcm_cap_task_encrypt_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device encrypts with tags of 96 bits, 12 bytes.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_tag_96_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device encrypts with tags of 128 bits, 16 bytes.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_tag_128_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device encrypts with keys of a type.
 *
 * @param[in] devinfo  Device.
 * @param[in] key_type  Type of keys.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or @p key_type
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_key_type_supported(
	const struct doca_devinfo *devinfo,
	enum doca_aes_gcm_key_type key_type);

/**
 * @brief Get the maximum length of an initialization vector.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_iv_len  Bytes: 12, and tasks take no other length. Set on
 *                         success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not encrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_aes_gcm_cap_task_encrypt_get_max_iv_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_iv_len);

/**
 * @brief Get the maximum length of a message.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_buf_size  Bytes of additional data and data together. The tag
 *                           is not counted. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not encrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buf_size);

/**
 * @brief Get the maximum length of a list of buffers.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_list_num_elem  Number of buffers on either side of a task. Set
 *                                on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not encrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem(
	const struct doca_devinfo *devinfo, uint32_t *max_list_num_elem);

/**
 * @brief Called when an encrypt task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_aes_gcm_task_encrypt_completion_cb_t)(
	struct doca_aes_gcm_task_encrypt *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable encrypt tasks.
 *
 * @param[in] aes_gcm             Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Number of tasks that can be allocated at a time,
 *                                from 1 to doca_aes_gcm_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number 0 or too
 *         large.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_encrypt_set_conf(
	struct doca_aes_gcm *aes_gcm,
	doca_aes_gcm_task_encrypt_completion_cb_t task_completion_cb,
	doca_aes_gcm_task_encrypt_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate an encrypt task.
 *
 * @param[in] aes_gcm    Context that is running.
 * @param[in] src_buff   Source, or its list: additional data and data; NULL if
 *                       it is set later.
 * @param[in] dst_buff   Destination, or its list: room for additional data, ciphertext and tag;
 *                       NULL if it is set later.
 * @param[in] key        Key; NULL if it is set later.
 * @param[in] iv         Initialization vector, which is copied; NULL if
 *                       @p iv_length is 0.
 * @param[in] iv_length  Bytes of it, 12; less if it is set later.
 * @param[in] tag_size   Bytes of the tag, 12 or 16.
 * @param[in] aad_size   Bytes of additional data, from 0 to 65536.
 * @param[in] user_data  Value of the program's own for the task.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p aes_gcm or @p task is NULL, or @p iv
 *         although it has a length; or @p iv_length is more than 12.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_encrypt_alloc_init(
	struct doca_aes_gcm *aes_gcm, struct doca_buf const *src_buff,
	struct doca_buf *dst_buff, struct doca_aes_gcm_key *key,
	const uint8_t *iv, uint32_t iv_length, uint32_t tag_size,
	uint32_t aad_size, union doca_data user_data,
	struct doca_aes_gcm_task_encrypt **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_aes_gcm_task_encrypt_as_task(struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] src_buff  Source, or its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_src(struct doca_aes_gcm_task_encrypt *task,
				       struct doca_buf const *src_buff);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return The source that was set last; NULL if there is none, or if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf const *
doca_aes_gcm_task_encrypt_get_src(const struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] dst_buff  Destination, or its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_dst(struct doca_aes_gcm_task_encrypt *task,
				       struct doca_buf *dst_buff);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return The destination that was set last; NULL if there is none, or if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_aes_gcm_task_encrypt_get_dst(const struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Set the key of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] key   Key of the same context; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_key(struct doca_aes_gcm_task_encrypt *task,
				       struct doca_aes_gcm_key *key);

/**
 * @brief Get the key of a task.
 *
 * @param[in] task  Task.
 *
 * @return The key that was set last; NULL if there is none, or if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_aes_gcm_key *
doca_aes_gcm_task_encrypt_get_key(const struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Set the initialization vector of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] iv         Vector, which is copied.
 * @param[in] iv_length  Bytes of it: 12. With more, or if @p iv is NULL, a line in
 *                       the log says so, and nothing changes; with less, the task
 *                       fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_iv(struct doca_aes_gcm_task_encrypt *task,
				      const uint8_t *iv, uint32_t iv_length);

/**
 * @brief Get the initialization vector of a task.
 *
 * @param[in] task  Task.
 * @param[out] iv_length  Bytes of it. Set if the vector is returned.
 *
 * @return The vector that was set last, which belongs to the task; NULL if a
 * pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const uint8_t *
doca_aes_gcm_task_encrypt_get_iv(const struct doca_aes_gcm_task_encrypt *task,
				 uint32_t *iv_length);

/**
 * @brief Set the length of the tag of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] tag_size  Bytes: 12 or 16. With any other, the task fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_tag_size(
	struct doca_aes_gcm_task_encrypt *task, uint32_t tag_size);

/**
 * @brief Get the length of the tag of a task.
 *
 * @param[in] task  Task.
 *
 * @return The bytes that were set last; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_encrypt_get_tag_size(
	const struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Set the length of the additional data of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] aad_size  Bytes, from 0 to 65536. With more, the task fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_aad_size(
	struct doca_aes_gcm_task_encrypt *task, uint32_t aad_size);

/**
 * @brief Get the length of the additional data of a task.
 *
 * @param[in] task  Task.
 *
 * @return The bytes that were set last; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_encrypt_get_aad_size(
	const struct doca_aes_gcm_task_encrypt *task);

/**
 * @brief Check whether a device decrypts messages.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_aes_gcm_cap_task_decrypt_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device decrypts with tags of 96 bits, 12 bytes.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_tag_96_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device decrypts with tags of 128 bits, 16 bytes.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_tag_128_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device decrypts with keys of a type.
 *
 * @param[in] devinfo  Device.
 * @param[in] key_type  Type of keys.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or @p key_type
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_key_type_supported(
	const struct doca_devinfo *devinfo,
	enum doca_aes_gcm_key_type key_type);

/**
 * @brief Get the maximum length of an initialization vector.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_iv_len  Bytes: 12, and tasks take no other length. Set on
 *                         success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not decrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_aes_gcm_cap_task_decrypt_get_max_iv_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_iv_len);

/**
 * @brief Get the maximum length of a message.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_buf_size  Bytes of additional data and data together. The tag
 *                           is not counted. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not decrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *max_buf_size);

/**
 * @brief Get the maximum length of a list of buffers.
 *
 * @param[in] devinfo  Device.
 * @param[out] max_list_num_elem  Number of buffers on either side of a task. Set
 *                                on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not decrypt.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_get_max_list_buf_num_elem(
	const struct doca_devinfo *devinfo, uint32_t *max_list_num_elem);

/**
 * @brief Called when a decrypt task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_aes_gcm_task_decrypt_completion_cb_t)(
	struct doca_aes_gcm_task_decrypt *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable decrypt tasks.
 *
 * @param[in] aes_gcm             Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_tasks           Number of tasks that can be allocated at a time,
 *                                from 1 to doca_aes_gcm_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number 0 or too
 *         large.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_decrypt_set_conf(
	struct doca_aes_gcm *aes_gcm,
	doca_aes_gcm_task_decrypt_completion_cb_t task_completion_cb,
	doca_aes_gcm_task_decrypt_completion_cb_t task_error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a decrypt task.
 *
 * @param[in] aes_gcm    Context that is running.
 * @param[in] src_buff   Source, or its list: additional data, ciphertext and tag; NULL if
 *                       it is set later.
 * @param[in] dst_buff   Destination, or its list: room for additional data and data;
 *                       NULL if it is set later.
 * @param[in] key        Key; NULL if it is set later.
 * @param[in] iv         Initialization vector, which is copied; NULL if
 *                       @p iv_length is 0.
 * @param[in] iv_length  Bytes of it, 12; less if it is set later.
 * @param[in] tag_size   Bytes of the tag, 12 or 16.
 * @param[in] aad_size   Bytes of additional data, from 0 to 65536.
 * @param[in] user_data  Value of the program's own for the task.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p aes_gcm or @p task is NULL, or @p iv
 *         although it has a length; or @p iv_length is more than 12.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_decrypt_alloc_init(
	struct doca_aes_gcm *aes_gcm, struct doca_buf const *src_buff,
	struct doca_buf *dst_buff, struct doca_aes_gcm_key *key,
	const uint8_t *iv, uint32_t iv_length, uint32_t tag_size,
	uint32_t aad_size, union doca_data user_data,
	struct doca_aes_gcm_task_decrypt **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_aes_gcm_task_decrypt_as_task(struct doca_aes_gcm_task_decrypt *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] src_buff  Source, or its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_src(struct doca_aes_gcm_task_decrypt *task,
				       struct doca_buf const *src_buff);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return The source that was set last; NULL if there is none, or if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf const *
doca_aes_gcm_task_decrypt_get_src(const struct doca_aes_gcm_task_decrypt *task);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] dst_buff  Destination, or its list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_dst(struct doca_aes_gcm_task_decrypt *task,
				       struct doca_buf *dst_buff);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return The destination that was set last; NULL if there is none, or if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_aes_gcm_task_decrypt_get_dst(const struct doca_aes_gcm_task_decrypt *task);

/**
 * @brief Set the key of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] key   Key of the same context; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_key(struct doca_aes_gcm_task_decrypt *task,
				       struct doca_aes_gcm_key *key);

/**
 * @brief Get the key of a task.
 *
 * @param[in] task  Task.
 *
 * @return The key that was set last; NULL if there is none, or if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_aes_gcm_key *
doca_aes_gcm_task_decrypt_get_key(const struct doca_aes_gcm_task_decrypt *task);

/**
 * @brief Set the initialization vector of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] iv         Vector, which is copied.
 * @param[in] iv_length  Bytes of it: 12. With more, or if @p iv is NULL, a line in
 *                       the log says so, and nothing changes; with less, the task
 *                       fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_iv(struct doca_aes_gcm_task_decrypt *task,
				      const uint8_t *iv, uint32_t iv_length);

/**
 * @brief Get the initialization vector of a task.
 *
 * @param[in] task  Task.
 * @param[out] iv_length  Bytes of it. Set if the vector is returned.
 *
 * @return The vector that was set last, which belongs to the task; NULL if a
 * pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const uint8_t *
doca_aes_gcm_task_decrypt_get_iv(const struct doca_aes_gcm_task_decrypt *task,
				 uint32_t *iv_length);

/**
 * @brief Set the length of the tag of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] tag_size  Bytes: 12 or 16. With any other, the task fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_tag_size(
	struct doca_aes_gcm_task_decrypt *task, uint32_t tag_size);

/**
 * @brief Get the length of the tag of a task.
 *
 * @param[in] task  Task.
 *
 * @return The bytes that were set last; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_decrypt_get_tag_size(
	const struct doca_aes_gcm_task_decrypt *task);

/**
 * @brief Set the length of the additional data of a task.
 *
 * @param[in] task  Task that is not in flight. Otherwise, or if it is NULL, a line
 *                  in the log says so, and nothing changes.
 * @param[in] aad_size  Bytes, from 0 to 65536. With more, the task fails.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_aad_size(
	struct doca_aes_gcm_task_decrypt *task, uint32_t aad_size);

/**
 * @brief Get the length of the additional data of a task.
 *
 * @param[in] task  Task.
 *
 * @return The bytes that were set last; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_decrypt_get_aad_size(
	const struct doca_aes_gcm_task_decrypt *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_AES_GCM_H */
