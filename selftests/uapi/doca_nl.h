/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The netlink family as the tests use it: requests, and listings read into memory. */
#ifndef DOCA_NL_H
#define DOCA_NL_H

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include <linux/doca_netlink.h>
#include <linux/netlink.h>

#include "doca_uapi.h"

#define LISTING_MAX 4096
#define NL_MESSAGE_MAX 128

/* Attributes of one object; strings are apart. Flags are 1. */
struct entry {
	bool has[DOCA_GENL_A_MAX + 1];
	uint64_t v[DOCA_GENL_A_MAX + 1];
	char comm[32];
	char dev[64];
	char function[32];
	char vuid[64];
	char server[DOCA_SERVER_NAME_SIZE];
	char resource[32];
};

struct listing {
	struct entry *e;
	int n;
	bool interrupted;
};

struct family {
	struct nl_sock *sock;
	int family;
	int err; /* the kernel's errno, negative */
	char message[NL_MESSAGE_MAX]; /* its extended acknowledgment */
	struct listing *listing;
};

static inline int family_on_valid(struct nl_msg *msg, void *arg)
{
	struct nlattr *attrs[DOCA_GENL_A_MAX + 1];
	struct listing *l = ((struct family *)arg)->listing;
	struct entry *e;
	int i;

	if (!l || l->n == LISTING_MAX ||
	    genlmsg_parse(nlmsg_hdr(msg), 0, attrs, DOCA_GENL_A_MAX, NULL))
		return NL_SKIP;
	if (nlmsg_hdr(msg)->nlmsg_flags & NLM_F_DUMP_INTR)
		l->interrupted = true;
	e = &l->e[l->n++];
	*e = (struct entry){};
	for (i = 1; i <= DOCA_GENL_A_MAX; i++) {
		if (!attrs[i])
			continue;
		e->has[i] = true;
		if (i == DOCA_GENL_A_COMM)
			nla_strlcpy(e->comm, attrs[i], sizeof(e->comm));
		else if (i == DOCA_GENL_A_DEV_NAME)
			nla_strlcpy(e->dev, attrs[i], sizeof(e->dev));
		else if (i == DOCA_GENL_A_FUNCTION_NAME)
			nla_strlcpy(e->function, attrs[i], sizeof(e->function));
		else if (i == DOCA_GENL_A_FUNCTION_VUID)
			nla_strlcpy(e->vuid, attrs[i], sizeof(e->vuid));
		else if (i == DOCA_GENL_A_SERVER_NAME)
			nla_strlcpy(e->server, attrs[i], sizeof(e->server));
		else if (i == DOCA_GENL_A_RESOURCE)
			nla_strlcpy(e->resource, attrs[i], sizeof(e->resource));
		else if (!nla_len(attrs[i]))
			e->v[i] = 1;
		else if (nla_len(attrs[i]) <= sizeof(e->v[i]))
			memcpy(&e->v[i], nla_data(attrs[i]), nla_len(attrs[i]));
	}
	return NL_OK;
}

static inline int family_on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct nlmsghdr *nlh = (void *)((char *)err - NLMSG_HDRLEN);
	struct nlattr *attr, *end = (void *)((char *)nlh + nlh->nlmsg_len);
	struct family *nl = arg;
	size_t skip = sizeof(*err);

	(void)from;
	nl->err = err->error;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - NLMSG_HDRLEN;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NL_STOP;
	attr = (void *)((char *)err + NLMSG_ALIGN(skip));
	for (; attr + 1 <= end && attr->nla_len >= sizeof(*attr);
	     attr = (void *)((char *)attr + NLA_ALIGN(attr->nla_len)))
		if (nla_type(attr) == NLMSGERR_ATTR_MSG)
			nla_strlcpy(nl->message, attr, sizeof(nl->message));
	return NL_STOP;
}

static inline int family_on_finish(struct nl_msg *msg, void *arg)
{
	struct family *nl = arg;

	if (nlmsg_hdr(msg)->nlmsg_flags & NLM_F_DUMP_INTR && nl->listing)
		nl->listing->interrupted = true;
	/* A dump that fails says so at its end */
	if (nlmsg_datalen(nlmsg_hdr(msg)) >= sizeof(int))
		nl->err = *(int *)nlmsg_data(nlmsg_hdr(msg));
	return NL_STOP;
}

