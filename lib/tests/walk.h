/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Call every function that a library exports with invalid objects: NULL, and in debug mode
 * destroyed objects, and others; and with NULL for pointers that it would write to or call.
 * It must refuse them with a line in the log, and do nothing else. scripts/build/object-walk
 * writes the calls of all functions in a version script, so that a new function is tried
 * without being named here.
 *
 * A program of these tests defines WALKS, the file of its calls, and has set_up_objects(),
 * which calls add() once for each type of object.
 */
#ifndef DOCA_TESTS_WALK_H
#define DOCA_TESTS_WALK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_error.h>

#include "ktap.h"

enum { MAY_BE_NULL = 1, MAY_BE_DEAD = 2, MAY_BE_WRONG = 4, MAX_PARAMS = 12 };

/* The way it refuses. */
enum answer {
	ANSWERS_CODE, /* DOCA_ERROR_INVALID_VALUE */
	ANSWERS_NONE, /* NULL, 0 or nothing */
	ANSWERS_ERRNO, /* anything but 0 */
};

struct walk {
	const char *name;
	uintptr_t (*call)(void *const *arg);
	int nr_params;
	enum answer answer;
	struct {
		const char *name;
		const char *type; /* type of an object, NULL if it is not one */
		bool number;
		bool pointer; /* to a function that can refuse it */
		int may;
	} params[MAX_PARAMS];
};

#include WALKS

#define NR_WALKS (sizeof(walks) / sizeof(walks[0]))

/* Present where they are linked. */
extern __attribute__((weak)) bool doca_priv_debug;
__attribute__((weak)) void seen_begin(void);

static intptr_t walk_fd; /* file for functions that take one */

static void set_up_objects(void);

/* Return the log since the last call; NULL if that is unknown. */
static const char *walk_logged(void);

/* One live object of each type, one that is gone, and others like it. */
static struct object {
	const char *type;
	void *live;
	void *dead;
	void *other;
} objects[160];
static int nr_objects;

static void add(const char *type, void *live, void *dead, void *other)
{
	objects[nr_objects++] = (struct object){ type, live, dead, other };
}

static const struct object *object_of(const char *type)
{
	static const struct object none;

	for (int i = 0; i < nr_objects; i++)
		if (!strcmp(objects[i].type, type))
			return &objects[i];
	return &none;
}

/* Return a value for a parameter that is not the object of the case. */
static void *filler(const struct walk *walk, int i)
{
	static char scratch[4096] __attribute__((aligned(4096)));
	const char *name = walk->params[i].name;
	void *live;

	if (walk->params[i].number && (strstr(name, "size") || strstr(name, "capacity")))
		return (void *)512; /* enough for any name */
	if (!strcmp(name, "fd"))
		return (void *)walk_fd;
	if (walk->params[i].number)
		return (void *)(strstr(name, "offset") || strstr(name, "filter") ||
						strstr(name, "flags") ?
					0UL :
					1UL);
	if (!walk->params[i].type)
		return scratch;
	live = object_of(walk->params[i].type)->live;
	return live ? live : scratch;
}

static bool is_refusal(const struct walk *walk, uintptr_t answer)
{
	if (walk->answer == ANSWERS_CODE && seen_expected)
		seen_expected(DOCA_ERROR_INVALID_VALUE);
	switch (walk->answer) {
	case ANSWERS_CODE:
		return answer == DOCA_ERROR_INVALID_VALUE;
	case ANSWERS_ERRNO:
		return answer;
	default:
		return !answer;
	}
}

/* Return true if the log has these words, or reports a NULL in another way. */
static bool is_told(const struct walk *walk, const void *what, const char *text, const char *words)
{
	if (walk->answer == ANSWERS_ERRNO)
		return *text;
	return strstr(text, words) || (!what && (strstr(text, "(nil)") || strstr(text, "!(")));
}

static void try(const struct walk *walk, int bad, void *what, const char *words)
{
	void *arg[MAX_PARAMS];
	uintptr_t answer;
	const char *text;

	for (int i = 0; i < walk->nr_params; i++)
		arg[i] = i == bad ? what : filler(walk, i);
	walk_logged();
	answer = walk->call(arg);
	if (!is_refusal(walk, answer))
		KTAP_SAY_("%s(): %s %p: answers %ld", walk->name, walk->params[bad].name, what,
			  (long)answer);
	text = walk_logged();
	if (text && !is_told(walk, what, text, words))
		KTAP_SAY_("%s(): %s %p: logs \"%s\", not \"%s\"", walk->name,
			  walk->params[bad].name, what, text, words);
}

static void try_null(const struct walk *walk, int i)
{
	if ((walk->params[i].type || walk->params[i].pointer) &&
	    !(walk->params[i].may & MAY_BE_NULL))
		try(walk, i, NULL, "NULL");
}

