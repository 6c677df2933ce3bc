/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Threads, locks, waits, and deferred work. */
#ifndef INPROC_SCHED_H
#define INPROC_SCHED_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "atomic.h"
#include "list.h"

#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L
/* Headers of libc or Linux may define it, and the other names that are undefined here. */
#undef HZ
#define HZ 1000

typedef s64 ktime_t;

/* Locks. @owner is for assertions. */
struct mutex {
	pthread_mutex_t lock;
	struct task_struct *owner;
};

#define INPROC_MUTEX_INIT                         \
	{                                         \
		.lock = PTHREAD_MUTEX_INITIALIZER \
	}
#define DEFINE_MUTEX(name) struct mutex name = INPROC_MUTEX_INIT
#define mutex_init(m) ((void)(*(m) = (struct mutex)INPROC_MUTEX_INIT))

static inline void mutex_destroy(struct mutex *mutex)
{
	pthread_mutex_destroy(&mutex->lock);
}

typedef struct mutex spinlock_t;

#define spin_lock_init(l) mutex_init(l)
#define spin_lock(l) mutex_lock(l)
#define spin_lock_irqsave(l, flags) ((flags) = 0, mutex_lock(l))
#define spin_unlock_irqrestore(l, flags) ((void)(flags), mutex_unlock(l))
#define spin_unlock(l) mutex_unlock(l)
#define DEFINE_SPINLOCK(name) DEFINE_MUTEX(name)

/* Threads of the driver, and threads of the program in a call. */
#define TASK_RUNNING 0
#define TASK_IDLE 1
#define TASK_INTERRUPTIBLE 2
#define TASK_NORMAL 3
#define TASK_COMM_LEN 16
#define PF_EXITING 4

struct mm_struct {
	atomic64_t pinned_vm;
};

struct task_struct {
	pthread_mutex_t lock;
	pthread_cond_t woken;
	int state;
	bool should_stop;
	struct mm_struct *mm; /* NULL for a thread of the driver */
	struct {
		void *net_ns;
	} * nsproxy;
	struct task_struct *group_leader;
	unsigned int flags;
	unsigned int atomic; /* sections without preemption that it is in */
	struct cpumask *cpus_ptr;
	int policy;
	int rt_priority;
	bool sched_reset_on_fork;
	char comm[TASK_COMM_LEN];

	/* threads of the driver */
	struct kref ref;
	pthread_t thread;
	bool foreign; /* it works for another user, */
	uid_t uid; /* this one */
	bool shares; /* other processes map the areas that it allocates */
	bool own; /* pins the driver's memory, sealed: it loses no pages */
	int (*run)(void *data);
	void *data;
};

struct task_struct *inproc_current(void) __attribute__((const));

#define current inproc_current()

static inline void mutex_lock(struct mutex *mutex)
{
	pthread_mutex_lock(&mutex->lock);
	mutex->owner = current;
}

static inline int mutex_lock_killable(struct mutex *mutex)
{
	mutex_lock(mutex);
	return 0;
}

static inline bool mutex_trylock(struct mutex *mutex)
{
	if (pthread_mutex_trylock(&mutex->lock))
		return false;
	mutex->owner = current;
	return true;
}

static inline void mutex_unlock(struct mutex *mutex)
{
	mutex->owner = NULL;
	pthread_mutex_unlock(&mutex->lock);
}

/*
 * Cancelling a thread of the program takes effect at the end of its call, as in the
 * kernel: the thread may have locks. That costs some ns, so the call that executes does
 * it only where it writes or waits.
 */
