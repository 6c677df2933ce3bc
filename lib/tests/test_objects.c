// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Every public function is given objects that are none: NULL, and in debug mode those that
 * were destroyed, and others; and NULL for what it is to write to or call. It refuses them with a line in the log, and nothing else
 * happens. The functions are those that the version scripts export: scripts/build/object-walk
 * writes their calls, so that a new one is tried without being named here, and the
 * contexts and tasks of a new library are made of its struct ctx_type.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <doca_apsh.h>
#include <doca_argp.h>
#include <doca_buf_array.h>
#include <doca_buf_pool.h>
#include <doca_eth_rxq.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_eth_txq_gpu_data_path.h>
#include <doca_sync_event.h>

#include "core/device/rep.h"
#include "core/exec/batch.h"
#include "core/exec/library.h"
#include "debug_mode.h"
#include "eth/rxq.h"
#include "fake_netdev.h"
#include "fake_xsk.h"
#include "graph_bed.h"
#include "seen.h"

enum { MAY_BE_NULL = 1, MAY_BE_DEAD = 2, MAY_BE_WRONG = 4, MAX_PARAMS = 12 };

struct walk {
	const char *name;
	uintptr_t (*call)(void *const *arg);
	int nr_params;
	bool has_code;
	struct {
		const char *name;
		const char *type; /* of an object, NULL if it is none */
		bool number;
		bool pointer; /* of a function that answers with a code */
		int may;
	} params[MAX_PARAMS];
};

#include "walks.h"

LOG_SOURCE("TEST");

#define NR_WALKS (sizeof(walks) / sizeof(walks[0]))
#define NR_CTX_TYPES (sizeof(ctx_types) / sizeof(ctx_types[0]))

/* Of each type of object one that lives, one that is gone, and others like it. */
static struct object {
	const char *type;
	void *live;
	void *dead;
	void *other;
} objects[96];
static int nr_objects;

static void add(const char *type, void *live, void *dead, void *other)
{
	objects[nr_objects++] = (struct object){ type, live, dead, other };
}

static const struct object *object_of(const char *type)
{
	static const struct object none;

	for (int i = 0; i < nr_objects; i++)
		if (!strcmp(objects[i].type, type))
			return &objects[i];
	return &none;
}

#define MAX_TYPES 16

/* A running context of a library, with a task of each type. */
struct family {
	struct doca_ctx *ctx;
	struct doca_task *tasks[MAX_TYPES];
};

/* Beside its tasks an event needs to know who uses it. */
static void set_up_event(struct doca_sync_event *event)
{
	EXPECT(doca_sync_event_as_ctx(event));
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
}

static struct family new_family(const struct ctx_type *type)
{
	static const struct log_site site = LOG_SITE;
	struct family family = { 0 };
	union doca_data none = { 0 };
	struct doca_ctx *ctx = NULL;

	OK(doca_priv_ctx_new(type, &fake_dev, &ctx, &site));
	if (!strcmp(type->object, "doca_sync_event"))
		set_up_event((struct doca_sync_event *)ctx);
	if (!strcmp(type->object, "doca_eth_rxq"))
		OK(doca_eth_rxq_set_type((struct doca_eth_rxq *)ctx, DOCA_ETH_RXQ_TYPE_REGULAR));
	if (!strcmp(type->object, "doca_eth_txq"))
		OK(doca_eth_txq_set_type((struct doca_eth_txq *)ctx, DOCA_ETH_TXQ_TYPE_REGULAR));
	for (unsigned int i = 0; i < type->nr_pools; i++)
		OK(doca_priv_task_set_conf(ctx, type->object, i, (task_cb_t)abort, (task_cb_t)abort,
					   1, &site));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	OK(doca_ctx_start(ctx));
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
	OK(doca_ctx_stop(family.ctx));
	OK(doca_priv_ctx_destroy(family.ctx, type->object, &site));
	return family;
}

/* Each with the context before it, and each task with the one before it. */
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
			add(type->object, live.ctx, gone.ctx, other);
		for (unsigned int k = 0; k < type->nr_pools; k++) {
			if (i)
				add(type->tasks[k]->object, live.tasks[k], gone.tasks[k], task);
			task = live.tasks[k];
		}
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

#define SIZE 4096 /* more than any of them has */

/* Objects that tests cannot have in this program are entered as the library would; @live may be one. */
static const struct object *add_entered(const char *type, enum debug_kind kind, void *live,
					void *other)
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

