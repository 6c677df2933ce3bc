// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Devices are those of level 3.0, remote devices its representors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::DEV);

/* The header defines the calls as macros; these are the functions. */
#undef doca_devinfo_list_create
#undef doca_devinfo_remote_list_create

#define PCI_ADDR_SIZE 13 /* "0000:03:00.0" */

/*
 * Make a list of pointers, NULL, and behind that the memory of its elements. Returns NULL
 * if out of memory.
 */
static void *make_list(const void *infos, uint32_t nr,
		       const struct object_type *type)
{
	const void **list = calloc(nr + 2, sizeof(*list));

	if (!list)
		return NULL;
	if (nr)
		memcpy(list, infos, nr * sizeof(*list));
	list[nr + 1] = infos;
	doca_priv_debug_add(list, type, (nr + 2) * sizeof(*list), 1);
	return list;
}

static void *made_of(void *list)
{
	void **at = list;

	while (*at)
		at++;
	return at[1];
}

static doca_error_t list_devices(struct doca_devinfo ***devinfo_list,
				 uint32_t *nb_devs)
{
	struct doca_devinfo **infos, **list;
	doca_error_t ret;

	ret = v3_devinfo_create_list(&infos, nb_devs);
	if (ret != DOCA_SUCCESS)
		return ret;
	list = make_list(infos, *nb_devs, &api13_devinfo_list_object);
	if (!list) {
		v3_devinfo_destroy_list(infos);
		return DOCA_ERROR_NO_MEMORY;
	}
	*devinfo_list = list;
	return DOCA_SUCCESS;
}

/* Programs call it by the macro's name. */
PUBLIC doca_error_t doca_devinfo_list_create_count(
	struct doca_devinfo ***devinfo_list, uint32_t *nb_devs)
{
	static const char func[] = "doca_devinfo_list_create";
	doca_error_t ret;
	uint32_t nr;

	if (!given_to(func, devinfo_list) || !given_to(func, nb_devs))
		return DOCA_ERROR_INVALID_VALUE;
	ret = list_devices(devinfo_list, &nr);
	if (ret == DOCA_SUCCESS)
		*nb_devs = nr;
	return ret;
}

PUBLIC doca_error_t doca_devinfo_list_create(struct doca_devinfo ***devinfo_list)
{
	uint32_t nr;

	if (!given(devinfo_list))
		return DOCA_ERROR_INVALID_VALUE;
	return list_devices(devinfo_list, &nr);
}

PUBLIC doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list)
{
	doca_error_t ret;

	if (!valid(devinfo_list))
		return DOCA_ERROR_INVALID_VALUE;
	ret = v3_devinfo_destroy_list(made_of(devinfo_list));
	doca_priv_debug_free(devinfo_list);
	return ret;
}

doca_error_t api13_devinfo_pci_addr(const struct doca_devinfo *devinfo,
				    struct doca_pci_bdf *bdf)
{
	unsigned int domain, bus, device, function;
	char addr[PCI_ADDR_SIZE];
	doca_error_t ret;

	ret = v3_devinfo_get_pci_addr_str(devinfo, addr);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (sscanf(addr, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
		return DOCA_ERROR_OPERATING_SYSTEM;
	bdf->bus = bus;
	bdf->device = device;
	bdf->function = function;
	return DOCA_SUCCESS;
}

static doca_error_t get_vuid(const struct doca_devinfo *devinfo, char *vuid)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE], addr[PCI_ADDR_SIZE];
	doca_error_t ret;

	ret = v3_devinfo_get_ibdev_name(devinfo, name, sizeof(name));
	if (ret != DOCA_SUCCESS)
		return ret;
	memset(vuid, 0, DOCA_DEVINFO_VUID_SIZE);
	if (v3_devinfo_get_pci_addr_str(devinfo, addr) == DOCA_SUCCESS)
		snprintf(vuid, DOCA_DEVINFO_VUID_SIZE, "%s@%s", name, addr);
	else
		snprintf(vuid, DOCA_DEVINFO_VUID_SIZE, "%s", name);
	return DOCA_SUCCESS;
}

