// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: sockets and interfaces, in sound images and in hostile ones. */
#include "apsh_sockets.h"

#define SOCKET(o, attr) doca_apsh_netscan_info_get(o, DOCA_APSH_NETSCAN_##attr)
#define NETIF(o, attr) doca_apsh_interface_info_get(o, DOCA_APSH_LINUX_INTERFACE_##attr)

static struct doca_apsh_system *s;
static struct doca_apsh_netscan **sockets;
static int nr;

static void begin(void)
{
	doca_apsh_system_destroy(set_up(4));
}

static void scan(void)
{
	s = started_system();
	logged();
	OK(doca_apsh_netscan_get(s, &sockets, &nr));
}

static void end(void)
{
	doca_apsh_netscan_free(sockets);
	tear_down(s);
}

static struct doca_apsh_netscan *by_port(u64 port)
{
	for (int i = 0; i < nr; i++)
		if (SOCKET(sockets[i], LOCAL_PORT) == port)
			return sockets[i];
	abort();
}

static void set_up_netifs(void)
{
	u64 dev = new_netif("lo", 1, 772, "\0\0\0\0\0\0");

	add_ipv4(dev, new_ipv4("127.0.0.1", 8, 0));
	add_ipv6(dev, "::1", 128);
	dev = new_netif("eth0", 2, 1, "\x52\x54\0\x12\x34\x56");
	add_ipv4(dev, new_ipv4("10.0.0.2", 24, new_ipv4("10.0.0.3", 32, 0)));
	add_ipv6(dev, "fe80::1", 64);
	add_ipv6(dev, "fd00::2", 48);
}