static void add_others(void)
{
	struct doca_log_backend *backend;
	const struct object *reps;
	struct doca_pe *gone_pe;

	OK(doca_pe_create(&gone_pe));
	OK(doca_pe_destroy(gone_pe));
	add("doca_pe", bed.pe, gone_pe, bed.mmap);
	add_entered("doca_dev", DEBUG_DEV, &fake_dev, bed.pe);
	add_entered("doca_devinfo", DEBUG_DEVINFO, &fake_dev.info, bed.pe);
	add_entered("doca_devinfo *", DEBUG_DEVINFO_LIST, NULL, bed.pe);
	add_entered("doca_devinfo_rep *", DEBUG_DEVINFO_REP_LIST, NULL, bed.pe);
	add_entered("doca_task_batch", DEBUG_TASK_BATCH, NULL, bed.pe);
	reps = add_entered("doca_dev_rep", DEBUG_DEV_REP, NULL, bed.pe);
	add("doca_devinfo_rep", &((struct doca_dev_rep *)reps->live)->info,
	    &((struct doca_dev_rep *)reps->dead)->info, bed.pe);
	/* no backend is ever destroyed */
	OK(doca_log_backend_create_with_fd_sdk(2, &backend));
	OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE));
	add("doca_log_backend", backend, NULL, bed.pe);
}

/* Elements of arrays are entered as the library would. */
static void add_apsh(void)
{
	struct doca_apsh_system *system, *gone_system;
	struct doca_apsh_ctx *ctx, *gone_ctx;
	const struct object *process;

	ctx = doca_apsh_create();
	gone_ctx = doca_apsh_create();
	system = doca_apsh_system_create(ctx);
	gone_system = doca_apsh_system_create(ctx);
	doca_apsh_system_destroy(gone_system);
	doca_apsh_destroy(gone_ctx);
	add("doca_apsh_ctx", ctx, gone_ctx, system);
	add("doca_apsh_system", system, gone_system, ctx);
	process = add_entered("doca_apsh_process", DEBUG_APSH_PROCESS, NULL, ctx);
	add_entered("doca_apsh_container", DEBUG_APSH_CONTAINER, NULL, process->live);
}

/* What is told of packets is no object of the mode. */
static void add_eth(void)
{
	static struct doca_eth_rxq_event_batch_managed_recv batch;
	static struct doca_eth_rxq_event_managed_recv event;
	static struct doca_gather_list list;

	add("doca_eth_rxq_event_managed_recv", &event, NULL, bed.pe);
	add("doca_eth_rxq_event_batch_managed_recv", &batch, NULL, bed.pe);
	add("doca_eth_txq_gpu_event_error_send_packet", &event, NULL, bed.pe);
	add("doca_eth_txq_gpu_event_notify_send_packet", &event, NULL, bed.pe);
	add("doca_gather_list", &list, NULL, bed.pe);
}

/* Nor are the objects of flows, but their devices. */
static void add_flow(void)
{
	static const char *const types[] = {
		"doca_flow_cfg",      "doca_flow_port_cfg", "doca_flow_port",
		"doca_flow_pipe_cfg", "doca_flow_pipe",	    "doca_flow_match",
		"doca_flow_actions",  "doca_flow_monitor",  "doca_flow_fwd",
	};
	static uint64_t memory[64];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		add(types[i], memory, NULL, bed.pe);
}

static void set_up_objects(void)
{
	if (nr_objects)
		return;
	set_up_started(false, 4);
	wire_reset();
	strcpy(fake_dev.info.iface, "fake0");
	add_eth();
	add_flow();
	add_contexts();
	add_memory();
	add_graphs();
	add_argp();
	add_apsh();
	add_others();
}

/* What a parameter is that is no object, or not the one of the case. */
static void *filler(const struct walk *walk, int i)
{
	static char scratch[4096] __attribute__((aligned(4096)));
	const char *name = walk->params[i].name;
	void *live;

	if (walk->params[i].number && (strstr(name, "size") || strstr(name, "capacity")))
		return (void *)512; /* enough for any name */
	if (walk->params[i].number)
		return (void *)(strstr(name, "offset") || strstr(name, "filter") ? 0UL : 1UL);
	if (!walk->params[i].type)
		return scratch;
	live = object_of(walk->params[i].type)->live;
	return live ? live : scratch;
}

