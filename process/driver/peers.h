/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The service thread, doca-peers: started with the first export or import, it sleeps
 * until a descriptor has news for it. Watches belong to it, and only it frees them.
 */
#ifndef INPROC_PEERS_H
#define INPROC_PEERS_H

#include "shim/kernel.h"

struct peers_watch {
	int fd;
	void (*ready)(struct peers_watch *watch);
};

/* Convert a time of local_clock(), for calls that wait until then. */
struct timespec peers_time(u64 until);

/* Start the thread. It looks for work left by others in every round. */
int peers_start(void);
void peers_end(void);
/* Close the parent's descriptors in the child of a fork, before it forgets them. */
void peers_child(void);
void peers_poke(void);
/*
 * Let other threads have the CPU. Return true if one had it: then more threads poll than
 * there are CPUs, and one that keeps polling delays the work it waits for.
 */
bool peers_yield(void);
int peers_watch(struct peers_watch *watch);
/* Set whether it is also told when there is room for unsent messages. */
void peers_watch_room(struct peers_watch *watch, bool room);
/* Pause a watch that cannot be served now, but would be reported all the time. */
void peers_watch_pause(struct peers_watch *watch, bool pause);
/* Call it before the descriptor is closed: a child that was forked just now may have it, too. */
void peers_unwatch(struct peers_watch *watch);

/*
 * Descriptors that a child must not keep, because it would keep their connections alive:
 * each has a place from its creation until it is closed. -1: there is no room. No thread
 * forks between peers_hold_forks(), before one is made, and peers_let_fork(), when it has
 * its place: do not wait in between.
 */
void peers_hold_forks(void);
void peers_let_fork(void);
int peers_keep(int fd);
/* Make a socket, with its place; or return -errno. */
int peers_socket(int *place);
void peers_close(int place);
/* Give up a place before its descriptor is closed otherwise. */
void peers_forget(int place);

/* listen.c: the exporter's end */
int listen_start(void);
/* Return the ms until it accepts those that have connected; -1: it does. */
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
/* The program calls, and polls itself. Return true if operations are away. */
bool remote_awake(struct doca_queue *queue);
/*
 * Call it after a call that executes: wait a moment for answers, if the call had
 * nothing else to do, and wake the threads that have asked for it.
 */
struct doca_queue_enter;
void remote_linger(struct doca_queue *queue,
		   const struct doca_queue_enter *enter, bool was_away);

#endif /* INPROC_PEERS_H */