static void try_null_without_debug_mode(const struct walk *walk, int i)
{
	if (&doca_priv_debug)
		doca_priv_debug = false;
	if (seen_begin)
		seen_begin();
	try_null(walk, i);
}

static void try_dead(const struct walk *walk, int i)
{
	const char *type = walk->params[i].type;
	const char *words = "was destroyed";
	void *dead = type ? object_of(type)->dead : NULL;

	if (!dead || walk->params[i].may & MAY_BE_DEAD)
		return;
	if (strstr(type, "task") && !strstr(type, "batch"))
		words = "is gone";
	if (strstr(type, "argp"))
		words = "is no";
	if (strstr(type, "ibv"))
		words = "was freed";
	try(walk, i, dead, words);
}

static void try_wrong(const struct walk *walk, int i)
{
	static char nothing[4096] __attribute__((aligned(64)));
	const struct object *object;

	if (!walk->params[i].type || walk->params[i].may & MAY_BE_WRONG)
		return;
	object = object_of(walk->params[i].type);
	if (!object->live)
		return;
	try(walk, i, nothing, "is no");
	try(walk, i, object->other, "is no");
}

/* A library's coverage is only written by a process that exits. */
static bool is_counted(void)
{
	const char *under = getenv("UNDER");

	return under && !strcmp(under, "gcov");
}

static void run_and_stop(const struct walk *walk, size_t nr, bool quiet,
			 void (*try_one)(const struct walk *walk, int i), int *bad)
{
	ktap_bad = 0;
	if (quiet && !freopen("/dev/null", "w", stdout))
		_exit(1);
	for (size_t k = 0; k < nr; k++)
		for (int i = 0; i < walk[k].nr_params; i++)
			try_one(&walk[k], i);
	fflush(stdout);
	*bad = ktap_bad;
	if (is_counted())
		exit(0);
	raise(SIGSTOP);
	_exit(1);
}

/*
 * Try them in a child process: a function that does not refuse does harm. The child is killed
 * from outside, for valgrind looks for leaks in a process that kills itself. Return its exit;
 * 0 if all were refused.
 */
static int in_child(const struct walk *walk, size_t nr, bool quiet,
		    void (*try_one)(const struct walk *walk, int i))
{
	static int *bad;
	int status = -1;
	pid_t pid;

	if (!bad)
		bad = mmap(NULL, sizeof(*bad), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	if (bad == MAP_FAILED)
		return status;
	*bad = -1;
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_and_stop(walk, nr, quiet, try_one, bad);
	EXPECT(pid > 0 && waitpid(pid, &status, WUNTRACED) == pid);
	if (WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		EXPECT(waitpid(pid, NULL, 0) == pid);
	}
	return *bad ? status : 0;
}

/* Try many in one process, which is quicker; if one is bad, try each in its own. */
static void walk_all(void (*try_one)(const struct walk *walk, int i))
{
	enum { MANY = 32 };

	set_up_objects();
	for (size_t i = 0; i < NR_WALKS; i += MANY) {
		size_t nr = NR_WALKS - i < MANY ? NR_WALKS - i : MANY;

		if (!in_child(&walks[i], nr, true, try_one))
			continue;
		KTAP_SAY_("one of %s() to %s():", walks[i].name, walks[i + nr - 1].name);
		for (size_t k = i; k < i + nr; k++) {
			int status = in_child(&walks[k], 1, false, try_one);

			if (status)
				KTAP_SAY_("%s() ends with %#x", walks[k].name, status);
		}
	}
}

TEST(every_function_refuses_null)
{
	walk_all(try_null);
}

TEST(every_function_refuses_null_without_debug_mode)
{
	walk_all(try_null_without_debug_mode);
}

TEST(every_function_refuses_what_was_destroyed)
{
	walk_all(try_dead);
}

TEST(every_function_refuses_what_is_another_object_or_none)
{
	walk_all(try_wrong);
}

/* There are no objects of these types, so any argument was never made. */
TEST(every_type_of_object_is_tried)
{
	static const char *const none[] = {
		"doca_comch_consumer_completion",
		"doca_comch_msgq",
		"doca_dpa",
		"doca_dpa_completion",
		"doca_dpa_thread",
		"doca_gpu",
		"doca_gpu_buf_arr",
	};
	const char *type;

	set_up_objects();
	for (size_t i = 0; i < NR_WALKS; i++)
		for (int k = 0; k < walks[i].nr_params; k++) {
			bool known = false;

			type = walks[i].params[k].type;
			for (size_t n = 0; type && n < sizeof(none) / sizeof(none[0]); n++)
				known |= !strcmp(type, none[n]);
			if (type && !known && !object_of(type)->live)
				KTAP_SAY_("no %s is tried", type);
		}
}

#endif /* DOCA_TESTS_WALK_H */
