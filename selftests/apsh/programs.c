// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Programs of App Shield as users write them, one for each group of calls:
 *
 * programs GROUP [PID HASHES]
 *
 * They ask for mlx5_0 and for a VUID, and take symbols and regions from /tmp, all without
 * an option. They print one line for each object, NAME=VALUE with tabs between. Settings
 * that they do not need, such as the log's, keep their defaults.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_apsh.h>
#include <doca_dev.h>
#include <doca_error.h>

static const char ibdev[] = "mlx5_0";
static const char vuid[] = "MT2125X03335MLNXS0D0F0";
static const char map[] = "/tmp/symbols.json";
static const char maps[] = "/tmp";
static const char regions[] = "/tmp/mem_regions.json";
static unsigned int pid = 1;
static const char *hashes;

static void check(doca_error_t ret, const char *what)
{
	if (ret == DOCA_SUCCESS)
		return;
	printf("%s: %s\n", what, doca_error_get_name(ret));
	exit(EXIT_FAILURE);
}

static struct doca_dev *open_device(void)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_dev *dev = NULL;
	struct doca_devinfo **list;
	uint32_t nr;

	check(doca_devinfo_create_list(&list, &nr), "devices");
	for (uint32_t i = 0; i < nr && !dev; i++)
		if (doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)) ==
			    DOCA_SUCCESS &&
		    !strcmp(name, ibdev))
			check(doca_dev_open(list[i], &dev), name);
	doca_devinfo_destroy_list(list);
	check(dev ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND, ibdev);
	return dev;
}

static struct doca_dev_rep *open_representor(struct doca_dev *dev)
{
	char name[DOCA_DEVINFO_REP_VUID_SIZE];
	struct doca_dev_rep *rep = NULL;
	struct doca_devinfo_rep **list;
	uint32_t nr;

	check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET,
					   &list, &nr),
	      "representors");
	for (uint32_t i = 0; i < nr && !rep; i++)
		if (doca_devinfo_rep_get_vuid(list[i], name, sizeof(name)) ==
			    DOCA_SUCCESS &&
		    !strcmp(name, vuid))
			check(doca_dev_rep_open(list[i], &rep), name);
	doca_devinfo_rep_destroy_list(list);
	check(rep ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND, vuid);
	return rep;
}

