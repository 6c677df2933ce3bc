/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_log.h
 * @brief The log: messages of the program and of the libraries (the SDK).
 *
 * A source file of a program names itself once with DOCA_LOG_REGISTER() and
 * then uses DOCA_LOG_ERR(), DOCA_LOG_INFO() and so on:
 *
 *     DOCA_LOG_REGISTER(COPY::MAIN);
 *     ...
 *     DOCA_LOG_ERR("Failed to open %s: %s", path, strerror(errno));
 *
 * A message is shown by every backend that the program has created for it, in
 * the form
 *
 *     [18:24:34:478230][4711][DOCA][ERR][COPY::MAIN][main.c:12][open_input] ...
 *
 * which is local time with microseconds, process, level, source, place, text.
 *
 * There are two kinds of backends. Those of the program show messages of the
 * program; without one, they are not shown at all. Those of the SDK, whose
 * functions end in _sdk, show messages of the libraries; without one, they go
 * to stderr. Each backend shows the levels between its two limits: the lower
 * one is the least severe level that it shows, the upper one the most severe. A
 * severe level has a small value. At first the lower limit is
 * DOCA_LOG_LEVEL_INFO for the program and DOCA_LOG_LEVEL_WARNING for the SDK,
 * and the upper one DOCA_LOG_LEVEL_CRIT.
 *
 * Lines of the libraries, by level:
 *
 * - ERROR: a call or a task failed. The line says why, and what can be done. There
 *   is one for each call that fails, and one for a task that fails and the context
 *   that stops with it, however many tasks are flushed behind it.
 * - WARNING: something goes on, but not as it should. The same goes for the first of
 *   those failures that programs repeat until they succeed, or learn of from a
 *   state: an inventory, a pool or a graph that is empty, a context without a free
 *   task or one that is stopping. Later ones are at DEBUG, until the object
 *   is started again: so no loop of a program fills the log.
 * - INFO: what is rare and worth knowing, but no fault.
 * - DEBUG: answers that are no failures, such as a property that a device does not
 *   have or a capability that is not there; and the lives of devices, mmaps,
 *   inventories, contexts, exports and imports.
 * - TRACE: each task, when it is submitted and when it is done. Contexts check the
 *   level when they are started: where it is not on, tasks cost no more.
 *
 * DOCA_SUCCESS and DOCA_ERROR_IN_PROGRESS are no failures.
 *
 * To see more of the SDK in a program that cannot be changed, set the
 * environment variable DOCA_SDK_LOG_LEVEL to a number of enum doca_log_level:
 * levels up to it are shown by all SDK backends, whatever their lower limit.
 *
 * Backends are never destroyed: what they were given must stay valid until the
 * process ends. All functions are thread safe, may be called at any time, also
 * before main() and from a flush handler, and leave errno alone where they
 * succeed.
 */
#ifndef DOCA_LOG_H
#define DOCA_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_log_backend;

/**
 * @brief Severity of a message; as a limit, it selects the messages shown.
 * @since DOCA 2.5
 */
enum doca_log_level {
	/** only as a limit: shows no message */
	DOCA_LOG_LEVEL_DISABLE = 10,
	/** the program cannot go on */
	DOCA_LOG_LEVEL_CRIT = 20,
	/** something failed */
	DOCA_LOG_LEVEL_ERROR = 30,
	/** something is not as it should be */
	DOCA_LOG_LEVEL_WARNING = 40,
	/** normal events */
	DOCA_LOG_LEVEL_INFO = 50,
	/** to find a fault */
	DOCA_LOG_LEVEL_DEBUG = 60,
	/** everything; see DOCA_LOG_TRC() */
	DOCA_LOG_LEVEL_TRACE = 70,
};

/**
 * @brief Takes what has gathered in the buffer of a backend.
 *
 * @param[in] buf  The buffer, with whole lines and a NUL at its end. A line
 *                 that is longer than the buffer comes in pieces.
 *
 * It is called by the thread whose message did not fit, while no other thread
 * can log to this backend. Messages that it logs itself are shown by all
 * backends that have no buffer.
 * @since DOCA 2.5
 */
typedef void (*log_flush_callback)(char *buf);

