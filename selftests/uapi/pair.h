/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Requests for pairs of devices, and a pair for tests */
#ifndef SELFTESTS_UAPI_PAIR_H
#define SELFTESTS_UAPI_PAIR_H

#include "doca_nl.h"

/* Attributes of a request; those that are NULL or 0 are left out */
struct wanted {
	const char *name;
	const char *dpu_pci, *host_pci;
	uint32_t dpu, host;
	bool any_user;
};

static inline int function_change(struct family *nl, int cmd, const struct wanted *w)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err;

	genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, NLM_F_ACK, cmd,
		    DOCA_GENL_VERSION);
	if (w->name)
		nla_put_string(msg, DOCA_GENL_A_FUNCTION_NAME, w->name);
	if (w->dpu)
		nla_put_u32(msg, DOCA_GENL_A_DPU_ID, w->dpu);
	if (w->host)
		nla_put_u32(msg, DOCA_GENL_A_HOST_ID, w->host);
	if (w->dpu_pci)
		nla_put_string(msg, DOCA_GENL_A_DPU_PCI, w->dpu_pci);
	if (w->host_pci)
		nla_put_string(msg, DOCA_GENL_A_HOST_PCI, w->host_pci);
	if (w->any_user)
		nla_put_flag(msg, DOCA_GENL_A_ANY_USER);
	nl->err = 0;
	nl->message[0] = '\0';
	err = nl_send_auto(nl->sock, msg);
	nlmsg_free(msg);
	if (err < 0)
		return -EIO;
	nl_recvmsgs_default(nl->sock);
	return nl->err;
}

/* The function whose devices programs find, with the devices that it has made */
struct pair {
	uint32_t function, dpu, host;
};

#define PAIR_NAME "selftest"

static inline void pair_find(struct family *nl, struct pair *pair)
{
	struct listing l;
	int i;

	if (family_list(nl, DOCA_GENL_CMD_FUNCTION_GET, &l))
		return;
	for (i = 0; i < l.n; i++) {
		if (strcmp(l.e[i].function, PAIR_NAME))
			continue;
		pair->function = l.e[i].v[DOCA_GENL_A_FUNCTION_ID];
		pair->dpu = l.e[i].v[DOCA_GENL_A_DPU_ID];
		pair->host = l.e[i].v[DOCA_GENL_A_HOST_ID];
	}
	listing_free(&l);
}

static inline int pair_make(struct pair *pair, bool any_user)
{
	const struct wanted wanted = {
		.name = PAIR_NAME,
		.dpu_pci = "0000:e5:00.0",
		.host_pci = "0000:e6:00.0",
		.any_user = any_user,
	};
	struct family nl;
	int err = family_open(&nl);

	*pair = (struct pair){ 0 };
	if (err)
		return err;
	err = function_change(&nl, DOCA_GENL_CMD_FUNCTION_ADD, &wanted);
	if (!err)
		pair_find(&nl, pair);
	family_close(&nl);
	return err;
}

static inline int pair_end(void)
{
	struct family nl;
	int err = family_open(&nl);

	if (err)
		return err;
	err = function_change(&nl, DOCA_GENL_CMD_FUNCTION_DEL,
			      &(struct wanted){ .name = PAIR_NAME });
	family_close(&nl);
	return err;
}

#endif
