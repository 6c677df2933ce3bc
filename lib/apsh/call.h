/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The common part of all doca_apsh_*_get(): a view of the target, tries until the memory
 * read has not changed meanwhile, and a snapshot. A group is a struct getter and a file
 * in get/.
 */
#ifndef DOCA_APSH_CALL_H
#define DOCA_APSH_CALL_H

#include "core/base/args.h"
#include "objects.h"

#include "attr.h"
#include "snapshot.h"
#include "system.h"
#include "view/view.h"

struct doca_apsh_process {
	struct object object;
	u32 pid, ppid, uid, gid, ns_pid, ns_mnt, ns_net;
	u64 cpu_time, state;
	const char *comm;
	u64 task; /* address of its leader */
	u64 start; /* time when the leader was started */
	bool hidden;
};

struct hashes;
struct yara_rules;

/* A running call. */
struct call {
	struct doca_apsh_system *system;
	struct view view;
	struct snapshot *snap;
	const struct doca_apsh_process *process; /* NULL: for the system */
	const char *container;
	struct hashes *hashes; /* for attestation */
	struct yara_rules *rules; /* for a scan */
	u64 scan_type;
	u64 task; /* leader of the process, or a thread with memory; verified */
	u64 mm; /* 0: kernel thread or zombie */
	struct space space; /* space of the process */
	struct object areas; /* no program has objects of them: they may change */
	const struct log_site *site;
	doca_error_t error; /* besides those of the view; logged */
	const char *without; /* the start that is missing; NULL: it is there */
	bool cut; /* the limit was reached */
	bool partial; /* objects are missing that cannot be counted */
	u64 missed; /* view.misses of the try before */
};

struct getter {
	const char *what; /* for the log */
	int limit; /* setting that limits it, -1: none */
	doca_error_t gone; /* error if the process is gone */
	const struct object_type *object; /* type of the objects */
	bool whole; /* leaving objects out would be a lie */
	void (*fill)(struct call *c);
	/* return an error, logged, if the last try has got no answer; NULL: it always has */
	doca_error_t (*check)(const struct call *c);
};

/* Make a call whose arguments are checked, except that the pointers are not NULL. */
doca_error_t call_system(const struct getter *g,
			 struct doca_apsh_system *system, void *array, int *nr,
			 const struct log_site *site);
doca_error_t call_process(const struct getter *g,
			  struct doca_apsh_process *process, void *array,
			  int *nr, const struct log_site *site);
doca_error_t call_attestation(const struct getter *g,
			      const struct doca_apsh_process *process,
			      struct hashes *hashes, void *array, int *nr,
			      const struct log_site *site);
doca_error_t call_yara(const struct getter *g,
		       const struct doca_apsh_process *process,
		       struct yara_rules *rules, u64 scan_type, void *array,
		       int *nr, const struct log_site *site);
doca_error_t call_container(const struct getter *g, struct snapshot *snap,
			    const char *id, void *array, int *nr,
			    const struct log_site *site);

/* call_error.c: the view cannot go on; return its error. */
doca_error_t call_view_failed(const struct call *c);
/*
 * Errors of a call for a process: it is gone; it is not found, perhaps because memory is
 * missing; or only a part could be read.
 */
doca_error_t call_gone(const struct call *c, const struct getter *g);
doca_error_t call_not_found(const struct call *c, const struct getter *g);
doca_error_t call_incomplete(const struct call *c, const struct getter *g);
/* Its memory areas changed in each try. */
doca_error_t call_moving(const struct call *c);
/*
 * Return the first of these needs that the map meets. If there is none, the call fails: the
 * log names a thing that the map lacks for that of which it lacks least, and tells why.
 */
int call_needs(struct call *c, const struct need *needs, int nr,
	       const char *why);
/*
 * The start is missing: "the list is not" sound, or is not in the image. That is logged if it is
 * so in the last try, by the second one.
 */
void call_without_root(struct call *c, const char *what);
doca_error_t call_has_no_root(const struct call *c);

/* Return true for an array that has not been freed. In debug mode log why not, as @func. */
bool call_is_array(const void *array, const char *func);

/* Free an array for the function @func, unless it is NULL. */
void call_free(void *array, const char *func);

static inline u32 limit_of(const struct call *c, int limit)
{
	return (u32)c->system->limits[limit];
}

#define DEFINE_GET(name, how, from, of, type, array, size, getter)          \
	doca_error_t name(struct from *of, struct type ***array, int *size) \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
                                                                            \
		if (!valid(of) || !given(array) || !given(size))            \
			return DOCA_ERROR_INVALID_VALUE;                    \
		return how(getter, of, array, size, &site);                 \
	}

#define DEFINE_SYSTEM_GET(name, type, array, size, getter)                   \
	DEFINE_GET(name, call_system, doca_apsh_system, system, type, array, \
		   size, getter)
#define DEFINE_PROCESS_GET(name, type, array, size, getter)              \
	DEFINE_GET(name, call_process, doca_apsh_process, process, type, \
		   array, size, getter)

#define DEFINE_FREE(name, type, array)      \
	void name(struct type **array)      \
	{                                   \
		call_free(array, __func__); \
	}

/* Say that something is not supported, and why. */
#define DEFINE_NEVER_GET(name, from, of, type, array, size, why)            \
	doca_error_t name(struct from *of, struct type ***array, int *size) \
	{                                                                   \
		if (!valid(of) || !given(array) || !given(size))            \
			return DOCA_ERROR_INVALID_VALUE;                    \
		return FAIL(NOT_SUPPORTED, why);                            \
	}

#endif /* DOCA_APSH_CALL_H */