/**
 * @brief Register a source of messages. DOCA_LOG_REGISTER() does it.
 *
 * @param[in] source_name  Name; of a longer one the first 127 bytes are used.
 *                         Names need not differ.
 * @param[out] source      Identifier for doca_log(), greater than 0. Set on
 *                         success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);

/**
 * @brief Unregister a source of messages. DOCA_LOG_REGISTER() does it.
 *
 * @param[in] source  Identifier from doca_log_register_source(); it may be
 *                    given to another source later.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  No source is registered under it.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);

/**
 * @brief Log a message of the program. The DOCA_LOG_*() macros call it.
 *
 * @param[in] level   From DOCA_LOG_LEVEL_CRIT to DOCA_LOG_LEVEL_TRACE.
 * @param[in] source  Identifier from doca_log_register_source().
 * @param[in] fname   Name of the source file; its folders are not shown.
 * @param[in] line    Line in it.
 * @param[in] func    Function in it.
 * @param[in] format  Text as for printf(), of any length. A newline at its end
 *                    is added if it has none.
 *
 * @retval DOCA_SUCCESS  Also if no backend shows it.
 * @retval DOCA_ERROR_INVALID_VALUE  @p level is none of a message, a pointer is
 *         NULL, or the message was to be shown and @p source is not registered.
 * @retval DOCA_ERROR_IO_FAILED  A backend could not write it; the others did.
 * @retval DOCA_ERROR_AGAIN  A flush handler called it, so a backend with a
 *         buffer did not take it; the others did.
 *
 * Thread safety: safe; the lines of several threads do not mix. errno is left
 * as it was.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
__attribute__((format(printf, 6, 7))) doca_error_t
doca_log(uint32_t level, int source, const char *fname, int line,
	 const char *func, const char *format, ...);

/**
 * @brief Show messages of the program on the terminal.
 *
 * Levels from DOCA_LOG_LEVEL_INFO on go to stdout, DOCA_LOG_LEVEL_WARNING and
 * what is more severe to stderr. The global limits apply. There is one such
 * backend: further calls succeed and change nothing.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);

/**
 * @brief Show messages of the program in a stream.
 *
 * @param[in] fptr      Stream, open for writing; it must stay open until the
 *                      process ends. It is flushed after each message.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_file(FILE *fptr,
				  struct doca_log_backend **backend);

/**
 * @brief Show messages of the SDK in a stream.
 *
 * Otherwise as doca_log_backend_create_with_file().
 *
 * @param[in] fptr      As there.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_file_sdk(FILE *fptr,
				      struct doca_log_backend **backend);

/**
 * @brief Show messages of the program through a file descriptor.
 *
 * @param[in] fd        Descriptor, open for writing; it must stay open until
 *                      the process ends. Of a non-blocking one that is not
 *                      ready, messages are lost.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p fd is negative, or @p backend NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd,
					     struct doca_log_backend **backend);

/**
 * @brief Show messages of the SDK through a file descriptor.
 *
 * Otherwise as doca_log_backend_create_with_fd().
 *
 * @param[in] fd        As there.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p fd is negative, or @p backend NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);

/**
 * @brief Gather messages of the program in a buffer.
 *
 * When a message does not fit any more, the handler gets what has gathered, and
 * the buffer starts anew. The buffer always ends with a NUL, so a program can
 * read the rest from it before it ends: nobody flushes it then.
 *
 * @param[in] buf       Buffer; it must stay until the process ends.
 * @param[in] capacity  Bytes of the buffer, with the NUL; at least 2.
 * @param[in] handler   Takes what has gathered.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p capacity too
 *         small.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_buf(char *buf, size_t capacity,
				 log_flush_callback handler,
				 struct doca_log_backend **backend);

/**
 * @brief Gather messages of the SDK in a buffer.
 *
 * Otherwise as doca_log_backend_create_with_buf().
 *
 * @param[in] buf       As there.
 * @param[in] capacity  As there.
 * @param[in] handler   As there.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p capacity too
 *         small.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
				     log_flush_callback handler,
				     struct doca_log_backend **backend);

/**
 * @brief Send messages of the program to syslog.
 *
 * They go to facility user, without time and process, which syslog adds. A
 * process has one name in syslog: it is set by each message, so that a program
 * which uses openlog() itself loses its own.
 *
 * @param[in] name      Name under which they appear.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_syslog(const char *name,
				    struct doca_log_backend **backend);

/**
 * @brief Send messages of the SDK to syslog.
 *
 * Otherwise as doca_log_backend_create_with_syslog().
 *
 * @param[in] name      As there.
 * @param[out] backend  The backend. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_create_with_syslog_sdk(const char *name,
					struct doca_log_backend **backend);

/**
 * @brief Set the least severe level that a backend shows.
 *
 * @param[in] backend  Backend, of either kind.
 * @param[in] level    Value of enum doca_log_level; DOCA_LOG_LEVEL_DISABLE
 *                     silences the backend.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p backend is NULL, or @p level no level.
 * @retval DOCA_ERROR_NOT_PERMITTED  The limit is strict.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
				       uint32_t level);

/**
 * @brief Fix the least severe level that a backend shows.
 *
 * From now on it is not changed any more: global settings pass it by, its own
 * setters fail. Cannot be undone.
 *
 * @param[in] backend  Backend, of either kind.
 *
 * @retval DOCA_SUCCESS  Also if it is strict already.
 * @retval DOCA_ERROR_INVALID_VALUE  @p backend is NULL.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

/**
 * @brief Set the most severe level that a backend shows.
 *
 * It can divide messages: one backend shows the severe ones, another
 * one the rest. An upper limit that is less severe than the lower one silences
 * the backend.
 *
 * @param[in] backend      Backend, of either kind.
 * @param[in] upper_limit  Value of enum doca_log_level.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p backend is NULL, or @p upper_limit no
 *         level.
 * @retval DOCA_ERROR_NOT_PERMITTED  The limit is strict.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
				       uint32_t upper_limit);

/**
 * @brief Fix the most severe level that a backend shows.
 *
 * See doca_log_backend_set_level_lower_limit_strict().
 *
 * @param[in] backend  Backend, of either kind.
 *
 * @retval DOCA_SUCCESS  Also if it is strict already.
 * @retval DOCA_ERROR_INVALID_VALUE  @p backend is NULL.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

/**
 * @brief Set the least severe level of the SDK that a backend shows.
 *
 * @param[in] backend  Backend of the SDK.
 * @param[in] level    Value of enum doca_log_level.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p backend is NULL or of the program, or
 *         @p level no level.
 * @retval DOCA_ERROR_NOT_PERMITTED  The lower limit is strict.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend,
					    uint32_t level);

/**
 * @brief Set the least severe level that all backends of the program show.
 *
 * It applies to backends that exist, unless their lower limit is strict, and to
 * those that will be created.
 *
 * @param[in] level  Value of enum doca_log_level.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p level is no level.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

/**
 * @brief Get the limit of doca_log_level_set_global_lower_limit().
 *
 * @return The level; at first DOCA_LOG_LEVEL_INFO.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);

/**
 * @brief Set the most severe level that all backends of the program show.
 *
 * It applies to backends that exist, unless their upper limit is strict, and to
 * those that will be created.
 *
 * @param[in] upper_limit  Value of enum doca_log_level.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p upper_limit is no level.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);

/**
 * @brief Get the limit of doca_log_level_set_global_upper_limit().
 *
 * @return The level; at first DOCA_LOG_LEVEL_CRIT.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);

/**
 * @brief Set the least severe level that all backends of the SDK show.
 *
 * It applies to backends that exist, unless their lower limit is strict, to
 * those that will be created, and to stderr where there is none.
 *
 * @param[in] level  Value of enum doca_log_level.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p level is no level.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

/**
 * @brief Get the limit of doca_log_level_set_global_sdk_limit().
 *
 * @return The level; at first DOCA_LOG_LEVEL_WARNING.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);

/* The declaration at its end takes the semicolon behind the macro. */
/**
 * @brief Name this source file in the log.
 *
 * Once in a file, outside of functions. The file is registered before main(),
 * or when its shared object is loaded, and unregistered at the end.
 *
 * @param source  Name; not a string, but what is to be in it: COPY::MAIN
 *
 * @since DOCA 2.5
 */
