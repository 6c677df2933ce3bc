// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/errno_text.h"
#include "core/base/loader.h"
#include "core/base/log.h"

#include "yara.h"

LOG_SOURCE("APSH");

#if __has_include(<yara.h>)
#include <yara.h>

#define RULES_DIR "/etc/doca/yara"

/* The rules in a file may have any names, so a rule is known by the name of its namespace. */
static const struct {
	const char *name;
	const char *text;
	const char *file; /* the operator's file, where there is no text */
} known[] = {
	[DOCA_APSH_YARA_RULE_HELLO_WORLD] = {
		.name = "Hello_World",
		.text = "rule Hello_World { strings: $a = \"Hello World\" "
			"condition: $a }",
	},
	[DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION] = {
		.name = "Reflective_Dll_Injection",
		.file = RULES_DIR "/reflective_dll_injection.yar",
	},
	[DOCA_APSH_YARA_RULE_MIMIKATZ] = {
		.name = "Mimikatz",
		.file = RULES_DIR "/mimikatz.yar",
	},
};

#define FUNCTIONS(X)              \
	X(yr_initialize)          \
	X(yr_compiler_create)     \
	X(yr_compiler_destroy)    \
	X(yr_compiler_add_string) \
	X(yr_compiler_add_file)   \
	X(yr_compiler_get_rules)  \
	X(yr_rules_destroy)       \
	X(yr_rules_scan_mem_blocks)

struct library {
	void *handle;
#define X(name) typeof(name) *name;
	FUNCTIONS(X)
#undef X
};

/*
 * It stays while the process lives: libyara counts its users without a lock, and its
 * global data would go while another thread scans.
 */
static struct library lib;
static bool ready;
static unsigned int failures; /* starts that have failed */
static unsigned int forgotten; /* those of them that have been unmapped since */
static pthread_mutex_t lock =
	PTHREAD_MUTEX_INITIALIZER; /* protects all of these */

struct yara_rules {
	YR_RULES *rules;
};

static const char soname[] = "libyara.so.9";

/*
 * Load the release that the header describes, for its structures are used; the
 * soname says which.
 */
static doca_error_t load(struct library *l)
{
	int err;

	if (YR_MAJOR_VERSION != 4 || YR_MINOR_VERSION > 2)
		return FAIL(NOT_SUPPORTED,
			    "the library was built with YARA %s, which it does "
			    "not know",
			    YR_VERSION);
	err = loader_open(soname, RTLD_NOW | RTLD_LOCAL, &l->handle);
	if (err)
		return FAIL(NOT_SUPPORTED, "scans need libyara: %s%s",
			    loader_reason(err),
			    err == -ELIBACC ?
				    "; install it (Debian: libyara9)" :
				    "");
#define X(name) l->name = (typeof(name) *)dlsym(l->handle, #name);
	FUNCTIONS(X)
#undef X
#define X(name) &&l->name
	if (1 FUNCTIONS(X))
		return DOCA_SUCCESS;
#undef X
	loader_close(l->handle);
	return FAIL(NOT_SUPPORTED, "%s lacks a function of YARA %s", soname,
		    YR_VERSION);
}

/* Call it with the lock held. */
static doca_error_t initialize(const struct library *l)
{
	if (l->yr_initialize()) {
		failures++;
		return FAIL(INITIALIZATION, "libyara cannot be initialized");
	}
	lib = *l;
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
	return DOCA_SUCCESS;
}

static bool is_loaded(void)
{
	void *handle;

	if (loader_open(soname, RTLD_NOW | RTLD_NOLOAD, &handle))
		return false;
	loader_close(handle);
	return true;
}

/*
 * libyara counts starts that have failed, too: the next one would be a success without a start, unless
 * it was unmapped in between, which another thread or the program may prevent. Return true if it may
 * be so; @nr is the number of failures by now. Who has it mapped behind that has a sound one.
 */
