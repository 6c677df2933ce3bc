// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Flows on a fake interface: the effect of each rule on frames. */
#include <doca_bitfield.h>
#include <doca_flow.h>

#include "eth_bed.h"

static struct doca_flow_port *port;
static struct doca_flow_pipe *pipe_;
static struct doca_flow_pipe_entry *entry;
static uint32_t seen_tag, seen_meta;
static uint16_t queue_id;
static struct doca_flow_fwd to_queue = {
	.type = DOCA_FLOW_FWD_RSS,
	.rss_type = DOCA_FLOW_RESOURCE_TYPE_NON_SHARED,
	.rss = { .queues_array = &queue_id, .nr_queues = 1 },
};
static const struct doca_flow_fwd drop = { .type = DOCA_FLOW_FWD_DROP };

static void received(struct doca_eth_rxq_task_recv *task, union doca_data a, union doca_data b)
{
	const uint32_t *meta = NULL;
	struct doca_buf *buf = NULL;

	(void)a;
	(void)b;
	record('S');
	if (doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(task)) == DOCA_SUCCESS) {
		OK(doca_eth_rxq_task_recv_get_flow_tag(task, &seen_tag));
		OK(doca_eth_rxq_task_recv_get_metadata_array(task, &meta));
		seen_meta = *meta;
	}
	OK(doca_eth_rxq_task_recv_get_pkt(task, &buf));
	put(buf);
	doca_task_free(doca_eth_rxq_task_recv_as_doca_task(task));
}

static void start_port(void)
{
	struct doca_flow_port_cfg *port_cfg = NULL;
	struct doca_flow_cfg *cfg = NULL;

	eth_set_up();
	OK(doca_flow_cfg_create(&cfg));
	OK(doca_flow_cfg_set_pipe_queues(cfg, 1));
	OK(doca_flow_cfg_set_nr_counters(cfg, 64));
	OK(doca_flow_cfg_set_mode_args(cfg, "vnf,isolated"));
	OK(doca_flow_init(cfg));
	OK(doca_flow_cfg_destroy(cfg));
	OK(doca_flow_port_cfg_create(&port_cfg));
	OK(doca_flow_port_cfg_set_dev(port_cfg, &fake_dev));
	OK(doca_flow_port_cfg_set_port_id(port_cfg, 1));
	OK(doca_flow_port_start(port_cfg, &port));
	OK(doca_flow_port_cfg_destroy(port_cfg));
	queue_id = 0;
}

static void make_pipe(const struct doca_flow_match *match, const struct doca_flow_actions *actions,
		      const struct doca_flow_fwd *fwd, const struct doca_flow_fwd *miss)
{
	struct doca_flow_actions *list[] = { (void *)actions };
	struct doca_flow_pipe_cfg *cfg = NULL;

	OK(doca_flow_pipe_cfg_create(&cfg, port));
	OK(doca_flow_pipe_cfg_set_name(cfg, "rx"));
	OK(doca_flow_pipe_cfg_set_type(cfg, DOCA_FLOW_PIPE_BASIC));
	OK(doca_flow_pipe_cfg_set_is_root(cfg, true));
	OK(doca_flow_pipe_cfg_set_match(cfg, match, NULL));
	if (actions)
		OK(doca_flow_pipe_cfg_set_actions(cfg, list, NULL, NULL, 1));
	OK(doca_flow_pipe_create(cfg, fwd, miss, &pipe_));
	OK(doca_flow_pipe_cfg_destroy(cfg));
}

static doca_error_t add(const struct doca_flow_match *match,
			const struct doca_flow_actions *actions, const struct doca_flow_fwd *fwd)
{
	return doca_flow_pipe_add_entry(0, pipe_, match, actions, NULL, fwd, 0, NULL, &entry);
}

static doca_error_t add_basic(const struct doca_flow_match *match, const struct doca_flow_fwd *fwd)
{
	return doca_flow_pipe_basic_add_entry(0, pipe_, match, 0, NULL, NULL, fwd, 0, NULL, &entry);
}

static void start_queue(void)
{
	struct doca_eth_rxq_task_recv *task = NULL;

	OK(doca_eth_rxq_create(&fake_dev, 8, 1600, &rxq));
	use_queue(doca_eth_rxq_as_doca_ctx(rxq));
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_set_flow_tag(rxq, 1));
	OK(doca_eth_rxq_set_metadata_num(rxq, 1));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, received, received, 8));
	start();
	for (int i = 0; i < 8; i++) {
		OK(doca_eth_rxq_task_recv_allocate_init(rxq, room(i * 256, 256), no_data, &task));
		OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
	}
}

