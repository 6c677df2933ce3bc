// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Names of the program's sources of messages. Each file of the program has one,
 * registered when the program or its shared object is loaded. Zero is no
 * source: a variable holds it before it is registered.
 */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "log_internal.h"

LOG_SOURCE("COMMON::LOG");

#define GROW_BY 32

static char **names; /* name of source i + 1; NULL if free */
static int nr_names;

static int find_free(void)
{
	char **grown;
	int i;

	for (i = 0; i < nr_names; i++)
		if (!names[i])
			return i;

	grown = realloc(names, (nr_names + GROW_BY) * sizeof(*names));
	if (!grown)
		return -1;
	memset(grown + nr_names, 0, GROW_BY * sizeof(*names));
	names = grown;
	nr_names += GROW_BY;
	return i;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
	char *name;
	int i;

	if (!given(source_name) || !given(source))
		return DOCA_ERROR_INVALID_VALUE;
	name = strndup(source_name, LOG_NAME_MAX - 1);
	if (!name)
		return OUT_OF_MEMORY("a source of messages");

	log_lock();
	i = find_free();
	if (i >= 0)
		names[i] = name;
	log_unlock();
	if (i < 0) {
		free(name);
		return OUT_OF_MEMORY("a source of messages");
	}
	*source = i + 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_unregister_source(int source)
{
	char *name = NULL;

	log_lock();
	if (source > 0 && source <= nr_names) {
		name = names[source - 1];
		names[source - 1] = NULL;
	}
	log_unlock();
	if (!name)
		return FAIL(INVALID_VALUE,
			    "no source of messages has the identifier %d",
			    source);
	free(name);
	return DOCA_SUCCESS;
}

bool log_find_source(int source, char *name)
{
	bool found;

	log_lock();
	found = source > 0 && source <= nr_names && names[source - 1];
	if (found)
		strcpy(name, names[source - 1]);
	log_unlock();
	return found;
}
