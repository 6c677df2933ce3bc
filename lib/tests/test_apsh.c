// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: contexts, systems, their settings, and wrong files. */
#include <lzma.h>
#include <sys/stat.h>

#include <doca_dev.h>

#include "apsh_image.h"
#include "core/device/dev.h"
#include "core/device/rep.h"
#include "core/objects.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define INVALID(call) EXPECT_EQ(call, DOCA_ERROR_INVALID_VALUE)
#define BAD_STATE(call) EXPECT_EQ(call, DOCA_ERROR_BAD_STATE)

static struct doca_dev dev;
static struct doca_dev_rep rep;

/* Debug mode must know them. */
static struct doca_dev *device(void)
{
	static bool known;

	if (!known)
		doca_priv_debug_add(&dev, &doca_priv_dev_object, sizeof(dev), 1);
	known = true;
	return &dev;
}

static struct doca_dev_rep *representor(void)
{
	static bool known;

	if (!known)
		doca_priv_debug_add(&rep, &doca_priv_dev_rep_object, sizeof(rep), 1);
	known = true;
	return &rep;
}

TEST(a_context_is_started_once_and_with_a_device)
{
	struct doca_apsh_ctx *ctx = doca_apsh_create();

	ASSERT(ctx);
	INVALID(doca_apsh_start(ctx));
	OK(doca_apsh_dma_dev_set(ctx, device()));
	OK(doca_apsh_start(ctx));
	logged();
	BAD_STATE(doca_apsh_start(ctx));
	EXPECT_LOGGED("was started before");
	BAD_STATE(doca_apsh_dma_dev_set(ctx, device()));
	EXPECT_LOGGED("before doca_apsh_start()");
	doca_apsh_destroy(ctx);
	doca_apsh_destroy(NULL);
	EXPECT_SILENT();
}

TEST(no_memory_makes_no_object)
{
	struct doca_apsh_ctx *ctx;

	fault_at(FAULT_ALLOC, 1);
	EXPECT(!doca_apsh_create());
	ctx = doca_apsh_create();
	fault_at(FAULT_ALLOC, 1);
	EXPECT(!doca_apsh_system_create(ctx));
	fault_at(FAULT_ALLOC, 0);
	EXPECT(!doca_apsh_system_create(NULL));
	doca_apsh_destroy(ctx);
	doca_apsh_system_destroy(NULL);
	logged();
}

