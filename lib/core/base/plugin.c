// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errno_text.h"
#include "log.h"
#include "out_of.h"
#include "plugin.h"

LOG_SOURCE("COMMON::PLUGIN");

/* The library's file, as it was when it was loaded */
static struct {
	const char *path; /* absolute, may have links; NULL without one */
	dev_t dev;
	ino_t ino;
} library;

/*
 * Our calls of the loader that are at work. A child that is forked meanwhile has what they have
 * made so far: glibc renews the loader's lock there, but not what the lock guards.
 */
static struct {
	unsigned int calls;
	bool half_made; /* in this child, as long as it lives */
} loader;
/* It is read in the child of a fork, where nothing may be allocated for it. */
static __thread unsigned int own_calls
	__attribute__((tls_model("initial-exec")));

/*
 * Calls of the thread that forked, from a constructor of what it loads, go on in the child. Whether
 * those of another thread wait for the lock, or are behind it, nobody can tell.
 */
static void fork_child(void)
{
	if (loader.calls != own_calls)
		loader.half_made = true;
	loader.calls = own_calls;
}

static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(NULL, NULL, fork_child);
}

static const char *make_absolute(const char *path)
{
	char *here, *whole = NULL;

	if (!path || *path == '/')
		return path;
	here = getcwd(NULL, 0);
	if (here && asprintf(&whole, "%s/%s", here, path) < 0)
		whole = NULL;
	free(here);
	return whole;
}

/* A first malloc() would cost system calls of every program, also of those that load nothing. */
void plugin_note(const char *path)
{
	struct stat st;

	library.path = make_absolute(path);
	if (!library.path)
		return;
	library.dev = 0;
	library.ino = 0;
	if (!stat(library.path, &st)) {
		library.dev = st.st_dev;
		library.ino = st.st_ino;
	}
}

/*
 * The loader's name of the library is as the program's search path has it. A program has no name
 * here: what dladdr() tells of it is argv[0], which its caller chooses.
 */
static void __attribute__((constructor)) note_library(void)
{
	struct link_map *map;
	Dl_info info;

	if (dladdr1((void *)plugin_load, &info, (void **)&map,
		    RTLD_DL_LINKMAP) &&
	    map->l_name[0])
		plugin_note(map->l_name);
}

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return is_out_of(-errno) ? -errno : -ESTALE;
	return st.st_dev == library.dev && st.st_ino == library.ino ? 0 :
								      -ESTALE;
}

/* Return the library's path without links, if its file is still there; NULL and a negative errno. */
static char *find_library(int *err)
{
	char *real;

	if (!library.path) {
		*err = -ENOEXEC;
		return NULL;
	}
	real = realpath(library.path, NULL);
	if (!real) {
		*err = is_out_of(-errno) ? -errno : -ESTALE;
		return NULL;
	}
	*err = check_file(real);
	if (*err) {
		free(real);
		return NULL;
	}
	return real;
}

/* Return the path of NAME.so, beside the library's file; NULL and a negative errno. */
static char *find_path(const char *name, int *err)
{
	const char folder[] = "/" PLUGIN_FOLDER "/";
	char *real = find_library(err), *path;
	size_t size;

	if (!real)
		return NULL;
	*strrchr(real, '/') = '\0';
	size = strlen(real) + sizeof(folder) + strlen(name) + sizeof(".so");
	path = malloc(size);
	if (path)
		snprintf(path, size, "%s%s%s.so", real, folder, name);
	else
		*err = -ENOMEM;
	free(real);
	return path;
}

static void *open_file(const char *path)
{
	void *file;

	own_calls++;
	__atomic_add_fetch(&loader.calls, 1, __ATOMIC_SEQ_CST);
	file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	__atomic_sub_fetch(&loader.calls, 1, __ATOMIC_SEQ_CST);
	own_calls--;
	return file;
}

static const void *find_in(void *file, const char *table)
{
	return file ? dlsym(file, table) : NULL;
}

static bool fits(const struct plugin *plugin, const void *table)
{
	const char *const *release = table;

	return plugin->fits ? plugin->fits(table) :
			      !strcmp(*release, OPEN_DOCA_VERSION);
}

/* With ELIBACC, dlerror() has a text until this thread calls the loader again. */
static int find(const struct plugin *plugin, const void **table)
{
	char *path;
	int err;

	if (loader.half_made)
		return -EOWNERDEAD;
	path = find_path(plugin->name, &err);
	if (!path)
		return err;
	*table = find_in(open_file(path), plugin->table);
	free(path);
	if (!*table)
		return -ELIBACC;
	return fits(plugin, *table) ? 0 : -ELIBBAD;
}

#define SAY(...) LOG_(plugin->level, __VA_ARGS__)

/* @why is the loader's text. */
static void say(const struct plugin *plugin, int err, const char *why)
{
	const char *lacked = plugin->lacked;

	switch (err) {
	case -ENOEXEC:
		SAY("%s: the program is linked without plug-ins; link it "
		    "as pkg-config --static says",
		    lacked);
		break;
	case -EOWNERDEAD:
		SAY("%s: this process was forked while its parent loaded a "
		    "plug-in; let the parent make this call before the "
		    "fork",
		    lacked);
		break;
	case -ESTALE:
		SAY("%s: %s is not the file any more that libdoca_common "
		    "was loaded from, after chroot() or setns(), or "
		    "because it was installed anew; make this call before, "
		    "or start the program again",
		    lacked, library.path);
		break;
	case -ELIBACC:
		SAY("%s: %s; install %s", lacked, why, plugin->install);
		break;
	case -ELIBBAD:
		SAY("%s: plug-in %s is of another release than "
		    "libdoca_common: install both of one release, and "
		    "start the program again",
		    lacked, plugin->name);
		break;
	default:
		SAY("%s: %s: %s", lacked, library.path, errno_text(err));
	}
}

/* Return a number of a failure that others hardly have, and never 0. */
static uint32_t number_of(int err, const char *why)
{
	uint32_t number = -err;

	while (*why)
		number = number * 31 + (unsigned char)*why++;
	return number | 1;
}

/* Say why, unless that was said last. */
static void tell(struct plugin *plugin, int err)
{
	const char *why = err == -ELIBACC ? dlerror() : "";
	uint32_t number;

	/* a call of the loader from another's malloc() or free() clears it */
	if (!why)
		why = "for a reason that was lost";
	number = number_of(err, why);
	if (__atomic_exchange_n(&plugin->told, number, __ATOMIC_RELAXED) !=
	    number)
		say(plugin, err, why);
}

int plugin_load(struct plugin *plugin, const void **table)
{
	const void *none = NULL;
	int err;

	*table = __atomic_load_n(&plugin->loaded, __ATOMIC_ACQUIRE);
	if (*table)
		return 0;
	err = find(plugin, table);
	if (err) {
		tell(plugin, err);
		*table = NULL;
		return -ELIBACC;
	}
	if (!__atomic_compare_exchange_n(&plugin->loaded, &none, *table, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		*table = none;
	return 0;
}
