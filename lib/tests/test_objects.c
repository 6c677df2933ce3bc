// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The objects of level 3.0, except those of DPDK, for walk.h. The contexts and tasks of a new
 * library are made from its struct ctx_type.
 */
#include <doca_apsh.h>
#include <doca_argp.h>
#include <doca_buf_array.h>
#include <doca_buf_pool.h>
#include <doca_erasure_coding.h>
#include <doca_eth_rxq.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_eth_txq_gpu_data_path.h>
#include <doca_flow.h>
#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "apsh/objects.h"
#include "comch/connection.h"
#include "comch/consumer.h"
#include "comch/party.h"
#include "comch/producer.h"
#include "core/contexts/sync_event_net.h"
#include "core/device/rep.h"
#include "core/exec/batch.h"
#include "core/exec/library.h"
#include "debug_mode.h"
#include "eth/rxq.h"
#include "fake_hca.h"
#include "fake_netdev.h"
#include "fake_xsk.h"
#include "graph_bed.h"
#include "rdma/connection.h"
#include "seen.h"

#define WALKS "walks.h"
#include "walk.h"

LOG_SOURCE("TEST");

#define NR_CTX_TYPES (sizeof(ctx_types) / sizeof(ctx_types[0]))

#define MAX_TYPES 16

/* A running context of a library, with a task of each type. */
struct family {
	struct doca_ctx *ctx;
	struct doca_task *tasks[MAX_TYPES];
};

/* An event needs publisher and subscriber beside its tasks. */
static void set_up_event(struct doca_sync_event *event)
{
	EXPECT(doca_sync_event_as_ctx(event));
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
}

/* Set the connection or the callbacks that a context of the communication channel needs. */
static void set_up_comch(struct doca_ctx *ctx)
{
	const char *name = ctx->type->object->name;
	struct attachment *at = NULL;

	if (!strcmp(name, "doca_comch_server")) {
		party_of(ctx)->connect_cb = (void *)abort;
		party_of(ctx)->disconnect_cb = (void *)abort;
	}
	if (!strcmp(name, "doca_comch_server") || !strcmp(name, "doca_comch_client"))
		party_of(ctx)->recv_cb = (void *)abort;
	if (!strcmp(name, "doca_comch_consumer"))
		at = &((struct doca_comch_consumer *)ctx)->at;
	if (!strcmp(name, "doca_comch_producer"))
		at = &((struct doca_comch_producer *)ctx)->at;
	if (!at)
		return;
	at->connection = connection_new(&fake_dev);
	at->connection->queue_fd = 0;
}

/* Start a context. A client finds its server. */
static void start(struct doca_ctx *ctx)
{
	doca_error_t ret = doca_ctx_start(ctx);

	if (ret == DOCA_ERROR_IN_PROGRESS && !strcmp(ctx->type->object->name, "doca_comch_client"))
		fake_connected(&ctx->queue, fake_inbox.last_id, 8);
	EXPECT(ret == DOCA_SUCCESS || ret == DOCA_ERROR_IN_PROGRESS);
	while (ctx->state == DOCA_CTX_STATE_STARTING)
		doca_pe_progress(bed.pe);
}

static struct family new_family(const struct ctx_type *type)
{
	static const struct log_site site = LOG_SITE;
	struct family family = { 0 };
	union doca_data none = { 0 };
	struct doca_ctx *ctx = NULL;

	OK(doca_priv_ctx_new(type, &fake_dev, &ctx, &site));
	if (!strcmp(type->object->name, "doca_sync_event"))
		set_up_event((struct doca_sync_event *)ctx);
	if (!strcmp(type->object->name, "doca_eth_rxq"))
		OK(doca_eth_rxq_set_type((struct doca_eth_rxq *)ctx, DOCA_ETH_RXQ_TYPE_REGULAR));
	if (!strcmp(type->object->name, "doca_eth_txq"))
		OK(doca_eth_txq_set_type((struct doca_eth_txq *)ctx, DOCA_ETH_TXQ_TYPE_REGULAR));
	for (unsigned int i = 0; i < type->nr_pools; i++)
		OK(doca_priv_task_set_conf(ctx, type->object, i, (task_cb_t)abort, (task_cb_t)abort,
					   1, &site));
	set_up_comch(ctx);
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	start(ctx);
	for (unsigned int i = 0; i < type->nr_pools; i++)
		OK(doca_priv_task_alloc(ctx, &ctx->pools[i], none, &family.tasks[i], __func__));
	family.ctx = ctx;
	return family;
}

static struct family ended(struct family family)
{
	static const struct log_site site = LOG_SITE;
	const struct ctx_type *type = family.ctx->type;

