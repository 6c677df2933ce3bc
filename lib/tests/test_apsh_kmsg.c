// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the kernel's log, as kernels have it since 5.10, and before. */
#include "apsh_stage.h"
#include "apsh_watch.h"

enum { COUNT_BITS = 3, COUNT = 1 << COUNT_BITS, SIZE_BITS = 8, SIZE = 1 << SIZE_BITS };
enum { RESERVED, COMMITTED, FINALIZED, REUSABLE };

#define ID_MASK (~0ULL >> 2)

static struct {
	u64 ring, descs, infos, data;
	u64 head, position, seq;
} prb;

static struct apsh_message **list;
static int nr;

static u64 desc_of(u64 id)
{
	return prb.descs + id % COUNT * image.map.fields[F_DESC_SIZE].size;
}

static void set_state(u64 id, u64 state)
{
	set(desc_of(id), F_DESC_STATE, (id & ID_MASK) | state << 62);
}

/* An empty ring, as the kernel begins: it has one record, which may be used again. */
static void set_up_ring(void)
{
	set_up_image(4);
	prb.ring = object(256, 64);
	prb.descs = object(COUNT * image.map.fields[F_DESC_SIZE].size, 64);
	prb.infos = object(COUNT * image.map.fields[F_INFO_SIZE].size, 64);
	prb.data = object(SIZE, 64);
	prb.head = (0 - (COUNT + 1ULL)) & ID_MASK;
	prb.position = 0ULL - SIZE;
	prb.seq = 0;
	*(u64 *)at_va(symbol(S_prb)) = prb.ring;
	set(prb.ring, F_PRB_COUNT_BITS, COUNT_BITS);
	set(prb.ring, F_PRB_SIZE_BITS, SIZE_BITS);
	set(prb.ring, F_PRB_DESCS, prb.descs);
	set(prb.ring, F_PRB_INFOS, prb.infos);
	set(prb.ring, F_PRB_DATA, prb.data);
	set(prb.ring, F_PRB_HEAD, prb.head);
	set(prb.ring, F_PRB_TAIL, prb.head);
	set_state(prb.head, REUSABLE);
}

/* A block that does not fit in front of the end is at the start. */
static u64 new_block(u64 id, const char *text, u64 *begin)
{
	u64 size = (8 + strlen(text) + 7) & ~7ULL, at;

	*begin = prb.position;
	if ((*begin + size - 1) >> SIZE_BITS != *begin >> SIZE_BITS)
		prb.position = (prb.position | (SIZE - 1)) + 1;
	at = prb.data + prb.position % SIZE;
	*(u64 *)at_va(at) = id;
	memcpy((char *)at_va(at) + 8, text, strlen(text));
	prb.position += size;
	return at;
}

/* Write the next record. Return the address of its block. */
static u64 message(const char *text, u32 level)
{
	u64 id = (prb.head + 1) & ID_MASK, begin, block, info;

	info = prb.infos + id % COUNT * image.map.fields[F_INFO_SIZE].size;
	block = new_block(id, text, &begin);
	set_state(id, FINALIZED);
	set(desc_of(id), F_DESC_BEGIN, begin);
	set(desc_of(id), F_DESC_NEXT, prb.position);
	set(info, F_INFO_SEQ, prb.seq++);
	set(info, F_INFO_TIME, 1000000007 * prb.seq);
	set(info, F_INFO_LEN, strlen(text));
	set(info, F_INFO_FACILITY, 3);
	set(info, F_INFO_LEVEL, level);
	prb.head = id;
	set(prb.ring, F_PRB_HEAD, id);
	return block;
}

static struct doca_apsh_system *messages_are(int wanted, bool broken)
{
	struct doca_apsh_system *s = started_system();
	struct view_stats stats;

	logged();
	list = NULL;
	nr = 0;
	OK(doca_priv_apsh_messages_get(s, &list, &nr));
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(nr, wanted);
	EXPECT_EQ(!!stats.broken, broken);
	return s;
}