static void try(const struct walk *walk, int bad, void *what, const char *words)
{
	uintptr_t expected = walk->has_code ? DOCA_ERROR_INVALID_VALUE : 0;
	void *arg[MAX_PARAMS];
	uintptr_t answer;
	const char *text;

	for (int i = 0; i < walk->nr_params; i++)
		arg[i] = i == bad ? what : filler(walk, i);
	logged();
	answer = walk->call(arg);
	if (answer != expected)
		KTAP_SAY_("%s(): %s %p: answers %ld, not %ld", walk->name, walk->params[bad].name,
			  what, (long)answer, (long)expected);
	else if (walk->has_code)
		seen_expected(answer);
	text = logged();
	if (!strstr(text, words) && (what || (!strstr(text, "(nil)") && !strstr(text, "!("))))
		KTAP_SAY_("%s(): %s %p: logs \"%s\", not \"%s\"", walk->name,
			  walk->params[bad].name, what, text, words);
}

static void try_null(const struct walk *walk, int i)
{
	if ((walk->params[i].type || walk->params[i].pointer) &&
	    !(walk->params[i].may & MAY_BE_NULL))
		try(walk, i, NULL, "NULL");
}

static void try_null_without_debug_mode(const struct walk *walk, int i)
{
	doca_priv_debug = false;
	seen_begin();
	try_null(walk, i);
}

static void try_dead(const struct walk *walk, int i)
{
	const char *type = walk->params[i].type;
	const char *words = "was destroyed";
	void *dead = type ? object_of(type)->dead : NULL;

	if (!dead || walk->params[i].may & MAY_BE_DEAD)
		return;
	if (strstr(type, "task") && !strstr(type, "batch"))
		words = "is gone";
	if (strstr(type, "argp"))
		words = "is no";
	try(walk, i, dead, words);
}

static void try_wrong(const struct walk *walk, int i)
{
	static char nothing[4096] __attribute__((aligned(64)));
	const struct object *object;

	if (!walk->params[i].type || walk->params[i].may & MAY_BE_WRONG)
		return;
	object = object_of(walk->params[i].type);
	if (!object->live)
		return;
	try(walk, i, nothing, "is no");
	try(walk, i, object->other, "is no");
}

/* Only a process that exits writes what has run of the libraries. */
static bool is_counted(void)
{
	const char *under = getenv("UNDER");

	return under && !strcmp(under, "gcov");
}

/*
 * In a process of its own: who is not refused does harm. It is killed from outside, for
 * valgrind looks for leaks in a process that kills itself.
 */
static void in_child(const struct walk *walk, void (*try_one)(const struct walk *walk, int i))
{
	static int *bad;
	int status = -1;
	pid_t pid;

	if (!bad)
		bad = mmap(NULL, sizeof(*bad), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	ASSERT(bad != MAP_FAILED);
	*bad = -1;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		ktap_bad = 0;
		for (int i = 0; i < walk->nr_params; i++)
			try_one(walk, i);
		fflush(stdout);
		*bad = ktap_bad;
		if (is_counted())
			exit(0);
		raise(SIGSTOP);
		_exit(1);
	}
	EXPECT(pid > 0 && waitpid(pid, &status, WUNTRACED) == pid);
	if (WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		EXPECT(waitpid(pid, NULL, 0) == pid);
	}
	if (*bad)
		KTAP_SAY_("%s() ends with %#x", walk->name, status);
}

static void walk_all(void (*try_one)(const struct walk *walk, int i))
{
	set_up_objects();
	for (size_t i = 0; i < NR_WALKS; i++)
		in_child(&walks[i], try_one);
}

TEST(every_function_refuses_null)
{
	walk_all(try_null);
}

TEST(every_function_refuses_null_without_debug_mode)
{
	walk_all(try_null_without_debug_mode);
}

TEST(every_function_refuses_what_was_destroyed)
{
	walk_all(try_dead);
}

TEST(every_function_refuses_what_is_another_object_or_none)
{
	walk_all(try_wrong);
}

/* Types of which there are none, so that whatever is given was never made. */
TEST(every_type_of_object_is_tried)
{
	static const char *const none[] = {
		"doca_apsh_process_parameters", "doca_dpa", "doca_gpu", "doca_gpu_buf_arr",
		"doca_sync_event_remote_net",
	};
	const char *type;

	set_up_objects();
	for (size_t i = 0; i < NR_WALKS; i++)
		for (int k = 0; k < walks[i].nr_params; k++) {
			bool known = false;

			type = walks[i].params[k].type;
			for (size_t n = 0; type && n < sizeof(none) / sizeof(none[0]); n++)
				known |= !strcmp(type, none[n]);
			if (type && !known && !object_of(type)->live)
				KTAP_SAY_("no %s is tried", type);
		}
}
