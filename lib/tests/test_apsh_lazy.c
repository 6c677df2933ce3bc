// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: large JSON files, of which little is parsed. */
#include <stdlib.h>
#include <unistd.h>

#include "apsh/lazy.h"
#include "fault.h"
#include "ktap.h"
#include "logged.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

static char path[] = "/tmp/doca-lazy-XXXXXX";

static void write_text(const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static struct lazy *opened(const char *text)
{
	struct lazy *lazy = NULL;

	write_text(text);
	if (lazy_open(path, &lazy))
		abort();
	return lazy;
}

static void set_up(void)
{
	int fd;

	strcpy(path, "/tmp/doca-lazy-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		abort();
	close(fd);
}

static void tear_down(void)
{
	unlink(path);
	logged();
}

TEST(what_is_no_object_of_objects_is_refused)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "", "is empty" },
		{ "no", "something unexpected is at byte 0" },
		{ "[]", "something unexpected is at byte 0" },
		{ "{", "ends early at byte 1" },
		{ "{\"a", "ends early at byte 3" },
		{ "{\"a\\", "ends early at byte 4" },
		{ "{\"a\"", "ends early at byte 4" },
		{ "{\"a\":", "ends early at byte 5" },
		{ "{\"a\":1", "ends early at byte 6" },
		{ "{\"a\":{}", "ends early at byte 7" },
		{ "{\"a\":{\"b\":[1,2}}", "unexpected is at byte 14" },
		{ "{\"a\":{\"b\" 1}}", "unexpected is at byte 10" },
		{ "{\"a\":{\"b\":1 2}}", "unexpected is at byte 12" },
		{ "{\"a\":{1:1}}", "unexpected is at byte 6" },
		{ "{\"a\":}", "unexpected is at byte 5" },
		{ "{} {}", "unexpected is at byte 3" },
	};
	struct lazy *lazy;

	set_up();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_text(cases[i].text);
		logged();
		EXPECT_EQ(lazy_open(path, &lazy), DOCA_ERROR_INITIALIZATION);
		EXPECT_LOGGED(cases[i].words);
	}
	tear_down();
}

/* Checked before anything is parsed. */
TEST(depth_and_sections_are_bounded)
{
	char text[512] = "{\"a\":";
	struct lazy *lazy;

	set_up();
	memset(text + 5, '[', 65);
	write_text(text);
	EXPECT_EQ(lazy_open(path, &lazy), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("unexpected is at byte 69");
	strcpy(text, "{\"a\":1");
	for (int i = 0; i < 16; i++)
		strcat(text, ",\"a\":1");
	write_text(strcat(text, "}"));
	EXPECT_EQ(lazy_open(path, &lazy), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("has more than 16 members");
	tear_down();
}

TEST(members_are_found)
{
	struct lazy *lazy;

	set_up();
	lazy = opened(" {\"n\" : 1,\n\"a\":{\"x\":\"}\\\"{\", \"y\":{\"k\":7},"
		      "\"z\":-2.5e1,\"y\" :{\"k\":8}},\"e\":{}} ");
	EXPECT(lazy_has(lazy, "a") && lazy_has(lazy, "e"));
	EXPECT(!lazy_has(lazy, "n") && !lazy_has(lazy, "x"));
	EXPECT_STR(json_object_get_string(lazy_get(lazy, "a", "x")), "}\"{");
	EXPECT_EQ(json_object_get_int(json_object_object_get(lazy_get(lazy, "a", "y"), "k")), 8);
	EXPECT(lazy_get(lazy, "a", "y") == lazy_get(lazy, "a", "y"));
	EXPECT_EQ(json_object_get_int(lazy_get(lazy, "a", "z")), -25);
	EXPECT(!lazy_get(lazy, "a", "k") && !lazy_get(lazy, "e", "x"));
	EXPECT(!lazy_get(lazy, "n", "x") && !lazy_get(lazy, "b", "x"));
	lazy_close(lazy);
	EXPECT_SILENT();
	tear_down();
}

TEST(a_member_that_is_wrong_spoils_no_other)
{
	struct lazy *lazy;

	set_up();
	lazy = opened("{\"a\":{\"x\":{\"k\" 1},\"y\":{\"k\":8}}}");
	EXPECT(!lazy_get(lazy, "a", "x"));
	EXPECT_LOGGED("\"x\" is no JSON");
	EXPECT(lazy_get(lazy, "a", "y"));
	lazy_close(lazy);
	tear_down();
}

TEST(without_memory_nothing_is_left)
{
	struct lazy *lazy;

	set_up();
	write_text("{\"a\":{\"x\":{}}}");
	EXPECT_FAULTS(FAULT_ALLOC, lazy_open(path, &lazy), NO_MEMORY, lazy_close(lazy));
	tear_down();
}

static bool begins_with_a(const char *name, size_t len)
{
	return len && *name == 'a';
}

/* Write what is taken as text, and stop at a 3. */
static bool take(void *to, const char *name, size_t len, struct json_object *member)
{
	char *end = (char *)to + strlen(to);

	sprintf(end, "%.*s=%d ", (int)len, name, json_object_get_int(member));
	return json_object_get_int(member) != 3;
}

TEST(members_are_visited_as_far_as_they_are_wanted)
{
	char all[64] = "";
	const struct lazy_visit visit = { begins_with_a, take, all };
	struct lazy *lazy;

	set_up();
	lazy = opened("{\"s\":{\"a1\":1,\"b\":x,\"\":7,\"a2\":2,\"a\":3,\"a4\":4},\"n\":1}");
	lazy_visit(lazy, "s", &visit);
	EXPECT_STR(all, "a1=1 a2=2 a=3 ");
	*all = '\0';
	lazy_visit(lazy, "n", &visit);
	lazy_visit(lazy, "none", &visit);
	EXPECT_STR(all, "");
	lazy_close(lazy);
	tear_down();
}
