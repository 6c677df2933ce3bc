// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Debug mode: a tree of address ranges that do not overlap, one for an object and one
 * for the buffers of an inventory. Nothing is logged with the lock.
 */
#include <search.h>
#include <stdlib.h>

#include <doca_log.h>

#include "debug.h"

DOCA_LOG_REGISTER(API13::DEBUG);

#define QUARANTINE 256 /* objects */

bool api13_debug;

static const char *const names[] = {
	[API13_BUF] = "buffer",
	[API13_BUF_INVENTORY] = "buffer inventory",
	[API13_CTX] = "context",
	[API13_DEVINFO_LIST] = "list of devices",
	[API13_MMAP] = "mmap",
	[API13_REMOTE_LIST] = "list of remote devices",
	[API13_WORKQ] = "work queue",
};

struct object {
	uintptr_t addr;
	size_t bytes, size;
	enum api13_kind kind;
	bool dead;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *objects;
static struct object *quarantine[QUARANTINE]; /* the oldest is replaced */
static unsigned int next;
static bool incomplete; /* there was no memory for an object */

static void debug_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void debug_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* Its address is another one in each thread. */
static __thread char self;

static void forget_others(const void *node, VISIT visit, int depth)
{
	const struct object *object = *(struct object *const *)node;
	struct doca_workq *workq = (void *)object->addr;

	(void)depth;
	if ((visit == leaf || visit == postorder) && !object->dead &&
	    object->kind == API13_WORKQ && workq->thread != &self)
		workq->thread = NULL;
}

/* Where other threads were in a call, there is none to leave it. */
static void debug_in_child(void)
{
	twalk(objects, forget_others);
	debug_unlock();
}

__attribute__((constructor)) static void debug_init(void)
{
	const char *s = secure_getenv("DOCA_DEBUG");

	if (!s || !*s || !strcmp(s, "0"))
		return;
	pthread_atfork(debug_lock, debug_unlock, debug_in_child);
	api13_debug = true;
}

bool api13_missing(const char *what, const char *func)
{
	DOCA_LOG_ERR("%s(): %s is NULL or 0", func, what);
	return false;
}

/* Ranges that overlap are the same: so an address inside finds its object. */
static int compare(const void *left, const void *right)
{
	const struct object *a = left, *b = right;

	if (a->addr + a->bytes <= b->addr)
		return -1;
	return a->addr >= b->addr + b->bytes;
}

static struct object *find(const void *addr, size_t bytes)
{
	struct object key = { .addr = (uintptr_t)addr, .bytes = bytes };
	struct object **found = tfind(&key, &objects, compare);

	return found ? *found : NULL;
}

static void drop(struct object *object)
{
	if (!object)
		return;
	tdelete(object, &objects, compare);
	free((void *)object->addr);
	free(object);
}

/* Memory without a pointer to it would look like a leak of the program. */
__attribute__((destructor)) static void debug_exit(void)
{
	unsigned int i;

	debug_lock();
	incomplete = true;
	for (i = 0; i < QUARANTINE; i++)
		drop(quarantine[i]);
	tdestroy(objects, free);
	objects = NULL;
	debug_unlock();
}

void api13_debug_add(const void *addr, enum api13_kind kind, size_t size,
		     size_t nr)
{
	struct object *object;

	if (doca_likely(!api13_debug))
		return;
	object = malloc(sizeof(*object));
	debug_lock();
	if (object) {
		*object = (struct object){ .addr = (uintptr_t)addr,
					   .bytes = nr * size,
					   .size = size,
					   .kind = kind };
		if (!tsearch(object, &objects, compare)) {
			free(object);
			object = NULL;
		}
	}
	if (!object)
		incomplete = true;
	debug_unlock();
}

void api13_debug_free(void *addr)
{
	struct object *object;

	if (doca_likely(!api13_debug)) {
		free(addr);
		return;
	}
	debug_lock();
	object = find(addr, 1);
	if (object) {
		object->dead = true;
		drop(quarantine[next]);
		quarantine[next] = object;
		next = (next + 1) % QUARANTINE;
	}
	debug_unlock();
	if (!object)
		free(addr);
}

bool api13_debug_valid(const void *addr, enum api13_kind kind, const char *func)
{
	struct object *object, is = { 0 };
	bool pass;

	debug_lock();
	object = find(addr, 1);
	pass = object ? false : incomplete;
	if (object)
		is = *object;
	debug_unlock();
	if (!object) {
		if (!pass)
			DOCA_LOG_ERR("%s(): %p is no %s of levels 1.3 and 1.5: "
				     "it was destroyed long ago, is of another "
				     "level, or never was one",
				     func, addr, names[kind]);
		return pass;
	}
	if (is.kind != kind || ((uintptr_t)addr - is.addr) % is.size) {
		DOCA_LOG_ERR("%s(): %p is no %s but a %s", func, addr,
			     names[kind], names[is.kind]);
		return false;
	}
	if (is.dead)
		DOCA_LOG_ERR("%s(): %s %p was destroyed", func, names[kind],
			     addr);
	return !is.dead;
}

bool api13_debug_enter(struct doca_workq *workq, const char *func)
{
	const void *none = NULL;

	if (__atomic_compare_exchange_n(&workq->thread, &none,
					(const void *)&self, false,
					__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return true;
	DOCA_LOG_ERR("%s(): work queue %p is used by another thread; each "
		     "thread needs one of its own",
		     func, (void *)workq);
	return false;
}

void api13_debug_leave(struct doca_workq *workq)
{
	__atomic_store_n(&workq->thread, NULL, __ATOMIC_RELEASE);
}
