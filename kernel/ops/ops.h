/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The rows of all operations, for op.c. */
#ifndef DOCA_OPS_H
#define DOCA_OPS_H

#include "op.h"

extern const struct doca_op_type doca_op_nop;
extern const struct doca_op_type doca_op_memcpy;
extern const struct doca_op_type doca_op_invalidate;
extern const struct doca_op_type doca_op_sync_get;
extern const struct doca_op_type doca_op_sync_set;
extern const struct doca_op_type doca_op_sync_add;
extern const struct doca_op_type doca_op_sync_wait_gt;
extern const struct doca_op_type doca_op_sync_wait_eq;
extern const struct doca_op_type doca_op_sync_wait_ne;
extern const struct doca_op_type doca_op_hash;
extern const struct doca_op_type doca_op_deflate;
extern const struct doca_op_type doca_op_inflate;
extern const struct doca_op_type doca_op_lz4;
extern const struct doca_op_type doca_op_gf_matrix;
extern const struct doca_op_type doca_op_gcm_encrypt;
extern const struct doca_op_type doca_op_gcm_decrypt;
extern const struct doca_op_type doca_op_msg_send;
extern const struct doca_op_type doca_op_post_recv;
extern const struct doca_op_type doca_op_send_to;
extern const struct doca_op_type doca_op_slow;

#endif