static void end(void)
{
	if (rxq)
		stop();
	OK(doca_flow_entries_process(port, 0, 0, 0));
	doca_flow_destroy();
	took();
	eth_tear_down();
}

/* Return 1 if the frame goes to the queue, 0 if to the kernel, -1 if it is dropped. */
static int goes(const void *frame, uint32_t len)
{
	unsigned int passed = wire.passed;

	wire_receive(0, frame, len);
	if (drain(bed.pe))
		return 1;
	return wire.passed == passed ? -1 : 0;
}

static int udp_goes(uint16_t to)
{
	uint8_t frame[100];

	return goes(frame, udp_frame(frame, to, 20));
}

static const struct doca_flow_match everything;

TEST(an_empty_match_takes_all)
{
	struct doca_flow_actions actions = { .meta = { UINT32_MAX, UINT32_MAX } };
	struct doca_flow_actions values = { .meta = { DOCA_HTOBE32(0x1234),
						      DOCA_HTOBE32(0x5678) } };

	start_port();
	make_pipe(&everything, &actions, &to_queue, NULL);
	OK(add(NULL, &values, NULL));
	EXPECT_LOGGED("takes all frames");
	EXPECT_EQ(goes(frame_of(1, 60), 60), 0);
	start_queue();
	EXPECT_EQ(goes(frame_of(1, 60), 60), 1);
	EXPECT_EQ(seen_meta, 0x1234);
	EXPECT_EQ(seen_tag, 0x5678);
	EXPECT_EQ(udp_goes(9), 1);
	doca_flow_pipe_destroy(pipe_);
	EXPECT_EQ(udp_goes(9), 0);
	end();
}

/* Public programs do this: misses are dropped, and there are none. */
TEST(where_all_match_none_misses)
{
	struct doca_flow_actions actions = { .meta = { DOCA_HTOBE32(1), DOCA_HTOBE32(2) } };

	start_port();
	start_queue();
	make_pipe(&everything, &actions, &to_queue, &drop);
	EXPECT_EQ(udp_goes(9), -1);
	wire.map_err = -EIO;
	ERR(add(&everything, &actions, NULL), INITIALIZATION);
	wire.map_err = 0;
	EXPECT_EQ(udp_goes(9), -1);
	OK(add(&everything, &actions, NULL));
	EXPECT_EQ(wire.programs, 1);
	EXPECT_EQ(goes(frame_of(1, 60), 60), 1);
	EXPECT_EQ(seen_meta, 1);
	EXPECT_EQ(seen_tag, 2);
	EXPECT_EQ(udp_goes(9), 1);
	ERR(add(&everything, &actions, NULL), ALREADY_EXIST);
	doca_flow_pipe_destroy(pipe_);
	EXPECT_EQ(udp_goes(9), 0);
	end();
}

static struct doca_flow_match udp_match(uint32_t address, uint16_t to)
{
	struct doca_flow_match match = {
		.outer = {
			.l3_type = DOCA_FLOW_L3_TYPE_IP4,
			.ip4 = { .dst_ip = address },
			.l4_type_ext = DOCA_FLOW_L4_TYPE_EXT_UDP,
			.udp = { .l4_port = { .dst_port = to } },
		},
	};

	return match;
}

/* A destroyed pipe takes its rules along: the queue stays, its frames go to the kernel. */
TEST(udp_is_matched_by_its_destination)
{
	struct doca_flow_match match = udp_match(DOCA_HTOBE32(0x0a000002), UINT16_MAX);
	struct doca_flow_match one = udp_match(0, DOCA_HTOBE16(53));
	struct doca_flow_match two = udp_match(0, DOCA_HTOBE16(54));

	start_port();
	start_queue();
	make_pipe(&match, NULL, &to_queue, &drop);
	OK(add(&one, NULL, NULL));
	OK(add_basic(&two, &drop));
	EXPECT_EQ(udp_goes(53), 1);
	EXPECT_EQ(udp_goes(54), -1);
	EXPECT_EQ(udp_goes(55), -1); /* misses are dropped */
	ERR(add(&one, NULL, NULL), ALREADY_EXIST);
	ERR(add_basic(&one, NULL), ALREADY_EXIST);
	doca_flow_pipe_destroy(pipe_);
	EXPECT_EQ(udp_goes(53), 0);
	EXPECT_EQ(udp_goes(55), 0);
	end();
}

TEST(any_address_is_matched_after_the_one_that_is_named)
{
	struct doca_flow_match any = udp_match(0, DOCA_HTOBE16(53));
	struct doca_flow_match other = udp_match(DOCA_HTOBE32(0x0a000003), DOCA_HTOBE16(60));

	start_port();
	start_queue();
	make_pipe(&any, NULL, NULL, NULL);
	OK(add(NULL, NULL, &to_queue));
	make_pipe(&other, NULL, &to_queue, NULL);
	OK(add(NULL, NULL, NULL));
	EXPECT_EQ(udp_goes(53), 1);
	EXPECT_EQ(udp_goes(60), 0); /* it goes to 10.0.0.2 */
	end();
}

