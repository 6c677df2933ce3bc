/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * An operation that waits for a value, in a queue whose worker falls asleep: B, V, W.
 *
 * Another queue sets the value, perhaps after it has woken the worker for something
 * else, or the queue is stopped. The wait must end either way, though the worker sleeps
 * without a timer here, and who sees the value sees what was written before it. That
 * an executor looks at waits in each of its turns is not relied upon: it takes as many
 * turns as it likes. Nobody is woken for whom a look is due already.
 */
#define W_EXECUTOR 1 /* kernel/exec.c doca_queue_end_looked_at() */
#define W_SETTER 2 /* kernel/ops/sync.c doca_sync_written() */
#define W_STATE 3 /* kernel/queue.c doca_queue_raise_state() */
#define B_WORKER 4 /* kernel/worker.c doca_worker_sleep() */
#define B_WAKER 5 /* kernel/thread.c doca_thread_wake() */
#define V_READER 6 /* kernel/ops/sync.c doca_sync_read() */
#define V_SETTER 7 /* kernel/ops/sync.c doca_sync_write() */
/*
 * The same as others:
 * W_EXECUTOR: kernel/poller.c doca_poller_run()
 * B_WORKER: kernel/poller.c doca_poller_sleep()
 * B_WORKER: kernel/thread_member.c doca_thread_begin()
 * V_SETTER: kernel/ops/sync.c doca_sync_add()
 * V_SETTER: kernel/ops/sync.c doca_sync_access()
 * V_READER: lib/core/contexts/sync_event_value.c load()
 * V_SETTER: lib/core/contexts/sync_event_value.c doca_sync_event_update_set()
 * V_SETTER: lib/core/contexts/sync_event_value.c doca_sync_event_update_add()
 */

#define THREADS 2
#define PLACES 6

#define DATA 0
#define VALUE 1
#define STATE 2
#define WATCHED 3
#define DUE 4
#define TASK 5

#include "memory.pml"

active proctype executor()
{
	byte me = 0;

	/* The first look, by which it is decided that there is something to wait for. */
	load(VALUE);
	use(VALUE);
	store(WATCHED, 1);
	store(DUE, 1);
	do
	:: load(DUE);
		use(DUE);
		if
		:: value(DUE) ->
			store(DUE, 0);
			fence(W_EXECUTOR)
		:: else
		fi;
		load(STATE);
		acquire(V_READER, VALUE);
		load(DATA);
		use(STATE);
		use(VALUE);
		use(DATA);
		if
		:: value(STATE) -> break
		:: value(VALUE) ->
			assert(value(DATA) == 1);
			break
		:: else
		fi;
		if
		:: store(TASK, IDLE);
			fence(B_WORKER);
			load(DUE);
			use(DUE);
			if
			:: value(DUE) -> store(TASK, RUNNING)
			:: else ->
				use(TASK);
				mem[TASK] == RUNNING
			fi
		:: skip
		fi
	od
}

/* The watch is seen under the lock under which it was added. */
inline wake_watcher()
{
	load(DUE);
	use(DUE);
	if
	:: value(DUE)
	:: else ->
		store(DUE, 1);
		wake(B_WAKER, TASK)
	fi
}

active proctype other()
{
	byte me = 1;

	if
	:: wake_watcher()
	:: skip
	fi;
	if
	:: store(DATA, 1);
		release(V_SETTER, VALUE, 1);
		fence(W_SETTER);
		load(WATCHED);
		use(WATCHED);
		if
		:: value(WATCHED) -> wake_watcher()
		:: else
		fi
	:: store(STATE, 1);
		fence(W_STATE);
		store(DUE, 1);
		wake(B_WAKER, TASK)
	fi
}
