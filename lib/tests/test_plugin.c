// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * How plug-ins are found beside the library, and what is said of those that are not. They stay in a
 * process, so each test has its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/loader.h"
#include "core/base/plugin.h"
#include "fault.h"
#include "in_child.h"
#include "logged.h"
#include "plugin/plugin.h"

#define FOLDER "/" PLUGIN_FOLDER
#define NEW_PLUGIN(file)                                                                   \
	{                                                                                  \
		.name = file, .table = "plugin_test_table", .lacked = "nothing is tested", \
		.install = "the tests", .level = DOCA_LOG_LEVEL_ERROR,                     \
	}

static char top[] = "/tmp/test_plugin.XXXXXX";

static void remove_stage(void)
{
	unlink("lib" FOLDER);
	unlink("lib/libdoca_common.so");
	rmdir("lib");
	unlink("old" FOLDER);
	unlink("old/libdoca_common.so");
	rmdir("old");
	rmdir(top);
}

/* Make the folder of a library, whose plug-ins are those of this test. */
static void install(void)
{
	char self[PATH_MAX] = "", plugins[PATH_MAX + 16];
	FILE *library;

	ASSERT(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(plugins, sizeof(plugins), "%s/plugins", dirname(self));
	ASSERT(!mkdir("lib", 0755) && !symlink(plugins, "lib" FOLDER));
	library = fopen("lib/libdoca_common.so", "w");
	ASSERT(library && !fclose(library));
}

static void stage(void)
{
	ASSERT(mkdtemp(top) && !chdir(top));
	install();
	logged();
}

static void set_up(void)
{
	stage();
	plugin_note("lib/libdoca_common.so");
}

static void expect_loaded(struct plugin *plugin)
{
	const void *table = NULL;

	EXPECT_EQ(plugin_load(plugin, &table), 0);
	if (table)
		EXPECT_EQ(((const struct plugin_test_table *)table)->value, 77);
	EXPECT_SILENT();
}

/* It is said once. */
static void expect_refused(struct plugin *plugin, int err, const char *words)
{
	const void *table;

	EXPECT_EQ(plugin_load(plugin, &table), err);
	EXPECT_LOGGED(words);
	EXPECT_EQ(plugin_load(plugin, &table), err);
	EXPECT_SILENT();
}

static void from_elsewhere(void)
{
	struct plugin plugin = NEW_PLUGIN("this");

	set_up();
	EXPECT_EQ(chdir("/"), 0);
	expect_loaded(&plugin);
	expect_loaded(&plugin);
	EXPECT_EQ(chdir(top), 0);
	remove_stage();
}

TEST(a_relative_path_is_good_in_every_folder)
{
	IN_CHILD(from_elsewhere());
}

static void forbid_files(struct rlimit *limit)
{
	struct rlimit none;
	int next = dup(0);

	close(next);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, limit), 0);
	none = (struct rlimit){ .rlim_cur = next, .rlim_max = limit->rlim_max };
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
}

static void without_files(void)
{
	struct plugin plugin = NEW_PLUGIN("this");
	struct rlimit limit;

	set_up();
	forbid_files(&limit);
	expect_refused(&plugin, -ELIBACC, "Too many open files");
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	expect_loaded(&plugin);
	remove_stage();
}

TEST(want_of_files_is_told_and_not_kept)
{
	IN_CHILD(without_files());
}

/* The loader has many reasons, and one does not stand for another. */
static void without_more(void)
{
	struct plugin plugin = NEW_PLUGIN("this");
	struct rlimit limit;

	set_up();
	forbid_files(&limit);
	expect_refused(&plugin, -ELIBACC, "Too many open files");
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	plugin.name = "none";
	expect_refused(&plugin, -ELIBACC, "none.so: cannot open");
	remove_stage();
}

TEST(each_reason_is_told)
{
	IN_CHILD(without_more());
}

