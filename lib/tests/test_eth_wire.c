// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ethernet queues on the running kernel: frames go from one end of a pair of interfaces to
 * the other, in a network namespace of its own. For users that may make one.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_bitfield.h>
#include <doca_eth_rxq.h>
#include <doca_eth_rxq_cpu_data_path.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_flow.h>

#include "bed.h"
#include "wire.h"
#include "xsk/frame.h"

#define FRAMES 500
#define POOL (300 * 4096)

static const union doca_data none;
static struct doca_eth_rxq *rxq;
static struct doca_eth_txq *txq;
static struct doca_flow_port *port;
static struct doca_mmap *pool;
static char *memory;
static unsigned int got, sent, bad;
static void (*look_at)(const uint8_t *frame, uint32_t len);
static uint32_t tag, metadata;

static uint32_t length_of(unsigned int n)
{
	return 60 + n * 37 % 1400;
}

static void fill(uint8_t *frame, unsigned int n)
{
	for (uint32_t i = 0; i < length_of(n); i++)
		frame[i] = n * 3 + i;
	memcpy(frame, "\2\0\0\0\0\1\2\0\0\0\0\2\x88\xb5", 14);
	put_be32(frame + 14, n);
}

static void check_frame(const uint8_t *frame, uint32_t len)
{
	uint8_t expected[1600];

	if (get_be16(frame + 12) != 0x88b5)
		return;
	fill(expected, got);
	bad += len != length_of(got) || memcmp(frame, expected, len);
	got++;
}

/* Check for zeros, and a VLAN tag if it has 4 bytes more than others may have. */
static void check_longest(const uint8_t *frame, uint32_t len)
{
	if (get_be16(frame + 12) == (got ? 0x8100 : 0x88b5) && !get_be16(frame + 100))
		bad += len != (got++ ? 1518 : 1514);
}

static void packet(struct doca_eth_rxq_event_managed_recv *event, struct doca_buf *buf,
		   union doca_data data)
{
	const uint32_t *values = NULL;
	void *at = NULL;

	(void)data;
	OK(doca_buf_get_data(buf, &at));
	EXPECT((char *)at >= memory && (char *)at < memory + POOL);
	OK(doca_eth_rxq_event_managed_recv_get_flow_tag(event, &tag));
	OK(doca_eth_rxq_event_managed_recv_get_metadata_array(event, &values));
	metadata = *values;
	look_at(at, data_len(buf));
	put(buf);
}

static void recv_end(struct doca_eth_rxq_task_recv *task, union doca_data a, union doca_data b)
{
	struct doca_task *base = doca_eth_rxq_task_recv_as_doca_task(task);
	struct doca_buf *buf = NULL;
	void *at = NULL;

	(void)a;
	(void)b;
	OK(doca_eth_rxq_task_recv_get_pkt(task, &buf));
	if (doca_task_get_status(base) != DOCA_SUCCESS) {
		put(buf);
		doca_task_free(base);
		return;
	}
	OK(doca_buf_get_data(buf, &at));
	check_frame(at, data_len(buf));
	OK(doca_buf_reset_data_len(buf));
	OK(doca_task_submit(base));
}

static void end_task(struct doca_task *task, struct doca_buf *buf)
{
	OK(doca_task_get_status(task));
	put(buf);
	doca_task_free(task);
	sent++;
}

static void send_end(struct doca_eth_txq_task_send *task, union doca_data a, union doca_data b)
{
	struct doca_buf *buf = NULL;

	(void)a;
	(void)b;
	OK(doca_eth_txq_task_send_get_pkt(task, &buf));
	end_task(doca_eth_txq_task_send_as_doca_task(task), buf);
}

static void steer(void)
{
	struct doca_flow_actions actions = { .meta = { DOCA_HTOBE32(1234), DOCA_HTOBE32(77) } };
	struct doca_flow_actions *list[] = { &actions };
	struct doca_flow_match all = { 0 };
	struct doca_flow_port_cfg *port_cfg;
	struct doca_flow_pipe_entry *entry;
	struct doca_flow_pipe_cfg *cfg;
	struct doca_flow_pipe *pipe;
	struct doca_flow_cfg *lib;
	uint16_t id = 0;
	struct doca_flow_fwd fwd = {
		.type = DOCA_FLOW_FWD_RSS,
		.rss_type = DOCA_FLOW_RESOURCE_TYPE_NON_SHARED,
		.rss = { .queues_array = &id, .nr_queues = 1 },
	};

	OK(doca_eth_rxq_get_flow_queue_id(rxq, &id));
	OK(doca_flow_cfg_create(&lib));
	OK(doca_flow_cfg_set_mode_args(lib, "vnf"));
	OK(doca_flow_init(lib));
	OK(doca_flow_cfg_destroy(lib));
	OK(doca_flow_port_cfg_create(&port_cfg));
	OK(doca_flow_port_cfg_set_dev(port_cfg, &fake_dev));
	OK(doca_flow_port_start(port_cfg, &port));
	OK(doca_flow_port_cfg_destroy(port_cfg));
	OK(doca_flow_pipe_cfg_create(&cfg, port));
	OK(doca_flow_pipe_cfg_set_is_root(cfg, true));
	OK(doca_flow_pipe_cfg_set_match(cfg, &all, NULL));
	OK(doca_flow_pipe_cfg_set_actions(cfg, list, NULL, NULL, 1));
	OK(doca_flow_pipe_create(cfg, &fwd, NULL, &pipe));
	OK(doca_flow_pipe_cfg_destroy(cfg));
	OK(doca_flow_pipe_add_entry(0, pipe, NULL, NULL, NULL, NULL, 0, NULL, &entry));
}

