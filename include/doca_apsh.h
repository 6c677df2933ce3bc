/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_apsh.h
 * @brief App Shield: see the processes of another machine in its memory.
 *
 * A system reads the physical memory of a target, which takes no part in it and
 * needs no agent. A program opens a device and a representor, whose VUID names
 * the target; makes a context and starts it; makes a system, gives it a map of
 * the kernel's symbols and the regions that may be read, and starts it. Then
 * each doca_apsh_*_get() returns an array of what there is at that moment.
 *
 * An array is a snapshot. Asking its elements reads no memory of the target, takes
 * no lock, and works until the array is freed, also after the system was
 * destroyed.
 *
 * The target is not trusted: whatever its memory holds, a call ends, within
 * limits of memory and time, and reads nothing but the regions allowed. What
 * changes while it is read is read again, up to three times, and then left out
 * with a warning.
 *
 * A target is a Linux of x86-64 with 4 or 5 levels of page tables, or of arm64 with pages of
 * 4, 16 or 64 KiB.
 *
 * Memory that is missing, because an image was filtered or the memory regions leave it
 * out, is evidence of nothing: a list then has what can be found without it, and the log
 * has a warning with the number of pages.
 *
 * Thread safety: one thread at a time may use a system. Calls on one system wait
 * for each other; systems are independent. Any thread may ask elements of
 * arrays.
 */
#ifndef DOCA_APSH_H
#define DOCA_APSH_H

#include <stdint.h>

#include <doca_apsh_attr.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_apsh_attestation;
struct doca_apsh_container;
struct doca_apsh_ctx;
struct doca_apsh_envar;
struct doca_apsh_handle;
struct doca_apsh_injection_detect;
struct doca_apsh_interface;
struct doca_apsh_ldrmodule;
struct doca_apsh_lib;
struct doca_apsh_module;
struct doca_apsh_netscan;
struct doca_apsh_privilege;
struct doca_apsh_proc_file_details;
struct doca_apsh_process;
struct doca_apsh_process_parameters;
struct doca_apsh_sid;
struct doca_apsh_system;
struct doca_apsh_thread;
struct doca_apsh_vad;
struct doca_apsh_yara;
struct doca_dev;
struct doca_dev_rep;

