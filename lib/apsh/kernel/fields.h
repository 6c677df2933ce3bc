/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * All that the library knows of the kernel's types: the map of symbols says where each
 * of these fields is. No code asks for the kernel's release.
 *
 *  X(NAME, type, path, size, needed)
 *
 * A path may lead into structures that are members, and may name alternatives with |
 * between them, as a type may. Of an array it means the first element. If size is not 0,
 * it must equal the map's. An empty path is the type itself. A field that is not needed
 * may be missing, as one of another size is: see has(). The last ones are those of older
 * kernels alone.
 */
#ifndef DOCA_APSH_FIELDS_H
#define DOCA_APSH_FIELDS_H

#include "../types.h"

#define FIELDS(X)                                                             \
	X(TASK_PID, "task_struct", "pid", 4, true)                            \
	X(TASK_TGID, "task_struct", "tgid", 4, true)                          \
	X(TASK_COMM, "task_struct", "comm", 16, true)                         \
	X(TASK_STATE, "task_struct", "__state|state", 0, true)                \
	X(TASK_EXIT_STATE, "task_struct", "exit_state", 4, true)              \
	X(TASK_TASKS, "task_struct", "tasks", 16, true)                       \
	X(TASK_PARENT, "task_struct", "real_parent", 8, true)                 \
	X(TASK_CRED, "task_struct", "real_cred", 8, true)                     \
	X(TASK_NSPROXY, "task_struct", "nsproxy", 8, true)                    \
	X(TASK_SIGNAL, "task_struct", "signal", 8, true)                      \
	X(TASK_THREAD_PID, "task_struct", "thread_pid|pids.pid", 8, true)     \
	X(TASK_THREAD_NODE, "task_struct", "thread_node", 16, false)          \
	X(TASK_PID_LINKS, "task_struct", "pid_links|pids", 0, true)           \
	X(TASK_START, "task_struct", "start_boottime|real_start_time", 8,     \
	  true)                                                               \
	X(TASK_RUNTIME, "task_struct", "se.sum_exec_runtime", 8, true)        \
	X(TASK_MM, "task_struct", "mm", 8, true)                              \
	X(TASK_FILES, "task_struct", "files", 8, true)                        \
	X(SIGNAL_THREADS, "signal_struct", "thread_head", 16, false)          \
	X(SIGNAL_RUNTIME, "signal_struct", "sum_sched_runtime", 8, true)      \
	X(CRED_UID, "cred", "uid", 4, true)                                   \
	X(CRED_GID, "cred", "gid", 4, true)                                   \
	X(CRED_PERMITTED, "cred", "cap_permitted", 8, true)                   \
	X(CRED_EFFECTIVE, "cred", "cap_effective", 8, true)                   \
	X(PID_LEVEL, "pid", "level", 4, true)                                 \
	X(PID_TASKS, "pid", "tasks", 0, true)                                 \
	X(PID_NUMBERS, "pid", "numbers", 0, true)                             \
	X(UPID_SIZE, "upid", "", 0, true)                                     \
	X(UPID_NS, "upid", "ns", 8, true)                                     \
	X(PIDNS_INUM, "pid_namespace", "ns.inum", 4, true)                    \
	X(PIDNS_IDR, "pid_namespace", "idr.idr_rt", 16, true)                 \
	X(MNTNS_INUM, "mnt_namespace", "ns.inum", 4, true)                    \
	X(NET_INUM, "net", "ns.inum", 4, true)                                \
	X(NSPROXY_MNT, "nsproxy", "mnt_ns", 8, true)                          \
	X(NSPROXY_NET, "nsproxy", "net_ns", 8, true)                          \
	X(XARRAY_HEAD, "xarray|radix_tree_root", "xa_head|rnode", 8, true)    \
	X(XA_NODE_SIZE, "xa_node|radix_tree_node", "", 0, true)               \
	X(XA_NODE_SHIFT, "xa_node|radix_tree_node", "shift", 1, true)         \
	X(XA_NODE_OFFSET, "xa_node|radix_tree_node", "offset", 1, true)       \
	X(XA_NODE_PARENT, "xa_node|radix_tree_node", "parent", 8, true)       \
	X(XA_NODE_SLOTS, "xa_node|radix_tree_node", "slots", 512, true)       \
	X(MM_ROOT, "mm_struct", "mm_mt.ma_root", 8, false)                    \
	X(MM_PGD, "mm_struct", "pgd", 8, true)                                \
	X(MM_EXE, "mm_struct", "exe_file", 8, true)                           \
	X(MM_COUNT, "mm_struct", "map_count", 4, true)                        \
	X(MM_START_BRK, "mm_struct", "start_brk", 8, true)                    \
	X(MM_BRK, "mm_struct", "brk", 8, true)                                \
	X(MM_STACK, "mm_struct", "start_stack", 8, true)                      \
	X(MM_ARG_START, "mm_struct", "arg_start", 8, true)                    \
	X(MM_ARG_END, "mm_struct", "arg_end", 8, true)                        \
	X(MM_ENV_START, "mm_struct", "env_start", 8, true)                    \
	X(MM_ENV_END, "mm_struct", "env_end", 8, true)                        \
	X(MM_VDSO, "mm_struct", "context.vdso", 8, false)                     \
	X(MAPLE_SIZE, "maple_node", "", 256, false)                           \
	X(MR64_PIVOTS, "maple_range_64", "pivot", 0, false)                   \
	X(MR64_SLOTS, "maple_range_64", "slot", 0, false)                     \
	X(MA64_PIVOTS, "maple_arange_64", "pivot", 0, false)                  \
	X(MA64_SLOTS, "maple_arange_64", "slot", 0, false)                    \
	X(VMA_START, "vm_area_struct", "vm_start", 8, true)                   \
	X(VMA_END, "vm_area_struct", "vm_end", 8, true)                       \
	X(VMA_MM, "vm_area_struct", "vm_mm", 8, true)                         \
	X(VMA_FLAGS, "vm_area_struct", "vm_flags", 8, true)                   \
	X(VMA_FILE, "vm_area_struct", "vm_file", 8, true)                     \
	X(VMA_OPS, "vm_area_struct", "vm_ops", 8, true)                       \
	X(VMA_PRIVATE, "vm_area_struct", "vm_private_data", 8, true)          \
	X(VMA_ANON_NAME, "vm_area_struct", "anon_name", 8, false)             \
	X(ANON_NAME, "anon_vma_name", "name", 0, false)                       \
	X(SPECIAL_NAME, "vm_special_mapping", "name", 8, false)               \
	X(FILE_MNT, "file", "f_path.mnt", 8, true)                            \
	X(FILE_DENTRY, "file", "f_path.dentry", 8, true)                      \
	X(FILE_INODE, "file", "f_inode", 8, true)                             \
	X(FILE_MODE, "file", "f_mode", 4, true)                               \
	X(INODE_INO, "inode", "i_ino", 8, true)                               \
	X(INODE_MODE, "inode", "i_mode", 2, true)                             \
	X(DENTRY_NAME, "dentry", "d_name.name", 8, true)                      \
	X(DENTRY_LEN, "dentry", "d_name.len", 4, true)                        \
	X(DENTRY_PARENT, "dentry", "d_parent", 8, true)                       \
	X(DENTRY_PPREV, "dentry", "d_hash.pprev", 8, true)                    \
	X(DENTRY_SB, "dentry", "d_sb", 8, true)                               \
	X(SB_MAGIC, "super_block", "s_magic", 8, true)                        \
	X(VFSMOUNT_ROOT, "vfsmount", "mnt_root", 8, true)                     \
	X(MOUNT_MNT, "mount", "mnt", 0, true)                                 \
	X(MOUNT_PARENT, "mount", "mnt_parent", 8, true)                       \
	X(MOUNT_POINT, "mount", "mnt_mountpoint", 8, true)                    \
	X(FILES_FDT, "files_struct", "fdt", 8, true)                          \
	X(FDT_MAX, "fdtable", "max_fds", 4, true)                             \
	X(FDT_FD, "fdtable", "fd", 8, true)                                   \
	X(MODULE_LIST, "module", "list", 16, true)                            \
	X(MODULE_NAME, "module", "name", 56, true)                            \
	X(MODULE_STATE, "module", "state", 4, true)                           \
	X(MODULE_SELF, "module", "mkobj.mod", 8, false)                       \
	X(MODULE_MEM, "module", "mem|core_layout", 0, false)                  \
	X(MODULE_INIT, "module", "init_layout", 0, false)                     \
	X(LAYOUT, "module_memory|module_layout", "", 0, false)                \
	X(LAYOUT_BASE, "module_memory|module_layout", "base", 8, false)       \
	X(LAYOUT_SIZE, "module_memory|module_layout", "size", 4, false)       \
	X(LAYOUT_OWNER, "module_memory|module_layout", "mtn.mod", 8, false)   \
	X(LAYOUT_NODE, "module_memory|module_layout", "mtn.node", 48, false)  \
	X(MODTREE_ROOT, "mod_tree_root", "root.tree", 16, false)              \
	X(TASK_CGROUPS, "task_struct", "cgroups", 8, false)                   \
	X(CSS_SET_CGROUP, "css_set", "dfl_cgrp", 8, false)                    \
	X(CGROUP_KN, "cgroup", "kn", 8, false)                                \
	X(KN_NAME, "kernfs_node", "name", 8, false)                           \
	X(KN_PARENT, "kernfs_node", "parent|__parent", 8, false)              \
	X(CSS_SET_SUBSYS, "css_set", "subsys", 0, false)                      \
	X(SUBSYS_ID, "cgroup_subsys", "id", 4, false)                         \
	X(CSS_CGROUP, "cgroup_subsys_state", "cgroup", 8, false)              \
	X(FILE_OPS, "file", "f_op", 8, false)                                 \
	X(FILE_PRIVATE, "file", "private_data", 8, false)                     \
	X(SOCKET_SK, "socket", "sk", 8, false)                                \
	X(SKC_ADDRS, "sock_common", "skc_addrpair", 8, false)                 \
	X(SKC_REMOTE, "sock_common", "skc_daddr", 4, false)                   \
	X(SKC_LOCAL, "sock_common", "skc_rcv_saddr", 4, false)                \
	X(SKC_REMOTE_PORT, "sock_common", "skc_dport", 2, false)              \
	X(SKC_LOCAL_PORT, "sock_common", "skc_num", 2, false)                 \
	X(SKC_FAMILY, "sock_common", "skc_family", 2, false)                  \
	X(SKC_STATE, "sock_common", "skc_state", 1, false)                    \
	X(SKC_DEVICE, "sock_common", "skc_bound_dev_if", 4, false)            \
	X(SKC_NET, "sock_common", "skc_net", 8, false)                        \
	X(SKC_REMOTE6, "sock_common", "skc_v6_daddr", 16, false)              \
	X(SKC_LOCAL6, "sock_common", "skc_v6_rcv_saddr", 16, false)           \
	X(SKC_NODE, "sock_common", "skc_node", 16, false)                     \
	X(SK_TYPE, "sock", "sk_type", 2, false)                               \
	X(SK_PROTOCOL, "sock", "sk_protocol", 0, false)                       \
	X(SK_FILTER, "sock", "sk_filter", 8, false)                           \
	X(FILTER_PROG, "sk_filter", "prog", 8, false)                         \
	X(PROG_CLASSIC, "bpf_prog", "orig_prog", 8, false)                    \
	X(PROG_TAG, "bpf_prog", "tag", 8, false)                              \
	X(TW_STATE, "inet_timewait_sock", "tw_substate", 1, false)            \
	X(TCP_SENT, "tcp_sock", "bytes_sent", 8, false)                       \
	X(TCP_ACKED, "tcp_sock", "bytes_acked", 8, false)                     \
	X(TCP_RECEIVED, "tcp_sock", "bytes_received", 8, false)               \
	X(TCP_SEGS_IN, "tcp_sock", "segs_in", 4, false)                       \
	X(TCP_SEGS_OUT, "tcp_sock", "segs_out", 4, false)                     \
	X(TCP_DATA_IN, "tcp_sock", "data_segs_in", 4, false)                  \
	X(TCP_DATA_OUT, "tcp_sock", "data_segs_out", 4, false)                \
	X(UNIX_ADDR, "unix_sock", "addr", 8, false)                           \
	X(UNIX_LEN, "unix_address", "len", 4, false)                          \
	X(UNIX_NAME, "unix_address", "name", 0, false)                        \
	X(NET_LIST, "net", "list", 16, false)                                 \
	X(NET_DEVICES, "net", "dev_base_head", 16, false)                     \
	X(NET_DEATH_ROW, "net", "ipv4.tcp_death_row", 0, false)               \
	X(NET_UDP, "net", "ipv4.udp_table", 8, false)                         \
	X(DEATH_ROW_HASH, "inet_timewait_death_row", "hashinfo", 8, false)    \
	X(HASH_SOCKS, "inet_hashinfo", "ehash", 8, false)                     \
	X(HASH_MASK, "inet_hashinfo", "ehash_mask", 4, false)                 \
	X(HASH_LISTENERS, "inet_hashinfo", "lhash2", 8, false)                \
	X(HASH_LISTEN_MASK, "inet_hashinfo", "lhash2_mask", 4, false)         \
	X(LISTEN_SIZE, "inet_listen_hashbucket", "", 0, false)                \
	X(LISTEN_HEAD, "inet_listen_hashbucket", "nulls_head|head", 8, false) \
	X(UDP_SLOTS, "udp_table", "hash", 8, false)                           \
	X(UDP_MASK, "udp_table", "mask", 4, false)                            \
	X(SLOT_SIZE, "udp_hslot", "", 0, false)                               \
	X(SLOT_HEAD, "udp_hslot", "head", 8, false)                           \
	X(RAW_TABLE, "raw_hashinfo", "ht", 0, false)                          \
	X(DEV_LIST, "net_device", "dev_list", 16, false)                      \
	X(DEV_NAME, "net_device", "name", 16, false)                          \
	X(DEV_INDEX, "net_device", "ifindex", 4, false)                       \
	X(DEV_TYPE, "net_device", "type", 2, false)                           \
	X(DEV_MAC, "net_device", "dev_addr", 8, false)                        \
	X(DEV_MAC_LEN, "net_device", "addr_len", 1, false)                    \
	X(DEV_IP, "net_device", "ip_ptr", 8, false)                           \
	X(DEV_IP6, "net_device", "ip6_ptr", 8, false)                         \
	X(IN_ADDRS, "in_device", "ifa_list", 8, false)                        \
	X(IFA_NEXT, "in_ifaddr", "ifa_next", 8, false)                        \
	X(IFA_LOCAL, "in_ifaddr", "ifa_local", 4, false)                      \
	X(IFA_PREFIX, "in_ifaddr", "ifa_prefixlen", 1, false)                 \
	X(IN6_ADDRS, "inet6_dev", "addr_list", 16, false)                     \
	X(IFA6_LIST, "inet6_ifaddr", "if_list", 16, false)                    \
	X(IFA6_ADDR, "inet6_ifaddr", "addr", 16, false)                       \
	X(IFA6_PREFIX, "inet6_ifaddr", "prefix_len", 4, false)                \
	X(INODE_SIZE, "inode", "i_size", 8, true)                             \
	X(INODE_MAPPING, "inode", "i_mapping", 8, true)                       \
	X(MAPPING_PAGES, "address_space", "i_pages", 16, true)                \
	X(PAGE_STRUCT, "page", "", 0, true)                                   \
	X(PAGE_MAPPING, "page", "mapping", 8, true)                           \
	X(PAGE_HEAD, "page", "compound_head|compound_info", 8, false)         \
	X(PAGE_INDEX, "page", "index|__folio_index", 8, true)                 \
	X(VMA_OFFSET, "vm_area_struct", "vm_pgoff", 8, true)                  \
	X(SECTION_SIZE, "mem_section", "", 0, false)                          \
	X(SECTION_MAP, "mem_section", "section_mem_map", 8, false)            \
	X(KSET_LIST, "kset", "list", 16, false)                               \
	X(MODKOBJ_ENTRY, "module_kobject", "kobj.entry", 16, false)           \
	X(MODKOBJ_MODULE, "module_kobject", "mod", 8, false)                  \
	X(MOUNT_ID, "mount", "mnt_id", 4, false)                              \
	X(MOUNT_DEVICE, "mount", "mnt_devname", 8, false)                     \
	X(VFSMOUNT_SB, "vfsmount", "mnt_sb", 8, false)                        \
	X(VFSMOUNT_FLAGS, "vfsmount", "mnt_flags", 4, false)                  \
	X(SB_TYPE, "super_block", "s_type", 8, false)                         \
	X(SB_SUBTYPE, "super_block", "s_subtype", 8, false)                   \
	X(SB_FLAGS, "super_block", "s_flags", 8, false)                       \
	X(SB_DEV, "super_block", "s_dev", 4, false)                           \
	X(FSTYPE_NAME, "file_system_type", "name", 8, false)                  \
	X(TASK_FS, "task_struct", "fs", 8, false)                             \
	X(FS_ROOT_MNT, "fs_struct", "root.mnt", 8, false)                     \
	X(FS_ROOT_DENTRY, "fs_struct", "root.dentry", 8, false)               \
	X(PRB_COUNT_BITS, "printk_ringbuffer", "desc_ring.count_bits", 4,     \
	  false)                                                              \
	X(PRB_DESCS, "printk_ringbuffer", "desc_ring.descs", 8, false)        \
	X(PRB_INFOS, "printk_ringbuffer", "desc_ring.infos", 8, false)        \
	X(PRB_HEAD, "printk_ringbuffer", "desc_ring.head_id", 8, false)       \
	X(PRB_TAIL, "printk_ringbuffer", "desc_ring.tail_id", 8, false)       \
	X(PRB_SIZE_BITS, "printk_ringbuffer", "text_data_ring.size_bits", 4,  \
	  false)                                                              \
	X(PRB_DATA, "printk_ringbuffer", "text_data_ring.data", 8, false)     \
	X(DESC_SIZE, "prb_desc", "", 0, false)                                \
	X(DESC_STATE, "prb_desc", "state_var", 8, false)                      \
	X(DESC_BEGIN, "prb_desc", "text_blk_lpos.begin", 8, false)            \
	X(DESC_NEXT, "prb_desc", "text_blk_lpos.next", 8, false)              \
	X(INFO_SIZE, "printk_info", "", 0, false)                             \
	X(INFO_SEQ, "printk_info", "seq", 8, false)                           \
	X(INFO_TIME, "printk_info", "ts_nsec", 8, false)                      \
	X(INFO_LEN, "printk_info", "text_len", 2, false)                      \
	X(INFO_FACILITY, "printk_info", "facility", 1, false)                 \
	X(INFO_LEVEL, "printk_info", "level", 1, false)                       \
	X(MNTNS_ROOT, "mnt_namespace", "mounts.rb_node", 8, false)            \
	X(MOUNT_NODE, "mount", "mnt_node", 24, false)                         \
	X(MOUNT_UNIQUE, "mount", "mnt_id_unique", 8, false)                   \
	X(RB_PARENT, "rb_node", "__rb_parent_color", 8, false)                \
	X(RB_RIGHT, "rb_node", "rb_right", 8, false)                          \
	X(RB_LEFT, "rb_node", "rb_left", 8, false)                            \
	X(FTRACE_FUNC, "ftrace_ops", "func", 8, false)                        \
	X(FTRACE_NEXT, "ftrace_ops", "next", 8, false)                        \
	X(FTRACE_HASHES, "ftrace_ops", "func_hash", 8, false)                 \
	X(FTRACE_TRAMPOLINE, "ftrace_ops", "trampoline", 8, false)            \
	X(FTRACE_FILTER, "ftrace_ops_hash", "filter_hash", 8, false)          \
	X(FHASH_BITS, "ftrace_hash", "size_bits", 8, false)                   \
	X(FHASH_BUCKETS, "ftrace_hash", "buckets", 8, false)                  \
	X(FHASH_COUNT, "ftrace_hash", "count", 8, false)                      \
	X(FENTRY_NODE, "ftrace_func_entry", "hlist", 16, false)               \
	X(FENTRY_IP, "ftrace_func_entry", "ip", 8, false)                     \
	X(KPROBE_NODE, "kprobe", "hlist", 16, false)                          \
	X(KPROBE_LIST, "kprobe", "list", 16, false)                           \
	X(KPROBE_ADDR, "kprobe", "addr", 8, false)                            \
	X(KPROBE_PRE, "kprobe", "pre_handler", 8, false)                      \
	X(KPROBE_POST, "kprobe", "post_handler", 8, false)                    \
	X(KPROBE_OPCODE, "kprobe", "opcode", 1, false)                        \
	X(KRETPROBE_HANDLER, "kretprobe", "handler", 8, false)                \
	X(KRETPROBE_ENTRY, "kretprobe", "entry_handler", 8, false)            \
	X(OPTPROBE_KPROBE, "optimized_kprobe", "kp", 0, false)                \
	X(OPTPROBE_CODE, "optimized_kprobe", "optinsn.insn", 8, false)        \
	X(OPTPROBE_COPIED, "optimized_kprobe", "optinsn.copied_insn", 4,      \
	  false)                                                              \
	X(FPROBE_OPS, "fprobe", "ops", 0, false)                              \
	X(FPROBE_ENTRY, "fprobe", "entry_handler", 8, false)                  \
	X(FPROBE_EXIT, "fprobe", "exit_handler", 8, false)                    \
	X(MUTEX_OWNER, "mutex", "owner|rtmutex.owner", 8, false)              \
	X(FTRACE_SAVED, "ftrace_ops", "saved_func", 8, false)                 \
	X(FTRACE_DIRECT, "ftrace_ops", "direct_call", 8, false)               \
	X(GRAPH_ENTRY, "fgraph_ops", "entryfunc", 8, false)                   \
	X(GRAPH_RETURN, "fgraph_ops", "retfunc", 8, false)                    \
	X(GRAPH_OPS, "fgraph_ops", "ops", 0, false)                           \
	X(GRAPH_SAVED, "fgraph_ops", "saved_func", 8, false)                  \
	X(VMA_RB, "vm_area_struct", "vm_rb", 24, false)                       \
	X(MM_RB, "mm_struct", "mm_rb.rb_node", 8, false)                      \
	X(MNTNS_LIST, "mnt_namespace", "list", 16, false)                     \
	X(MOUNT_LIST, "mount", "mnt_list", 16, false)                         \
	X(LOG_SIZE, "printk_log", "", 0, false)                               \
	X(LOG_TIME, "printk_log", "ts_nsec", 8, false)                        \
	X(LOG_LEN, "printk_log", "len", 2, false)                             \
	X(LOG_TEXT_LEN, "printk_log", "text_len", 2, false)                   \
	X(LOG_FACILITY, "printk_log", "facility", 1, false)                   \
	X(LOG_LEVEL, "printk_log", "level", 1, false)                         \
	X(RADIX_ROOT, "radix_tree_root", "rnode", 8, false)                   \
	X(HASH_LISTENING, "inet_hashinfo", "listening_hash", 0, false)

