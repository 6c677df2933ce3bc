// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "alias.h"
#include "core/base/log.h"
#include "core/driver/driver.h"
#include "dev.h"
#include "names.h"
#include "target.h"

static const struct doca_devinfo *
first_software(const struct doca_devinfo *infos, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (infos[i].type == DOCA_DEV_SOFTWARE)
			return &infos[i];
	return NULL;
}

static bool has_name(const struct doca_devinfo *infos, uint32_t n,
		     const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(infos[i].name, name))
			return true;
	return false;
}

/* The caller has made room. */
static void add(struct doca_devinfo *infos, uint32_t *n, const char *name)
{
	const struct doca_devinfo *software = first_software(infos, *n);

	if (!software || !strcmp(name, "any") || has_name(infos, *n, name))
		return;
	infos[*n] = *software;
	strcpy(infos[*n].name, name);
	++*n;
}

static int add_all(struct doca_devinfo **infos, uint32_t *n)
{
	struct doca_devinfo *more;
	struct target_list list;
	int err;

	/* Listing representors logs errors in these files already. */
	log_hush(true);
	err = doca_priv_target_list(&list);
	log_hush(false);
	if (err)
		return err;
	more = reallocarray(*infos, (size_t)*n + list.nr + 1, sizeof(*more));
	if (more)
		*infos = more;
	for (uint32_t i = 0; more && i < list.nr; i++)
		add(more, n, list.targets[i]->device);
	doca_priv_target_list_free(&list);
	return more ? 0 : -ENOMEM;
}

int alias_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	int err;

	err = driver_list_devices(infos, n);
	if (err)
		return err;
	names_apply(*infos, *n);
	err = add_all(infos, n);
	if (err)
		free(*infos);
	return err;
}
