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
#include "loader.h"
#include "log.h"
#include "plugin.h"

LOG_SOURCE("COMMON::PLUGIN");

/* The library's file, as it was when it was loaded */
static struct {
	const char *path; /* absolute unless it is lost, may have links */
	int lost; /* why that leads nowhere: a negative errno, or 0 */
	dev_t dev;
	ino_t ino;
} library = { .lost = -ENOEXEC };

/* Return NULL, and errno, if that fails. */
static char *make_absolute(const char *path)
{
	char *here, *whole = NULL;

	here = getcwd(NULL, 0);
	if (here && asprintf(&whole, "%s/%s", here, path) < 0)
		whole = NULL;
	free(here);
	return whole;
}

static int set_path(const char *path)
{
	library.path = path;
	if (!path)
		return -ENOEXEC;
	if (*path != '/')
		path = make_absolute(path);
	if (!path)
		return -errno;
	library.path = path;
	return 0;
}

/* After it was moved or removed, or with another root: there may be another file of that path, too. */
static int error_of_path(void)
{
	return errno == ENOENT || errno == ENOTDIR ? -ESTALE : -errno;
}

/* A first malloc() would cost system calls of every program, also of those that load nothing. */
void plugin_note(const char *path)
{
	struct stat st;

	library.lost = set_path(path);
	if (library.lost)
		return;
	if (stat(library.path, &st)) {
		library.lost = error_of_path();
		return;
	}
	library.dev = st.st_dev;
	library.ino = st.st_ino;
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
		return error_of_path();
	return st.st_dev == library.dev && st.st_ino == library.ino ? 0 :
								      -ESTALE;
}

/* Return the library's path without links, if its file is still there; NULL and a negative errno. */
static char *find_library(int *err)
{
	char *real;

	*err = library.lost;
	if (*err)
		return NULL;
	real = realpath(library.path, NULL);
	if (!real) {
		*err = error_of_path();
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

static int find_in(const char *path, const char *name, const void **table)
{
	void *file;
	int err;

	err = loader_open(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, &file);
	if (err)
		return err;
	*table = dlsym(file, name);
	return *table ? 0 : -ELIBACC;
}

static bool fits(const struct plugin *plugin, const void *table)
{
	const char *const *release = table;

	return plugin->fits ? plugin->fits(table) :
			      !strcmp(*release, OPEN_DOCA_VERSION);
}

/* The loader has words for ELIBACC until this thread calls it again. */
static int find(const struct plugin *plugin, const void **table)
{
	char *path;
	int err = loader_check();

	if (err)
		return err;
	path = find_path(plugin->name, &err);
	if (!path)
		return err;
	err = find_in(path, plugin->table, table);
	free(path);
	if (err)
		return err;
	return fits(plugin, *table) ? 0 : -ELIBBAD;
}

#define SAY(...) LOG_(plugin->level, __VA_ARGS__)

/* @why has the loader's words. */
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
		SAY("%s: %s", lacked, why);
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
	const char *why = loader_reason(err);
	uint32_t number = number_of(err, why);

	if (__atomic_exchange_n(&plugin->told, number, __ATOMIC_RELAXED) !=
	    number)
		say(plugin, err, why);
}

static int load(struct plugin *plugin, const void **table)
{
	const void *none = NULL;
	int err;

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

/* A thread that were cancelled in between would leave what it has allocated. */
int plugin_load(struct plugin *plugin, const void **table)
{
	int state, err;

	*table = __atomic_load_n(&plugin->loaded, __ATOMIC_ACQUIRE);
	if (*table)
		return 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	err = load(plugin, table);
	pthread_setcancelstate(state, NULL);
	return err;
}