static void tear_down_messages(struct doca_apsh_system *s)
{
	doca_priv_apsh_messages_free(list);
	tear_down(s);
}

static void no_log(const char *words)
{
	struct doca_apsh_system *s = started_system();

	logged();
	EXPECT_EQ(doca_priv_apsh_messages_get(s, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	tear_down(s);
}

TEST(messages)
{
	struct doca_apsh_system *s;

	set_up_ring();
	tear_down_messages(messages_are(0, false));
	set_up_ring();
	message("first", 6);
	message("", 4);
	s = messages_are(2, false);
	ASSERT(nr == 2);
	EXPECT_STR(list[0]->text, "first");
	EXPECT_EQ(list[0]->len, 5);
	EXPECT_EQ(list[0]->seq, 0);
	EXPECT_EQ(list[0]->ns, 1000000007);
	EXPECT_EQ(list[0]->facility, 3);
	EXPECT_EQ(list[0]->level, 6);
	EXPECT_STR(list[1]->text, "");
	EXPECT(!list[0]->lost && !list[1]->lost);
	EXPECT_SILENT();
	tear_down_messages(s);
}

TEST(messages_without_memory)
{
	struct doca_apsh_system *s;

	set_up_ring();
	message("first", 6);
	s = started_system();
	EXPECT_FAULTS(FAULT_ALLOC, doca_priv_apsh_messages_get(s, &list, &nr), NO_MEMORY,
		      doca_priv_apsh_messages_free(list));
	tear_down(s);
}

/* Both rings have gone round, and a text that did not fit is at the start. */
TEST(messages_of_a_ring_that_has_wrapped)
{
	struct doca_apsh_system *s;
	char text[64];

	set_up_ring();
	for (int i = 0; i < 3 * COUNT; i++) {
		snprintf(text, sizeof(text), "message %d has this text", i);
		message(text, 5);
	}
	set(prb.ring, F_PRB_TAIL, prb.head - 5);
	s = messages_are(6, false);
	for (int i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "message %d has this text", 3 * COUNT - 6 + i);
		EXPECT_STR(list[i]->text, text);
		EXPECT_EQ(list[i]->seq, 3 * COUNT - 6 + (u64)i);
	}
	EXPECT_SILENT();
	tear_down_messages(s);
}

/* Since 6.18 a text may end where the ring ends. */
TEST(a_text_up_to_the_end_of_the_ring)
{
	struct doca_apsh_system *s;
	char text[SIZE - 8 + 1];

	set_up_ring();
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	message(text, 5);
	EXPECT_EQ(prb.position % SIZE, 0);
	s = messages_are(1, false);
	EXPECT_STR(list[0]->text, text);
	tear_down_messages(s);
}

/* A record that is reserved is not there yet, and one may be taken for another one. */
TEST(messages_that_are_being_written)
{
	struct doca_apsh_system *s;

	set_up_ring();
	for (int i = 0; i < 5; i++)
		message("text", 6);
	set_state(prb.head, RESERVED);
	set_state(prb.head - 1, COMMITTED);
	set_state(prb.head - 2, REUSABLE);
	set(desc_of(prb.head - 3), F_DESC_STATE, ((prb.head - 3 - COUNT) & ID_MASK) | 2ULL << 62);
	s = messages_are(2, false);
	ASSERT(nr == 2);
	EXPECT_EQ(list[0]->seq, 0);
	EXPECT_EQ(list[1]->seq, 3);
	EXPECT_SILENT();
	tear_down_messages(s);
}

TEST(messages_without_a_text)
{
	struct doca_apsh_system *s;

	set_up_ring();
	for (int i = 0; i < 2; i++) {
		message("text", 6);
		set(desc_of(prb.head), F_DESC_BEGIN, i ? 1 : 3);
		set(desc_of(prb.head), F_DESC_NEXT, i ? 1 : 3);
	}
	s = messages_are(2, false);
	EXPECT(!list[0]->lost && !list[0]->len);
	EXPECT(list[1]->lost && !list[1]->len);
	tear_down_messages(s);
}

TEST(texts_with_any_bytes)
{
	struct doca_apsh_system *s;

	set_up_ring();
	*((char *)at_va(message("a-b\n\x80", 6)) + 8 + 1) = '\0';
	s = messages_are(1, false);
	EXPECT_EQ(list[0]->len, 5);
	EXPECT(!memcmp(list[0]->text, "a\0b\n\x80", 6));
	tear_down_messages(s);
}

/* Each is told, and leads nowhere else. */
TEST(messages_with_impossible_texts)
{
	static const u64 bad[][2] = { { 0, 0 },		{ 0, 4 },	   { 8, 0 },
				      { 0, SIZE + 8 },	{ 0, UINT64_MAX }, { 16, 3 * SIZE },
				      { 0, 1ULL << 40 } };
	struct doca_apsh_system *s;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		set_up_ring();
		message("text", 6);
		set(desc_of(prb.head), F_DESC_BEGIN, bad[i][0]);
		set(desc_of(prb.head), F_DESC_NEXT, bad[i][1]);
		s = messages_are(1, true);
		EXPECT(list[0]->lost && !list[0]->len);
		tear_down_messages(s);
	}
	/* that of another record */
	set_up_ring();
	*(u64 *)at_va(message("text", 6)) += 1;
	s = messages_are(1, true);
	EXPECT(list[0]->lost);
	tear_down_messages(s);
	/* a length that is too large is cut off at the end of the block */
	set_up_ring();
	message("text", 6);
	set(prb.infos + prb.head % COUNT * image.map.fields[F_INFO_SIZE].size, F_INFO_LEN, 65535);
	s = messages_are(1, false);
	EXPECT_EQ(list[0]->len, 8);
	tear_down_messages(s);
	/* an id from nowhere */
	set_up_ring();
	message("text", 6);
	set(desc_of(prb.head), F_DESC_STATE, 12345 | 2ULL << 62);
	tear_down_messages(messages_are(0, true));
}

