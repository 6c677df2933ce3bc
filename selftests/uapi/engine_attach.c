// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A DMA engine that copies for a device other than its own. */
#include <pthread.h>

#include "engine.h"
#include "kselftest_harness.h"

#define LENGTH (1UL << 20)
#define SOMEBODY 65534
#define RDMA "rxeattach"
#define NETDEV "docaattach0"

/* Two buffers and a queue of a device that is not an engine */
struct behind {
	struct doca d;
	struct buf src, dst;
	uint32_t flags; /* flags of both mappings */
	struct queue q;
};

FIXTURE(engine_attach) {
	struct engine_bed bed;
	uint32_t software;
};

static uint32_t device_named(struct family *nl, const char *name)
{
	struct listing l;
	uint32_t id = 0;
	int i;

	family_list(nl, DOCA_GENL_CMD_DEV_GET, &l);
	for (i = 0; i < l.n; i++)
		if (!strcmp(l.e[i].dev, name))
			id = l.e[i].v[DOCA_GENL_A_DEV_ID];
	listing_free(&l);
	return id;
}

/* Attach or detach; either argument may be left out */
static int change(struct family *nl, int cmd, const char *engine, uint32_t device)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err;

	nl->err = 0;
	nl->message[0] = '\0';
	genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, NLM_F_ACK, cmd,
		    DOCA_GENL_VERSION);
	if (engine)
		nla_put_string(msg, DOCA_GENL_A_ENGINE_NAME, engine);
	if (device)
		nla_put_u32(msg, DOCA_GENL_A_DEV_ID, device);
	err = nl_send_auto(nl->sock, msg);
	nlmsg_free(msg);
	if (err < 0)
		return -EIO;
	nl_recvmsgs_default(nl->sock);
	return nl->err;
}

static int attach(struct family *nl, const char *engine, uint32_t device)
{
	return change(nl, DOCA_GENL_CMD_ENGINE_ATTACH, engine, device);
}

static int detach(struct family *nl, uint32_t device)
{
	return change(nl, DOCA_GENL_CMD_ENGINE_DETACH, NULL, device);
}

/* Return an attribute of a device, as listed; UINT64_MAX if it has none */
static uint64_t device_value(struct family *nl, uint32_t device, int attr)
{
	uint64_t value = UINT64_MAX;
	const struct entry *e;
	struct listing l;

	family_list(nl, DOCA_GENL_CMD_DEV_GET, &l);
	e = listing_find(&l, DOCA_GENL_A_DEV_ID, device);
	if (e && e->has[attr])
		value = e->v[attr];
	listing_free(&l);
	return value;
}

/* Return true if, as listed, the memory of all of a device's keys is mapped for an engine */
static bool is_mapped(struct family *nl, uint32_t device)
{
	struct listing l;
	bool mapped = true;
	int i;

	family_list(nl, DOCA_GENL_CMD_MAPPING_GET, &l);
	for (i = 0; i < l.n; i++)
		if (l.e[i].v[DOCA_GENL_A_DEV_ID] == device)
			mapped &= l.e[i].has[DOCA_GENL_A_DMA];
	listing_free(&l);
	return mapped;
}

static bool has_engine(struct family *nl, uint32_t device)
{
	return device_value(nl, device, DOCA_GENL_A_ENGINE_STATE) ==
	       DOCA_ENGINE_LIVE;
}

static int map(struct behind *b, struct buf *buf)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = buf->mem,
		.device_id = b->d.device,
		.access = ACCESS_LOCAL,
	};
	int err = doca_call(b->d.fd, DOCA_MEM_MAP, &arg);

	buf->key = arg.out_key;
	b->flags &= arg.out_flags;
	return err;
}

static int make(struct behind *b, struct buf *buf)
{
	buf->addr = pages_alloc(LENGTH);
	buf->length = LENGTH;
	if (!buf->addr)
		return -ENOMEM;
	return mem_reg(b->d.fd, buf->addr, LENGTH, ACCESS_LOCAL | ACCESS_PCI,
		       &buf->mem) ?: map(b, buf);
}

static int behind_open(struct behind *b, uint32_t device)
{
	*b = (struct behind){ .d.device = device, .flags = UINT32_MAX };
	b->d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (b->d.fd < 0)
		return -errno;
	return make(b, &b->src) ?: make(b, &b->dst) ?:
	       engine_queue(&b->q, &b->d, 8, 0);
}

static void behind_close(struct behind *b)
{
	queue_close(&b->q);
	close(b->d.fd);
	munmap(b->src.addr, LENGTH);
	munmap(b->dst.addr, LENGTH);
}