/* In debug mode and in others: the library allocates in one place. */
static void without_memory(void)
{
	struct plugin plugin = NEW_PLUGIN("this");
	const void *table;

	set_up();
	fault_at(FAULT_ALLOC, 1);
	EXPECT_EQ(plugin_load(&plugin, &table), -ELIBACC);
	EXPECT(!table && fault_happened(FAULT_ALLOC));
	EXPECT_LOGGED("nothing is tested: ");
	fault_at(FAULT_ALLOC, 0);
	expect_loaded(&plugin);
	remove_stage();
}

TEST(want_of_memory_is_told_and_not_kept)
{
	IN_CHILD(without_memory());
}

/* Bytes of a stack that nobody has touched */
#define PAINT 0xa5
#define STACK (4 << 20)

static struct {
	struct plugin *plugin;
	int err;
	unsigned char *stack, *view; /* twice mapped: only the thread may use its stack */
	unsigned char *top; /* where the call begins */
} painted;

static unsigned int used(void)
{
	unsigned int n = 0;

	while (n < STACK && painted.view[n] == PAINT)
		n++;
	return painted.top - painted.stack - n;
}

static void paint(void)
{
	int fd = memfd_create("stack", MFD_CLOEXEC);

	ASSERT(fd >= 0 && !ftruncate(fd, STACK));
	painted.stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	painted.view = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	ASSERT(painted.stack != MAP_FAILED && painted.view != MAP_FAILED);
	memset(painted.view, PAINT, STACK);
}

static void *load_on_paint(void *unused)
{
	const void *table;

	painted.top = __builtin_frame_address(0);
	painted.err = plugin_load(painted.plugin, &table);
	return unused;
}

/*
 * Threads of some libc have 64 KiB. glibc itself uses 8 KiB, and a buffer for a path would take 4
 * more. Sanitizers keep bytes between variables.
 */
#define MAX_USED (12 * 1024)

static void expect_small(struct plugin *plugin, int err)
{
	pthread_attr_t attr;
	pthread_t thread;

	painted.plugin = plugin;
	paint();
	ASSERT(!pthread_attr_init(&attr) && !pthread_attr_setstack(&attr, painted.stack, STACK));
	ASSERT(!pthread_create(&thread, &attr, load_on_paint, NULL));
	ASSERT(!pthread_join(thread, NULL));
	pthread_attr_destroy(&attr);
	EXPECT_EQ(painted.err, err);
	if (used() > MAX_USED)
		KTAP_SAY_("%u bytes of stack were used", used());
	EXPECT(used() > 0);
}

static void on_a_small_stack(void)
{
	struct plugin plugin = NEW_PLUGIN("this"), none = NEW_PLUGIN("none");

	set_up();
	expect_small(&plugin, 0);
	EXPECT_SILENT();
	expect_small(&none, -ELIBACC);
	EXPECT_LOGGED("none.so: cannot open");
	remove_stage();
}

TEST(a_small_stack_is_enough)
{
	IN_CHILD(on_a_small_stack());
}

static void absent(void)
{
	struct plugin plugin = NEW_PLUGIN("none");

	set_up();
	expect_refused(&plugin, -ELIBACC, "none.so: cannot open");
	plugin.name = "this";
	expect_loaded(&plugin);
	remove_stage();
}

TEST(a_plugin_that_comes_later_is_loaded)
{
	IN_CHILD(absent());
}

/* So it is after chroot(), too. */
static void replaced(void)
{
	struct plugin plugin = NEW_PLUGIN("this");

	set_up();
	ASSERT(!rename("lib", "old"));
	expect_refused(&plugin, -ELIBACC, "/lib/libdoca_common.so is not the file any more");
	install();
	plugin.told = 0;
	expect_refused(&plugin, -ELIBACC, "/lib/libdoca_common.so is not the file any more");
	remove_stage();
}

TEST(another_file_of_that_name_is_refused)
{
	IN_CHILD(replaced());
}

