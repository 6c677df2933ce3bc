/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Threads that work for a process, and end with it. If the kernel supports it, they
 * are threads of the process itself (thread_member.c): whatever holds for its threads
 * holds for them, from the CPUs they may run on to SIGSTOP. Otherwise they are kernel
 * threads that inherit what can be inherited (thread_kernel.c).
 *
 * Nothing may depend on the end of a thread: it may be stopped or frozen for as long
 * as its process likes.
 */
#ifndef DOCA_THREAD_H
#define DOCA_THREAD_H

#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct doca_file;
struct doca_thread;
struct pid_namespace;
struct vhost_task;

/**
 * struct doca_thread_ops - what a thread does
 * @run: work, and sleep in TASK_INTERRUPTIBLE, until doca_thread_is_called(); it
 *	may hold nothing then, and is called again unless that was the end
 * @killed: the process of the thread ends, or replaces itself by exec: @run is not
 *	called any more. Called by the thread; may wait for locks.
 * @release: drop the thread's reference to what it is part of. The thread does
 *	not exist any more.
 */
struct doca_thread_ops {
	void (*run)(struct doca_thread *thread);
	void (*killed)(struct doca_thread *thread);
	void (*release)(struct doca_thread *thread);
};

/**
 * struct doca_thread - a thread, part of what it works for
 * @ops: what it does
 * @file: its user is charged with a worker; reference, to the structure only
 * @task: itself; reference; NULL before it has begun
 * @begun: @task is known
 * @stop: it is to end; never taken back
 * @end: the last that is done for it; each kind of thread has it called
 * @ended: it has ended, and is not charged any more
 * @member: the thread of the process, to be reaped by another thread
 * @reaper: reaps it, if no kernel thread can be made for that
 * @leaving: the reaper has been started; used by the thread only
 *
 * From doca_thread_start() to its end it has a reference to what it is part of,
 * one to the module, and is charged. It ends when it is told to, or with the
 * process.
 */
struct doca_thread {
	const struct doca_thread_ops *ops;
	struct doca_file *file;
	struct task_struct *task;
	struct completion begun;
	bool stop;
	void (*end)(struct doca_thread *thread);
	struct completion ended;
	struct vhost_task *member;
	struct work_struct reaper;
	bool leaving;
};

/*
 * For the calling process: in its cgroups, on its CPUs, with its scheduling policy.
 * -EDQUOT, or the error of making a thread; then there is no thread and nothing was
 * called. The caller has a reference of its own.
 */
int doca_thread_start(struct doca_thread *thread, struct doca_file *file,
		      const struct doca_thread_ops *ops);
/* Wake it, if it sleeps, to check for work. In any context. */
void doca_thread_wake(struct doca_thread *thread);
/* Have it end, and do not wait for that. */
void doca_thread_stop(struct doca_thread *thread);
/* Wait for the end, unless that may take for ever, or there is a signal. */
void doca_thread_wait(struct doca_thread *thread);
/* When it has ended and nothing wakes it any more. */
void doca_thread_forget(struct doca_thread *thread);

/* By the thread: whether to return from @run. */
static inline bool doca_thread_is_called(const struct doca_thread *thread)
{
	return READ_ONCE(thread->stop) || signal_pending(current);
}

/* 0 if the namespace does not know it, or it has ended. */
pid_t doca_thread_pid(const struct doca_thread *thread,
		      struct pid_namespace *ns);

/* Of either kind. The module stays until all threads of doca_thread_make() have ended. */
int doca_threads_init(void);
void doca_threads_exit(void);
int doca_thread_make(struct doca_thread *thread);
/* Whether it ends soon when it is told to, as seen by the caller. */
bool doca_thread_ends_soon(const struct doca_thread *thread);
/* Whether only such threads keep the caller's process alive when the caller exits. */
bool doca_thread_outlives_caller(void);

#endif
