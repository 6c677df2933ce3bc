// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "core/base/errno_text.h"
#include "core/device/dev.h"
#include "hca.h"
#include "rdma.h"

LOG_SOURCE("RDMA");

#define MAX_MESSAGE (1U << 31)

static uint32_t lesser(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Return the largest power of two that is not more than @n. */
static uint32_t power_below(uint32_t n)
{
	return n ? 1U << (31 - __builtin_clz(n)) : 0;
}

static void fill(struct rdma_hca *hca, const struct ibv_device_attr *dev,
		 const struct ibv_port_attr *port)
{
	uint32_t send_list = lesser(dev->max_sge, RDMA_MAX_LIST);

	*hca = (struct rdma_hca){
		.atomics = dev->atomic_cap != IBV_ATOMIC_NONE,
		.ethernet = port->link_layer == IBV_LINK_LAYER_ETHERNET,
		.max_message = lesser(port->max_msg_sz, MAX_MESSAGE),
		.max_send_queue =
			power_below(lesser(dev->max_qp_wr, dev->max_cqe)),
		.max_receive_queue =
			power_below(lesser(dev->max_srq_wr, dev->max_cqe)),
		.max_tasks = dev->max_cqe,
		.send_list = send_list,
		.read_list = dev->max_sge_rd > 0 ?
				     lesser(send_list, dev->max_sge_rd) :
				     send_list,
		.receive_list = lesser(dev->max_srq_sge, RDMA_MAX_LIST),
		.gids = port->gid_tbl_len,
		.rd_atomic = lesser(dev->max_qp_rd_atom, UINT8_MAX),
		.init_rd_atomic = lesser(dev->max_qp_init_rd_atom, UINT8_MAX),
	};
}

/* Connections of iWARP are made in another way. */
static doca_error_t ask(struct ibv_context *context, struct rdma_hca *hca)
{
	struct ibv_device_attr dev;
	struct ibv_port_attr port;
	int err;

	if (context->device->transport_type != IBV_TRANSPORT_IB)
		return DOCA_ERROR_NOT_SUPPORTED;
	err = ibv_query_device(context, &dev);
	if (!err)
		err = ibv_query_port(context, DEV_PORT, &port);
	if (err)
		return FAIL(DRIVER, "%s does not tell what it can do: %s",
			    context->device->name, errno_text(err));
	if (dev.max_qp_wr <= 0 || dev.max_srq_wr <= 0 || dev.max_cqe <= 0 ||
	    dev.max_sge <= 0 || dev.max_srq_sge <= 0)
		return DOCA_ERROR_NOT_SUPPORTED;
	fill(hca, &dev, &port);
	return DOCA_SUCCESS;
}

/*
 * A context asks once for each kind of task, and opening takes long. So each thread keeps
 * the last answer. Numbers begin again when the module is loaded again.
 */
doca_error_t rdma_hca_ask(const struct doca_devinfo *devinfo,
			  struct rdma_hca *hca)
{
	static __thread struct rdma_hca last;
	static __thread char last_name[sizeof(devinfo->name)];
	static __thread uint32_t last_id;
	struct ibv_context *context;
	doca_error_t ret;

	if (last_id && last_id == devinfo->id &&
	    !strcmp(last_name, devinfo->name)) {
		*hca = last;
		return DOCA_SUCCESS;
	}
	context = dev_open_verbs(devinfo);
	if (!context && errno == ENODEV)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (!context)
		return FAIL(DRIVER, "cannot open %s: %s", devinfo->name,
			    errno_text(errno));
	ret = ask(context, hca);
	ibv_close_device(context);
	if (ret == DOCA_SUCCESS) {
		last = *hca;
		last_id = devinfo->id;
		memcpy(last_name, devinfo->name, sizeof(last_name));
	}
	return ret;
}

int rdma_port_ask(struct ibv_context *context, struct rdma_port *port)
{
	struct ibv_port_attr attr;
	int err = ibv_query_port(context, DEV_PORT, &attr);

	if (err)
		return -err;
	port->mtu = attr.active_mtu;
	port->lid = attr.lid;
	return 0;
}

/* Return how well a GID serves; the least is best. */
static unsigned int rank(const struct ibv_gid_entry *entry)
{
	static const uint8_t v4[12] = { [10] = 0xff, [11] = 0xff };
	const uint8_t *raw = entry->gid.raw;

	if (entry->gid_type == IBV_GID_TYPE_IB)
		return 0;
	if (entry->gid_type != IBV_GID_TYPE_ROCE_V2)
		return 4;
	if (!memcmp(raw, v4, sizeof(v4)))
		return 1;
	return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80 ? 3 : 2;
}

int rdma_gid_choose(struct ibv_context *context, uint32_t *index)
{
	struct ibv_gid_entry entries[RDMA_MAX_GIDS];
	const struct ibv_gid_entry *best = NULL;
	ssize_t n, i;

	n = ibv_query_gid_table(context, entries, RDMA_MAX_GIDS, 0);
	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		if (entries[i].port_num != DEV_PORT)
			continue;
		if (!best || rank(&entries[i]) < rank(best))
			best = &entries[i];
	}
	if (!best)
		return -ENOENT;
	*index = best->gid_index;
	return 0;
}

static bool has(const struct rdma_gids *gids, const union ibv_gid *gid)
{
	uint32_t i;

	for (i = 0; i < gids->nr; i++)
		if (!memcmp(&gids->entries[i].gid, gid, sizeof(*gid)))
			return true;
	return false;
}

/* Those of RoCE v1 are there for v2 again. */
int rdma_gids_ask(struct ibv_context *context, struct rdma_gids *gids)
{
	struct ibv_gid_entry *entries = gids->entries;
	ssize_t n, i;

	gids->nr = 0;
	n = ibv_query_gid_table(context, entries, RDMA_MAX_GIDS, 0);
	if (n < 0)
		return n;
	for (i = 0; i < n; i++)
		if (entries[i].port_num == DEV_PORT &&
		    !has(gids, &entries[i].gid))
			entries[gids->nr++] = entries[i];
	return 0;
}
