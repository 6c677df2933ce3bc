// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: memory that is in several files. */
#include "apsh_image.h"

enum { PIECES = 8, PIECE = IMAGE_SIZE / PIECES };

/* Pieces of the memory take turns in two files, where each has another place. */
static struct target_part parts[2];
static struct target_region pieces[PIECES];
static char path[2][112];

static void write_pieces(void)
{
	int fds[2];

	for (int i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/part%d", image.dir, i);
		fds[i] = open(path[i], O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (fds[i] < 0 || ftruncate(fds[i], IMAGE_SIZE))
			abort();
	}
	for (u32 i = 0; i < PIECES; i++) {
		u64 at = (PIECES - 1 - i) / 2 * PIECE;

		pieces[i] = (struct target_region){
			.gpa = i * PIECE, .offset = at, .length = PIECE, .part = i % 2
		};
		if (pwrite(fds[i % 2], image.mem + i * PIECE, PIECE, (off_t)at) != PIECE)
			abort();
	}
	close(fds[0]);
	parts[0] = (struct target_part){ .path = path[0] };
	/* as QEMU's that only a process has open */
	parts[1] = (struct target_part){ .pid = getpid(), .fd = fds[1] };
}

static struct doca_apsh_system *system_of_pieces(void)
{
	struct doca_apsh_system *s = new_system();

	the_target.memory = TARGET_PARTS;
	the_target.nr_parts = 2;
	the_target.parts = parts;
	the_target.nr_regions = PIECES;
	the_target.regions = pieces;
	return s;
}

static void set_up_pieces(void)
{
	set_up_image(4);
	new_task(1, 1, "init");
	for (u32 pid = 2; pid < 40; pid++)
		new_task(pid, pid, "task");
	write_pieces();
}

static void tear_down_pieces(void)
{
	close(parts[1].fd);
	tear_down_image();
}

TEST(all_is_seen_that_is_seen_in_one_file)
{
	struct doca_apsh_system *s;

	set_up_pieces();
	s = system_of_pieces();
	logged();
	OK(doca_apsh_system_start(s));
	EXPECT_STR(logged(), "");
	for (u32 pid = 1; pid < 40; pid++) {
		EXPECT_STR(process_of(s, pid)->comm, pid == 1 ? "init" : "task");
		doca_apsh_processes_free(processes);
	}
	doca_apsh_system_destroy(s);
	tear_down_pieces();
}

/* Each byte is read from its file, also if a read has ranges of both. */
TEST(each_byte_comes_from_its_file)
{
	static u8 got[PIECES * 4][64];
	struct source_range r[PIECES * 4];
	struct doca_apsh_system *s;

	set_up_pieces();
	for (u64 at = 0; at < IMAGE_SIZE; at += 8)
		memcpy(image.mem + at, &at, 8);
	write_pieces();
	s = system_of_pieces();
	OK(source_open(&s->source, &the_target));
	for (u32 i = 0; i < ARRAY_SIZE(r); i++)
		r[i] = (struct source_range){
			.pa = i * (PIECE / 4), .len = sizeof(got[i]), .on = true, .to = got[i]
		};
	EXPECT_EQ(source_read(&s->source, r, ARRAY_SIZE(r)), 0);
	for (u32 i = 0; i < ARRAY_SIZE(r); i++) {
		EXPECT(!r[i].absent);
		if (memcmp(got[i], image.mem + r[i].pa, sizeof(got[i])) != 0)
			KTAP_SAY_("other bytes at %#lx", r[i].pa);
	}
	/* a range that crosses from one file into another is in neither */
	r[0].pa = PIECE - 8;
	EXPECT_EQ(source_read(&s->source, r, 1), 0);
	EXPECT(r[0].absent);
	doca_apsh_system_destroy(s);
	tear_down_pieces();
}

/* A hole in one file is data in the other. */
TEST(holes_are_skipped_in_each_file)
{
	struct doca_apsh_system *s;
	u64 pa = 0, len = 0;

	set_up_pieces();
	if (truncate(path[0], 0) || truncate(path[0], IMAGE_SIZE))
		abort();
	s = system_of_pieces();
	OK(source_open(&s->source, &the_target));
	for (u32 i = 1; i < PIECES; i += 2) {
		ASSERT(s->source.ops->next_data(&s->source, &pa, &len));
		EXPECT_EQ(pa, i * PIECE);
		EXPECT_EQ(len, PIECE);
		pa += len;
	}
	EXPECT(!s->source.ops->next_data(&s->source, &pa, &len));
	doca_apsh_system_destroy(s);
	tear_down_pieces();
}

static void is_refused(const char *words)
{
	struct doca_apsh_system *s = system_of_pieces();

	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	doca_apsh_system_destroy(s);
}

TEST(a_part_that_is_wrong_is_named)
{
	set_up_pieces();
	pieces[3].offset = IMAGE_SIZE - PIECE + 1;
	is_refused("its memory at 0x600000 would end at byte 16777217");
	pieces[3].offset = 0;
	parts[1].pid = 0;
	is_refused("/proc/0/fd/");
	parts[1].pid = getpid();
	if (truncate(path[0], 0))
		abort();
	is_refused("part0 is empty");
	unlink(path[0]);
	is_refused("part0: No such file or directory; is the machine on");
	tear_down_pieces();
}
