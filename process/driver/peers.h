/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Descriptors of connections between processes: their watches, which belong to the service
 * thread and which it alone frees, and their places.
 */
#ifndef INPROC_PEERS_H
#define INPROC_PEERS_H

#include "shim/kernel.h"

struct peers_watch {
	int fd;
	void (*ready)(struct peers_watch *watch);
};

/* Call these before the first watch, and after the last. */
int peers_open(void);
void peers_shut(void);
/* For the service thread: wait @timeout ms, -1 for ever, and serve what is ready. */
void peers_wait(int timeout);
/* Wake the service thread. */
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
/* Accept a connection, with its place; or return -1, and set errno. */
int peers_accept(int listening, int *place);
void peers_close(int place);
/* Give up a place before its descriptor is closed otherwise. */
void peers_forget(int place);
/* Close the parent's descriptors in the child of a fork, before it forgets them. */
void peers_child(void);

#endif /* INPROC_PEERS_H */
