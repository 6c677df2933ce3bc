// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory of AF_XDP sockets, on an interface that is made up, and checksums of frames. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "asleep.h"
#include "eth_bed.h"
#include "xsk/frame.h"

static _Alignas(4096) char memory[64 * 2048];
static const struct xsk_attr attr = { .ifname = "fake0",
				      .memory = memory,
				      .length = sizeof(memory),
				      .chunk = 2048,
				      .room = 1500,
				      .burst = 16 };

/* Two receivers share one memory: each gets its own frames, and chunks return to the host. */
TEST(receivers_share_a_queue)
{
	struct xsk *host, *shares[2];
	struct xsk_rule *rules[2];
	uint8_t frame[100];
	uint32_t len;

	wire_reset();
	wire.queues = 2;
	EXPECT_EQ(xsk_open(&host, &attr, &why), 0);
	EXPECT_EQ(wire.umems, 2);
	for (int i = 0; i < 2; i++) {
		const struct xsk_rule_attr its = {
			.match = { .family = 4, .port = htons(100 + i), .address = { 10, 0, 0, 2 } },
			.action = STEER_QUEUE,
			.number = i + 1,
		};

		EXPECT_EQ(xsk_share(&shares[i], host, 16, &why), 0);
		EXPECT_EQ(xsk_bind_number(shares[i], i + 1, &why), 0);
		EXPECT_EQ(xsk_rule_add(&rules[i], "fake0", &its, &why), 0);
	}
	EXPECT_EQ(wire.umems, 2);
	EXPECT_EQ(wire.sockets, 6);
	for (int n = 0; n < 300; n++) {
		struct xsk_frame got = { 0 };

		len = udp_frame(frame, 100 + n % 2, 20);
		frame[42] = n;
		wire_receive(n / 2 % 2, frame, len);
		EXPECT(!xsk_next(shares[!(n % 2)], &got));
		EXPECT(!xsk_next(host, &got));
		EXPECT(xsk_next(shares[n % 2], &got));
		EXPECT_EQ(got.length, len);
		EXPECT(!memcmp(got.data, frame, len));
		EXPECT(xsk_give(host, got.chunk));
		EXPECT(!xsk_give(host, got.chunk));
		xsk_refill(host);
	}
	EXPECT_EQ(wire.dropped, 0);
	/* A closed receiver takes its rule out of the map; the other keeps its own. */
	xsk_close(shares[0], false);
	EXPECT_EQ(wire_rules(), 1);
	EXPECT_EQ(wire.passed, 0);
	wire_receive(0, frame, udp_frame(frame, 100, 20));
	EXPECT_EQ(wire.passed, 1);
	wire_receive(0, frame, udp_frame(frame, 101, 20));
	EXPECT_EQ(wire.passed, 1);
	xsk_close(shares[1], false);
	EXPECT_EQ(wire_rules(), 0);
	for (int i = 0; i < 2; i++)
		xsk_rule_del(rules[i]);
	xsk_close(host, false);
	EXPECT(wire_clean());
}

/* However many frames one queue of the interface has. */
TEST(no_queue_waits_for_another_to_be_empty)
{
	const struct xsk_rule_attr all = { .action = STEER_QUEUE };
	struct xsk_frame got = { 0 };
	unsigned int n;
	struct xsk *xsk;

	eth_set_up();
	wire.queues = 2;
	EXPECT_EQ(xsk_open(&xsk, &attr, &why), 0);
	EXPECT_EQ(xsk_bind_number(xsk, 0, &why), 0);
	EXPECT_EQ(xsk_rule_add(&rule, "fake0", &all, &why), 0);
	for (n = 0; n < 8; n++)
		wire_receive(0, frame_of(0, 60), 60);
	wire_receive(1, frame_of(1, 61), 61);
	for (n = 0; n < 1000 && got.length != 61; n++) {
		EXPECT(xsk_next(xsk, &got));
		EXPECT(xsk_give(xsk, got.chunk));
		xsk_refill(xsk);
		wire_receive(0, frame_of(0, 60), 60);
	}
	EXPECT(n < 100);
	EXPECT_EQ(wire.dropped, 0);
	/* The next frame is the one that a look has shown. */
	wire_receive(1, frame_of(1, 61), 61);
	for (n = 0; n < 9; n++) {
		struct xsk_frame seen = { 0 };

		EXPECT(xsk_look(xsk, &seen));
		EXPECT(xsk_next(xsk, &got));
		EXPECT(seen.data == got.data);
		EXPECT(xsk_give(xsk, got.chunk));
	}
	xsk_close(xsk, false);
	eth_tear_down();
}

