// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The profile of software devices. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/driver/pci.h"
#include "core/driver/profile.h"
#include "settings.h"
#include "table.h"

LOG_SOURCE("COMMON::PROFILE");

/* A process reads one profile, once. */
static struct profile_content *profile;

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
	struct profile_device *device = into;

	return settings_name(place, value, device->ibdev,
			     sizeof(device->ibdev));
}

static int read_iface(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct profile_device *device = into;

	return settings_name(place, value, device->iface,
			     sizeof(device->iface));
}

static int read_pci(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	struct profile_device *device = into;
	int err = settings_name(place, value, device->pci, sizeof(device->pci));

	if (!err && !pci_has_form(device->pci, PCI_ADDR_FORM))
		err = SETTINGS_WRONG(place,
				     "is no address such as 0000:03:00.0");
	return err;
}

static bool is_same(const char *left, const char *right)
{
	return *left && !strcasecmp(left, right);
}

/* Refuse duplicates: a program that looks for one device would find another. */
static int check_unique(const struct settings_place *place,
			const struct profile_device *new)
{
	const struct profile_device *old;

	for (old = profile->devices; old < new; old++)
		if (is_same(new->ibdev, old->ibdev) ||
		    is_same(new->pci, old->pci) ||
		    is_same(new->iface, old->iface))
			return SETTINGS_WRONG(
				place, "has two elements with the same value");
	return 0;
}

static int read_array(const struct settings_place *place,
		      struct json_object *value, size_t min, size_t max,
		      int (*read)(const struct settings_place *place,
				  struct json_object *element))
{
	size_t n;
	int err = 0;

	if (!json_object_is_type(value, json_type_array))
		return SETTINGS_WRONG(place, "is no array");
	n = json_object_array_length(value);
	if (n < min || n > max)
		return SETTINGS_WRONG(place, "has %zu elements, not %zu to %zu",
				      n, min, max);
	for (size_t i = 0; i < n && !err; i++)
		err = read(place, json_object_array_get_idx(value, i));
	return err;
}

static int read_device(const struct settings_place *place,
		       struct json_object *value)
{
	static const struct settings_field fields[] = {
		{ "ibdev", false, read_ibdev },
		{ "pci", false, read_pci },
		{ "iface", false, read_iface },
	};
	struct profile_device *device = &profile->devices[profile->nr++];
	int err = SETTINGS_READ(place, value, fields, device);

	return err ? err : check_unique(place, device);
}

static int read_devices(const struct settings_place *place,
			struct json_object *value, void *into)
{
	(void)into;
	return read_array(place, value, 1, PROFILE_MAX_DEVICES, read_device);
}

/* Find a device by any of its names, which no other device may have. */
static int read_side(const struct settings_place *place,
		     struct json_object *value, uint32_t *side)
{
	const char *text;
	int err = settings_text(place, value, &text);

	if (err)
		return err;
	for (*side = 0; *side < profile->nr; ++*side) {
		const struct profile_device *device = &profile->devices[*side];

		if (is_same(device->ibdev, text) ||
		    is_same(device->pci, text) || is_same(device->iface, text))
			return 0;
	}
	return SETTINGS_WRONG(place, "is no device of the profile");
}

static int read_dpu(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	return read_side(place, value, &((struct profile_pair *)into)->dpu);
}

static int read_host(const struct settings_place *place,
		     struct json_object *value, void *into)
{
	return read_side(place, value, &((struct profile_pair *)into)->host);
}

static int read_users(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct profile_pair *pair = into;
	const char *text;
	int err = settings_text(place, value, &text);

	if (err)
		return err;
	pair->any_user = !strcmp(text, "any");
	if (!pair->any_user && strcmp(text, "same"))
		return SETTINGS_WRONG(place, "is neither any nor same");
	return 0;
}

/* The driver has these rules, too; checked here, the place in the file can be named. */
static int check_pair(const struct settings_place *place,
		      const struct profile_pair *new)
{
	const struct profile_pair *old;

	if (new->dpu == new->host)
		return SETTINGS_WRONG(place, "has a device on both sides");
	for (old = profile->pairs; old < new; old++)
		if (new->host == old->host || new->host == old->dpu ||
		    new->dpu == old->host)
			return SETTINGS_WRONG(
				place, "has the host's device of a pair in "
				       "another one");
	return 0;
}

static int read_pair(const struct settings_place *place,
		     struct json_object *value)
{
	static const struct settings_field fields[] = {
		{ "dpu", true, read_dpu },
		{ "host", true, read_host },
		{ "users", false, read_users },
	};
	struct profile_pair *pair = &profile->pairs[profile->nr_pairs++];
	int err = SETTINGS_READ(place, value, fields, pair);

	return err ? err : check_pair(place, pair);
}

static int read_pairs(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	(void)into;
	profile->nr_pairs = 0;
	return read_array(place, value, 0, PROFILE_MAX_PAIRS, read_pair);
}

int settings_read_profile(const char *path, const char *text, size_t len,
			  struct profile_content *to)
{
	static const struct settings_field fields[] = {
		{ "profile", true, read_version },
		{ "name", false, read_title },
		{ "devices", true, read_devices },
		{ "pairs", false, read_pairs },
	};
	const struct settings_place place = { path, "profile" };
	struct json_object *json;
	int err = settings_parse(path, text, len, &json);

	if (err)
		return err;
	profile = to;
	err = SETTINGS_READ(&place, json, fields, NULL);
	json_object_put(json);
	return err;
}