/**
 * @brief Create a context.
 *
 * @return The context; NULL if there is no memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_apsh_ctx *doca_apsh_create(void);

/**
 * @brief Destroy a context.
 *
 * Systems that were made of it live on, and may be used and destroyed later.
 *
 * @param[in] ctx  Context; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_destroy(struct doca_apsh_ctx *ctx);

/**
 * @brief Set the device that reads memory of targets.
 *
 * It is needed for each context, although all targets are read as files today,
 * which it does not do. It stays the program's, to be closed after the systems are
 * destroyed.
 *
 * @param[in] ctx  Context that is not started.
 * @param[in] dma_dev  Device that is open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The context was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
				   struct doca_dev *dma_dev);

/**
 * @brief Start a context.
 *
 * @param[in] ctx  Context with a device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL or has no device.
 * @retval DOCA_ERROR_BAD_STATE  It was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx);

/**
 * @brief Create a system, which stands for one target.
 *
 * @param[in] ctx  Context.
 *
 * @return The system; NULL if @p ctx is NULL or there is no memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx);

/**
 * @brief Destroy a system.
 *
 * Arrays that were made of it live on, until they are freed, and so does what
 * is known of their elements; but no more can be found out of them.
 *
 * @param[in] system  System; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_system_destroy(struct doca_apsh_system *system);

/**
 * @brief Set the operating system of the target.
 *
 * It is Linux where none is set.
 *
 * @param[in] system  System that is not started.
 * @param[in] os_type  Operating system.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p system is NULL, or there is no such
 *         system.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is Windows.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_os_type_set(struct doca_apsh_system *system,
				       enum doca_apsh_system_os os_type);

/**
 * @brief Set the file that has the kernel's symbols and types.
 *
 * It is read when the system is started. It has the form of volatility's
 * symbol tables (ISF, 4.1 to 6.2), plain or .xz. Set again, or after a
 * folder, the last one counts.
 *
 * @param[in] system  System that is not started.
 * @param[in] system_os_symbol_map_path  Path.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_apsh_sys_os_symbol_map_set(struct doca_apsh_system *system,
				const char *system_os_symbol_map_path);

/**
 * @brief Set a folder of such files.
 *
 * The one whose banner is the target's is taken.
 *
 * @param[in] system  System that is not started.
 * @param[in] system_os_symbol_folder_path  Path.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_os_symbol_map_folder_set(
	struct doca_apsh_system *system,
	const char *system_os_symbol_folder_path);

/**
 * @brief Set the file that lists the memory that may be read.
 *
 * JSON, { "allowed_regions": { "0": { "start": 4096, "length": 651264 } } },
 * in bytes; numbers may be strings in hexadecimal digits, and "end", the last
 * byte, may stand for "length". Nothing else of the target is ever read.
 *
 * @param[in] system  System that is not started.
 * @param[in] system_mem_region_path  Path.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_mem_region_set(struct doca_apsh_system *system,
					  const char *system_mem_region_path);

/**
 * @brief Set the file that has the physical address of the kernel's page tables.
 *
 * It need not be set. One number, decimal or hexadecimal with 0x.
 *
 * @param[in] system  System that is not started.
 * @param[in] system_kpgd_file_path  Path.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_kpgd_file_set(struct doca_apsh_system *system,
					 const char *system_kpgd_file_path);

/**
 * @brief Set the representor, whose VUID names the target.
 *
 * A file of /etc/doca/targets.d says where the memory of that target is. The
 * representor stays the program's, and is to be closed after the system is
 * destroyed.
 *
 * @param[in] system  System that is not started.
 * @param[in] dev  Representor that is open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_dev_set(struct doca_apsh_system *system,
				   struct doca_dev_rep *dev);

/**
 * @brief Set the bytes that one window of a scan has.
 *
 * 4096 unless set. It may be set before or after the step; doca_apsh_system_start() holds
 * one against the other. A step that is not set is 4096, or the window where that is less.
 *
 * @param[in] system  System that is not started.
 * @param[in] scan_window_size  Bytes, a multiple or a divisor of 4096, up to 1 GiB.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  It is neither, or more, or @p system is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_set_scan_window_size(struct doca_apsh_system *system,
						uint32_t scan_window_size);

/**
 * @brief Set the bytes from one window of a scan to the next.
 *
 * 4096 unless set, or the size of the window where that is less. With a step below the
 * size windows overlap, so what crosses the end of one is found in another.
 *
 * @param[in] system  System that is not started.
 * @param[in] scan_window_step  Bytes, a divisor of the window's size, up to 1 GiB.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  It is 0, or no divisor of a size that was set
 *         before, or @p system is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sys_set_scan_window_step(struct doca_apsh_system *system,
						uint32_t scan_window_step);

/**
 * @brief Set one of the settings of a system. For doca_apsh_sys_config().
 *
 * @param[in] system  System that is not started.
 * @param[in] attr  Setting.
 * @param[in] value  Value, as a pointer.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p system or a path is NULL, there is no such
 *         setting, or the value is out of range.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The operating system is Windows.
 * @retval DOCA_ERROR_BAD_STATE  The system was started.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t __doca_apsh_sys_config(struct doca_apsh_system *system,
				    enum doca_apsh_system_config_attr attr,
				    void *value);

/**
 * @brief Set one of the settings of a system.
 *
 * @param[in] system  System that is not started.
 * @param[in] attr    Setting, of enum doca_apsh_system_config_attr.
 * @param[in] value   Value, of the type of the setting. A limit is more than 0;
 *                    where it is reached a list ends, with a warning in the log.
 *
 * @return As __doca_apsh_sys_config().
 */
#define doca_apsh_sys_config(system, attr, value) \
	__doca_apsh_sys_config(system, attr, (void *)((uintptr_t)(value)))