/* Tags of a frame that nobody has taken are not found in its chunk later. */
TEST(what_a_rule_said_does_not_outlive_a_run)
{
	const struct xsk_rule_attr all = { .action = STEER_QUEUE };
	struct xsk_frame got = { 0 };
	struct xsk_tags tags;
	struct xsk *xsk;

	eth_set_up();
	steer_all(5, 6);
	for (int run = 0; run < 2; run++) {
		EXPECT_EQ(xsk_open(&xsk, &attr, &why), 0);
		EXPECT_EQ(xsk_bind_number(xsk, 0, &why), 0);
		wire_receive(0, frame_of(1, 60), 60);
		if (run) {
			EXPECT(xsk_next(xsk, &got));
			tags = xsk_take_tags(&got);
			EXPECT(!tags.flow_tag && !tags.metadata);
		}
		xsk_close(xsk, false);
		EXPECT_EQ(xsk_rule_change(rule, &all), 0);
	}
	eth_tear_down();
}

static bool is_first_half(uint32_t chunk, void *arg)
{
	(*(unsigned int *)arg)++;
	return chunk < 32;
}

/* Chunks that the program still has of an earlier queue do not go to the kernel. */
TEST(chunks_that_are_held)
{
	struct xsk_attr held = attr;
	unsigned int asked = 0;
	struct xsk *xsk;

	held.burst = 64;
	held.is_held = is_first_half;
	held.arg = &asked;
	wire_reset();
	EXPECT_EQ(xsk_open(&xsk, &held, &why), 0);
	EXPECT_EQ(asked, 64);
	EXPECT_EQ(wire.umem[0]->fill.producer, 32);
	EXPECT(!xsk_give(xsk, 32));
	EXPECT(xsk_give(xsk, 31));
	xsk_refill(xsk);
	EXPECT_EQ(wire.umem[0]->fill.producer, 33);
	xsk_close(xsk, false);
	EXPECT(wire_clean());
}

/* Rings are shared: ignore what they say of chunks that are in none of them. */
TEST(rings_that_are_wrong)
{
	struct xsk_frame got = { 0 };
	struct xsk *xsk;

	wire_reset();
	EXPECT_EQ(xsk_open(&xsk, &attr, &why), 0);
	wire.umem[0]->fill.consumer++;
	wire_desc(0, 5 * 2048 + 256, 60);
	EXPECT(xsk_next(xsk, &got));
	EXPECT_EQ(got.chunk, 5);
	/* First the program has it, and then nobody until it is in a ring. */
	wire_desc(0, 5 * 2048 + 256, 60);
	EXPECT(!xsk_next(xsk, &got));
	EXPECT(xsk_give(xsk, 5));
	wire_desc(0, 5 * 2048 + 256, 60);
	EXPECT(!xsk_next(xsk, &got));
	xsk_refill(xsk);
	wire_desc(0, 5 * 2048 + 256, 60);
	EXPECT(xsk_next(xsk, &got));
	/* Outside of the memory, and across its end. */
	wire_desc(0, 64 * 2048 + 256, 60);
	wire_desc(0, UINT64_MAX - 255, 60);
	wire_desc(0, 6 * 2048 + 2000, 60);
	wire_desc(0, 6 * 2048 + 256, UINT32_MAX);
	EXPECT(!xsk_next(xsk, &got));
	/* An impossible number of frames counts as none, and takes no longer. */
	wire.bound[0]->rx.producer += UINT32_MAX;
	EXPECT(!xsk_next(xsk, &got));
	EXPECT(xsk_pending(xsk));
	xsk_close(xsk, false);
	EXPECT(wire_clean());
}

static atomic_bool is_changing;

static void change_until_fork(void)
{
	if (!atomic_exchange(&is_changing, true))
		stay_until_fork();
}

static void *renew(void *rule)
{
	EXPECT_EQ(xsk_rule_renew(rule, 0), 0);
	return NULL;
}

/* The parent's receivers stay as they are, and neither they nor new ones block. */
static void use_in_child(struct xsk *parents)
{
	struct xsk *own;

	alarm(60);
	EXPECT(wire.program->left);
	EXPECT_EQ(xsk_bind_number(parents, 1, &why), -EBADF);
	EXPECT_EQ(xsk_bind_number(parents, 0, &why), -EBADF);
	EXPECT_EQ(xsk_rule_renew(rule, 1), -EBADF);
	EXPECT_EQ(wire.program->rules[0].target.until, 1);
	wire.program = NULL;
	xsk_close(parents, true);
	EXPECT_EQ(xsk_open(&own, &attr, &why), 0);
	EXPECT(wire.program && !wire.program->left);
	xsk_close(own, false);
	/* Not _exit(): TSan misses the parent's thread there if it had just ended. */
	syscall(SYS_exit_group, ktap_bad ? 1 : 0);
}

