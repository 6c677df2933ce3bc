/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Frames of a network interface that bypass the kernel's protocols: AF_XDP sockets
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
#define XSK_XDP_HEADROOM 256 /* bytes of each chunk that the kernel uses */

/* The mode that an interface supports: found out, not chosen. */
enum xsk_mode {
	XSK_NONE,
	/*
	 * A copy as well, but behind the driver, where the kernel may have merged frames. So
	 * frames whose checksum was left to a card go to the kernel.
	 */
	XSK_LATE,
	XSK_COPY, /* the kernel copies each frame into the memory */
	XSK_ZEROCOPY, /* the card writes there */
};

const char *xsk_mode_name(enum xsk_mode mode);

/* Return true if the library was built with libxdp and libbpf. */
bool xsk_is_built(void);

/* The step that failed. */
enum xsk_step {
	XSK_STEP_BUILT, /* the library was built without libxdp */
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

/* Fill in why; return @err. */
int xsk_explain(struct xsk_why *why, enum xsk_step step, int err,
		const char *ifname, size_t bytes);

struct xsk_attr {
	const char *ifname;
	void *memory; /* whole pages */
	size_t length;
	uint32_t chunk; /* 2048 or 4096 */
	uint32_t headroom; /* before each frame, besides the kernel's */
	uint32_t room; /* bytes for a frame; longer ones go to the kernel */
	uint32_t burst; /* frames that may wait in each queue */
	/*
	 * Chunks that the program still has from an earlier struct xsk over this memory;
	 * or NULL.
	 */
	bool (*is_held)(uint32_t chunk, void *arg);
	void *arg;
};

struct xsk;

/* Return 0, or a negative errno with @why. The kernel then has all chunks. */
int xsk_open(struct xsk **xsk, const struct xsk_attr *attr,
	     struct xsk_why *why);

/*
 * Open another receiver of frames on the interface of @host, which must be closed
 * later. It uses the host's memory: all calls about chunks go to the host. Each
 * belongs to one thread at a time, and so do the host's chunks.
 */
int xsk_share(struct xsk **xsk, struct xsk *host, uint32_t burst,
	      struct xsk_why *why);

/* Close it; its frames go to the kernel again. @forked: it belongs to the parent, which goes on. */
void xsk_close(struct xsk *xsk, bool forked);

/* A frame stays in a chunk until the chunk is given back. */
struct xsk_frame {
	void *data;
	uint32_t length;
	uint32_t chunk;
};

bool xsk_next(struct xsk *xsk, struct xsk_frame *frame);
/* Like xsk_next(), but it stays the next one, and the chunk is the kernel's until xsk_next(). */
bool xsk_look(struct xsk *xsk, struct xsk_frame *frame);
bool xsk_pending(const struct xsk *xsk);

/* Return false, and do nothing, if the program does not have the chunk. */
bool xsk_give(struct xsk *xsk, uint32_t chunk);

/*
 * Give the kernel the chunks that were given back. It calls the driver if the driver asks
 * for that: so call it before a wait, too.
 */
void xsk_refill(struct xsk *xsk);

/* Take the tags of a frame's rule, once; zeros if it had none. */
struct xsk_tags {
	uint32_t flow_tag;
	uint32_t metadata;
};

struct xsk_tags xsk_take_tags(const struct xsk_frame *frame);

uint32_t xsk_chunks(const struct xsk *xsk);
/* Return the number of chunks of each receive queue; these follow each other. */
uint32_t xsk_slice(const struct xsk *xsk);
enum xsk_mode xsk_mode(const struct xsk *xsk);
/* The descriptor is readable while a frame is pending, and not if the interface is gone. */
int xsk_fd(const struct xsk *xsk);
/* Return 0, or why no frame will come any more. It makes a system call. */
int xsk_error(const struct xsk *xsk);
/* Count frames that the kernel had no room for. It makes a system call. */
uint64_t xsk_lost(const struct xsk *xsk);

/*
 * Frames that match a rule go to the queue with that number while the interface has
 * one, and to the kernel otherwise. Rules may come before their queue.
 * xsk_bind_number() gives the number.
 */
struct xsk_rule;

struct xsk_rule_attr {
	struct steer_match match;
	enum steer_action action;
	uint16_t number;
	struct xsk_tags tags;
	uint64_t lease; /* ends that many ns from now unless renewed; 0: never */
};

int xsk_rule_add(struct xsk_rule **rule, const char *ifname,
		 const struct xsk_rule_attr *attr, struct xsk_why *why);
void xsk_rule_del(struct xsk_rule *rule);
/* Extend the lease to @ns from now; 0: it is over at once, and may be renewed. */
int xsk_rule_renew(struct xsk_rule *rule, uint64_t ns);
/* Change the target of a rule; it stays as it was if that fails. */
int xsk_rule_change(struct xsk_rule *rule, const struct xsk_rule_attr *attr);

/* Give a queue the number that rules name; -EBUSY if another queue there has it. */
int xsk_bind_number(struct xsk *xsk, uint16_t number, struct xsk_why *why);

/*
 * Fork handlers. A library that calls the above under locks of its own calls these from
 * its handlers, behind those locks; others register them as they are. The child holds no
 * interface, so no frames are lost while it lives.
 */
void xsk_fork_prepare(void);
void xsk_fork_parent(void);
void xsk_fork_child(void);

#endif /* DOCA_XSK_XSK_H */
