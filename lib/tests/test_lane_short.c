// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The short path of a lane: when it is used, what still gets its turn, and when it is closed. */
#include "fake_lane.h"

#define TURNS 64 /* as many as there are short ones in a row, and more than find nothing */

static void submit_again(struct doca_task *task)
{
	OK(doca_task_submit(task));
	lane.due++;
}

static void begin(void)
{
	play_set_up_started();
	lane.calm = true;
}

/* End what is in flight, and what a test has left. */
static void end(void)
{
	on_play = doca_task_free;
	lane.due = lane.taken;
	lane.events = 0;
	drain(bed.pe);
	took();
	doca_ctx_stop(play_ctx);
	drain(bed.pe);
	play_tear_down();
}

/* The first turn is a full one, which allows short ones. */
TEST(tasks_are_taken_in_short_turns)
{
	begin();
	play_submit(8);
	EXPECT_EQ(lane.puts, 7);
	lane.due = 8;
	for (int i = 0; i < 8; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "SSSSSSSS");
	EXPECT_EQ(lane.progressed, 1);
	EXPECT_EQ(lane.reaps, 7);
	end();
}

TEST(events_get_a_turn_while_there_are_always_tasks)
{
	unsigned int turns = 0;

	begin();
	on_play = submit_again;
	play_submit(4);
	lane.due = 4;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	lane.events = 1;
	while (!lane.delivered && turns++ < 2 * TURNS)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(lane.delivered);
	EXPECT(turns <= TURNS + 2);
	end();
}

/* Also with a task in flight that does not end; sooner than behind tasks that do. */
TEST(events_get_a_turn_soon_while_there_is_nothing_else)
{
	unsigned int turns = 0;

	begin();
	play_submit(2);
	lane.due = 1;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	lane.events = 1;
	while (!doca_pe_progress(bed.pe) && turns < TURNS)
		turns++;
	EXPECT_STR(took(), "SV");
	EXPECT(turns < TURNS / 2);
	EXPECT_EQ(lane.reaps, turns + 1);
	end();
}

TEST(a_lane_that_asks_for_a_full_turn_gets_it_at_once)
{
	begin();
	play_submit(2);
	lane.due = 1;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	lane.events = 1;
	lane.calm = false;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "SV");
	end();
}

/* Tasks of another context are not behind turns of this one that find nothing. */
TEST(a_short_turn_that_finds_nothing_is_the_next_ones)
{
	begin();
	OK(doca_dma_task_memcpy_set_conf(bed.dma, on_done, on_failed, 2));
	OK(doca_ctx_start(bed.ctx));
	took();
	play_submit(2);
	lane.due = 1;
	submit_many(2);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	fake_work(2);
	bed.on_task = free_in_callback;
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "SSS");
	OK(doca_ctx_stop(bed.ctx));
	end();
}

/* Submit one task, which ends, so that the next one is put, and short turns are allowed. */
static void open_path(void)
{
	play_submit(3);
	lane.due = 1;
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(lane.puts, 2);
	took();
	lane.puts = lane.reaps = 0;
}

/* Whatever has happened, the lane is not asked on the short path any more. */
static void expect_closed(const char *told)
{
	if (play_ctx->accepts)
		play_submit(2);
	lane.due = lane.taken;
	drain(bed.pe);
	EXPECT_STR(took(), told);
	EXPECT_EQ(lane.puts + lane.reaps, 0);
	logged();
	play_tear_down();
}

TEST(a_stop_closes_it)
{
	begin();
	open_path();
	ERR(doca_ctx_stop(play_ctx), IN_PROGRESS);
	expect_closed("sEEi");
}

TEST(a_failure_closes_it)
{
	begin();
	open_path();
	ctx_failed(play_ctx, "the fake lane has failed");
	expect_closed("sEEEEi");
}

TEST(a_loss_closes_it)
{
	begin();
	open_path();
	ctx_lose(play_ctx, "the fake lane is lost");
	expect_closed("EsEi");
}

/* Nobody looks at a context that is not visited: only a submission in full changes that. */
TEST(it_is_closed_while_the_context_is_not_visited)
{
	begin();
	open_path();
	lane.due = 2;
	drain(bed.pe);
	while (play_ctx->busy)
		doca_pe_progress(bed.pe);
	took();
	lane.puts = 0;
	play_submit(1);
	EXPECT_EQ(lane.puts, 0);
	EXPECT(play_ctx->busy);
	play_submit(1);
	EXPECT_EQ(lane.puts, 1);
	end();
}

TEST(a_task_that_is_not_plain_does_not_open_it)
{
	begin();
	play_ctx->general = true;
	play_submit(2);
	lane.due = 2;
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_EQ(lane.puts + lane.reaps, 0);
	end();
}

/* The lane looks whose it is, for nothing has told the context of the fork. */
TEST(the_child_of_a_fork_takes_a_full_turn)
{
	begin();
	open_path();
	fake_fork();
	lane.progressed = 0;
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "EsEi");
	EXPECT_EQ(lane.reaps, 1);
	EXPECT_EQ(lane.progressed, 0);
	play_tear_down();
}
