// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Target files: valid ones, invalid ones, and the log's lines about them. */
#include <errno.h>
#include <unistd.h>

#include "ktap.h"
#include "fault.h"
#include "logged.h"
#include "core/base/text_file.h"
#include "core/settings/table.h"
#include "target_bed.h"

static int parse(const char *text, struct target **target)
{
	*target = NULL;
	return settings_read_target("f.json", text, strlen(text), target);
}

TEST(a_file_with_regions)
{
	struct target *t;

	ASSERT(!parse(TARGET("a", "mlx5_0",
			     ",\"qmp\": \"/run/vm.qmp\", \"regions\": ["
			     "{\"gpa\": 4294967296, \"offset\": 2952790016,"
			     " \"length\": 4096},"
			     "{\"gpa\": 0, \"offset\": 0, \"length\": 8192}]"),
		      &t));
	EXPECT_STR(t->vuid, "a");
	EXPECT_STR(t->device, "mlx5_0");
	EXPECT_EQ(t->memory, TARGET_FILE);
	EXPECT_EQ(t->format, TARGET_AUTO);
	EXPECT_STR(t->file.path, "/dev/shm/vm");
	EXPECT_STR(t->qmp, "/run/vm.qmp");
	ASSERT(t->nr_regions == 2);
	EXPECT_EQ(t->regions[0].gpa, 0);
	EXPECT_EQ(t->regions[0].length, 8192);
	EXPECT_EQ(t->regions[1].gpa, 1LL << 32);
	EXPECT_EQ(t->regions[1].offset, 2952790016);
	doca_priv_target_put(t);
	EXPECT_SILENT();
}

#define MEMORY(m) "{\"vuid\": \"a\", \"device\": \"any\", \"memory\": " m "}"

TEST(each_kind_of_memory)
{
	struct target *t;

	ASSERT(!parse(MEMORY("{\"memfd\": {\"pid\": 7, \"fd\": 0}}"), &t));
	EXPECT_EQ(t->memory, TARGET_MEMFD);
	EXPECT_EQ(t->file.pid, 7);
	EXPECT_EQ(t->file.fd, 0);
	EXPECT(!t->nr_parts && !t->file.path && !t->qmp && !t->nr_regions);
	doca_priv_target_put(t);
	ASSERT(!parse(MEMORY("{\"function\": \"local\"}"), &t));
	EXPECT_EQ(t->memory, TARGET_FUNCTION);
	EXPECT_STR(t->function, "local");
	doca_priv_target_put(t);
	ASSERT(!parse(MEMORY("{\"kcore\": true}"), &t));
	EXPECT_EQ(t->memory, TARGET_KCORE);
	doca_priv_target_put(t);
	ASSERT(!parse(MEMORY("{\"format\": \"lime\", \"file\": \"/a\"}"), &t));
	EXPECT_EQ(t->format, TARGET_LIME);
	doca_priv_target_put(t);
	EXPECT_SILENT();
}

#define PARTS(parts, regions) \
	"{\"vuid\": \"a\", \"device\": \"any\", \"memory\": {\"parts\": " parts "}" regions "}"
#define A_PART "{\"file\": \"/a\"}"
#define REGION_OF(n) "{\"gpa\": " n "0, \"offset\": 0, \"length\": 4, \"part\": " n "}"

TEST(memory_of_several_files)
{
	struct target *t;

	ASSERT(!parse(PARTS("[" A_PART ", {\"memfd\": {\"pid\": 7, \"fd\": 3}}]",
			    ", \"regions\": [" REGION_OF("1") "," REGION_OF("0") "]"),
		      &t));
	EXPECT_EQ(t->memory, TARGET_PARTS);
	EXPECT_EQ(t->nr_parts, 2);
	EXPECT_STR(t->parts[0].path, "/a");
	EXPECT(!t->parts[1].path && !t->file.path);
	EXPECT_EQ(t->parts[1].pid, 7);
	EXPECT_EQ(t->parts[1].fd, 3);
	ASSERT(t->nr_regions == 2);
	EXPECT_EQ(t->regions[0].part, 0);
	EXPECT_EQ(t->regions[1].gpa, 10);
	EXPECT_EQ(t->regions[1].part, 1);
	doca_priv_target_put(t);
	EXPECT_SILENT();
}

#define REGIONS(r) TARGET("a", "any", ", \"regions\": " r)

