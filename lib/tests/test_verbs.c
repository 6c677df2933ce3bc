// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What verbs say of a port, with a device made of paper. */
#include <errno.h>
#include <stddef.h>

#include <infiniband/verbs.h>

#include "ktap.h"
#include "dev.h"
#include "verbs.h"

static struct {
	int list_err;
	int open_err;
	int query_err;
	struct ibv_port_attr attr;
	int lists; /* not given back */
	int opens;
} hw;

static struct ibv_device devices[2] = {
	{ .name = "rxe0" },
	{ .name = "rxe1" },
};

static int query_port(struct ibv_context *ctx, uint8_t port,
		      struct ibv_port_attr *attr, size_t size)
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

/* The header has a macro of this name, which warns of devices that are too old. */
#undef ibv_get_device_list
struct ibv_device **ibv_get_device_list(int *n)
{
	static struct ibv_device *list[] = { &devices[0], &devices[1], NULL };

	(void)n;
	errno = hw.list_err;
	if (hw.list_err)
		return NULL;
	hw.lists++;
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
	hw.attr.active_width = 3; /* is none */
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
