// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include <linux/netlink.h>

#include "family.h"
#include "msg.h"

/* Repeat a listing that a change has interrupted, but not for ever. */
#define MAX_TRIES 4

uint64_t record_value(const struct record *record, int attr)
{
	struct nlattr *nla = record->attrs[attr];

	if (!nla)
		return 0;
	switch (nla_len(nla)) {
	case 0:
		return 1;
	case sizeof(uint32_t):
		return nla_get_u32(nla);
	case sizeof(uint64_t):
		return nla_get_u64(nla);
	}
	return 0;
}

const char *record_string(const struct record *record, int attr)
{
	struct nlattr *nla = record->attrs[attr];

	/* A string from the kernel ends with a NUL. */
	if (!nla || !nla_len(nla) ||
	    ((char *)nla_data(nla))[nla_len(nla) - 1] != '\0')
		return "";
	return nla_data(nla);
}

static void records_clear(struct records *records)
{
	size_t i;

	for (i = 0; i < records->n; i++)
		free(records->all[i].hdr);
	records->n = 0;
	records->failed = false;
}

void records_free(struct records *records)
{
	records_clear(records);
	free(records->all);
	*records = (struct records){ 0 };
}

static int records_grow(struct records *records)
{
	size_t room = records->room ? 2 * records->room : 64;
	struct record *all;

	all = reallocarray(records->all, room, sizeof(*all));
	if (!all)
		return -1;
	records->all = all;
	records->room = room;
	return 0;
}

/* Without the family there are no events, but no error either. */
static void hear_of_families(struct family *family, struct nlmsghdr *hdr)
{
	struct genlmsghdr *genl = nlmsg_data(hdr);
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];

	if (genl->cmd == CTRL_CMD_DELFAMILY &&
	    !genlmsg_parse(hdr, 0, attrs, CTRL_ATTR_MAX, NULL) &&
	    attrs[CTRL_ATTR_FAMILY_ID] &&
	    nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]) == family->id)
		family->gone = true;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct family *family = arg;
	struct records *records = family->records;
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	struct record *record;

	if (hdr->nlmsg_type == GENL_ID_CTRL) {
		hear_of_families(family, hdr);
		return NL_OK;
	}
	if (!records || records->failed)
		return NL_OK;
	if (records->n == records->room && records_grow(records))
		goto err;
	record = &records->all[records->n];
	record->hdr = malloc(hdr->nlmsg_len);
	if (!record->hdr)
		goto err;
	memcpy(record->hdr, hdr, hdr->nlmsg_len);
	if (genlmsg_parse(record->hdr, 0, record->attrs, DOCA_GENL_A_MAX, NULL))
		free(record->hdr);
	else
		records->n++;
	return NL_OK;

err:
	records->failed = true;
	return NL_OK;
}

/* Copy the kernel's message, which follows the request that it repeats. */
static void take_reason(struct family *family, struct nlmsghdr *hdr,
			struct nlmsgerr *err)
{
	const char *end = (char *)hdr + hdr->nlmsg_len;
	size_t skip = sizeof(*err);
	struct nlattr *attrs[NLMSGERR_ATTR_MAX + 1];
	char *at;

	if (!(hdr->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - NLMSG_HDRLEN;
	at = (char *)err + NLMSG_ALIGN(skip);
	if (at < end &&
	    !nla_parse(attrs, NLMSGERR_ATTR_MAX, (struct nlattr *)at, end - at,
		       NULL) &&
	    attrs[NLMSGERR_ATTR_MSG])
		nla_strlcpy(family->reason, attrs[NLMSGERR_ATTR_MSG],
			    sizeof(family->reason));
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct nlmsghdr *hdr = (void *)((char *)err - NLMSG_HDRLEN);
	struct family *family = arg;

	(void)from;
	family->error = err->error;
	take_reason(family, hdr, err);
	return NL_STOP;
}

/* A listing that fails in the middle says so at its end. */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct family *family = arg;

	if (nlmsg_datalen(nlmsg_hdr(msg)) >= (int)sizeof(int))
		family->error = *(int *)nlmsg_data(nlmsg_hdr(msg));
	return NL_STOP;
}

static int say_not_there(int err)
{
	if (err == -NLE_OBJ_NOTFOUND) {
		fail("the driver is not loaded");
		hint("Load it with 'modprobe doca'.");
		return -1;
	}
	return fail("cannot reach the driver: %s", nl_geterror(err));
}

int family_open(struct family *family)
{
	int one = 1;
	int err;

	*family = (struct family){ .sock = nl_socket_alloc() };
	if (!family->sock)
		return fail("out of memory");
	err = genl_connect(family->sock);
	if (!err) {
		family->id = genl_ctrl_resolve(family->sock, DOCA_GENL_NAME);
		err = family->id < 0 ? family->id : 0;
	}
	if (err) {
		family_close(family);
		return say_not_there(err);
	}
	/* This only improves messages; an error without one is an error, too. */
	setsockopt(nl_socket_get_fd(family->sock), SOL_NETLINK, NETLINK_EXT_ACK,
		   &one, sizeof(one));
	nl_socket_modify_cb(family->sock, NL_CB_VALID, NL_CB_CUSTOM, on_valid,
			    family);
	nl_socket_modify_cb(family->sock, NL_CB_FINISH, NL_CB_CUSTOM, on_finish,
			    family);
	nl_socket_modify_err_cb(family->sock, NL_CB_CUSTOM, on_error, family);
	return 0;
}

void family_close(struct family *family)
{
	nl_socket_free(family->sock);
}

static int put_argument(struct nl_msg *msg, const struct argument *arg)
{
	if (arg->text)
		return nla_put_string(msg, arg->attr, arg->text);
	if (arg->flag)
		return nla_put_flag(msg, arg->attr);
	return nla_put_u32(msg, arg->attr, arg->value);
}

static int put_arguments(struct nl_msg *msg, const struct argument *args)
{
	int err = 0;

	for (; args && args->attr && !err; args++)
		err = put_argument(msg, args);
	return err;
}

/* Send a request and take the answer. */
static int request(struct family *family, int cmd, int flags,
		   const struct argument *args)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err = -NLE_NOMEM;