/* Return 0 if the copy is right */
static int copy_on(struct behind *b, struct queue *q)
{
	struct doca_cqe cqe;

	fill_random(b->src.addr, LENGTH, now_ns());
	queue_push(q, sqe_copy(seg_of(&b->dst, 0, LENGTH),
			       seg_of(&b->src, 0, LENGTH)));
	if (queue_publish(q) || engine_wait(q, &cqe, 10000))
		return -EIO;
	return cqe.status ?: memcmp(b->dst.addr, b->src.addr, LENGTH);
}

static int copy(struct behind *b)
{
	return copy_on(b, &b->q);
}

/* Return the bytes of its queue; UINT64_MAX if only the CPU copies */
static uint64_t engine_bytes(const struct behind *b)
{
	return fdinfo_value(b->q.fd, "doca-engine-bytes");
}

FIXTURE_SETUP(engine_attach)
{
	ENGINE_OPEN(&self->bed);
	self->software = device_named(&self->bed.nl, "software");
	ASSERT_NE(0, self->software);
	detach(&self->bed.nl, self->software);
}

FIXTURE_TEARDOWN(engine_attach)
{
	detach(&self->bed.nl, self->software);
	ENGINE_CLOSE(&self->bed);
}

/* Queues and mappings made before, while and after it is attached */
TEST_F(engine_attach, from_then_on)
{
	struct family *nl = &self->bed.nl;
	struct behind before, with, after;

	ASSERT_EQ(0, behind_open(&before, self->software));
	EXPECT_EQ(0, before.flags);
	ASSERT_EQ(0, attach(nl, ENGINE_NAME, self->software));
	EXPECT_TRUE(has_engine(nl, self->software));
	ASSERT_EQ(0, behind_open(&with, self->software));
	EXPECT_EQ(DOCA_MAP_DMA, with.flags);
	ASSERT_EQ(0, detach(nl, self->software));
	EXPECT_FALSE(has_engine(nl, self->software));
	ASSERT_EQ(0, behind_open(&after, self->software));
	EXPECT_EQ(0, after.flags);

	EXPECT_EQ(0, copy(&before));
	EXPECT_EQ(UINT64_MAX, engine_bytes(&before));
	EXPECT_EQ(0, copy(&with));
	EXPECT_EQ(LENGTH, engine_bytes(&with));
	EXPECT_EQ(0, copy(&after));
	EXPECT_EQ(UINT64_MAX, engine_bytes(&after));
	behind_close(&before);
	behind_close(&with);
	behind_close(&after);
}

/* A new queue with memory mapped before, and an old one with memory mapped since */
TEST_F(engine_attach, both_must_have_it)
{
	struct family *nl = &self->bed.nl;
	struct behind b;
	struct queue q;

	ASSERT_EQ(0, behind_open(&b, self->software));
	ASSERT_EQ(0, attach(nl, ENGINE_NAME, self->software));
	ASSERT_EQ(0, engine_queue(&q, &b.d, 8, 0));
	EXPECT_EQ(0, copy_on(&b, &q));
	EXPECT_EQ(0, fdinfo_value(q.fd, "doca-engine-bytes"));
	ASSERT_EQ(0, mem_unmap(b.d.fd, b.src.key));
	ASSERT_EQ(0, mem_unmap(b.d.fd, b.dst.key));
	ASSERT_EQ(0, map(&b, &b.src));
	ASSERT_EQ(0, map(&b, &b.dst));
	EXPECT_EQ(0, copy(&b));
	EXPECT_EQ(UINT64_MAX, engine_bytes(&b));
	EXPECT_EQ(0, copy_on(&b, &q));
	EXPECT_EQ(LENGTH, fdinfo_value(q.fd, "doca-engine-bytes"));
	queue_close(&q);
	behind_close(&b);
}

/* A device gets no engine while another one has its memory mapped */
TEST_F(engine_attach, one_after_the_other)
{
	struct family *nl = &self->bed.nl;
	struct behind b;
	struct queue q;

	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	ASSERT_NE(0, engine_claim(nl, ENGINE_SLOW));
	ASSERT_EQ(0, attach(nl, ENGINE_SLOW, self->software));
	ASSERT_EQ(0, behind_open(&b, self->software));
	EXPECT_EQ(DOCA_MAP_DMA, b.flags);
	ASSERT_EQ(0, detach(nl, self->software));
	ASSERT_EQ(0, attach(nl, ENGINE_NAME, self->software));
	ASSERT_EQ(0, engine_queue(&q, &b.d, 8, 0));
	EXPECT_EQ(0, copy_on(&b, &q));
	EXPECT_EQ(0, fdinfo_value(q.fd, "doca-engine-bytes"));
	ASSERT_EQ(0, detach(nl, self->software));
	queue_close(&q);
	behind_close(&b);
}

