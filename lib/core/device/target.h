/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Targets: machines whose memory may be inspected. Each is described by a file NAME.json
 * in /etc/doca/targets.d, or in the folder that DOCA_TARGETS_DIR names, and is listed as a
 * representor (rep.h) of the device that the file names.
 *
 *	{ "vuid": "...", "device": "any" or "mlx5_0", "memory": M,
 *	  "regions": [{ "gpa": 0, "offset": 0, "length": 4096 }, ...], "qmp": "/run/vm.qmp" }
 *
 * where M is { "file": PATH, "format": "auto", "raw", "lime", "elf" or "kdump" },
 * { "memfd": { "pid": N, "fd": N } }, { "function": VUID } or { "kcore": true }. Regions,
 * format and QMP socket may be left out. What else is in a file makes it invalid.
 *
 * A file says which memory is read on whose behalf, so one that others could have written
 * is not taken: file and folder belong to root or to the caller, and no other user may write
 * to them.
 */
#ifndef DOCA_CORE_TARGET_H
#define DOCA_CORE_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_compat.h>
#include <doca_dev.h>

#define TARGETS_DIR "/etc/doca/targets.d"

enum {
	TARGET_MAX_REGIONS = 1024,
	TARGET_MAX_NAME = 128, /* bytes of NAME, with NUL */
};

/* Addresses and lengths are below it: more than any x86-64 has. */
#define TARGET_MAX_ADDRESS ((uint64_t)1 << 52)

enum target_memory {
	TARGET_FILE, /* path, format */
	TARGET_MEMFD, /* pid, fd: open in another process */
	TARGET_FUNCTION, /* function: what a peer offers, or "local" */
	TARGET_KCORE, /* this machine, by /proc/kcore, as "local" is */
};

enum target_format {
	TARGET_AUTO, /* by the beginning of the file, for images only */
	TARGET_RAW,
	TARGET_LIME,
	TARGET_ELF,
	TARGET_KDUMP,
	TARGET_FORMATS /* how many there are */
};

/* As target files name them. */
DOCA_STABLE extern const char *const doca_priv_target_formats[TARGET_FORMATS];

/* Guest physical addresses [gpa, gpa + length) are at the offset of the file. */
struct target_region {
	uint64_t gpa;
	uint64_t offset;
	uint64_t length;
};

struct target {
	unsigned int refs;
	char name[TARGET_MAX_NAME]; /* of its file, without .json */
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	char device[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	enum target_memory memory;
	enum target_format format;
	char *path;
	pid_t pid;
	int fd;
	char function[DOCA_DEVINFO_REP_VUID_SIZE];
	char *qmp; /* path of the socket, NULL if there is none */
	uint32_t nr_regions; /* 0: as the format says, or from address 0 on */
	struct target_region *regions; /* by address; they do not overlap */
};

/* The folder of target files. */
DOCA_STABLE const char *doca_priv_targets_dir(void);

/* By the names of their files. */
struct target_list {
	struct target **targets;
	uint32_t nr;
};

/*
 * All targets. A file that cannot be taken is left out, and a warning says which, and why.
 * -ENOMEM, -EMFILE or -ENFILE, logged.
 */
DOCA_STABLE int doca_priv_target_list(struct target_list *list);
DOCA_STABLE void doca_priv_target_list_free(struct target_list *list);

/* The first with a VUID, which the caller puts; NULL if there is none, logged. */
DOCA_STABLE struct target *doca_priv_target_find(const char *vuid);

/* A target never changes, and lives as long as it is used. Thread safe; NULL is none. */
DOCA_STABLE struct target *doca_priv_target_get(struct target *target);
DOCA_STABLE void doca_priv_target_put(struct target *target);

/*
 * What the @len bytes of the file at @path say. -EINVAL, after a warning that names file
 * and key, or -ENOMEM.
 */
int target_parse(const char *path, const char *text, size_t len,
		 struct target **target);

#endif /* DOCA_CORE_TARGET_H */