static void ring_with(enum field f, u64 value)
{
	set_up_ring();
	message("text", 6);
	set(prb.ring, f, value);
	no_log("the log of the kernel is not sound");
}

TEST(a_ring_with_impossible_sizes)
{
	ring_with(F_PRB_COUNT_BITS, 0);
	ring_with(F_PRB_COUNT_BITS, 27);
	ring_with(F_PRB_COUNT_BITS, UINT32_MAX);
	ring_with(F_PRB_SIZE_BITS, 0);
	ring_with(F_PRB_SIZE_BITS, 64);
	ring_with(F_PRB_DESCS, 0);
	ring_with(F_PRB_TAIL, 0);
	set_up_ring();
	*(u64 *)at_va(symbol(S_prb)) = 0x1234;
	no_log("the log of the kernel is not sound");
}

/* A large ring of nothing ends by the budget, at the latest. */
TEST(a_large_ring_of_nothing)
{
	struct doca_apsh_system *s;

	set_up_ring();
	set(prb.ring, F_PRB_COUNT_BITS, 26);
	set(prb.ring, F_PRB_TAIL, (prb.head - (1 << 26) + 1) & ID_MASK);
	s = started_system();
	s->budget.bytes = 1 << 20;
	logged();
	EXPECT_EQ(doca_priv_apsh_messages_get(s, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("DOCA_APSH_BUDGET");
	tear_down(s);
}

static struct {
	u64 buf, head;
	u32 len, at;
	u64 next;
} old;

static void set_log(enum symbol s, u64 value, size_t size)
{
	memcpy(at_va(symbol(s)), &value, size);
}

static void set_up_records(u32 len)
{
	map_is_old = true;
	set_up_image(4);
	memset(&old, 0, sizeof(old));
	old.buf = object(len + 64, 64);
	old.head = image.map.fields[F_LOG_SIZE].size;
	old.len = len;
	set_log(S_log_buf, old.buf, 8);
	set_log(S_log_buf_len, len, 4);
}

/* Return the place of the record. */
static u32 record(const char *text)
{
	u32 size = (u32)(old.head + strlen(text) + 7) & ~7U, at;

	if (old.at + size > old.len)
		old.at = 0;
	at = old.at;
	memset(at_va(old.buf + at), 0, size);
	set(old.buf + at, F_LOG_TIME, 2000000003 * (old.next + 1));
	set(old.buf + at, F_LOG_LEN, size);
	set(old.buf + at, F_LOG_TEXT_LEN, strlen(text));
	set(old.buf + at, F_LOG_FACILITY, 1);
	set(old.buf + at, F_LOG_LEVEL, 4);
	memcpy((char *)at_va(old.buf + at) + old.head, text, strlen(text));
	old.at += size;
	set_log(S_log_next_seq, ++old.next, 8);
	return at;
}

static void tear_down_records(struct doca_apsh_system *s)
{
	tear_down_messages(s);
	map_is_old = false;
}

TEST(messages_of_records)
{
	struct doca_apsh_system *s;

	set_up_records(4096);
	record("first");
	record("second");
	s = messages_are(2, false);
	ASSERT(nr == 2);
	EXPECT_STR(list[1]->text, "second");
	EXPECT_EQ(list[1]->seq, 1);
	EXPECT_EQ(list[1]->ns, 4000000006);
	EXPECT_EQ(list[1]->facility, 1);
	EXPECT_EQ(list[1]->level, 4);
	EXPECT_SILENT();
	tear_down_records(s);
}

/* The buffer is read in parts, and has gone round. */
TEST(messages_of_records_that_have_wrapped)
{
	enum { BUFFER = 150000, LENGTH = 700, ALL = 300 };
	struct doca_apsh_system *s;
	char text[LENGTH + 1];
	u32 first = 0;

	set_up_records(BUFFER);
	memset(text, '.', LENGTH);
	text[LENGTH] = '\0';
	for (u32 i = 0; i < ALL; i++) {
		u32 was = old.at, at;

		snprintf(text, 8, "%06u", i);
		text[6] = '.';
		at = record(text);
		/* the end of the buffer has no record, or one of no length */
		if (at < was && old.len - was >= old.head)
			memset(at_va(old.buf + was), 0, old.head);
		if (i == ALL - 150)
			first = at;
	}
	set_log(S_log_first_seq, ALL - 150, 8);
	set_log(S_log_first_idx, first, 4);
	s = messages_are(150, false);
	for (int i = 0; i < nr; i++)
		EXPECT_EQ(atoi(list[i]->text), ALL - 150 + i);
	EXPECT_SILENT();
	tear_down_records(s);
}

TEST(records_with_impossible_lengths)
{
	/* shorter than its head, beyond the buffer, a text beyond the record, and none at all */
	for (int i = 0; i < 4; i++) {
		u64 at;

		set_up_records(4096);
		record("first");
		at = old.buf + record("second");
		record("third");
		set(at, i == 2 ? F_LOG_TEXT_LEN : F_LOG_LEN, i == 0 ? 1 : i == 3 ? 0 : 65535);
		if (i == 3)
			set(old.buf, F_LOG_LEN, 0);
		tear_down_records(messages_are(i == 3 ? 0 : 1, true));
	}
}

TEST(a_log_with_impossible_numbers)
{
	for (int i = 0; i < 4; i++) {
		set_up_records(4096);
		record("first");
		set_log(S_log_buf, i == 0 ? 0 : old.buf, 8);
		set_log(S_log_buf_len, i == 1 ? 0 : i == 2 ? UINT32_MAX : old.len, 4);
		set_log(S_log_next_seq, i == 3 ? UINT64_MAX : 1, 8);
		no_log("the log of the kernel is not sound");
		map_is_old = false;
	}
	set_up_records(4096);
	record("first");
	set_log(S_log_first_idx, UINT32_MAX, 4);
	tear_down_records(messages_are(0, true));
}

static struct doca_apsh_system *messages_without(u64 va)
{
	struct doca_apsh_system *s = started_system();

	watch_system(s);
	watch.missing = pa_of(va) & ~(PAGE - 1);
	logged();
	list = NULL;
	nr = 0;
	OK(doca_priv_apsh_messages_get(s, &list, &nr));
	EXPECT_LOGGED("1 pages of memory that lead to messages are not in the image");
	return s;
}

/* A length that cannot be read does not say that the next record is at the beginning. */
TEST(records_that_are_not_in_the_image)
{
	struct doca_apsh_system *s;
	char text[32];

	set_up_records(3 * 4096);
	old.buf = object(3 * 4096, 4096);
	set_log(S_log_buf, old.buf, 8);
	for (u32 i = 0; old.at < 2 * 4096 + 512; i++) {
		snprintf(text, sizeof(text), "message %u", i);
		record(text);
	}
	s = messages_without(old.buf + 4096);
	EXPECT(nr > 1);
	for (int i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		if (!list[i]->absent)
			EXPECT_STR(list[i]->text, text);
		EXPECT_EQ(list[i]->seq, (u64)i);
		EXPECT(!list[i]->lost);
	}
	EXPECT((u32)nr <= 4096 / (old.head + 8));
	tear_down_records(s);
}

/* A text that is not in the image may be in the kernel. */
TEST(texts_that_are_not_in_the_image)
{
	struct doca_apsh_system *s;
	u64 missing = UINT64_MAX;
	char text[600];

	set_up_ring();
	prb.data = object(2 * 4096, 4096) + 4096 - SIZE / 2;
	set(prb.ring, F_PRB_DATA, prb.data);
	message("first", 6);
	memset(text, 'x', SIZE / 2);
	text[SIZE / 2] = '\0';
	message(text, 6);
	message("third", 6);
	s = messages_without(prb.data + SIZE / 2);
	ASSERT(nr == 3);
	EXPECT_STR(list[0]->text, "first");
	EXPECT(!list[0]->absent && list[1]->absent && list[2]->absent);
	for (int i = 0; i < nr; i++)
		EXPECT(!list[i]->lost);
	EXPECT(!list[1]->len && !list[2]->len);
	tear_down_messages(s);
	/* without its time and level nothing is told of a message */
	set_up_ring();
	prb.infos = object(4096, 4096);
	set(prb.ring, F_PRB_INFOS, prb.infos);
	message("first", 6);
	s = messages_without(prb.infos);
	EXPECT_EQ(nr, 0);
	tear_down_messages(s);
	/* in the older form the text may go on in a page that is missing */
	set_up_records(3 * 4096);
	old.buf = object(3 * 4096, 4096);
	set_log(S_log_buf, old.buf, 8);
	memset(text, 'x', 599);
	text[599] = '\0';
	for (u64 at = 0; at < 4096; at = old.at) {
		record(text);
		if (at < 4096 && old.at > 4096)
			missing = old.next - 1;
	}
	s = messages_without(old.buf + 4096);
	ASSERT((u64)nr == missing + 1);
	EXPECT(list[missing]->absent && !list[missing]->lost);
	tear_down_records(s);
}

static void fails_without(int field, const char *words)
{
	set_up_image(4);
	write_map(image.symbols, BANNER_64, field);
	no_log(words);
}

TEST(a_map_without_a_log)
{
	fails_without(F_INFO_TIME, "the map has no struct printk_info, ts_nsec");
	map_is_old = true;
	fails_without(F_LOG_TEXT_LEN, "the map has no struct printk_log, text_len");
	map_is_old = false;
}

/* The level is three bits of a byte. */
TEST(bits_of_a_byte_are_a_number)
{
	struct doca_apsh_system *s;

	set_up_ring();
	message("text", 0xa5);
	s = started_system();
	s->kernel.map.fields[F_INFO_LEVEL].shift = 5;
	s->kernel.map.fields[F_INFO_LEVEL].bits = 3;
	OK(doca_priv_apsh_messages_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT_EQ(list[0]->level, 5);
	tear_down_messages(s);
}