/* Programs use a representor, and destroy the context first. */
TEST(a_system_outlives_its_context)
{
	struct doca_apsh_ctx *ctx = doca_apsh_create();
	struct doca_apsh_system *system = doca_apsh_system_create(ctx);

	set_up_image(4);
	new_task(1, 1, "init");
	write_image();
	the_target = (struct target){ .memory = TARGET_FILE, .file.path = image.ram };
	rep.info.target = &the_target;
	OK(doca_apsh_sys_os_symbol_map_set(system, image.symbols));
	OK(doca_apsh_sys_mem_region_set(system, image.regions));
	logged();
	BAD_STATE(doca_apsh_system_start(system));
	EXPECT_LOGGED("call doca_apsh_start() first");
	OK(doca_apsh_dma_dev_set(ctx, device()));
	OK(doca_apsh_start(ctx));
	INVALID(doca_apsh_system_start(system));
	EXPECT_LOGGED("no representor");
	OK(doca_apsh_sys_dev_set(system, representor()));
	rep.info.target = NULL;
	EXPECT_EQ(doca_apsh_system_start(system), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("no file of");
	rep.info.target = &the_target;
	OK(doca_apsh_system_start(system));
	doca_apsh_destroy(ctx);
	EXPECT_EQ(process_of(system, 1)->pid, 1);
	doca_apsh_system_destroy(system);
	EXPECT_STR(doca_apsh_process_info_get(processes[0], DOCA_APSH_PROCESS_COMM), "init");
	doca_apsh_processes_free(processes);
	tear_down_image();
}

/* Setters that take a text. */
#define TEXTS(X)                                  \
	X(doca_apsh_sys_os_symbol_map_set)        \
	X(doca_apsh_sys_os_symbol_map_folder_set) \
	X(doca_apsh_sys_mem_region_set)           \
	X(doca_apsh_sys_kpgd_file_set)

#define NEEDS_MEMORY(set) EXPECT_FAULTS(FAULT_ALLOC, set(s, "a"), NO_MEMORY, );
#define IS_LATE(set) BAD_STATE(set(s, "a"));

TEST(setters_refuse_what_is_wrong)
{
	struct doca_apsh_system *s = doca_priv_apsh_system_of(&the_target);

	INVALID(doca_apsh_sys_os_type_set(s, (enum doca_apsh_system_os)7));
	EXPECT_EQ(doca_apsh_sys_os_type_set(s, DOCA_APSH_SYSTEM_WINDOWS), DOCA_ERROR_NOT_SUPPORTED);
	OK(doca_apsh_sys_os_type_set(s, DOCA_APSH_SYSTEM_LINUX));
	OK(doca_apsh_sys_dev_set(s, representor()));
	TEXTS(NEEDS_MEMORY)
	doca_apsh_system_destroy(s);
	logged();
}

TEST(a_window_is_pages_or_a_part_of_one_and_steps_fit_it)
{
	struct doca_apsh_system *s = doca_priv_apsh_system_of(&the_target);

	INVALID(doca_apsh_sys_set_scan_window_size(s, 0));
	INVALID(doca_apsh_sys_set_scan_window_step(s, 0));
	INVALID(doca_apsh_sys_set_scan_window_size(s, 5000));
	INVALID(doca_apsh_sys_set_scan_window_size(s, (1U << 30) + 4096));
	/* without a step it fits, and so does a later one */
	OK(doca_apsh_sys_set_scan_window_size(s, 1024));
	EXPECT_EQ(step_of(s), 1024);
	OK(doca_apsh_sys_set_scan_window_size(s, 8192));
	EXPECT_EQ(step_of(s), 4096);
	OK(doca_apsh_sys_set_scan_window_step(s, 1024));
	OK(doca_apsh_sys_set_scan_window_size(s, 2048));
	INVALID(doca_apsh_sys_set_scan_window_step(s, 1000));
	INVALID(doca_apsh_sys_config(s, DOCA_APSH_SCAN_WIN_SIZE, 3000));
	OK(doca_apsh_sys_config(s, DOCA_APSH_SCAN_WIN_STEP, 512));
	/* the start finds a step for another size, which can be corrected */
	OK(doca_apsh_sys_set_scan_window_size(s, 256));
	OK(doca_apsh_sys_os_symbol_map_set(s, "a"));
	OK(doca_apsh_sys_mem_region_set(s, "a"));
	logged();
	INVALID(doca_apsh_system_start(s));
	EXPECT_LOGGED("a window of 256 bytes is no multiple of a step of 512");
	OK(doca_apsh_sys_set_scan_window_step(s, 256));
	doca_apsh_system_destroy(s);
	logged();
}

TEST(limits_are_more_than_zero)
{
	struct doca_apsh_system *s = doca_priv_apsh_system_of(&the_target);

	for (int attr = DOCA_APSH_HASHTEST_LIMIT; attr < NR_LIMITS; attr++) {
		if (attr == DOCA_APSH_OS_SYMBOL_MAP_FOLDER)
			continue;
		INVALID(doca_apsh_sys_config(s, attr, 0));
		INVALID(doca_apsh_sys_config(s, attr, -1));
		OK(doca_apsh_sys_config(s, attr, 1));
		EXPECT_EQ(s->limits[attr], 1);
	}
	INVALID(doca_apsh_sys_config(s, 99, 1));
	EXPECT_EQ(doca_apsh_sys_config(s, DOCA_APSH_OS_TYPE, DOCA_APSH_SYSTEM_WINDOWS),
		  DOCA_ERROR_NOT_SUPPORTED);
	OK(doca_apsh_sys_config(s, DOCA_APSH_OS_TYPE, DOCA_APSH_SYSTEM_LINUX));
	OK(doca_apsh_sys_config(s, DOCA_APSH_OS_SYMBOL_MAP, "a"));
	OK(doca_apsh_sys_config(s, DOCA_APSH_OS_SYMBOL_MAP_FOLDER, "b"));
	EXPECT(s->map_is_folder);
	OK(doca_apsh_sys_config(s, DOCA_APSH_MEM_REGION, "c"));
	OK(doca_apsh_sys_config(s, DOCA_APSH_KPGD_FILE, "d"));
	OK(doca_apsh_sys_config(s, DOCA_APSH_VHCA_ID, representor()));
	INVALID(doca_apsh_sys_config(s, DOCA_APSH_MEM_REGION, NULL));
	doca_apsh_system_destroy(s);
	logged();
}

TEST(a_started_system_is_as_it_is)
{
	struct doca_apsh_system *s;

	set_up_image(5);
	s = started_system();
	BAD_STATE(doca_apsh_system_start(s));
	BAD_STATE(doca_apsh_sys_os_type_set(s, DOCA_APSH_SYSTEM_LINUX));
	TEXTS(IS_LATE)
	BAD_STATE(doca_apsh_sys_dev_set(s, representor()));
	BAD_STATE(doca_apsh_sys_set_scan_window_size(s, 4096));
	BAD_STATE(doca_apsh_sys_set_scan_window_step(s, 4096));
	BAD_STATE(doca_apsh_sys_config(s, DOCA_APSH_PROCESS_LIMIT, 1));
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static struct doca_apsh_system *written(int levels)
{
	set_up_image(levels);
	write_image();
	return new_system();
}

static void end(struct doca_apsh_system *s)
{
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* A system that cannot start with a setting says why, and starts with the right one. */
static void fails(struct doca_apsh_system *s, const char *words)
{
	const char *text;

	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	text = logged();
	if (!strstr(text, words))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
}

TEST(regions_that_are_none_are_refused)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "", "is empty" },
		{ "{", "ends early" },
		{ "no", "is no JSON" },
		{ "{}", "no object and no array" },
		{ "{\"allowed_regions\":{}}", "has no region" },
		{ "[{\"length\":1}]", "region 0 has no start" },
		{ "[{\"start\":1}]", "no length and no end" },
		{ "[{\"start\":1,\"length\":0}]", "is empty" },
		{ "[{\"start\":-1,\"length\":1}]", "has no start" },
		{ "[{\"start\":\"0x10000000000001\",\"length\":1}]", "2^52" },
		{ "[{\"start\":\"0xffffffffffffffff\",\"length\":2}]", "2^52" },
		{ "[{\"start\":0,\"end\":9},{\"start\":9,\"end\":10}]", "region 1 overlaps" },
	};
	struct doca_apsh_system *s = written(4);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		write_text(image.regions, cases[i].text);
		fails(s, cases[i].words);
	}
	unlink(image.regions);
	fails(s, "No such file");
	write_text(image.regions, "[{\"start\":\"0\",\"end\":\"0xffffff\"}]");
	OK(doca_apsh_system_start(s));
	end(s);
}

