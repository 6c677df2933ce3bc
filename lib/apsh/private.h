/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Functions for the tools and tests of Open DOCA that have no place in the public interface. */
#ifndef DOCA_APSH_PRIVATE_H
#define DOCA_APSH_PRIVATE_H

#include <doca_apsh.h>

#include "core/device/target.h"
#include "snapshot.h"
#include "view/view.h"

/*
 * Make a system for a target, without a device and a representor. It is destroyed like
 * any other; the target must outlive it. NULL if there is no memory.
 */
DOCA_STABLE struct doca_apsh_system *
doca_priv_apsh_system_of(const struct target *target);

/* Get the amounts that the last call has read; absent is 0 if it failed for another reason. */
DOCA_STABLE void doca_priv_apsh_stats(struct doca_apsh_system *system,
				      struct view_stats *stats);
/* Clear them before a call that may fail without reading. */
DOCA_STABLE void doca_priv_apsh_stats_clear(struct doca_apsh_system *system);

/*
 * Record all that is read of a started system from now on, and write it to a new file:
 * an ELF core that gives the same answers to the same calls. One thread at a time.
 * Errors are logged.
 */
DOCA_STABLE doca_error_t doca_priv_apsh_record(struct doca_apsh_system *system);
DOCA_STABLE doca_error_t
doca_priv_apsh_record_write(struct doca_apsh_system *system, const char *path);

/* Return true if it is only in the tree of PIDs, or only in the list of tasks. */
DOCA_STABLE bool doca_priv_apsh_hidden(const struct doca_apsh_process *process);

/* Return true if the list of modules and /sys/module do not both have it, and should. */
DOCA_STABLE bool
doca_priv_apsh_module_hidden(const struct doca_apsh_module *module);

/*
 * Get the modules, as doca_apsh_modules_get() does, and those that are nowhere but in the memory
 * of modules, all of which is read.
 */
DOCA_STABLE doca_error_t doca_priv_apsh_modules_scan(
	struct doca_apsh_system *system, struct doca_apsh_module ***modules,
	int *modules_size);

/* Return false if the target's kernel does not count the bytes that TCP has sent: before 4.19. */
DOCA_STABLE bool
doca_priv_apsh_counts_sent(const struct doca_apsh_netscan *connection);

/* A mount, as in /proc/PID/mountinfo. */
struct apsh_mount {
	struct object object;
	u64 order; /* their order there */
	u32 id, parent; /* the parent of the topmost one is itself */
	u32 major, minor; /* device of the super block */
	const char *root; /* the part of the file system that is mounted */
	const char *path;
	const char *options; /* those of the mount */
	const char *type, *device;
	const char *super_options; /* without those of the file system's own */
	bool reachable; /* false: the process has its root elsewhere, and does not see it */
};

/*
 * Get the mounts of the mount namespace of a process, by paths from its root. One that has ended
 * has none.
 */
DOCA_STABLE doca_error_t
doca_priv_apsh_mounts_get(struct doca_apsh_process *process,
			  struct apsh_mount ***mounts, int *mounts_size);
DOCA_STABLE void doca_priv_apsh_mounts_free(struct apsh_mount **mounts);

/* A message of the kernel's log. */
struct apsh_message {
	struct object object;
	u64 seq, ns; /* its number, and the time since the start */
	u32 level, facility;
	u32 len;
	const char *text; /* len bytes, which may be any, and a NUL */
	bool lost; /* the kernel has not the text, or not that of this message */
	bool absent; /* the text is not all in the image */
};

/* Get the messages, the oldest one first. Those that are being written are left out. */
DOCA_STABLE doca_error_t doca_priv_apsh_messages_get(
	struct doca_apsh_system *system, struct apsh_message ***messages,
	int *messages_size);
DOCA_STABLE void doca_priv_apsh_messages_free(struct apsh_message **messages);

enum apsh_verdict {
	APSH_SUSPICIOUS,
	APSH_CANNOT_TELL, /* something that would tell is missing */
	APSH_NOTE, /* no verdict, but what a check has not looked at */
};

/* A result of a check of the kernel; if there is none, all is as it should be. */
struct apsh_finding {
	struct object object;
	enum apsh_verdict verdict;
	const char *where; /* such as "sys_call_table[59]"; "": no place */
	u64 address; /* the place leads there; 0: nowhere */
	const char *what; /* for people, with whose memory the address is */
};

/* Check where system calls lead to: by the tables, and by the functions that have replaced them. */
DOCA_STABLE doca_error_t doca_priv_apsh_system_calls_check(
	struct doca_apsh_system *system, struct apsh_finding ***findings,
	int *findings_size);
/* Check where the gates of the interrupt table lead to. */
DOCA_STABLE doca_error_t doca_priv_apsh_interrupts_check(
	struct doca_apsh_system *system, struct apsh_finding ***findings,
	int *findings_size);
/* Check what ftrace and kprobes call, and what was written, where system calls begin. */
DOCA_STABLE doca_error_t
doca_priv_apsh_hooks_check(struct doca_apsh_system *system,
			   struct apsh_finding ***findings, int *findings_size);

/*
 * Read the image of the kernel, as "doca_apsh_map code" writes it, to its end, for the check of
 * code; or say why there is none, if lack is not NULL. One that is not sound is no error: the check
 * tells it.
 */
DOCA_STABLE doca_error_t doca_priv_apsh_code_set(
	struct doca_apsh_system *system, int fd, const char *lack);
/* Compare the kernel's code with its image. */
DOCA_STABLE doca_error_t
doca_priv_apsh_code_check(struct doca_apsh_system *system,
			  struct apsh_finding ***findings, int *findings_size);
DOCA_STABLE void doca_priv_apsh_findings_free(struct apsh_finding **findings);

#endif /* DOCA_APSH_PRIVATE_H */
