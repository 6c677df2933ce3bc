// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Packets as buffers, and devices without ports, with DPDK without hugepages. */
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <doca_dpdk.h>
#include <doca_rdma_bridge.h>

#include "core/device/rep.h"
#include "core/objects.h"
#include "bed.h"
#include "fault.h"

#define MBUFS 64
#define PRIV_SIZE 32

static struct rte_mempool *packets, *others;
static struct doca_dpdk_mempool *mempool;
static struct doca_buf_inventory *inv;

/* Initialize once in the life of the process; there is no way back. */
static bool eal_ready(void)
{
	static char *argv[] = { "test",	    "--no-huge",      "-m",	     "64",
				"--no-pci", "--no-telemetry", "--no-shconf", "-l",
				"0",	    "--log-level",    "1",	     "--vdev",
				"net_null0" };
	static int state;

	if (!state)
		state = rte_eal_init(sizeof(argv) / sizeof(argv[0]), argv);
	if (state < 0)
		return false;
	state = 1;
	if (!packets) {
		packets = rte_pktmbuf_pool_create("packets", MBUFS, 0, PRIV_SIZE,
						  RTE_MBUF_DEFAULT_BUF_SIZE, 0);
		others = rte_pktmbuf_pool_create("others", MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
						 0);
	}
	return packets && others;
}

#define NEED_EAL()                                        \
	do {                                              \
		if (!eal_ready())                         \
			SKIP("DPDK does not start here"); \
	} while (0)

static struct rte_mbuf *packet(struct rte_mempool *pool, uint16_t len)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);

	memset(rte_pktmbuf_append(mbuf, len), 'p', len);
	return mbuf;
}

static void set_up_pool(void)
{
	fake_reset(false);
	OK(doca_dpdk_mempool_create(packets, &mempool));
	OK(doca_dpdk_mempool_dev_add(mempool, &fake_dev));
	OK(doca_dpdk_mempool_start(mempool));
	inv = new_inventory(8);
}

#define NEED_POOL()            \
	do {                   \
		NEED_EAL();    \
		set_up_pool(); \
	} while (0)

static void tear_down_pool(void)
{
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_dpdk_mempool_destroy(mempool));
	EXPECT_EQ(rte_mempool_avail_count(packets), MBUFS);
	EXPECT_EQ(rte_mempool_avail_count(others), MBUFS);
}

TEST(buffer_is_the_packet)
{
	struct rte_mbuf *mbuf;
	struct doca_buf *buf;

	NEED_POOL();
	mbuf = packet(packets, 100);
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf));
	EXPECT(head_of(buf) == mbuf->buf_addr);
	EXPECT_EQ(len_of(buf), mbuf->buf_len);
	EXPECT(data_of(buf) == rte_pktmbuf_mtod(mbuf, char *));
	EXPECT_EQ(data_len(buf), 100);
	/* changes of one do not affect the other */
	rte_pktmbuf_adj(mbuf, 10);
	EXPECT_EQ(data_len(buf), 100);
	OK(doca_buf_reset_data_len(buf));
	EXPECT_EQ(rte_pktmbuf_data_len(mbuf), 90);
	rte_pktmbuf_free(mbuf);
	OK(doca_buf_dec_refcount(buf, NULL));
	tear_down_pool();
}

TEST(buffer_holds_the_packet)
{
	struct rte_mbuf *mbuf;
	struct doca_buf *buf, *dup;

	NEED_POOL();
	mbuf = packet(packets, 100);
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf));
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 2);
	rte_pktmbuf_free(mbuf);
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 1);
	EXPECT_EQ(rte_mempool_avail_count(packets), MBUFS - 1);
	OK(doca_buf_inventory_buf_dup(inv, buf, &dup));
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 2);
	/* a reference on the buffer is not one on the packet */
	OK(doca_buf_inc_refcount(buf, NULL));
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 2);
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_buf_dec_refcount(buf, NULL));
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 1);
	OK(doca_buf_dec_refcount(dup, NULL));
	EXPECT_EQ(rte_mempool_avail_count(packets), MBUFS);
	tear_down_pool();
}

TEST(segments_become_a_list)
{
	struct rte_mbuf *mbuf, *next;
	struct doca_buf *buf, *tail;
	uint32_t n;

	NEED_POOL();
	mbuf = packet(packets, 100);
	rte_pktmbuf_chain(mbuf, packet(packets, 20));
	rte_pktmbuf_chain(mbuf, packet(packets, 3));
	next = mbuf->next;
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf));
	OK(doca_buf_get_list_len(buf, &n));
	EXPECT_EQ(n, 3);
	OK(doca_buf_get_last_in_list(buf, &tail));
	EXPECT_EQ(data_len(buf), 100);
	EXPECT_EQ(data_len(tail), 3);
	rte_pktmbuf_free(mbuf);
	EXPECT_EQ(rte_mbuf_refcnt_read(next), 1);
	EXPECT_EQ(rte_mempool_avail_count(packets), MBUFS - 3);
	OK(doca_buf_dec_refcount(buf, NULL));
	tear_down_pool();
}

