// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: mounts of a namespace, as kernels have them since 6.8, and before. */
#include "apsh_stage.h"
#include "apsh_watch.h"

static struct {
	u64 ns, fs, sb;
	u64 all[4]; /* root, tmp, hidden by a chroot, fuse */
	u64 tmp, mnt; /* dentries */
	u64 ten; /* the task */
} mounted;

static struct apsh_mount **list;
static int nr;

static u64 new_super_block(const char *type, u64 flags)
{
	u64 sb = object(64, 64), fs = object(64, 64);

	set(sb, F_SB_TYPE, fs);
	set(fs, F_FSTYPE_NAME, string(type));
	set(sb, F_SB_FLAGS, flags);
	set(sb, F_SB_DEV, 8 << 20 | 1);
	return sb;
}

static u64 node_of(u64 mount)
{
	return mount ? field_va(mount, F_MOUNT_NODE) : 0;
}

static void fill_mount(u64 mount, u32 id, u64 root, const char *device)
{
	u64 mnt = field_va(mount, F_MOUNT_MNT);

	set(mount, F_MOUNT_ID, id);
	set(mount, F_MOUNT_DEVICE, device ? string(device) : 0);
	set(mnt, F_VFSMOUNT_ROOT, root);
	set(mnt, F_VFSMOUNT_SB, mounted.sb);
	if (map_is_old)
		link_before(field_va(mounted.ns, F_MNTNS_LIST), field_va(mount, F_MOUNT_LIST));
	else
		set(mount, F_MOUNT_UNIQUE, id + (1ULL << 31));
}

static u64 new_mount(u32 id, u64 parent, u64 point, u64 root, const char *device)
{
	u64 mount = object(256, 64);

	set(mount, F_MOUNT_PARENT, parent);
	set(mount, F_MOUNT_POINT, point);
	fill_mount(mount, id, root, device);
	return mount;
}

/* Colors do not matter. */
static void link_node(u64 parent, u64 mount, u64 left, u64 right)
{
	u64 node = node_of(mount);

	set(node, F_RB_PARENT, node_of(parent));
	set(node, F_RB_LEFT, node_of(left));
	set(node, F_RB_RIGHT, node_of(right));
}

static void set_up_tree(void)
{
	u64 *m = mounted.all;

	*(u64 *)at_va(field_va(mounted.ns, F_MNTNS_ROOT)) = node_of(m[1]);
	link_node(0, m[1], m[0], m[3]);
	link_node(m[1], m[0], 0, 0);
	link_node(m[1], m[3], m[2], 0);
	link_node(m[3], m[2], 0, 0);
}

static void set_up_mounts(void)
{
	u64 proxy, inner;

	set_up_image(4);
	new_task(1, 1, "init");
	mounted.ten = new_task(10, 10, "ten");
	set_up_root();
	proxy = object(64, 64);
	mounted.ns = object(64, 64);
	mounted.fs = object(64, 64);
	mounted.sb = new_super_block("ext4", 0);
	set(mounted.ten, F_TASK_NSPROXY, proxy);
	set(mounted.ten, F_TASK_FS, mounted.fs);
	set(proxy, F_NSPROXY_MNT, mounted.ns);
	if (map_is_old)
		list_init(field_va(mounted.ns, F_MNTNS_LIST));
	set(mounted.fs, F_FS_ROOT_MNT, field_va(root_mount, F_MOUNT_MNT));
	set(mounted.fs, F_FS_ROOT_DENTRY, root_dentry);
	mounted.tmp = new_dentry(root_dentry, "tmp");
	mounted.mnt = new_dentry(new_dentry(root_dentry, "mnt"), "a b");
	inner = new_dentry(new_dentry(0, "/"), "in");
	mounted.all[0] = root_mount;
	fill_mount(root_mount, 20, root_dentry, "/dev/sda1");
	mounted.all[1] = new_mount(21, root_mount, mounted.tmp, new_dentry(0, "/"), NULL);
	mounted.all[2] = new_mount(22, root_mount, mounted.mnt, inner, "/dev/sdb");
	mounted.all[3] = new_mount(23, root_mount, mounted.mnt, new_dentry(0, "/"), "host:/dir");
	if (!map_is_old)
		set_up_tree();
}

