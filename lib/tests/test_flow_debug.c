// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Debug mode's messages about ports and pipes that are gone. */
#include <doca_flow.h>

#include "debug_mode.h"
#include "eth_bed.h"

static struct doca_flow_pipe_cfg *pipe_cfg;
static struct doca_flow_port *port;
static struct doca_flow_pipe *pipe_;

static void start_pipe(void)
{
	struct doca_flow_port_cfg *port_cfg;
	struct doca_flow_cfg *cfg;

	eth_set_up();
	OK(doca_flow_cfg_create(&cfg));
	OK(doca_flow_cfg_set_mode_args(cfg, "vnf"));
	OK(doca_flow_init(cfg));
	OK(doca_flow_cfg_destroy(cfg));
	OK(doca_flow_port_cfg_create(&port_cfg));
	OK(doca_flow_port_cfg_set_dev(port_cfg, &fake_dev));
	OK(doca_flow_port_start(port_cfg, &port));
	OK(doca_flow_port_cfg_destroy(port_cfg));
	OK(doca_flow_pipe_cfg_create(&pipe_cfg, port));
	OK(doca_flow_pipe_cfg_set_is_root(pipe_cfg, true));
	OK(doca_flow_pipe_create(pipe_cfg, NULL, NULL, &pipe_));
}

static void expect_gone(void)
{
	static const struct doca_flow_fwd drop = { .type = DOCA_FLOW_FWD_DROP };
	struct doca_flow_pipe_entry *entry;

	FAILS(doca_flow_pipe_add_entry(0, pipe_, NULL, NULL, NULL, &drop, 0, NULL, &entry),
	      INVALID_VALUE, "doca_flow_pipe_add_entry(): pipe");
	logged();
	doca_flow_pipe_destroy(pipe_);
	EXPECT_LOGGED("was destroyed");
	FAILS(doca_flow_pipe_create(pipe_cfg, NULL, NULL, &pipe_), INVALID_VALUE,
	      "doca_flow_pipe_create(): port");
	FAILS(doca_flow_entries_process(port, 0, 0, 0), INVALID_VALUE, "was destroyed");
	FAILS(doca_flow_port_stop(port), INVALID_VALUE, "was destroyed");
	OK(doca_flow_pipe_cfg_destroy(pipe_cfg));
}

TEST(a_pipe_ends_with_its_port)
{
	start_pipe();
	OK(doca_flow_port_stop(port));
	expect_gone();
	doca_flow_destroy();
	eth_tear_down();
}

TEST(a_pipe_ends_with_the_library)
{
	start_pipe();
	doca_flow_destroy();
	expect_gone();
	eth_tear_down();
}

/* A device may be closed between the configuration of a port and its start. */
TEST(a_port_is_not_started_on_a_device_that_was_closed)
{
	struct doca_flow_port_cfg *cfg;
	struct doca_dev *dev;

	eth_set_up();
	dev = fake_new_dev(1);
	OK(doca_flow_port_cfg_create(&cfg));
	OK(doca_flow_port_cfg_set_dev(cfg, dev));
	OK(doca_dev_close(dev));
	FAILS(doca_flow_port_start(cfg, &port), INVALID_VALUE, "doca_flow_port_start(): device");
	OK(doca_flow_port_cfg_destroy(cfg));
	eth_tear_down();
}