TEST(what_is_wrong_is_named_by_file_and_key)
{
	static const struct {
		const char *text;
		const char *words;
	} bad[] = {
		{ "", "f.json: it is empty" },
		{ " \n", "f.json: it is empty" },
		{ "{\"vuid\": \"a\"", "ends too early" },
		{ "{'vuid': 'a'}", "f.json: " },
		{ "[]", "\"target\" is no object" },
		{ "null\n", "\"target\" is no object" },
		{ "{} x", "f.json: " },
		{ "{}", "f.json: \"target\" has no \"vuid\"" },
		{ "{\"vuid\": \"a\"}", "\"target\" has no \"device\"" },
		{ "{\"vuid\": \"a\", \"device\": \"any\"}", "\"target\" has no \"memory\"" },
		{ TARGET("a", "any", ", \"colour\": 1"), "\"colour\" is no key of \"target\"" },
		{ TARGET("", "any", ""), "\"vuid\" is empty" },
		{ TARGET("a b", "any", ""), "\"vuid\" has a blank" },
		{ TARGET("a\\u001b", "any", ""), "\"vuid\" has a blank" },
		{ TARGET("a\\u0000b", "any", ""), "\"vuid\" has a NUL" },
		{ TARGET("a", "mlx5_0\\n", ""), "\"device\" has a blank" },
		{ "{\"vuid\": 5}", "\"vuid\" is no string" },
		{ "{\"vuid\": null}", "\"vuid\" is no string" },
		{ MEMORY("\"/dev/shm/vm\""), "\"memory\" is no object" },
		{ MEMORY("{}"), "\"memory\" is not one of file, memfd" },
		{ MEMORY("{\"file\": \"/a\", \"kcore\": true}"), "\"memory\" is not one of" },
		{ MEMORY("{\"kcore\": false}"), "\"kcore\" is not true" },
		{ MEMORY("{\"kcore\": 1}"), "\"kcore\" is not true" },
		{ MEMORY("{\"kcore\": true, \"format\": \"raw\"}"),
		  "\"memory\" has a format, but no file" },
		{ MEMORY("{\"file\": \"vm\"}"), "\"file\" is no absolute" },
		{ MEMORY("{\"file\": 5}"), "\"file\" is no string" },
		{ MEMORY("{\"file\": \"/a\", \"format\": \"qcow2\"}"),
		  "\"format\" is not auto, raw, lime" },
		{ MEMORY("{\"memfd\": 5}"), "\"memfd\" is no object" },
		{ MEMORY("{\"memfd\": {\"pid\": 1}}"), "\"memfd\" has no \"fd\"" },
		{ MEMORY("{\"memfd\": {\"pid\": 0, \"fd\": 1}}"), "\"pid\" is 0" },
		{ MEMORY("{\"memfd\": {\"pid\": 1, \"fd\": -1}}"),
		  "\"fd\" is not between 0 and 2147483647" },
		{ MEMORY("{\"memfd\": {\"pid\": 1, \"fd\": 1.5}}"), "\"fd\" is no whole number" },
		{ MEMORY("{\"parts\": {}}"), "\"parts\" is no array" },
		{ MEMORY("{\"parts\": []}"), "\"parts\" has 0 elements" },
		{ MEMORY("{\"parts\": [{}]}"), "\"parts\" is not one of file and memfd" },
		{ MEMORY("{\"parts\": [5]}"), "\"parts\" is no object" },
		{ MEMORY("{\"parts\": [{\"file\": \"a\"}]}"), "\"file\" is no absolute" },
		{ MEMORY("{\"parts\": [{\"kcore\": true}]}"), "\"kcore\" is no key of \"parts\"" },
		{ MEMORY("{\"parts\": [" A_PART "]}"), "\"regions\" are missing, and say where" },
		{ MEMORY("{\"parts\": [" A_PART "], \"file\": \"/a\"}"),
		  "\"memory\" is not one of" },
		{ MEMORY("{\"parts\": [" A_PART "], \"format\": \"raw\"}"),
		  "\"memory\" has a format, but no file" },
		{ PARTS("[" A_PART "]", ", \"regions\": [" REGION_OF("1") "]"),
		  "\"part\" is 1, but the memory has 1 parts" },
		{ PARTS("[" A_PART "]",
			", \"regions\": [{\"gpa\": 0, \"offset\": 0, \"length\": 4}]"),
		  "\"regions\" has no \"part\"" },
		{ REGIONS("[" REGION_OF("0") "]"), "\"part\" is 0, but the memory has 0 parts" },
		{ MEMORY("{\"disk\": 1}"), "\"disk\" is no key of \"memory\"" },
		{ REGIONS("{}"), "\"regions\" is no array" },
		{ REGIONS("[]"), "\"regions\" has 0 elements" },
		{ REGIONS("[5]"), "\"regions\" is no object" },
		{ REGIONS("[{\"gpa\": 0, \"offset\": 0}]"), "\"regions\" has no \"length\"" },
		{ REGIONS("[{\"gpa\": 0, \"offset\": 0, \"length\": 0}]"), "\"length\" is 0" },
		{ REGIONS("[{\"gpa\": \"0\", \"offset\": 0, \"length\": 1}]"),
		  "\"gpa\" is no whole number" },
		{ REGIONS("[{\"gpa\": 4503599627370497, \"offset\": 0, "
			  "\"length\": 1}]"),
		  "\"gpa\" is not between 0 and 4503599627370496" },
		{ REGIONS("[{\"gpa\": 18446744073709551615, \"offset\": 0, "
			  "\"length\": 1}]"),
		  "\"gpa\" is not between" },
		{ REGIONS("[{\"gpa\": 4503599627370496, \"offset\": 0, "
			  "\"length\": 1}]"),
		  "\"regions\" go beyond 2^52" },
		{ REGIONS("[{\"gpa\": 0, \"offset\": 0, \"length\": 9},"
			  "{\"gpa\": 8, \"offset\": 0, \"length\": 9}]"),
		  "\"regions\" overlap at gpa 8" },
		{ "{\"vuid\": \"a\", \"device\": \"any\", \"regions\": "
		  "[{\"gpa\": 0, \"offset\": 0, \"length\": 9}], "
		  "\"memory\": {\"kcore\": true}}",
		  "\"regions\" are of a file or a memfd only" },
		{ TARGET("a", "any", ", \"qmp\": \"vm.qmp\""), "\"qmp\" is no absolute path" },
		{ "[[[[[[[[[[1]]]]]]]]]]", "f.json: nesting too deep" },
	};
	struct target *t;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		logged();
		EXPECT_EQ(parse(bad[i].text, &t), -EINVAL);
		EXPECT(!t);
		EXPECT_LOGGED(bad[i].words);
		EXPECT(strstr(logged_text, "f.json"));
	}
}