TEST(maps_that_are_none_are_refused)
{
	struct doca_apsh_system *s = written(4);

	write_text(image.symbols, "");
	fails(s, "is empty");
	write_text(image.symbols, "{\"user_types\":{}}");
	fails(s, "is no map of symbols");
	write_text(image.symbols, "{\"user_types\":{},\"symbols\":{},"
				  "\"metadata\":{\"format\":\"3.0\"}}");
	fails(s, "a map of format \"3.0\"");
	write_map(image.symbols, BANNER_64, F_TASK_TGID);
	fails(s, "struct task_struct has no tgid");
	write_map(image.symbols, "", -1);
	fails(s, "no constant_data");
	write_map(image.symbols, "YW5vdGhlcg==", -1);
	fails(s, "is not in the memory that may be read: \"another\"");
	unlink(image.symbols);
	fails(s, "No such file");
	OK(doca_apsh_sys_os_symbol_map_set(s, image.dir));
	fails(s, "is no regular file");
	end(s);
}

TEST(a_folder_has_the_map_of_the_kernel)
{
	struct doca_apsh_system *s;
	char other[96];

	s = written(5);
	snprintf(other, sizeof(other), "%s/a.json", image.dir);
	write_map(other, "YW5vdGhlcg==", -1);
	OK(doca_apsh_sys_os_symbol_map_folder_set(s, image.dir));
	OK(doca_apsh_system_start(s));
	doca_apsh_system_destroy(s);
	s = new_system();
	unlink(image.symbols);
	OK(doca_apsh_sys_os_symbol_map_folder_set(s, image.dir));
	fails(s, "none of its 1 maps");
	OK(doca_apsh_sys_os_symbol_map_folder_set(s, "/nowhere"));
	fails(s, "No such file");
	end(s);
}

