/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The kinds of objects that listings show. */
#ifndef DOCACTL_KIND_H
#define DOCACTL_KIND_H

#include "field.h"

struct kind {
	const char *name;
	int cmd; /* &enum doca_genl_cmd */
	const struct field *fields; /* the last one has no name */
};

extern const struct kind kind_device;
extern const struct kind kind_file;
extern const struct kind kind_memory;
extern const struct kind kind_mapping;
extern const struct kind kind_export;
extern const struct kind kind_worker;
extern const struct kind kind_queue;
extern const struct kind kind_dm;
extern const struct kind kind_engine;
extern const struct kind kind_pair;
extern const struct kind kind_representor;
extern const struct kind kind_comch;
extern const struct kind kind_connection;
extern const struct kind kind_user;

#endif /* DOCACTL_KIND_H */