	family->error = 0;
	family->reason[0] = '\0';
	if (msg &&
	    genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family->id, 0, flags,
			cmd, DOCA_GENL_VERSION) &&
	    !put_arguments(msg, args))
		err = nl_send_auto(family->sock, msg);
	nlmsg_free(msg);
	if (err >= 0)
		err = nl_recvmsgs_default(family->sock);
	/* The kernel's errors are in family->error. */
	return family->error ? 0 : err;
}

static int say_refused(const struct family *family)
{
	if (family->error == -EOPNOTSUPP) {
		fail("the loaded driver does not know this request");
		hint("It is older than this program; load the one that came with it.");
		return -1;
	}
	return fail("%s", family->reason[0] ? family->reason :
					      strerror(-family->error));
}

static int list(struct family *family, int cmd, struct records *records)
{
	int tries = MAX_TRIES;
	int err;

	family->records = records;
	do {
		records_clear(records);
		err = request(family, cmd, NLM_F_DUMP, NULL);
	} while (err == -NLE_DUMP_INTR && --tries);
	family->records = NULL;
	family->interrupted += err == -NLE_DUMP_INTR;
	return err;
}

/* The result of list(), whose refusals are in family->error. */
static int listed(const struct family *family, const struct records *records,
		  int err)
{
	if (family->error)
		return say_refused(family);
	if (records->failed)
		return fail("out of memory");
	/* Objects that came and went do not matter: all that stayed are there. */
	if (err && err != -NLE_DUMP_INTR)
		return fail("cannot read the listing: %s", nl_geterror(err));
	return 0;
}

int family_list(struct family *family, int cmd, struct records *records)
{
	return listed(family, records, list(family, cmd, records));
}

int family_list_if_known(struct family *family, int cmd,
			 struct records *records)
{
	int err = list(family, cmd, records);

	if (family->error == -EOPNOTSUPP)
		return 0;
	return listed(family, records, err);
}

/*
 * The driver checks the right before the arguments: a revocation that names no export revokes
 * nothing.
 */
int family_is_privileged(struct family *family, bool *privileged)
{
	int err = request(family, DOCA_GENL_CMD_EXPORT_REVOKE, NLM_F_ACK, NULL);

	if (err)
		return fail("cannot ask the driver: %s", nl_geterror(err));
	if (family->error != -EINVAL && family->error != -EPERM)
		return say_refused(family);
	*privileged = family->error == -EINVAL;
	return 0;
}

/* The driver explains its refusals, unless it does not know the command. */
int family_change(struct family *family, int cmd, const struct argument *args,
		  const char *what, const char *whom)
{
	int err = request(family, cmd, NLM_F_ACK, args);

	if (err)
		return fail("cannot %s %s: %s", what, whom, nl_geterror(err));
	if (!family->error)
		return 0;
	if (family->error == -EOPNOTSUPP && !family->reason[0])
		return say_refused(family);
	fail("cannot %s %s: %s", what, whom,
	     family->reason[0] ? family->reason : strerror(-family->error));
	if (family->error == -EPERM)
		hint("Run it as root, outside of containers.");
	return -1;
}

static int join(struct family *family, const char *name, const char *group)
{
	int id = genl_ctrl_resolve_grp(family->sock, name, group);

	return id < 0 ? id : nl_socket_add_membership(family->sock, id);
}

int family_subscribe(struct family *family)
{
	int err = join(family, DOCA_GENL_NAME, DOCA_GENL_MCGRP_DEVICE);

	if (!err)
		err = join(family, "nlctrl", "notify");
	if (err)
		return fail("cannot listen to the driver: %s",
			    nl_geterror(err));
	nl_socket_disable_seq_check(family->sock);
	return 0;
}

int family_wait(struct family *family, struct records *records)
{
	int err;

	records_clear(records);
	family->records = records;
	err = nl_recvmsgs_default(family->sock);
	family->records = NULL;
	if (family->gone)
		return fail("the driver was unloaded");
	if (err == -NLE_NOMEM) {
		fail("some events were lost");
		hint("'docactl device show' lists what there is now.");
		return 0;
	}
	if (err)
		return fail("cannot listen to the driver: %s",
			    nl_geterror(err));
	return 0;
}