static void compress(const char *path)
{
	static u8 in[1 << 20], out[1 << 20];
	FILE *f = fopen(path, "r");
	size_t n = fread(in, 1, sizeof(in), f), len = 0;

	fclose(f);
	if (lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, in, n, out, &len, sizeof(out)))
		abort();
	f = fopen(path, "w");
	if (fwrite(out, 1, len, f) != len)
		abort();
	fclose(f);
}

TEST(a_map_may_be_compressed)
{
	struct doca_apsh_system *s = written(4);

	compress(image.symbols);
	OK(doca_apsh_system_start(s));
	doca_apsh_system_destroy(s);
	s = new_system();
	if (truncate(image.symbols, 500))
		abort();
	fails(s, "cannot be unpacked");
	end(s);
}

TEST(a_kpgd_file_names_the_tables)
{
	struct doca_apsh_system *s;
	char path[96], text[32];

	s = written(4);
	snprintf(path, sizeof(path), "%s/kpgd", image.dir);
	OK(doca_apsh_sys_kpgd_file_set(s, path));
	fails(s, "No such file");
	write_text(path, "four");
	fails(s, "no physical address");
	write_text(path, "0x123");
	fails(s, "no physical address");
	snprintf(text, sizeof(text), "0x%lx\n", image.text_pa + image_at[S_init_top_pgt]);
	write_text(path, text);
	OK(doca_apsh_system_start(s));
	EXPECT_STR(s->kernel.found, "the kpgd file");
	doca_apsh_system_destroy(s);
	s = new_system();
	write_text(path, "0x1000");
	OK(doca_apsh_sys_kpgd_file_set(s, path));
	OK(doca_apsh_system_start(s));
	EXPECT_STR(s->kernel.found, "its banner");
	end(s);
}

TEST(files_that_are_no_memory_are_refused)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	s = new_system();
	fails(s, "No such file");
	write_text(image.ram, "");
	fails(s, "is empty");
	write_text(image.ram, "\177ELF and then nothing");
	fails(s, "no ELF core");
	write_text(image.ram, "EMiL and then nothing that would be a header");
	fails(s, "no header of LiME");
	write_text(image.ram, "KDUMP   ");
	fails(s, "no dump of kdump");
	the_target.memory = TARGET_FUNCTION;
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_NOT_SUPPORTED);
	the_target.memory = TARGET_FILE;
	the_target.file.path = image.dir;
	fails(s, "is no regular file");
	the_target.file.path = image.ram;
	write_image();
	if (truncate(image.ram, TEXT_PA))
		abort();
	fails(s, "is not in the memory");
	end(s);
}

TEST(something_must_be_set)
{
	struct doca_apsh_system *s = doca_priv_apsh_system_of(&the_target);

	INVALID(doca_apsh_system_start(s));
	EXPECT_LOGGED("no map of symbols");
	OK(doca_apsh_sys_os_symbol_map_set(s, "a"));
	INVALID(doca_apsh_system_start(s));
	EXPECT_LOGGED("no memory regions");
	doca_apsh_system_destroy(s);
	logged();
}

TEST(a_start_without_memory_leaves_nothing)
{
	struct doca_apsh_system *s = written(4);

	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_system_start(s), NO_MEMORY, );
	end(s);
}

