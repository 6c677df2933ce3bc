// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <string.h>

#include "apsh/private.h"
#include "common/usage.h"

#include "commands.h"
#include "out.h"

#define NR(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* Print an array of objects as rows; VALUES makes the values of one. */
#define DEFINE_COMMAND(name, from, of, get, drop, type, columns, ...)     \
	static doca_error_t name(struct from *of)                         \
	{                                                                 \
		struct type **list;                                       \
		doca_error_t ret;                                         \
		int nr;                                                   \
                                                                          \
		ret = get(of, &list, &nr);                                \
		if (ret != DOCA_SUCCESS)                                  \
			return ret;                                       \
		out_head(columns, NR(columns));                           \
		for (int i = 0; i < nr; i++) {                            \
			struct type *o = list[i];                         \
			const struct value values[] = { __VA_ARGS__ };    \
                                                                          \
			_Static_assert(NR(values) == NR(columns), #name); \
			out_row(columns, values, NR(values));             \
		}                                                         \
		drop(list);                                               \
		return DOCA_SUCCESS;                                      \
	}

static const struct column process_columns[] = {
	{ "pid", "PID", 7 },	       { "ppid", "PPID", 7 },
	{ "linux_uid", "UID", 6 },     { "linux_gid", "GID", 6 },
	{ "linux_state", "STATE", 5 }, { "cpu_time", NULL, 0 },
	{ "linux_ns_pid", NULL, 0 },   { "linux_ns_mnt", NULL, 0 },
	{ "linux_ns_net", NULL, 0 },   { "hidden", "HIDDEN", -6 },
	{ "comm", "COMMAND", 0 },
};

#define PROCESS(attr) doca_apsh_process_info_get(o, DOCA_APSH_PROCESS_##attr)
#define PROCESS_VALUES                                                        \
	number(PROCESS(PID)), number(PROCESS(PPID)),                          \
		number(PROCESS(LINUX_UID)), number(PROCESS(LINUX_GID)),       \
		task_state(PROCESS(LINUX_STATE)), number(PROCESS(CPU_TIME)),  \
		number(PROCESS(LINUX_NS_PID)), number(PROCESS(LINUX_NS_MNT)), \
		number(PROCESS(LINUX_NS_NET)),                                \
		truth(doca_priv_apsh_hidden(o)), text(PROCESS(COMM))

DEFINE_COMMAND(ps, doca_apsh_system, system, doca_apsh_processes_get,
	       doca_apsh_processes_free, doca_apsh_process, process_columns,
	       PROCESS_VALUES)
DEFINE_COMMAND(container_ps, doca_apsh_container, container,
	       doca_apsh_container_processes_get, doca_apsh_processes_free,
	       doca_apsh_process, process_columns, PROCESS_VALUES)

static const struct column module_columns[] = {
	{ "name", "NAME", -24 },
	{ "size", "SIZE", 10 },
	{ "hidden", "HIDDEN", -6 },
	{ "offset", "ADDRESS", 0 },
};

#define MODULE(attr) doca_apsh_module_info_get(o, DOCA_APSH_MODULES_##attr)

DEFINE_COMMAND(lsmod, doca_apsh_system, system, doca_apsh_modules_get,
	       doca_apsh_module_free, doca_apsh_module, module_columns,
	       text(MODULE(NAME)), number(MODULE(SIZE)),
	       truth(doca_priv_apsh_module_hidden(o)), address(MODULE(OFFSET)))

static const struct column container_columns[] = { { "id", "ID", 0 } };

DEFINE_COMMAND(all_containers, doca_apsh_system, system,
	       doca_apsh_containers_get, doca_apsh_containers_free,
	       doca_apsh_container, container_columns,
	       text(doca_apsh_container_info_get(o, DOCA_APSH_CONTAINER_ID)))

static const struct column thread_columns[] = {
	{ "pid", "PID", 7 },
	{ "tid", "TID", 7 },
	{ "state", "STATE", 5 },
	{ "linux_proc_name", "PROCESS", -16 },
	{ "linux_thread_name", "THREAD", 0 },
};

#define THREAD(attr) doca_apsh_thread_info_get(o, DOCA_APSH_THREAD_##attr)

DEFINE_COMMAND(threads, doca_apsh_process, process, doca_apsh_threads_get,
	       doca_apsh_threads_free, doca_apsh_thread, thread_columns,
	       number(THREAD(PID)), number(THREAD(TID)),
	       task_state(THREAD(STATE)), text(THREAD(LINUX_PROC_NAME)),
	       text(THREAD(LINUX_THREAD_NAME)))

static const struct column vad_columns[] = {
	{ "pid", NULL, 0 },	    { "vm_start", "START", 16 },
	{ "vm_end", "END", 16 },    { "protection", "PROT", 4 },
	{ "offset", NULL, 0 },	    { "process_name", NULL, 0 },
	{ "file_path", "FILE", 0 },
};

#define VAD(attr) doca_apsh_vad_info_get(o, DOCA_APSH_VMA_##attr)

DEFINE_COMMAND(maps, doca_apsh_process, process, doca_apsh_vads_get,
	       doca_apsh_vads_free, doca_apsh_vad, vad_columns,
	       number(VAD(PID)), address(VAD(VM_START)), address(VAD(VM_END)),
	       text(VAD(PROTECTION)), address(VAD(OFFSET)),
	       text(VAD(PROCESS_NAME)), text(VAD(FILE_PATH)))

static const struct column lib_columns[] = {
	{ "pid", NULL, 0 },
	{ "load_adress", "ADDRESS", 16 },
	{ "library_path", "LIBRARY", 0 },
};

#define LIBRARY(attr) doca_apsh_lib_info_get(o, DOCA_APSH_LIB_##attr)

DEFINE_COMMAND(libs, doca_apsh_process, process, doca_apsh_libs_get,
	       doca_apsh_libs_free, doca_apsh_lib, lib_columns,
	       number(LIBRARY(PID)), address(LIBRARY(LOAD_ADRESS)),
	       text(LIBRARY(LIBRARY_PATH)))

static const struct column envar_columns[] = {
	{ "pid", NULL, 0 },
	{ "variable", "VARIABLE", -24 },
	{ "value", "VALUE", 0 },
};

#define ENVAR(attr) doca_apsh_envar_info_get(o, DOCA_APSH_ENVARS_##attr)

DEFINE_COMMAND(env, doca_apsh_process, process, doca_apsh_envars_get,
	       doca_apsh_envars_free, doca_apsh_envar, envar_columns,
	       number(ENVAR(PID)), text(ENVAR(VARIABLE)), text(ENVAR(VALUE)))

static const struct column privilege_columns[] = {
	{ "pid", NULL, 0 },
	{ "name", "CAPABILITY", -24 },
	{ "is_on", "EFFECTIVE", 0 },
};

#define PRIVILEGE(attr) \
	doca_apsh_privilege_info_get(o, DOCA_APSH_PRIVILEGES_##attr)

DEFINE_COMMAND(caps, doca_apsh_process, process, doca_apsh_privileges_get,
	       doca_apsh_privileges_free, doca_apsh_privilege,
	       privilege_columns, number(PRIVILEGE(PID)), text(PRIVILEGE(NAME)),
	       truth(PRIVILEGE(IS_ON)))

static const struct column handle_columns[] = {
	{ "pid", NULL, 0 },	    { "value", "FD", 5 },
	{ "access", "ACCESS", 6 },  { "type", "TYPE", -24 },
	{ "table_entry", NULL, 0 }, { "name", "NAME", 0 },
};

#define HANDLE(attr) doca_apsh_handle_info_get(o, DOCA_APSH_HANDLE_##attr)

DEFINE_COMMAND(fds, doca_apsh_process, process, doca_apsh_handles_get,
	       doca_apsh_handles_free, doca_apsh_handle, handle_columns,
	       number(HANDLE(PID)), number(HANDLE(VALUE)),
	       number(HANDLE(ACCESS)), text(HANDLE(TYPE)),
	       address(HANDLE(TABLE_ENTRY)), text(HANDLE(NAME)))

static const struct column parameter_columns[] = {
	{ "pid", "PID", 7 },
	{ "image_base_addr", "BASE", 16 },
	{ "image_full_path", "PROGRAM", -24 },
	{ "cmd_line", "ARGUMENTS", 0 },
};

#define PARAMETER(attr)                        \
	doca_apsh_process_parameters_info_get( \
		o, DOCA_APSH_PROCESS_PARAMETERS_##attr)

static doca_error_t args(struct doca_apsh_process *process)
{
	struct doca_apsh_process_parameters *o;
	doca_error_t ret = doca_apsh_process_parameters_get(process, &o);

	if (ret != DOCA_SUCCESS)
		return ret;
	out_head(parameter_columns, NR(parameter_columns));
	out_row(parameter_columns,
		(struct value[]){ number(PARAMETER(PID)),
				  address(PARAMETER(IMAGE_BASE_ADDR)),
				  text(PARAMETER(IMAGE_FULL_PATH)),
				  text(PARAMETER(CMD_LINE)) },
		NR(parameter_columns));
	doca_apsh_process_parameters_free(o);
	return DOCA_SUCCESS;
}

static const struct column netif_columns[] = {
	{ "namespace", "NAMESPACE", 10 },
	{ "name", "NAME", -16 },
	{ "mac_arr", "MAC", -17 },
	{ "ipv4_arr", "IPV4", -20 },
	{ "ipv4_prefix_len_arr", "BITS", -5 },
	{ "ipv6_arr", "IPV6", -30 },
	{ "ipv6_prefix_len_arr", "BITS", 0 },
};

#define NETIF(attr) \
	doca_apsh_interface_info_get(o, DOCA_APSH_LINUX_INTERFACE_##attr)

DEFINE_COMMAND(interfaces, doca_apsh_system, system, doca_apsh_interfaces_get,
	       doca_apsh_interfaces_free, doca_apsh_interface, netif_columns,
	       number(NETIF(NAMESPACE)), text(NETIF(NAME)),
	       texts(NETIF(MAC_ARR), NETIF(MAC_ARR_SIZE)),
	       texts(NETIF(IPV4_ARR), NETIF(IPV4_ARR_SIZE)),
	       bytes(NETIF(IPV4_PREFIX_LEN_ARR), NETIF(IPV4_ARR_SIZE)),
	       texts(NETIF(IPV6_ARR), NETIF(IPV6_ARR_SIZE)),
	       numbers(NETIF(IPV6_PREFIX_LEN_ARR), NETIF(IPV6_ARR_SIZE)))

static const struct column socket_columns[] = {
	{ "protocol", "PROTO", -8 },
	{ "state", "STATE", -11 },
	{ "local_addr", "LOCAL", 24 },
	{ "local_port", "PORT", 5 },
	{ "remote_addr", "REMOTE", 24 },
	{ "remote_port", "PORT", 5 },
	{ "pid", "PID", 7 },
	{ "linux_fd", "FD", 10 },
	{ "linux_interface_name", "INTERFACE", -9 },
	{ "comm", "COMMAND", 0 },
	{ "linux_family", NULL, 0 },
	{ "linux_type", NULL, 0 },
	{ "linux_filter", NULL, 0 },
	{ "linux_net_namespace", NULL, 0 },
	{ "linux_socket_offset", NULL, 0 },
	{ "linux_tcp_bytes_sent", NULL, 0 },
	{ "linux_tcp_bytes_acked", NULL, 0 },
	{ "linux_tcp_bytes_received", NULL, 0 },
	{ "linux_tcp_segs_in", NULL, 0 },
	{ "linux_tcp_segs_out", NULL, 0 },
	{ "linux_tcp_data_segs_in", NULL, 0 },
	{ "linux_tcp_data_segs_out", NULL, 0 },
	{ "linux_interface_ipv4_arr", NULL, 0 },
	{ "linux_interface_mac_arr", NULL, 0 },
	{ "linux_interface_ipv6_arr", NULL, 0 },
};

#define SOCKET(attr) doca_apsh_netscan_info_get(o, DOCA_APSH_NETSCAN_##attr)

static struct value sent_by(struct doca_apsh_netscan *o)
{
	return doca_priv_apsh_counts_sent(o) ?
		       number(SOCKET(LINUX_TCP_BYTES_SENT)) :
		       nothing();
}

#define SOCKET_VALUES                                                          \
	text(SOCKET(PROTOCOL)), text(SOCKET(STATE)), text(SOCKET(LOCAL_ADDR)), \
		number(SOCKET(LOCAL_PORT)), text(SOCKET(REMOTE_ADDR)),         \
		number(SOCKET(REMOTE_PORT)), number(SOCKET(PID)),              \
		fd_number(SOCKET(LINUX_FD)),                                   \
		text(SOCKET(LINUX_INTERFACE_NAME)), text(SOCKET(COMM)),        \
		text(SOCKET(LINUX_FAMILY)), text(SOCKET(LINUX_TYPE)),          \
		text(SOCKET(LINUX_FILTER)),                                    \
		number(SOCKET(LINUX_NET_NAMESPACE)),                           \
		address(SOCKET(LINUX_SOCKET_OFFSET)), sent_by(o),              \
		number(SOCKET(LINUX_TCP_BYTES_ACKED)),                         \
		number(SOCKET(LINUX_TCP_BYTES_RECEIVED)),                      \
		number(SOCKET(LINUX_TCP_SEGS_IN)),                             \
		number(SOCKET(LINUX_TCP_SEGS_OUT)),                            \
		number(SOCKET(LINUX_TCP_DATA_SEGS_IN)),                        \
		number(SOCKET(LINUX_TCP_DATA_SEGS_OUT)),                       \
		texts(SOCKET(LINUX_INTERFACE_IPV4_ARR),                        \
		      SOCKET(LINUX_INTERFACE_IPV4_ARR_SIZE)),                  \
		texts(SOCKET(LINUX_INTERFACE_MAC_ARR),                         \
		      SOCKET(LINUX_INTERFACE_MAC_ARR_SIZE)),                   \
		texts(SOCKET(LINUX_INTERFACE_IPV6_ARR),                        \
		      SOCKET(LINUX_INTERFACE_IPV6_ARR_SIZE))

DEFINE_COMMAND(sockets, doca_apsh_system, system, doca_apsh_netscan_get,
	       doca_apsh_netscan_free, doca_apsh_netscan, socket_columns,
	       SOCKET_VALUES)
DEFINE_COMMAND(sockets_of, doca_apsh_process, process,
	       doca_apsh_process_netscan_get, doca_apsh_netscan_free,
	       doca_apsh_netscan, socket_columns, SOCKET_VALUES)

static const struct column file_columns[] = {
	{ "pid", NULL, 0 },	      { "inode", "INODE", 12 },
	{ "size", "SIZE", 12 },	      { "elf_type", "ELF", -8 },
	{ "sha256", "SHA256", -64 },  { "sha1", NULL, 0 },
	{ "inode_address", NULL, 0 }, { "path", "PATH", 0 },
};

#define DETAIL(attr)                          \
	doca_apsh_proc_file_details_info_get( \
		o, DOCA_APSH_PROCESS_FILE_DETAILS_##attr)

DEFINE_COMMAND(files, doca_apsh_process, process,
	       doca_apsh_proc_files_details_get,
	       doca_apsh_proc_files_details_free, doca_apsh_proc_file_details,
	       file_columns, number(DETAIL(PID)), number(DETAIL(INODE)),
	       number(DETAIL(SIZE)), text(DETAIL(ELF_TYPE)),
	       text(DETAIL(SHA256)), text(DETAIL(SHA1)),
	       address(DETAIL(INODE_ADDRESS)), text(DETAIL(PATH)))

const char *command_hashes;

static const struct column attestation_columns[] = {
	{ "pid", NULL, 0 },
	{ "comm", NULL, 0 },
	{ "start_address", "START", 16 },
	{ "end_address", "END", 16 },
	{ "protection", "PROT", 4 },
	{ "pages_number", "PAGES", 6 },
	{ "pages_present", "PRESENT", 7 },
	{ "matching_hashes", "MATCH", 6 },
	{ "hash_data_is_present", "HASHES", -6 },
	{ "path_of_memory_area", "FILE", 0 },
};

#define AREA(attr) doca_apsh_attst_info_get(o, DOCA_APSH_ATTESTATION_##attr)

/* Print code that differs, or about which nothing is known. */
static doca_error_t attestation(struct doca_apsh_process *process,
				struct doca_apsh_attestation ***list, int *nr)
{
	doca_error_t ret =
		doca_apsh_attestation_get(process, command_hashes, list, nr);

	for (int i = 0; ret == DOCA_SUCCESS && i < *nr; i++) {
		struct doca_apsh_attestation *o = (*list)[i];

		command_differs |= AREA(PAGES_PRESENT) != AREA(MATCHING_HASHES);
	}
	return ret;
}

DEFINE_COMMAND(attest, doca_apsh_process, process, attestation,
	       doca_apsh_attestation_free, doca_apsh_attestation,
	       attestation_columns, number(AREA(PID)), text(AREA(COMM)),
	       address(AREA(START_ADDRESS)), address(AREA(END_ADDRESS)),
	       text(AREA(PROTECTION)), number(AREA(PAGES_NUMBER)),
	       number(AREA(PAGES_PRESENT)), number(AREA(MATCHING_HASHES)),
	       truth(AREA(HASH_DATA_IS_PRESENT)),
	       text(AREA(PATH_OF_MEMORY_AREA)))

static const struct column suspect_columns[] = {
	{ "pid", NULL, 0 },
	{ "vad_start", "AREA", 16 },
	{ "vad_end", "END", 16 },
	{ "vad_protection", "PROT", 4 },
	{ "suspected_area_start", "FROM", 16 },
	{ "suspected_area_end", "TO", 16 },
	{ "vad_tag", "KIND", -7 },
	{ "vad_file_path", "FILE", 0 },
};

#define INJECTED(attr)                         \
	doca_apsh_injection_detect_info_get(o, \
					    DOCA_APSH_INJECTION_DETECT_##attr)

static doca_error_t injections(struct doca_apsh_process *process,
			       struct doca_apsh_injection_detect ***list,
			       int *nr)
{
	doca_error_t ret = doca_apsh_injection_detect_get(process, list, nr);

	command_differs |= ret == DOCA_SUCCESS && *nr;
	return ret;
}

DEFINE_COMMAND(inject, doca_apsh_process, process, injections,
	       doca_apsh_injection_detect_free, doca_apsh_injection_detect,
	       suspect_columns, number(INJECTED(PID)),
	       address(INJECTED(VAD_START)), address(INJECTED(VAD_END)),
	       text(INJECTED(VAD_PROTECTION)),
	       address(INJECTED(SUSPECTED_AREA_START)),
	       address(INJECTED(SUSPECTED_AREA_END)), text(INJECTED(VAD_TAG)),
	       text(INJECTED(VAD_FILE_PATH)))

const enum doca_apsh_yara_rule *command_rule;

static const char *const rule_names[] = {
	[DOCA_APSH_YARA_RULE_HELLO_WORLD] = "Hello_World",
	[DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION] =
		"Reflective_Dll_Injection",
	[DOCA_APSH_YARA_RULE_MIMIKATZ] = "Mimikatz",
};

const enum doca_apsh_yara_rule *rule_find(const char *name)
{
	static enum doca_apsh_yara_rule rule;

	rule = usage_choice("rule", name, rule_names, NR(rule_names));
	return &rule;
}

static const struct column match_columns[] = {
	{ "pid", NULL, 0 },
	{ "comm", NULL, 0 },
	{ "match_window_addr", "ADDRESS", 16 },
	{ "match_window_len", "LENGTH", 8 },
	{ "rule", "RULE", 0 },
};

#define MATCH(attr) doca_apsh_yara_info_get(o, DOCA_APSH_YARA_##attr)

/* Scan all of its memory; a match means that something is wrong. */
static doca_error_t matches(struct doca_apsh_process *process,
			    struct doca_apsh_yara ***list, int *nr)
{
	enum doca_apsh_yara_rule rule = *command_rule;
	doca_error_t ret = doca_apsh_yara_get(
		process, &rule, 1,
		DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP, list, nr);

	command_differs |= ret == DOCA_SUCCESS && *nr;
	return ret;
}

DEFINE_COMMAND(yara, doca_apsh_process, process, matches, doca_apsh_yara_free,
	       doca_apsh_yara, match_columns, number(MATCH(PID)),
	       text(MATCH(COMM)), address(MATCH(MATCH_WINDOW_ADDR)),
	       number(MATCH(MATCH_WINDOW_LEN)), text(MATCH(RULE)))

static doca_error_t ps_of_system(struct doca_apsh_system *system,
				 const char *word)
{
	(void)word;
	return ps(system);
}

static doca_error_t lsmod_of_system(struct doca_apsh_system *system,
				    const char *word)
{
	(void)word;
	return lsmod(system);
}

static doca_error_t ip_of_system(struct doca_apsh_system *system,
				 const char *word)
{
	(void)word;
	return interfaces(system);
}

static doca_error_t ss_of_system(struct doca_apsh_system *system,
				 const char *word)
{
	(void)word;
	return sockets(system);
}

static doca_error_t containers(struct doca_apsh_system *system,
			       const char *word)
{
	struct doca_apsh_container **list;
	doca_error_t ret;
	int nr;

	if (!word)
		return all_containers(system);
	ret = doca_apsh_containers_get(system, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = DOCA_ERROR_NOT_FOUND;
	for (int i = 0; i < nr && ret == DOCA_ERROR_NOT_FOUND; i++)
		if (!strcmp(word, doca_apsh_container_info_get(
					  list[i], DOCA_APSH_CONTAINER_ID)))
			ret = container_ps(list[i]);
	if (ret == DOCA_ERROR_NOT_FOUND)
		fprintf(stderr, "doca_apsh: container %s was not found\n",
			word);
	doca_apsh_containers_free(list);
	return ret;
}

static const struct command commands[] = {
	{ "ps", ARG_NONE, ps_of_system, NULL, false },
	{ "pstree", ARG_NONE, process_tree, NULL, false },
	{ "threads", ARG_PID, NULL, threads, false },
	{ "maps", ARG_PID, NULL, maps, false },
	{ "libs", ARG_PID, NULL, libs, false },
	{ "lsmod", ARG_NONE, lsmod_of_system, NULL, false },
	{ "args", ARG_PID, NULL, args, false },
	{ "env", ARG_PID, NULL, env, false },
	{ "caps", ARG_PID, NULL, caps, false },
	{ "fds", ARG_PID, NULL, fds, false },
	{ "files", ARG_PID, NULL, files, false },
	{ "attest", ARG_PID, NULL, attest, false },
	{ "inject", ARG_PID, NULL, inject, false },
	{ "yara", ARG_PID, NULL, yara, false },
	{ "check", ARG_WORD, check_system, NULL, true },
	{ "ss", ARG_MAY_PID, ss_of_system, sockets_of, false },
	{ "ip", ARG_NONE, ip_of_system, NULL, false },
	{ "containers", ARG_WORD, containers, NULL, false },
	{ "kmsg", ARG_NONE, kmsg, NULL, false },
	{ "mounts", ARG_OR_FIRST, NULL, mounts, false },
	{ "record", ARG_FILE, record, NULL, true },
};

const struct command *command_find(const char *name)
{
	const char *names[NR(commands)];

	for (int i = 0; i < NR(commands); i++)
		names[i] = commands[i].name;
	return &commands[usage_choice("command", name, names, NR(commands))];
}
