/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_apsh_attr.h
 * @brief App Shield: attributes of processes and other objects of a target.
 *
 * An attribute NAME has the type NAME_TYPE, which the macros of doca_apsh.h give
 * to what they return. A string or an array belongs to the object that it is
 * asked of, and is freed with the array of that object. A string of a Linux
 * target is never NULL: it is "" where the target has none. What the target
 * controls may have any bytes but 0 in it. Attributes of Windows are 0 or NULL
 * on Linux.
 *
 * A program that defines DOCA_API_COMPAT_2_5 before it includes this header gets
 * strings that are not const, and ports of 16 bits, as in DOCA 2.5.
 */
#ifndef DOCA_APSH_ATTR_H
#define DOCA_APSH_ATTR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dev_rep;

/** @brief Attributes of an attested memory area. */
enum doca_apsh_attestation_attr {
	/** Process id. */
	DOCA_APSH_ATTESTATION_PID = 0,
	/** Name of the process. */
	DOCA_APSH_ATTESTATION_COMM = 1,
	/** Path of the mapped file; or as /proc/PID/maps names it, or empty. */
	DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA = 2,
	/** Name, as in /proc/PID/maps. */
	DOCA_APSH_ATTESTATION_PROTECTION = 3,
	/** First address. */
	DOCA_APSH_ATTESTATION_START_ADDRESS = 4,
	/** First address behind it. */
	DOCA_APSH_ATTESTATION_END_ADDRESS = 5,
	/** Pages of the area. */
	DOCA_APSH_ATTESTATION_PAGES_NUMBER = 6,
	/** Pages that could be read. */
	DOCA_APSH_ATTESTATION_PAGES_PRESENT = 7,
	/** Pages of those whose hash is the expected one. */
	DOCA_APSH_ATTESTATION_MATCHING_HASHES = 8,
	/** Whether the hash file has the file of the area. */
	DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT = 9,
};

/** @brief Attributes of a container. */
enum doca_apsh_container_attr {
	/** As its runtime has it: mostly 64 hexadecimal digits, or else a name. */
	DOCA_APSH_CONTAINER_ID = 0,
};

/** @brief Attributes of an environment variable. */
enum doca_apsh_envar_attr {
	/** Process id. */
	DOCA_APSH_ENVARS_PID = 0,
	/** Name. */
	DOCA_APSH_ENVARS_VARIABLE = 2,
	/** Value. */
	DOCA_APSH_ENVARS_VALUE = 3,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_ENVARS_WINDOWS_BLOCK = 1000,
};

/** @brief Attributes of an open file. */
enum doca_apsh_handle_attr {
	/** Process id. */
	DOCA_APSH_HANDLE_PID = 0,
	/** File descriptor. */
	DOCA_APSH_HANDLE_VALUE = 2,
	/** Kernel address of the struct file. */
	DOCA_APSH_HANDLE_TABLE_ENTRY = 3,
	/** "file", "dir", "socket", "pipe", "chr", "blk", or "anon_inode". */
	DOCA_APSH_HANDLE_TYPE = 4,
	/** 1 if open for reading, 2 for writing, 3 for both. */
	DOCA_APSH_HANDLE_ACCESS = 5,
	/** Path, or a name such as "socket:[1234]". */
	DOCA_APSH_HANDLE_NAME = 6,
};

/** @brief Attributes of a suspicious memory area. */
enum doca_apsh_injection_detect_attr {
	/** Process id. */
	DOCA_APSH_INJECTION_DETECT_PID,
	/** First address of the area. */
	DOCA_APSH_INJECTION_DETECT_VAD_START,
	/** First address behind it. */
	DOCA_APSH_INJECTION_DETECT_VAD_END,
	/** As in /proc/PID/maps, "rwxp". */
	DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION,
	/**
	 * On Linux "code" for memory without a file on a disk, "elf" if it begins
	 * with an ELF header, "changed" for pages that were written to and differ
	 * from their file, "copied" if their file's pages are not in memory, and
	 * "vdso".
	 */
	DOCA_APSH_INJECTION_DETECT_VAD_TAG,
	/** Path or name, as in /proc/PID/maps, or "". */
	DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH,
	/** First suspicious address in it. */
	DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START,
	/** First address behind that. */
	DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END,
};