/* Write the same image in other formats. */
static void write_lime(void)
{
	const struct {
		u32 magic, version;
		u64 start, last, reserved;
	} h = { 0x4c694d45, 1, 0, IMAGE_SIZE - 1, 0 };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (write(fd, &h, sizeof(h)) != sizeof(h) ||
	    write(fd, image.mem, IMAGE_SIZE) != (ssize_t)IMAGE_SIZE)
		abort();
	close(fd);
}

TEST(lime_files_are_read)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	write_lime();
	s = new_system();
	OK(doca_apsh_system_start(s));
	EXPECT_EQ(s->source.drawn_out, true);
	doca_apsh_system_destroy(s);
	s = new_system();
	if (truncate(image.ram, 1 << 20))
		abort();
	fails(s, "are not in the image");
	if (truncate(image.ram, 31))
		abort();
	fails(s, "no header of LiME");
	end(s);
}

/* The kernel may be in the rest, so nothing is said of another one. */
TEST(a_lime_file_may_end_within_a_header)
{
	const struct {
		u32 magic, version;
		u64 start, last, reserved;
	} h = { 0x4c694d45, 1, 0, PAGE - 1, 0 };
	struct doca_apsh_system *s;
	struct view_stats stats;
	int fd;

	set_up_image(4);
	fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (write(fd, &h, sizeof(h)) != sizeof(h) || write(fd, image.mem, PAGE) != (ssize_t)PAGE ||
	    write(fd, &h, 7) != 7)
		abort();
	close(fd);
	s = new_system();
	fails(s, "are not in the image");
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	OK(doca_apsh_sys_os_symbol_map_folder_set(s, image.dir));
	fails(s, "whether one of its 1 maps is of it cannot be told");
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	end(s);
}

/* It lacks granules that nobody has read. */
TEST(a_recording_shows_the_same_and_has_no_more)
{
	struct doca_apsh_system *s;
	struct stat st;
	char path[128];

	set_up_image(4);
	new_task(1, 1, "init");
	write_image();
	snprintf(path, sizeof(path), "%s/recording", image.dir);
	s = new_system();
	OK(doca_apsh_system_start(s));
	OK(doca_priv_apsh_record(s));
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
	OK(doca_priv_apsh_record_write(s, path));
	logged();
	EXPECT_EQ(doca_priv_apsh_record_write(s, path), DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_LOGGED("File exists");
	doca_apsh_system_destroy(s);
	ASSERT(!stat(path, &st));
	EXPECT_EQ(st.st_mode & 0777, 0600);
	EXPECT((u64)st.st_size < IMAGE_SIZE / 8);
	s = new_system();
	the_target.file.path = path;
	OK(doca_apsh_system_start(s));
	EXPECT_STR(s->kernel.found, "VMCOREINFO of the file");
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	EXPECT_STR(processes[0]->comm, "init");
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	the_target.file.path = image.ram;
	unlink(path);
	tear_down_image();
}

TEST(only_the_regions_of_a_target_are_its_memory)
{
	struct target_region half = { .gpa = 0, .offset = 0, .length = TEXT_PA };
	struct doca_apsh_system *s = written(4);

	the_target.nr_regions = 1;
	the_target.regions = &half;
	fails(s, "is not in the memory");
	half.length = IMAGE_SIZE;
	OK(doca_apsh_system_start(s));
	doca_apsh_system_destroy(s);
	s = new_system();
	half.length = IMAGE_SIZE + 1;
	the_target.nr_regions = 1;
	the_target.regions = &half;
	fails(s, "is it truncated?");
	end(s);
}

TEST(a_vmcoreinfo_in_memory_leads_to_the_kernel)
{
	struct doca_apsh_system *s;
	u64 page;

	set_up_image(4);
	/* where the banner is not searched */
	page = object(4096, 4096);
	sprintf(at_va(page),
		"OSRELEASE=5.5.5-other\nSYMBOL(swapper_pg_dir)=%llx\n"
		"NUMBER(phys_base)=0\n",
		TEXT_VA + 0x1000);
	*(u64 *)at_va(symbol(S_page_offset_base)) = 1;
	write_image();
	s = new_system();
	fails(s, "the target runs release 5.5.5-other");
	end(s);
}
