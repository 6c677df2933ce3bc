/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * A file of /dev/doca: one protection domain, with a table of objects and a table of
 * keys. It knows nothing of the kinds of objects.
 */
#ifndef DOCA_FILE_H
#define DOCA_FILE_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <linux/doca.h>

struct doca_keys;
struct doca_poller;
struct doca_run;
struct doca_user;
struct pid;

/**
 * struct doca_tie - the files of an address space
 * @notifier: reports its death. It is one for all files: each that is added takes all locks
 *	of the address space, and all changes of mappings go through the list of them.
 * @lock: protects @files
 * @files: struct doca_file.tie_node; holds no references
 */
struct doca_tie {
	struct mmu_notifier notifier;
	spinlock_t lock; /* see above */
	struct list_head files;
};

/**
 * struct doca_file - an open file of /dev/doca
 * @ref: held by the open file until its last close, by each queue and by each
 *	mapping. The last reference only frees this structure.
 * @id: its id in listings
 * @pid: reference to the number of the process that opened it
 * @comm: the process's name at that time
 * @mm: the address space that opened it; mmgrab(), never its users, because its
 *	mappings of a queue pin the files
 * @user: account of the user who opened it
 * @lock: protects what no other lock protects. A spinlock, taken first of all: a listing
 *	takes it, and must not make the end of the file wait for a CPU.
 * @dead: set at the beginning of death, for good; under @lock, read anywhere
 * @objects: struct doca_object by id
 * @op_objects: struct doca_op_object by id; under the array's own lock
 * @next_op_object: where the search for their next id begins; likewise
 * @runs: struct doca_run of each executor, by number; for
 *	grace periods; under the array's own lock
 * @graces: number of grace periods requested
 * @grace: the one that @retire waits for; @retire's own
 * @passed: sections with smaller numbers have passed it; @retire's own
 * @awaited: the section that has @retire go on when it has passed; no reference
 * @pools: struct doca_pool of each queue that has one and is not closed, by number;
 *	for doca_file_recall(); under the array's own lock
 * @poller: polls the waits of queues without a worker; made with the first such
 *	queue that has waits; reference
 * @queue_ids: all queues, by id, until they are freed; holds no references
 * @keys_lock: protects @keys, @mapping_users and @retiring, and doca_mapping.dead. A
 *	spinlock, taken last, after doca_memory.lock: a revocation of memory that is mapped
 *	here takes it, and must not wait for a thread that gets no CPU.
 * @keys: mappings by key; freed at death, when no executor reads it any more
 * @mapping_users: struct doca_mapping_user
 * @retiring: mappings that have lost their keys, but may still be in use
 * @ending: those of them that @retire ends when @grace is over; @retire's own
 * @retire: ends them; it is queued whenever it may go on, with a reference, and never
 *	waits; see mapping.c
 * @tie: reports the death of @mm; until the last close
 * @tie_node: in doca_tie.files; under its lock
 *
 * Death begins when the process that opened the file closes its last descriptor of it,
 * even if other processes have the file open; with the exit or exec of the mm; or with the
 * last close, when no call on the file is running. All queues are marked dead; workers and
 * the poller are told to stop; memory is marked dead and dropped with its exports; the keys of
 * imports are retired; device memory and objects of operations are dropped. None of that waits:
 * the threads that still use something hold a reference, and the last one frees it. Calls fail
 * from then on, and one that was running puts an end to what it has made. Mappings of device
 * memory keep the file open.
 */
struct doca_file {
	struct kref ref;
	u32 id;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	struct mm_struct *mm;
	struct doca_user *user;

	spinlock_t lock; /* see above */
	bool dead;
	struct xarray objects;
	struct xarray op_objects;
	u32 next_op_object;
	struct xarray runs;
	atomic64_t graces;
	u64 grace;
	unsigned long passed;
	struct doca_run *awaited;
	struct xarray pools;
	struct doca_poller *poller;
	struct xarray queue_ids;
	spinlock_t keys_lock; /* see above */
	struct doca_keys *keys;
	struct list_head mapping_users;
	struct list_head retiring;
	struct list_head ending;
	struct work_struct retire;
	struct doca_tie *tie;
	struct list_head tie_node;
};

struct doca_file *doca_file_alloc(void);
void doca_file_put(struct doca_file *file);

static inline struct doca_file *doca_file_get(struct doca_file *file)
{
	kref_get(&file->ref);
	return file;
}

/*
 * Return the first file with an id from *id on, with a reference, and set *id. The file
 * may be closed already.
 */
struct doca_file *doca_file_next(u32 *id);

/*
 * Call the first function whenever a file or an object comes or goes. It changes the
 * number that the second returns, which is never 0. For listings.
 */
void doca_files_changed(void);
u32 doca_files_generation(void);

#define DOCA_OBJECT_NR (DOCA_OBJECT_DM + 1)

/**
 * struct doca_object - an object that an id of a file names
 * @ref: the table holds one reference
 * @type: the type of the structure that embeds it
 * @id: constant after doca_object_reserve()
 * @release: frees it; takes no lock that sleeps
 *
 * An id is reserved, the object built, the answer copied to the user, and the
 * object published last; on failure before that, doca_object_abort() gives the
 * reservation back.
 */
struct doca_object {
	struct kref ref;
	enum doca_object_type type;
	u32 id;
	void (*release)(struct doca_object *obj);
};

void doca_object_init(struct doca_object *obj, enum doca_object_type type,
		      void (*release)(struct doca_object *obj));
