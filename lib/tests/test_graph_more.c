// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs within graphs, waiting for graphs, and what may end them. */
#include "core/graph/graph.h"
#include "graph_bed.h"

/* A copy, then a function; and a graph that runs that, then a function. */
static struct {
	struct doca_graph *outer, *inner;
	struct doca_graph_node *copy, *after, *within, *last;
} nest;

static void nest_set_up(uint32_t instances)
{
	nest.inner = new_graph(instances);
	nest.copy = ctx_node(nest.inner);
	nest.after = func_node(nest.inner);
	depend(nest.inner, nest.copy, nest.after);
	OK(doca_graph_start(nest.inner));
	nest.outer = new_graph(instances);
	nest.within = sub_node(nest.outer, nest.inner);
	nest.last = func_node(nest.outer);
	depend(nest.outer, nest.within, nest.last);
}

static struct doca_graph_instance *new_inner(struct doca_task *task,
					     const char *cookie)
{
	struct doca_graph_instance *inner = new_instance(nest.inner);

	set_task(inner, nest.copy, task);
	set_cookie(inner, nest.after, cookie);
	return inner;
}

static struct doca_graph_instance *new_nest(const char *cookie)
{
	struct doca_graph_instance *outer = new_instance(nest.outer);

	set_sub(outer, nest.within, new_inner(new_copy(0, 8), cookie));
	set_cookie(outer, nest.last, "z");
	return outer;
}

static struct doca_graph_instance *started_nest(bool workers,
						const char *cookie)
{
	graph_set_up(workers, 1);
	nest_set_up(1);
	OK(doca_graph_start(nest.outer));
	return new_nest(cookie);
}

static void destroy_nest(struct doca_graph_instance *outer)
{
	struct doca_graph_instance *inner =
		outer->nodes[nest.within->index].sub;

	OK(doca_graph_instance_destroy(outer));
	OK(doca_graph_instance_destroy(inner));
}

static void nest_tear_down(void)
{
	graph_end(nest.outer);
	graph_end(nest.inner);
	graph_tear_down();
}

TEST(an_instance_within_another_does_not_run_its_own_callback)
{
	struct doca_graph_instance *outer, *inner;

	for (int workers = 0; workers < 2; workers++) {
		outer = started_nest(workers, "a");
		inner = outer->nodes[nest.within->index].sub;
		OK(doca_graph_instance_submit(outer));
		ERR(doca_graph_instance_submit(inner), BAD_STATE);
		ERR(doca_graph_instance_destroy(inner), IN_USE);
		ERR(doca_graph_instance_set_sub_graph_node_data(
			    outer, nest.within, inner),
		    BAD_STATE);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 3);
		EXPECT_STR(took(), "azD");
		EXPECT(graphs.instance == outer);
		EXPECT(copied(0, 0, 8));
		/* On its own it does. */
		OK(doca_buf_reset_data_len(
			doca_dma_task_memcpy_get_dst(bed.all[0])));
		OK(doca_graph_instance_submit(inner));
		ERR(doca_graph_instance_submit(outer), BAD_STATE);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_STR(took(), "aD");
		EXPECT(graphs.instance == inner);
		destroy_nest(outer);
		nest_tear_down();
	}
}

TEST(a_failure_within_fails_the_instance_around)
{
	struct doca_graph_instance *outer;

	outer = started_nest(false, "x");
	OK(doca_graph_instance_submit(outer));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "xF");
	EXPECT(graphs.instance == outer);
	destroy_nest(outer);
	nest_tear_down();
}