TEST(rules_name_queues_by_their_number)
{
	start_port();
	make_pipe(&everything, NULL, &to_queue, NULL);
	queue_id = 7;
	OK(add(NULL, NULL, &to_queue));
	start_queue();
	EXPECT_EQ(udp_goes(53), 0);
	OK(doca_eth_rxq_apply_queue_id(rxq, 7));
	EXPECT_EQ(udp_goes(53), 1);
	end();
}

TEST(what_is_not_supported_says_so)
{
	struct doca_flow_actions *two[2] = { (void *)&everything, NULL };
	struct doca_flow_match match = udp_match(0, 0);
	struct doca_flow_pipe_cfg *cfg = NULL;
	struct doca_flow_cfg *lib = NULL;
	struct doca_flow_fwd bad = to_queue;
	struct doca_flow_pipe *none;

	start_port();
	OK(doca_flow_cfg_create(&lib));
	ERR(doca_flow_cfg_set_mode_args(lib, "switch"), NOT_SUPPORTED);
	OK(doca_flow_cfg_destroy(lib));
	OK(doca_flow_pipe_cfg_create(&cfg, port));
	ERR(doca_flow_pipe_cfg_set_type(cfg, 3), NOT_SUPPORTED);
	ERR(doca_flow_pipe_cfg_set_match(cfg, &match, &match), NOT_SUPPORTED);
	ERR(doca_flow_pipe_cfg_set_actions(cfg, two, NULL, NULL, 2), NOT_SUPPORTED);
	ERR(doca_flow_pipe_create(cfg, &to_queue, NULL, &none), NOT_SUPPORTED);
	OK(doca_flow_pipe_cfg_set_is_root(cfg, true));
	ERR(doca_flow_pipe_create(cfg, NULL, &to_queue, &none), NOT_SUPPORTED);
	bad.rss.nr_queues = 2;
	ERR(doca_flow_pipe_create(cfg, &bad, NULL, &none), NOT_SUPPORTED);
	OK(doca_flow_pipe_cfg_destroy(cfg));
	make_pipe(&match, NULL, &to_queue, NULL);
	logged();
	ERR(add(NULL, NULL, NULL), NOT_SUPPORTED);
	EXPECT_LOGGED("what can be matched");
	ERR(doca_flow_pipe_basic_add_entry(0, pipe_, NULL, 0, NULL, (void *)&match, NULL, 0, NULL,
					   &entry),
	    NOT_SUPPORTED);
	match.inner.ip4.dst_ip = 1;
	make_pipe(&match, NULL, &to_queue, NULL);
	ERR(add(NULL, NULL, NULL), NOT_SUPPORTED);
	end();
}

TEST(a_port_is_started_once)
{
	struct doca_flow_port_cfg *port_cfg = NULL;
	struct doca_flow_cfg *lib = NULL;
	struct doca_flow_port *other;

	OK(doca_flow_port_cfg_create(&port_cfg));
	ERR(doca_flow_port_start(port_cfg, &other), BAD_STATE);
	start_port();
	OK(doca_flow_cfg_create(&lib));
	ERR(doca_flow_init(lib), ALREADY_EXIST);
	ERR(doca_flow_cfg_set_pipe_queues(lib, 0), INVALID_VALUE);
	OK(doca_flow_cfg_destroy(lib));
	ERR(doca_flow_port_start(port_cfg, &other), BAD_STATE);
	OK(doca_flow_port_cfg_set_dev(port_cfg, &fake_dev));
	ERR(doca_flow_port_start(port_cfg, &other), ALREADY_EXIST);
	OK(doca_flow_port_stop(port));
	fake_dev.info.iface_made_up = true;
	FAILS(doca_flow_port_start(port_cfg, &port), NOT_SUPPORTED, "no profile names one");
	fake_dev.info.iface_made_up = false;
	EXPECT_FAULTS(FAULT_ALLOC, doca_flow_port_start(port_cfg, &port), NO_MEMORY,
		      OK(doca_flow_port_stop(port)));
	OK(doca_flow_port_start(port_cfg, &port));
	OK(doca_flow_port_cfg_destroy(port_cfg));
	EXPECT_FAULTS(FAULT_ALLOC, doca_flow_port_cfg_create(&port_cfg), NO_MEMORY,
		      OK(doca_flow_port_cfg_destroy(port_cfg)));
	EXPECT_FAULTS(FAULT_ALLOC, doca_flow_cfg_create(&lib), NO_MEMORY,
		      OK(doca_flow_cfg_destroy(lib)));
	end();
}