static const uint32_t sizes[] = {
	[DOCA_DEVINFO_PROPERTY_VUID] = DOCA_DEVINFO_VUID_SIZE,
	[DOCA_DEVINFO_PROPERTY_PCI_ADDR] = sizeof(struct doca_pci_bdf),
	[DOCA_DEVINFO_PROPERTY_IPV4_ADDR] = DOCA_DEVINFO_IPV4_ADDR_SIZE,
	[DOCA_DEVINFO_PROPERTY_IPV6_ADDR] = DOCA_DEVINFO_IPV6_ADDR_SIZE,
	[DOCA_DEVINFO_PROPERTY_IFACE_NAME] = DOCA_DEVINFO_IFACE_NAME_SIZE,
	[DOCA_DEVINFO_PROPERTY_IBDEV_NAME] = DOCA_DEVINFO_IBDEV_NAME_SIZE,
};

PUBLIC doca_error_t doca_devinfo_property_get(
	const struct doca_devinfo *devinfo, enum doca_devinfo_property property,
	void *value, uint32_t size)
{
	if (!valid(devinfo) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	if ((unsigned int)property >= sizeof(sizes) / sizeof(sizes[0]) ||
	    size != sizes[property]) {
		DOCA_LOG_ERR("there is no property %u of devices that has %u "
			     "bytes",
			     property, size);
		return DOCA_ERROR_INVALID_VALUE;
	}
	switch (property) {
	case DOCA_DEVINFO_PROPERTY_VUID:
		return get_vuid(devinfo, value);
	case DOCA_DEVINFO_PROPERTY_PCI_ADDR:
		return api13_devinfo_pci_addr(devinfo, value);
	case DOCA_DEVINFO_PROPERTY_IPV4_ADDR:
		return v3_devinfo_get_ipv4_addr(devinfo, value, size);
	case DOCA_DEVINFO_PROPERTY_IPV6_ADDR:
		return v3_devinfo_get_ipv6_addr(devinfo, value, size);
	case DOCA_DEVINFO_PROPERTY_IFACE_NAME:
		return v3_devinfo_get_iface_name(devinfo, value, size);
	default:
		return v3_devinfo_get_ibdev_name(devinfo, value, size);
	}
}

PUBLIC doca_error_t doca_dev_open(struct doca_devinfo *devinfo,
				  struct doca_dev **dev)
{
	return v3_dev_open(devinfo, dev);
}

PUBLIC doca_error_t doca_dev_close(struct doca_dev *dev)
{
	return valid(dev) ? v3_dev_close(dev) : DOCA_ERROR_INVALID_VALUE;
}

PUBLIC doca_error_t doca_dev_as_devinfo(struct doca_dev *dev,
					struct doca_devinfo **devinfo)
{
	struct doca_devinfo *info = v3_dev_as_devinfo(dev);

	if (!given(info) || !given(devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	*devinfo = info;
	return DOCA_SUCCESS;
}

doca_error_t api13_dev_check(struct doca_dev *dev)
{
	doca_error_t ret = v3_dev_open(v3_dev_as_devinfo(dev), &dev);

	return ret == DOCA_SUCCESS ? v3_dev_close(dev) : ret;
}

doca_error_t api13_devs_hold(struct doca_dev *const *devs, uint32_t nr,
			     struct v3_mmap **holder)
{
	struct v3_mmap *new;
	doca_error_t ret;
	uint32_t i;

	ret = v3_mmap_create(&new);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = v3_mmap_set_max_num_devices(new, nr ? nr : 1);
	for (i = 0; i < nr; i++)
		DOCA_ERROR_PROPAGATE(ret, v3_mmap_add_dev(new, devs[i]));
	if (ret == DOCA_SUCCESS)
		*holder = new;
	else
		v3_mmap_destroy(new);
	return ret;
}

static doca_error_t list_remotes(struct doca_dev *dev,
				 enum doca_dev_remote_filter filter,
				 struct doca_devinfo_remote ***remotes,
				 uint32_t *nb_devs)
{
	struct doca_devinfo_remote **list;
	struct v3_devinfo_rep **reps;
	doca_error_t ret;

	ret = v3_devinfo_rep_create_list(dev, filter, &reps, nb_devs);
	if (ret != DOCA_SUCCESS)
		return ret;
	list = make_list(reps, *nb_devs, &api13_remote_list_object);
	if (!list) {
		v3_devinfo_rep_destroy_list(reps);
		return DOCA_ERROR_NO_MEMORY;
	}
	*remotes = list;
	return DOCA_SUCCESS;
}

/* Programs call it by the macro's name. */
PUBLIC doca_error_t doca_devinfo_remote_list_create_filtered(
	struct doca_dev *dev, enum doca_dev_remote_filter filter,
	struct doca_devinfo_remote ***devinfo_remote_list, uint32_t *nb_devs)
{
	static const char func[] = "doca_devinfo_remote_list_create";
	doca_error_t ret;
	uint32_t nr;

	if (!valid_to(func, dev) || !given_to(func, devinfo_remote_list) ||
	    !given_to(func, nb_devs))
		return DOCA_ERROR_INVALID_VALUE;
	if (filter &
	    ~(DOCA_DEV_REMOTE_FILTER_NET | DOCA_DEV_REMOTE_FILTER_EMULATED)) {
		DOCA_LOG_ERR("there is no such filter of remote devices: %#x",
			     filter);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = list_remotes(dev, filter, devinfo_remote_list, &nr);
	if (ret == DOCA_SUCCESS)
		*nb_devs = nr;
	return ret;
}

PUBLIC doca_error_t doca_devinfo_remote_list_create(
	struct doca_dev *dev, struct doca_devinfo_remote ***devinfo_remote_list)
{
	uint32_t nr;

	if (!valid(dev) || !given(devinfo_remote_list))
		return DOCA_ERROR_INVALID_VALUE;
	return list_remotes(dev, DOCA_DEV_REMOTE_FILTER_ALL,
			    devinfo_remote_list, &nr);
}

PUBLIC doca_error_t doca_devinfo_remote_list_destroy(
	struct doca_devinfo_remote **devinfo_remote_list)
{
	doca_error_t ret;

	if (!valid(devinfo_remote_list))
		return DOCA_ERROR_INVALID_VALUE;
	ret = v3_devinfo_rep_destroy_list(made_of(devinfo_remote_list));
	doca_priv_debug_free(devinfo_remote_list);
	return ret;
}

PUBLIC doca_error_t doca_devinfo_remote_property_get(
	const struct doca_devinfo_remote *devinfo_remote,
	enum doca_devinfo_remote_property property, void *value, uint32_t size)
{
	if (!valid(devinfo_remote) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	if (property != DOCA_DEVINFO_REMOTE_PROPERTY_VUID ||
	    size != DOCA_DEVINFO_REMOTE_VUID_SIZE) {
		DOCA_LOG_ERR("there is no property %u of remote devices that "
			     "has %u bytes",
			     property, size);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return v3_devinfo_rep_get_vuid((const void *)devinfo_remote, value,
				       size);
}

PUBLIC doca_error_t
doca_dev_remote_open(struct doca_devinfo_remote *devinfo_remote,
		     struct doca_dev_remote **dev_remote)
{
	struct v3_dev_rep *rep;
	doca_error_t ret;

	if (!valid(devinfo_remote) || !given(dev_remote))
		return DOCA_ERROR_INVALID_VALUE;
	ret = v3_dev_rep_open((void *)devinfo_remote, &rep);
	if (ret == DOCA_SUCCESS)
		*dev_remote = (struct doca_dev_remote *)rep;
	return ret;
}

PUBLIC doca_error_t doca_dev_remote_close(struct doca_dev_remote *dev_remote)
{
	if (!valid(dev_remote))
		return DOCA_ERROR_INVALID_VALUE;
	return v3_dev_rep_close((void *)dev_remote);
}

PUBLIC doca_error_t
doca_dev_remote_as_devinfo(struct doca_dev_remote *dev_remote,
			   struct doca_devinfo_remote **devinfo_remote)
{
	struct v3_devinfo_rep *info;

	if (!valid(dev_remote) || !given(devinfo_remote))
		return DOCA_ERROR_INVALID_VALUE;
	info = v3_dev_rep_as_devinfo((void *)dev_remote);
	if (!info)
		return DOCA_ERROR_INVALID_VALUE;
	*devinfo_remote = (struct doca_devinfo_remote *)info;
	return DOCA_SUCCESS;
}
