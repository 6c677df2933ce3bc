// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Properties of a port, domains and regions by verbs, with a fake device. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "in_child.h"
#include "core/base/loader.h"
#include "core/device/dev.h"
#include "core/device/verbs.h"

static struct {
	int list_err;
	bool none; /* no device is there */
	void (*in_list)(void);
	int open_err;
	int query_err;
	int pd_err;
	int mr_err;
	struct ibv_port_attr attr;
	int lists; /* number of lists not freed */
	int listed; /* total number */
	int opens;
	int pds;
	int mrs;
	uint64_t iova; /* the last region's */
	int fd; /* the last dma-buf's */
} hw;

static struct ibv_device devices[2] = {
	{ .name = "rxe0" },
	{ .name = "rxe1" },
};

static int query_port(struct ibv_context *ctx, uint8_t port, struct ibv_port_attr *attr,
		      size_t size)
{
	EXPECT(ctx->device == &devices[1]);
	EXPECT_EQ(port, DEV_PORT);
	memcpy(attr, &hw.attr, size);
	return hw.query_err;
}

static struct verbs_context context = {
	.sz = sizeof(context),
	.query_port = query_port,
	.context.abi_compat = __VERBS_ABI_IS_EXTENDED,
};

/* The header has a macro of this name, which warns of old devices. */
#undef ibv_get_device_list
struct ibv_device **ibv_get_device_list(int *n)
{
	static struct ibv_device *list[] = { &devices[0], &devices[1], NULL };

	if (n)
		*n = hw.none ? 0 : 2;
	errno = hw.list_err;
	if (hw.list_err)
		return NULL;
	hw.lists++;
	hw.listed++;
	if (hw.in_list)
		hw.in_list();
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	(void)list;
	hw.lists--;
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	errno = hw.open_err;
	if (hw.open_err)
		return NULL;
	hw.opens++;
	context.context.device = device;
	return &context.context;
}

int ibv_close_device(struct ibv_context *ctx)
{
	EXPECT(ctx == &context.context);
	hw.opens--;
	return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ctx)
{
	static struct ibv_pd pd;

	errno = hw.pd_err;
	if (hw.pd_err)
		return NULL;
	hw.pds++;
	pd.context = ctx;
	return &pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	(void)pd;
	if (!hw.pd_err)
		hw.pds--;
	return hw.pd_err;
}

static struct ibv_mr *new_mr(uint64_t iova)
{
	static struct ibv_mr mr;

	errno = hw.mr_err;
	if (hw.mr_err)
		return NULL;
	hw.mrs++;
	hw.iova = iova;
	return &mr;
}

/* The header turns ibv_reg_mr() into this, depending on the permissions. */
#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access)
{
	(void)pd, (void)len, (void)access;
	return new_mr((uintptr_t)addr);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t len, uint64_t iova,
				unsigned int access)
{
	(void)pd, (void)addr, (void)len, (void)access;
	return new_mr(iova);
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t len, uint64_t iova,
				 int fd, int access)
{
	(void)pd, (void)len, (void)access;
	EXPECT_EQ(offset, 4096);
	hw.fd = fd;
	return new_mr(iova);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	(void)mr;
	if (!hw.mr_err)
		hw.mrs--;
	return hw.mr_err;
}

static pthread_barrier_t barrier;

/* A thread that ended here would leave the lock of libibverbs locked. */
static void wait_twice(void)
{
	int state;

	hw.in_list = NULL;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	EXPECT_EQ(state, PTHREAD_CANCEL_DISABLE);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
}

static void *prepare(void *unused)
{
	EXPECT_EQ(verbs_prepare(), 0);
	return unused;
}

static void *look(void *unused)
{
	struct verbs_port port;

	EXPECT_EQ(verbs_query_port("rxe1", &port), 0);
	return unused;
}

static void begin(pthread_t *thread, void *(*run)(void *))
{
	hw.in_list = wait_twice;
	pthread_barrier_init(&barrier, NULL, 2);
	ASSERT(!pthread_create(thread, NULL, run, NULL));
	pthread_barrier_wait(&barrier);
}

