// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * sysfs shows a container all devices of the machine, also those whose nodes it does not have.
 *
 * A device that cannot be looked at is not one that was removed: only a file that is missing says
 * that. All other errors, like that of too many open files, are those of the list.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ibdevs.h"
#include "pci.h"

const char *ibdevs_nodes = "/dev/infiniband";

/* Read a line of a file in the folder of a class of devices. Return 0 or a negative errno. */
static int read_line(const char *class, const char *dev, const char *file,
		     char *line, int size)
{
	char path[PATH_MAX];
	int err = 0;
	FILE *f;

	line[0] = '\0';
	snprintf(path, sizeof(path), "%s/class/%s/%s/%s", pci_sysfs, class, dev,
		 file);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	if (!fgets(line, size, f) && ferror(f))
		err = -errno;
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
	return err;
}

/* Four groups of four digits. */
static int read_guid(const char *name, uint64_t *guid)
{
	unsigned int part[4];
	char line[32];
	int err =
		read_line("infiniband", name, "node_guid", line, sizeof(line));

	if (!err && sscanf(line, "%4x:%4x:%4x:%4x", &part[0], &part[1],
			   &part[2], &part[3]) == 4)
		*guid = (uint64_t)part[0] << 48 | (uint64_t)part[1] << 32 |
			(uint64_t)part[2] << 16 | part[3];
	return err;
}

static int count_ports(const char *name, uint32_t *n)
{
	char path[PATH_MAX];

	for (*n = 0;; ++*n) {
		snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/%u",
			 pci_sysfs, name, *n + 1);
		if (access(path, F_OK))
			return errno == ENOENT ? 0 : -errno;
	}
}

/* Many devices, and all in software, have no such file. */
static int read_numa_node(const char *name, int32_t *node)
{
	char line[16];
	int err = read_line("infiniband", name, "device/numa_node", line,
			    sizeof(line));

	*node = *line ? atoi(line) : -1;
	return err == -ENOENT ? 0 : err;
}

/* A device in software is on none. */
static void find_pci(const char *name, char *pci, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *last;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/class/infiniband/%s/device", pci_sysfs,
		 name);
	len = readlink(path, target, sizeof(target) - 1);
	target[len < 0 ? 0 : len] = '\0';
	last = strrchr(target, '/');
	if (last && pci_has_form(last + 1, PCI_ADDR_FORM))
		snprintf(pci, size, "%.12s", last + 1);
}

static bool may_open(const char *node)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", ibdevs_nodes, node);
	return !faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS);
}

/* sysfs never gives the number of a folder to one that is made later. */
static int identify(const char *node, ino_t *identity)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/class/infiniband_verbs/%s", pci_sysfs,
		 node);
	if (stat(path, &st))
		return -errno;
	*identity = st.st_ino;
	return 0;
}

static int describe(const char *node, struct ibdev *dev)
{
	struct doca_devinfo *info = &dev->info;
	char name[sizeof(info->name)];
	int err;

	*dev = (struct ibdev){ .info.type = DOCA_DEV_RDMA };
	err = identify(node, &dev->identity);
	if (!err)
		err = read_line("infiniband_verbs", node, "ibdev", info->name,
				sizeof(info->name));
	if (!err && !info->name[0])
		err = -ENOENT;
	if (!err)
		err = read_guid(info->name, &info->guid);
	if (!err)
		err = count_ports(info->name, &info->nr_ports);
	if (!err)
		err = read_numa_node(info->name, &info->numa_node);
	if (err)
		return err;
	find_pci(info->name, info->pci, sizeof(info->pci));
	dev->usable = may_open(node);
	err = read_line("infiniband_verbs", node, "ibdev", name, sizeof(name));
	return err ? err : strcmp(name, info->name) ? -ENOENT : 0;
}

/* A device that gets another name has lost its old one while it is looked at: look again. */
static int describe_named(const char *node, struct ibdev *dev)
{
	unsigned int tries = 3;
	ino_t identity = 0;
	int err;

	do
		err = describe(node, dev);
	while (err == -ENOENT && --tries && !identify(node, &identity) &&
	       identity == dev->identity);
	return err;
}

/* One that is removed while it is looked at is as good as gone. */
static int add(struct ibdevs *list, const char *node)
{
	struct ibdev dev, *more;
	int err = describe_named(node, &dev);

	if (err)
		return err == -ENOENT || err == -ENODEV ? 0 : err;
	more = reallocarray(list->devs, list->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	list->devs = more;
	list->devs[list->n++] = dev;
	return 0;
}

static int add_all(struct ibdevs *list, DIR *dir)
{
	struct dirent *entry;
	int err;

	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return -errno;
		if (strncmp(entry->d_name, "uverbs", 6))
			continue;
		err = add(list, entry->d_name);
		if (err)
			return err;
	}
}

/* Without a module for verbs there is no such class. */
static int open_class(DIR **dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/class/infiniband_verbs", pci_sysfs);
	*dir = opendir(path);
	if (*dir)
		return 0;
	if (errno != ENOENT)
		return -errno;
	snprintf(path, sizeof(path), "%s/class", pci_sysfs);
	return access(path, F_OK) ? -errno : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct ibdev *one = a, *other = b;

	return strcmp(one->info.name, other->info.name);
}

int ibdevs_list(struct ibdevs *list)
{
	DIR *dir;
	int err = open_class(&dir);

	*list = (struct ibdevs){ 0 };
	if (err || !dir)
		return err;
	err = add_all(list, dir);
	closedir(dir);
	if (err) {
		free(list->devs);
		*list = (struct ibdevs){ 0 };
	} else if (list->n) {
		qsort(list->devs, list->n, sizeof(*list->devs), by_name);
	}
	return err;
}