static inline int inproc_hold_cancel(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void inproc_let_cancel(int before)
{
	pthread_setcancelstate(before, NULL);
}

#define lockdep_assert_held(mutex) WARN_ON((mutex)->owner != current)

struct task_struct *kthread_create(int (*run)(void *data), void *data,
				   const char *name, ...);
int kthread_stop(struct task_struct *task);
/* Like pthread_create(), for a thread that the program does not notice. */
int inproc_make_thread(pthread_t *thread, void *(*run)(void *), void *arg);
void put_task_struct(struct task_struct *task);
int wake_up_process(struct task_struct *task);
void set_current_state(int state);
void schedule(void);
void schedule_hrtimeout_range(ktime_t *timeout, u64 delta, int mode);

#define HRTIMER_MODE_REL 0

#define ns_to_ktime(ns) ((ktime_t)(ns))
#define __set_current_state(s) set_current_state(s)
#define get_task_struct(task) kref_get(&(task)->ref)
/* pthread_exit() opens a library, or ends the process if it cannot. */
#define module_put_and_kthread_exit(code) return code

u64 local_clock(void);

#if defined(__x86_64__)
#define cpu_relax() __builtin_ia32_pause()
#else
#define cpu_relax() barrier()
#endif
#define cond_resched() ((void)0)
#define cond_resched_tasks_rcu_qs() ((void)0)
#define need_resched() false
/* Threads are preempted all the same; but those that must not sleep are told, as in the kernel. */
#define preempt_disable() ((void)current->atomic++)
#define preempt_enable() ((void)current->atomic--)
#define might_sleep() BUG_ON(current->atomic)
static const unsigned long jiffies; /* no ticks */
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define num_online_cpus() ((int)sysconf(_SC_NPROCESSORS_ONLN))
/* A thread runs on all CPUs. */
#define nr_cpu_ids ((unsigned int)sysconf(_SC_NPROCESSORS_ONLN))
#define raw_smp_processor_id() 0U
#define cpu_online_mask NULL
#define cpumask_first_and(a, b) 0U
#define cpumask_next_and(cpu, a, b) ((void)(a), (cpu) + 1)

/* A killed process is gone at once. */
static inline bool fatal_signal_pending(const void *task)
{
	return false;
}

/* Signal handlers run by themselves. */
static inline bool signal_pending(const void *task)
{
	return false;
}

/* A thread inherits its creator's CPUs. */
typedef void *cpumask_var_t;
#define alloc_cpumask_var(mask, gfp) (*(mask) = NULL, true)
#define free_cpumask_var(mask) ((void)(mask))
#define cpumask_copy(to, from) ((void)(from))
#define set_cpus_allowed_ptr(task, mask) ((void)(task), 0)
#define cgroup_attach_task_all(from, to) ((void)(from), (void)(to), 0)
/* A process needs no privileges for that. */
struct cred;
#define prepare_kernel_cred(task) ((struct cred *)1)
#define override_creds(cred) ((const struct cred *)(cred))
#define revert_creds(cred) ((void)(cred))
#define put_cred(cred) ((void)(cred))

/* Compilers provide coverage here. */
static inline u64 kcov_common_handle(void)
{
	return 0;
}

static inline void kcov_remote_start_common(u64 id)
{
}

static inline void kcov_remote_stop(void)
{
}

struct pid;
#define task_tgid(task) ((struct pid *)NULL)
#define task_tgid_nr(task) ((int)getpid())
#define task_pid_nr_ns(task, ns) ((void)(task), (void)(ns), (int)getpid())
#define task_active_pid_ns(task) ((void)(task), NULL)
#define get_pid(pid) (pid)
#define put_pid(pid) ((void)(pid))
#define get_task_comm(buf, task) strscpy(buf, (task)->comm, sizeof(buf))

/* Waits for events. */
struct wait_queue_entry;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *entry,
				 unsigned int mode, int flags, void *key);

struct wait_queue_entry {
	wait_queue_func_t func;
	struct task_struct *task;
	struct list_head entry;
};

struct wait_queue_head {
	pthread_mutex_t lock;
	struct list_head head;
};

typedef struct wait_queue_head wait_queue_head_t;

#define INPROC_WAIT_INIT(name)                                         \
	{                                                              \
		PTHREAD_MUTEX_INITIALIZER, LIST_HEAD_INIT((name).head) \
	}
#define DECLARE_WAIT_QUEUE_HEAD(name) \
	wait_queue_head_t name = INPROC_WAIT_INIT(name)

void init_waitqueue_head(wait_queue_head_t *head);
void init_waitqueue_func_entry(struct wait_queue_entry *entry,
			       wait_queue_func_t func);
void add_wait_queue(wait_queue_head_t *head, struct wait_queue_entry *entry);
void remove_wait_queue(wait_queue_head_t *head, struct wait_queue_entry *entry);
void __wake_up(wait_queue_head_t *head, unsigned int mode, int nr, void *key);
void inproc_wait_begin(struct wait_queue_entry *entry);
/* Run works of queues that got no thread. The caller holds no locks. */
void inproc_run_works(void);
void inproc_sleep_for_works(void);