/*
 * Addresses in the map: first those that are needed, then those that are needed of some kinds of
 * machines, then those that some groups or kernels have.
 */
#define SYMBOLS(X)                        \
	X(_text, true)                    \
	X(linux_banner, true)             \
	X(init_task, true)                \
	X(init_pid_ns, true)              \
	X(modules, true)                  \
	X(init_top_pgt, false)            \
	X(page_offset_base, false)        \
	X(vmemmap_base, false)            \
	X(swapper_pg_dir, false)          \
	X(kimage_voffset, false)          \
	X(memstart_addr, false)           \
	X(mem_section, false)             \
	X(_end, false)                    \
	X(special_mapping_vmops, false)   \
	X(net_namespace_list, false)      \
	X(socket_file_ops, false)         \
	X(udp_table, false)               \
	X(raw_v4_hashinfo, false)         \
	X(raw_v6_hashinfo, false)         \
	X(module_kset, false)             \
	X(pids_cgrp_subsys, false)        \
	X(memory_cgrp_subsys, false)      \
	X(prb, false)                     \
	X(log_buf, false)                 \
	X(log_buf_len, false)             \
	X(log_first_seq, false)           \
	X(log_first_idx, false)           \
	X(log_next_seq, false)            \
	X(mod_tree, false)                \
	X(_stext, false)                  \
	X(_etext, false)                  \
	X(sys_call_table, false)          \
	X(ia32_sys_call_table, false)     \
	X(x32_sys_call_table, false)      \
	X(x64_sys_call, false)            \
	X(ia32_sys_call, false)           \
	X(x32_sys_call, false)            \
	X(idt_table, false)               \
	X(idt_descr, false)               \
	X(early_idt_handler_array, false) \
	X(ftrace_ops_list, false)         \
	X(ftrace_list_end, false)         \
	X(ftrace_lock, false)             \
	X(fprobe_handler, false)          \
	X(kprobe_table, false)            \
	X(pre_handler_kretprobe, false)   \
	X(fprobe_kprobe_handler, false)   \
	X(fprobe_ftrace_entry, false)     \
	X(fprobe_graph_ops, false)        \
	X(fgraph_array, false)            \
	X(call_direct_funcs, false)       \
	X(klp_ftrace_handler, false)      \
	X(aggr_pre_handler, false)

