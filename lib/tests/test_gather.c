// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reading physical memory: in how many rounds, and what is in the way of that. */
#include <stdio.h>
#include <stdlib.h>

#include "core/device/gather.h"

#include "fake_driver.h"
#include "ktap.h"
#include "logged.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

/* What the tasks of 4,000 processes are, and what the largest window has. */
enum { PIECE = 512, MANY = 7 * 4000, MOST = 65536 };

static struct gather *reader;
static uint8_t *memory;

static void set_up(void)
{
	fake_reset(false);
	fake.physical = true;
	OK(doca_priv_gather_open(&fake_dev, &reader));
	memory = malloc((size_t)2 * MOST * PIECE);
	if (!memory)
		abort();
}

static void tear_down(void)
{
	doca_priv_gather_close(reader);
	free(memory);
	EXPECT_EQ(fake.refs, 0);
	EXPECT_EQ(fake.queues, 0);
	EXPECT_SILENT();
}

/* How many rounds it takes; all of it must be there, but for what has odd addresses. */
static uint64_t read_pieces(uint32_t nr, uint32_t len, uint64_t stride)
{
	struct gather_piece *p = calloc(nr, sizeof(*p));
	uint64_t before = doca_priv_gather_stats(reader).rounds;
	uint32_t bad = 0;

	if (!p)
		abort();
	for (uint32_t i = 0; i < nr; i++)
		p[i] = (struct gather_piece){ .pa = i * stride,
					      .len = len,
					      .to = memory + (size_t)i * len };
	EXPECT_EQ(doca_priv_gather_read(reader, p, nr), 0);
	for (uint32_t i = 0; i < nr; i++) {
		const uint8_t *at = p[i].to;
		uint8_t is = p[i].pa & 1 ? 0 : (uint8_t)(p[i].pa >> 9);

		bad += at[0] != is || at[len - 1] != is ||
		       p[i].absent != (p[i].pa & 1);
	}
	EXPECT_EQ(bad, 0);
	free(p);
	return doca_priv_gather_stats(reader).rounds - before;
}

TEST(what_is_read_at_once_is_one_round)
{
	set_up();
	EXPECT_EQ(read_pieces(1, PIECE, 8192), 1);
	EXPECT_EQ(fake.enters, 1);
	EXPECT_EQ(read_pieces(MANY, PIECE, 8192), 1);
	EXPECT_EQ(fake.enters, 2);
	EXPECT_EQ(read_pieces(MOST, PIECE, 8192), 1);
	EXPECT_EQ(read_pieces(MOST + 1, PIECE, 8192), 2);
	EXPECT_EQ(doca_priv_gather_stats(reader).bytes,
		  (uint64_t)PIECE * (1 + MANY + 2 * MOST + 1));
	tear_down();
}

TEST(what_cannot_be_read_is_zeros)
{
	set_up();
	EXPECT_EQ(read_pieces(3000, PIECE, 1023), 1);
	tear_down();
}

TEST(less_memory_is_more_rounds)
{
	set_up();
	fake.mem_max = 4 << 20;
	EXPECT_EQ(read_pieces(MANY, PIECE, 8192), 4);
	/* and is asked for anew */
	fake.mem_max = 0;
	EXPECT_EQ(read_pieces(MANY, PIECE, 8192), 1);
	tear_down();
}

TEST(a_small_window_is_what_is_needed)
{
	fake_reset(false);
	fake.physical = true;
	fake.mem_max = 4096;
	ERR(doca_priv_gather_open(&fake_dev, &reader), NO_MEMORY);
	EXPECT_LOGGED("is RLIMIT_MEMLOCK too small");
	fake.mem_max = 0;
	fake.queue_error = -EINVAL;
	ERR(doca_priv_gather_open(&fake_dev, &reader), INITIALIZATION);
	EXPECT_LOGGED("no queue");
	EXPECT_EQ(fake.refs, 0);
}

TEST(a_child_reads_nothing)
{
	struct gather_piece piece = { .len = 1 };

	set_up();
	fake_fork();
	EXPECT_EQ(doca_priv_gather_read(reader, &piece, 1), -EIO);
	EXPECT_LOGGED("before a fork");
	doca_priv_gather_close(reader);
	free(memory);
	fake_reset(false);
}

TEST(a_device_that_is_removed_is_lost)
{
	struct gather_piece piece = { .len = PIECE };

	set_up();
	piece.to = memory;
	fake.enter_fails = true;
	EXPECT_EQ(doca_priv_gather_read(reader, &piece, 1), -EIO);
	EXPECT_LOGGED("the device was removed");
	tear_down();
}