TEST(every_beginning_of_a_file_is_refused)
{
	static const char text[] = REGIONS("[{\"gpa\": 0, \"offset\": 0, "
					   "\"length\": 4096}]");
	struct target *t = NULL;

	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		EXPECT_EQ(settings_read_target("f.json", text, len, &t), -EINVAL);
		EXPECT_LOGGED("f.json: it is empty, or ends too early");
	}
	ASSERT(!settings_read_target("f.json", text, sizeof(text) - 1, &t));
	doca_priv_target_put(t);
}

TEST(names_have_a_greatest_length)
{
	char text[512], vuid[DOCA_DEVINFO_REP_VUID_SIZE + 1];
	struct target *t;

	memset(vuid, 'v', sizeof(vuid));
	vuid[DOCA_DEVINFO_REP_VUID_SIZE] = '\0';
	snprintf(text, sizeof(text), MEMORY("{\"function\": \"%s\"}"), vuid);
	logged();
	EXPECT_EQ(parse(text, &t), -EINVAL);
	EXPECT_LOGGED("\"function\" has more than 127 bytes");
	vuid[DOCA_DEVINFO_REP_VUID_SIZE - 1] = '\0';
	snprintf(text, sizeof(text), MEMORY("{\"function\": \"%s\"}"), vuid);
	ASSERT(!parse(text, &t));
	EXPECT_STR(t->function, vuid);
	doca_priv_target_put(t);
}

static uint32_t nr_listed(void)
{
	struct target_list list;
	uint32_t nr;

	EXPECT_EQ(doca_priv_target_list(&list), 0);
	nr = list.nr;
	doca_priv_target_list_free(&list);
	return nr;
}

