// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The privileges of a process; on Linux, its capabilities. */
#include "group.h"

LOG_SOURCE("APSH");

static const char *const names[] = {
	"CAP_CHOWN",
	"CAP_DAC_OVERRIDE",
	"CAP_DAC_READ_SEARCH",
	"CAP_FOWNER",
	"CAP_FSETID",
	"CAP_KILL",
	"CAP_SETGID",
	"CAP_SETUID",
	"CAP_SETPCAP",
	"CAP_LINUX_IMMUTABLE",
	"CAP_NET_BIND_SERVICE",
	"CAP_NET_BROADCAST",
	"CAP_NET_ADMIN",
	"CAP_NET_RAW",
	"CAP_IPC_LOCK",
	"CAP_IPC_OWNER",
	"CAP_SYS_MODULE",
	"CAP_SYS_RAWIO",
	"CAP_SYS_CHROOT",
	"CAP_SYS_PTRACE",
	"CAP_SYS_PACCT",
	"CAP_SYS_ADMIN",
	"CAP_SYS_BOOT",
	"CAP_SYS_NICE",
	"CAP_SYS_RESOURCE",
	"CAP_SYS_TIME",
	"CAP_SYS_TTY_CONFIG",
	"CAP_MKNOD",
	"CAP_LEASE",
	"CAP_AUDIT_WRITE",
	"CAP_AUDIT_CONTROL",
	"CAP_SETFCAP",
	"CAP_MAC_OVERRIDE",
	"CAP_MAC_ADMIN",
	"CAP_SYSLOG",
	"CAP_WAKE_ALARM",
	"CAP_BLOCK_SUSPEND",
	"CAP_AUDIT_READ",
	"CAP_PERFMON",
	"CAP_BPF",
	"CAP_CHECKPOINT_RESTORE",
};

struct doca_apsh_privilege {
	struct object object;
	u32 pid;
	const char *name;
	bool is_on;
};

static void fill(struct call *c)
{
	struct view *v = &c->view;
	u64 misses = v->misses;
	u64 cred = view_field(v, c->task, F_TASK_CRED), permitted, effective;

	if (!view_read_field(v, cred, F_CRED_PERMITTED, &permitted, 8) ||
	    !view_read_field(v, cred, F_CRED_EFFECTIVE, &effective, 8)) {
		if (!v->error)
			view_broken(v, misses, "the credentials of a process",
				    cred);
		return;
	}
	for (u32 i = 0; i < 64; i++) {
		struct doca_apsh_privilege *o;

		if (!(permitted >> i & 1))
			continue;
		o = snapshot_add(c->snap, sizeof(*o));
		if (!o)
			return;
		o->pid = c->process->pid;
		o->name = i < ARRAY_SIZE(names) ?
				  snapshot_string(c->snap, names[i]) :
				  snapshot_format(c->snap, "CAP_%u", i);
		o->is_on = effective >> i & 1;
	}
}

static const struct getter privileges_getter = {
	.what = "capabilities",
	.object = &apsh_privilege_object,
	.limit = -1,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_privileges_get, doca_apsh_privilege, privileges,
		   privileges_size, &privileges_getter)
DEFINE_FREE(doca_apsh_privileges_free, doca_apsh_privilege, privileges)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_PRIVILEGES_PID, doca_apsh_privilege, pid),
	ATTR(DOCA_APSH_PRIVILEGES_NAME, doca_apsh_privilege, name),
	ATTR(DOCA_APSH_PRIVILEGES_IS_ON, doca_apsh_privilege, is_on),
	ATTR_WINDOWS(DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT),
	ATTR_WINDOWS(DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED),
	ATTR_WINDOWS(DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT),
};

DEFINE_INFO_GET(__doca_apsh_privilege_info_get, doca_apsh_privilege,
		doca_apsh_privilege_attr, attrs, privilege)