void doca_object_put(struct doca_object *obj);
int doca_object_reserve(struct doca_file *file, struct doca_object *obj);
void doca_object_abort(struct doca_file *file, struct doca_object *obj);
/* Add the object; the table takes its own reference. Does not sleep. */
void doca_object_publish(struct doca_file *file, struct doca_object *obj);
struct doca_object *doca_object_find(struct doca_file *file, u32 id,
				     enum doca_object_type type);
/* Take the object out of the table, with the table's reference; false if it is not there. */
bool doca_object_remove(struct doca_file *file, struct doca_object *obj);
/* Return the first object with an id from *id on, with a reference, and set *id. */
struct doca_object *doca_object_from(struct doca_file *file, unsigned long *id);
/* Likewise, the first of a type. */
struct doca_object *doca_object_next(struct doca_file *file, unsigned long *id,
				     enum doca_object_type type);

/**
 * struct doca_run - a run section, in which an executor takes its steps, with @lock held
 * @ref: held by the executor, and by threads that wait for the section
 * @lock: held during a step; the innermost of all sleeping locks. Keys are resolved under
 *	it and nowhere else, anew in each step.
 * @file: the file; callers of these functions have a reference to it
 * @grace: the file's number of grace periods when the executor was last between
 *	two steps; written under @lock
 * @waiters: threads that want @lock; an executor that holds it for many steps releases it
 *	before the next one
 * @counted: the thread that has @lock is one of @waiters; under @lock
 * @idle: where such an executor waits until @waiters is 0, and others until @undone is
 * @works: struct doca_run_work that nobody has begun
 * @undone: number of works that are not done
 * @id: number in doca_file.runs
 *
 * A worker has one for all its queues, and holds it except while it sleeps. A queue
 * without a worker has its own, which ENTER holds for a batch.
 *
 * So when a key has been cleared, the mapping is unused once each section of the
 * file has been seen unlocked or between two steps: that is the whole grace period.
 * It is requested by a number that all executors of the file see, and answer without
 * giving up the lock:
 *
 *  Q  retirer: clear the key, store-release the number
 *     executor, between two steps: load-acquire the number, store-release it as
 *     the answer, go on to look up keys
 *     retirer: load-acquire the answer, free the mapping
 *
 * The retirer does not wait for executors, which may get no CPU: one that has its section
 * lets the retirer go on when it answers, or leaves the section.
 *
 *  L  retirer: store doca_file.awaited, full barrier, load the answer and try the lock
 *     executor: store the answer or release the lock, full barrier, load doca_file.awaited
 *
 * With the same barriers a thread leaves something to be done to the one in the section:
 *
 *  L  add it to @works, request a grace period, full barrier, try the lock
 *     release the lock, full barrier, load @works; if there are any, try the lock
 *
 * It is an object of its own so that waiting for it does not keep the queue.
 */
struct doca_run {
	struct kref ref;
	struct mutex lock; /* see above */
	struct doca_file *file;
	u64 grace;
	atomic_t waiters;
	bool counted;
	wait_queue_head_t idle;
	struct llist_head works;
	atomic_t undone;
	u32 id;
};

/**
 * struct doca_run_work - something to be done in a run section
 * @node: in doca_run.works
 * @func: does it, with the section's lock held and without sleeping
 * @done: follows, in the same thread; drops the reference to what embeds this
 */
struct doca_run_work {
	struct llist_node node;
	void (*func)(struct doca_run_work *work);
	void (*done)(struct doca_run_work *work);
};

struct doca_run *doca_run_create(struct doca_file *file);
/* End the section: no step is taken in it any more. */
void doca_run_remove(struct doca_file *file, struct doca_run *run);

/*
 * For all others than the executor; waits for the current step, which takes as long as the
 * executor gets no CPU.
 */
void doca_run_lock(struct doca_run *run);
int doca_run_lock_killable(struct doca_run *run);
void doca_run_unlock(struct doca_run *run);

/*
 * Have something done in the section, without waiting: by the caller, if no thread is in it,
 * else by the thread that is, when it leaves. The caller keeps a reference to the section.
 */
void doca_run_do(struct doca_run *run, struct doca_run_work *work);
/*
 * Wait until all of that has been done in each section of the file, but a second at most: who
 * does it may get no CPU. -EINTR if killed.
 */
int doca_file_settle(struct doca_file *file);
/* For a thread that takes the lock itself: release it. */
void doca_run_leave(struct doca_run *run);

/* Return true if the executor must call doca_run_yield() before the next step. */
static inline bool doca_run_wanted(const struct doca_run *run)
{
	return atomic_read(&run->waiters) ||
	       atomic64_read(&run->file->graces) != run->grace;
}

/* Report that the executor is between two steps, and let waiting threads have the lock. */
void doca_run_yield(struct doca_run *run);

/*
 * Ask for a grace period: it is over when every step that runs now has ended. For the work
 * item doca_file.retire, which is queued again as long as the second returns false.
 */
void doca_file_await(struct doca_file *file);
bool doca_file_has_passed(struct doca_file *file);
/* Let the work item go on. */
void doca_file_go_on(struct doca_file *file);
/* Ask for a grace period, but only spin shortly. Return true if the steps have ended. */
bool doca_file_try_synchronize(struct doca_file *file);

/* Its works end what nobody uses any more; they wait for no user's thread. */
extern struct workqueue_struct *doca_retire_wq;

#endif
