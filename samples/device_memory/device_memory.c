// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Device memory of an RDMA device of any kind: allocate some, fill it, register it, and
 * share it with another context by its handle.
 *
 * All calls but the last one are libibverbs' own: so the same program runs on devices
 * without memory of their own. It is linked with libopen_doca_dm, before libibverbs;
 * without that it runs the same under doca_dm(1), but for the last call.
 *
 * Usage: device_memory [DEVICE]
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>
#include <open_doca_dm.h>

#define SIZE 8192

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

/* Open the device of this name, or the first one. */
static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	int i;

	check(!!list, "list of devices");
	for (i = 0; list[i] && !ctx; i++)
		if (!name || !strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	if (!ctx) {
		fprintf(stderr,
			"%s cannot be opened, or is not there. To make a device in "
			"software:\n"
			"\tsudo rdma link add rxe0 type rxe netdev eth0\n",
			name ? name : "an RDMA device");
		exit(1);
	}
	return ctx;
}

/* A region of device memory begins at 0, whichever part of it is registered. */
static void use_region(struct ibv_context *ctx, struct ibv_dm *dm)
{
	struct ibv_pd *pd = ibv_alloc_pd(ctx);
	struct ibv_mr *mr;

	check(!!pd, "protection domain");
	mr = ibv_reg_dm_mr(pd, dm, 0, SIZE,
			   IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE |
				   IBV_ACCESS_REMOTE_READ);
	check(!!mr, "memory region");
	printf("a peer reads %zu bytes at 0 with the key %#x\n", mr->length,
	       mr->rkey);
	/* The memory cannot be freed while a region is on it. */
	check(!ibv_dereg_mr(mr), "end of the region");
	ibv_dealloc_pd(pd);
}

static void share(struct ibv_context *ctx, struct ibv_dm *dm, const char *text)
{
	struct ibv_dm *again = ibv_import_dm(ctx, dm->handle);
	char is[64];

	check(!!again, "import");
	check(!ibv_memcpy_from_dm(is, again, 0, sizeof(is)), "read memory");
	check(!strcmp(is, text), "what was read");
	ibv_unimport_dm(again);
}

int main(int argc, char **argv)
{
	struct ibv_context *ctx = open_device(argc > 1 ? argv[1] : NULL);
	struct ibv_alloc_dm_attr attr = { .length = SIZE };
	char text[64] = "written by the CPU, a word at a time";
	struct ibv_device_attr_ex is = {};
	struct ibv_dm *dm;
	void *addr;
	size_t len;

	check(!ibv_query_device_ex(ctx, NULL, &is), "properties");
	printf("%s has %llu bytes of device memory\n",
	       ibv_get_device_name(ctx->device),
	       (unsigned long long)is.max_dm_size);
	dm = ibv_alloc_dm(ctx, &attr);
	check(!!dm, "device memory");
	check(!ibv_memcpy_to_dm(dm, 0, text, sizeof(text)), "write memory");
	use_region(ctx, dm);
	share(ctx, dm, text);
	check(!open_doca_dm_get_addr(dm, &addr, &len), "address");
	printf("DMA and the CPU reach its %zu bytes: %s\n", len, (char *)addr);
	check(!ibv_free_dm(dm), "free memory");
	check(!ibv_close_device(ctx), "close the device");
	return 0;
}