#define LIST(name, from, get, drop, type, ...)       \
	static void name(struct from *from)          \
	{                                            \
		struct type **list;                  \
		int nr;                              \
                                                     \
		check(get(from, &list, &nr), #name); \
		for (int i = 0; i < nr; i++) {       \
			struct type *o = list[i];    \
                                                     \
			__VA_ARGS__;                 \
			putchar('\n');               \
		}                                    \
		drop(list);                          \
	}

static void number(const char *name, uint64_t value)
{
	printf("%s=%llu\t", name, (unsigned long long)value);
}

static void text(const char *name, const char *value)
{
	printf("%s=%s\t", name, value);
}

#define PROCESS(attr) doca_apsh_process_info_get(o, DOCA_APSH_PROCESS_##attr)
#define PROCESS_VALUES                                              \
	number("pid", PROCESS(PID)), number("ppid", PROCESS(PPID)), \
		number("cpu_time", PROCESS(CPU_TIME)),              \
		number("linux_uid", PROCESS(LINUX_UID)),            \
		number("linux_gid", PROCESS(LINUX_GID)),            \
		number("linux_ns_pid", PROCESS(LINUX_NS_PID)),      \
		number("linux_ns_mnt", PROCESS(LINUX_NS_MNT)),      \
		number("linux_ns_net", PROCESS(LINUX_NS_NET)),      \
		text("comm", PROCESS(COMM))

LIST(ps, doca_apsh_system, doca_apsh_processes_get, doca_apsh_processes_free,
     doca_apsh_process, PROCESS_VALUES)

#define MODULE(attr) doca_apsh_module_info_get(o, DOCA_APSH_MODULES_##attr)
LIST(lsmod, doca_apsh_system, doca_apsh_modules_get, doca_apsh_module_free,
     doca_apsh_module, number("offset", MODULE(OFFSET)),
     number("size", MODULE(SIZE)), text("name", MODULE(NAME)))

#define CONTAINER_ID doca_apsh_container_info_get(o, DOCA_APSH_CONTAINER_ID)
LIST(containers, doca_apsh_system, doca_apsh_containers_get,
     doca_apsh_containers_free, doca_apsh_container, text("id", CONTAINER_ID))

#define SOCKET(attr) doca_apsh_netscan_info_get(o, DOCA_APSH_NETSCAN_##attr)

static void tcp(struct doca_apsh_netscan *o)
{
	if (strcmp(SOCKET(PROTOCOL), "TCP"))
		return;
	number("linux_tcp_bytes_sent", SOCKET(LINUX_TCP_BYTES_SENT));
	number("linux_tcp_bytes_received", SOCKET(LINUX_TCP_BYTES_RECEIVED));
}

LIST(ss, doca_apsh_system, doca_apsh_netscan_get, doca_apsh_netscan_free,
     doca_apsh_netscan, number("pid", SOCKET(PID)), text("comm", SOCKET(COMM)),
     text("protocol", SOCKET(PROTOCOL)), text("local_addr", SOCKET(LOCAL_ADDR)),
     number("local_port", SOCKET(LOCAL_PORT)),
     text("remote_addr", SOCKET(REMOTE_ADDR)),
     number("remote_port", SOCKET(REMOTE_PORT)), text("state", SOCKET(STATE)),
     tcp(o))

#define NETIF(attr) \
	doca_apsh_interface_info_get(o, DOCA_APSH_LINUX_INTERFACE_##attr)

LIST(ip, doca_apsh_system, doca_apsh_interfaces_get, doca_apsh_interfaces_free,
     doca_apsh_interface, text("name", NETIF(NAME)),
     number("namespace", NETIF(NAMESPACE)))

#define THREAD(attr) doca_apsh_thread_info_get(o, DOCA_APSH_THREAD_##attr)
LIST(threads, doca_apsh_process, doca_apsh_threads_get, doca_apsh_threads_free,
     doca_apsh_thread, number("pid", THREAD(PID)), number("tid", THREAD(TID)),
     number("state", THREAD(STATE)),
     text("linux_proc_name", THREAD(LINUX_PROC_NAME)),
     text("linux_thread_name", THREAD(LINUX_THREAD_NAME)))

#define VAD(attr) doca_apsh_vad_info_get(o, DOCA_APSH_VMA_##attr)
LIST(areas, doca_apsh_process, doca_apsh_vads_get, doca_apsh_vads_free,
     doca_apsh_vad, number("offset", VAD(OFFSET)),
     number("vm_start", VAD(VM_START)), number("vm_end", VAD(VM_END)),
     text("protection", VAD(PROTECTION)), text("file_path", VAD(FILE_PATH)))

#define LIBRARY(attr) doca_apsh_lib_info_get(o, DOCA_APSH_LIB_##attr)
LIST(libs, doca_apsh_process, doca_apsh_libs_get, doca_apsh_libs_free,
     doca_apsh_lib, number("load_adress", LIBRARY(LOAD_ADRESS)),
     text("library_path", LIBRARY(LIBRARY_PATH)))

#define ENVAR(attr) doca_apsh_envar_info_get(o, DOCA_APSH_ENVARS_##attr)
LIST(env, doca_apsh_process, doca_apsh_envars_get, doca_apsh_envars_free,
     doca_apsh_envar, text("variable", ENVAR(VARIABLE)),
     text("value", ENVAR(VALUE)))

#define PRIVILEGE(attr) \
	doca_apsh_privilege_info_get(o, DOCA_APSH_PRIVILEGES_##attr)
LIST(caps, doca_apsh_process, doca_apsh_privileges_get,
     doca_apsh_privileges_free, doca_apsh_privilege,
     text("name", PRIVILEGE(NAME)), number("is_on", PRIVILEGE(IS_ON)))

#define HANDLE(attr) doca_apsh_handle_info_get(o, DOCA_APSH_HANDLE_##attr)
LIST(fds, doca_apsh_process, doca_apsh_handles_get, doca_apsh_handles_free,
     doca_apsh_handle, number("value", HANDLE(VALUE)),
     text("type", HANDLE(TYPE)), text("name", HANDLE(NAME)))

#define DETAIL(attr)                          \
	doca_apsh_proc_file_details_info_get( \
		o, DOCA_APSH_PROCESS_FILE_DETAILS_##attr)
LIST(files, doca_apsh_process, doca_apsh_proc_files_details_get,
     doca_apsh_proc_files_details_free, doca_apsh_proc_file_details,
     text("path", DETAIL(PATH)), text("sha256", DETAIL(SHA256)),
     number("size", DETAIL(SIZE)))

#define PARAMETER(attr)                        \
	doca_apsh_process_parameters_info_get( \
		o, DOCA_APSH_PROCESS_PARAMETERS_##attr)

static void args(struct doca_apsh_process *process)
{
	struct doca_apsh_process_parameters *o;

	check(doca_apsh_process_parameters_get(process, &o), "args");
	number("image_base_addr", PARAMETER(IMAGE_BASE_ADDR));
	text("image_full_path", PARAMETER(IMAGE_FULL_PATH));
	text("cmd_line", PARAMETER(CMD_LINE));
	putchar('\n');
	doca_apsh_process_parameters_free(o);
}

#define AREA(attr) \
	doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_##attr)

/* Attest until the code differs, or the process is gone. */
static void attest(struct doca_apsh_process *process)
{
	struct doca_apsh_attestation **list;
	bool good = true;
	int nr;

	check(doca_apsh_attestation_get(process, hashes, &list, &nr), "attest");
	while (good) {
		for (int i = 0; i < nr; i++)
			good = good &&
			       AREA(PAGES_PRESENT) == AREA(MATCHING_HASHES);
		puts(nr && good ? "pass" : "fail");
		fflush(stdout);
		if (!good)
			break;
		usleep(200000);
		check(doca_apsh_attst_refresh(&list, &nr), "refresh");
	}
	doca_apsh_attestation_free(list);
}

/* The program of another system ends before it gets here. */
static void windows(struct doca_apsh_process *process)
{
	(void)process;
}

static const struct group {
	const char *name;
	void (*of_system)(struct doca_apsh_system *system);
	void (*of_process)(struct doca_apsh_process *process);
} groups[] = {
	{ .name = "ps", .of_system = ps },
	{ .name = "lsmod", .of_system = lsmod },
	{ .name = "containers", .of_system = containers },
	{ .name = "ss", .of_system = ss },
	{ .name = "ip", .of_system = ip },
	{ .name = "threads", .of_process = threads },
	{ .name = "maps", .of_process = areas },
	{ .name = "libs", .of_process = libs },
	{ .name = "env", .of_process = env },
	{ .name = "caps", .of_process = caps },
	{ .name = "fds", .of_process = fds },
	{ .name = "files", .of_process = files },
	{ .name = "args", .of_process = args },
	{ .name = "attest", .of_process = attest },
	{ .name = "windows", .of_process = windows },
	{ 0 },
};

/* Some set the system first, and some last; some have a directory of maps. */
static void configure(struct doca_apsh_system *system, struct doca_dev_rep *rep,
		      const struct group *group)
{
	enum doca_apsh_system_os os = DOCA_APSH_SYSTEM_LINUX;
	bool first = group->of_system;

	if (group->of_process == windows)
		os = DOCA_APSH_SYSTEM_WINDOWS;
	if (first)
		check(doca_apsh_sys_os_type_set(system, os), "os_type_set");
	if (group->of_process == libs)
		check(doca_apsh_sys_os_symbol_map_folder_set(system, maps),
		      maps);
	else
		check(doca_apsh_sys_os_symbol_map_set(system, map), map);
	check(doca_apsh_sys_mem_region_set(system, regions), regions);
	check(doca_apsh_sys_dev_set(system, rep), "dev_set");
	if (!first)
		check(doca_apsh_sys_os_type_set(system, os), "os_type_set");
}

static void look_at_process(struct doca_apsh_system *system,
			    const struct group *group)
{
	struct doca_apsh_process **list, *process = NULL;
	int nr;

	check(doca_apsh_processes_get(system, &list, &nr), "processes");
	for (int i = 0; i < nr && !process; i++)
		if (doca_apsh_process_info_get(list[i],
					       DOCA_APSH_PROCESS_PID) == pid)
			process = list[i];
	check(process ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND, "process");
	group->of_process(process);
	doca_apsh_processes_free(list);
}

/* Objects need not end in reverse order. */
static void look(const struct group *group)
{
	struct doca_apsh_system *system;
	struct doca_dev_rep *rep;
	struct doca_apsh_ctx *ctx;
	struct doca_dev *dev;

	dev = open_device();
	ctx = doca_apsh_create();
	check(ctx ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY, "create");
	check(doca_apsh_dma_dev_set(ctx, dev), "dma_dev_set");
	check(doca_apsh_start(ctx), "start");
	rep = open_representor(dev);
	system = doca_apsh_system_create(ctx);
	check(system ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY, "system_create");
	configure(system, rep, group);
	check(doca_apsh_system_start(system), "system_start");
	if (group->of_system)
		group->of_system(system);
	else
		look_at_process(system, group);
	doca_apsh_destroy(ctx);
	doca_apsh_system_destroy(system);
	check(doca_dev_rep_close(rep), "rep_close");
	check(doca_dev_close(dev), "dev_close");
}

int main(int argc, char **argv)
{
	const struct group *group = groups;

	while (argc > 1 && group->name && strcmp(group->name, argv[1]))
		group++;
	if (argc < 2 || !group->name) {
		fprintf(stderr, "usage: programs GROUP [PID HASHES]\n");
		return 2;
	}
	if (argc > 3) {
		pid = (unsigned int)strtoul(argv[2], NULL, 10);
		hashes = argv[3];
	}
	look(group);
	return 0;
}
