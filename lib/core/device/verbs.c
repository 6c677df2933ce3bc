// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "core/verbs/table.h"
#include "verbs_load.h"

int verbs_query_port(const char *ibdev, struct verbs_port *port)
{
	const struct verbs_table *table;
	int state, err = verbs_load_all(&table);

	if (!err)
		err = verbs_enter(&state);
	if (err)
		return err;
	err = table->query_port(ibdev, port);
	verbs_leave(state);
	return err;
}
