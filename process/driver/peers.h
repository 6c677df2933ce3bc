/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The service thread, doca-peers: made with the first export or import, it sleeps until a
 * descriptor has something for it. Watches belong to it, and only it frees them.
 */
#ifndef INPROC_PEERS_H
#define INPROC_PEERS_H

#include "shim/kernel.h"

struct peers_watch {
	int fd;
	void (*ready)(struct peers_watch *watch);
};

/* A moment in local_clock(), for calls that wait until then. */
struct timespec peers_time(u64 until);

/* What others have left for the thread is looked for in every round of it. */
int peers_start(void);
void peers_end(void);
/* In the child of a fork, before it forgets: close what the parent has. */
void peers_child(void);
void peers_poke(void);
/*
 * Let other threads have the CPU. True if one had it: more threads look for work of others
 * than there are CPUs, and one that goes on looking keeps it from being done.
 */
bool peers_yield(void);
int peers_watch(struct peers_watch *watch);
/* Whether it is to be told, too, when there is room for what could not be sent. */
void peers_watch_room(struct peers_watch *watch, bool room);
/* Of one that cannot be served now, although it would be told of all the time. */
void peers_watch_pause(struct peers_watch *watch, bool pause);
/* Before it is closed, for a child that was forked just now may have it, too. */
void peers_unwatch(struct peers_watch *watch);

/*
 * Descriptors that a child must not keep, because it would keep their connections alive:
 * each has a place from its creation until it is closed. -1: there is no room. No thread
 * forks between peers_hold_forks(), before one is made, and peers_let_fork(), when it has
 * its place: nothing is waited for meanwhile.
 */
void peers_hold_forks(void);
void peers_let_fork(void);
int peers_keep(int fd);
/* A socket, with its place; -errno. */
int peers_socket(int *place);
void peers_close(int place);
/* Of one that is closed otherwise, before it is. */
void peers_forget(int place);

/* listen.c: the exporter's end */
int listen_start(void);
/* Until it lets in those who have connected, in ms; -1: it does. */
int listen_patience(void);
void listen_end(void);

/* link.c: the importer's end */
void link_run(void);
void link_reap_closed(void);
void link_end(void);

/* remote.c: operations */
void remote_start(void);
void remote_run(void);
void remote_end(void);
/* A program is about to sleep: answers from now on must wake it. */
struct doca_queue;
void remote_arm(struct doca_queue *queue);
/* It calls, and looks itself. Whether it has anything away. */
bool remote_awake(struct doca_queue *queue);
/*
 * After a call that executes: wait a moment for answers, if it had nothing else to do,
 * and wake the threads that have asked for it.
 */
struct doca_queue_enter;
void remote_linger(struct doca_queue *queue,
		   const struct doca_queue_enter *enter, bool was_away);

#endif /* INPROC_PEERS_H */