/* The library's folder stays, but its file is a link that leads elsewhere by then. */
static void linked(void)
{
	struct plugin plugin = NEW_PLUGIN("this");
	char target[64];

	stage();
	snprintf(target, sizeof(target), "%s/lib/libdoca_common.so", top);
	ASSERT(!mkdir("link", 0755) && !symlink(target, "link/libdoca_common.so"));
	plugin_note("link/libdoca_common.so");
	ASSERT(!rename("lib", "old"));
	install();
	expect_refused(&plugin, -ELIBACC, "/link/libdoca_common.so is not the file any more");
	unlink("lib" FOLDER);
	unlink("lib/libdoca_common.so");
	ASSERT(!rmdir("lib") && !rename("old", "lib"));
	expect_loaded(&plugin);
	unlink("link/libdoca_common.so");
	rmdir("link");
	remove_stage();
}

TEST(a_link_that_leads_elsewhere_is_refused)
{
	IN_CHILD(linked());
}

static void close_folder(bool closed)
{
	if (geteuid() && getuid())
		EXPECT_EQ(chmod(top, closed ? 0 : 0700), 0);
	else
		EXPECT_EQ(seteuid(closed ? 65534 : 0), 0);
}

/* It is the library's file, but this user may not look for it. */
static void forbidden(void)
{
	struct plugin plugin = NEW_PLUGIN("this");

	set_up();
	close_folder(true);
	expect_refused(&plugin, -ELIBACC, "/lib/libdoca_common.so: Permission denied");
	close_folder(false);
	expect_loaded(&plugin);
	remove_stage();
}

TEST(a_folder_that_may_not_be_read_is_no_other_file)
{
	IN_CHILD(forbidden());
}

/* Where the process is then, no relative path leads anywhere. */
static void in_no_folder(void)
{
	struct plugin plugin = NEW_PLUGIN("this");

	stage();
	ASSERT(!mkdir("gone", 0755) && !chdir("gone") && !rmdir("../gone"));
	plugin_note("lib/libdoca_common.so");
	expect_refused(&plugin, -ELIBACC, "lib/libdoca_common.so: No such file or directory");
	ASSERT(!chdir(top));
	remove_stage();
}

TEST(a_path_that_is_lost_is_no_static_program)
{
	IN_CHILD(in_no_folder());
}

static void unlike(void)
{
	struct plugin other = NEW_PLUGIN("other"), empty = NEW_PLUGIN("this");

	set_up();
	expect_refused(&other, -ELIBACC, "other is of another release");
	empty.table = "no_table";
	expect_refused(&empty, -ELIBACC, "; install the tests");
	remove_stage();
}

TEST(plugins_of_others_are_refused)
{
	IN_CHILD(unlike());
}

/* A load that goes on until it gets an answer: whether its constructor shall fork. */
static struct {
	bool bare; /* it is no plug-in that is loaded */
	struct plugin plugin;
	pthread_t thread;
	pid_t process;
	int fd;
} slow;

static void load_bare(void)
{
	void *handle = NULL;

	EXPECT_EQ(loader_open("lib" FOLDER "/slow.so", RTLD_NOW, &handle), 0);
	loader_close(handle);
}

/* In the child of its constructor the loader is in order. */
static void *load_slowly(void *unused)
{
	struct plugin other = NEW_PLUGIN("this");

	if (slow.bare)
		load_bare();
	else
		expect_loaded(&slow.plugin);
	if (getpid() != slow.process) {
		expect_loaded(&other);
		fflush(stdout);
		_exit(ktap_bad ? 1 : 0);
	}
	return unused;
}