static struct doca_apsh_system *mounts_are(int wanted, bool broken)
{
	struct doca_apsh_system *s = started_system();
	struct view_stats stats;

	logged();
	list = NULL;
	nr = 0;
	OK(doca_priv_apsh_mounts_get(process_of(s, 10), &list, &nr));
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(nr, wanted);
	EXPECT_EQ(!!stats.broken, broken);
	return s;
}

static void tear_down_mounts(struct doca_apsh_system *s)
{
	doca_priv_apsh_mounts_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

static void both_kinds(void (*test)(void))
{
	test();
	map_is_old = true;
	test();
	map_is_old = false;
}

static void all_of_a_mount(void)
{
	struct doca_apsh_system *s;
	u64 mnt, sb;

	set_up_mounts();
	mnt = field_va(mounted.all[3], F_MOUNT_MNT);
	set(mnt, F_VFSMOUNT_FLAGS, 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80);
	sb = new_super_block("fuse", 1 | 16 | 64 | 128 | 1 << 25);
	set(sb, F_SB_SUBTYPE, string("sshfs"));
	set(mnt, F_VFSMOUNT_SB, sb);
	s = mounts_are(4, false);
	ASSERT(nr == 4);
	EXPECT_STR(list[0]->path, "/");
	EXPECT_STR(list[0]->device, "/dev/sda1");
	EXPECT_EQ(list[0]->parent, 20);
	EXPECT_EQ(list[0]->major, 8);
	EXPECT_EQ(list[0]->minor, 1);
	EXPECT_STR(list[0]->options, "rw");
	EXPECT_STR(list[0]->super_options, "rw");
	EXPECT_STR(list[1]->path, "/tmp");
	EXPECT_STR(list[1]->device, "none");
	EXPECT_STR(list[1]->type, "ext4");
	EXPECT_STR(list[2]->root, "/in");
	EXPECT_STR(list[2]->path, "/mnt/a b");
	EXPECT_EQ(list[3]->id, 23);
	EXPECT_EQ(list[3]->parent, 20);
	EXPECT_STR(list[3]->type, "fuse.sshfs");
	EXPECT_STR(list[3]->options,
		   "ro,nosuid,nodev,noexec,noatime,nodiratime,relatime,nosymfollow");
	EXPECT_STR(list[3]->super_options, "ro,sync,dirsync,mand,lazytime");
	for (int i = 0; i < nr; i++)
		EXPECT(list[i]->reachable);
	EXPECT_SILENT();
	tear_down_mounts(s);
}

TEST(mounts)
{
	both_kinds(all_of_a_mount);
}

static void paths_from_a_root(void)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	set(mounted.fs, F_FS_ROOT_DENTRY, *(u64 *)at_va(field_va(mounted.mnt, F_DENTRY_PARENT)));
	/* a file that is mounted, and was removed where it came from */
	set(*(u64 *)at_va(field_va(field_va(mounted.all[2], F_MOUNT_MNT), F_VFSMOUNT_ROOT)),
	    F_DENTRY_PPREV, 0);
	s = mounts_are(4, false);
	ASSERT(nr == 4);
	EXPECT(!list[0]->reachable && !list[1]->reachable);
	EXPECT_STR(list[1]->path, "/tmp");
	EXPECT(list[2]->reachable && list[3]->reachable);
	EXPECT_STR(list[2]->path, "/a b");
	EXPECT_STR(list[2]->root, "/in//deleted");
	tear_down_mounts(s);
}

TEST(mounts_of_a_process_with_another_root)
{
	both_kinds(paths_from_a_root);
}

TEST(a_process_in_no_namespace)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	s = started_system();
	logged();
	OK(doca_priv_apsh_mounts_get(process_of(s, 1), &list, &nr));
	EXPECT(!list && !nr);
	EXPECT_SILENT();
	tear_down_mounts(s);
}