static bool may_be_half_made(unsigned int *nr)
{
	bool failed, mapped;

	pthread_mutex_lock(&lock);
	*nr = failures;
	failed = failures != forgotten;
	pthread_mutex_unlock(&lock);
	if (!failed)
		return false;
	mapped = is_loaded();
	pthread_mutex_lock(&lock);
	if (!mapped && forgotten < *nr)
		forgotten = *nr;
	pthread_mutex_unlock(&lock);
	return mapped;
}

static doca_error_t fail_half_made(void)
{
	return FAIL(INITIALIZATION,
		    "libyara could not be initialized before, and somebody has "
		    "it loaded; try again");
}

/* Load it without the lock (loader.h). Of several threads one keeps its reference. */
static doca_error_t load_and_initialize(void)
{
	struct library l;
	doca_error_t ret;
	unsigned int nr;
	bool is_spare;

	if (may_be_half_made(&nr))
		return __atomic_load_n(&ready, __ATOMIC_ACQUIRE) ?
			       DOCA_SUCCESS :
			       fail_half_made();
	ret = load(&l);
	if (ret != DOCA_SUCCESS)
		return ret;
	pthread_mutex_lock(&lock);
	is_spare = ready;
	if (!is_spare)
		ret = failures == nr ? initialize(&l) : fail_half_made();
	pthread_mutex_unlock(&lock);
	if (is_spare || ret != DOCA_SUCCESS)
		loader_close(l.handle);
	/* unmapped by now, if that was the last reference */
	if (ret != DOCA_SUCCESS)
		may_be_half_made(&nr);
	return ret;
}

/*
 * A failure is not final: libyara may be installed later, or memory may be free again. All of it counts
 * for forks, for a child would have it half made, and the lock locked.
 */
static doca_error_t initialize_once(void)
{
	doca_error_t ret;
	int state, err;

	if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		return DOCA_SUCCESS;
	err = loader_enter(&state);
	if (err)
		return FAIL(NOT_SUPPORTED, "scans need libyara: %s",
			    loader_reason(err));
	ret = load_and_initialize();
	loader_leave(state);
	return ret;
}

static doca_error_t add_file(YR_COMPILER *compiler, const char *path,
			     const char *name)
{
	FILE *f = fopen(path, "re");
	int wrong;

	if (!f)
		return FAIL(NOT_SUPPORTED,
			    "%s: %s; no rule of that name comes with the "
			    "library, put one there",
			    path, errno_text(errno));
	wrong = lib.yr_compiler_add_file(compiler, f, name, path);
	fclose(f);
	return wrong ? FAIL(INITIALIZATION, "%s is no YARA rule", path) :
		       DOCA_SUCCESS;
}

static doca_error_t add_rule(YR_COMPILER *compiler,
			     enum doca_apsh_yara_rule rule)
{
	const char *name = known[rule].name;

	if (!known[rule].text)
		return add_file(compiler, known[rule].file, name);
	return lib.yr_compiler_add_string(compiler, known[rule].text, name) ?
		       FAIL(INITIALIZATION, "libyara refuses rule %s", name) :
		       DOCA_SUCCESS;
}

static doca_error_t compile(struct yara_rules *r,
			    const enum doca_apsh_yara_rule *which, u32 nr)
{
	YR_COMPILER *compiler;
	doca_error_t ret = DOCA_SUCCESS;
	u32 seen = 0;

	if (lib.yr_compiler_create(&compiler))
		return OUT_OF_MEMORY("a compiler of rules");
	for (u32 i = 0; i < nr && ret == DOCA_SUCCESS; i++) {
		if (!(seen >> which[i] & 1))
			ret = add_rule(compiler, which[i]);
		seen |= 1U << which[i];
	}
	if (ret == DOCA_SUCCESS &&
	    lib.yr_compiler_get_rules(compiler, &r->rules))
		ret = OUT_OF_MEMORY("rules");
	lib.yr_compiler_destroy(compiler);
	return ret;
}

doca_error_t yara_compile(const enum doca_apsh_yara_rule *which, u32 nr,
			  struct yara_rules **rules)
{
	struct yara_rules *r = calloc(1, sizeof(*r));
	doca_error_t ret;

