// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "core/verbs/table.h"
#include "verbs_load.h"

int verbs_prepare(void)
{
	const struct verbs_table *table;

	return verbs_load_all(&table);
}

int verbs_prepare_domain(void)
{
	const struct verbs_table *table;

	return verbs_load(&table);
}

struct ibv_context *verbs_open_device(const char *ibdev)
{
	const struct verbs_table *table;
	struct ibv_context *ctx = NULL;
	int state, err = verbs_load_all(&table);

	if (!err)
		err = verbs_enter(&state);
	if (!err) {
		ctx = table->open_device(ibdev);
		err = ctx ? 0 : -errno;
		verbs_leave(state);
	}
	if (!ctx)
		errno = -err;
	return ctx;
}

int verbs_open_pd(const char *ibdev, struct ibv_pd **pd)
{
	const struct verbs_table *table;
	int state, err = verbs_load_all(&table);

	if (!err)
		err = verbs_enter(&state);
	if (err)
		return err;
	err = table->open_pd(ibdev, pd);
	verbs_leave(state);
	return err;
}

int verbs_close_pd(struct ibv_pd *pd)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->close_pd(pd);
}

void verbs_orphan_pd(struct ibv_pd *pd)
{
	const struct verbs_table *table;

	if (!verbs_load(&table))
		table->orphan_pd(pd);
}

/* The domain may be the program's own. */
int verbs_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access,
		 struct ibv_mr **mr)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->reg_mr(pd, addr, len, access, mr);
}

int verbs_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset, void *addr,
			size_t len, int access, struct ibv_mr **mr)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err :
		     table->reg_dmabuf_mr(pd, fd, offset, addr, len, access,
					  mr);
}

int verbs_dereg_mr(struct ibv_mr *mr)
{
	const struct verbs_table *table;
	int err = verbs_load(&table);

	return err ? err : table->dereg_mr(mr);
}