/** @brief Attributes of a network interface. */
enum doca_apsh_interface_attr {
	/** Name. */
	DOCA_APSH_LINUX_INTERFACE_NAME = 3000,
	/** IPv4 addresses. */
	DOCA_APSH_LINUX_INTERFACE_IPV4_ARR = 3001,
	/** Their prefix lengths in bits. */
	DOCA_APSH_LINUX_INTERFACE_IPV4_PREFIX_LEN_ARR = 3002,
	/** How many. */
	DOCA_APSH_LINUX_INTERFACE_IPV4_ARR_SIZE = 3003,
	/** Hardware addresses, such as "52:54:00:12:34:56". */
	DOCA_APSH_LINUX_INTERFACE_MAC_ARR = 3004,
	/** How many; 0 of the loopback interface. */
	DOCA_APSH_LINUX_INTERFACE_MAC_ARR_SIZE = 3005,
	/** IPv6 addresses. */
	DOCA_APSH_LINUX_INTERFACE_IPV6_ARR = 3006,
	/** Their prefix lengths in bits. */
	DOCA_APSH_LINUX_INTERFACE_IPV6_PREFIX_LEN_ARR = 3007,
	/** How many. */
	DOCA_APSH_LINUX_INTERFACE_IPV6_ARR_SIZE = 3008,
	/** Inode number of the network namespace. */
	DOCA_APSH_LINUX_INTERFACE_NAMESPACE = 3009,
};

/** @brief Attributes of a loaded module; Windows only. */
enum doca_apsh_ldrmodule_attr {
	/** Process id. */
	DOCA_APSH_LDRMODULE_PID = 0,
	/** Address. */
	DOCA_APSH_LDRMODULE_BASE_ADDRESS = 2,
	/** Path. */
	DOCA_APSH_LDRMODULE_LIBRARY_PATH = 3,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE = 1001,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LDRMODULE_WINDOWS_INLOAD = 1002,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LDRMODULE_WINDOWS_INMEM = 1003,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LDRMODULE_WINDOWS_ININIT = 1004,
};

/** @brief Attributes of a library. */
enum doca_apsh_lib_attr {
	/** Process id. */
	DOCA_APSH_LIB_PID = 0,
	/** Path of the file. */
	DOCA_APSH_LIB_LIBRARY_PATH = 2,
	/** Lowest address at which the file is mapped. */
	DOCA_APSH_LIB_LOAD_ADRESS = 3,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LIB_WINDOWS_DLL_NAME = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE = 1001,
	/** Like DOCA_APSH_LIB_LOAD_ADRESS. */
	DOCA_APSH_LIB_LINUX_LOAD_ADRESS = 2000,
};

/** @brief Attributes of a kernel module. */
enum doca_apsh_module_attr {
	/** Kernel address of the struct module. */
	DOCA_APSH_MODULES_OFFSET = 0,
	/** Name. */
	DOCA_APSH_MODULES_NAME = 1,
	/** Bytes, as in /proc/modules. */
	DOCA_APSH_MODULES_SIZE = 2,
};

/** @brief Attributes of a socket. */
enum doca_apsh_netscan_attr {
	/** Process that has the socket open; 0 if none has. */
	DOCA_APSH_NETSCAN_PID = 0,
	/** Its name; "" if none has. */
	DOCA_APSH_NETSCAN_COMM = 1,
	/** Such as "TCP", "UDP", "UNIX". */
	DOCA_APSH_NETSCAN_PROTOCOL = 2,
	/** Address, or path of a unix socket. */
	DOCA_APSH_NETSCAN_LOCAL_ADDR = 3,
	/** Address of the peer. */
	DOCA_APSH_NETSCAN_REMOTE_ADDR = 4,
	/** Port in host order. */
	DOCA_APSH_NETSCAN_LOCAL_PORT = 5,
	/** Port of the peer in host order. */
	DOCA_APSH_NETSCAN_REMOTE_PORT = 6,
	/** Such as "ESTABLISHED" or "LISTEN". */
	DOCA_APSH_NETSCAN_STATE = 7,
	/** "" on Linux. */
	DOCA_APSH_NETSCAN_TIME = 8,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_NETSCAN_WINDOWS_TIME = 1000,
	/** File descriptor; UINT32_MAX if none. */
	DOCA_APSH_NETSCAN_LINUX_FD = 2000,
	/** Kernel address of the struct sock. */
	DOCA_APSH_NETSCAN_LINUX_SOCKET_OFFSET = 2001,
	/** Such as "AF_INET". */
	DOCA_APSH_NETSCAN_LINUX_FAMILY = 2002,
	/** Such as "STREAM". */
	DOCA_APSH_NETSCAN_LINUX_TYPE = 2003,
	/** "none", "cBPF" or "eBPF". */
	DOCA_APSH_NETSCAN_LINUX_FILTER = 2004,
	/** Inode number of the network namespace. */
	DOCA_APSH_NETSCAN_LINUX_NET_NAMESPACE = 2005,
	/** Bytes sent. */
	DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_SENT = 2006,
	/** Bytes acknowledged by the peer. */
	DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_ACKED = 2007,
	/** Bytes received. */
	DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_RECEIVED = 2008,
	/** Segments received. */
	DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_IN = 2009,
	/** Segments sent. */
	DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_OUT = 2010,
	/** Segments with data received. */
	DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_IN = 2011,
	/** Segments with data sent. */
	DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_OUT = 2012,
	/** Interface of the socket; "" if unknown. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_NAME = 2013,
	/** IPv4 addresses of the interface. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR = 2014,
	/** How many. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR_SIZE = 2015,
	/** Hardware addresses of the interface. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR = 2016,
	/** How many. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR_SIZE = 2017,
	/** IPv6 addresses of the interface. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR = 2018,
	/** How many. */
	DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR_SIZE = 2019,
};