TEST(indirect_packet_holds_the_direct_one)
{
	struct rte_mbuf *direct, *clone;
	struct doca_buf *buf;

	NEED_POOL();
	direct = packet(packets, 100);
	clone = rte_pktmbuf_clone(direct, others);
	rte_pktmbuf_adj(clone, 40);
	EXPECT_EQ(rte_mbuf_refcnt_read(direct), 2);
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, clone, &buf));
	EXPECT_EQ(rte_mbuf_refcnt_read(direct), 3);
	EXPECT_EQ(rte_mbuf_refcnt_read(clone), 1);
	EXPECT(head_of(buf) == direct->buf_addr);
	EXPECT_EQ(data_len(buf), 60);
	rte_pktmbuf_free(clone);
	rte_pktmbuf_free(direct);
	EXPECT_EQ(rte_mbuf_refcnt_read(direct), 1);
	OK(doca_buf_dec_refcount(buf, NULL));
	tear_down_pool();
}

static void nothing(void *addr, void *arg)
{
	(void)addr;
	(void)arg;
}

TEST(foreign_memory_is_refused)
{
	struct rte_mbuf *mbuf, *chain;
	struct doca_buf *buf = NULL;

	NEED_POOL();
	mbuf = packet(others, 10);
	FAILS(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf), INVALID_VALUE,
	      "mempool packets is not the one that it is of");
	/* as the second segment, after the first was accepted */
	chain = packet(packets, 10);
	rte_pktmbuf_chain(chain, mbuf);
	ERR(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, chain, &buf), INVALID_VALUE);
	EXPECT_EQ(rte_mbuf_refcnt_read(chain), 1);
	rte_pktmbuf_free(chain);
	EXPECT(!buf);
	tear_down_pool();
}

/* Nothing would lead from it to its mbuf, not even if that is of the same pool. */
TEST(memory_of_no_mbuf_is_refused)
{
	struct rte_mbuf_ext_shared_info *shared;
	static char foreign[4096];
	struct rte_mbuf *mbuf, *other;
	struct doca_buf *buf = NULL;
	char *memory = foreign;
	uint16_t len;
	int i;

	NEED_POOL();
	other = rte_pktmbuf_alloc(packets);
	for (i = 0; i < 2; i++) {
		len = 1024;
		mbuf = rte_pktmbuf_alloc(packets);
		shared = rte_pktmbuf_ext_shinfo_init_helper(memory, &len, nothing, NULL);
		rte_pktmbuf_attach_extbuf(mbuf, memory, RTE_BAD_IOVA, len, shared);
		ERR(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf), INVALID_VALUE);
		rte_pktmbuf_free(mbuf);
		EXPECT(!buf);
		memory = (char *)other->buf_addr + 512;
	}
	rte_pktmbuf_free(other);
	tear_down_pool();
}

TEST(inventory_that_is_too_small_or_not_started)
{
	struct doca_buf_inventory *one;
	struct rte_mbuf *mbuf;
	struct doca_buf *buf;

	NEED_POOL();
	mbuf = packet(packets, 10);
	rte_pktmbuf_chain(mbuf, packet(packets, 10));
	OK(doca_buf_inventory_create(1, &one));
	ERR(doca_dpdk_mempool_mbuf_to_buf(mempool, one, mbuf, &buf), INVALID_VALUE);
	OK(doca_buf_inventory_start(one));
	ERR(doca_dpdk_mempool_mbuf_to_buf(mempool, one, mbuf, &buf), NO_MEMORY);
	EXPECT_EQ(rte_mbuf_refcnt_read(mbuf), 1);
	OK(doca_buf_inventory_destroy(one));
	rte_pktmbuf_free(mbuf);
	tear_down_pool();
}

TEST(pool_with_buffers_is_in_use)
{
	struct rte_mbuf *mbuf;
	struct doca_buf *buf;

	NEED_POOL();
	mbuf = packet(packets, 10);
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf));
	rte_pktmbuf_free(mbuf);
	FAILS(doca_dpdk_mempool_destroy(mempool), IN_USE,
	      "cannot destroy the mempool of packets: 1 buffers");
	OK(doca_buf_dec_refcount(buf, NULL));
	tear_down_pool();
}