#define DOCA_LOG_REGISTER(source)                                            \
	static int log_source;                                               \
	static __attribute__((constructor(101))) void log_source_ctor_(void) \
	{                                                                    \
		doca_log_register_source(#source, &log_source);              \
	}                                                                    \
	static __attribute__((destructor(101))) void log_source_dtor_(void)  \
	{                                                                    \
		doca_log_unregister_source(log_source);                      \
	}                                                                    \
	struct doca_log_source_

/**
 * @brief Log a message in a file that uses DOCA_LOG_REGISTER().
 *
 * @param level   From DOCA_LOG_LEVEL_CRIT to DOCA_LOG_LEVEL_TRACE.
 * @param format  Text and arguments as for printf().
 *
 * @return As doca_log().
 * @since DOCA 2.5
 */
#define DOCA_LOG(level, format, ...)                                      \
	doca_log(level, log_source, __FILE__, __LINE__, __func__, format, \
		 ##__VA_ARGS__)

/** @brief Log why the program cannot go on. @since DOCA 2.5 */
#define DOCA_LOG_CRIT(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_CRIT, format, ##__VA_ARGS__)

/** @brief Log that something failed. @since DOCA 2.5 */
#define DOCA_LOG_ERR(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_ERROR, format, ##__VA_ARGS__)

/** @brief Log that something is not as it should be. @since DOCA 2.5 */
#define DOCA_LOG_WARN(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_WARNING, format, ##__VA_ARGS__)

/** @brief Log what goes on. @since DOCA 2.5 */
#define DOCA_LOG_INFO(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_INFO, format, ##__VA_ARGS__)

/** @brief Log what helps to find a fault. @since DOCA 2.5 */
#define DOCA_LOG_DBG(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, format, ##__VA_ARGS__)

/**
 * @brief Log everything.
 *
 * The message is checked by the compiler, but is in the program only if the
 * program is compiled with DOCA_LOGGING_ALLOW_TRACE.
 * @since DOCA 2.5
 */
#ifdef DOCA_LOGGING_ALLOW_TRACE
#define DOCA_LOG_TRC(format, ...) \
	DOCA_LOG(DOCA_LOG_LEVEL_TRACE, format, ##__VA_ARGS__)
#else
#define DOCA_LOG_TRC(format, ...)                                              \
	do {                                                                   \
		if (0)                                                         \
			DOCA_LOG(DOCA_LOG_LEVEL_TRACE, format, ##__VA_ARGS__); \
	} while (0)
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_LOG_H */
