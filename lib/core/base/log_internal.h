/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The parts of the log: log.c takes a message, log_backend.c finds the backends
 * that want it, log_source.c has the name of its source, log_format.c makes the
 * line, log_sink.c writes it. log_create.c makes backends.
 *
 * The logs of the program and of the SDK (these libraries) share code but no
 * backend. Backends live until the process ends, so that their list can be
 * walked without a lock. log_lock() protects all changes; it is never held while
 * a line is written or the program is called, so a flush handler may use the
 * log.
 */
#ifndef DOCA_CORE_LOG_INTERNAL_H
#define DOCA_CORE_LOG_INTERNAL_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_log.h>

enum log_class {
	LOG_PROGRAM,
	LOG_SDK,
	LOG_CLASSES,
};

struct log_record {
	uint32_t level;
	const char *source;
	const char *file;
	int line;
	const char *func;
};

#define LOG_LINE_INLINE 1024
#define LOG_NAME_MAX 128

struct log_line {
	uint32_t level;
	const char *text; /* ends with a newline and NUL */
	size_t len; /* with the newline */
	size_t body; /* offset of the text behind time and process */
	char inline_text[LOG_LINE_INLINE];
};

typedef doca_error_t log_write_fn(struct doca_log_backend *backend,
				  const struct log_line *line);

struct doca_log_backend {
	struct doca_log_backend *next;
	log_write_fn *write;
	enum log_class class;

	/* Levels from upper (more severe) to lower (less severe) are shown. */
	uint32_t lower;
	uint32_t upper;
	bool lower_strict;
	bool upper_strict;

	/* the sink */
	FILE *file;
	int fd;
	char *name;
	struct {
		pthread_mutex_t lock;
		char *text;
		size_t capacity;
		size_t used;
		log_flush_callback handler;
	} buf;
};

void log_lock(void);
void log_unlock(void);

/* Return true if @level is one of enum doca_log_level. */
bool log_level_valid(uint32_t level);

/* Copy the name into a buffer of LOG_NAME_MAX bytes; return false if there is none. */
bool log_find_source(int source, char *name);

void log_line_make(struct log_line *line, const struct log_record *rec,
		   const char *format, va_list args);
void log_line_disarm(struct log_line *line);
void log_line_release(struct log_line *line);

bool log_wanted(enum log_class class, uint32_t level);
doca_error_t log_emit(enum log_class class, const struct log_line *line);

/* Allocate a backend without a sink, not yet in the list. Return NULL if out of memory. */
struct doca_log_backend *log_backend_alloc(enum log_class class);
void log_backend_publish(struct doca_log_backend *backend);

/* Sinks. */
log_write_fn log_write_stderr;
log_write_fn log_write_standard;
log_write_fn log_write_file;
log_write_fn log_write_fd;
log_write_fn log_write_buf;
log_write_fn log_write_syslog;

/* Fork handlers of sinks: another thread may be writing at the time of the fork. */
void log_hold_syslog(void);
void log_let_syslog(void);
void log_buf_in_child(struct doca_log_backend *backend);
void log_backends_in_child(void);

/* Read DOCA_SDK_LOG_LEVEL from the environment. */
void log_read_environment(void);

#endif /* DOCA_CORE_LOG_INTERNAL_H */