TEST(mounts_without_memory)
{
	struct doca_apsh_process *ten;
	struct doca_apsh_system *s;

	set_up_mounts();
	s = started_system();
	ten = process_of(s, 10);
	EXPECT_FAULTS(FAULT_ALLOC, doca_priv_apsh_mounts_get(ten, &list, &nr), NO_MEMORY,
		      doca_priv_apsh_mounts_free(list));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

enum { CURSOR = 0x10000000 };

/* A reader of /proc/PID/mounts has its place in the list. */
TEST(the_place_of_a_reader_is_no_mount)
{
	struct doca_apsh_system *s;
	u64 cursor;

	map_is_old = true;
	set_up_mounts();
	cursor = object(256, 64);
	set(field_va(cursor, F_MOUNT_MNT), F_VFSMOUNT_FLAGS, CURSOR);
	link_before(field_va(mounted.ns, F_MNTNS_LIST), field_va(cursor, F_MOUNT_LIST));
	s = mounts_are(4, false);
	EXPECT_SILENT();
	tear_down_mounts(s);
	map_is_old = false;
}

/* From 6.8 to 6.12 each mount in a tree has the flag that a reader's place had in the list. */
static void all_with_the_flag(void)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	for (int i = 0; i < 4; i++)
		set(field_va(mounted.all[i], F_MOUNT_MNT), F_VFSMOUNT_FLAGS, CURSOR);
	s = mounts_are(4, false);
	EXPECT_SILENT();
	tear_down_mounts(s);
}

TEST(a_mount_with_the_flag_of_a_reader_is_one)
{
	both_kinds(all_with_the_flag);
}

TEST(a_list_of_mounts_that_is_not_sound)
{
	struct doca_apsh_system *s;
	u64 *second;

	map_is_old = true;
	set_up_mounts();
	second = at_va(field_va(mounted.all[2], F_MOUNT_LIST));
	second[0] = field_va(mounted.all[1], F_MOUNT_LIST);
	tear_down_mounts(mounts_are(4, true));
	set_up_mounts();
	second = at_va(field_va(mounted.ns, F_MNTNS_LIST));
	second[0] = second[1] = 0;
	s = started_system();
	logged();
	EXPECT_EQ(doca_priv_apsh_mounts_get(process_of(s, 10), &list, &nr),
		  DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the list of mounts is not sound");
	doca_apsh_processes_free(processes);
	tear_down(s);
	map_is_old = false;
}

TEST(a_broken_tree_of_mounts)
{
	/* a loop */
	set_up_mounts();
	set(node_of(mounted.all[2]), F_RB_LEFT, node_of(mounted.all[1]));
	tear_down_mounts(mounts_are(4, true));
	/* another parent */
	set_up_mounts();
	set(node_of(mounted.all[3]), F_RB_PARENT, node_of(mounted.all[0]));
	tear_down_mounts(mounts_are(2, true));
	/* below the least key, and above the greatest, there is nothing */
	set_up_mounts();
	set(mounted.all[0], F_MOUNT_UNIQUE, 0);
	set(node_of(mounted.all[0]), F_RB_LEFT, 0x1234);
	tear_down_mounts(mounts_are(4, true));
	set_up_mounts();
	set(mounted.all[3], F_MOUNT_UNIQUE, UINT64_MAX);
	set(node_of(mounted.all[3]), F_RB_RIGHT, 0x1234);
	tear_down_mounts(mounts_are(4, true));
}

TEST(mounts_on_each_other)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	set(mounted.all[2], F_MOUNT_PARENT, mounted.all[3]);
	set(mounted.all[3], F_MOUNT_PARENT, mounted.all[2]);
	set(mounted.all[2], F_MOUNT_POINT,
	    *(u64 *)at_va(field_va(field_va(mounted.all[3], F_MOUNT_MNT), F_VFSMOUNT_ROOT)));
	set(mounted.all[3], F_MOUNT_POINT,
	    *(u64 *)at_va(field_va(field_va(mounted.all[2], F_MOUNT_MNT), F_VFSMOUNT_ROOT)));
	s = mounts_are(4, true);
	for (int i = 2; i < nr; i++)
		EXPECT(!*list[i]->path && !list[i]->reachable);
	tear_down_mounts(s);
}

