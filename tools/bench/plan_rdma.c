// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA within one device: messages, writes and reads, beside bare verbs. */
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_rdma.h>

#include "msg.h"
#include "plan.h"
#include "rdma_way.h"

enum { REF_VERBS };

static const char *const refs[] = { "verbs", NULL };

static const char *const operations[] = {
	[RDMA_SEND] = "send",
	[RDMA_WRITE] = "write",
	[RDMA_READ] = "read",
};

static struct group group;

static int measure(struct bench *bench, const char *device, enum rdma_kind kind,
		   const struct load *load)
{
	static struct verbs_way verbs;
	static struct rdma_way rdma;

	progress("%s of %zu bytes, %u in flight", operations[kind], load->size,
		 load->depth);
	plan_group(bench, &group, operations[kind], load);
	/* One at a time, the ratios are of medians of single operations. */
	group.single = load->depth == 1;
	verbs_way_init(&verbs, kind, &bench->area, device);
	rdma_way_init(&rdma, kind, &bench->area, device);
	group.refs[REF_VERBS] = &verbs.way;
	group_add(&group, &verbs.way);
	group_add(&group, &rdma.way);
	return plan_measure(bench, &group);
}

/* The first one with RDMA tasks. Returns -1, without a message, if there is none. */
static int device_with_rdma(char *name, size_t size)
{
	struct doca_devinfo **list;
	uint32_t i, nr;
	int ret = -1;

	if (doca_devinfo_create_list(&list, &nr) != DOCA_SUCCESS)
		return -1;
	for (i = 0; i < nr && ret; i++)
		if (doca_rdma_cap_task_send_is_supported(list[i]) ==
			    DOCA_SUCCESS &&
		    doca_devinfo_get_ibdev_name(list[i], name, size) ==
			    DOCA_SUCCESS)
			ret = 0;
	doca_devinfo_destroy_list(list);
	return ret;
}

static int run(struct bench *bench)
{
	static const struct load loads[] = {
		{ 64, 1 },
		{ 64, 32 },
		{ 65536, 1 },
		{ 65536, 32 },
	};
	char device[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	enum rdma_kind kind;
	unsigned int i;

	if (device_with_rdma(device, sizeof(device))) {
		fail("there is no RDMA device that programs can use");
		hint("Make one with 'rdma link add rxe0 type rxe netdev eth0'; it takes the module.");
		return -1;
	}
	for (kind = RDMA_SEND; kind <= RDMA_READ; kind++)
		for (i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
			if (measure(bench, device, kind, &loads[i]))
				return -1;
	return 0;
}

const struct plan plan_rdma = {
	.name = "rdma",
	.help = "messages, writes and reads between two connections of one RDMA device",
	.run = run,
	.without_rings = true,
	.columns = {
		.refs = refs,
		.notes =
			"send, write, read  from the submission of a task until its callback\n"
			"verbs              the speed as a part of that of work requests, each posted\n"
			"                   alone; with one in flight, of the medians\n",
	},
};