static void begin_slowly(void)
{
	int fds[2];
	char number[16], begun;

	slow.plugin = (struct plugin)NEW_PLUGIN("slow");
	slow.process = getpid();
	ASSERT(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	snprintf(number, sizeof(number), "%d", fds[1]);
	setenv("PLUGIN_TEST_FD", number, 1);
	slow.fd = fds[0];
	ASSERT(!pthread_create(&slow.thread, NULL, load_slowly, NULL));
	ASSERT(read(slow.fd, &begun, 1) == 1);
}

static void end_slowly(bool fork)
{
	char answer = fork;

	EXPECT_EQ(write(slow.fd, &answer, 1), 1);
	ASSERT(!pthread_join(slow.thread, NULL));
}

/* Leak checkers would miss memory of the thread that is not there: another program ends it. */
#define IN_FORK(test)                                             \
	IN_CHILD({                                                \
		test;                                             \
		fflush(stdout);                                   \
		execlp(ktap_bad ? "false" : "true", "end", NULL); \
	})

static void in_fork(struct plugin *before)
{
	struct plugin other = NEW_PLUGIN("this");

	expect_refused(&slow.plugin, -ELIBACC, "forked while its parent loaded a library");
	expect_refused(&other, -ELIBACC, "forked while its parent loaded a library");
	expect_loaded(before);
}

static void in_fork_of_fork(struct plugin *before)
{
	IN_FORK(in_fork(before));
	in_fork(before);
}

static void forked_meanwhile(void)
{
	struct plugin before = NEW_PLUGIN("this");

	set_up();
	expect_loaded(&before);
	begin_slowly();
	IN_FORK(in_fork_of_fork(&before));
	end_slowly(false);
	IN_FORK(expect_loaded(&slow.plugin));
	remove_stage();
}

TEST(a_fork_during_a_load_has_what_was_loaded_before)
{
	IN_CHILD(forked_meanwhile());
}

static void in_fork_of_bare(void)
{
	struct plugin other = NEW_PLUGIN("this");
	void *handle;

	EXPECT_EQ(loader_open("lib" FOLDER "/this.so", RTLD_NOW, &handle), -EOWNERDEAD);
	expect_refused(&other, -ELIBACC, "forked while its parent loaded a library");
}

static void forked_meanwhile_bare(void)
{
	struct plugin other = NEW_PLUGIN("this");

	set_up();
	slow.bare = true;
	begin_slowly();
	IN_FORK(in_fork_of_bare());
	end_slowly(false);
	IN_FORK(expect_loaded(&other));
	remove_stage();
}

TEST(a_fork_during_another_load_has_what_was_loaded_before)
{
	IN_CHILD(forked_meanwhile_bare());
}

static void forked_within(void)
{
	set_up();
	begin_slowly();
	end_slowly(true);
	remove_stage();
}

TEST(a_fork_of_a_constructor_goes_on)
{
	IN_CHILD(forked_within());
}

/* Keep nothing on the stack: a sanitizer expects this function to return. */
static void *load_while_cancelled(void *plugin)
{
	static const void *table;

	pthread_cancel(pthread_self());
	if (!plugin_load(plugin, &table))
		pthread_testcancel();
	return NULL;
}

/* Its constructor opens a file. */
static void cancelled(void)
{
	struct plugin opens = NEW_PLUGIN("opens"), other = NEW_PLUGIN("this");
	pthread_t thread;
	void *result = NULL;

	set_up();
	alarm(20);
	ASSERT(!pthread_create(&thread, NULL, load_while_cancelled, &opens));
	ASSERT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	EXPECT(opens.loaded);
	IN_FORK(expect_loaded(&other));
	expect_loaded(&other);
	alarm(0);
	remove_stage();
}

TEST(a_thread_is_cancelled_after_the_load)
{
	IN_CHILD(cancelled());
}

/* The level is that of its owner, and lines are shown from warnings on. */
static void mild(void)
{
	struct plugin plugin = NEW_PLUGIN("none");

	set_up();
	plugin.level = DOCA_LOG_LEVEL_WARNING;
	expect_refused(&plugin, -ELIBACC, "[WRN]");
	plugin = (struct plugin)NEW_PLUGIN("none");
	expect_refused(&plugin, -ELIBACC, "[ERR]");
	remove_stage();
}

TEST(a_refusal_has_the_level_of_its_plugin)
{
	IN_CHILD(mild());
}

static void within(void)
{
	struct plugin plugin = NEW_PLUGIN("this");

	logged();
	expect_refused(&plugin, -ELIBACC, "as pkg-config --static says");
}

TEST(a_static_program_has_none)
{
	IN_CHILD(within());
}