static void make_queues(void)
{
	set_up(true, 1);
	got = sent = bad = 0;
	look_at = check_frame;
	OK(doca_eth_rxq_create(&fake_dev, 256, 1600, &rxq));
	OK(doca_pe_connect_ctx(bed.pe, doca_eth_rxq_as_doca_ctx(rxq)));
	OK(doca_eth_txq_create(&fake_dev, 64, &txq));
	OK(doca_pe_connect_ctx(bed.pe, doca_eth_txq_as_doca_ctx(txq)));
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	OK(doca_eth_txq_task_send_set_conf(txq, send_end, send_end, 64));
}

/* The start looks the device's interface up. */
static void start(void)
{
	strcpy(fake_dev.info.iface, "wire0");
	OK(doca_ctx_start(doca_eth_rxq_as_doca_ctx(rxq)));
	steer();
	strcpy(fake_dev.info.iface, "wire1");
	OK(doca_ctx_start(doca_eth_txq_as_doca_ctx(txq)));
}

static void set_up_pool(void)
{
	strcpy(fake_dev.info.iface, "wire0");
	make_queues();
	memory = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(doca_mmap_create(&pool));
	OK(doca_mmap_set_memrange(pool, memory, POOL));
	OK(doca_mmap_set_permissions(pool, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	OK(doca_mmap_add_dev(pool, &fake_dev));
	OK(doca_mmap_start(pool));
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	OK(doca_eth_rxq_set_pkt_buf(rxq, pool, 0, POOL));
	OK(doca_eth_rxq_set_flow_tag(rxq, 1));
	OK(doca_eth_rxq_set_metadata_num(rxq, 1));
	OK(doca_eth_rxq_event_managed_recv_register(rxq, none, packet, packet));
	start();
}

static void start_again(void)
{
	doca_ctx_stop(doca_eth_rxq_as_doca_ctx(rxq));
	drain(bed.pe);
	strcpy(fake_dev.info.iface, "wire0");
	OK(doca_ctx_start(doca_eth_rxq_as_doca_ctx(rxq)));
}

static void tear_down_all(void)
{
	doca_ctx_stop(doca_eth_rxq_as_doca_ctx(rxq));
	doca_ctx_stop(doca_eth_txq_as_doca_ctx(txq));
	drain(bed.pe);
	doca_flow_destroy();
	EXPECT(system("ip link show wire0 | grep -q xdp"));
	OK(doca_eth_rxq_destroy(rxq));
	OK(doca_eth_txq_destroy(txq));
	if (pool) {
		OK(doca_mmap_destroy(pool));
		munmap(memory, POOL);
	}
	pool = NULL;
	fake_dev.info.iface[0] = '\0';
	tear_down();
}

static struct doca_task *new_send(struct doca_buf *buf)
{
	struct doca_eth_txq_task_send *task = NULL;

	OK(doca_eth_txq_task_send_allocate_init(txq, buf, none, &task));
	return doca_eth_txq_task_send_as_doca_task(task);
}

static void send_frame(unsigned int n)
{
	uint32_t at = n % 16 * 1600;

	fill((uint8_t *)bed.mem + at, n);
	OK(doca_task_submit(new_send(source(at, length_of(n)))));
}

/* Return false if nothing has come for a minute. */
static bool wait_for_more(void)
{
	struct pollfd p = { .fd = handle(), .events = POLLIN };
	bool woken;

	OK(doca_pe_request_notification(bed.pe));
	woken = poll(&p, 1, 60000) == 1;
	OK(doca_pe_clear_notification(bed.pe, 0));
	return woken;
}

/* Run until everything has come. */
static void run_until(unsigned int frames, unsigned int tasks, bool send)
{
	unsigned int n = 0;

	while (got < frames || sent < tasks) {
		if (send && n < frames && n - sent < 8)
			send_frame(n++);
		if (!doca_pe_progress(bed.pe) && !wait_for_more())
			break;
	}
	EXPECT_EQ(got, frames);
	EXPECT_EQ(sent, tasks);
	EXPECT_EQ(bad, 0);
}

TEST(frames_reach_a_managed_pool_unchanged_and_in_order)
{
	WIRE();
	set_up_pool();
	run_until(FRAMES, FRAMES, true);
	EXPECT_EQ(tag, 77);
	EXPECT_EQ(metadata, 1234);
	tear_down_all();
}

TEST(frames_reach_tasks_unchanged_and_in_order)
{
	struct doca_eth_rxq_task_recv *task = NULL;

	WIRE();
	strcpy(fake_dev.info.iface, "wire0");
	make_queues();
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 16));
	start();
	for (int i = 0; i < 16; i++) {
		OK(doca_eth_rxq_task_recv_allocate_init(rxq, room(i * 1600, 1600), none, &task));
		OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
	}
	run_until(FRAMES, FRAMES, true);
	tear_down_all();
}

