// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The types of the library's objects, as debug mode knows them. */
#include "ec.h"

CTX_OBJECT_TYPE(doca_ec);

const struct object_type doca_ec_matrix_object = { .name = "doca_ec_matrix" };
