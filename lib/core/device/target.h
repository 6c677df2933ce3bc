/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Targets: machines whose memory may be inspected. A file NAME.json in /etc/doca/targets.d,
 * or in the folder DOCA_TARGETS_DIR, describes each of them. It is listed as a representor
 * (rep.h) of the device that the file names.
 *
 *   { "vuid": "...", "device": "any" or "mlx5_0", "memory": M,
 *     "regions": [{ "gpa": 0, "offset": 0, "length": 4096 }, ...], "qmp": "/run/vm.qmp" }
 *
 * where M is { "file": PATH, "format": "auto", "raw", "lime", "elf", "kdump" or "qevm" }, { "memfd":
 * { "pid": N, "fd": N } }, { "function": VUID } or { "kcore": true }. Regions, format and
 * QMP socket are optional. M may also be { "parts": [P, ...] }, where each P is { "file": PATH }
 * or { "memfd": ... }, and is raw; then there are regions, and each has "part": N, an index of
 * that array. Anything else makes a file invalid.
 *
 * A file decides which memory is read on whose behalf. So file and folder must belong to
 * root or to the caller, and no other user may be able to write to them.
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
	TARGET_MAX_PARTS = 256,
	TARGET_MAX_NAME = 128, /* bytes of NAME, with NUL */
};

/* Limit of addresses and lengths: 52 bits are all that x86-64 and arm64 have. */
#define TARGET_MAX_ADDRESS ((uint64_t)1 << 52)

enum target_memory {
	TARGET_FILE, /* path, format */
	TARGET_MEMFD, /* pid, fd: open in another process */
	TARGET_FUNCTION, /* function: offered by a peer, or "local" */
	TARGET_KCORE, /* this machine, by /proc/kcore, like "local" */
	TARGET_PARTS, /* parts: several files, as of a machine with NUMA nodes */
};

enum target_format {
	TARGET_AUTO, /* from the beginning of the file, for images only */
	TARGET_RAW,
	TARGET_LIME,
	TARGET_ELF,
	TARGET_KDUMP,
	TARGET_QEVM,
	TARGET_FORMATS /* number of formats */
};

/* Formats by their names in target files. */
DOCA_STABLE extern const char *const doca_priv_target_formats[TARGET_FORMATS];

/* The guest physical addresses [gpa, gpa + length) are at an offset of the file. */
struct target_region {
	uint64_t gpa;
	uint64_t offset;
	uint64_t length;
	uint32_t part; /* index; 0 if the memory has no parts */
};

/* A file, or a memfd that is open in another process. */
struct target_part {
	char *path; /* NULL: a memfd */
	pid_t pid;
	int fd;
};

struct target {
	unsigned int refs;
	char name[TARGET_MAX_NAME]; /* name of its file, without .json */
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	char device[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	enum target_memory memory;
	enum target_format format;
	struct target_part file; /* for TARGET_FILE and TARGET_MEMFD */
	uint32_t nr_parts;
	struct target_part *parts;
	char function[DOCA_DEVINFO_REP_VUID_SIZE];
	char *qmp; /* path of the socket; NULL: none */
	uint32_t nr_regions; /* 0: the format tells, or one from address 0 */
	struct target_region *regions; /* sorted by address, without overlaps */
};

/* The folder of target files. */
DOCA_STABLE const char *doca_priv_targets_dir(void);

/* Sorted by the names of their files. */
struct target_list {
	struct target **targets;
	uint32_t nr;
};

/*
 * List all targets. Warns about an invalid file, and leaves it out. Returns -ENOMEM,
 * -EMFILE or -ENFILE, or -ELIBACC if the plug-in that reads files cannot be loaded now; logged.
 */
DOCA_STABLE int doca_priv_target_list(struct target_list *list);
DOCA_STABLE void doca_priv_target_list_free(struct target_list *list);

/* Find the first target with a VUID; the caller puts it. Returns NULL, logged, if there is none. */
DOCA_STABLE struct target *doca_priv_target_find(const char *vuid);

/* A target never changes, and lives as long as it is used. Thread safe; NULL is allowed. */
DOCA_STABLE struct target *doca_priv_target_get(struct target *target);
DOCA_STABLE void doca_priv_target_put(struct target *target);

#endif /* DOCA_CORE_TARGET_H */
