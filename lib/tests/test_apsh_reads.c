// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: what is read of a target, and in how many pieces. */
#include "apsh_stage.h"
#include "apsh_watch.h"

enum { SLICES = 96, MOST_ROUNDS = 16, MOST_BYTES = 4096 };

static u64 granules_of_threads(struct doca_apsh_system *s)
{
	struct doca_apsh_thread **list;
	struct view_stats stats;
	int nr;

	OK(doca_apsh_threads_get(process_of(s, 10), &list, &nr));
	EXPECT_EQ(nr, 3);
	doca_priv_apsh_stats(s, &stats);
	doca_apsh_threads_free(list);
	doca_apsh_processes_free(processes);
	return stats.granules;
}

TEST(threads_are_read_without_those_of_others)
{
	struct doca_apsh_system *s = set_up(4);
	u64 granules = granules_of_threads(s);

	for (u32 pid = 30; pid < 60; pid++)
		new_task(pid, pid, "one more");
	write_image();
	EXPECT_EQ(granules_of_threads(s), granules);
	tear_down(s);
}

/* Older maps do not have it. */
TEST(threads_are_found_without_a_list_of_them)
{
	struct doca_apsh_system *s = set_up(4);

	s->kernel.map.fields[F_SIGNAL_THREADS].there = false;
	granules_of_threads(s);
	tear_down(s);
}

static void look_at_all(struct doca_apsh_system *s)
{
	struct doca_apsh_process *p;
	void *list;
	int nr;

#define LOOK(get, drop, of)                       \
	do {                                      \
		if (!get(of, (void *)&list, &nr)) \
			drop(list);               \
	} while (0)
	LOOK(doca_apsh_modules_get, doca_apsh_module_free, s);
	LOOK(doca_apsh_netscan_get, doca_apsh_netscan_free, s);
	LOOK(doca_apsh_interfaces_get, doca_apsh_interfaces_free, s);
	if (doca_apsh_processes_get(s, &processes, &nr_processes))
		return;
	for (int i = 0; i < nr_processes; i++) {
		p = processes[i];
		LOOK(doca_apsh_threads_get, doca_apsh_threads_free, p);
		LOOK(doca_apsh_vads_get, doca_apsh_vads_free, p);
		LOOK(doca_apsh_libs_get, doca_apsh_libs_free, p);
		LOOK(doca_apsh_envars_get, doca_apsh_envars_free, p);
		LOOK(doca_apsh_handles_get, doca_apsh_handles_free, p);
		LOOK(doca_apsh_proc_files_details_get,
		     doca_apsh_proc_files_details_free, p);
	}
	doca_apsh_processes_free(processes);
}

/* Of what a kernel has some may not be read, wherever that begins. */
static void look_without(u64 start, u64 length)
{
	struct doca_apsh_system *s = new_system();
	char text[256];

	snprintf(text, sizeof(text),
		 "[{\"start\":0,\"end\":%lu},{\"start\":%lu,\"end\":%llu}]",
		 start - 1, start + length, IMAGE_SIZE - 1);
	write_text(image.regions, text);
	if (doca_apsh_system_start(s) == DOCA_SUCCESS) {
		watch_system(s);
		look_at_all(s);
	}
	logged();
	doca_apsh_system_destroy(s);
}

TEST(nothing_outside_the_regions_is_read)
{
	struct doca_apsh_system *s = set_up(4);
	u64 objects = 8 << 20;

	watch_system(s);
	look_at_all(s);
	EXPECT(watch.ranges > 100);
	EXPECT(watch.gaps > 10);
	doca_apsh_system_destroy(s);
	for (u32 i = 0; i < SLICES; i++)
		look_without(objects + i * 640, 640);
	tear_down_image();
}

/* Its beginning may be read, with its ids, but not what identifies it. */
TEST(a_task_across_the_end_of_a_region_is_read_in_part)
{
	struct doca_apsh_system *s = set_up(4);
	u64 task;

	doca_apsh_system_destroy(s);
	image.next = (image.next & ~511ULL) + 512 + 448;
	task = new_task(30, 30, "across");
	write_image();
	look_without(pa_of(task) + 64, 512);
	tear_down_image();
}

/* A reader elsewhere waits for each of them. */
static u64 rounds_of(struct doca_apsh_system *s, u32 first, u32 end)
{
	struct view_stats stats;
	char words[64];

	for (u32 pid = first; pid < end; pid++)
		new_task(pid, pid, "one of many");
	write_image();
	watch_system(s);
	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	s->source.ops = watch.ops;
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(nr_processes, (int)end - 64 + 3);
	EXPECT_EQ(stats.rounds, watch.reads);
	EXPECT(stats.rounds <= MOST_ROUNDS);
	EXPECT(stats.bytes <= (u64)nr_processes * MOST_BYTES);
	snprintf(words, sizeof(words), "%d processes were read in %lu rounds",
		 nr_processes, watch.reads);
	EXPECT_LOGGED(words);
	doca_apsh_processes_free(processes);
	return watch.reads;
}

TEST(many_processes_take_as_many_rounds_as_few)
{
	struct doca_apsh_system *s = set_up(4);
	u64 few;

	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DEBUG);
	logged();
	few = rounds_of(s, 64, 64 + 360);
	EXPECT_EQ(rounds_of(s, 64 + 360, 64 + 4000), few);
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO);
	tear_down(s);
}