TEST_F(engine_attach, importers_share_it)
{
	struct doca_mem_import import;
	struct behind b;
	struct doca_blob blob;
	int fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach(&self->bed.nl, ENGINE_NAME, self->software));
	ASSERT_EQ(0, behind_open(&b, self->software));
	ASSERT_EQ(0, mem_export(b.d.fd, b.src.key, 0, &blob, NULL));
	ASSERT_EQ(0, mem_import(fd, self->software, &blob, &import));
	EXPECT_EQ(DOCA_MAP_DMA, import.out_flags);
	ASSERT_EQ(0, mem_unmap(fd, import.out_key));
	ASSERT_EQ(0, detach(&self->bed.nl, self->software));
	ASSERT_EQ(0, mem_import(fd, self->software, &blob, &import));
	EXPECT_EQ(0, import.out_flags);
	close(fd);
	behind_close(&b);
}

/* The engine goes, with copies in flight: no copy fails, and the device stays */
TEST_F(engine_attach, the_engine_goes)
{
	struct family *nl = &self->bed.nl;
	struct doca_cqe cqe;
	struct behind b;
	int i;

	ASSERT_EQ(0, attach(nl, ENGINE_NAME, self->software));
	ASSERT_EQ(0, behind_open(&b, self->software));
	fill_random(b.src.addr, LENGTH, 3);
	EXPECT_TRUE(is_mapped(nl, self->software));
	ASSERT_EQ(0, knob("delay_us", 1000));
	for (i = 0; i < 8; i++)
		queue_push(&b.q, sqe_copy(seg_of(&b.dst, i * LENGTH / 8, LENGTH / 8),
					  seg_of(&b.src, i * LENGTH / 8,
						 LENGTH / 8)));
	ASSERT_EQ(0, queue_publish(&b.q));
	queue_enter(b.q.fd, UINT32_MAX, NULL);
	ASSERT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_DEL));
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, engine_wait(&b.q, &cqe, 10000));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
	EXPECT_EQ(0, memcmp(b.dst.addr, b.src.addr, LENGTH));
	EXPECT_FALSE(has_engine(nl, self->software));
	EXPECT_EQ(-ENOENT, detach(nl, self->software));
	EXPECT_EQ(0, copy(&b));
	EXPECT_EQ(0, b.q.kernel->dead);
	EXPECT_FALSE(is_mapped(nl, self->software));

	/* Another engine of the same name is not taken for the first */
	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	ASSERT_NE(0, engine_claim(nl, ENGINE_NAME));
	ASSERT_EQ(0, attach(nl, ENGINE_NAME, self->software));
	EXPECT_EQ(0, copy(&b));
	behind_close(&b);
	ASSERT_EQ(0, behind_open(&b, self->software));
	EXPECT_EQ(0, copy(&b));
	EXPECT_EQ(LENGTH, engine_bytes(&b));
	behind_close(&b);
}

/* The device goes; the engine stays, and may be attached to the next of that name */
TEST_F(engine_attach, the_device_goes)
{
	struct family *nl = &self->bed.nl;
	struct behind b;
	uint32_t rdma;
	int round;

	if (system("modprobe -q rdma_rxe && ip link add " NETDEV " type dummy && "
		   "ip link set " NETDEV " up"))
		SKIP(return, "needs soft RoCE and a dummy network interface");
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(0, system("rdma link add " RDMA
				    " type rxe netdev " NETDEV));
		rdma = device_named(nl, RDMA);
		ASSERT_NE(0, rdma);
		ASSERT_EQ(0, attach(nl, ENGINE_NAME, rdma));
		ASSERT_EQ(0, behind_open(&b, rdma));
		EXPECT_EQ(0, copy(&b));
		EXPECT_EQ(LENGTH, engine_bytes(&b));
		ASSERT_EQ(0, system("rdma link delete " RDMA));
		EXPECT_EQ(1, b.q.kernel->dead);
		EXPECT_EQ(-ENODEV, detach(nl, rdma));
		EXPECT_EQ(-ENODEV, attach(nl, ENGINE_NAME, rdma));
		behind_close(&b);
	}
	EXPECT_EQ(0, system("ip link delete " NETDEV));
	EXPECT_EQ(0, attach(nl, ENGINE_NAME, self->software));
}

