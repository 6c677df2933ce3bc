/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Logging of the libraries themselves. A file names itself once,
 *
 *	LOG_SOURCE("COMMON::MMAP");
 *
 * and its lines are then marked DOCA::COMMON::MMAP. They go to the SDK backends
 * of doca_log.h, at the level of the SDK. A message is one line without a full
 * stop or newline, which says what failed, why, with figures, and the remedy.
 * errno is left as it was.
 */
#ifndef DOCA_CORE_LOG_H
#define DOCA_CORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_log.h>

/* Exported for the sister libraries. Cold: no caller is on the data path. */
DOCA_STABLE
__attribute__((cold, format(printf, 6, 7))) void
doca_priv_log(uint32_t level, const char *source, const char *file, int line,
	      const char *func, const char *format, ...);

/*
 * Log warnings of this thread at DEBUG until log_hush(false): the program did not
 * ask for what they are about.
 */
void log_hush(bool hush);

/* Return true if lines of that level are logged; for lines that are expensive to make. */
DOCA_STABLE bool doca_priv_log_wanted(uint32_t level);

#define LOG_SOURCE(name) static const char log_source_name[] = "DOCA::" name

#define LOG_(level, ...)                                                    \
	doca_priv_log(level, log_source_name, __FILE__, __LINE__, __func__, \
		      __VA_ARGS__)

#define LOG_ERR(...) LOG_(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define LOG_WARN(...) LOG_(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define LOG_INFO(...) LOG_(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define LOG_DBG(...) LOG_(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
#define LOG_TRC(...) LOG_(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)

/*
 * The origin of a line. A function that serves public functions of any library gets
 * its caller's site, so that the line names the function that the program has called:
 *
 *   static const struct log_site site = LOG_SITE;
 */
struct log_site {
	const char *source;
	const char *file;
	const char *func;
	int line;
};

#define LOG_SITE                                              \
	{                                                     \
		log_source_name, __FILE__, __func__, __LINE__ \
	}

#define LOG_AT(site, level, ...)                                         \
	doca_priv_log(level, (site)->source, (site)->file, (site)->line, \
		      (site)->func, __VA_ARGS__)

/* Log why a call fails and evaluate to its error: return FAIL(BAD_STATE, "..."); */
#define FAIL(code, ...) (LOG_ERR(__VA_ARGS__), DOCA_ERROR_##code)

#define FAIL_AT(site, code, ...) \
	(LOG_AT(site, DOCA_LOG_LEVEL_ERROR, __VA_ARGS__), DOCA_ERROR_##code)

#define OUT_OF_MEMORY(what) FAIL(NO_MEMORY, "out of memory for " what)

/* Like FAIL(), for an error that only answers a question: logged at DEBUG. */
#define ANSWER(code, ...) (LOG_DBG(__VA_ARGS__), DOCA_ERROR_##code)

#define ANSWER_AT(site, code, ...) \
	(LOG_AT(site, DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__), DOCA_ERROR_##code)

/*
 * Like FAIL(), for a call that a program may repeat until it succeeds: logs a warning,
 * and then lines at DEBUG until @told, a bool of the object, is cleared.
 */
#define FAIL_AGAIN(told, code, ...) \
	(LOG_(log_once(&(told)), __VA_ARGS__), DOCA_ERROR_##code)

static inline uint32_t log_once(bool *told)
{
	bool before = *told;

	*told = true;
	return before ? DOCA_LOG_LEVEL_DEBUG : DOCA_LOG_LEVEL_WARNING;
}

/* Log an error that would repeat: once in the life of the process, for each place. */
#define LOG_ERR_ONCE(...)                                                 \
	do {                                                              \
		static bool done_;                                        \
                                                                          \
		if (!__atomic_exchange_n(&done_, true, __ATOMIC_RELAXED)) \
			LOG_ERR(__VA_ARGS__);                             \
	} while (0)

#endif /* DOCA_CORE_LOG_H */