/** @brief Attributes of a capability. */
enum doca_apsh_privilege_attr {
	/** Process id. */
	DOCA_APSH_PRIVILEGES_PID = 0,
	/** Capability, such as "CAP_NET_ADMIN". */
	DOCA_APSH_PRIVILEGES_NAME = 2,
	/** Whether it is in the effective set. */
	DOCA_APSH_PRIVILEGES_IS_ON = 3,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED = 1001,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT = 1002,
};

/** @brief Attributes of a file that a process uses. */
enum doca_apsh_proc_file_details_attr {
	/** Process id. */
	DOCA_APSH_PROCESS_FILE_DETAILS_PID = 0,
	/** Path of the file. */
	DOCA_APSH_PROCESS_FILE_DETAILS_PATH = 1,
	/** SHA-1 in hexadecimal digits; "" if a page is not in memory. */
	DOCA_APSH_PROCESS_FILE_DETAILS_SHA1 = 2,
	/** Likewise, SHA-256. */
	DOCA_APSH_PROCESS_FILE_DETAILS_SHA256 = 3,
	/** Inode number. */
	DOCA_APSH_PROCESS_FILE_DETAILS_INODE = 4,
	/** Bytes. */
	DOCA_APSH_PROCESS_FILE_DETAILS_SIZE = 5,
	/** "ET_EXEC", "ET_DYN", "ET_REL", "ET_CORE", or "". */
	DOCA_APSH_PROCESS_FILE_DETAILS_ELF_TYPE = 6,
	/** Kernel address of the inode. */
	DOCA_APSH_PROCESS_FILE_DETAILS_INODE_ADDRESS = 7,
};

/** @brief Attributes of a process. */
enum doca_apsh_process_attr {
	/** Process id, in the initial namespace. */
	DOCA_APSH_PROCESS_PID = 0,
	/** Process id of the parent. */
	DOCA_APSH_PROCESS_PPID = 1,
	/** Name, at most 15 bytes. */
	DOCA_APSH_PROCESS_COMM = 2,
	/** CPU time of all its threads, in picoseconds. */
	DOCA_APSH_PROCESS_CPU_TIME = 3,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PROCESS_WINDOWS_OFFSET = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PROCESS_WINDOWS_THREADS = 1001,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME = 1002,
	/** Real group id. */
	DOCA_APSH_PROCESS_LINUX_GID = 2000,
	/** Real user id. */
	DOCA_APSH_PROCESS_LINUX_UID = 2001,
	/** Task state, the kernel's bits; 0 is running. */
	DOCA_APSH_PROCESS_LINUX_STATE = 2002,
	/** Inode number of the PID namespace. */
	DOCA_APSH_PROCESS_LINUX_NS_PID = 2003,
	/** Inode number of the mount namespace; 0 of a zombie. */
	DOCA_APSH_PROCESS_LINUX_NS_MNT = 2004,
	/** Inode number of the network namespace; 0 of a zombie. */
	DOCA_APSH_PROCESS_LINUX_NS_NET = 2005,
};

/** @brief Attributes of the parameters of a process. */
enum doca_apsh_process_parameters_attr {
	/** Process id. */
	DOCA_APSH_PROCESS_PARAMETERS_PID = 0,
	/** Arguments, joined by blanks. */
	DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE = 1,
	/** Lowest address at which the program is mapped. */
	DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR = 2,
	/** Path of the program. */
	DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH = 3,
};

/** @brief Attributes of a security identifier; Windows only. */
enum doca_apsh_sid_attr {
	/** Process id. */
	DOCA_APSH_PROCESS_SID_PID = 0,
	/** Security identifier. */
	DOCA_APSH_PROCESS_SID_STRING = 1,
	/** Its attributes. */
	DOCA_APSH_PROCESS_SID_ATTRIBUTES = 2,
};

