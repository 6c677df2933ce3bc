// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: each of its input files, with everything that may be wrong. */
#include "apsh_stage.h"

enum file { MAP, REGIONS, KPGD, HASHES, MEMORY, FILES };

static const char hashes[] = "{\"format\":\"open-doca-hash-1\",\"files\":[]}";
static char bad[96];

static doca_error_t start_with(enum file file)
{
	struct doca_apsh_system *s = new_system();
	doca_error_t ret;

	if (file == MAP)
		OK(doca_apsh_sys_os_symbol_map_set(s, bad));
	else if (file == REGIONS)
		OK(doca_apsh_sys_mem_region_set(s, bad));
	else if (file == KPGD)
		OK(doca_apsh_sys_kpgd_file_set(s, bad));
	else
		the_target.file.path = bad;
	ret = doca_apsh_system_start(s);
	/* a failure can be corrected */
	if (ret != DOCA_SUCCESS && file == MAP) {
		OK(doca_apsh_sys_os_symbol_map_set(s, image.symbols));
		OK(doca_apsh_system_start(s));
	}
	doca_apsh_system_destroy(s);
	return ret;
}

static doca_error_t attest_with(void)
{
	struct doca_apsh_attestation **areas = (void *)&bad;
	struct doca_apsh_system *s = new_system();
	doca_error_t ret;
	int nr = 77;

	OK(doca_apsh_system_start(s));
	ret = doca_apsh_attestation_get(process_of(s, 10), bad, &areas, &nr);
	if (ret == DOCA_SUCCESS)
		doca_apsh_attestation_free(areas);
	else
		EXPECT(areas == (void *)&bad && nr == 77);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	return ret;
}

static void is_refused(enum file file, const char *words)
{
	const char *text;
	doca_error_t ret;

	logged();
	ret = file == HASHES ? attest_with() : start_with(file);
	EXPECT_EQ(ret, DOCA_ERROR_INITIALIZATION);
	text = logged();
	if (!strstr(text, words))
		KTAP_SAY_("file %d: logged \"%s\", not \"%s\"", file, text, words);
}

static void all_are_refused(const char *words)
{
	for (enum file file = 0; file < FILES; file++)
		is_refused(file, words);
}

static void set_up_bad(void)
{
	doca_apsh_system_destroy(set_up(4));
	snprintf(bad, sizeof(bad), "%s/bad", image.dir);
}

TEST(files_that_are_not_there_or_have_nothing)
{
	set_up_bad();
	all_are_refused("No such file");
	write_text(bad, "");
	all_are_refused("is empty");
	*bad = '\0';
	all_are_refused("No such file");
	tear_down_image();
}

/* Also a pipe; nobody waits for its other end. */
TEST(files_that_are_none)
{
	set_up_bad();
	if (mkdir(bad, 0700))
		abort();
	all_are_refused("is no regular file");
	if (rmdir(bad) || mkfifo(bad, 0600))
		abort();
	all_are_refused("is no regular file");
	if (unlink(bad) || symlink(bad, bad))
		abort();
	all_are_refused("Too many levels of symbolic links");
	tear_down_image();
}

/* Root may read all files, so drop it for a while. */
TEST(files_that_may_not_be_read)
{
	uid_t user = geteuid();

	set_up_bad();
	write_text(bad, hashes);
	chmod(image.dir, 0755);
	chmod(image.ram, 0644);
	chmod(bad, 0);
	if (!user && seteuid(65534))
		abort();
	all_are_refused("Permission denied");
	if (!user && seteuid(user))
		abort();
	tear_down_image();
}

TEST(files_that_are_huge)
{
	set_up_bad();
	write_text(bad, "{");
	if (truncate(bad, 257 << 20))
		abort();
	for (enum file file = MAP; file < MEMORY; file++)
		is_refused(file, "is larger than 256 MiB");
	/* memory may be larger, but it is empty */
	write_text(bad, "");
	if (truncate(bad, 1LL << 40))
		abort();
	is_refused(MEMORY, "nothing was ever written to the memory");
	tear_down_image();
}

static void copy_half(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), "head -c $(($(stat -c %%s %s) / 2)) %s >%s", path, path,
		 bad);
	if (system(command))
		abort();
}

/* The file worked before, and is truncated while in use. */
TEST(memory_that_is_cut)
{
	struct doca_apsh_system *s = set_up(4);

	if (truncate(image.ram, TEXT_PA))
		abort();
	logged();
	EXPECT_EQ(doca_apsh_processes_get(s, &processes, &nr_processes), DOCA_ERROR_INITIALIZATION);
	EXPECT(*logged());
	strcpy(bad, image.ram);
	is_refused(MEMORY, "the memory");
	tear_down(s);
}

TEST(files_that_are_cut)
{
	char path[96];

	set_up_bad();
	copy_half(image.symbols);
	is_refused(MAP, "ends early");
	copy_half(image.regions);
	is_refused(REGIONS, "ends early");
	snprintf(path, sizeof(path), "%s/hashes", image.dir);
	write_text(path, hashes);
	copy_half(path);
	is_refused(HASHES, "ends early");
	write_text(bad, "0x");
	is_refused(KPGD, "no physical address");
	tear_down_image();
}

/* Drop everything in the least likely order. */
TEST(arrays_outlive_what_they_came_from)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *ten = process_of(s, 10);
	struct doca_apsh_process **own = processes;
	struct doca_apsh_thread **threads;
	struct doca_apsh_vma **areas;
	int nr;

	OK(doca_apsh_threads_get(ten, &threads, &nr));
	OK(doca_apsh_vads_get(ten, (void *)&areas, &nr));
	doca_apsh_system_destroy(s);
	EXPECT_STR(PROCESS(ten, COMM), "ten");
	doca_apsh_processes_free(own);
	EXPECT_EQ(doca_apsh_thread_info_get(threads[0], DOCA_APSH_THREAD_PID), 10);
	doca_apsh_threads_free(threads);
	doca_apsh_vads_free((void *)areas);
	tear_down_image();
}
