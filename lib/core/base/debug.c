// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Debug mode: the registry of objects.
 *
 * It is a tree of address ranges that do not overlap, one for an object and one
 * for a block of buffers or tasks. What is destroyed stays in it as dead until its
 * memory, which is kept in a queue, is needed for others.
 *
 * Nothing is logged with the lock: a program may take part in the logging.
 */
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/dev.h"
#include "core/device/rep.h"
#include "core/exec/task.h"
#include "core/memory/buf.h"
#include "debug.h"
#include "list.h"
#include "log.h"

LOG_SOURCE("COMMON::DEBUG");

#define QUARANTINE_BYTES ((size_t)16 << 20)
#define POISON 0xdb

bool doca_priv_debug;

static const char *const names[] = {
	[DEBUG_APSH_CONTAINER] = "container",
	[DEBUG_APSH_CTX] = "App Shield context",
	[DEBUG_APSH_PROCESS] = "process",
	[DEBUG_APSH_SYSTEM] = "App Shield system",
	[DEBUG_BUF] = "buffer",
	[DEBUG_BUF_ARR] = "buffer array",
	[DEBUG_BUF_INVENTORY] = "buffer inventory",
	[DEBUG_BUF_POOL] = "buffer pool",
	[DEBUG_CTX] = "context",
	[DEBUG_DEV] = "device",
	[DEBUG_DEV_REP] = "representor",
	[DEBUG_DEVINFO] = "device information",
	[DEBUG_DEVINFO_LIST] = "list of devices",
	[DEBUG_DEVINFO_REP] = "representor information",
	[DEBUG_DEVINFO_REP_LIST] = "list of representors",
	[DEBUG_GRAPH] = "graph",
	[DEBUG_GRAPH_INSTANCE] = "graph instance",
	[DEBUG_GRAPH_NODE] = "graph node",
	[DEBUG_LOG_BACKEND] = "log backend",
	[DEBUG_MEMPOOL] = "mempool",
	[DEBUG_MMAP] = "mmap",
	[DEBUG_PE] = "progress engine",
	[DEBUG_TASK] = "task",
	[DEBUG_TASK_BATCH] = "task batch",
};

struct object {
	uintptr_t addr;
	size_t bytes;
	size_t size; /* of one of a block */
	enum debug_kind kind;
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
static bool incomplete; /* there was no memory for an object */

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

/* Where other threads were in a call, there is none to leave it. */
static void debug_in_child(void)
{
	twalk(objects, forget_others);
	debug_unlock();
}

/* Before the program, which may create log backends in a constructor of its own. */
__attribute__((constructor(101))) static void debug_init(void)
{
	const char *s = secure_getenv("DOCA_DEBUG");

	if (!s || !*s || !strcmp(s, "0"))
		return;
	pthread_atfork(debug_lock, debug_unlock, debug_in_child);
	doca_priv_debug = true;
}

/* Ranges that overlap are the same: so an address inside finds its object. */
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
 * Free what only the registry leads to, so that leak checkers report the program's leaks
 * only. Threads that still run are not checked any more.
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

void doca_priv_debug_add(const void *addr, enum debug_kind kind, size_t size,
			 size_t nr)
{
	struct object *object, *stale;

	if (!doca_priv_debug)
		return;
	object = calloc(1, sizeof(*object));
	debug_lock();
	if (!object) {
		incomplete = true;
		goto out;
	}
	object->addr = (uintptr_t)addr;
	object->bytes = size * nr;
	object->size = size;
	object->kind = kind;
	list_init(&object->link);
	/* of memory that was freed without the registry */
	while ((stale = find(addr, object->bytes)))
		drop(stale);
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

/* What is kept must be less than what a program would miss. */
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

static bool is_released(const void *addr, enum debug_kind kind)
{
	const struct doca_buf *buf = addr;
	const struct doca_task *task = addr;

	if (kind == DEBUG_BUF)
		return !buf->refcount;
	return kind == DEBUG_TASK && task->state == TASK_FREE;
}

/* What is known of a device, or of a representor, is a part of it. */
static bool is_of(const struct object *object, const void *addr,
		  enum debug_kind kind)
{
	const struct doca_dev *dev = (void *)object->addr;
	const struct doca_dev_rep *rep = (void *)object->addr;

	if (object->kind == DEBUG_DEV && kind == DEBUG_DEVINFO)
		return addr == &dev->info;
	if (object->kind == DEBUG_DEV_REP && kind == DEBUG_DEVINFO_REP)
		return addr == &rep->info;
	return object->kind == kind &&
	       ((uintptr_t)addr - object->addr) % object->size == 0;
}

/* What is wrong with it, NULL if nothing is; with the lock. */
static const char *fault(const void *addr, enum debug_kind kind, bool in_use)
{
	const struct object *object = find(addr, 1);

	if (!object)
		return incomplete ? NULL : "is none";
	if (!is_of(object, addr, kind))
		return "is none";
	if (object->dead)
		return kind == DEBUG_TASK ? "is gone, its context was stopped" :
					    "was destroyed";
	return in_use && is_released(addr, kind) ? "was released" : NULL;
}

bool doca_priv_debug_valid(const void *addr, enum debug_kind kind, bool in_use,
			   const char *func)
{
	const char *why;

	debug_lock();
	why = fault(addr, kind, in_use);
	debug_unlock();
	if (why)
		LOG_ERR("%s(): %s %p %s", func, names[kind], addr, why);
	return !why;
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
		func, (int)gettid(), names[user->kind], (void *)user->addr,
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
	enum debug_kind kind;
	void (*look)(void *object, void *arg);
	void *arg;
};

static void walk_idle(const void *node, VISIT visit, void *arg)
{
	const struct object *object = *(struct object *const *)node;
	const struct walk *walk = arg;

	if ((visit == leaf || visit == postorder) &&
	    object->kind == walk->kind && !object->dead && !object->depth)
		walk->look((void *)object->addr, walk->arg);
}

void debug_each_idle(enum debug_kind kind,
		     void (*look)(void *object, void *arg), void *arg)
{
	struct walk walk = { kind, look, arg };

	debug_lock();
	twalk_r(objects, walk_idle, &walk);
	debug_unlock();
}

/* It may be gone: the call may have destroyed it. */
void doca_priv_debug_leave(const void *addr)
{
	struct object *object;

	debug_lock();
	object = find(addr, 1);
	if (object && object->depth)
		object->depth--;
	debug_unlock();
}