#define X(name, type, path, size, needed) F_##name,
enum field { FIELDS(X) NR_FIELDS };
#undef X

#define X(name, needed) S_##name,
enum symbol { SYMBOLS(X) NR_SYMBOLS };
#undef X

struct field_spec {
	const char *type;
	const char *path;
	u32 size;
	bool needed;
};

struct symbol_spec {
	const char *name;
	bool needed;
};

extern const struct field_spec field_specs[NR_FIELDS];
extern const struct symbol_spec symbol_specs[NR_SYMBOLS];

enum { MAX_TYPE = 1 << 24 };

/* A field as the map has it. */
struct field_at {
	u32 offset;
	u32 size;
	bool there;
	/* the lowest bit, and the number of bits, of a field that is a part of a byte; else 0 */
	u8 shift, bits;
};

/* Return true if a field may lie there. A type has bytes: it is divided by their number. */
bool field_fits(const struct field_spec *spec, const struct field_at *at);

enum { MAX_BANNER = 1024, MAX_ENTRIES = 2048 };

/* A function that the kernel calls for a system call. */
struct map_entry {
	u64 address;
	char name[48];
};

/* Return true for the name of such a function. */
bool map_is_entry(const char *name, size_t len);

struct map {
	struct field_at fields[NR_FIELDS];
	u64 symbols[NR_SYMBOLS]; /* 0: not in the map */
	u32 sizes[NR_SYMBOLS]; /* in bytes; 0: the map does not say */
	u32 nr_entries;
	struct map_entry entries[MAX_ENTRIES]; /* by address, each once */
	char banner[MAX_BANNER]; /* with its newline; "" if the map has none */
};

/* Return the last entry that is not behind an address of the map; NULL if there is none. */
const struct map_entry *map_entry_at(const struct map *map, u64 address);

/*
 * Memory areas are in a maple tree, or before 6.1 in a red-black tree. Return the field that is
 * lacking to walk it; NR_FIELDS if there is none.
 */
int map_lacks(const struct map *map);

/* Fields from the first to the last, and symbols, that a group needs together. */
struct need {
	enum field first, last;
	enum symbol symbols[8];
	u32 nr_symbols;
};

/* Return how many of them the map lacks; write the name of the first one, if there is one. */
u32 map_lacks_of(const struct map *map, const struct need *need,
		 char name[128]);

#endif /* DOCA_APSH_FIELDS_H */
