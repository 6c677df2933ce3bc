/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Plug-ins of libdoca_common: what few programs need, with the libraries that it needs. They are in
 * a folder beside it, installed or in a build tree, whose name has the number of its soname, so that
 * two of these can be installed. They stay while the process lives. loader.h says what is to be
 * heeded when they are loaded.
 */
#ifndef DOCA_CORE_PLUGIN_H
#define DOCA_CORE_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

struct plugin {
	const char *name; /* the file is NAME.so */
	const char *table; /* symbol of what the plug-in has */
	/* NULL: the table begins with the name of its release, a pointer */
	bool (*fits)(const void *table);
	const char *lacked; /* begins the line of the log without it */
	const char *install; /* ends it: names what to install */
	uint32_t level; /* enum doca_log_level: how that line is logged */
	const void *loaded;
	uint32_t told; /* which failure was logged last */
};

/*
 * Load a plug-in, unless it is loaded. Returns 0, or -ELIBACC: a line of the log has said why,
 * but not twice in succession.
 *
 * No failure is kept, so a caller must not keep it either: the loader does not tell want of memory
 * or files from a library that is not there, and all of these may be over the next time. Three
 * failures are final, and come out again without anybody keeping them: a program that is linked
 * statically has its plug-ins within itself or not at all, one of another release stays loaded, and
 * this library's own file is looked at once, when it is loaded.
 *
 * A child that was forked while another thread loaded something has only those that were loaded
 * before. A thread is not cancelled in this call.
 */
int plugin_load(struct plugin *plugin, const void **table);

/*
 * Note the file that the library was loaded from, a name that stays; NULL if the program is linked
 * statically. A constructor does so, before the process changes its folder or its root.
 */
void plugin_note(const char *library);

#endif /* DOCA_CORE_PLUGIN_H */