TEST(life_of_a_pool)
{
	struct rte_mbuf *mbuf;
	struct doca_buf *buf;

	NEED_EAL();
	fake_reset(false);
	inv = new_inventory(1);
	OK(doca_dpdk_mempool_create(packets, &mempool));
	FAILS(doca_dpdk_mempool_start(mempool), INVALID_VALUE, "it has no device");
	OK(doca_dpdk_mempool_dev_add(mempool, &fake_dev));
	EXPECT_EQ(fake_dev.refs, 2);
	ERR(doca_dpdk_mempool_dev_add(mempool, &fake_dev), INVALID_VALUE);
	OK(doca_dpdk_mempool_set_permissions(mempool, DOCA_ACCESS_FLAG_RDMA_READ));
	mbuf = packet(packets, 10);
	ERR(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf), INVALID_VALUE);
	OK(doca_dpdk_mempool_start(mempool));
	FAILS(doca_dpdk_mempool_start(mempool), INVALID_VALUE, "is started");
	FAILS(doca_dpdk_mempool_dev_add(mempool, &fake_dev), INVALID_VALUE, "is started");
	FAILS(doca_dpdk_mempool_set_permissions(mempool, 0), INVALID_VALUE, "is started");
	OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbuf, &buf));
	OK(doca_buf_dec_refcount(buf, NULL));
	rte_pktmbuf_free(mbuf);
	tear_down_pool();
	EXPECT_EQ(fake_dev.refs, 1);
}

TEST(permissions_of_pci_are_invalid)
{
	NEED_EAL();
	OK(doca_dpdk_mempool_create(packets, &mempool));
	ERR(doca_dpdk_mempool_set_permissions(mempool, DOCA_ACCESS_FLAG_PCI_READ_ONLY),
	    INVALID_VALUE);
	ERR(doca_dpdk_mempool_set_permissions(mempool, DOCA_ACCESS_FLAG_PCI_READ_WRITE),
	    INVALID_VALUE);
	ERR(doca_dpdk_mempool_set_permissions(mempool, 1 << 12), INVALID_VALUE);
	OK(doca_dpdk_mempool_destroy(mempool));
}

/* Make the pool anew, because it can be started once. */
static void make_anew(void)
{
	OK(doca_dpdk_mempool_destroy(mempool));
	OK(doca_dpdk_mempool_create(packets, &mempool));
	OK(doca_dpdk_mempool_dev_add(mempool, &fake_dev));
}

TEST(pool_without_memory)
{
	NEED_EAL();
	fake_reset(false);
	EXPECT_FAULTS(FAULT_ALLOC, doca_dpdk_mempool_create(packets, &mempool), NO_MEMORY,
		      OK(doca_dpdk_mempool_destroy(mempool)));
	OK(doca_dpdk_mempool_create(packets, &mempool));
	EXPECT_FAULTS(FAULT_ALLOC, doca_dpdk_mempool_dev_add(mempool, &fake_dev), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_dpdk_mempool_start(mempool), NO_MEMORY, make_anew());
	OK(doca_dpdk_mempool_destroy(mempool));
	EXPECT_EQ(fake_dev.refs, 1);
}

TEST(pool_whose_device_is_gone)
{
	NEED_EAL();
	fake_reset(false);
	OK(doca_dpdk_mempool_create(packets, &mempool));
	OK(doca_dpdk_mempool_dev_add(mempool, &fake_dev));
	fake_remove_device();
	FAILS(doca_dpdk_mempool_start(mempool), INVALID_VALUE, "was removed");
	OK(doca_dpdk_mempool_destroy(mempool));
}

#define PIECES 4

/* Two of the pieces are adjacent. They are added in another order than their addresses'. */
static struct rte_mempool *pool_in_pieces(char *memory, size_t len)
{
	static const int order[PIECES] = { 5, 0, 3, 2 };
	struct rte_mempool *pool;

	pool = rte_mempool_create_empty("pieces", MBUFS,
					sizeof(struct rte_mbuf) + RTE_MBUF_DEFAULT_BUF_SIZE, 0,
					sizeof(struct rte_pktmbuf_pool_private), 0, 0);
	if (!pool || rte_mempool_set_ops_byname(pool, "ring_mp_mc", NULL))
		return NULL;
	rte_pktmbuf_pool_init(pool, NULL);
	for (int i = 0; i < PIECES; i++)
		if (rte_mempool_populate_iova(pool, memory + order[i] * len, RTE_BAD_IOVA, len,
					      NULL, NULL) <= 0)
			return NULL;
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
}

