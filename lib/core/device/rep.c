// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Representors. Each list asks anew for the representors of a device, and addresses and
 * interfaces are looked up whenever a program asks; no device has representors of
 * emulated functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alias.h"
#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/driver/driver.h"
#include "core/driver/function.h"
#include "core/objects.h"
#include "dev.h"
#include "iface.h"
#include "rep.h"
#include "target.h"

LOG_SOURCE("COMMON::DEV");

#define ALL_FILTERS \
	(DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)

/* Representors found so far while a list is made, and the devices that exist meanwhile. */
struct reps {
	struct doca_devinfo_rep *infos;
	uint32_t nr;
	struct doca_devinfo *devices;
	uint32_t nr_devices;
};

doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_all_supported)
{
	if (!valid(devinfo) || !given(filter_all_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_all_supported = 1;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_net_supported)
{
	if (!valid(devinfo) || !given(filter_net_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_net_supported = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
	const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
	if (!valid(devinfo) || !given(filter_emulated_supported))
		return DOCA_ERROR_INVALID_VALUE;
	*filter_emulated_supported = 0;
	return DOCA_SUCCESS;
}

static bool is_listed(const struct reps *reps, const char *vuid)
{
	for (uint32_t i = 0; i < reps->nr; i++)
		if (!strcmp(reps->infos[i].vuid, vuid))
			return true;
	return false;
}

/* Make room for @n more. */
static int make_room(struct reps *reps, uint32_t n)
{
	struct doca_devinfo_rep *infos;

	infos = reallocarray(reps->infos, (size_t)reps->nr + n + 1,
			     sizeof(*infos));
	if (!infos) {
		LOG_ERR("out of memory for representors");
		return -ENOMEM;
	}
	reps->infos = infos;
	return 0;
}

/* Return the device as listed; NULL if it is not listed here, or not any more. */
static const struct doca_devinfo *find_device(const struct reps *reps,
					      uint32_t id)
{
	for (uint32_t i = 0; i < reps->nr_devices; i++)
		if (reps->devices[i].id == id)
			return &reps->devices[i];
	return NULL;
}

static void add_function(struct reps *reps,
			 const struct driver_function *function)
{
	const struct doca_devinfo *host = find_device(reps, function->host);
	struct doca_devinfo_rep *info = &reps->infos[reps->nr];

	if (!host)
		return;
	*info = (struct doca_devinfo_rep){
		.function = function->id,
		.host = *host,
	};
	strcpy(info->vuid, function->vuid);
	reps->nr++;
}

static int add_functions(struct reps *reps, const struct doca_devinfo *devinfo)
{
	struct driver_function *functions;
	uint32_t nr;
	int err;

	err = driver_list_functions(&functions, &nr);
	if (err) {
		LOG_ERR("cannot list the pairs of %s: %s", devinfo->name,
			errno_text(err));
		return err;
	}
	err = make_room(reps, nr);
	for (uint32_t i = 0; !err && i < nr; i++)
		if (functions[i].dpu == devinfo->id)
			add_function(reps, &functions[i]);
	free(functions);
	return err;
}

/* The target may name any of the device's names; the list has an entry for each. */
static bool is_beside(const struct target *target,
		      const struct doca_devinfo *devinfo,
		      const struct reps *reps)
{
	if (!strcmp(target->device, "any") ||
	    !strcmp(target->device, devinfo->name))
		return true;
	for (uint32_t i = 0; i < reps->nr_devices; i++)
		if (reps->devices[i].id == devinfo->id &&
		    !strcmp(reps->devices[i].name, target->device))
			return true;
	return false;
}

static void add_target(struct reps *reps, struct target *target)
{
	struct doca_devinfo_rep *info = &reps->infos[reps->nr];

	if (is_listed(reps, target->vuid)) {
		LOG_WARN("target %s is left out: there is another "
			 "representor with its VUID, %s",
			 target->name, target->vuid);
		return;
	}
	*info = (struct doca_devinfo_rep){ 0 };
	strcpy(info->vuid, target->vuid);
	info->target = doca_priv_target_get(target);
	reps->nr++;
}

static int add_targets(struct reps *reps, const struct doca_devinfo *devinfo,
		       const struct target_list *list)
{
	int err = make_room(reps, list->nr);

	for (uint32_t i = 0; !err && i < list->nr; i++)
		if (is_beside(list->targets[i], devinfo, reps))
			add_target(reps, list->targets[i]);
	return err;
}

static void put_reps(struct doca_devinfo_rep *infos, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		doca_priv_target_put(infos[i].target);
}

/* Allocate one block, pointers first. NULL ends them, and so gives the length. */
static struct doca_devinfo_rep **make_list(const struct reps *reps)
{
	struct doca_devinfo_rep **list, *copy;

	list = malloc((reps->nr + 1) * sizeof(*list) +
		      reps->nr * sizeof(*copy));
	if (!list)
		return NULL;
	copy = (struct doca_devinfo_rep *)(list + reps->nr + 1);
	for (uint32_t i = 0; i < reps->nr; i++) {
		copy[i] = reps->infos[i];
		list[i] = &copy[i];
	}
	list[reps->nr] = NULL;
	doca_priv_debug_add(list, &doca_priv_devinfo_rep_list_object,
			    (reps->nr + 1) * sizeof(*list), 1);
	if (reps->nr)
		doca_priv_debug_add(copy, &doca_priv_devinfo_rep_object,
				    sizeof(*copy), reps->nr);
	return list;
}

/* List functions, then targets. Return a negative errno, logged. */
static int find_reps(const struct doca_devinfo *devinfo, struct reps *reps)
{
	struct target_list targets;
	int err;

	err = doca_priv_target_list(&targets);
	if (err)
		return err;
	err = alias_list_devices(&reps->devices, &reps->nr_devices);
	if (err) {
		LOG_ERR("cannot list the devices beside %s: %s", devinfo->name,
			errno_text(err));
		goto out_targets;
	}
	err = add_functions(reps, devinfo);
	if (!err)
		err = add_targets(reps, devinfo, &targets);
	free(reps->devices);
out_targets:
	doca_priv_target_list_free(&targets);
	return err;
}

doca_error_t
doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
			     struct doca_devinfo_rep ***dev_list_rep,
			     uint32_t *nb_devs_rep)
{
	struct doca_devinfo_rep **list = NULL;
	struct reps reps = { 0 };
	int err;

	if (!valid(dev) || refused(filter & ~ALL_FILTERS) ||
	    !given(dev_list_rep) || !given(nb_devs_rep))
		return DOCA_ERROR_INVALID_VALUE;
	if (dev_has_driver(dev) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (filter & DOCA_DEVINFO_REP_FILTER_EMULATED)
		return FAIL(NOT_SUPPORTED,
			    "%s has no emulated functions; ask with "
			    "doca_devinfo_rep_cap_is_filter_emulated_"
			    "supported() first",
			    dev->info.name);
	err = find_reps(&dev->info, &reps);
	if (!err) {
		list = make_list(&reps);
		if (!list) {
			LOG_ERR("out of memory for the list of representors");
			err = -ENOMEM;
		}
	}
	if (err)
		put_reps(reps.infos, reps.nr);
	free(reps.infos);
	if (err)
		return err == -ENOMEM ? DOCA_ERROR_NO_MEMORY :
					DOCA_ERROR_OPERATING_SYSTEM;
	*dev_list_rep = list;
	*nb_devs_rep = reps.nr;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	struct doca_devinfo_rep **rep;

	if (!valid(dev_list_rep))
		return DOCA_ERROR_INVALID_VALUE;
	for (rep = dev_list_rep; *rep; rep++)
		doca_priv_target_put((*rep)->target);
	if (*dev_list_rep)
		doca_priv_debug_del(*dev_list_rep);
	doca_priv_debug_free(dev_list_rep);
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
			       struct doca_dev_rep **dev_rep)
{
	struct doca_dev_rep *rep;

	if (!valid(devinfo) || !given(dev_rep))
		return DOCA_ERROR_INVALID_VALUE;
	rep = malloc(sizeof(*rep));
	if (!rep)
		return OUT_OF_MEMORY("a representor");
	rep->info = *devinfo;
	doca_priv_target_get(rep->info.target);
	doca_priv_debug_add(rep, &doca_priv_dev_rep_object, sizeof(*rep), 1);
	*dev_rep = rep;
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	if (!valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	doca_priv_target_put(dev->info.target);
	doca_priv_debug_free(dev);
	return DOCA_SUCCESS;
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
	return valid(dev_rep) ? &dev_rep->info : NULL;
}

doca_error_t
doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
			  char *rep_vuid, uint32_t size)
{
	if (!valid(devinfo_rep) || !given(rep_vuid) ||
	    refused(size < DOCA_DEVINFO_REP_VUID_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	strcpy(rep_vuid, devinfo_rep->vuid);
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
				  char *pci_addr_str)
{
	if (!valid(devinfo_rep) || !given(pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	if (!devinfo_rep->function ||
	    iface_find_pci(&devinfo_rep->host, pci_addr_str))
		*pci_addr_str = '\0';
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
				   const char *pci_addr_str, uint8_t *is_equal)
{
	if (!valid(devinfo_rep) || !given(pci_addr_str) || !given(is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	return iface_is_at(devinfo_rep->function ? &devinfo_rep->host : NULL,
			   pci_addr_str, is_equal);
}

doca_error_t
doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
				   enum doca_pci_func_type *pci_func_type)
{
	if (!valid(devinfo_rep) || !given(pci_func_type))
		return DOCA_ERROR_INVALID_VALUE;
	*pci_func_type = DOCA_PCI_FUNC_TYPE_PF;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
				uint8_t *is_hotplug)
{
	if (!valid(devinfo_rep) || !given(is_hotplug))
		return DOCA_ERROR_INVALID_VALUE;
	*is_hotplug = 0;
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
				char *iface_name, uint32_t size)
{
	if (!valid(devinfo_rep) || !given(iface_name) ||
	    refused(size < DOCA_DEVINFO_IFACE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	if (!devinfo_rep->function ||
	    iface_get_name(&devinfo_rep->host, iface_name, size))
		return ANSWER(NOT_SUPPORTED, "%s has no network interface here",
			      devinfo_rep->vuid);
	return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
			     uint16_t *vhca_id)
{
	if (!valid(devinfo_rep) || !given(vhca_id))
		return DOCA_ERROR_INVALID_VALUE;
	return ANSWER(NOT_SUPPORTED, "%s has no VHCA", devinfo_rep->vuid);
}