TEST(a_fork_waits_for_threads_that_change_rules)
{
	pthread_t thread;
	struct xsk *xsk;
	int status = 1;
	pid_t pid;

	eth_set_up();
	EXPECT_EQ(xsk_open(&xsk, &attr, &why), 0);
	EXPECT_EQ(xsk_bind_number(xsk, 0, &why), 0);
	steer_all(0, 0);
	wire.in_map = change_until_fork;
	watch_forks_first();
	EXPECT_EQ(pthread_create(&thread, NULL, renew, rule), 0);
	while (!atomic_load(&is_changing))
		sched_yield();
	pid = fork();
	if (!pid)
		use_in_child(xsk);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	EXPECT(!wire.program->left);
	wire.in_map = NULL;
	xsk_close(xsk, false);
	eth_tear_down();
}

#define MAX 1500
#define L3 14
#define L4 34

/* A slow and simple sum of 16-bit words, as the documents define it. */
static uint32_t plain_sum(const uint8_t *p, unsigned int len, uint32_t sum)
{
	for (unsigned int i = 0; i < len; i++) {
		sum += i % 2 ? p[i] : p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

static uint32_t plain_pseudo(const uint8_t *frame, unsigned int len)
{
	return plain_sum(frame + L3 + 12, 8, FRAME_UDP + len);
}

static void make_frame(uint8_t *frame, unsigned int len, int fill)
{
	static const uint8_t head[] = { 0x45, 0, 0,  0, 0, 0, 0,  0, 64, 17,
					0,    0, 10, 0, 0, 1, 10, 0, 0,	 2 };

	memset(frame, 0, L4);
	put_be16(frame + 12, 0x0800);
	memcpy(frame + L3, head, sizeof(head));
	put_be16(frame + L3 + 2, 20 + len);
	for (unsigned int i = 0; i < len; i++)
		frame[L4 + i] = fill < 0 ? rand() : fill;
	put_be16(frame + L4 + 4, len);
	put_be16(frame + L4 + 6, 0);
}

static void check_length(unsigned int len, int fill)
{
	uint8_t frame[L4 + MAX];
	struct frame_view view;
	uint16_t wanted;

	make_frame(frame, len, fill);
	frame_parse(frame, L4 + len, &view);
	EXPECT_EQ(view.l4, L4);
	wanted = ~plain_sum(frame + L4, len, plain_pseudo(frame, len));
	frame_set_l4_sum(frame, &view);
	EXPECT_EQ(get_be16(frame + L4 + 6), wanted ?: 0xffff);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	wanted = ~plain_sum(frame + L3, 20, 0);
	frame_set_l3_sum(frame, &view);
	EXPECT_EQ(get_be16(frame + L3 + 10), wanted);
	EXPECT(frame_l3_ok(frame, &view));
	frame[L4 + len - 1] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
}

/* All ones have a carry at every step. */
TEST(sums_of_every_length)
{
	srand(1);
	for (unsigned int len = 9; len <= MAX; len++) {
		check_length(len, -1);
		check_length(len, 0xff);
		check_length(len, 0);
	}
}

/* The length of a header is that which was checked. */
TEST(a_header_is_as_long_as_when_it_was_parsed)
{
	uint8_t frame[L4 + 100];
	struct frame_view view;

	make_frame(frame, 100, 7);
	frame_parse(frame, L4 + 100, &view);
	frame[L3] = 0x4f;
	frame_set_l3_sum(frame, &view);
	EXPECT_EQ(plain_sum(frame + L3, 20, 0), 0xffff);
	EXPECT(frame_l3_ok(frame, &view));
}

/* A datagram has its own length, in a packet that is at least as long. */
TEST(what_is_behind_a_datagram_is_not_summed)
{
	uint8_t frame[L4 + 100];
	struct frame_view view;

	make_frame(frame, 100, 7);
	put_be16(frame + L4 + 4, 90);
	put_be16(frame + L4 + 6, ~plain_sum(frame + L4, 90, plain_pseudo(frame, 90)));
	frame_parse(frame, L4 + 100, &view);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	frame[L4 + 95] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	frame[L4 + 85] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
	frame_set_l4_sum(frame, &view);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	/* Impossible lengths, with sums that would be right. */
	for (int len = 0; len < 200; len += 101) {
		put_be16(frame + L4 + 4, len);
		frame_set_l4_sum(frame, &view);
		EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
	}
	put_be16(frame + L4 + 6, 0);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
}