/* A public program of 3.0 gives all its ports the same number. */
TEST(ports_of_two_devices_may_have_the_same_number)
{
	struct doca_dev second = {
		.info = { .id = FAKE_OTHER_ID, .name = "fake1" },
		.opens = 1,
		.refs = 1,
	};
	struct doca_flow_port_cfg *port_cfg = NULL;
	struct doca_flow_port *other = NULL;

	start_port();
	fake_add_dev(&second);
	strcpy(second.info.iface, "fake1");
	OK(doca_flow_port_cfg_create(&port_cfg));
	OK(doca_flow_port_cfg_set_port_id(port_cfg, 1));
	OK(doca_flow_port_cfg_set_dev(port_cfg, &second));
	OK(doca_flow_port_start(port_cfg, &other));
	OK(doca_flow_port_stop(other));
	OK(doca_flow_port_cfg_destroy(port_cfg));
	doca_priv_debug_del(&second);
	end();
}

/* Errors of attaching the program, and their codes. */
static const struct {
	int err;
	doca_error_t code;
} attachments[] = {
	{ -EPERM, DOCA_ERROR_NOT_PERMITTED },
	{ -EBUSY, DOCA_ERROR_IN_USE },
	{ -EIO, DOCA_ERROR_INITIALIZATION },
};

#define NR_ATTACHMENTS (sizeof(attachments) / sizeof(attachments[0]))

TEST(pipes_that_cannot_be)
{
	struct doca_flow_actions *list[2] = { NULL, NULL };
	struct doca_flow_pipe_cfg *cfg = NULL;
	struct doca_flow_pipe *none;

	start_port();
	EXPECT_FAULTS(FAULT_ALLOC, doca_flow_pipe_cfg_create(&cfg, port), NO_MEMORY,
		      OK(doca_flow_pipe_cfg_destroy(cfg)));
	OK(doca_flow_pipe_cfg_create(&cfg, port));
	ERR(doca_flow_pipe_cfg_set_actions(cfg, list, NULL, NULL, 1), INVALID_VALUE);
	OK(doca_flow_pipe_cfg_set_is_root(cfg, true));
	EXPECT_FAULTS(FAULT_ALLOC, doca_flow_pipe_create(cfg, NULL, NULL, &none), NO_MEMORY,
		      doca_flow_pipe_destroy(none));
	wire.attach_step = XSK_STEP_ATTACH;
	for (size_t i = 0; i < NR_ATTACHMENTS; i++) {
		wire.attach_err = attachments[i].err;
		EXPECT_EQ(doca_flow_pipe_create(cfg, NULL, &drop, &none), attachments[i].code);
	}
	wire.attach_err = 0;
	make_pipe(&everything, NULL, NULL, &drop);
	ERR(doca_flow_pipe_create(cfg, NULL, &drop, &none), ALREADY_EXIST);
	OK(doca_flow_pipe_cfg_destroy(cfg));
	doca_flow_pipe_destroy(pipe_);
	doca_flow_pipe_destroy(NULL);
	end();
}

TEST(entries_that_cannot_be)
{
	start_port();
	make_pipe(&everything, NULL, NULL, NULL);
	ERR(add(NULL, NULL, NULL), INVALID_VALUE);
	ERR(doca_flow_pipe_basic_add_entry(0, pipe_, NULL, 1, NULL, NULL, &to_queue, 0, NULL,
					   &entry),
	    INVALID_VALUE);
	wire.attach_step = XSK_STEP_ATTACH;
	for (size_t i = 0; i < NR_ATTACHMENTS; i++) {
		wire.attach_err = attachments[i].err;
		EXPECT_EQ(add(NULL, NULL, &to_queue), attachments[i].code);
		EXPECT_EQ(add_basic(NULL, &to_queue), attachments[i].code);
	}
	wire.attach_err = 0;
	fault_at(FAULT_ALLOC, 1);
	ERR(add(NULL, NULL, &to_queue), NO_MEMORY);
	fault_at(FAULT_ALLOC, 1);
	ERR(add_basic(NULL, &to_queue), NO_MEMORY);
	fault_at(FAULT_ALLOC, 0);
	OK(add_basic(NULL, &to_queue));
	EXPECT_EQ(wire.programs, 1);
	end();
}

TEST(a_mode_is_needed)
{
	struct doca_flow_cfg *cfg = NULL;

	eth_set_up();
	OK(doca_flow_cfg_create(&cfg));
	ERR(doca_flow_init(cfg), BAD_STATE);
	OK(doca_flow_cfg_destroy(cfg));
	doca_flow_destroy();
	eth_tear_down();
}
