// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The backends, and the levels that each of them shows. */
#include <stdlib.h>

#include "args.h"
#include "log_internal.h"

LOG_SOURCE("COMMON::LOG");

static const struct object_type log_backend_object = { .name = "log backend" };

#define OBJECT_TYPES OBJECT_TYPE(doca_log_backend, log_backend_object)

/*
 * Until the program makes a backend for the SDK, errors and warnings of the
 * libraries go to stderr; otherwise the reasons of failures would be lost.
 */
static struct doca_log_backend fallback = {
	.write = log_write_stderr,
	.class = LOG_SDK,
	.lower = DOCA_LOG_LEVEL_WARNING,
	.upper = DOCA_LOG_LEVEL_CRIT,
};

static struct doca_log_backend *backends[LOG_CLASSES];

/* Limits of future backends; the global getters return them. */
static uint32_t global_lower[LOG_CLASSES] = {
	[LOG_PROGRAM] = DOCA_LOG_LEVEL_INFO,
	[LOG_SDK] = DOCA_LOG_LEVEL_WARNING,
};
static uint32_t global_upper = DOCA_LOG_LEVEL_CRIT;

/* Messages of the SDK at this level are always shown; set by the environment. */
static uint32_t sdk_floor;

static uint32_t load(const uint32_t *limit)
{
	return __atomic_load_n(limit, __ATOMIC_RELAXED);
}

static void store(uint32_t *limit, uint32_t level)
{
	__atomic_store_n(limit, level, __ATOMIC_RELAXED);
}

static struct doca_log_backend *first(enum log_class class)
{
	struct doca_log_backend *b;

	b = __atomic_load_n(&backends[class], __ATOMIC_ACQUIRE);
	return b || class == LOG_PROGRAM ? b : &fallback;
}

static struct doca_log_backend *next(const struct doca_log_backend *b)
{
	return __atomic_load_n(&b->next, __ATOMIC_ACQUIRE);
}

static bool wants(const struct doca_log_backend *b, uint32_t level)
{
	uint32_t lower = load(&b->lower);

	if (b->class == LOG_SDK && lower < sdk_floor)
		lower = sdk_floor;
	return level <= lower && level >= load(&b->upper);
}

bool log_wanted(enum log_class class, uint32_t level)
{
	const struct doca_log_backend *b;

	for (b = first(class); b; b = next(b))
		if (wants(b, level))
			return true;
	return false;
}

/* Must not be cancelled: a sink has a lock, and so may the caller. */
doca_error_t log_emit(enum log_class class, const struct log_line *line)
{
	doca_error_t result = DOCA_SUCCESS;
	struct doca_log_backend *b;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	for (b = first(class); b; b = next(b)) {
		doca_error_t err;

		if (!wants(b, line->level))
			continue;
		err = b->write(b, line);
		DOCA_ERROR_PROPAGATE(result, err);
	}
	pthread_setcancelstate(state, NULL);
	return result;
}

void log_read_environment(void)
{
	const char *value = secure_getenv("DOCA_SDK_LOG_LEVEL");
	uint32_t level = value ? strtoul(value, NULL, 10) : 0;

	sdk_floor = log_level_valid(level) ? level : 0;
}

struct doca_log_backend *log_backend_alloc(enum log_class class)
{
	struct doca_log_backend *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->class = class;
	pthread_mutex_init(&b->buf.lock, NULL);
	return b;
}

void log_backend_publish(struct doca_log_backend *backend)
{
	struct doca_log_backend **last;

	log_lock();
	backend->lower = global_lower[backend->class];
	backend->upper = backend->class == LOG_PROGRAM ? global_upper :
							 DOCA_LOG_LEVEL_CRIT;
	for (last = &backends[backend->class]; *last; last = &(*last)->next)
		;
	__atomic_store_n(last, backend, __ATOMIC_RELEASE);
	log_unlock();
	doca_priv_debug_add(backend, &log_backend_object, sizeof(*backend), 1);
}

void log_backends_in_child(void)
{
	struct doca_log_backend *b;

	for (int i = 0; i < LOG_CLASSES; i++)
		for (b = backends[i]; b; b = b->next)
			log_buf_in_child(b);
}

static doca_error_t set_limit(const bool *strict, uint32_t *limit,
			      uint32_t level)
{
	bool allowed;

	log_lock();
	allowed = !*strict;
	if (allowed)
		store(limit, level);
	log_unlock();
	if (allowed)
		return DOCA_SUCCESS;
	return FAIL(NOT_PERMITTED, "the limit of this log backend is strict");
}

static void set_strict(bool *strict)
{
	log_lock();
	*strict = true;
	log_unlock();
}

doca_error_t
doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
				       uint32_t level)
{
	if (!valid(backend) || refused(!log_level_valid(level)))
		return DOCA_ERROR_INVALID_VALUE;
	return set_limit(&backend->lower_strict, &backend->lower, level);
}

doca_error_t
doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
	if (!valid(backend))
		return DOCA_ERROR_INVALID_VALUE;
	set_strict(&backend->lower_strict);
	return DOCA_SUCCESS;
}

doca_error_t
doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
				       uint32_t upper_limit)
{
	if (!valid(backend) || refused(!log_level_valid(upper_limit)))
		return DOCA_ERROR_INVALID_VALUE;
	return set_limit(&backend->upper_strict, &backend->upper, upper_limit);
}

doca_error_t
doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
	if (!valid(backend))
		return DOCA_ERROR_INVALID_VALUE;
	set_strict(&backend->upper_strict);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend,
					    uint32_t level)
{
	if (!valid(backend) || refused(backend->class != LOG_SDK) ||
	    refused(!log_level_valid(level)))
		return DOCA_ERROR_INVALID_VALUE;
	return set_limit(&backend->lower_strict, &backend->lower, level);
}

static doca_error_t set_global_lower(enum log_class class, uint32_t level)
{
	struct doca_log_backend *b;

	if (refused(!log_level_valid(level)))
		return DOCA_ERROR_INVALID_VALUE;
	log_lock();
	store(&global_lower[class], level);
	if (class == LOG_SDK)
		store(&fallback.lower, level);
	for (b = backends[class]; b; b = b->next)
		if (!b->lower_strict)
			store(&b->lower, level);
	log_unlock();
	return DOCA_SUCCESS;
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
	return set_global_lower(LOG_PROGRAM, level);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
	return set_global_lower(LOG_SDK, level);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
	struct doca_log_backend *b;

	if (refused(!log_level_valid(upper_limit)))
		return DOCA_ERROR_INVALID_VALUE;
	log_lock();
	store(&global_upper, upper_limit);
	for (b = backends[LOG_PROGRAM]; b; b = b->next)
		if (!b->upper_strict)
			store(&b->upper, upper_limit);
	log_unlock();
	return DOCA_SUCCESS;
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
	return load(&global_lower[LOG_PROGRAM]);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
	return load(&global_lower[LOG_SDK]);
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
	return load(&global_upper);
}
