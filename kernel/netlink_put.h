/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Listings of files and of the objects in them. */
#ifndef DOCA_NETLINK_PUT_H
#define DOCA_NETLINK_PUT_H

#include <linux/doca_netlink.h>

struct doca_dm_holder;
struct doca_export;
struct doca_device;
struct doca_file;
struct doca_mapping;
struct doca_memory;
struct doca_queue;
struct doca_worker;
struct netlink_callback;
struct sk_buff;

/**
 * struct doca_nl_out - destination of the messages of a listing
 * @skb: buffer being filled
 * @cb: the dump
 * @cmd: command of the listing
 * @privileged: the reader may see addresses, and objects of all users
 * @part: where to go on in the object with which the message before has ended; set to 0 with
 *	the next one
 */
struct doca_nl_out {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	enum doca_genl_cmd cmd;
	bool privileged;
	u32 *part;
};

/* Put an attribute, or return -EMSGSIZE. */
int doca_nl_put_u64(struct sk_buff *skb, int attr, u64 value);
int doca_nl_put_flag(struct sk_buff *skb, int attr, bool value);
int doca_nl_put_device_of(struct sk_buff *skb,
			  const struct doca_device *device);

/* Begin a message with the attributes that all have; NULL if there is no room. */
void *doca_nl_begin(const struct doca_nl_out *out,
		    const struct doca_file *file);
/* End it; if @rc is not 0 there was no room, and it is taken back. Returns 0 or -EMSGSIZE. */
int doca_nl_end(const struct doca_nl_out *out, void *hdr, int rc);

/*
 * Each function appends a message, or appends nothing and returns -EMSGSIZE. The caller has a
 * reference to the object.
 */
int doca_nl_put_file(const struct doca_nl_out *out, struct doca_file *file);
int doca_nl_put_memory(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_memory *memory);
int doca_nl_put_mapping(const struct doca_nl_out *out, struct doca_file *file,
			const struct doca_mapping *mapping);
int doca_nl_put_export(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_export *export);
int doca_nl_put_worker(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_worker *worker);
int doca_nl_put_dm(const struct doca_nl_out *out, struct doca_file *file,
		   const struct doca_dm_holder *holder);
int doca_nl_put_queue(const struct doca_nl_out *out, struct doca_file *file,
		      const struct doca_queue *queue);

#endif
