/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The functions to receive frames past the kernel: lib/xsk, and parsing of frames. They are
 * in a library of their own, libonload_xdp, which is loaded at the first use, for it needs
 * libraries that are not everywhere.
 */
#ifndef DOCA_ONLOAD_XDP_H
#define DOCA_ONLOAD_XDP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "xsk/xsk.h"

#define XDP_LIBRARY "libonload_xdp.so.1"
#define XDP_TABLE "onload_xdp"
#define XDP_VERSION 4 /* version of the table */

/* A UDP datagram in a frame. */
struct datagram {
	const uint8_t *mac; /* destination of the frame, 6 bytes */
	void *data;
	uint32_t length;
	bool partial; /* its checksum was never completed */
	uint8_t family; /* 4 or 6 */
	uint8_t hops; /* left */
	uint8_t traffic; /* TOS or traffic class */
	uint8_t from[16], to[16];
	uint16_t from_port; /* in network byte order */
};

struct onload_xdp {
	uint32_t version;
	bool (*has_own_hook)(int ifindex);
	int (*open)(struct xsk **xsk, const struct xsk_attr *attr,
		    struct xsk_why *why);
	int (*share)(struct xsk **xsk, struct xsk *host, uint32_t burst,
		     struct xsk_why *why);
	void (*close)(struct xsk *xsk, bool forked);
	bool (*next)(struct xsk *xsk, struct xsk_frame *frame);
	bool (*look)(struct xsk *xsk, struct xsk_frame *frame);
	bool (*pending)(const struct xsk *xsk);
	bool (*give)(struct xsk *xsk, uint32_t chunk);
	void (*refill)(struct xsk *xsk);
	uint32_t (*chunks)(const struct xsk *xsk);
	uint32_t (*slice)(const struct xsk *xsk);
	enum xsk_mode (*mode)(const struct xsk *xsk);
	const char *(*mode_name)(enum xsk_mode mode);
	int (*fd)(const struct xsk *xsk);
	int (*error)(const struct xsk *xsk);
	uint64_t (*lost)(const struct xsk *xsk);
	int (*bind_number)(struct xsk *xsk, uint16_t number,
			   struct xsk_why *why);
	int (*rule_add)(struct xsk_rule **rule, const char *ifname,
			const struct xsk_rule_attr *attr, struct xsk_why *why);
	void (*rule_del)(struct xsk_rule *rule);
	int (*rule_renew)(struct xsk_rule *rule, uint64_t ns);
	/* Return 0; or -EBADMSG if the kernel would not deliver it. */
	int (*datagram)(const struct xsk_frame *frame, struct datagram *to);
	void (*fork_prepare)(void);
	void (*fork_parent)(void);
	void (*fork_child)(void);
};

/* DOCA_ZC */
enum xdp_wanted { WANT_AUTO, WANT_XDP, WANT_KERNEL };

enum xdp_wanted xdp_wanted(void);

/* Load the table at its first use; NULL if that fails. */
const struct onload_xdp *xdp_load(char *reason, size_t room);
/* Return the table that was loaded. */
const struct onload_xdp *xdp_get(void);

#endif /* DOCA_ONLOAD_XDP_H */