/** @brief Settings of a system. */
enum doca_apsh_system_config_attr {
	/** See doca_apsh_sys_os_symbol_map_set(). */
	DOCA_APSH_OS_SYMBOL_MAP = 0,
	/** See doca_apsh_sys_mem_region_set(). */
	DOCA_APSH_MEM_REGION = 1,
	/** See doca_apsh_sys_kpgd_file_set(). */
	DOCA_APSH_KPGD_FILE = 2,
	/** See doca_apsh_sys_dev_set(). */
	DOCA_APSH_VHCA_ID = 3,
	/** See doca_apsh_sys_os_type_set(). */
	DOCA_APSH_OS_TYPE = 4,
	/** See doca_apsh_sys_set_scan_window_size(). */
	DOCA_APSH_SCAN_WIN_SIZE = 5,
	/** See doca_apsh_sys_set_scan_window_step(). */
	DOCA_APSH_SCAN_WIN_STEP = 6,
	/** Areas that one attestation has, 4096 unless set. */
	DOCA_APSH_HASHTEST_LIMIT = 7,
	/** Modules, 8192. */
	DOCA_APSH_MODULES_LIMIT = 8,
	/** Processes, 131072. */
	DOCA_APSH_PROCESS_LIMIT = 9,
	/** Threads of one process, 32768. */
	DOCA_APSH_THREADS_LIMIT = 10,
	/** Windows only, 65536. */
	DOCA_APSH_LDRMODULES_LIMIT = 11,
	/** Libraries of one process, 8192. */
	DOCA_APSH_LIBS_LIMIT = 12,
	/** Memory areas of one process, 131072. */
	DOCA_APSH_VADS_LIMIT = 13,
	/** Environment variables of one process, 65536. */
	DOCA_APSH_WINDOWS_ENVARS_LIMIT = 14,
	/** Open files of one process, 65536. */
	DOCA_APSH_HANDLES_LIMIT = 15,
	/** Bytes of one string, 4096. */
	DOCA_APSH_STRING_LIMIT = 16,
	/** See doca_apsh_sys_os_symbol_map_folder_set(). */
	DOCA_APSH_OS_SYMBOL_MAP_FOLDER = 17,
	/** Bytes that are hashed of one file, 256 MiB. */
	DOCA_APSH_FILESIZE_LIMIT = 18,
};

/** @brief Operating system of a target. */
enum doca_apsh_system_os {
	/** Linux. */
	DOCA_APSH_SYSTEM_LINUX = 0,
	/** Windows; not supported. */
	DOCA_APSH_SYSTEM_WINDOWS = 1,
};

/** @brief Attributes of a thread. */
enum doca_apsh_thread_attr {
	/** Process id. */
	DOCA_APSH_THREAD_PID = 0,
	/** Thread id. */
	DOCA_APSH_THREAD_TID = 1,
	/** Task state, the kernel's bits; 0 is running. */
	DOCA_APSH_THREAD_STATE = 2,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_THREAD_WINDOWS_WAIT_REASON = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_THREAD_WINDOWS_OFFSET = 1001,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT = 1002,
	/** Name of the process. */
	DOCA_APSH_THREAD_LINUX_PROC_NAME = 2000,
	/** Name of the thread. */
	DOCA_APSH_THREAD_LINUX_THREAD_NAME = 2001,
};

/** @brief Attributes of a memory area. */
enum doca_apsh_vad_attr {
	/** Process id. */
	DOCA_APSH_VMA_PID = 0,
	/** Kernel address of the vm_area_struct. */
	DOCA_APSH_VMA_OFFSET = 1,
	/** Protection, as in /proc/PID/maps, such as "r-xp". */
	DOCA_APSH_VMA_PROTECTION = 2,
	/** First address. */
	DOCA_APSH_VMA_VM_START = 3,
	/** First address behind it. */
	DOCA_APSH_VMA_VM_END = 4,
	/** Name of the process. */
	DOCA_APSH_VMA_PROCESS_NAME = 5,
	/** Path of the file, or a name such as "[heap]"; else "". */
	DOCA_APSH_VMA_FILE_PATH = 6,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE = 1000,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY = 1001,
	/** Windows only; 0 or NULL. */
	DOCA_APSH_VMA_WINDOWS_TAG = 1002,
};

/** @brief Attributes of a match of a YARA rule. */
enum doca_apsh_yara_attr {
	/** Process id. */
	DOCA_APSH_YARA_PID = 0,
	/** Name of the process. */
	DOCA_APSH_YARA_COMM = 1,
	/** Rule that matches: "Hello_World", "Reflective_Dll_Injection" or "Mimikatz". */
	DOCA_APSH_YARA_RULE = 2,
	/** Address of the window that matches. */
	DOCA_APSH_YARA_MATCH_WINDOW_ADDR = 3,
	/** Bytes of that window. */
	DOCA_APSH_YARA_MATCH_WINDOW_LEN = 4,
};

/** @brief YARA rules that are known by name. */
enum doca_apsh_yara_rule {
	/** "Hello_World": looks for the text "Hello World". */
	DOCA_APSH_YARA_RULE_HELLO_WORLD = 0,
	/** "Reflective_Dll_Injection". */
	DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION = 1,
	/** "Mimikatz". */
	DOCA_APSH_YARA_RULE_MIMIKATZ = 2,
};