TEST(pool_whose_memory_is_in_pieces)
{
	static char memory[6 * 8192] __attribute__((aligned(4096)));
	struct rte_mbuf *mbufs[MBUFS];
	struct rte_mempool *pool;
	struct doca_buf *buf;
	unsigned int n;

	NEED_EAL();
	pool = pool_in_pieces(memory, sizeof(memory) / 6);
	ASSERT(pool);
	fake_reset(false);
	OK(doca_dpdk_mempool_create(pool, &mempool));
	OK(doca_dpdk_mempool_dev_add(mempool, &fake_dev));
	OK(doca_dpdk_mempool_start(mempool));
	inv = new_inventory(1);
	for (n = 0; n < MBUFS && (mbufs[n] = rte_pktmbuf_alloc(pool)); n++) {
		OK(doca_dpdk_mempool_mbuf_to_buf(mempool, inv, mbufs[n], &buf));
		EXPECT(head_of(buf) == mbufs[n]->buf_addr);
		OK(doca_buf_dec_refcount(buf, NULL));
	}
	EXPECT(n >= PIECES);
	while (n--)
		rte_pktmbuf_free(mbufs[n]);
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_dpdk_mempool_destroy(mempool));
	rte_mempool_free(pool);
	EXPECT_EQ(fake_dev.refs, 1);
}

/* Other data may be where packets have their description. */
TEST(pool_that_is_not_of_packets)
{
	struct rte_mempool *numbers;

	NEED_EAL();
	numbers = rte_mempool_create_empty("numbers", 8, 64, 0,
					   sizeof(struct rte_pktmbuf_pool_private), 0, 0);
	ASSERT(numbers);
	numbers->private_data_size = 0;
	FAILS(doca_dpdk_mempool_create(numbers, &mempool), INVALID_VALUE,
	      "cannot use mempool numbers");
	rte_mempool_free(numbers);
}

TEST(representors_are_not_supported)
{
	static struct doca_devinfo_rep rep;
	struct doca_dev_rep *dev_rep;
	uint8_t supported = 7;
	uint16_t n;

	OK(doca_dpdk_cap_is_rep_port_supported(&fake_dev.info, &supported));
	EXPECT_EQ(supported, 0);
	FAILS(doca_dpdk_open_dev_rep_by_port_id(0, &fake_dev, &dev_rep), NOT_SUPPORTED,
	      "fake0 has none");
	doca_priv_debug_add(&rep, &doca_priv_devinfo_rep_object, sizeof(rep), 1);
	ERR(doca_dpdk_get_rep_vf_index(&rep, &n), NOT_SUPPORTED);
	ERR(doca_dpdk_get_rep_sf_num(&rep, &n), NOT_SUPPORTED);
	doca_priv_debug_del(&rep);
}

/* Programs ask for numbers from 0 on. That is not a mistake, so DPDK must not log an error. */
TEST(port_that_there_is_not)
{
	FILE *log = tmpfile();
	struct doca_dev *dev;

	NEED_EAL();
	ASSERT(log);
	OK(rte_openlog_stream(log));
	rte_log_set_global_level(RTE_LOG_DEBUG);
	ERR(doca_dpdk_port_as_dev(1, &dev), NOT_FOUND);
	ERR(doca_dpdk_port_as_dev(UINT16_MAX, &dev), NOT_FOUND);
	EXPECT_EQ(ftell(log), 0);
	rte_log_set_global_level(RTE_LOG_EMERG);
	OK(rte_openlog_stream(NULL));
	fclose(log);
}

TEST(probing_of_what_cannot_be_driven)
{
	struct doca_devinfo was = fake_dev.info;

	NEED_EAL();
	ERR(doca_dpdk_port_probe(&fake_dev, "a=1,0000:03:00.0"), INVALID_VALUE);
	ERR(doca_dpdk_port_probe(&fake_dev, "03:00.0"), INVALID_VALUE);
	fake_dev.info.type = DOCA_DEV_SOFTWARE;
	FAILS(doca_dpdk_port_probe(&fake_dev, ""), INVALID_VALUE,
	      "fake0 has no network interface: it is in software");
	fake_dev.info.type = DOCA_DEV_RDMA;
	FAILS(doca_dpdk_port_probe(&fake_dev, ""), INVALID_VALUE,
	      "cannot probe a port: device fake0 "); /* the rest depends on modules of the kernel */
	/* a missing PCI function */
	strcpy(fake_dev.info.pci, "0000:FF:1F.7");
	FAILS(doca_dpdk_port_probe(&fake_dev, ""), DRIVER,
	      "cannot probe a port of fake0 as 0000:FF:1F.7");
	fake_dev.info = was;
}
