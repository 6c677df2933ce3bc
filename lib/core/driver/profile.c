// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/settings.h"
#include "devinfo.h"
#include "pci.h"
#include "profile.h"

LOG_SOURCE("COMMON::PROFILE");

/* What is empty is not given. */
struct entry {
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char iface[sizeof(((struct doca_devinfo *)0)->iface)];
};

static struct {
	pthread_once_t once;
	int err;
	uint32_t nr;
	struct entry entries[PROFILE_MAX_DEVICES];
	bool told; /* that some of it could not be used */
} profile = { .once = PTHREAD_ONCE_INIT };

/* The one that is read is the last one. */
static struct entry *entry(void)
{
	return &profile.entries[profile.nr - 1];
}

static int read_version(const struct settings_place *place,
			struct json_object *value, void *into)
{
	uint64_t version = 0;
	int err = settings_number(place, value, INT32_MAX, &version);

	(void)into;
	if (!err && version != 1)
		err = SETTINGS_WRONG(place, "is %llu; this library knows 1",
				     (unsigned long long)version);
	return err;
}

static int read_title(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	const char *text;

	(void)into;
	return settings_text(place, value, &text);
}

static int read_ibdev(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	(void)into;
	return settings_name(place, value, entry()->ibdev,
			     sizeof(entry()->ibdev));
}

static int read_iface(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	(void)into;
	return settings_name(place, value, entry()->iface,
			     sizeof(entry()->iface));
}

static int read_pci(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	int err =
		settings_name(place, value, entry()->pci, sizeof(entry()->pci));

	(void)into;
	if (!err && !pci_has_form(entry()->pci, PCI_ADDR_FORM))
		err = SETTINGS_WRONG(place,
				     "is no address such as 0000:03:00.0");
	return err;
}

static bool is_same(const char *left, const char *right)
{
	return *left && !strcasecmp(left, right);
}

/* Programs look for one of these, and would find the wrong one. */
static int check_unique(const struct settings_place *place)
{
	const struct entry *new = entry(), *old;

	for (old = profile.entries; old < new; old++)
		if (is_same(new->ibdev, old->ibdev) ||
		    is_same(new->pci, old->pci) ||
		    is_same(new->iface, old->iface))
			return SETTINGS_WRONG(
				place, "has two elements with the same value");
	return 0;
}

static int read_devices(const struct settings_place *place,
			struct json_object *value, void *into)
{
	static const struct settings_field fields[] = {
		{ "ibdev", false, read_ibdev },
		{ "pci", false, read_pci },
		{ "iface", false, read_iface },
	};
	size_t n;
	int err;

	(void)into;
	if (!json_object_is_type(value, json_type_array))
		return SETTINGS_WRONG(place, "is no array");
	n = json_object_array_length(value);
	if (!n || n > PROFILE_MAX_DEVICES)
		return SETTINGS_WRONG(place, "has %zu elements, not 1 to %d", n,
				      PROFILE_MAX_DEVICES);
	for (size_t i = 0; i < n; i++) {
		profile.nr++;
		err = SETTINGS_READ(place, json_object_array_get_idx(value, i),
				    fields, NULL);
		if (!err)
			err = check_unique(place);
		if (err)
			return err;
	}
	return 0;
}

static int read_profile(const char *path, const char *text, size_t len)
{
	static const struct settings_field fields[] = {
		{ "profile", true, read_version },
		{ "name", false, read_title },
		{ "devices", true, read_devices },
	};
	const struct settings_place place = { path, "profile" };
	struct json_object *json;
	int err = settings_parse(path, text, len, &json);

	if (err)
		return err;
	err = SETTINGS_READ(&place, json, fields, NULL);
	json_object_put(json);
	return err;
}

static int read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *text;
	size_t len;
	int err;

	if (fd < 0)
		return -errno;
	err = settings_load(path, fd, &text, &len);
	close(fd);
	if (err)
		return err;
	err = read_profile(path, text, len);
	free(text);
	return err;
}

/* Refuse names without a folder: they are reserved for installed profiles. */
static void load(void)
{
	const char *path = secure_getenv("DOCA_PROFILE");
	int err;

	if (!path || !*path)
		return;
	if (!strchr(path, '/')) {
		LOG_ERR("DOCA_PROFILE=%s is no path: write ./%s for a file "
			"that is here",
			path, path);
		profile.err = -PROFILE_ERROR;
		return;
	}
	err = read_file(path);
	if (!err) {
		LOG_INFO("devices are named by %s", path);
		return;
	}
	if (err == -EINVAL)
		LOG_ERR("DOCA_PROFILE=%s cannot be used: the warning before "
			"says what is wrong",
			path);
	else
		LOG_ERR("DOCA_PROFILE=%s cannot be read: %s", path,
			errno_text(err));
	profile.nr = 0;
	profile.err = err == -ENOMEM ? err : -PROFILE_ERROR;
}

int profile_load(void)
{
	pthread_once(&profile.once, load);
	return profile.err;
}

uint32_t profile_nr_devices(void)
{
	return profile.nr;
}

/* Once, for lists are made often. */
static bool is_first(void)
{
	return !__atomic_exchange_n(&profile.told, true, __ATOMIC_RELAXED);
}

/* Also one that is not listed, as the driver in the process lists none. */
static bool is_taken(const struct doca_devinfo *infos, uint32_t n,
		     const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (infos[i].type == DOCA_DEV_RDMA &&
		    is_same(name, infos[i].name))
			return true;
	return *name && pci_has_ibdev(name);
}

static void name_device(struct doca_devinfo *info, const struct entry *entry)
{
	if (*entry->ibdev)
		strcpy(info->name, entry->ibdev);
	if (*entry->pci)
		strcpy(info->pci, entry->pci);
	if (*entry->iface) {
		strcpy(info->iface, entry->iface);
		info->iface_made_up = false;
	}
}

void profile_apply(struct doca_devinfo *infos, uint32_t n)
{
	uint32_t i, used = 0;

	for (i = 0; i < n && used < profile.nr; i++) {
		struct entry entry;

		if (infos[i].type != DOCA_DEV_SOFTWARE)
			continue;
		entry = profile.entries[used++];
		if (is_taken(infos, n, entry.ibdev) ||
		    (*entry.pci && pci_has_device(entry.pci))) {
			if (is_first())
				LOG_WARN("the machine has a device %s or %s of "
					 "its own, which a profile cannot name",
					 entry.ibdev, entry.pci);
			continue;
		}
		name_device(&infos[i], &entry);
	}
	if (used < profile.nr && is_first())
		LOG_WARN("the profile names %u devices, and there are %u "
			 "software devices: the others are left out",
			 profile.nr, used);
}
