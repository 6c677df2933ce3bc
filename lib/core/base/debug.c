// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Debug mode: the registry of objects.
 *
 * It is a tree of address ranges that do not overlap, one for an object and one
 * for a block of buffers or tasks. A destroyed object stays in it as dead until
 * its memory, which is kept in a queue, is needed for others.
 *
 * Nothing is logged under the lock: a program may take part in logging.
 */
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "list.h"
#include "log.h"

LOG_SOURCE("COMMON::DEBUG");

#define QUARANTINE_BYTES ((size_t)16 << 20)
#define POISON 0xdb

bool doca_priv_debug;

struct object {
	uintptr_t addr;
	size_t bytes;
	size_t size; /* bytes of one object in a block */
	const struct object_type *type;
	bool dead;
	struct list link; /* in the quarantine, if its memory is there */

	/* The thread that is in a call for it, and the first of its calls */
	pthread_t thread;
	pid_t tid;
	unsigned int depth;
	const char *func;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *objects;
static struct list quarantine = { &quarantine, &quarantine };
static size_t quarantined; /* bytes */
static bool incomplete; /* an object was not registered for want of memory */

static void debug_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void debug_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static void forget_others(const void *node, VISIT visit, int depth)
{
	struct object *object = *(struct object *const *)node;

	(void)depth;
	if ((visit == leaf || visit == postorder) &&
	    !pthread_equal(object->thread, pthread_self()))
		object->depth = 0;
}

/* Threads that were in a call do not exist in the child, so none would leave it. */
static void debug_in_child(void)
{
	twalk(objects, forget_others);
	debug_unlock();
}

/* Run before the program, which may create log backends in a constructor of its own. */
__attribute__((constructor(101))) static void debug_init(void)
{
	const char *s = secure_getenv("DOCA_DEBUG");

	if (!s || !*s || !strcmp(s, "0"))
		return;
	pthread_atfork(debug_lock, debug_unlock, debug_in_child);
	doca_priv_debug = true;
}

/* Ranges that overlap are equal: so an address inside an object finds it. */
static int compare(const void *left, const void *right)
{
	const struct object *a = left;
	const struct object *b = right;

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
	tdelete(object, &objects, compare);
	if (!list_empty(&object->link)) {
		list_del(&object->link);
		quarantined -= object->bytes;
		free((void *)object->addr);
	}
	free(object);
}

/*
 * Free memory that only the registry leads to, so that leak checkers report the
 * program's leaks alone. Threads that still run are not checked any more.
 */
__attribute__((destructor)) static void debug_exit(void)
{
	struct list *link, *next;

	debug_lock();
	incomplete = true;
	list_for_each_safe(link, next, &quarantine)
		drop(list_entry(link, struct object, link));
	tdestroy(objects, free);
	objects = NULL;
	debug_unlock();
}

void doca_priv_debug_add(const void *addr, const struct object_type *type,
			 size_t size, size_t nr)
{
	struct object *object, *stale;

	if (!doca_priv_debug)
		return;
	object = calloc(1, sizeof(*object));
	debug_lock();
	/* entries of memory that was freed without the registry */
	while ((stale = find(addr, size * nr)))
		drop(stale);
	if (!object) {
		incomplete = true;
		goto out;
	}
	object->addr = (uintptr_t)addr;
	object->bytes = size * nr;
	object->size = size;
	object->type = type;
	list_init(&object->link);
	if (!tsearch(object, &objects, compare)) {
		incomplete = true;
		free(object);
	}
out:
	debug_unlock();
}

void doca_priv_debug_del(const void *addr)
{
	struct object *object;

	if (!doca_priv_debug)
		return;
	debug_lock();
	object = find(addr, 1);
	if (object)
		object->dead = true;
	debug_unlock();
}

/* Keep less memory than a program would miss. */
void doca_priv_debug_free(void *addr)
{
	struct list *link, *next;
	struct object *object;

	if (doca_likely(!doca_priv_debug)) {
		free(addr);
		return;
	}
	debug_lock();
	object = addr ? find(addr, 1) : NULL;
	if (object && object->addr == (uintptr_t)addr) {
		object->dead = true;
		memset(addr, POISON, object->bytes);
		list_add_tail(&quarantine, &object->link);
		quarantined += object->bytes;
		list_for_each_safe(link, next, &quarantine) {
			if (quarantined <= QUARANTINE_BYTES)
				break;
			drop(list_entry(link, struct object, link));
		}
	} else {
		free(addr);
	}
	debug_unlock();
}

/* Return the offset of an address in its object, which may be one of a block. */
static size_t offset_in(const struct object *object, const void *addr)
{
	return ((uintptr_t)addr - object->addr) % object->size;
}

/* Return the exact type of an object, or the recorded type if it is dead. */
static const struct object_type *exact_type(const struct object *object,
					    const void *addr)
{
	if (!object->type->exact || object->dead)
		return object->type;
	return object->type->exact((const char *)addr -
				   offset_in(object, addr));
}

/* Return true if @at bytes behind the beginning of an object a @wanted begins. */
static bool begins(const struct object_type *type, size_t at,
		   const struct object_type *wanted)
{
	for (; type && type != wanted; type = type->as)
		at -= type->offset;
	return type && !at;
}

static bool is_a(const struct object *object, const void *addr,
		 const struct object_type *wanted)
{
	size_t at = offset_in(object, addr);

	return begins(exact_type(object, addr), at, wanted) ||
	       (object->dead && begins(wanted, at, object->type));
}

struct fault {
	const char *why; /* NULL: nothing is wrong with it */
	const char *other; /* the object there instead; NULL if none */
};

/* Call it with the lock held. */
static struct fault find_fault(const void *addr, const struct object_type *type,
			       bool in_use)
{
	const struct object *object = find(addr, 1);

	if (!object)
		return (struct fault){ incomplete ? NULL : "is none", NULL };
	if (!is_a(object, addr, type))
		return (struct fault){ "is none",
				       exact_type(object, addr)->name };
	if (object->dead)
		return (struct fault){ object->type->gone ?: "was destroyed",
				       NULL };
	if (in_use && object->type->released && object->type->released(addr))
		return (struct fault){ "was released", NULL };
	return (struct fault){ NULL, NULL };
}

bool doca_priv_debug_valid(const void *addr, const struct object_type *type,
			   bool in_use, const char *func)
{
	struct fault fault;

	debug_lock();
	fault = find_fault(addr, type, in_use);
	debug_unlock();
	if (fault.why)
		LOG_ERR("%s(): %s %p %s%s%s", func, type->name, addr, fault.why,
			fault.other ? ": it is of type " : "",
			fault.other ? fault.other : "");
	return !fault.why;
}

/* Enter, or return in @user the object that another thread uses. */
static bool try_enter(struct object *object, const char *func,
		      struct object *user)
{
	if (object->depth && !pthread_equal(object->thread, pthread_self())) {
		*user = *object;
		return false;
	}
	if (!object->depth++) {
		object->thread = pthread_self();
		object->tid = gettid();
		object->func = func;
	}
	return true;
}

static bool debug_enter(const void *addr, const char *func, struct object *user)
{
	struct object *object;
	bool entered;

	debug_lock();
	object = find(addr, 1);
	entered = !object || object->dead || try_enter(object, func, user);
	debug_unlock();
	return entered;
}

static void complain(const char *func, const struct object *user)
{
	LOG_ERR("%s() in thread %d: %s %p is in use by thread %d, in %s(); only "
		"one thread at a time may use it",
		func, (int)gettid(), user->type->name, (void *)user->addr,
		(int)user->tid, user->func);
}

bool doca_priv_debug_enter(const void *addr, const char *func)
{
	struct object user;

	if (debug_enter(addr, func, &user))
		return true;
	complain(func, &user);
	return false;
}

void doca_priv_debug_enter_wait(const void *addr, const char *func)
{
	struct object user;

	if (doca_priv_debug_enter(addr, func))
		return;
	while (!debug_enter(addr, func, &user))
		usleep(100);
}

struct walk {
	const struct object_type *type;
	void (*look)(void *object, void *arg);
	void *arg;
};

static void walk_idle(const void *node, VISIT visit, void *arg)
{
	const struct object *object = *(struct object *const *)node;
	const struct walk *walk = arg;

	if ((visit == leaf || visit == postorder) &&
	    object->type == walk->type && !object->dead && !object->depth)
		walk->look((void *)object->addr, walk->arg);
}

void debug_each_idle(const struct object_type *type,
		     void (*look)(void *object, void *arg), void *arg)
{
	struct walk walk = { type, look, arg };

	debug_lock();
	twalk_r(objects, walk_idle, &walk);
	debug_unlock();
}

/* The object may be gone: the call may have destroyed it. */
void doca_priv_debug_leave(const void *addr)
{
	struct object *object;

	debug_lock();
	object = find(addr, 1);
	if (object && object->depth)
		object->depth--;
	debug_unlock();
}