TEST_F(engine_attach, refused)
{
	struct family *nl = &self->bed.nl;
	uint32_t software = self->software;

	EXPECT_EQ(-ENODEV, attach(nl, "nope", software));
	EXPECT_STREQ("there is no such engine", nl->message);
	EXPECT_EQ(-ENODEV, attach(nl, ENGINE_NAME, UINT32_MAX));
	EXPECT_STREQ("there is no such device", nl->message);
	EXPECT_EQ(-EINVAL, attach(nl, ENGINE_NAME, self->bed.d.device));
	EXPECT_STREQ("the device is an engine itself", nl->message);
	EXPECT_EQ(-EINVAL, attach(nl, NULL, software));
	EXPECT_EQ(-EINVAL, attach(nl, ENGINE_NAME, 0));
	EXPECT_EQ(-EINVAL, detach(nl, 0));
	EXPECT_EQ(-ENODEV, detach(nl, UINT32_MAX));
	EXPECT_EQ(-ENOENT, detach(nl, software));
	EXPECT_EQ(-ENOENT, detach(nl, self->bed.d.device));
	EXPECT_FALSE(has_engine(nl, software));

	ASSERT_EQ(0, attach(nl, ENGINE_NAME, software));
	EXPECT_EQ(-EBUSY, attach(nl, ENGINE_NAME, software));
	EXPECT_STREQ("an engine copies for this device already", nl->message);
	EXPECT_TRUE(has_engine(nl, software));
	EXPECT_EQ(0, detach(nl, software));
}

TEST_F(engine_attach, only_the_administrator)
{
	uint32_t software = self->software;
	pid_t pid;

	ASSERT_EQ(0, attach(&self->bed.nl, ENGINE_NAME, software));
	pid = fork();
	if (!pid) {
		struct family nl;

		if (become_user(SOMEBODY) || family_open(&nl))
			_exit(1);
		_exit(detach(&nl, software) != -EPERM ||
		      attach(&nl, ENGINE_NAME, software) != -EPERM);
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_TRUE(has_engine(&self->bed.nl, software));
}

static int join(struct family *nl)
{
	int group;

	if (family_open(nl))
		return -EIO;
	group = genl_ctrl_resolve_grp(nl->sock, DOCA_GENL_NAME,
				      DOCA_GENL_MCGRP_DEVICE);
	nl_socket_disable_seq_check(nl->sock);
	return nl_socket_add_membership(nl->sock, group);
}

/* Listeners are told of the engine's state at that time */
TEST_F(engine_attach, listeners_are_told)
{
	struct entry heard[2] = {};
	struct listing l = { .e = heard };
	struct family nl;

	ASSERT_EQ(0, join(&nl));
	nl.listing = &l;
	ASSERT_EQ(0, attach(&self->bed.nl, ENGINE_NAME, self->software));
	ASSERT_EQ(0, nl_recvmsgs_default(nl.sock));
	ASSERT_EQ(0, detach(&self->bed.nl, self->software));
	ASSERT_EQ(0, nl_recvmsgs_default(nl.sock));
	ASSERT_EQ(2, l.n);
	EXPECT_EQ(self->software, heard[0].v[DOCA_GENL_A_DEV_ID]);
	EXPECT_TRUE(heard[0].has[DOCA_GENL_A_ENGINE_NAME]);
	EXPECT_EQ(self->software, heard[1].v[DOCA_GENL_A_DEV_ID]);
	EXPECT_FALSE(heard[1].has[DOCA_GENL_A_ENGINE_NAME]);
	family_close(&nl);
}

struct churn {
	uint32_t device;
	bool stop;
	int failed;
};

static void *copy_meanwhile(void *arg)
{
	struct churn *churn = arg;
	struct behind b;

	while (!__atomic_load_n(&churn->stop, __ATOMIC_RELAXED)) {
		if (behind_open(&b, churn->device) || copy(&b))
			churn->failed++;
		behind_close(&b);
	}
	return NULL;
}

/* Queues and mappings are made while engines come and go behind their device */
TEST_F_TIMEOUT(engine_attach, under_load, 120)
{
	struct churn churn = { .device = self->software };
	uint64_t end = now_ns() + 5000000000ULL;
	struct family *nl = &self->bed.nl;
	pthread_t thread;
	int rounds = 0;

	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	ASSERT_EQ(0, pthread_create(&thread, NULL, copy_meanwhile, &churn));
	while (now_ns() < end) {
		EXPECT_EQ(0, attach(nl, ENGINE_NAME, self->software));
		pause_us(rounds % 7 * 1000);
		if (rounds++ % 4) {
			EXPECT_EQ(0, detach(nl, self->software));
			continue;
		}
		EXPECT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_DEL));
		EXPECT_NE(0, engine_claim(nl, ENGINE_NAME));
	}
	__atomic_store_n(&churn.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, churn.failed);
	EXPECT_LE(4, rounds);
}

TEST_HARNESS_MAIN
