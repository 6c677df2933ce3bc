// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: names of control groups that are containers. */
#include "apsh_stage.h"
#include "apsh_watch.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "0a1b2c3d-0000-1111-2222-333344445555"

static struct doca_apsh_container **list;
static int nr;

/* Make the group of a path, "/a/b", and the groups above it. */
static u64 new_group(const char *path)
{
	u64 group = object(64, 64), kn = object(64, 64);
	char names[512], *save, *name;

	set(kn, F_KN_NAME, string(""));
	snprintf(names, sizeof(names), "%s", path);
	for (name = strtok_r(names, "/", &save); name; name = strtok_r(NULL, "/", &save)) {
		u64 above = kn;

		kn = object(64, 64);
		set(kn, F_KN_NAME, string(name));
		set(kn, F_KN_PARENT, above);
	}
	set(group, F_CGROUP_KN, kn);
	return group;
}

static u64 css_set_of(u64 task, u64 group)
{
	u64 set_ = object(128, 64);

	set(task, F_TASK_CGROUPS, set_);
	set(set_, F_CSS_SET_CGROUP, group);
	return set_;
}

static struct doca_apsh_system *containers_of_image(void)
{
	struct doca_apsh_system *s = started_system();

	logged();
	OK(doca_apsh_containers_get(s, &list, &nr));
	return s;
}

static void tear_down_containers(struct doca_apsh_system *s)
{
	doca_apsh_containers_free(list);
	tear_down(s);
}

/* The container of a process in this group; "": none. */
struct wanted {
	const char *path, *id;
};

static const char *id_of_process(u32 pid)
{
	const char *found = "";

	for (int i = 0; i < nr; i++) {
		OK(doca_apsh_container_processes_get(list[i], &processes, &nr_processes));
		for (int k = 0; k < nr_processes; k++)
			if (PROCESS(processes[k], PID) == pid)
				found = doca_apsh_container_info_get(list[i],
								     DOCA_APSH_CONTAINER_ID);
		doca_apsh_processes_free(processes);
	}
	return found;
}

static void groups_are(const struct wanted *wanted, u32 nr_wanted)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	for (u32 i = 0; i < nr_wanted; i++)
		css_set_of(new_task(i + 1, i + 1, "task"), new_group(wanted[i].path));
	s = containers_of_image();
	for (u32 i = 0; i < nr_wanted; i++) {
		const char *found = id_of_process(i + 1);

		if (strcmp(found, wanted[i].id) != 0)
			KTAP_SAY_("%s is \"%s\", not \"%s\"", wanted[i].path, found, wanted[i].id);
	}
	EXPECT_SILENT();
	tear_down_containers(s);
}

TEST(containers_by_their_id)
{
	static const struct wanted wanted[] = {
		{ "/docker/" ID, ID },
		{ "/system.slice/docker-" ID ".scope", ID },
		{ "/system.slice/nerdctl-" ID ".scope", ID },
		{ "/machine.slice/libpod-" ID ".scope/container", ID },
		{ "/libpod_parent/libpod-" ID, ID },
		{ "/kubepods/burstable/pod" POD "/" ID, ID },
		{ "/kubepods.slice/kubepods-pod0a1b.slice/cri-containerd-" ID ".scope", ID },
		{ "/kubepods.slice/kubepods-pod0a1b.slice/crio-" ID ".scope", ID },
		{ "/ecs/" POD "/" ID, ID },
		{ "/ecstasks.slice/ecstasks-0a1b.slice/docker-" ID ".scope", ID },
		/* groups in a container are of it, and the innermost container counts */
		{ "/docker/" ID "/system.slice/x.service", ID },
		{ "/lxc.payload.outer/system.slice/docker-" ID ".scope/init", ID },
	};

	groups_are(wanted, ARRAY_SIZE(wanted));
}

TEST(containers_by_their_name)
{
	static const struct wanted wanted[] = {
		{ "/default/web", "web" },
		{ "/k8s.io/web/init", "web" },
		{ "/buildkit/qx0yz", "qx0yz" },
		{ "/lxc/web", "web" },
		{ "/lxc/101/ns/init.scope", "101" },
		{ "/lxc.payload/web", "web" },
		{ "/lxc.payload.web/init.scope", "web" },
		{ "/user.slice/user-1000.slice/lxc.payload.web-1", "web-1" },
		{ "/machine.slice/machine-web.scope/payload", "web" },
		{ "/machine.slice/machine-debian\\x2d12\\x2dx.scope", "debian-12-x" },
		{ "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator", "qemu-1-vm" },
		{ "/machine.slice/systemd-nspawn@my\\x2dos.service/payload/x", "my-os" },
		{ "/garden/0f1e", "0f1e" },
		{ "/system.slice/garden.service/garden/good/0f1e", "0f1e" },
		{ "/garden/bad/0f1e", "0f1e" },
		{ "/ecs/0123abcd/0123abcd-1234567890", "0123abcd-1234567890" },
		/* a monitor is one by a name that a runtime gives, not the owner */
		{ "/default/my-conmon-x", "my-conmon-x" },
		{ "/default/conmon-x", "conmon-x" },
		{ "/lxc/conmon", "conmon" },
		{ "/lxc/libpod-conmon-x", "libpod-conmon-x" },
		{ "/machine.slice/machine-conmon.scope", "conmon" },
		{ "/machine.slice/my-conmon-x.scope", "my-conmon-x.scope" },
	};

	groups_are(wanted, ARRAY_SIZE(wanted));
}

