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

/* Exported for the sister libraries. */
DOCA_STABLE
__attribute__((format(printf, 6, 7))) void
doca_priv_log(uint32_t level, const char *source, const char *file, int line,
	      const char *func, const char *format, ...);

#define LOG_SOURCE(name) static const char log_source_name[] = "DOCA::" name

#define LOG_(level, ...)                                                    \
	doca_priv_log(level, log_source_name, __FILE__, __LINE__, __func__, \
		      __VA_ARGS__)

#define LOG_ERR(...) LOG_(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define LOG_WARN(...) LOG_(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define LOG_INFO(...) LOG_(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define LOG_DBG(...) LOG_(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

/* For what would repeat: once in the life of the process, for each place. */
#define LOG_ERR_ONCE(...)                                                 \
	do {                                                              \
		static bool done_;                                        \
                                                                          \
		if (!__atomic_exchange_n(&done_, true, __ATOMIC_RELAXED)) \
			LOG_ERR(__VA_ARGS__);                             \
	} while (0)

#endif /* DOCA_CORE_LOG_H */