/** @brief Memory of a process to scan, bits. */
enum doca_apsh_yara_scan_type {
	/** Scan memory areas. */
	DOCA_APSH_YARA_SCAN_VMA = 1,
	/** Scan the heap. */
	DOCA_APSH_YARA_SCAN_HEAP = 1 << 1,
};

/**
 * @def DOCA_APSH_STRING
 * @brief Type of an attribute that is a string.
 *
 * @def DOCA_APSH_PORT
 * @brief Type of an attribute that is a port.
 */
#ifdef DOCA_API_COMPAT_2_5
#define DOCA_APSH_STRING char *
#define DOCA_APSH_PORT uint16_t
#else
#define DOCA_APSH_STRING const char *
#define DOCA_APSH_PORT uint64_t
#endif

/** @brief Type of DOCA_APSH_ATTESTATION_COMM. */
typedef DOCA_APSH_STRING DOCA_APSH_ATTESTATION_COMM_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_END_ADDRESS. */
typedef uint64_t DOCA_APSH_ATTESTATION_END_ADDRESS_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT. */
typedef bool DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_MATCHING_HASHES. */
typedef int DOCA_APSH_ATTESTATION_MATCHING_HASHES_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_PAGES_NUMBER. */
typedef int DOCA_APSH_ATTESTATION_PAGES_NUMBER_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_PAGES_PRESENT. */
typedef int DOCA_APSH_ATTESTATION_PAGES_PRESENT_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA. */
typedef DOCA_APSH_STRING DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_PID. */
typedef uint32_t DOCA_APSH_ATTESTATION_PID_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_PROTECTION. */
typedef DOCA_APSH_STRING DOCA_APSH_ATTESTATION_PROTECTION_TYPE;
/** @brief Type of DOCA_APSH_ATTESTATION_START_ADDRESS. */
typedef uint64_t DOCA_APSH_ATTESTATION_START_ADDRESS_TYPE;
/** @brief Type of DOCA_APSH_CONTAINER_ID. */
typedef const char *DOCA_APSH_CONTAINER_ID_TYPE;
/** @brief Type of DOCA_APSH_DMA_DEV. */
typedef struct doca_dev *DOCA_APSH_DMA_DEV_TYPE;
/** @brief Type of DOCA_APSH_ENVARS_PID. */
typedef uint32_t DOCA_APSH_ENVARS_PID_TYPE;
/** @brief Type of DOCA_APSH_ENVARS_VALUE. */
typedef DOCA_APSH_STRING DOCA_APSH_ENVARS_VALUE_TYPE;
/** @brief Type of DOCA_APSH_ENVARS_VARIABLE. */
typedef DOCA_APSH_STRING DOCA_APSH_ENVARS_VARIABLE_TYPE;
/** @brief Type of DOCA_APSH_ENVARS_WINDOWS_BLOCK. */
typedef uint64_t DOCA_APSH_ENVARS_WINDOWS_BLOCK_TYPE;
/** @brief Type of DOCA_APSH_FILESIZE_LIMIT. */
typedef int DOCA_APSH_FILESIZE_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_ACCESS. */
typedef uint64_t DOCA_APSH_HANDLE_ACCESS_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_HANDLE_NAME_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_PID. */
typedef uint32_t DOCA_APSH_HANDLE_PID_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_TABLE_ENTRY. */
typedef uint64_t DOCA_APSH_HANDLE_TABLE_ENTRY_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_TYPE. */
typedef DOCA_APSH_STRING DOCA_APSH_HANDLE_TYPE_TYPE;
/** @brief Type of DOCA_APSH_HANDLE_VALUE. */
typedef uint64_t DOCA_APSH_HANDLE_VALUE_TYPE;
/** @brief Type of DOCA_APSH_HASHTEST_LIMIT. */
typedef int DOCA_APSH_HASHTEST_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_PID. */
typedef uint32_t DOCA_APSH_INJECTION_DETECT_PID_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END. */
typedef uint64_t DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START. */
typedef uint64_t DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_VAD_END. */
typedef uint64_t DOCA_APSH_INJECTION_DETECT_VAD_END_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH. */
typedef DOCA_APSH_STRING DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION. */
typedef DOCA_APSH_STRING DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_VAD_START. */
typedef uint64_t DOCA_APSH_INJECTION_DETECT_VAD_START_TYPE;
/** @brief Type of DOCA_APSH_INJECTION_DETECT_VAD_TAG. */
typedef DOCA_APSH_STRING DOCA_APSH_INJECTION_DETECT_VAD_TAG_TYPE;
/** @brief Type of DOCA_APSH_KPGD_FILE. */
typedef char *DOCA_APSH_KPGD_FILE_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_BASE_ADDRESS. */
typedef uint64_t DOCA_APSH_LDRMODULE_BASE_ADDRESS_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_LIBRARY_PATH. */
typedef DOCA_APSH_STRING DOCA_APSH_LDRMODULE_LIBRARY_PATH_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_PID. */
typedef uint32_t DOCA_APSH_LDRMODULE_PID_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_WINDOWS_ININIT. */
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_ININIT_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_WINDOWS_INLOAD. */
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_INLOAD_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_WINDOWS_INMEM. */
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_INMEM_TYPE;
/** @brief Type of DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE. */
typedef uint32_t DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE_TYPE;
/** @brief Type of DOCA_APSH_LIBS_LIMIT. */
typedef int DOCA_APSH_LIBS_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_LIB_LIBRARY_PATH. */
typedef DOCA_APSH_STRING DOCA_APSH_LIB_LIBRARY_PATH_TYPE;
/** @brief Type of DOCA_APSH_LIB_LINUX_LOAD_ADRESS. */
typedef uint64_t DOCA_APSH_LIB_LINUX_LOAD_ADRESS_TYPE;
/** @brief Type of DOCA_APSH_LIB_LOAD_ADRESS. */
typedef uint64_t DOCA_APSH_LIB_LOAD_ADRESS_TYPE;
/** @brief Type of DOCA_APSH_LIB_PID. */
typedef uint32_t DOCA_APSH_LIB_PID_TYPE;
/** @brief Type of DOCA_APSH_LIB_WINDOWS_DLL_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_LIB_WINDOWS_DLL_NAME_TYPE;
/** @brief Type of DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE. */
typedef uint32_t DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV4_ARR_SIZE. */
typedef uint32_t DOCA_APSH_LINUX_INTERFACE_IPV4_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV4_ARR. */
typedef char **DOCA_APSH_LINUX_INTERFACE_IPV4_ARR_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV4_PREFIX_LEN_ARR. */
typedef unsigned char *DOCA_APSH_LINUX_INTERFACE_IPV4_PREFIX_LEN_ARR_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV6_ARR_SIZE. */
typedef uint32_t DOCA_APSH_LINUX_INTERFACE_IPV6_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV6_ARR. */
typedef char **DOCA_APSH_LINUX_INTERFACE_IPV6_ARR_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_IPV6_PREFIX_LEN_ARR. */
typedef uint32_t *DOCA_APSH_LINUX_INTERFACE_IPV6_PREFIX_LEN_ARR_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_MAC_ARR_SIZE. */
typedef uint32_t DOCA_APSH_LINUX_INTERFACE_MAC_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_MAC_ARR. */
typedef char **DOCA_APSH_LINUX_INTERFACE_MAC_ARR_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_NAMESPACE. */
typedef uint32_t DOCA_APSH_LINUX_INTERFACE_NAMESPACE_TYPE;
/** @brief Type of DOCA_APSH_LINUX_INTERFACE_NAME. */
typedef const char *DOCA_APSH_LINUX_INTERFACE_NAME_TYPE;
/** @brief Type of DOCA_APSH_MEM_REGION. */
typedef char *DOCA_APSH_MEM_REGION_TYPE;
/** @brief Type of DOCA_APSH_MODULES_LIMIT. */
typedef int DOCA_APSH_MODULES_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_MODULES_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_MODULES_NAME_TYPE;
/** @brief Type of DOCA_APSH_MODULES_OFFSET. */
typedef uint64_t DOCA_APSH_MODULES_OFFSET_TYPE;
/** @brief Type of DOCA_APSH_MODULES_SIZE. */
typedef uint32_t DOCA_APSH_MODULES_SIZE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_COMM. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_COMM_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_FAMILY. */
typedef const char *DOCA_APSH_NETSCAN_LINUX_FAMILY_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_FD. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_FD_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_FILTER. */
typedef const char *DOCA_APSH_NETSCAN_LINUX_FILTER_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR_SIZE. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR. */
typedef char **DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV4_ARR_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR_SIZE. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR. */
typedef char **DOCA_APSH_NETSCAN_LINUX_INTERFACE_IPV6_ARR_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR_SIZE. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR_SIZE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR. */
typedef char **DOCA_APSH_NETSCAN_LINUX_INTERFACE_MAC_ARR_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_INTERFACE_NAME. */
typedef char *DOCA_APSH_NETSCAN_LINUX_INTERFACE_NAME_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_NET_NAMESPACE. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_NET_NAMESPACE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_SOCKET_OFFSET. */
typedef uint64_t DOCA_APSH_NETSCAN_LINUX_SOCKET_OFFSET_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_ACKED. */
typedef uint64_t DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_ACKED_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_RECEIVED. */
typedef uint64_t DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_RECEIVED_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_SENT. */
typedef uint64_t DOCA_APSH_NETSCAN_LINUX_TCP_BYTES_SENT_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_IN. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_IN_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_OUT. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_TCP_DATA_SEGS_OUT_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_IN. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_IN_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_OUT. */
typedef uint32_t DOCA_APSH_NETSCAN_LINUX_TCP_SEGS_OUT_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LINUX_TYPE. */
typedef const char *DOCA_APSH_NETSCAN_LINUX_TYPE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LOCAL_ADDR. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_LOCAL_ADDR_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_LOCAL_PORT. */
typedef DOCA_APSH_PORT DOCA_APSH_NETSCAN_LOCAL_PORT_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_PID. */
typedef uint32_t DOCA_APSH_NETSCAN_PID_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_PROTOCOL. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_PROTOCOL_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_REMOTE_ADDR. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_REMOTE_ADDR_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_REMOTE_PORT. */
typedef DOCA_APSH_PORT DOCA_APSH_NETSCAN_REMOTE_PORT_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_STATE. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_STATE_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_TIME. */
typedef DOCA_APSH_STRING DOCA_APSH_NETSCAN_TIME_TYPE;
/** @brief Type of DOCA_APSH_NETSCAN_WINDOWS_TIME. */
typedef const char *DOCA_APSH_NETSCAN_WINDOWS_TIME_TYPE;
/** @brief Type of DOCA_APSH_OS_SYMBOL_MAP_FOLDER. */
typedef char *DOCA_APSH_OS_SYMBOL_MAP_FOLDER_TYPE;
/** @brief Type of DOCA_APSH_OS_SYMBOL_MAP. */
typedef char *DOCA_APSH_OS_SYMBOL_MAP_TYPE;
/** @brief Type of DOCA_APSH_OS_TYPE. */
typedef enum doca_apsh_system_os DOCA_APSH_OS_TYPE_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_IS_ON. */
typedef bool DOCA_APSH_PRIVILEGES_IS_ON_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_PRIVILEGES_NAME_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_PID. */
typedef uint32_t DOCA_APSH_PRIVILEGES_PID_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT. */
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED. */
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED_TYPE;
/** @brief Type of DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT. */
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_COMM. */
typedef DOCA_APSH_STRING DOCA_APSH_PROCESS_COMM_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_CPU_TIME. */
typedef uint64_t DOCA_APSH_PROCESS_CPU_TIME_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_ELF_TYPE. */
typedef const char *DOCA_APSH_PROCESS_FILE_DETAILS_ELF_TYPE_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_INODE_ADDRESS. */
typedef uint64_t DOCA_APSH_PROCESS_FILE_DETAILS_INODE_ADDRESS_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_INODE. */
typedef uint64_t DOCA_APSH_PROCESS_FILE_DETAILS_INODE_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_PATH. */
typedef const char *DOCA_APSH_PROCESS_FILE_DETAILS_PATH_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_PID. */
typedef uint32_t DOCA_APSH_PROCESS_FILE_DETAILS_PID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_SHA1. */
typedef const char *DOCA_APSH_PROCESS_FILE_DETAILS_SHA1_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_SHA256. */
typedef const char *DOCA_APSH_PROCESS_FILE_DETAILS_SHA256_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_FILE_DETAILS_SIZE. */
typedef uint64_t DOCA_APSH_PROCESS_FILE_DETAILS_SIZE_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LIMIT. */
typedef int DOCA_APSH_PROCESS_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_GID. */
typedef uint32_t DOCA_APSH_PROCESS_LINUX_GID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_NS_MNT. */
typedef uint32_t DOCA_APSH_PROCESS_LINUX_NS_MNT_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_NS_NET. */
typedef uint32_t DOCA_APSH_PROCESS_LINUX_NS_NET_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_NS_PID. */
typedef uint32_t DOCA_APSH_PROCESS_LINUX_NS_PID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_STATE. */
typedef uint64_t DOCA_APSH_PROCESS_LINUX_STATE_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_LINUX_UID. */
typedef uint32_t DOCA_APSH_PROCESS_LINUX_UID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE. */
typedef DOCA_APSH_STRING DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR. */
typedef uint64_t DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH. */
typedef DOCA_APSH_STRING DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PARAMETERS_PID. */
typedef uint32_t DOCA_APSH_PROCESS_PARAMETERS_PID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PID. */
typedef uint32_t DOCA_APSH_PROCESS_PID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_PPID. */
typedef uint32_t DOCA_APSH_PROCESS_PPID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_SID_ATTRIBUTES. */
typedef uint32_t DOCA_APSH_PROCESS_SID_ATTRIBUTES_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_SID_PID. */
typedef uint32_t DOCA_APSH_PROCESS_SID_PID_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_SID_STRING. */
typedef DOCA_APSH_STRING DOCA_APSH_PROCESS_SID_STRING_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME. */
typedef uint64_t DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_WINDOWS_OFFSET. */
typedef uint64_t DOCA_APSH_PROCESS_WINDOWS_OFFSET_TYPE;
/** @brief Type of DOCA_APSH_PROCESS_WINDOWS_THREADS. */
typedef uint32_t DOCA_APSH_PROCESS_WINDOWS_THREADS_TYPE;
/** @brief Type of DOCA_APSH_SCAN_WIN_SIZE. */
typedef uint32_t DOCA_APSH_SCAN_WIN_SIZE_TYPE;
/** @brief Type of DOCA_APSH_SCAN_WIN_STEP. */
typedef uint32_t DOCA_APSH_SCAN_WIN_STEP_TYPE;
/** @brief Type of DOCA_APSH_STRING_LIMIT. */
typedef int DOCA_APSH_STRING_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_THREADS_LIMIT. */
typedef int DOCA_APSH_THREADS_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_THREAD_LINUX_PROC_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_THREAD_LINUX_PROC_NAME_TYPE;
/** @brief Type of DOCA_APSH_THREAD_LINUX_THREAD_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_THREAD_LINUX_THREAD_NAME_TYPE;
/** @brief Type of DOCA_APSH_THREAD_PID. */
typedef uint32_t DOCA_APSH_THREAD_PID_TYPE;
/** @brief Type of DOCA_APSH_THREAD_STATE. */
typedef uint64_t DOCA_APSH_THREAD_STATE_TYPE;
/** @brief Type of DOCA_APSH_THREAD_TID. */
typedef uint32_t DOCA_APSH_THREAD_TID_TYPE;
/** @brief Type of DOCA_APSH_THREAD_WINDOWS_OFFSET. */
typedef uint64_t DOCA_APSH_THREAD_WINDOWS_OFFSET_TYPE;
/** @brief Type of DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT. */
typedef uint8_t DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT_TYPE;
/** @brief Type of DOCA_APSH_THREAD_WINDOWS_WAIT_REASON. */
typedef uint8_t DOCA_APSH_THREAD_WINDOWS_WAIT_REASON_TYPE;
/** @brief Type of DOCA_APSH_VADS_LIMIT. */
typedef int DOCA_APSH_VADS_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_VHCA_ID. */
typedef struct doca_dev_rep *DOCA_APSH_VHCA_ID_TYPE;
/** @brief Type of DOCA_APSH_VMA_FILE_PATH. */
typedef DOCA_APSH_STRING DOCA_APSH_VMA_FILE_PATH_TYPE;
/** @brief Type of DOCA_APSH_VMA_OFFSET. */
typedef uint64_t DOCA_APSH_VMA_OFFSET_TYPE;
/** @brief Type of DOCA_APSH_VMA_PID. */
typedef uint32_t DOCA_APSH_VMA_PID_TYPE;
/** @brief Type of DOCA_APSH_VMA_PROCESS_NAME. */
typedef DOCA_APSH_STRING DOCA_APSH_VMA_PROCESS_NAME_TYPE;
/** @brief Type of DOCA_APSH_VMA_PROTECTION. */
typedef DOCA_APSH_STRING DOCA_APSH_VMA_PROTECTION_TYPE;
/** @brief Type of DOCA_APSH_VMA_VM_END. */
typedef uint64_t DOCA_APSH_VMA_VM_END_TYPE;
/** @brief Type of DOCA_APSH_VMA_VM_START. */
typedef uint64_t DOCA_APSH_VMA_VM_START_TYPE;
/** @brief Type of DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE. */
typedef uint32_t DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE_TYPE;
/** @brief Type of DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY. */
typedef uint32_t DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY_TYPE;
/** @brief Type of DOCA_APSH_VMA_WINDOWS_TAG. */
typedef DOCA_APSH_STRING DOCA_APSH_VMA_WINDOWS_TAG_TYPE;
/** @brief Type of DOCA_APSH_WINDOWS_ENVARS_LIMIT. */
typedef int DOCA_APSH_WINDOWS_ENVARS_LIMIT_TYPE;
/** @brief Type of DOCA_APSH_YARA_COMM. */
typedef DOCA_APSH_STRING DOCA_APSH_YARA_COMM_TYPE;
/** @brief Type of DOCA_APSH_YARA_MATCH_WINDOW_ADDR. */
typedef uint64_t DOCA_APSH_YARA_MATCH_WINDOW_ADDR_TYPE;
/** @brief Type of DOCA_APSH_YARA_MATCH_WINDOW_LEN. */
typedef uint64_t DOCA_APSH_YARA_MATCH_WINDOW_LEN_TYPE;
/** @brief Type of DOCA_APSH_YARA_PID. */
typedef uint32_t DOCA_APSH_YARA_PID_TYPE;
/** @brief Type of DOCA_APSH_YARA_RULE. */
typedef DOCA_APSH_STRING DOCA_APSH_YARA_RULE_TYPE;

#ifdef __cplusplus
}
#endif

#endif /* DOCA_APSH_ATTR_H */