static inline int family_open(struct family *nl)
{
	int one = 1;

	*nl = (struct family){ .sock = nl_socket_alloc() };
	if (!nl->sock || genl_connect(nl->sock))
		return -EIO;
	nl->family = genl_ctrl_resolve(nl->sock, DOCA_GENL_NAME);
	if (nl->family < 0)
		return -ENOENT;
	setsockopt(nl_socket_get_fd(nl->sock), SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	nl_socket_modify_cb(nl->sock, NL_CB_VALID, NL_CB_CUSTOM, family_on_valid, nl);
	nl_socket_modify_cb(nl->sock, NL_CB_FINISH, NL_CB_CUSTOM, family_on_finish, nl);
	nl_socket_modify_err_cb(nl->sock, NL_CB_CUSTOM, family_on_error, nl);
	return 0;
}

static inline void family_close(struct family *nl)
{
	nl_socket_free(nl->sock);
}

/* Send a request with one attribute, if its size is not 0 */
static inline int family_send_request(struct family *nl, int cmd, int flags, int attr,
				  const void *data, int size)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err;

	genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, flags, cmd, DOCA_GENL_VERSION);
	if (size)
		nla_put(msg, attr, size, data);
	err = nl_send_auto(nl->sock, msg);
	nlmsg_free(msg);
	return err < 0 ? -EIO : 0;
}

/* Wait for the answer; return the kernel's errno */
static inline int family_receive(struct family *nl)
{
	nl->err = 0;
	nl->message[0] = '\0';
	nl_recvmsgs_default(nl->sock);
	return nl->err;
}

static inline int family_request(struct family *nl, int cmd, int flags, int attr,
			     const void *data, int size)
{
	if (family_send_request(nl, cmd, flags, attr, data, size))
		return -EIO;
	return family_receive(nl);
}

static inline int family_revoke(struct family *nl, uint32_t export_id)
{
	return family_request(nl, DOCA_GENL_CMD_EXPORT_REVOKE, NLM_F_ACK,
			  DOCA_GENL_A_EXPORT_ID, &export_id, sizeof(export_id));
}

static inline void listing_free(struct listing *l)
{
	free(l->e);
	*l = (struct listing){};
}

/* Get a whole listing */
static inline int family_list(struct family *nl, int cmd, struct listing *l)
{
	int err;

	*l = (struct listing){ .e = malloc(LISTING_MAX * sizeof(*l->e)) };
	nl->listing = l;
	err = family_request(nl, cmd, NLM_F_DUMP, 0, NULL, 0);
	nl->listing = NULL;
	return err;
}

static const int all_listings[] = {
	DOCA_GENL_CMD_FILE_GET,	  DOCA_GENL_CMD_MEMORY_GET, DOCA_GENL_CMD_MAPPING_GET,
	DOCA_GENL_CMD_EXPORT_GET, DOCA_GENL_CMD_WORKER_GET, DOCA_GENL_CMD_QUEUE_GET,
	DOCA_GENL_CMD_DM_GET,	  DOCA_GENL_CMD_ENDPOINT_GET, DOCA_GENL_CMD_CONNECTION_GET,
};

#define NR_LISTINGS (sizeof(all_listings) / sizeof(all_listings[0]))

/* Find the only entry with this value, or return NULL */
static inline const struct entry *listing_find(const struct listing *l, int attr, uint64_t value)
{
	const struct entry *found = NULL;
	int i;

	for (i = 0; i < l->n; i++) {
		if (!l->e[i].has[attr] || l->e[i].v[attr] != value)
			continue;
		if (found)
			return NULL;
		found = &l->e[i];
	}
	return found;
}

static inline int listing_count(const struct listing *l, int attr, uint64_t value)
{
	int i, n = 0;

	for (i = 0; i < l->n; i++)
		n += l->e[i].has[attr] && l->e[i].v[attr] == value;
	return n;
}

#endif /* DOCA_NL_H */
