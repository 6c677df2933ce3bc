/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Threads that work for a process, and end with it, and with the last descriptor of the file
 * that it has: so they do not keep it alive when its own threads have exited. If the kernel
 * supports it, they are threads of the process itself (thread_member.c), and everything that
 * holds for its threads holds for them, from allowed CPUs to SIGSTOP. Otherwise they are
 * kernel threads that inherit what can be inherited (thread_kernel.c).
 *
 * Nothing may depend on the end of a thread: it may be stopped or frozen as long as its
 * process likes.
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
 * struct doca_thread_ops - functions of a thread
 * @run: work, and sleep in TASK_INTERRUPTIBLE, until doca_thread_is_called(). It holds
 *	nothing when it returns, and is called again unless that was the end
 * @leaves: @run is not called any more. Called by the thread, once; may wait for locks.
 * @release: drop the thread's reference to the embedding object. The thread does not
 *	exist any more.
 */
struct doca_thread_ops {
	void (*run)(struct doca_thread *thread);
	void (*leaves)(struct doca_thread *thread);
	void (*release)(struct doca_thread *thread);
};

/**
 * struct doca_thread - a thread, embedded in the object that it works for
 * @ops: its functions
 * @file: reference to the structure only; its user is charged with a worker
 * @task: reference; NULL before the thread has begun
 * @begun: completed when @task is known
 * @stop: the thread must end; never cleared
 * @end: the last call for the thread; each kind of thread makes it
 * @ended: completed when it has ended, and is not charged any more
 * @member: the thread of the process, which another thread reaps
 * @reaper: reaps it, if no kernel thread can be made for that
 * @leaving: the reaper has been started; used by the thread only
 *
 * From doca_thread_start() to its end it holds a reference to the embedding object and
 * one to the module, and is charged. It ends when it is told to, or with the process.
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
 * Start a thread for the calling process: in its cgroups, on its CPUs, with its
 * scheduling policy. -EDQUOT, or the error of making a thread; then nothing was called.
 * The caller has a reference of its own.
 */
int doca_thread_start(struct doca_thread *thread, struct doca_file *file,
		      const struct doca_thread_ops *ops);
/* Wake it, if it sleeps, to check for work. Any context. */
void doca_thread_wake(struct doca_thread *thread);
/* Tell it to end, without waiting. */
void doca_thread_stop(struct doca_thread *thread);
/* Wait for its end, unless that may take for ever, the caller exits, or a signal comes. */
void doca_thread_wait(struct doca_thread *thread);
/* Call it when the thread has ended and nothing wakes it any more. */
void doca_thread_forget(struct doca_thread *thread);

/* Called by the thread: return true if @run must return. */
static inline bool doca_thread_is_called(const struct doca_thread *thread)
{
	return READ_ONCE(thread->stop) || signal_pending(current);
}

/* Return 0 if the namespace does not know it, or it has ended. */
pid_t doca_thread_pid(const struct doca_thread *thread,
		      struct pid_namespace *ns);

/* For either kind. The module stays until all threads of doca_thread_make() have ended. */
int doca_threads_init(void);
void doca_threads_exit(void);
int doca_thread_make(struct doca_thread *thread);
/* Return true if it ends soon when it is told to, as seen by the caller. */
bool doca_thread_ends_soon(const struct doca_thread *thread);

#endif