/**
 * @brief Start a system: find the kernel in the memory of the target.
 *
 * Memory regions, a file or folder of symbols and a representor must be set.
 * A system that fails to start can be set up differently, and started again.
 *
 * @param[in] system  System.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p system is NULL, or something was not
 *         set.
 * @retval DOCA_ERROR_BAD_STATE  It was started, or its context was not.
 * @retval DOCA_ERROR_INITIALIZATION  A file cannot be read or is malformed,
 *         the target is unreachable, or has no kernel that fits.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The memory of the target is of a kind
 *         that cannot be read here.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_system_start(struct doca_apsh_system *system);

/**
 * @brief Get the processes of a system.
 *
 * Kernel threads and zombies are there, PID 0 is not. A process that is in
 * the tree of PIDs or in the list of tasks alone is there, with a warning in
 * the log.
 *
 * @param[in] system  System that is started.
 * @param[out] processes  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] processes_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system is not started.
 * @retval DOCA_ERROR_INITIALIZATION  Its memory cannot be read, or is no
 *         sound kernel's, or that would take too long.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_processes_get(struct doca_apsh_system *system,
				     struct doca_apsh_process ***processes,
				     int *processes_size);

/**
 * @brief Free an array of processes.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] processes  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_processes_free(struct doca_apsh_process **processes);

/**
 * @brief An attribute, as a pointer. For doca_apsh_process_info_get().
 *
 * @param[in] process  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_process_info_get(struct doca_apsh_process *process,
					 enum doca_apsh_process_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] process  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_process_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_process_info_get(process, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_process_info_get(process, attr))

/**
 * @brief Get the threads of a process.
 *
 * @param[in] process  Process.
 * @param[out] threads  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] threads_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_threads_get(struct doca_apsh_process *process,
				   struct doca_apsh_thread ***threads,
				   int *threads_size);

/**
 * @brief Free an array of threads.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] threads  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_threads_free(struct doca_apsh_thread **threads);

/**
 * @brief An attribute, as a pointer. For doca_apsh_thread_info_get().
 *
 * @param[in] thread  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_thread_info_get(struct doca_apsh_thread *thread,
					enum doca_apsh_thread_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] thread  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_thread_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_thread_info_get(thread, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_thread_info_get(thread, attr))

/**
 * @brief Get the memory areas of a process.
 *
 * Sorted by address; a kernel thread has none.
 *
 * @param[in] process  Process.
 * @param[out] vads  Array, with NULL behind the last; NULL if there is none.
 *        Set on success only.
 * @param[out] vads_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_FOUND  The process is gone.
 * @retval DOCA_ERROR_INITIALIZATION  Its system was destroyed, or cannot be
 *         read; or its areas changed whenever they were read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_vads_get(struct doca_apsh_process *process,
				struct doca_apsh_vad ***vads, int *vads_size);

/**
 * @brief Free an array of memory areas.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] vads  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_vads_free(struct doca_apsh_vad **vads);

/**
 * @brief An attribute, as a pointer. For doca_apsh_vad_info_get().
 *
 * @param[in] vad  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_vad_info_get(struct doca_apsh_vad *vad,
				     enum doca_apsh_vad_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] vad  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_vad_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_vad_info_get(vad, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_vad_info_get(vad, attr))

/**
 * @brief Get the libraries of a process.
 *
 * Each file but the program that is mapped to be executed.
 *
 * @param[in] process  Process.
 * @param[out] libs  Array, with NULL behind the last; NULL if there is none.
 *        Set on success only.
 * @param[out] libs_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read. Its memory areas changed whenever they
 *         were read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_libs_get(struct doca_apsh_process *process,
				struct doca_apsh_lib ***libs, int *libs_size);

/**
 * @brief Free an array of libraries.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] libs  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_libs_free(struct doca_apsh_lib **libs);

/**
 * @brief An attribute, as a pointer. For doca_apsh_lib_info_get().
 *
 * @param[in] lib  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_lib_info_get(struct doca_apsh_lib *lib,
				     enum doca_apsh_lib_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] lib  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_lib_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_lib_info_get(lib, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_lib_info_get(lib, attr))

/**
 * @brief Get the modules of the kernel.
 *
 * @param[in] system  System that is started.
 * @param[out] modules  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] modules_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system is not started.
 * @retval DOCA_ERROR_INITIALIZATION  Its memory cannot be read, or is no
 *         sound kernel's, or that would take too long.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_modules_get(struct doca_apsh_system *system,
				   struct doca_apsh_module ***modules,
				   int *modules_size);

/**
 * @brief Free an array of kernel modules.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] modules  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_module_free(struct doca_apsh_module **modules);

/**
 * @brief An attribute, as a pointer. For doca_apsh_module_info_get().
 *
 * @param[in] module  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_module_info_get(struct doca_apsh_module *module,
					enum doca_apsh_module_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] module  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_module_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_module_info_get(module, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_module_info_get(module, attr))

/**
 * @brief Get the parameters of a process.
 *
 * @param[in] process  Process.
 * @param[out] process_parameters  Parameters. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  Its arguments are not in memory, or it has
 *         none.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read. Its memory areas changed whenever they
 *         were read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_process_parameters_get(
	struct doca_apsh_process *process,
	struct doca_apsh_process_parameters **process_parameters);

/**
 * @brief Free the parameters of a process.
 *
 * @param[in] process_parameters  Parameters; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_process_parameters_free(
	struct doca_apsh_process_parameters *process_parameters);

/**
 * @brief An attribute, as a pointer. For doca_apsh_process_parameters_info_get().
 *
 * @param[in] process_parameters  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_process_parameters_info_get(
	struct doca_apsh_process_parameters *process_parameters,
	enum doca_apsh_process_parameters_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] process_parameters  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_process_parameters_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_process_parameters_info_get(process_parameters, attr)   \
	((attr##_TYPE)(uintptr_t)__doca_apsh_process_parameters_info_get( \
		process_parameters, attr))

/**
 * @brief Get the environment variables of a process.
 *
 * The environment at its start. Variables in memory that is not resident are
 * left out, with a warning.
 *
 * @param[in] process  Process.
 * @param[out] envars  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] envars_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_envars_get(struct doca_apsh_process *process,
				  struct doca_apsh_envar ***envars,
				  int *envars_size);

/**
 * @brief Free an array of environment variables.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] envars  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_envars_free(struct doca_apsh_envar **envars);

/**
 * @brief An attribute, as a pointer. For doca_apsh_envar_info_get().
 *
 * @param[in] envar  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_envar_info_get(struct doca_apsh_envar *envar,
				       enum doca_apsh_envar_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] envar  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_envar_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_envar_info_get(envar, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_envar_info_get(envar, attr))

/**
 * @brief Get the capabilities of a process.
 *
 * The permitted set.
 *
 * @param[in] process  Process.
 * @param[out] privileges  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] privileges_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_privileges_get(struct doca_apsh_process *process,
				      struct doca_apsh_privilege ***privileges,
				      int *privileges_size);

/**
 * @brief Free an array of capabilities.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] privileges  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_privileges_free(struct doca_apsh_privilege **privileges);

/**
 * @brief An attribute, as a pointer. For doca_apsh_privilege_info_get().
 *
 * @param[in] privilege  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *
__doca_apsh_privilege_info_get(struct doca_apsh_privilege *privilege,
			       enum doca_apsh_privilege_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] privilege  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_privilege_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_privilege_info_get(privilege, attr)                      \
	((attr##_TYPE)(uintptr_t)__doca_apsh_privilege_info_get(privilege, \
								attr))

/**
 * @brief Get the open files of a process.
 *
 * @param[in] process  Process.
 * @param[out] handles  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only.
 * @param[out] handles_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone. Its system was
 *         destroyed, or cannot be read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_handles_get(struct doca_apsh_process *process,
				   struct doca_apsh_handle ***handles,
				   int *handles_size);

/**
 * @brief Free an array of open files.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] handles  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_handles_free(struct doca_apsh_handle **handles);

/**
 * @brief An attribute, as a pointer. For doca_apsh_handle_info_get().
 *
 * @param[in] handle  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_handle_info_get(struct doca_apsh_handle *handle,
					enum doca_apsh_handle_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] handle  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_handle_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_handle_info_get(handle, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_handle_info_get(handle, attr))

/**
 * @brief Get the network interfaces of a system.
 *
 * Interfaces of all namespaces. An array of addresses or of lengths of prefixes
 * has as many elements as the attribute with _SIZE says, and is NULL if that is
 * 0. The loopback interface has no MAC address.
 *
 * @param[in] system  System.
 * @param[out] interfaces  Array, with NULL behind the last; NULL if
 *        there is none. Set on success only.
 * @param[out] interfaces_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system is not started.
 * @retval DOCA_ERROR_INITIALIZATION  Its memory cannot be read, or is no
 *         sound kernel's, the map has no such types, or that would take too
 *         long.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_interfaces_get(struct doca_apsh_system *system,
				      struct doca_apsh_interface ***interfaces,
				      int *interfaces_size);

/**
 * @brief Free an array of interfaces.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] interfaces  Array; NULL is no failure.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_apsh_interfaces_free(struct doca_apsh_interface **interfaces);

/**
 * @brief An attribute, as a pointer. For doca_apsh_interface_info_get().
 *
 * @param[in] interface  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const void *
__doca_apsh_interface_info_get(struct doca_apsh_interface *interface,
			       enum doca_apsh_interface_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] interface  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_interface_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_interface_info_get(interface, attr)                      \
	((attr##_TYPE)(uintptr_t)__doca_apsh_interface_info_get(interface, \
								attr))

/**
 * @brief Get the sockets of a system.
 *
 * TCP, UDP and raw sockets of all namespaces and processes, and sockets of
 * any kind that processes have open. Each is there once, with the lowest PID
 * that has it as the leader of a process, and its lowest descriptor. Where none
 * has it, as in TIME_WAIT, PID is 0, COMM is "" and LINUX_FD is UINT32_MAX.
 *
 * The interface is the one that a socket is bound to, or else the one that has
 * its local address; LINUX_INTERFACE_NAME is "" if there is none.
 *
 * @param[in] system  System.
 * @param[out] connections  Array, with NULL behind the last; NULL if
 *        there is none. Set on success only.
 * @param[out] connections_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system is not started.
 * @retval DOCA_ERROR_INITIALIZATION  Its memory cannot be read, or is no
 *         sound kernel's, the map has no such types, or that would take too
 *         long.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_netscan_get(struct doca_apsh_system *system,
				   struct doca_apsh_netscan ***connections,
				   int *connections_size);

/**
 * @brief Get the sockets of a process.
 *
 * All that it has open, once each, with the lowest descriptor.
 *
 * @param[in] process  Process.
 * @param[out] connections  Array, with NULL behind the last; NULL if
 *        there is none. Set on success only.
 * @param[out] connections_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone, or its system was
 *         destroyed, or cannot be read, or the map has no such types.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_apsh_process_netscan_get(struct doca_apsh_process *process,
			      struct doca_apsh_netscan ***connections,
			      int *connections_size);

/**
 * @brief Free an array of sockets.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] connections  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_netscan_free(struct doca_apsh_netscan **connections);

/**
 * @brief An attribute, as a pointer. For doca_apsh_netscan_info_get().
 *
 * @param[in] connection  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_netscan_info_get(struct doca_apsh_netscan *connection,
					 enum doca_apsh_netscan_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] connection  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_netscan_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_netscan_info_get(connection, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_netscan_info_get(connection, attr))

/**
 * @brief Get the containers of a system.
 *
 * A container is known by the control group of its processes: one that has
 * no process is not there.
 *
 * @param[in] system  System that is started.
 * @param[out] containers  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only. Given back with
 *        doca_apsh_containers_free().
 * @param[out] containers_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE  The system is not started.
 * @retval DOCA_ERROR_INITIALIZATION  Its memory cannot be read, or is no
 *         sound kernel's, the map has no control groups, or that would take too
 *         long.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_containers_get(struct doca_apsh_system *system,
				      struct doca_apsh_container ***containers,
				      int *containers_size);

/**
 * @brief Get the processes of a container.
 *
 * Its current processes, as doca_apsh_processes_get() shows them.
 *
 * @param[in] container  Container.
 * @param[out] processes  Array, with NULL behind the last; NULL if there is
 *        none. Set on success only. Given back with
 *        doca_apsh_processes_free().
 * @param[out] processes_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  Its system was destroyed, or cannot be
 *         read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_apsh_container_processes_get(struct doca_apsh_container *container,
				  struct doca_apsh_process ***processes,
				  int *processes_size);

/**
 * @brief Free an array of containers.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] containers  Array; NULL is no failure.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_apsh_containers_free(struct doca_apsh_container **containers);

/**
 * @brief An attribute, as a pointer. For doca_apsh_container_info_get().
 *
 * @param[in] container  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const void *
__doca_apsh_container_info_get(struct doca_apsh_container *container,
			       enum doca_apsh_container_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] container  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_container_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_container_info_get(container, attr)                      \
	((attr##_TYPE)(uintptr_t)__doca_apsh_container_info_get(container, \
								attr))

/**
 * @brief Get the files that a process uses.
 *
 * Regular files: the program, what is mapped, and what is open, each once. The
 * hashes are of all of a file, from the memory of the target; they are "" where
 * not all of it is there, or it is larger than the limit
 * (DOCA_APSH_FILESIZE_LIMIT, bytes). ELF_TYPE is "ET_EXEC", "ET_DYN", "ET_REL",
 * "ET_CORE", or "".
 *
 * @param[in] process  Process.
 * @param[out] files_details  Array, with NULL behind the last;
 *        NULL if there is none. Set on success only.
 * @param[out] files_details_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The process is gone, or its system was
 *         destroyed, or cannot be read, or its memory areas changed whenever
 *         they were read.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_proc_files_details_get(
	struct doca_apsh_process *process,
	struct doca_apsh_proc_file_details ***files_details,
	int *files_details_size);

/**
 * @brief Free an array of files.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] files_details  Array; NULL is no failure.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_apsh_proc_files_details_free(
	struct doca_apsh_proc_file_details **files_details);

/**
 * @brief An attribute, as a pointer. For doca_apsh_proc_file_details_info_get().
 *
 * @param[in] file_details  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_proc_file_details_info_get(
	struct doca_apsh_proc_file_details *file_details,
	enum doca_apsh_proc_file_details_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] file_details  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_proc_file_details_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_proc_file_details_info_get(file_details, attr)         \
	((attr##_TYPE)(uintptr_t)__doca_apsh_proc_file_details_info_get( \
		file_details, attr))

/**
 * @brief Compare the code of a process with hashes.
 *
 * An element for each area that may be executed, except those that the kernel
 * gives each process, such as the vdso, if nothing was written there.
 * PAGES_PRESENT of its PAGES_NUMBER are in memory: the process's own, such as
 * those with breakpoints, or else what it would get of the file. MATCHING_HASHES
 * of these are as the hash file has them. A page that the hash file does not
 * have, or that is of no file, does not match, so code is known if PAGES_PRESENT
 * is MATCHING_HASHES.
 *
 * The hash file is one that doca_apsh_map(1) writes; it is read once.
 *
 * @param[in] process  Process.
 * @param[in] exec_hash_map_path  Path of the hash file.
 * @param[out] attestation  Array, with NULL behind the last;
 *        NULL if there is none. Set on success only.
 * @param[out] attestation_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_FOUND  The process is gone.
 * @retval DOCA_ERROR_INITIALIZATION  The hash file cannot be read, or is none;
 *         or the system was destroyed, or cannot be read, or that would take
 *         too long; or there are more areas than the limit, or some of them
 *         changed whenever they were read, are broken, or are not in the image:
 *         then nothing is said of any.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_attestation_get(
	struct doca_apsh_process *process, const char *exec_hash_map_path,
	struct doca_apsh_attestation ***attestation, int *attestation_size);

/**
 * @brief Compare again.
 *
 * Compare the same process with the same hashes; the array of processes is not
 * needed any more. On success the array is a new one, and the old one is freed;
 * on failure the old one stays as it is.
 *
 * @param[in,out] attestation  Array, replaced on success.
 * @param[in,out] attestation_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the array.
 * @retval DOCA_ERROR_NOT_FOUND  The process is gone.
 * @retval DOCA_ERROR_INITIALIZATION  The system was destroyed, or cannot be
 *         read, or that would take too long, or areas changed or would be
 *         missing.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_apsh_attst_refresh(struct doca_apsh_attestation ***attestation,
			int *attestation_size);

/**
 * @brief Free an array of attested areas.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] attestation  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_attestation_free(struct doca_apsh_attestation **attestation);

/**
 * @brief An attribute, as a pointer. For doca_apsh_attst_info_get().
 *
 * @param[in] attestation  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *
__doca_apsh_attst_info_get(struct doca_apsh_attestation *attestation,
			   enum doca_apsh_attestation_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] attestation  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_attestation_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_attst_info_get(attestation, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_attst_info_get(attestation, attr))

/**
 * @brief Get suspicious memory areas of a process.
 *
 * Pages that follow each other are one place, and a place is an object:
 * - memory that may be executed, is not empty, and has no file on a disk: it is
 *   anonymous, of memfd_create(), System V or tmpfs without a path, or shared and
 *   of a file that was removed;
 * - the header of an ELF file at the beginning of anonymous memory that such
 *   memory is beside;
 * - pages of a mapped file that may be executed, which the process has written
 *   to, and which differ from the file as the page cache has it, or whose file's
 *   page is not there;
 * - pages of the vdso that the process has written to.
 * Not seen are files that were replaced as a whole; libraries and programs that
 * were removed once they were mapped private from a disk, as dlopen() does, and
 * those on a tmpfs that have a path, as long as nobody writes to their pages:
 * their content is a file's. Nor is code that may not be executed at that moment.
 * Programs that compile while they run, debuggers, probes, executable stacks and
 * programs that run from a memfd make such places, too. A place is judged twice,
 * the second time with all that leads to it read again.
 *
 * A page cannot be judged if it is swapped out, a device's, or suspicious only
 * once; if it, or something of its area, is not in the image; or if the struct
 * page that tells whose it is is not found: a line in the log tells how many there
 * are. Another one tells how many pages were not looked
 * at, because the limit of places (DOCA_APSH_VADS_LIMIT) is reached, or half of
 * what a call may read and take (the variable DOCA_APSH_BUDGET) is used up. If no
 * place is returned, there is none where it could look.
 *
 * @param[in] process  Process.
 * @param[out] suspected_injections  Array; free it with
 *             doca_apsh_injection_detect_free(). NULL if nothing is suspicious.
 * @param[out] suspected_injections_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The system was destroyed, or cannot be read; what
 *         leads to the process is not in the image; the budget does not
 *         suffice for its areas; or nothing was found, but memory areas are
 *         missing, broken, or more than the limit.
 * @retval DOCA_ERROR_NOT_FOUND  The process is gone.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_injection_detect_get(
	struct doca_apsh_process *process,
	struct doca_apsh_injection_detect ***suspected_injections,
	int *suspected_injections_size);

/**
 * @brief Free an array of suspicious areas.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] suspected_injections  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_injection_detect_free(
	struct doca_apsh_injection_detect **suspected_injections);

/**
 * @brief An attribute, as a pointer. For doca_apsh_injection_detect_info_get().
 *
 * @param[in] suspected_injection  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_injection_detect_info_get(
	struct doca_apsh_injection_detect *suspected_injection,
	enum doca_apsh_injection_detect_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] suspected_injection  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_injection_detect_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_injection_detect_info_get(suspected_injection, attr)  \
	((attr##_TYPE)(uintptr_t)__doca_apsh_injection_detect_info_get( \
		suspected_injection, attr))

/**
 * @brief Scan the memory of a process.
 *
 * libyara scans, if it is found at run time. One rule is built in, HELLO_WORLD;
 * others are files of the operator in /etc/doca/yara,
 * reflective_dll_injection.yar and mimikatz.yar.
 *
 * Each memory area is scanned by windows, from its start on: the first at its start, the
 * next a step behind, the last one that which comes to its end and may be shorter
 * (doca_apsh_sys_set_scan_window_size(), doca_apsh_sys_set_scan_window_step()). The
 * condition of a rule is that of one window. An array has an element for each window and
 * rule that match, at most 16384; the address and the length are the window's. Pages that
 * are not in memory are not scanned, nor windows without any.
 *
 * @param[in] process  Process.
 * @param[in] yara_rules_arr  Rules.
 * @param[in] yara_rules_arr_size  How many, more than 0.
 * @param[in] scan_type  Bits of enum doca_apsh_yara_scan_type.
 * @param[out] yara_matches  Array.
 * @param[out] yara_matches_size  How many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is no such rule or type.
 * @retval DOCA_ERROR_NOT_SUPPORTED  libyara, or the file of a rule, is missing; or this process was
 *         forked while its parent loaded a library or looked for RDMA devices.
 * @retval DOCA_ERROR_NOT_FOUND  The process is gone.
 * @retval DOCA_ERROR_INITIALIZATION  Its system was destroyed, or cannot be
 *         read; a rule is wrong; its memory areas changed whenever they were
 *         read; or libyara cannot be initialized, or could not by another thread
 *         that has it loaded still.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
				enum doca_apsh_yara_rule *yara_rules_arr,
				uint32_t yara_rules_arr_size,
				uint64_t scan_type,
				struct doca_apsh_yara ***yara_matches,
				int *yara_matches_size);

/**
 * @brief Free an array of matches.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] yara_matches  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_yara_free(struct doca_apsh_yara **yara_matches);

/**
 * @brief An attribute, as a pointer. For doca_apsh_yara_info_get().
 *
 * @param[in] yara  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_yara_info_get(struct doca_apsh_yara *yara,
				      enum doca_apsh_yara_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] yara  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_yara_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_yara_info_get(yara, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_yara_info_get(yara, attr))

/**
 * @brief Get the security identifiers of a process.
 *
 * Only Windows has any.
 *
 * @param[in] process  Process.
 * @param[out] sids  Array.
 * @param[out] sids_size  How many.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_sids_get(struct doca_apsh_process *process,
				struct doca_apsh_sid ***sids, int *sids_size);

/**
 * @brief Free an array of security identifiers.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] sids  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_sids_free(struct doca_apsh_sid **sids);

/**
 * @brief An attribute, as a pointer. For doca_apsh_sid_info_get().
 *
 * @param[in] sid  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *__doca_apsh_sid_info_get(struct doca_apsh_sid *sid,
				     enum doca_apsh_sid_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] sid  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_sid_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_sid_info_get(sid, attr) \
	((attr##_TYPE)(uintptr_t)__doca_apsh_sid_info_get(sid, attr))

/**
 * @brief Get the modules of a process that its loader knows.
 *
 * Only Windows has such lists.
 *
 * @param[in] process  Process.
 * @param[out] ldrmodules  Array.
 * @param[out] ldrmodules_size  How many.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_apsh_ldrmodules_get(struct doca_apsh_process *process,
				      struct doca_apsh_ldrmodule ***ldrmodules,
				      int *ldrmodules_size);

/**
 * @brief Free an array of loaded modules.
 *
 * All elements are freed, with their strings.
 *
 * @param[in] ldrmodules  Array; NULL is no failure.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_apsh_ldrmodules_free(struct doca_apsh_ldrmodule **ldrmodules);

/**
 * @brief An attribute, as a pointer. For doca_apsh_ldrmodule_info_get().
 *
 * @param[in] ldrmodule  Object.
 * @param[in] attr  Attribute.
 *
 * @return Its value; NULL if the object is NULL or has no such attribute.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
const void *
__doca_apsh_ldrmodule_info_get(struct doca_apsh_ldrmodule *ldrmodule,
			       enum doca_apsh_ldrmodule_attr attr);

/**
 * @brief Get an attribute.
 *
 * @param[in] ldrmodule  Object.
 * @param[in] attr  Attribute, of enum doca_apsh_ldrmodule_attr.
 *
 * @return Its value, of the type attr##_TYPE. Strings and arrays belong to the
 *         object.
 */
#define doca_apsh_ldrmodule_info_get(ldrmodule, attr)                      \
	((attr##_TYPE)(uintptr_t)__doca_apsh_ldrmodule_info_get(ldrmodule, \
								attr))

#ifdef __cplusplus
}
#endif

#endif /* DOCA_APSH_H */
