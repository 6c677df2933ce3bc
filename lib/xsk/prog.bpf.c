// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The program that steers the frames of an interface to sockets. The kernel keeps frames
 * that match no rule, and those that would have to be reassembled or unwrapped first;
 * and those that it holds in parts, as it does with frames longer than a page.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "rules.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STEER_RULES);
	__type(key, struct steer_match);
	__type(value, struct steer_target);
} rules SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, STEER_RECEIVERS *STEER_QUEUES);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

static __always_inline int parse_udp(void *next, void *end,
				     struct steer_match *key)
{
	struct udphdr *udp = next;

	if ((void *)(udp + 1) > end)
		return 0;
	key->port = udp->dest;
	return 1;
}

static __always_inline int parse_ip(void *next, void *end,
				    struct steer_match *key)
{
	struct iphdr *ip = next;

	if ((void *)(ip + 1) > end || ip->ihl != 5 ||
	    ip->protocol != IPPROTO_UDP || (ip->frag_off & bpf_htons(0x3fff)))
		return 0;
	key->family = 4;
	__builtin_memcpy(key->address, &ip->daddr, 4);
	return parse_udp(ip + 1, end, key);
}

static __always_inline int parse_ipv6(void *next, void *end,
				      struct steer_match *key)
{
	struct ipv6hdr *ip = next;

	if ((void *)(ip + 1) > end || ip->nexthdr != IPPROTO_UDP)
		return 0;
	key->family = 6;
	__builtin_memcpy(key->address, &ip->daddr, 16);
	return parse_udp(ip + 1, end, key);
}

static __always_inline int parse(void *data, void *end, struct steer_match *key)
{
	struct ethhdr *eth = data;

	if ((void *)(eth + 1) > end)
		return 0;
	if (eth->h_proto == bpf_htons(ETH_P_IP))
		return parse_ip(eth + 1, end, key);
	if (eth->h_proto == bpf_htons(ETH_P_IPV6))
		return parse_ipv6(eth + 1, end, key);
	return 0;
}

/* A rule whose lease is over does not count. */
static __always_inline struct steer_target *find(const struct steer_match *key)
{
	struct steer_target *target = bpf_map_lookup_elem(&rules, key);

	if (target && target->until && target->until < bpf_ktime_get_ns())
		return NULL;
	return target;
}

static __always_inline struct steer_target *target_of(void *data, void *end)
{
	struct steer_target *target;
	struct steer_match key = {};

	if (parse(data, end, &key)) {
		target = find(&key);
		if (target)
			return target;
		__builtin_memset(key.address, 0, sizeof(key.address));
		target = find(&key);
		if (target)
			return target;
	}
	__builtin_memset(&key, 0, sizeof(key));
	return find(&key);
}

/* If the driver has no room for the tags, the receiver sees none. */
static __always_inline void tell(struct xdp_md *ctx,
				 const struct steer_target *target)
{
	struct steer_tags *tags;

	if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(*tags)))
		return;
	tags = (void *)(long)ctx->data_meta;
	if ((void *)(tags + 1) > (void *)(long)ctx->data)
		return;
	tags->magic = STEER_MAGIC;
	tags->flow_tag = target->flow_tag;
	tags->metadata = target->metadata;
}

/* Fold with end-around carry; the second time to 16 bits. */
static __always_inline __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/* @n: number of 16-bit words in the addresses */
static __always_inline int is_sum_of(const __u16 *addresses, int n,
				     __u8 protocol, __u16 length, void *next,
				     void *end)
{
	const __u16 *field = next + (protocol == IPPROTO_TCP ? 16 : 6);
	__u32 sum = bpf_htons(protocol) + bpf_htons(length);

	if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP)
		return 0;
	if ((void *)(field + 1) > end)
		return 0;
	for (int i = 0; i < n; i++)
		sum += addresses[i];
	return *field == fold(sum);
}

/*
 * Return true if the checksum is that of the pseudo-header alone. The kernel has left the rest to
 * a card, as it does with frames that it has merged or has yet to segment; these cannot be told
 * from others.
 */
static __always_inline int is_incomplete(void *data, void *end)
{
	struct ethhdr *eth = data;
	struct ipv6hdr *ip6 = (void *)(eth + 1);
	struct iphdr *ip = (void *)(eth + 1);

	if ((void *)(ip + 1) > end)
		return 0;
	if (eth->h_proto == bpf_htons(ETH_P_IP))
		return is_sum_of((__u16 *)&ip->saddr, 4, ip->protocol,
				 bpf_ntohs(ip->tot_len) - ip->ihl * 4,
				 (void *)ip + ip->ihl * 4, end);
	if (eth->h_proto != bpf_htons(ETH_P_IPV6) || (void *)(ip6 + 1) > end)
		return 0;
	return is_sum_of((__u16 *)&ip6->saddr, 16, ip6->nexthdr,
			 bpf_ntohs(ip6->payload_len), ip6 + 1, end);
}

static __always_inline int steer(struct xdp_md *ctx, int may_be_merged)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;
	struct steer_target *target = target_of(data, end);

	if (!target)
		return XDP_PASS;
	if (target->action == STEER_DROP)
		return XDP_DROP;
	if (target->action != STEER_QUEUE ||
	    ctx->rx_queue_index >= STEER_QUEUES || end - data > target->room ||
	    bpf_xdp_get_buff_len(ctx) != (__u64)(end - data))
		return XDP_PASS;
	if (may_be_merged && is_incomplete(data, end))
		return XDP_PASS;
	if (target->flow_tag | target->metadata)
		tell(ctx, target);
	return bpf_redirect_map(&sockets, target->base + ctx->rx_queue_index,
				XDP_PASS);
}

SEC("xdp.frags")
int doca_steer(struct xdp_md *ctx)
{
	return steer(ctx, 0);
}

/* Runs behind the driver, where frames may have been merged. */
SEC("xdp.frags")
int doca_steer_late(struct xdp_md *ctx)
{
	return steer(ctx, 1);
}

char _license[] SEC("license") = "Dual BSD/GPL";