	for (unsigned int i = 0; i < type->nr_pools; i++)
		doca_task_free(family.tasks[i]);
	doca_ctx_stop(family.ctx);
	while (family.ctx->state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(bed.pe);
	OK(doca_priv_ctx_destroy(family.ctx, type->object, &site));
	return family;
}

/* The events of a receive queue are members of it; batches are of a pool, which it lacks. */
static void add_events(struct doca_ctx *live_ctx, struct doca_ctx *gone_ctx)
{
	struct doca_eth_rxq *live = (struct doca_eth_rxq *)live_ctx;
	struct doca_eth_rxq *gone = (struct doca_eth_rxq *)gone_ctx;
	static struct rx_array arrays[2];

	for (int i = 0; i < 2; i++)
		doca_priv_debug_add(&arrays[i], &eth_rxq_array_object, sizeof(arrays[i]), 1);
	doca_priv_debug_del(&arrays[1]);
	add("doca_eth_rxq_event_managed_recv", &live->event, &gone->event, &live->batch);
	add("doca_eth_rxq_event_batch_managed_recv", &live->batch, &gone->batch, &live->event);
	add("doca_buf *", arrays[0].bufs, arrays[1].bufs, bed.mem);
}

/* Add each with the context before it, and each task with the one before it. */
static void add_contexts(void)
{
	struct doca_ctx *other = NULL;
	struct doca_task *task = NULL;

	for (size_t i = 0; i <= NR_CTX_TYPES; i++) {
		const struct ctx_type *type = ctx_types[i % NR_CTX_TYPES];
		struct family gone = ended(new_family(type));
		struct family live = new_family(type);

		if (!i)
			add("doca_ctx", live.ctx, gone.ctx, live.tasks[0]);
		if (!i)
			add("doca_task", live.tasks[0], gone.tasks[0], live.ctx);
		if (i)
			add(type->object->name, live.ctx, gone.ctx, other);
		for (unsigned int k = 0; k < type->nr_pools; k++) {
			if (i)
				add(type->tasks[k]->object->name, live.tasks[k], gone.tasks[k],
				    task);
			task = live.tasks[k];
		}
		if (i && !strcmp(type->object->name, "doca_eth_rxq"))
			add_events(live.ctx, gone.ctx);
		other = live.ctx;
	}
}

static void add_memory(void)
{
	struct doca_buf_inventory *inv;
	struct doca_buf_pool *pool[2];
	struct doca_buf_arr *arr[2];
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	for (int i = 0; i < 2; i++) {
		OK(doca_buf_pool_create(1, 8, bed.mmap, &pool[i]));
		OK(doca_buf_arr_create(1, &arr[i]));
	}
	OK(doca_buf_pool_destroy(pool[1]));
	OK(doca_buf_arr_destroy(arr[1]));
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_destroy(mmap));
	OK(doca_buf_inventory_create(1, &inv));
	OK(doca_buf_inventory_start(inv));
	OK(doca_buf_inventory_buf_get_by_data(inv, bed.mmap, bed.mem, 1, &buf));
	put(buf);
	OK(doca_buf_inventory_destroy(inv));
	add("doca_buf", source(0, 8), buf, bed.inv);
	add("doca_buf_inventory", bed.inv, inv, pool[0]);
	add("doca_buf_pool", pool[0], pool[1], bed.inv);
	add("doca_buf_arr", arr[0], arr[1], bed.mmap);
	add("doca_mmap", bed.mmap, mmap, arr[0]);
}

static struct doca_graph *a_graph(struct doca_graph_node **node,
				  struct doca_graph_instance **instance)
{
	struct doca_graph *graph = new_graph(1);

	*node = ctx_node(graph);
	OK(doca_graph_start(graph));
	*instance = new_instance(graph);
	return graph;
}

static void add_graphs(void)
{
	struct doca_graph_instance *instance, *gone_instance;
	struct doca_graph_node *node, *gone_node;
	struct doca_graph *graph, *gone;

	graph = a_graph(&node, &instance);
	gone = a_graph(&gone_node, &gone_instance);
	OK(doca_graph_instance_destroy(gone_instance));
	OK(doca_graph_stop(gone));
	OK(doca_graph_destroy(gone));
	add("doca_graph", graph, gone, instance);
	add("doca_graph_instance", instance, gone_instance, graph);
	add("doca_graph_node", node, gone_node, graph);
}

static void add_argp(void)
{
	struct doca_argp_param *param, *gone_param;
	struct doca_argp_cmd *cmd, *gone_cmd;

	OK(doca_argp_init("walk", NULL));
	OK(doca_argp_param_create(&param));
	OK(doca_argp_param_create(&gone_param));
	OK(doca_argp_param_destroy(gone_param));
	OK(doca_argp_cmd_create(&cmd));
	OK(doca_argp_cmd_create(&gone_cmd));
	OK(doca_argp_cmd_destroy(gone_cmd));
	add("doca_argp_param", param, gone_param, cmd);
	add("doca_argp_cmd", cmd, gone_cmd, param);
}

