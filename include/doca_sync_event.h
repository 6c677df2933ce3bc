/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_sync_event.h
 * @brief Sync events: a 64-bit value that is changed and waited for.
 *
 * An event has publishers, which change its value, and subscribers, which wait
 * for it. Both are at locations: the CPU of this process, or that of another one,
 * which DOCA 2.5 calls the DPU and DOCA 3.0 a remote PCI peer. An event for the
 * latter is exported, and the other process makes its own event from the export,
 * with the same value. The value lies in the memory of the process that created
 * the event; the other process reaches it through the kernel.
 *
 * An event is configured, started, used, stopped and destroyed. It has one of
 * two modes, which depends on how it is started:
 *
 *  - doca_sync_event_start(): alone. The value is read, changed and waited for
 *    with the synchronous functions, by any thread.
 *  - doca_sync_event_as_ctx() and doca_ctx_start(): as a context with tasks, and
 *    with nothing else: the synchronous functions return DOCA_ERROR_BAD_STATE.
 *
 * Peers in a network may be publishers, too: they set and add to the value, and read
 * it, by tasks of doca_rdma.h on an event that they make from an export of its own
 * kind.
 *
 * Values are compared as unsigned numbers, after a bitwise AND with a mask.
 *
 * An event made from an export ends with the export: when the exporter stops the
 * event or dies, or a device is removed, everything that waits for it fails.
 *
 * Thread safety: the synchronous functions may be called by any thread at any
 * time while the event is started. All others belong to one thread at a time; as
 * a context, with the progress engine and the tasks. The capabilities of devices
 * may be asked for by any thread.
 */
#ifndef DOCA_SYNC_EVENT_H
#define DOCA_SYNC_EVENT_H

#include <stddef.h>
#include <stdint.h>
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
struct doca_dpa;
struct doca_gpu;
struct doca_sync_event;
struct doca_sync_event_remote_net;
struct doca_task;

/** @brief Name of an event for a DPA. @since DOCA 2.5 */
typedef uint64_t doca_dpa_dev_sync_event_t;
/** @brief Name of a network peer's event for a DPA. @since DOCA 2.5 */
typedef uint64_t doca_dpa_dev_sync_event_remote_net_t;
/** @brief Name of an event for a GPU. @since DOCA 2.5 */
typedef uint64_t doca_gpu_dev_sync_event_t;
/** @brief Name of a network peer's event for a GPU. @since DOCA 2.5 */
typedef uint64_t doca_gpu_dev_sync_event_remote_net_t;

struct doca_sync_event_task_get;
struct doca_sync_event_task_notify_set;
struct doca_sync_event_task_notify_add;
struct doca_sync_event_task_wait_gt;
struct doca_sync_event_task_wait_eq;
struct doca_sync_event_task_wait_neq;

/**
 * @brief Called when a get task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 2.5
 */
