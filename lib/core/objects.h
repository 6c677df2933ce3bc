/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The types of the core library's objects, for debug mode. A library with more of its own
 * adds them, in a header of its own:
 *
 *	#undef OBJECT_TYPES
 *	#define OBJECT_TYPES CORE_OBJECT_TYPES, OBJECT_TYPE(doca_sha_key, sha_key_object)
 */
#ifndef DOCA_CORE_OBJECTS_H
#define DOCA_CORE_OBJECTS_H

#include "core/base/args.h"

DOCA_STABLE extern const struct object_type doca_priv_buf_object;
DOCA_STABLE extern const struct object_type doca_priv_buf_arr_object;
DOCA_STABLE extern const struct object_type doca_priv_buf_inventory_object;
DOCA_STABLE extern const struct object_type doca_priv_buf_pool_object;
DOCA_STABLE extern const struct object_type doca_priv_ctx_object;
DOCA_STABLE extern const struct object_type doca_priv_dev_object;
DOCA_STABLE extern const struct object_type doca_priv_dev_rep_object;
DOCA_STABLE extern const struct object_type doca_priv_devinfo_object;
DOCA_STABLE extern const struct object_type doca_priv_devinfo_list_object;
DOCA_STABLE extern const struct object_type doca_priv_devinfo_rep_object;
DOCA_STABLE extern const struct object_type doca_priv_devinfo_rep_list_object;
DOCA_STABLE extern const struct object_type doca_priv_graph_object;
DOCA_STABLE extern const struct object_type doca_priv_graph_instance_object;
DOCA_STABLE extern const struct object_type doca_priv_graph_node_object;
DOCA_STABLE extern const struct object_type doca_priv_mmap_object;
DOCA_STABLE extern const struct object_type doca_priv_pe_object;
DOCA_STABLE extern const struct object_type doca_priv_task_object;
DOCA_STABLE extern const struct object_type doca_priv_task_batch_object;

/* Contexts may also be taken for a struct doca_ctx; see library.h. */
extern const struct object_type doca_mmap_advise_object;
extern const struct object_type doca_sync_event_object;

#define CORE_OBJECT_TYPES                                                      \
	OBJECT_TYPE(doca_buf, doca_priv_buf_object),                           \
		OBJECT_TYPE(doca_buf_arr, doca_priv_buf_arr_object),           \
		OBJECT_TYPE(doca_buf_inventory,                                \
			    doca_priv_buf_inventory_object),                   \
		OBJECT_TYPE(doca_buf_pool, doca_priv_buf_pool_object),         \
		OBJECT_TYPE(doca_ctx, doca_priv_ctx_object),                   \
		OBJECT_TYPE(doca_dev, doca_priv_dev_object),                   \
		OBJECT_TYPE(doca_dev_rep, doca_priv_dev_rep_object),           \
		OBJECT_TYPE(doca_devinfo, doca_priv_devinfo_object),           \
		OBJECT_LIST_TYPE(doca_devinfo, doca_priv_devinfo_list_object), \
		OBJECT_TYPE(doca_devinfo_rep, doca_priv_devinfo_rep_object),   \
		OBJECT_LIST_TYPE(doca_devinfo_rep,                             \
				 doca_priv_devinfo_rep_list_object),           \
		OBJECT_TYPE(doca_graph, doca_priv_graph_object),               \
		OBJECT_TYPE(doca_graph_instance,                               \
			    doca_priv_graph_instance_object),                  \
		OBJECT_TYPE(doca_graph_node, doca_priv_graph_node_object),     \
		OBJECT_TYPE(doca_mmap, doca_priv_mmap_object),                 \
		OBJECT_TYPE(doca_pe, doca_priv_pe_object),                     \
		OBJECT_TYPE(doca_task, doca_priv_task_object),                 \
		OBJECT_TYPE(doca_task_batch, doca_priv_task_batch_object)

#define OBJECT_TYPES CORE_OBJECT_TYPES

#endif /* DOCA_CORE_OBJECTS_H */