	if (!r)
		return OUT_OF_MEMORY("rules");
	ret = initialize_once();
	if (ret == DOCA_SUCCESS)
		ret = compile(r, which, nr);
	if (ret == DOCA_SUCCESS)
		*rules = r;
	else
		free(r);
	return ret;
}

void yara_free(struct yara_rules *rules)
{
	lib.yr_rules_destroy(rules->rules);
	free(rules);
}

struct pass {
	const struct yara_block *(*next)(void *arg, bool first);
	bool (*match)(void *arg, const char *rule);
	void *arg;
	u32 seen; /* bitmap of the rules that matched */
	YR_MEMORY_BLOCK block;
};

static const uint8_t *bytes_of(YR_MEMORY_BLOCK *block)
{
	return block->context;
}

static YR_MEMORY_BLOCK *block_of(YR_MEMORY_BLOCK_ITERATOR *iterator, bool first)
{
	struct pass *p = iterator->context;
	const struct yara_block *b = p->next(p->arg, first);

	iterator->last_error = ERROR_SUCCESS;
	if (!b)
		return NULL;
	p->block = (YR_MEMORY_BLOCK){ .size = b->len,
				      .base = b->address,
				      .context = (void *)b->bytes,
				      .fetch_data = bytes_of };
	return &p->block;
}

static YR_MEMORY_BLOCK *first_of(YR_MEMORY_BLOCK_ITERATOR *iterator)
{
	return block_of(iterator, true);
}

static YR_MEMORY_BLOCK *next_of(YR_MEMORY_BLOCK_ITERATOR *iterator)
{
	return block_of(iterator, false);
}

static int found(YR_SCAN_CONTEXT *context, int message, void *data, void *arg)
{
	const YR_RULE *rule = data;
	struct pass *p = arg;

	(void)context;
	if (message != CALLBACK_MSG_RULE_MATCHING)
		return CALLBACK_CONTINUE;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(rule->ns->name, known[i].name) || p->seen >> i & 1)
			continue;
		p->seen |= 1U << i;
		if (!p->match(p->arg, known[i].name))
			return CALLBACK_ABORT;
	}
	return CALLBACK_CONTINUE;
}

enum yara_end yara_scan(struct yara_rules *rules, int seconds,
			const struct yara_block *(*next)(void *arg, bool first),
			bool (*match)(void *arg, const char *rule), void *arg)
{
	struct pass p = { .next = next, .match = match, .arg = arg };
	YR_MEMORY_BLOCK_ITERATOR iterator = { .context = &p,
					      .first = first_of,
					      .next = next_of };

	/* signals belong to the program, and all that is scanned is in its own memory */
	switch (lib.yr_rules_scan_mem_blocks(rules->rules, &iterator,
					     SCAN_FLAGS_PROCESS_MEMORY |
						     SCAN_FLAGS_NO_TRYCATCH,
					     found, &p, seconds)) {
	case ERROR_SUCCESS:
	case ERROR_CALLBACK_ERROR:
		return YARA_DONE;
	case ERROR_SCAN_TIMEOUT:
		return YARA_LATE;
	case ERROR_INSUFFICIENT_MEMORY:
		return YARA_NO_MEMORY;
	default:
		return YARA_FAILED;
	}
}

#else

doca_error_t yara_compile(const enum doca_apsh_yara_rule *which, u32 nr,
			  struct yara_rules **rules)
{
	(void)which;
	(void)nr;
	(void)rules;
	return FAIL(NOT_SUPPORTED,
		    "the library was built without libyara-dev, and cannot "
		    "scan");
}

void yara_free(struct yara_rules *rules)
{
	(void)rules;
}

enum yara_end yara_scan(struct yara_rules *rules, int seconds,
			const struct yara_block *(*next)(void *arg, bool first),
			bool (*match)(void *arg, const char *rule), void *arg)
{
	(void)rules, (void)seconds, (void)next, (void)match, (void)arg;
	return YARA_FAILED;
}

#endif