typedef void (*doca_sync_event_task_get_completion_cb_t)(
	struct doca_sync_event_task_get *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Called when a notify_set task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 2.5
 */
typedef void (*doca_sync_event_task_notify_set_completion_cb_t)(
	struct doca_sync_event_task_notify_set *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a notify_add task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 2.5
 */
typedef void (*doca_sync_event_task_notify_add_completion_cb_t)(
	struct doca_sync_event_task_notify_add *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a wait_gt task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 2.5
 */
typedef void (*doca_sync_event_task_wait_gt_completion_cb_t)(
	struct doca_sync_event_task_wait_gt *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a wait_eq task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 3.0
 */
typedef void (*doca_sync_event_task_wait_eq_completion_cb_t)(
	struct doca_sync_event_task_wait_eq *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a wait_neq task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 3.0
 */
typedef void (*doca_sync_event_task_wait_neq_completion_cb_t)(
	struct doca_sync_event_task_wait_neq *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Create an event, with the value 0.
 *
 * @param[out] event  The event. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create(struct doca_sync_event **event);

/**
 * @brief Make an event that has the value of an event of another process.
 *
 * @param[in] dev     Device with which to reach the value; the event keeps it
 *                    open.
 * @param[in] data    What doca_sync_event_export_to_remote_pci() gave; any
 *                    bytes are safe to try. They are not needed afterwards.
 * @param[in] sz      Its length in bytes.
 * @param[out] event  The event. Set on success only. It cannot be configured
 *                    or exported; it is started as any other.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the bytes are no
 *         export of an event, the export has ended or is of another kernel,
 *         or the device was removed; the log says which.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not support it, or the
 *         export is of another version.
 * @retval DOCA_ERROR_NOT_PERMITTED  The exporter is another user and did not
 *         allow it.
 * @retval DOCA_ERROR_TIME_OUT       Without the module: its owner is stopped, and
 *         has not answered in two seconds.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, or too many imports.
 * @retval DOCA_ERROR_DRIVER         The driver failed.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
						const uint8_t *data, size_t sz,
						struct doca_sync_event **event);

/**
 * @brief Destroy an event. As a context it is disconnected from its progress
 * engine.
 *
 * @param[in] event  Event that is stopped.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_IN_USE         It is started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

/**
 * @brief Start an event to work alone.
 *
 * It cannot work as a context until it is stopped.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or it has no publisher
 *         or no subscriber location.
 * @retval DOCA_ERROR_BAD_STATE       It is started, or works as a context.
 * @retval DOCA_ERROR_INITIALIZATION  Made from an export: the user has too
 *         many queues, the device was removed, or was opened by a parent
 *         process.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_start(struct doca_sync_event *event);

/**
 * @brief Stop an event that works alone. All exports of it end.
 *
 * The value stays as it is for the next start. An event that is not started
 * is left alone.
 *
 * @param[in] event  Event. No thread may wait for it.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It works as a context: use
 *         doca_ctx_stop().
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

/**
 * @brief Have an event work as a context.
 *
 * From now on it is started and stopped with doca_ctx_start() and
 * doca_ctx_stop(). To be started, it needs a location of each kind, a device,
 * which a CPU location or doca_sync_event_create_from_export() has named, and
 * a kind of task.
 *
 * Tasks that wait do not hold up others, and cost little CPU: the worker polls
 * their values now and then if it has nothing else to do. A value changed by a
 * task, or by a synchronous function of another process, ends the waits for it at
 * once. A change by a synchronous function of the process that has the memory, or
 * through its address, is seen a little later: by an eighth of the time waited so
 * far, and at most 10 ms.
 *
 * @param[in] event  Event.
 *
 * @return The same event, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p event is NULL or works alone.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

/**
 * @brief The CPU of this process changes the value.
 *
 * @param[in] event  Event.
 * @param[in] dev    Device of this process; the event keeps it open. Of
 *                   several devices an event works, as a context, with the
 *                   first one it was given.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
					   struct doca_dev *dev);

/**
 * @brief Another process, to which the event is exported, changes the value.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_pci(
	struct doca_sync_event *event);

/**
 * @brief Former name of doca_sync_event_add_publisher_location_remote_pci(),
 * which is the same.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t
doca_sync_event_add_publisher_location_dpu(struct doca_sync_event *event);

/**
 * @brief A DPA changes the value: there is none here.
 *
 * @param[in] event  Event.
 * @param[in] dpa    DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
					   struct doca_dpa *dpa);

/**
 * @brief A GPU changes the value: there is none here.
 *
 * @param[in] event  Event.
 * @param[in] gpu    GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
					   struct doca_gpu *gpu);

/**
 * @brief The CPU of this process waits for the value.
 *
 * @param[in] event  Event.
 * @param[in] dev    Device of this process; the event keeps it open. Of
 *                   several devices an event works, as a context, with the
 *                   first one it was given.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
					    struct doca_dev *dev);

/**
 * @brief Another process, to which the event is exported, waits for the
 * value.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_remote_pci(
	struct doca_sync_event *event);

/**
 * @brief Former name of doca_sync_event_add_subscriber_location_remote_pci(),
 * which is the same.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t
doca_sync_event_add_subscriber_location_dpu(struct doca_sync_event *event);

/**
 * @brief A DPA waits for the value: there is none here.
 *
 * @param[in] event  Event.
 * @param[in] dpa    DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
					    struct doca_dpa *dpa);

/**
 * @brief A GPU waits for the value: there is none here.
 *
 * @param[in] event  Event.
 * @param[in] gpu    GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
					    struct doca_gpu *gpu);

/**
 * @brief A peer in the network changes the value.
 *
 * It has the event by doca_sync_event_export_to_remote_net(), for which one of
 * the CPU locations must be on an RDMA device. Waits here see what it changes
 * without any further call.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The event is started.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_net(
	struct doca_sync_event *event);

/**
 * @brief Have the value in memory of the program.
 *
 * It is left as it is: the value is what is there.
 *
 * @param[in] event  Event.
 * @param[in] addr   Where; a multiple of 8. It must be valid until the event
 *                   is destroyed or has another. The program may access it
 *                   directly, with atomic operations.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p addr is not a
 *         multiple of 8.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event,
				      uint64_t *addr);

/**
 * @brief Have the value in a buffer of the program.
 *
 * It is left as it is: the value is what is there.
 *
 * @param[in] event  Event.
 * @param[in] buf    Buffer; the value is where its data begins, at a multiple
 *                   of 8 and with at least 8 bytes up to the end of the
 *                   buffer. The event holds a reference until it is destroyed
 *                   or has another place for its value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the place is not
 *         as described.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export, or the buffer
 *         is an element of a list, but not its head.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The buffer is not in memory of this
 *         process.
 * @retval DOCA_ERROR_TOO_BIG        The buffer has UINT16_MAX references.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
					  struct doca_buf *buf);

/**
 * @brief Let another process have an event with the same value.
 *
 * A process of the same user that gets the bytes can read and change the value,
 * and nothing else; with DOCA_EXPORT_SCOPE=any in the environment of this
 * process one of any user can. It ends when the event stops.
 *
 * @param[in] event  Event.
 * @param[in] dev    Device of this process on which it is exported; the event
 *                   keeps it open until it stops.
 * @param[out] data  The bytes to give to the other process, which are valid
 *                   until the event stops, and the same for each call with
 *                   this device.
 * @param[out] sz    How many they are; at most 1024.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The event is not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export, or has no
 *         remote location; or the device was opened by a parent process.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device was made from a protection
 *         domain.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, RLIMIT_MEMLOCK is too low, or
 *         the user has too many exports.
 * @retval DOCA_ERROR_DRIVER         The driver failed, or the device was
 *         removed.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev,
						  const uint8_t **data,
						  size_t *sz);

/**
 * @brief Former name of doca_sync_event_export_to_remote_pci(), which is the
 * same.
 *
 * @param[in] event  Event.
 * @param[in] dev    Device of this process on which it is exported; the event
 *                   keeps it open until it stops.
 * @param[out] data  The bytes to give to the other process, which are valid
 *                   until the event stops, and the same for each call with
 *                   this device.
 * @param[out] sz    How many they are; at most 1024.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The event is not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export, or has no
 *         remote location; or the device was opened by a parent process.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device was made from a protection
 *         domain.
 * @retval DOCA_ERROR_NO_MEMORY      No memory, RLIMIT_MEMLOCK is too low, or
 *         the user has too many exports.
 * @retval DOCA_ERROR_DRIVER         The driver failed, or the device was
 *         removed.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event,
					   struct doca_dev *dev,
					   const uint8_t **data, size_t *sz);

/**
 * @brief Let a peer in the network have the event.
 *
 * The export has a key of the value's eight bytes for the first RDMA device
 * among the CPU locations, and is a secret: who is connected with this process
 * through that device (see doca_rdma.h) can read and change the value with it.
 * The value is registered with the device until the event stops, which pins
 * its page.
 *
 * Peers set and add as devices do: an addition is atomic among those of all
 * peers, but not with what CPUs of this machine add at the same time. So
 * either peers add, or this process does, or one of them sets.
 *
 * @param[in] event  Event.
 * @param[out] data  The export, until the event stops, and the same for each
 *                   call. Set on success only.
 * @param[out] sz    Bytes of it, 72. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The event is not started, or has no
 *         publisher in the network.
 * @retval DOCA_ERROR_NOT_PERMITTED  It was made from an export.
 * @retval DOCA_ERROR_NOT_SUPPORTED  No CPU location is on an RDMA device of a
 *         list.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory, or RLIMIT_MEMLOCK is too
 *         low.
 * @retval DOCA_ERROR_DRIVER         The driver or the device failed.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data,
						  size_t *sz);

/**
 * @brief Get the name of the event for a DPA: there is none here.
 *
 * @param[in] event               Event.
 * @param[in] dpa                 DPA.
 * @param[out] dpa_dev_se_handle  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_get_dpa_handle(struct doca_sync_event *event,
			       struct doca_dpa *dpa,
			       doca_dpa_dev_sync_event_t *dpa_dev_se_handle);

/**
 * @brief Former name of doca_sync_event_get_dpa_handle(), which is the same.
 *
 * @param[in] event               Event.
 * @param[in] dpa                 DPA.
 * @param[out] dpa_dev_se_handle  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t
doca_sync_event_export_to_dpa(struct doca_sync_event *event,
			      struct doca_dpa *dpa,
			      doca_dpa_dev_sync_event_t *dpa_dev_se_handle);

/**
 * @brief Get the name of the event for a GPU: there is none here.
 *
 * @param[in] event        Event.
 * @param[in] gpu          GPU.
 * @param[out] gpu_dev_se  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_get_gpu_handle(struct doca_sync_event *event,
			       struct doca_gpu *gpu,
			       doca_gpu_dev_sync_event_t **gpu_dev_se);

/**
 * @brief Former name of doca_sync_event_get_gpu_handle(), which is the same.
 *
 * @param[in] event        Event.
 * @param[in] gpu          GPU.
 * @param[out] gpu_dev_se  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t
doca_sync_event_export_to_gpu(struct doca_sync_event *event,
			      struct doca_gpu *gpu,
			      doca_gpu_dev_sync_event_t **gpu_dev_se);

/**
 * @brief Make an event of a peer in the network known here.
 *
 * Tasks of doca_rdma.h read, set and add to it, over a connection with that
 * peer.
 *
 * @param[in] dev     RDMA device of a list, the connections' one.
 * @param[in] data    What the peer's doca_sync_event_export_to_remote_net() has
 *                    given.
 * @param[in] sz      Bytes of it.
 * @param[out] event  The event. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the bytes are not
 *         those of such an export.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The export is of another version, or the
 *         device is no RDMA device of a list.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_create_from_export(
	struct doca_dev *dev, const uint8_t *data, size_t sz,
	struct doca_sync_event_remote_net **event);

/**
 * @brief Destroy an event of a peer in the network. The peer's remains.
 *
 * @param[in] event  Event.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event is NULL.
 * @retval DOCA_ERROR_IN_USE         Tasks in flight are for it.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event);

/**
 * @brief Get the name of a peer's event for a DPA: there is none here.
 *
 * @param[in] event              Event of a peer.
 * @param[in] dpa                DPA.
 * @param[out] dpa_remote_event  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_get_dpa_handle(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);

/**
 * @brief Former name of doca_sync_event_remote_net_get_dpa_handle(), which is
 * the same.
 *
 * @param[in] event              Event of a peer.
 * @param[in] dpa                DPA.
 * @param[out] dpa_remote_event  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t doca_sync_event_remote_net_export_to_dpa(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);

/**
 * @brief Get the name of a peer's event for a GPU: there is none here.
 *
 * @param[in] event              Event of a peer.
 * @param[in] gpu                GPU.
 * @param[out] gpu_remote_event  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_get_gpu_handle(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);

/**
 * @brief Former name of doca_sync_event_remote_net_get_gpu_handle(), which is
 * the same.
 *
 * @param[in] event              Event of a peer.
 * @param[in] gpu                GPU.
 * @param[out] gpu_remote_event  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t doca_sync_event_remote_net_export_to_gpu(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);

/**
 * @brief Read the value.
 *
 * @param[in] event   Event that is started.
 * @param[out] value  The value. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get(struct doca_sync_event *event,
				 uint64_t *value);

/**
 * @brief Write the value. What this thread wrote to memory before is visible
 * to every thread that sees it.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
					uint64_t value);

/**
 * @brief Add to the value, atomically.
 *
 * @param[in] event     Event that is started.
 * @param[in] value     What to add; the sum wraps at 64 bits.
 * @param[out] fetched  The value before. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
					uint64_t value, uint64_t *fetched);

/**
 * @brief Wait until the value, masked, is greater than another.
 *
 * It polls, for as long as it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value is not less than @p mask.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event,
				     uint64_t value, uint64_t mask);

/**
 * @brief Wait until the value, masked, is greater than another, yielding to
 * other threads.
 *
 * It polls, and calls sched_yield() after each attempt that fails, for as long as
 * it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value is not less than @p mask.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event,
					   uint64_t value, uint64_t mask);

/**
 * @brief Wait until the value, masked, is equal to another.
 *
 * It polls, for as long as it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value has bits that @p mask has not.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event,
				     uint64_t value, uint64_t mask);

/**
 * @brief Wait until the value, masked, is equal to another, yielding to
 * other threads.
 *
 * It polls, and calls sched_yield() after each attempt that fails, for as long as
 * it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value has bits that @p mask has not.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event,
					   uint64_t value, uint64_t mask);

/**
 * @brief Wait until the value, masked, is different from another.
 *
 * It polls, for as long as it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value and @p mask are 0.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event,
				      uint64_t value, uint64_t mask);

/**
 * @brief Wait until the value, masked, is different from another, yielding
 * to other threads.
 *
 * It polls, and calls sched_yield() after each attempt that fails, for as long as
 * it takes: to wait for long, use a task.
 *
 * @param[in] event  Event that is started.
 * @param[in] value  Value to compare with.
 * @param[in] mask   What the value of the event is ANDed with first; any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p event is NULL, or the wait would never
 *         end: @p value and @p mask are 0.
 * @retval DOCA_ERROR_BAD_STATE       The event is not started, works as a
 *         context, or was made from an export and started in a parent process.
 * @retval DOCA_ERROR_IO_FAILED       Made from an export: the export has
 *         ended, or the device was removed; without the module also: its owner has not
 *         answered in two seconds. Whether the call has done anything is not known then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event,
					    uint64_t value, uint64_t mask);

/**
 * @brief Enable get tasks, each of which reads the value.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_get_completion_cb_t completion_cb,
	doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate a get task.
 *
 * @param[in] event        Event, running as a context.
 * @param[in] ret_val_ptr  Where the value is stored before the completion
 *                         callback runs. It must be valid until then; NULL if
 *                         it is set later: a task without it fails.
 * @param[in] user_data    Value that the callbacks get.
 * @param[out] task        Task, to be freed with doca_task_free(). Set on
 *                         success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_alloc_init(
	struct doca_sync_event *event, uint64_t *ret_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_get **task);

/**
 * @brief The task as which a get task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task);

/**
 * @brief Change where the value is stored of a task that is not in flight.
 *
 * @param[in] task         Task; a NULL is ignored, and one in flight is left
 *                         as it is, with a line in the log.
 * @param[in] ret_val_ptr  Where the value is stored.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_get_set_ret_val_ptr(
	struct doca_sync_event_task_get *task, uint64_t *ret_val_ptr);

/**
 * @brief Ask for where the value is stored of a task.
 *
 * @param[in] task  Task.
 *
 * @return Where the value is stored; NULL if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_get_get_ret_val_ptr(
	const struct doca_sync_event_task_get *task);

/**
 * @brief Enable notify_set tasks, each of which writes a value, after what
 * was submitted before it to the same event has been done.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_notify_set_completion_cb_t completion_cb,
	doca_sync_event_task_notify_set_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a notify_set task.
 *
 * @param[in] event      Event, running as a context.
 * @param[in] set_val    Value to write.
 * @param[in] user_data  Value that the callbacks get.
 * @param[out] task      Task, to be freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val,
	union doca_data user_data,
	struct doca_sync_event_task_notify_set **task);

/**
 * @brief The task as which a notify_set task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
	struct doca_sync_event_task_notify_set *task);

/**
 * @brief Change the value to write of a task that is not in flight.
 *
 * @param[in] task     Task; a NULL is ignored, and one in flight is left as
 *                     it is, with a line in the log.
 * @param[in] set_val  Value to write.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_set_set_set_val(
	struct doca_sync_event_task_notify_set *task, uint64_t set_val);

/**
 * @brief Ask for the value to write of a task.
 *
 * @param[in] task  Task.
 *
 * @return Value to write; 0 if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_set_get_set_val(
	const struct doca_sync_event_task_notify_set *task);

/**
 * @brief Enable notify_add tasks, each of which adds to the value,
 * atomically.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_notify_add_completion_cb_t completion_cb,
	doca_sync_event_task_notify_add_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a notify_add task.
 *
 * @param[in] event            Event, running as a context.
 * @param[in] inc_val          What to add; the sum wraps at 64 bits.
 * @param[in] fetched_val_ptr  Where the value before the addition is stored
 *                             before the completion callback runs; may be
 *                             NULL. It must be valid until then.
 * @param[in] user_data        Value that the callbacks get.
 * @param[out] task            Task, to be freed with doca_task_free(). Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val,
	uint64_t *fetched_val_ptr, union doca_data user_data,
	struct doca_sync_event_task_notify_add **task);

/**
 * @brief The task as which a notify_add task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
	struct doca_sync_event_task_notify_add *task);

/**
 * @brief Change what to add of a task that is not in flight.
 *
 * @param[in] task     Task; a NULL is ignored, and one in flight is left as
 *                     it is, with a line in the log.
 * @param[in] inc_val  What to add.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_inc_val(
	struct doca_sync_event_task_notify_add *task, uint64_t inc_val);

/**
 * @brief Ask for what to add of a task.
 *
 * @param[in] task  Task.
 *
 * @return What to add; 0 if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_add_get_inc_val(
	const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Change where the value before the addition is stored of a task that
 * is not in flight.
 *
 * @param[in] task             Task; a NULL is ignored, and one in flight is
 *                             left as it is, with a line in the log.
 * @param[in] fetched_val_ptr  Where the value before the addition is stored.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_fetched_val_ptr(
	struct doca_sync_event_task_notify_add *task,
	uint64_t *fetched_val_ptr);

/**
 * @brief Ask for where the value before the addition is stored of a task.
 *
 * @param[in] task  Task.
 *
 * @return Where the value before the addition is stored; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
	const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Enable wait_gt tasks, each of which is done when the value, masked,
 * is greater than another.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows, 1024 for all kinds of wait together.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_gt_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
	doca_sync_event_task_wait_gt_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a wait_gt task.
 *
 * Neither value nor mask is checked here, and both can be set later. A task with
 * others than these fails, and so does one that could never be done:
 * @p wait_val is not less than @p mask.
 *
 * @param[in] event      Event, running as a context.
 * @param[in] wait_val   Value to compare with, from 0 to 254.
 * @param[in] mask       What the value of the event is ANDed with before it
 *                       is compared: 0, 1, 2, 4 or 8 bytes of ff side by
 *                       side, and 0 elsewhere.
 * @param[in] user_data  Value that the callbacks get.
 * @param[out] task      Task, to be freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_gt_alloc_init(
	struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
	union doca_data user_data, struct doca_sync_event_task_wait_gt **task);

/**
 * @brief The task as which a wait_gt task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(
	struct doca_sync_event_task_wait_gt *task);

/**
 * @brief Change the value to compare with of a task that is not in flight.
 *
 * @param[in] task      Task; a NULL is ignored, and one in flight is left as
 *                      it is, with a line in the log.
 * @param[in] wait_val  Value to compare with.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_gt_set_wait_val(
	struct doca_sync_event_task_wait_gt *task, uint64_t wait_val);

/**
 * @brief Ask for the value to compare with of a task.
 *
 * @param[in] task  Task.
 *
 * @return Value to compare with; 0 if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_gt_get_wait_val(
	const struct doca_sync_event_task_wait_gt *task);

/**
 * @brief Change the mask of a task that is not in flight.
 *
 * @param[in] task  Task; a NULL is ignored, and one in flight is left as it
 *                  is, with a line in the log.
 * @param[in] mask  Mask.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_gt_set_mask(
	struct doca_sync_event_task_wait_gt *task, uint64_t mask);

/**
 * @brief Ask for the mask of a task.
 *
 * @param[in] task  Task.
 *
 * @return Mask; 0 if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_gt_get_mask(
	const struct doca_sync_event_task_wait_gt *task);

/**
 * @brief Enable wait_eq tasks, each of which is done when the value, masked,
 * is equal to another.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows, 1024 for all kinds of wait together.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
	doca_sync_event_task_wait_eq_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a wait_eq task.
 *
 * Neither value nor mask is checked here, and both can be set later. A task with
 * others than these fails, and so does one that could never be done:
 * @p wait_val has bits that @p mask has not.
 *
 * @param[in] event      Event, running as a context.
 * @param[in] wait_val   Value to compare with, from 0 to 254.
 * @param[in] mask       What the value of the event is ANDed with before it
 *                       is compared: 0, 1, 2, 4 or 8 bytes of ff side by
 *                       side, and 0 elsewhere.
 * @param[in] user_data  Value that the callbacks get.
 * @param[out] task      Task, to be freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_alloc_init(
	struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
	union doca_data user_data, struct doca_sync_event_task_wait_eq **task);

/**
 * @brief The task as which a wait_eq task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
	struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Change the value to compare with of a task that is not in flight.
 *
 * @param[in] task      Task; a NULL is ignored, and one in flight is left as
 *                      it is, with a line in the log.
 * @param[in] wait_val  Value to compare with.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_wait_val(
	struct doca_sync_event_task_wait_eq *task, uint64_t wait_val);

/**
 * @brief Ask for the value to compare with of a task.
 *
 * @param[in] task  Task.
 *
 * @return Value to compare with; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_wait_val(
	const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Change the mask of a task that is not in flight.
 *
 * @param[in] task  Task; a NULL is ignored, and one in flight is left as it
 *                  is, with a line in the log.
 * @param[in] mask  Mask.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_mask(
	struct doca_sync_event_task_wait_eq *task, uint64_t mask);

/**
 * @brief Ask for the mask of a task.
 *
 * @param[in] task  Task.
 *
 * @return Mask; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_mask(
	const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Enable wait_neq tasks, each of which is done when the value, masked,
 * is different from another.
 *
 * Until then an event has no tasks of this kind. It may be called again to
 * change the settings.
 *
 * @param[in] event          Event.
 * @param[in] completion_cb  Called for tasks that are done.
 * @param[in] error_cb       Called for tasks that failed.
 * @param[in] num_tasks      Tasks that may be allocated at a time, at least
 *                           1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, @p num_tasks is 0 or
 *         more than the kernel allows, 1024 for all kinds of wait together.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
	doca_sync_event_task_wait_neq_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a wait_neq task.
 *
 * Neither value nor mask is checked here, and both can be set later. A task with
 * others than these fails, and so does one that could never be done:
 * @p wait_val and @p mask are both 0.
 *
 * @param[in] event      Event, running as a context.
 * @param[in] wait_val   Value to compare with, from 0 to 254.
 * @param[in] mask       What the value of the event is ANDed with before it
 *                       is compared: 0, 1, 2, 4 or 8 bytes of ff side by
 *                       side, and 0 elsewhere.
 * @param[in] user_data  Value that the callbacks get.
 * @param[out] task      Task, to be freed with doca_task_free(). Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p event or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_alloc_init(
	struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
	union doca_data user_data, struct doca_sync_event_task_wait_neq **task);

/**
 * @brief The task as which a wait_neq task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
	struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Change the value to compare with of a task that is not in flight.
 *
 * @param[in] task      Task; a NULL is ignored, and one in flight is left as
 *                      it is, with a line in the log.
 * @param[in] wait_val  Value to compare with.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_wait_val(
	struct doca_sync_event_task_wait_neq *task, uint64_t wait_val);

/**
 * @brief Ask for the value to compare with of a task.
 *
 * @param[in] task  Task.
 *
 * @return Value to compare with; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_neq_get_wait_val(
	const struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Change the mask of a task that is not in flight.
 *
 * @param[in] task  Task; a NULL is ignored, and one in flight is left as it
 *                  is, with a line in the log.
 * @param[in] mask  Mask.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_mask(
	struct doca_sync_event_task_wait_neq *task, uint64_t mask);

/**
 * @brief Ask for the mask of a task.
 *
 * @param[in] task  Task.
 *
 * @return Mask; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_neq_get_mask(
	const struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Check whether events can be made from exports with a device.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_create_from_export_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events can be exported to other processes on a device.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Former name of
 * doca_sync_event_cap_is_export_to_remote_pci_supported(), which is the same.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_DEPRECATED
doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events can be exported to a DPA.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events can be exported to a GPU.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events can be exported to a peer in the network.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is no RDMA device.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events of a peer in the network can be used.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is no RDMA device.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events of a peer in the network can be exported to a
 * DPA.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether events of a peer in the network can be exported to a
 * GPU.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always, otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute get tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute notify_set tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_set_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute notify_add tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_add_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute wait_gt tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute wait_eq tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can execute wait_neq tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(
	const struct doca_devinfo *devinfo);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SYNC_EVENT_H */