TEST(mounts_that_are_not_in_the_image)
{
	struct doca_apsh_system *s;
	struct view_stats stats;

	set_up_mounts();
	set(node_of(mounted.all[1]), F_RB_RIGHT, image.direct + IMAGE_SIZE + 4096);
	s = mounts_are(2, false);
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(stats.absent, 1);
	EXPECT_LOGGED("pages of memory that lead to mounts are not in the image");
	tear_down_mounts(s);
}

/* Let it be on a page of its own, and return where it is then. */
static u64 move(u64 va, size_t size)
{
	u64 there = object(4096, 4096);

	memcpy(at_va(there), at_va(va), size);
	return there;
}

static doca_error_t get_without(struct doca_apsh_system *s, u64 va)
{
	struct doca_apsh_process *ten = process_of(s, 10);

	watch_system(s);
	watch.missing = pa_of(va) & ~(PAGE - 1);
	logged();
	list = NULL;
	nr = 0;
	return doca_priv_apsh_mounts_get(ten, &list, &nr);
}

/* A part that is missing says nothing: not that it is read-only, nor where it is. */
static void known_in_part(void)
{
	for (int part = 0; part < 5; part++) {
		struct doca_apsh_system *s;
		u64 mount, mnt, gone;

		set_up_mounts();
		mount = mounted.all[3];
		mnt = field_va(mount, F_MOUNT_MNT);
		if (part == 0) {
			gone = move(mounted.sb, 64);
			set(mnt, F_VFSMOUNT_SB, gone);
		} else if (part == 1) {
			gone = object(4096, 4096);
			set_text(gone, "host:/dir");
			set(mount, F_MOUNT_DEVICE, gone);
		} else if (part == 2) {
			gone = new_dentry(mounted.mnt, "x");
			set(mount, F_MOUNT_POINT, gone);
			gone = move(gone, 256);
			set(mount, F_MOUNT_POINT, gone);
		} else if (part == 3) {
			gone = move(mounted.tmp, 256);
			set(mnt, F_VFSMOUNT_ROOT, gone);
		} else {
			/* the mount above it, which is in no list */
			gone = move(root_mount, 256);
			set(mount, F_MOUNT_PARENT, gone);
		}
		s = started_system();
		OK(get_without(s, gone));
		EXPECT_EQ(nr, 3);
		for (int i = 0; i < nr; i++)
			EXPECT(list[i]->id != 23);
		EXPECT_LOGGED("1 pages of memory that lead to mounts are not in the image");
		tear_down_mounts(s);
	}
}

TEST(mounts_that_are_in_the_image_in_part)
{
	both_kinds(known_in_part);
}

TEST(a_process_whose_root_is_not_in_the_image)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	mounted.fs = move(mounted.fs, 64);
	set(mounted.ten, F_TASK_FS, mounted.fs);
	s = started_system();
	EXPECT_EQ(get_without(s, mounted.fs), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the root of the process is not in the image");
	doca_apsh_processes_free(processes);
	tear_down(s);
}

static void fails_without(int field, const char *words)
{
	struct doca_apsh_system *s;

	set_up_mounts();
	write_map(image.symbols, BANNER_64, field);
	s = started_system();
	logged();
	EXPECT_EQ(doca_priv_apsh_mounts_get(process_of(s, 10), &list, &nr),
		  DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

/* A map has one of the two ways; the message is about that of which least is missing. */
TEST(a_map_without_mounts)
{
	fails_without(F_FS_ROOT_MNT, "the map has no struct fs_struct, root.mnt");
	fails_without(F_MOUNT_UNIQUE, "the map has no struct mount, mnt_id_unique");
	map_is_old = true;
	fails_without(F_MOUNT_LIST, "the map has no struct mount, mnt_list");
	map_is_old = false;
}