TEST(interfaces)
{
	struct doca_apsh_interface **list;

	begin();
	set_up_netifs();
	s = started_system();
	OK(doca_apsh_interfaces_get(s, &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(NETIF(list[0], NAME), "lo");
	EXPECT_EQ(NETIF(list[0], MAC_ARR_SIZE), 0);
	EXPECT_EQ(NETIF(list[0], NAMESPACE), NET_INUM);
	EXPECT_STR(NETIF(list[1], MAC_ARR)[0], "52:54:00:12:34:56");
	EXPECT_EQ(NETIF(list[1], IPV4_ARR_SIZE), 2);
	EXPECT_STR(NETIF(list[1], IPV4_ARR)[1], "10.0.0.3");
	EXPECT_EQ(NETIF(list[1], IPV4_PREFIX_LEN_ARR)[0], 24);
	EXPECT_EQ(NETIF(list[1], IPV6_ARR_SIZE), 2);
	EXPECT_STR(NETIF(list[1], IPV6_ARR)[1], "fd00::2");
	EXPECT_EQ(NETIF(list[1], IPV6_PREFIX_LEN_ARR)[1], 48);
	EXPECT_SILENT();
	doca_apsh_interfaces_free(list);
	tear_down(s);
}

TEST(connections_of_tcp)
{
	u64 sk, filter, prog;
	struct doca_apsh_netscan *o;

	begin();
	set_up_netifs();
	sk = new_tcp(net_.socks + 8, 1, 80, 4000);
	set(sk, F_TCP_SENT, 1ULL << 40);
	set(sk, F_TCP_SEGS_IN, 7);
	filter = object(64, 64);
	prog = object(64, 64);
	set(sk, F_SK_FILTER, filter);
	set(filter, F_FILTER_PROG, prog);
	memset(at_va(field_va(prog, F_PROG_TAG)), 0xab, 8);
	set_fd(9, new_socket_file(sk));
	set_fd(8, new_socket_file(sk));
	sk = new_tcp(net_.socks + 8, 6, 81, 1);
	set(sk, F_TW_STATE, 5);
	new_tcp(net_.listeners, 10, 82, 0);
	set_addresses(new_tcp(net_.socks, 12, 83, 2), "10.0.0.3", "1.2.3.4");
	scan();
	ASSERT(nr == 4);
	o = by_port(80);
	EXPECT_EQ(SOCKET(o, PID), 10);
	EXPECT_EQ(SOCKET(o, LINUX_FD), 8);
	EXPECT_STR(SOCKET(o, COMM), "ten");
	EXPECT_STR(SOCKET(o, PROTOCOL), "TCP");
	EXPECT_STR(SOCKET(o, STATE), "ESTABLISHED");
	EXPECT_STR(SOCKET(o, LOCAL_ADDR), "127.0.0.1");
	EXPECT_STR(SOCKET(o, REMOTE_ADDR), "127.0.0.2");
	EXPECT_EQ(SOCKET(o, REMOTE_PORT), 4000);
	EXPECT_EQ(SOCKET(o, LINUX_TCP_BYTES_SENT), 1ULL << 40);
	EXPECT_EQ(SOCKET(o, LINUX_TCP_SEGS_IN), 7);
	EXPECT_STR(SOCKET(o, LINUX_FILTER), "eBPF tag=abababababababab");
	EXPECT_STR(SOCKET(o, LINUX_INTERFACE_NAME), "lo");
	EXPECT_STR(SOCKET(o, LINUX_FAMILY), "AF_INET");
	EXPECT_STR(SOCKET(o, LINUX_TYPE), "STREAM");
	EXPECT_EQ(SOCKET(o, LINUX_NET_NAMESPACE), NET_INUM);
	o = by_port(81);
	EXPECT_STR(SOCKET(o, STATE), "FIN_WAIT2");
	EXPECT_EQ(SOCKET(o, LINUX_FD), UINT32_MAX);
	EXPECT_EQ(SOCKET(o, PID), 0);
	EXPECT_STR(SOCKET(o, COMM), "");
	EXPECT_STR(SOCKET(o, TIME), "");
	EXPECT_STR(SOCKET(by_port(82), STATE), "LISTEN");
	o = by_port(83);
	EXPECT_STR(SOCKET(o, STATE), "SYN_RECV");
	EXPECT_STR(SOCKET(o, LINUX_INTERFACE_NAME), "eth0");
	EXPECT_STR(SOCKET(o, LINUX_INTERFACE_IPV4_ARR)[0], "10.0.0.2");
	EXPECT_EQ(SOCKET(o, LINUX_INTERFACE_IPV4_ARR_SIZE), 2);
	EXPECT_SILENT();
	end();
}

/* As before 4.19: then nothing is known of it, and the log says so once. */
TEST(a_kernel_that_does_not_count_bytes_sent)
{
	begin();
	write_map(image.symbols, BANNER_64, F_TCP_SENT);
	new_tcp(net_.socks + 8, 1, 80, 4000);
	scan();
	EXPECT_LOGGED("does not count the bytes that TCP has sent");
	EXPECT_EQ(SOCKET(by_port(80), LINUX_TCP_BYTES_SENT), 0);
	EXPECT(!doca_priv_apsh_counts_sent(by_port(80)));
	doca_apsh_netscan_free(sockets);
	OK(doca_apsh_netscan_get(s, &sockets, &nr));
	EXPECT_SILENT();
	end();
	begin();
	new_tcp(net_.socks + 8, 1, 80, 4000);
	scan();
	EXPECT(doca_priv_apsh_counts_sent(by_port(80)));
	EXPECT_SILENT();
	end();
}

TEST(sockets_that_are_not_of_tcp)
{
	u64 sk, addr;

	begin();
	set_up_netifs();
	sk = new_sock(AF_INET6, SOCK_DGRAM, IPPROTO_UDP, 7);
	set_addresses(hash_in(net_.slots, sk), "::1", "::");
	set_ports(sk, 53, 0);
	sk = new_sock(AF_INET, SOCK_RAW, IPPROTO_ICMP, 7);
	hash_in(symbol(S_raw_v4_hashinfo) + image.map.fields[F_RAW_TABLE].offset + 8, sk);
	set_ports(sk, 1, 0);
	set(sk, F_SKC_DEVICE, 2);
	sk = new_sock(AF_UNIX, SOCK_SEQPACKET, 0, 10);
	addr = object(128, 64);
	set(sk, F_UNIX_ADDR, addr);
	set(addr, F_UNIX_LEN, 2 + 5);
	memcpy((char *)at_va(field_va(addr, F_UNIX_NAME)) + 2, "\0name", 5);
	set_fd(9, new_socket_file(sk));
	scan();
	ASSERT(nr == 3);
	EXPECT_STR(SOCKET(sockets[0], PROTOCOL), "UDP");
	EXPECT_STR(SOCKET(sockets[0], LOCAL_ADDR), "::1");
	EXPECT_STR(SOCKET(sockets[0], STATE), "UNCONNECTED");
	EXPECT_STR(SOCKET(sockets[0], LINUX_FAMILY), "AF_INET6");
	EXPECT_STR(SOCKET(sockets[0], LINUX_INTERFACE_NAME), "lo");
	EXPECT_STR(SOCKET(sockets[1], PROTOCOL), "RAW");
	EXPECT_STR(SOCKET(sockets[1], LINUX_INTERFACE_NAME), "eth0");
	EXPECT_STR(SOCKET(sockets[2], PROTOCOL), "UNIX");
	EXPECT_STR(SOCKET(sockets[2], LOCAL_ADDR), "@name");
	EXPECT_STR(SOCKET(sockets[2], STATE), "LISTEN");
	EXPECT_STR(SOCKET(sockets[2], LINUX_TYPE), "SEQPACKET");
	EXPECT_EQ(SOCKET(sockets[2], PID), 10);
	end();
}

/* Processes may share their files (CLONE_FILES), up to a million. */
TEST(files_that_many_processes_share_are_looked_at_once)
{
	enum { FDS = 1 << 18, PROCESSES = 300 };
	u64 fds, fdt, files, file;

	begin();
	files = *(u64 *)at_va(field_va(has_.ten, F_TASK_FILES));
	fdt = *(u64 *)at_va(field_va(files, F_FILES_FDT));
	fds = object(FDS * 8, 4096);
	file = new_socket_file(new_tcp(net_.socks, 1, 80, 4000));
	for (u32 i = 0; i < FDS; i++)
		((u64 *)at_va(fds))[i] = file;
	set(fdt, F_FDT_MAX, FDS);
	set(fdt, F_FDT_FD, fds);
	for (u32 i = 0; i < PROCESSES; i++)
		set(new_task(100 + i, 100 + i, "many"), F_TASK_FILES, files);
	s = started_system();
	s->budget.ms = 5000;
	clock_stop(1000000);
	OK(doca_apsh_netscan_get(s, &sockets, &nr));
	ASSERT(nr == 1);
	EXPECT_EQ(SOCKET(sockets[0], PID), 10);
	EXPECT_EQ(SOCKET(sockets[0], LINUX_FD), 0);
	end();
}

static void interfaces_are_too_many(u64 bytes, u64 ms)
{
	struct doca_apsh_interface **list;

	s = started_system();
	s->budget = (struct view_budget){ .bytes = bytes, .ms = ms };
	clock_stop(1000000);
	logged();
	EXPECT_EQ(doca_apsh_interfaces_get(s, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("DOCA_APSH_BUDGET");
	doca_apsh_system_destroy(s);
}

/* All 200 interfaces share their addresses, which are read once. */
TEST(what_is_returned_counts_for_the_budget)
{
	u64 at = 0;

	begin();
	for (int i = 0; i < 50000; i++)
		at = new_ipv4("10.0.0.2", 24, at);
	for (u32 i = 0; i < 200; i++)
		add_ipv4(new_netif("eth", i + 1, 1, "\x52\x54\0\x12\x34\x56"), at);
	interfaces_are_too_many(16 << 20, 60000);
	interfaces_are_too_many(1ULL << 40, 500);
	tear_down_image();
}

TEST(sockets_of_one_process)
{
	u64 sk;

	begin();
	sk = new_tcp(net_.socks, 1, 80, 4000);
	new_tcp(net_.socks, 1, 81, 4000);
	set_fd(3, new_socket_file(sk));
	s = started_system();
	OK(doca_apsh_process_netscan_get(process_of(s, 10), &sockets, &nr));
	ASSERT(nr == 1);
	EXPECT_EQ(SOCKET(sockets[0], LOCAL_PORT), 80);
	EXPECT_EQ(SOCKET(sockets[0], LINUX_FD), 3);
	doca_apsh_processes_free(processes);
	end();
}

TEST(a_map_without_the_network_has_no_sockets)
{
	struct doca_apsh_interface **list;

	begin();
	write_map(image.symbols, BANNER_64, F_SKC_FAMILY);
	s = started_system();
	logged();
	EXPECT_EQ(doca_apsh_netscan_get(s, &sockets, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the map has no struct sock_common, skc_family");
	EXPECT_EQ(doca_apsh_interfaces_get(s, &list, &nr), DOCA_ERROR_INITIALIZATION);
	tear_down(s);
}

/* The table of UDP was global before 6.2. */
TEST(a_table_of_udp_for_all_namespaces)
{
	u64 sk;

	begin();
	write_map(image.symbols, BANNER_64, F_NET_UDP);
	if (isf_read(image.symbols, &image.map))
		abort();
	/* later fields have moved */
	set_up_net();
	set(symbol(S_udp_table), F_UDP_SLOTS, net_.slots);
	set(symbol(S_udp_table), F_UDP_MASK, 3);
	sk = new_sock(AF_INET, SOCK_DGRAM, IPPROTO_UDP, 7);
	set_ports(hash_in(net_.slots, sk), 53, 0);
	scan();
	EXPECT_EQ(nr, 1);
	end();
}

static void expect_broken(int sound)
{
	const char *text;

	scan();
	EXPECT_EQ(nr, sound);
	text = logged();
	if (!strstr(text, "broken on the way to sockets") &&
	    !strstr(text, "1 pages of memory that lead to sockets"))
		KTAP_SAY_("logged \"%s\"", text);
	end();
}

TEST(a_socket_that_follows_itself)
{
	u64 sk;

	begin();
	sk = new_tcp(net_.socks, 1, 80, 1);
	node_of(sk)[0] = field_va(sk, F_SKC_NODE);
	node_of(sk)[1] = field_va(sk, F_SKC_NODE);
	*(u64 *)at_va(net_.socks) = field_va(sk, F_SKC_NODE);
	expect_broken(0);
}

/* Chains in a circle, and chains that cross into another one. */
TEST(sockets_that_are_followed_by_one_that_was_there)
{
	u64 a, b;

	for (u64 other = 0; other <= 8; other += 8) {
		begin();
		a = new_tcp(net_.socks, 1, 80, 1);
		b = new_tcp(net_.socks + other, 1, 81, 1);
		node_of(a)[0] = field_va(b, F_SKC_NODE);
		expect_broken(2);
	}
}

TEST(a_chain_that_leads_nowhere)
{
	static const u64 bad[] = { 8, 0x1000000000000000, UINT64_MAX - 7, 0xffff888000fffff8,
				   0xffff888000000000 };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		begin();
		node_of(new_tcp(net_.socks, 1, 80, 1))[0] = bad[i];
		expect_broken(1);
	}
}

TEST(tables_of_any_size)
{
	static const u64 masks[] = { 2, 4, UINT32_MAX, UINT32_MAX - 1, 1 << 23 };

	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		begin();
		new_tcp(net_.listeners, 10, 80, 0);
		set(net_.info, F_HASH_MASK, masks[i]);
		expect_broken(1);
		begin();
		new_tcp(net_.listeners, 10, 80, 0);
		set(net_.udp, F_UDP_MASK, masks[i]);
		expect_broken(1);
	}
}

TEST(tables_that_are_nowhere)
{
	begin();
	set(net_.info, F_HASH_SOCKS, 0);
	set(net_.info, F_HASH_LISTENERS, UINT64_MAX - 7);
	set(net_.udp, F_UDP_SLOTS, 4096);
	expect_broken(0);
	begin();
	set(field_va(net_.ns, F_NET_DEATH_ROW), F_DEATH_ROW_HASH, 0);
	set(net_.ns, F_NET_UDP, 0);
	expect_broken(0);
}

TEST(namespaces_that_are_no_list)
{
	begin();
	memset(at_va(symbol(S_net_namespace_list)), 0, 16);
	s = started_system();
	logged();
	EXPECT_EQ(doca_apsh_netscan_get(s, &sockets, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the list of network namespaces is not sound");
	tear_down(s);
}

TEST(sockets_of_any_kind)
{
	for (u32 i = 0; i < 256; i += 3) {
		u64 sk, addr;

		begin();
		sk = new_sock(i, i, i, i);
		hash_in(net_.socks, sk);
		addr = object(64, 64);
		set(sk, F_UNIX_ADDR, addr);
		set(addr, F_UNIX_LEN, i * 0x1000001U);
		set(sk, F_SK_FILTER, i * 0x100000001ULL);
		set(sk, F_SKC_NET, i * 0x100000001ULL);
		scan();
		EXPECT_EQ(nr, 1);
		end();
	}
}

TEST(addresses_in_a_circle)
{
	struct doca_apsh_interface **list;
	u64 dev, ifa, a;

	begin();
	dev = new_netif("x", 1, 1, "123456");
	ifa = new_ipv4("1.1.1.1", 8, 0);
	set(ifa, F_IFA_NEXT, ifa);
	add_ipv4(dev, ifa);
	a = add_ipv6(dev, "::2", 1);
	((u64 *)at_va(field_va(a, F_IFA6_LIST)))[0] = field_va(a, F_IFA6_LIST);
	set(dev, F_DEV_MAC_LEN, 255);
	memset(at_va(field_va(dev, F_DEV_NAME)), 'n', 16);
	s = started_system();
	logged();
	OK(doca_apsh_interfaces_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT_LOGGED("broken on the way to interfaces");
	EXPECT_STR(NETIF(list[0], NAME), "nnnnnnnnnnnnnnnn");
	EXPECT_EQ(NETIF(list[0], IPV4_ARR_SIZE), 1);
	EXPECT_EQ(NETIF(list[0], IPV6_ARR_SIZE), 1);
	EXPECT_EQ(NETIF(list[0], MAC_ARR_SIZE), 0);
	doca_apsh_interfaces_free(list);
	tear_down(s);
}