#define SIZE 4096 /* larger than any object */

/*
 * Register objects that tests cannot make in this program, like the library would; @live may be
 * one.
 */
static const struct object *add_entered(const char *type, const struct object_type *kind,
					void *live, void *other)
{
	void *gone = calloc(1, SIZE);

	if (!live) {
		live = calloc(1, SIZE);
		doca_priv_debug_add(live, kind, SIZE, 1);
	}
	doca_priv_debug_add(gone, kind, SIZE, 1);
	doca_priv_debug_del(gone);
	add(type, live, gone, other);
	return object_of(type);
}

static void add_comch(void)
{
	struct doca_comch_connection *gone = connection_new(&fake_dev);

	connection_put(gone);
	add("doca_comch_connection", connection_new(&fake_dev), gone, bed.pe);
}

static void add_matrices(void)
{
	struct doca_ec *ec = object_of("doca_ec")->live;
	struct doca_ec_matrix *live, *gone;

	OK(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 1, 1, &live));
	OK(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 1, 1, &gone));
	OK(doca_ec_matrix_destroy(gone));
	add("doca_ec_matrix", live, gone, bed.pe);
}

static void add_keys(void)
{
	static const uint8_t raw[16];
	struct doca_aes_gcm *gcm = object_of("doca_aes_gcm")->live;
	struct doca_aes_gcm_key *live, *gone;

	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_128, &live));
	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_128, &gone));
	OK(doca_aes_gcm_key_destroy(gone));
	add("doca_aes_gcm_key", live, gone, bed.pe);
}

static void add_rdma(void)
{
	struct doca_rdma *rdma = object_of("doca_rdma")->live;
	struct doca_rdma_connection *connection = NULL;
	struct doca_rdma_addr *addr = NULL, *dead = NULL;
	static struct doca_sync_event_remote_net event;
	static struct doca_rdma_gid gids[4];
	const void *details;
	size_t size;

	OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", 1, &addr));
	OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", 1, &dead));
	OK(doca_rdma_addr_destroy(dead));
	add("doca_rdma_addr", addr, dead, bed.pe);
	doca_priv_debug_add(&event, &doca_priv_sync_event_remote_net_object, sizeof(event), 1);
	add_entered("doca_sync_event_remote_net", &doca_priv_sync_event_remote_net_object, &event,
		    bed.pe);
	OK(doca_rdma_export(rdma, &details, &size, &connection));
	add("doca_rdma_gid", gids, NULL, bed.pe);
	add_entered("doca_rdma_connection", &rdma_connection_object, connection, bed.pe);
}

static void add_others(void)
{
	struct doca_log_backend *backend;
	const struct object *reps;
	struct doca_pe *gone_pe;

	OK(doca_pe_create(&gone_pe));
	OK(doca_pe_destroy(gone_pe));
	add("doca_pe", bed.pe, gone_pe, bed.mmap);
	add_entered("doca_dev", &doca_priv_dev_object, &fake_dev, bed.pe);
	add_entered("doca_devinfo", &doca_priv_devinfo_object, &fake_dev.info, bed.pe);
	add_entered("doca_devinfo *", &doca_priv_devinfo_list_object, NULL, bed.pe);
	add_entered("doca_devinfo_rep *", &doca_priv_devinfo_rep_list_object, NULL, bed.pe);
	add_entered("doca_task_batch", &doca_priv_task_batch_object, NULL, bed.pe);
	reps = add_entered("doca_dev_rep", &doca_priv_dev_rep_object, NULL, bed.pe);
	add("doca_devinfo_rep", &((struct doca_dev_rep *)reps->live)->info,
	    &((struct doca_dev_rep *)reps->dead)->info, bed.pe);
	/* backends are never destroyed */
	OK(doca_log_backend_create_with_fd_sdk(2, &backend));
	OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE));
	add("doca_log_backend", backend, NULL, bed.pe);
}