static void end(pthread_t thread)
{
	pthread_barrier_wait(&barrier);
	ASSERT(!pthread_join(thread, NULL));
	pthread_barrier_destroy(&barrier);
}

static void query_in_child(int result)
{
	struct verbs_port port;

	EXPECT_EQ(loader_check(), result ? -EOWNERDEAD : 0);
	EXPECT_EQ(verbs_query_port("rxe1", &port), result);
	fflush(stdout);
	_exit(ktap_bad ? 1 :
			 0); /* a leak checker would miss memory of a thread that is not there */
}

/* A device that has come loads drivers. It comes first, before any list has had a device. */
TEST(a_fork_while_another_thread_looks_for_the_first_device)
{
	pthread_t thread;

	memset(&hw, 0, sizeof(hw));
	hw.none = true;
	begin(&thread, prepare);
	IN_CHILD(query_in_child(-ELIBACC));
	end(thread);
	IN_CHILD(query_in_child(0));
}

/* Libraries are loaded for the first list that has a device, so that none is with a lock held. */
TEST(drivers_are_loaded_once)
{
	memset(&hw, 0, sizeof(hw));
	hw.list_err = ENOMEM;
	EXPECT_EQ(verbs_prepare(), -ENOMEM);
	hw.list_err = 0;
	hw.none = true;
	EXPECT_EQ(verbs_prepare(), 0);
	EXPECT_EQ(hw.listed, 1);
	hw.none = false;
	EXPECT_EQ(verbs_prepare(), 0);
	EXPECT_EQ(hw.listed, 2);
	EXPECT_EQ(hw.lists, 0);
	EXPECT_EQ(verbs_prepare(), 0);
	EXPECT_EQ(hw.listed, 2);
}

/* libibverbs has a lock then, which stays locked in the child; and a new device may need a driver. */
TEST(a_fork_while_another_thread_looks_for_devices)
{
	pthread_t thread;

	memset(&hw, 0, sizeof(hw));
	EXPECT_EQ(verbs_prepare(), 0);
	begin(&thread, look);
	IN_CHILD(query_in_child(-ELIBACC));
	end(thread);
	IN_CHILD(query_in_child(0));
}

static int query(const char *name, struct verbs_port *port)
{
	int err = verbs_query_port(name, port);

	EXPECT_EQ(hw.lists, 0);
	EXPECT_EQ(hw.opens, 0);
	return err;
}

TEST(a_port_is_what_verbs_say)
{
	struct verbs_port port;

	memset(&hw, 0, sizeof(hw));
	hw.attr.link_layer = IBV_LINK_LAYER_INFINIBAND;
	hw.attr.lid = 12;
	EXPECT_EQ(query("rxe1", &port), 0);
	EXPECT(port.infiniband);
	EXPECT_EQ(port.lid, 12);
	EXPECT_EQ(port.rate, 0);
	hw.attr.link_layer = IBV_LINK_LAYER_ETHERNET;
	EXPECT_EQ(query("rxe1", &port), 0);
	EXPECT(!port.infiniband);
}

TEST(rate_is_speed_times_lanes)
{
	static const struct {
		uint8_t speed, width;
		uint64_t gbits;
	} rates[] = {
		{ 4, 2, 40 }, /* QDR, four lanes */
		{ 32, 2, 100 }, /* EDR */
		{ 64, 16, 100 }, /* HDR, two */
		{ 128, 1, 100 }, /* NDR, one */
	};
	struct verbs_port port;

	memset(&hw, 0, sizeof(hw));
	for (int i = 0; i < 4; i++) {
		hw.attr.active_speed = rates[i].speed;
		hw.attr.active_width = rates[i].width;
		EXPECT_EQ(query("rxe1", &port), 0);
		EXPECT_EQ(port.rate, rates[i].gbits * 1000000000);
	}
	hw.attr.active_width = 3; /* not a valid width */
	EXPECT_EQ(query("rxe1", &port), 0);
	EXPECT_EQ(port.rate, 0);
}