/* Within, a function is ready and a copy runs when another node fails. */
TEST(a_failure_around_gives_up_what_is_within)
{
	struct doca_graph_node *bad, *early;
	struct doca_graph_instance *outer, *inner[2];
	struct doca_graph_node *within2;

	graph_set_up(true, 2);
	nest_set_up(2);
	bad = func_node(nest.outer);
	early = func_node(nest.outer);
	within2 = sub_node(nest.outer, nest.inner);
	OK(doca_graph_start(nest.outer));
	outer = new_instance(nest.outer);
	for (int i = 0; i < 2; i++)
		inner[i] = new_inner(new_copy(8 * i, 8), "a");
	set_sub(outer, nest.within, inner[0]);
	set_sub(outer, within2, inner[1]);
	set_cookie(outer, bad, "x");
	set_cookie(outer, early, "e");
	OK(doca_graph_instance_submit(outer));
	/* The first copy is done, so that the function behind it is ready. */
	fake_work(1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "x");
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "F");
	EXPECT_EQ(inflight(), 0);
	for (int i = 0; i < 2; i++)
		OK(doca_buf_reset_data_len(
			doca_dma_task_memcpy_get_dst(bed.all[i])));
	/* All of it can be run again. */
	set_cookie(outer, bad, "b");
	OK(doca_graph_instance_submit(outer));
	for (int i = 0; i < 20; i++) {
		fake_work(-1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_EQ(bed.n, 6);
	EXPECT(strchr(bed.log, 'D') == bed.log + 5);
	took();
	OK(doca_graph_instance_destroy(outer));
	for (int i = 0; i < 2; i++)
		OK(doca_graph_instance_destroy(inner[i]));
	nest_tear_down();
}

TEST(one_instance_is_not_two_parts)
{
	struct doca_graph_instance *outer;
	struct doca_graph_node *twin;

	graph_set_up(true, 1);
	nest_set_up(1);
	twin = sub_node(nest.outer, nest.inner);
	OK(doca_graph_start(nest.outer));
	outer = new_nest("a");
	set_sub(outer, twin, outer->nodes[nest.within->index].sub);
	ERR(doca_graph_instance_submit(outer), BAD_STATE);
	EXPECT_EQ(inflight(), 0);
	destroy_nest(outer);
	nest_tear_down();
}

TEST(submitting_a_user_node_ends_a_wait)
{
	chain_set_up(true, 1);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	OK(doca_graph_instance_submit(chain.instance));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	/* Or there is no wait, if it was submitted before */
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(handle()));
	fake_work(1);
	EXPECT(fake_readable(handle()));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "?D");
	chain_tear_down();
}

TEST(stop_of_the_context_ends_its_instances)
{
	struct doca_graph_instance *outer;

	outer = started_nest(true, "a");
	OK(doca_graph_instance_submit(outer));
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "sF");
	free_copies();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	destroy_nest(outer);
	nest_tear_down();
}

TEST(removal_of_the_device_ends_its_instances)
{
	struct doca_graph_instance *outer;

	for (int broken = 0; broken < 2; broken++) {
		outer = started_nest(true, "a");
		OK(doca_graph_instance_submit(outer));
		if (broken)
			fake_break_queues();
		else
			fake_remove_device();
		for (int i = 0; i < 10; i++) {
			fake_work(1);
			doca_pe_progress(bed.pe);
		}
		EXPECT_EQ(bed.n, 2);
		EXPECT(strchr(bed.log, 'F') && strchr(bed.log, 's'));
		took();
		free_copies();
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "i");
		destroy_nest(outer);
		nest_tear_down();
	}
}

TEST(the_child_of_a_fork_sees_its_instances_fail)
{
	struct doca_graph_instance *outer;

	outer = started_nest(true, "a");
	OK(doca_graph_instance_submit(outer));
	fake_fork();
	drain(bed.pe);
	EXPECT_EQ(bed.n, 2);
	EXPECT(strchr(bed.log, 'F'));
	took();
	ERR(doca_graph_instance_submit(outer), BAD_STATE);
	free_copies();
	drain(bed.pe);
	took();
	fake.workers_gone++;
	fake.refs = 0;
	destroy_nest(outer);
	nest_tear_down();
}

/* An instance that fails and is submitted again, for ever. */
static void submit_again(struct doca_graph_instance *instance)
{
	OK(doca_graph_instance_submit(instance));
}

TEST(a_graph_that_is_always_busy_does_not_starve_contexts)
{
	chain_set_up(true, 2);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	set_cookie(chain.instance, chain.user, "x");
	graphs.on_end = submit_again;
	OK(doca_graph_instance_submit(chain.instance));
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	for (int i = 0; i < 4; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(memchr(bed.log, 'S', bed.n));
	took();
	graphs.on_end = NULL;
	while (doca_pe_progress(bed.pe))
		;
	took();
	chain_tear_down();
}

/* And tasks that are always done do not starve graphs. */
static void resubmit_task(struct doca_dma_task_memcpy *task)
{
	OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
	OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

TEST(a_context_that_is_always_busy_does_not_starve_graphs)
{
	struct doca_graph_instance *outer;

	graph_set_up(false, 2);
	nest_set_up(1);
	OK(doca_graph_start(nest.outer));
	outer = new_nest("a");
	bed.on_task = resubmit_task;
	OK(doca_task_submit(new_copy(8, 8)));
	OK(doca_graph_instance_submit(outer));
	for (int i = 0; i < 20; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(memchr(bed.log, 'D', bed.n));
	bed.on_task = NULL;
	drain(bed.pe);
	took();
	destroy_nest(outer);
	nest_tear_down();
}