/* The kernel would drop frames that are too long without an error. */
TEST(the_longest_frames_arrive)
{
	struct doca_task *task;
	struct doca_buf *buf;

	WIRE();
	set_up_pool();
	look_at = check_longest;
	memset(bed.mem, 0, 4000);
	memcpy(bed.mem, "\2\0\0\0\0\1\2\0\0\0\0\2\x88\xb5", 14);
	memcpy(bed.mem + 2000, "\2\0\0\0\0\1\2\0\0\0\0\2\x81\0\0\5", 16);
	buf = source(0, 1515);
	task = new_send(buf);
	ERR(doca_task_try_submit(task), INVALID_VALUE);
	OK(doca_buf_set_data_len(buf, 1514));
	OK(doca_task_submit(task));
	OK(doca_task_submit(new_send(source(2000, 1518))));
	run_until(2, 2, false);
	tear_down_all();
}

TEST(a_second_queue_is_refused)
{
	struct doca_eth_rxq *other = NULL;

	WIRE();
	set_up_pool();
	strcpy(fake_dev.info.iface, "wire0");
	OK(doca_eth_rxq_create(&fake_dev, 8, 1600, &other));
	OK(doca_pe_connect_ctx(bed.pe, doca_eth_rxq_as_doca_ctx(other)));
	OK(doca_eth_rxq_set_type(other, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_task_recv_set_conf(other, recv_end, recv_end, 1));
	logged();
	ERR(doca_ctx_start(doca_eth_rxq_as_doca_ctx(other)), IN_USE);
	EXPECT_LOGGED("an AF_XDP socket already");
	OK(doca_eth_rxq_destroy(other));
	tear_down_all();
}

/* A child does not know the queue, so it does not keep it from its parent. */
TEST(a_child_does_not_keep_the_queue)
{
	pid_t pid;

	WIRE();
	set_up_pool();
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	start_again();
	run_until(FRAMES, FRAMES, true);
	kill(pid, SIGKILL);
	EXPECT_EQ(waitpid(pid, NULL, 0), pid);
	tear_down_all();
}

/* The process is killed while its child, which does not know the queue, lives on. */
static void be_killed(int to_test)
{
	set_up_pool();
	if (!fork()) {
		pause();
		_exit(0);
	}
	if (write(to_test, has_program() ? "y" : "n", 1) == 1)
		raise(SIGKILL);
	_exit(1);
}

TEST(a_child_does_not_keep_the_program)
{
	int pipe_fds[2], status;
	char had = 0;
	pid_t pid;

	WIRE();
	OK(pipe(pipe_fds));
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		be_killed(pipe_fds[1]);
	}
	EXPECT_EQ(read(pipe_fds[0], &had, 1), 1);
	EXPECT_EQ(had, 'y');
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT(WIFSIGNALED(status));
	/* The kernel may close the last descriptor late. */
	for (int i = 0; i < 2000 && has_program(); i++)
		;
	EXPECT(!has_program());
	kill(-pid, SIGKILL);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	/* The queue is free as well once the child is gone. */
	set_up_pool();
	tear_down_all();
}

TEST(an_interface_that_is_removed_stops_queues)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_RUNNING;
	doca_notification_handle_t fd = -1;
	struct pollfd p = { .events = POLLIN };

	WIRE();
	set_up_pool();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	drain(bed.pe);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!system("ip link del wire0"));
	/* A waiting program learns of it as well. */
	p.fd = fd;
	EXPECT_EQ(poll(&p, 1, 60000), 1);
	OK(doca_pe_clear_notification(bed.pe, 0));
	/* That takes a busy kernel long; then only further calls notice it. */
	for (int i = 0; i < 100000 && state != DOCA_CTX_STATE_IDLE; i++) {
		doca_pe_progress(bed.pe);
		OK(doca_ctx_get_state(doca_eth_rxq_as_doca_ctx(rxq), &state));
	}
	EXPECT_EQ(state, DOCA_CTX_STATE_IDLE);
	tear_down_all();
}