/* Register arrays and their elements as the library would. */
static void add_apsh(void)
{
	static const struct {
		const char *name;
		const char *array;
		const struct object_type *type;
	} elements[] = {
#define ELEMENT(name) { "doca_apsh_" #name, "doca_apsh_" #name " *", &apsh_##name##_object }
		ELEMENT(attestation),
		ELEMENT(container),
		ELEMENT(envar),
		ELEMENT(handle),
		ELEMENT(injection_detect),
		ELEMENT(interface),
		ELEMENT(lib),
		ELEMENT(module),
		ELEMENT(netscan),
		ELEMENT(privilege),
		ELEMENT(process),
		ELEMENT(process_parameters),
		ELEMENT(proc_file_details),
		ELEMENT(thread),
		ELEMENT(vad),
		ELEMENT(yara),
	};
	/* Groups for Windows, or not supported yet. */
	static const char *const never[] = { "doca_apsh_sid *", "doca_apsh_ldrmodule *",
					     "doca_apsh_injection_detect *" };
	static const char *const nothing[] = { "doca_apsh_sid", "doca_apsh_ldrmodule",
					       "doca_apsh_injection_detect" };
	struct doca_apsh_system *system, *gone_system;
	struct doca_apsh_ctx *ctx, *gone_ctx;

	ctx = doca_apsh_create();
	gone_ctx = doca_apsh_create();
	system = doca_apsh_system_create(ctx);
	gone_system = doca_apsh_system_create(ctx);
	doca_apsh_system_destroy(gone_system);
	doca_apsh_destroy(gone_ctx);
	add("doca_apsh_ctx", ctx, gone_ctx, system);
	add("doca_apsh_system", system, gone_system, ctx);
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		add_entered(elements[i].name, elements[i].type, NULL, ctx);
		add_entered(elements[i].array, &apsh_array_object, NULL, ctx);
	}
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		add_entered(never[i], &apsh_array_object, NULL, ctx);
		add(nothing[i], ctx, NULL, system);
	}
}

/* GPUs have no events, and a gather list is plain memory. */
static void add_eth(void)
{
	static uint64_t memory[64];

	add("doca_eth_txq_gpu_event_error_send_packet", memory, NULL, bed.pe);
	add("doca_eth_txq_gpu_event_notify_send_packet", memory, NULL, bed.pe);
	add("doca_gather_list", memory, NULL, bed.pe);
}

static struct doca_flow_port *a_port(struct doca_flow_port_cfg **cfg)
{
	struct doca_flow_port *port = NULL;

	OK(doca_flow_port_cfg_create(cfg));
	OK(doca_flow_port_cfg_set_dev(*cfg, &fake_dev));
	OK(doca_flow_port_start(*cfg, &port));
	return port;
}

static struct doca_flow_pipe *a_pipe(struct doca_flow_port *port, struct doca_flow_pipe_cfg **cfg)
{
	struct doca_flow_pipe *pipe = NULL;

	OK(doca_flow_pipe_cfg_create(cfg, port));
	OK(doca_flow_pipe_cfg_set_is_root(*cfg, true));
	OK(doca_flow_pipe_create(*cfg, NULL, NULL, &pipe));
	return pipe;
}

static void add_flow(void)
{
	static const char *const plain[] = { "doca_flow_match", "doca_flow_actions",
					     "doca_flow_monitor", "doca_flow_fwd" };
	struct doca_flow_pipe_cfg *pipe_cfg, *gone_pipe_cfg;
	struct doca_flow_port_cfg *port_cfg, *gone_port_cfg;
	struct doca_flow_pipe *pipe, *gone_pipe;
	struct doca_flow_port *port, *gone_port;
	struct doca_flow_cfg *cfg, *gone_cfg;
	static uint64_t memory[64];

	OK(doca_flow_cfg_create(&gone_cfg));
	OK(doca_flow_cfg_destroy(gone_cfg));
	OK(doca_flow_cfg_create(&cfg));
	OK(doca_flow_cfg_set_mode_args(cfg, "vnf"));
	OK(doca_flow_init(cfg));
	gone_port = a_port(&gone_port_cfg);
	OK(doca_flow_port_cfg_destroy(gone_port_cfg));
	gone_pipe = a_pipe(gone_port, &gone_pipe_cfg);
	OK(doca_flow_pipe_cfg_destroy(gone_pipe_cfg));
	OK(doca_flow_port_stop(gone_port));
	port = a_port(&port_cfg);
	pipe = a_pipe(port, &pipe_cfg);
	add("doca_flow_cfg", cfg, gone_cfg, port);
	add("doca_flow_port_cfg", port_cfg, gone_port_cfg, port);
	add("doca_flow_port", port, gone_port, cfg);
	add("doca_flow_pipe_cfg", pipe_cfg, gone_pipe_cfg, port);
	add("doca_flow_pipe", pipe, gone_pipe, port);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		add(plain[i], memory, NULL, bed.pe);
}

static void set_up_objects(void)
{
	if (nr_objects)
		return;
	set_up_started(false, 4);
	fake.copies = ~0ULL; /* any library's */
	wire_reset();
	strcpy(fake_dev.info.iface, "fake0");
	fake_dev.info.type = DOCA_DEV_RDMA;
	hca_reset(fake_dev.info.name);
	add_eth();
	/* Keys are made only where the device has such. */
	fake.variants = 1 << DOCA_AES_GCM_KEY_128;
	add_contexts();
	add_flow();
	add_memory();
	add_graphs();
	add_argp();
	add_apsh();
	add_others();
	add_comch();
	add_matrices();
	add_keys();
	add_rdma();
}

static const char *walk_logged(void)
{
	return logged();
}
