/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_ERASURE_CODING_EC_H
#define DOCA_ERASURE_CODING_EC_H

#include <doca_erasure_coding.h>

#include "core/driver/driver.h"
#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

#undef OBJECT_TYPES
#define OBJECT_TYPES \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_ec_matrix, doca_ec_matrix_object)

enum {
	EC_CREATE,
	EC_RECOVER,
	EC_UPDATE,
	EC_GALOIS_MUL,
	EC_TASKS,
};

struct doca_ec {
	struct doca_ctx ctx;
	struct task_pool pools[EC_TASKS];
	uint32_t nr_matrices;
};

/* @coefficients are row by row; the driver has a copy of them. */
struct doca_ec_matrix {
	struct doca_ec *ec;
	struct driver_object object;
	uint32_t nr_inflight; /* tasks in flight that name it */
	uint32_t rows;
	uint32_t columns;
	uint8_t coefficients[];
};

extern const struct object_type doca_ec_object;
extern const struct object_type doca_ec_matrix_object;

extern const struct task_type ec_task_create;
extern const struct task_type ec_task_recover;
extern const struct task_type ec_task_update;
extern const struct task_type ec_task_galois_mul;

#endif /* DOCA_ERASURE_CODING_EC_H */