TEST(verbs_that_fail)
{
	struct verbs_port port;

	memset(&hw, 0, sizeof(hw));
	EXPECT_EQ(query("rxe2", &port), -ENODEV);
	hw.query_err = EINVAL;
	EXPECT_EQ(query("rxe1", &port), -EINVAL);
	hw.open_err = EACCES;
	EXPECT_EQ(query("rxe1", &port), -EACCES);
	hw.list_err = ENOSYS;
	EXPECT_EQ(query("rxe1", &port), -ENOSYS);
}

TEST(a_domain_opens_its_device)
{
	struct ibv_pd *pd = NULL;

	memset(&hw, 0, sizeof(hw));
	EXPECT_EQ(verbs_open_pd("rxe1", &pd), 0);
	EXPECT(pd && pd->context->device == &devices[1]);
	EXPECT_EQ(hw.lists, 0);
	hw.pd_err = EBUSY;
	EXPECT_EQ(verbs_close_pd(pd), -EBUSY);
	EXPECT_EQ(hw.opens, 1);
	hw.pd_err = 0;
	EXPECT_EQ(verbs_close_pd(pd), 0);
	EXPECT_EQ(hw.opens, 0);
	EXPECT_EQ(hw.pds, 0);

	hw.pd_err = ENOMEM;
	EXPECT_EQ(verbs_open_pd("rxe1", &pd), -ENOMEM);
	EXPECT_EQ(hw.opens, 0);
	EXPECT_EQ(verbs_open_pd("rxe2", &pd), -ENODEV);
}

/* The child closes its descriptors of the device, and calls nothing. */
TEST(a_domain_is_not_the_childs)
{
	struct ibv_pd *pd = NULL;
	int cmd[2], async[2];

	memset(&hw, 0, sizeof(hw));
	EXPECT_EQ(verbs_open_pd("rxe1", &pd), 0);
	ASSERT(!pipe(cmd) && !pipe(async));
	context.context.cmd_fd = cmd[0];
	context.context.async_fd = async[0];
	verbs_orphan_pd(pd);
	EXPECT_EQ(fcntl(cmd[0], F_GETFD), -1);
	EXPECT_EQ(fcntl(async[0], F_GETFD), -1);
	EXPECT_EQ(hw.opens, 1);
	EXPECT_EQ(hw.pds, 1);
	close(cmd[1]);
	close(async[1]);
}

TEST(regions)
{
	struct ibv_pd *pd = NULL;
	struct ibv_mr *mr = NULL;
	char memory[8];

	memset(&hw, 0, sizeof(hw));
	EXPECT_EQ(verbs_open_pd("rxe1", &pd), 0);
	EXPECT_EQ(verbs_reg_mr(pd, memory, sizeof(memory), 0, &mr), 0);
	EXPECT(hw.iova == (uintptr_t)memory);
	hw.mr_err = EBUSY;
	EXPECT_EQ(verbs_dereg_mr(mr), -EBUSY);
	EXPECT_EQ(verbs_reg_mr(pd, memory, sizeof(memory), 0, &mr), -EBUSY);
	EXPECT_EQ(verbs_reg_dmabuf_mr(pd, 5, 4096, memory, 8, 0, &mr), -EBUSY);
	hw.mr_err = 0;
	EXPECT_EQ(verbs_dereg_mr(mr), 0);
	EXPECT_EQ(verbs_reg_dmabuf_mr(pd, 5, 4096, memory, 8, 0, &mr), 0);
	EXPECT_EQ(hw.fd, 5);
	EXPECT(hw.iova == (uintptr_t)memory);
	EXPECT_EQ(verbs_dereg_mr(mr), 0);
	EXPECT_EQ(hw.mrs, 0);
	EXPECT_EQ(verbs_close_pd(pd), 0);
}