TEST(no_folder_is_no_target)
{
	setenv("DOCA_TARGETS_DIR", "/nowhere/targets.d", 1);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_SILENT();
	setenv("DOCA_TARGETS_DIR", "/dev/null", 1);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("/dev/null are left out: Not a directory");
	unsetenv("DOCA_TARGETS_DIR");
	EXPECT_STR(doca_priv_targets_dir(), "/etc/doca/targets.d");
}

TEST(files_are_listed_by_their_names)
{
	struct target_list list;

	set_up_targets();
	write_target("b.json", TARGET("2", "any", ""));
	write_target("a.json", TARGET("1", "any", ""));
	write_target("c.json~", "x");
	write_target("json", "x");
	write_target(".json", "x");
	write_target(".d.json", "x");
	EXPECT_EQ(doca_priv_target_list(&list), 0);
	ASSERT(list.nr == 2);
	EXPECT_STR(list.targets[0]->name, "a");
	EXPECT_STR(list.targets[0]->vuid, "1");
	EXPECT_STR(list.targets[1]->name, "b");
	doca_priv_target_list_free(&list);
	EXPECT_SILENT();
	tear_down_targets();
}

TEST(files_that_others_may_write_are_left_out)
{
	set_up_targets();
	write_target("a.json", TARGET("1", "any", ""));
	EXPECT_EQ(chmod(target_path("a.json"), 0602), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("/a.json is left out: others may write to it");
	EXPECT_EQ(chmod(target_path("a.json"), 0620), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("others may write to it");
	EXPECT_EQ(chmod(target_path("a.json"), 0600), 0);
	EXPECT_EQ(nr_listed(), 1);
	EXPECT_SILENT();
	EXPECT_EQ(chmod(targets, 0777), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("left out: others may write to it");
	if (!geteuid()) {
		EXPECT_EQ(chmod(targets, 0755), 0);
		EXPECT_EQ(chown(target_path("a.json"), 1, 1), 0);
		EXPECT_EQ(nr_listed(), 0);
		EXPECT_LOGGED("it belongs to somebody else");
	}
	tear_down_targets();
}

TEST(what_is_no_file_or_too_large_is_left_out)
{
	set_up_targets();
	EXPECT_EQ(mkfifo(target_path("a.json"), 0600), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("/a.json is left out: it is no regular file");
	EXPECT_EQ(unlink(target_path("a.json")), 0);
	EXPECT_EQ(symlink("/nowhere", target_path("a.json")), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("/a.json is left out: No such file");
	EXPECT_EQ(unlink(target_path("a.json")), 0);
	write_target("a.json", TARGET("1", "any", ""));
	EXPECT_EQ(truncate(target_path("a.json"), TEXT_FILE_MAX + 1), 0);
	EXPECT_EQ(nr_listed(), 0);
	EXPECT_LOGGED("/a.json: it has more than 1 MiB");
	EXPECT_EQ(truncate(target_path("a.json"), TEXT_FILE_MAX), 0);
	EXPECT_EQ(nr_listed(), 0); /* bytes of 0 behind the object */
	EXPECT_LOGGED("/a.json: ");
	tear_down_targets();
}

TEST(a_target_is_found_by_its_vuid)
{
	struct target *t;

	set_up_targets();
	write_target("b.json", TARGET("1", "any", ""));
	write_target("a.json", TARGET("1", "any", ""));
	t = doca_priv_target_find("1");
	ASSERT(t);
	EXPECT_STR(t->name, "a");
	doca_priv_target_put(t);
	EXPECT_SILENT();
	EXPECT(!doca_priv_target_find("2"));
	EXPECT_LOGGED("has the VUID 2");
	tear_down_targets();
}

TEST(without_memory_nothing_is_listed_and_nothing_lost)
{
	struct target_list list;
	int err;

	set_up_targets();
	write_target("a.json", REGIONS("[{\"gpa\": 0, \"offset\": 0, \"length\": 1}]"));
	fault_at(FAULT_ALLOC, 1);
	do {
		err = doca_priv_target_list(&list);
		if (fault_happened(FAULT_ALLOC)) {
			EXPECT_EQ(err, -ENOMEM);
			EXPECT_EQ(list.nr, 0);
			EXPECT_LOGGED("Cannot allocate memory");
		} else {
			EXPECT_EQ(err, 0);
			EXPECT_EQ(list.nr, 1);
		}
		doca_priv_target_list_free(&list);
	} while (fault_next(FAULT_ALLOC));
	tear_down_targets();
}
