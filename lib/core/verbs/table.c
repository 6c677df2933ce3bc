// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "table.h"

extern const struct verbs_table open_doca_verbs
	__attribute__((visibility("default")));

const struct verbs_table open_doca_verbs = {
	.release = OPEN_DOCA_VERSION,
	.load_drivers = verbs_table_load_drivers,
	.open_device = verbs_table_open_device,
	.query_port = verbs_table_query_port,
	.open_pd = verbs_table_open_pd,
	.close_pd = verbs_table_close_pd,
	.orphan_pd = verbs_table_orphan_pd,
	.reg_mr = verbs_table_reg_mr,
	.reg_dmabuf_mr = verbs_table_reg_dmabuf_mr,
	.dereg_mr = verbs_table_dereg_mr,
	.find = verbs_table_find,
	.get_addr = verbs_table_get_addr,
	.get_mac = verbs_table_get_mac,
};