TEST(names_that_are_not_understood_are_not_lost)
{
	static const struct wanted wanted[] = {
		{ "/system.slice/docker-short.scope", "docker-short.scope" },
		{ "/machine.slice/other-thing.scope", "other-thing.scope" },
		{ "/machine.slice/machine-.scope", "machine-.scope" },
		{ "/machine.slice/machine-\\x00.scope", "machine-\\x00.scope" },
		{ "/machine.slice/machine-a\\xzz.scope", "a\\xzz" },
		{ "/lxc.payload.", "lxc.payload." },
		{ "/kubepods/pod" POD "/strange", "strange" },
		{ "/kubepods.slice/kubepods-pod0a1b.slice/kata-x.scope", "kata-x.scope" },
	};

	groups_are(wanted, ARRAY_SIZE(wanted));
}

TEST(services_sessions_and_monitors_are_no_containers)
{
	static const struct wanted wanted[] = {
		{ "/", "" },
		{ "/init.scope", "" },
		{ "/system.slice/docker.service", "" },
		{ "/system.slice/run-r0123456789abcdef.scope", "" },
		{ "/user.slice/user-1000.slice/session-3.scope", "" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-x.scope", "" },
		{ "/machine.slice", "" },
		{ "/machine.slice/libpod-conmon-" ID ".scope", "" },
		{ "/kubepods.slice/kubepods-pod0a1b.slice/crio-conmon-" ID ".scope", "" },
		{ "/machine.slice/conmon-" ID ".scope", "" },
		{ "/kubepods/besteffort/pod" POD "/crio-conmon-" ID, "" },
		{ "/kubepods/besteffort/pod" POD, "" },
		{ "/lxc.monitor.web", "" },
		{ "/lxc.monitor/web", "" },
		{ "/lxc", "" },
		{ "/garden/good", "" },
		{ "/ecs/" POD, "" },
		{ "/default", "" },
		/* a namespace of containerd is at the top alone */
		{ "/a/default/web", "" },
		{ "/system.slice/" ID "0", "" },
	};

	groups_are(wanted, ARRAY_SIZE(wanted));
}

/* In version 1 each controller has a tree, and the tree of version 2 has only
 * its root. */
static void in_version_1(enum symbol controller, u32 id, u32 real_id, int found)
{
	struct doca_apsh_system *s;
	u64 set_, state;

	set_up_image(4);
	state = object(64, 64);
	set_ = css_set_of(new_task(1, 1, "task"), new_group("/"));
	set(symbol(controller), F_SUBSYS_ID, id);
	((u64 *)at_va(field_va(set_, F_CSS_SET_SUBSYS)))[real_id] = state;
	set(state, F_CSS_CGROUP, new_group("/lxc/old"));
	s = containers_of_image();
	EXPECT_EQ(nr, found);
	if (nr)
		EXPECT_STR(doca_apsh_container_info_get(list[0], DOCA_APSH_CONTAINER_ID), "old");
	tear_down_containers(s);
}

TEST(containers_of_control_groups_of_version_1)
{
	in_version_1(S_pids_cgrp_subsys, 3, 3, 1);
	in_version_1(S_memory_cgrp_subsys, 2, 2, 1);
	/* numbers beyond the array are no controllers */
	in_version_1(S_pids_cgrp_subsys, 4, 4, 0);
	in_version_1(S_pids_cgrp_subsys, UINT32_MAX, 1, 0);
}

TEST(groups_above_each_other_end)
{
	struct doca_apsh_system *s;
	u64 group, kn;

	set_up_image(4);
	group = new_group("/a/b");
	kn = *(u64 *)at_va(field_va(group, F_CGROUP_KN));
	set(*(u64 *)at_va(field_va(kn, F_KN_PARENT)), F_KN_PARENT, kn);
	css_set_of(new_task(1, 1, "task"), group);
	s = containers_of_image();
	EXPECT_EQ(nr, 0);
	EXPECT_LOGGED("links or nodes are broken on the way to containers");
	tear_down_containers(s);
}

/* A group whose parent is not in the image is not below the root. */
TEST(groups_that_are_not_in_the_image)
{
	struct doca_apsh_system *s;
	u64 group, kn, above, there;

	set_up_image(4);
	group = new_group("/system.slice/default/x.service");
	kn = *(u64 *)at_va(field_va(group, F_CGROUP_KN));
	above = *(u64 *)at_va(field_va(kn, F_KN_PARENT));
	/* the name of "default" is in the image, and its parent is on the next page */
	there = object(2 * 4096, 4096) + 4096 - image.map.fields[F_KN_PARENT].offset;
	memcpy(at_va(there), at_va(above), 64);
	set(kn, F_KN_PARENT, there);
	css_set_of(new_task(1, 1, "task"), group);
	s = started_system();
	watch_system(s);
	watch.missing = pa_of(field_va(there, F_KN_PARENT));
	logged();
	OK(doca_apsh_containers_get(s, &list, &nr));
	EXPECT_EQ(nr, 0);
	EXPECT_LOGGED("1 pages of memory that lead to containers are not in the image");
	tear_down_containers(s);
}

/* The map says what it lacks, by name. */
TEST(a_map_without_control_groups)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	write_map(image.symbols, BANNER_64, F_CGROUP_KN);
	s = started_system();
	logged();
	EXPECT_EQ(doca_apsh_containers_get(s, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the map has no struct cgroup, kn: the kernel has no control groups");
	tear_down(s);
}