#define wake_up(head) __wake_up(head, TASK_NORMAL, 0, NULL)
#define wake_up_all(head) __wake_up(head, TASK_NORMAL, 0, NULL)
#define wake_up_interruptible_poll(head, events) \
	__wake_up(head, TASK_NORMAL, 0, (void *)(uintptr_t)(events))

#define inproc_wait_event(where, condition, sleep)      \
	do {                                            \
		struct wait_queue_entry __entry;        \
                                                        \
		inproc_wait_begin(&__entry);            \
		add_wait_queue(&(where), &__entry);     \
		for (;;) {                              \
			set_current_state(TASK_NORMAL); \
			if (condition)                  \
				break;                  \
			sleep;                          \
		}                                       \
		set_current_state(TASK_RUNNING);        \
		remove_wait_queue(&(where), &__entry);  \
	} while (0)
#define wait_event_idle(where, condition) \
	inproc_wait_event(where, condition, schedule())
/* These wait for works, which may have no thread. */
#define wait_event_killable(where, condition)                                  \
	({                                                                     \
		inproc_run_works();                                            \
		inproc_wait_event(where, condition, inproc_sleep_for_works()); \
		0;                                                             \
	})
#define wait_event_killable_timeout(where, condition, jiffies)                 \
	({                                                                     \
		ktime_t __left = (ktime_t)(jiffies) * (NSEC_PER_SEC / HZ);     \
		u64 __end = local_clock() + __left;                            \
                                                                               \
		inproc_run_works();                                            \
		inproc_wait_event(where,                                       \
				  (condition) || local_clock() >= __end,       \
				  schedule_hrtimeout_range(&__left, 0,         \
							   HRTIMER_MODE_REL)); \
		inproc_jiffies_until(__end);                                   \
	})

/* At least one, as after the condition has come true. */
static inline long inproc_jiffies_until(u64 end)
{
	u64 now = local_clock();

	return now < end ? 1 + (long)((end - now - 1) / (NSEC_PER_SEC / HZ)) :
			   0;
}

struct completion {
	wait_queue_head_t wait;
	bool done;
};

static inline void init_completion(struct completion *completion)
{
	init_waitqueue_head(&completion->wait);
	completion->done = false;
}

/* Since glibc 2.41 the C library has a different structure of this name. */
#define sched_attr inproc_sched_attr
struct sched_attr {
	int size;
	int sched_policy;
	int sched_nice;
	int sched_priority;
};

#undef SCHED_NORMAL
#undef SCHED_DEADLINE
#define SCHED_NORMAL 0
#define SCHED_DEADLINE 6
#define task_nice(task) 0
#define set_user_nice(task, nice) ((void)(task))
#define sched_setattr_nocheck(task, attr) ((void)(task), (void)(attr), 0)

void complete(struct completion *completion);
bool completion_done(struct completion *completion);
void wait_for_completion(struct completion *completion);
void inproc_wait_for_works(struct completion *completion);

#define complete_all(completion) complete(completion)
#define wait_for_completion_interruptible(completion) \
	wait_for_completion(completion)
#define wait_for_completion_killable(completion) \
	(inproc_wait_for_works(completion), 0)

/* Work for a thread of the driver. */
struct workqueue_struct;

struct work_struct {
	void (*func)(struct work_struct *work);
	struct list_head node;
	struct workqueue_struct *wq;
	bool pending;
};

#define DECLARE_WORK(name, function) \
	struct work_struct name = { .func = function }

#define WQ_UNBOUND 0
#define INIT_WORK(w, function) \
	((void)(*(w) = (struct work_struct){ .func = function }))

struct workqueue_struct *alloc_workqueue(const char *name, int flags, int max);
/* Execute all queued work, then destroy the queue. */
void destroy_workqueue(struct workqueue_struct *wq);
bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
/* For a work that was queued before: return when it is done. */
bool flush_work(struct work_struct *work);

/* No delay: pages have already been released when this runs. */
struct delayed_work {
	struct work_struct work;
};

#define DECLARE_DELAYED_WORK(name, function) \
	struct delayed_work name = { .work = { .func = function } }
#define queue_delayed_work(wq, dwork, delay) queue_work(wq, &(dwork)->work)
#define cancel_delayed_work_sync(dwork) ((void)(dwork))

#endif
