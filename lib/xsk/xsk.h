/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Frames of a network interface that go past the kernel's protocols: AF_XDP sockets
 * on all receive queues of an interface, over one memory, and the XDP program that
 * says which frames they get. Internal; linked into each library that needs it.
 *
 * A struct xsk belongs to one thread at a time. Steering is thread safe.
 */
#ifndef DOCA_XSK_XSK_H
#define DOCA_XSK_XSK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules.h"

#define XSK_MAX_CHUNKS 65536
#define XSK_XDP_HEADROOM 256 /* of each chunk, the kernel's */

/* What an interface gave, which is not chosen but found out. */
enum xsk_mode {
	XSK_NONE,
	/*
	 * A copy, too, and behind the driver, where the kernel may have merged frames. So those
	 * with a checksum that was left to a card are the kernel's.
	 */
	XSK_LATE,
	XSK_COPY, /* the kernel copies each frame into the memory */
	XSK_ZEROCOPY, /* the card writes there */
};

const char *xsk_mode_name(enum xsk_mode mode);

/* Was the library built with what it takes? */
bool xsk_is_built(void);

/* What it was that could not be done. */
enum xsk_step {
	XSK_STEP_BUILT, /* the library was built without what it takes */
	XSK_STEP_INTERFACE,
	XSK_STEP_QUEUES,
	XSK_STEP_MEMORY,
	XSK_STEP_BIND,
	XSK_STEP_PROGRAM,
	XSK_STEP_ATTACH,
	XSK_STEP_MAP,
};

struct xsk_why {
	enum xsk_step step;
	int err; /* negative errno */
	char text[240]; /* reason and remedy, for a line in the log */
};

/* Fill in why; returns @err. */
int xsk_explain(struct xsk_why *why, enum xsk_step step, int err,
		const char *ifname, size_t bytes);

struct xsk_attr {
	const char *ifname;
	void *memory; /* of whole pages */
	size_t length;
	uint32_t chunk; /* 2048 or 4096 */
	uint32_t headroom; /* before each frame, beside the kernel's */
	uint32_t room; /* of the longest frame; longer ones go to the kernel */
	uint32_t burst; /* frames that may wait, in each queue */
	/*
	 * Chunks that the program has yet, as of an earlier struct xsk over this memory;
	 * or NULL.
	 */
	bool (*is_held)(uint32_t chunk, void *arg);
	void *arg;
};

struct xsk;

/* 0, or a negative errno with @why. All chunks are the kernel's then. */
int xsk_open(struct xsk **xsk, const struct xsk_attr *attr,
	     struct xsk_why *why);

/*
 * Another receiver of frames on the interface of @host, which is closed after it. All
 * that concerns chunks is asked of the host: its memory is the memory of both. Each
 * belongs to one thread at a time, and so do the host's chunks.
 */
int xsk_share(struct xsk **xsk, struct xsk *host, uint32_t burst,
	      struct xsk_why *why);

/* Its frames go to the kernel again. @forked: it belongs to the parent, which goes on. */
void xsk_close(struct xsk *xsk, bool forked);

/* A frame is in a chunk until that is given back. */
struct xsk_frame {
	void *data;
	uint32_t length;
	uint32_t chunk;
};

bool xsk_next(struct xsk *xsk, struct xsk_frame *frame);
/* The same, which stays the next: it is the kernel's chunk until xsk_next(). */
bool xsk_look(struct xsk *xsk, struct xsk_frame *frame);
bool xsk_pending(const struct xsk *xsk);

/* False, and nothing happens, if the chunk is not the program's. */
bool xsk_give(struct xsk *xsk, uint32_t chunk);

/*
 * Let the kernel have what was given back. May call it, if its driver asks for that: so it
 * is called before a wait, too.
 */
void xsk_refill(struct xsk *xsk);

/* What the rule of a frame had to say, once; zeros if it was nothing. */
struct xsk_tags {
	uint32_t flow_tag;
	uint32_t metadata;
};

struct xsk_tags xsk_take_tags(const struct xsk_frame *frame);

uint32_t xsk_chunks(const struct xsk *xsk);
/* Those of each receive queue, which follow each other. */
uint32_t xsk_slice(const struct xsk *xsk);
enum xsk_mode xsk_mode(const struct xsk *xsk);
/* Readable while a frame is pending, and not if the interface is gone. */
int xsk_fd(const struct xsk *xsk);
/* 0, or why no frame will come any more. A system call. */
int xsk_error(const struct xsk *xsk);
/* Frames that the kernel had no room for. A system call. */
uint64_t xsk_lost(const struct xsk *xsk);

/*
 * Frames that match a rule go to the queue of that number, while there is one on the
 * interface, and to the kernel while there is not. Rules may come before their queue.
 * The number is the one that xsk_bind_number() gave it.
 */
struct xsk_rule;

struct xsk_rule_attr {
	struct steer_match match;
	enum steer_action action;
	uint16_t number;
	struct xsk_tags tags;
	uint64_t lease; /* it ends that many ns from now unless it is renewed; 0: never */
};

int xsk_rule_add(struct xsk_rule **rule, const char *ifname,
		 const struct xsk_rule_attr *attr, struct xsk_why *why);
void xsk_rule_del(struct xsk_rule *rule);
/* A lease of @ns from now on; 0: it is over at once, and may be renewed. */
int xsk_rule_renew(struct xsk_rule *rule, uint64_t ns);
/* Another target for what it matches; it stays as it was if that fails. */
int xsk_rule_change(struct xsk_rule *rule, const struct xsk_rule_attr *attr);

/* Give a queue the number that rules name; -EBUSY if one there has it. */
int xsk_bind_number(struct xsk *xsk, uint16_t number, struct xsk_why *why);

/*
 * Fork handlers. A library that calls the above under locks of its own calls these from
 * its handlers, behind those locks; others register them as they are. The child holds no
 * interface, so frames are not lost for as long as it lives.
 */
void xsk_fork_prepare(void);
void xsk_fork_parent(void);
void xsk_fork_child(void);

#endif /* DOCA_XSK_XSK_H */
