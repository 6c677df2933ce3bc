// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * LZ4 frames. Blocks may refer to the output of those before them, and tasks have that of
 * their own alone: so a task begins with a block that has, uncompressed, the end of what
 * the task before has put out.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "data/msg.h"
#include "inflater.h"
#include "lz4_frame.h"

#define HISTORY (64 << 10)
/* Bytes that one task takes, and makes; more where a block has more. */
#define PIECE (512 << 10)
#define OF_BLOCK (2 * LZ4_WORD) /* its size, and its checksum */

struct unlz4 {
	struct doca_dev *dev;
	struct stream *stream;
	struct inflater inflater;
	struct lz4_frame frame;
	bool has_ended;
	size_t room; /* bytes of blocks that a task takes */
	struct lz4_sum *sum; /* checksum of the frame's content */
	uint64_t length;
	uint8_t history[HISTORY];
	size_t history_len;
};

static void take_history(struct unlz4 *unlz4, const uint8_t *data, size_t len)
{
	size_t kept = len < HISTORY ? HISTORY - len : 0;

	if (len > HISTORY) {
		data += len - HISTORY;
		len = HISTORY;
	}
	if (kept > unlz4->history_len)
		kept = unlz4->history_len;
	memmove(unlz4->history, unlz4->history + unlz4->history_len - kept,
		kept);
	memcpy(unlz4->history + kept, data, len);
	unlz4->history_len = kept + len;
}

/* Returns the bytes that the history takes as a block. */
static size_t put_history(const struct unlz4 *unlz4, uint8_t *to)
{
	size_t len = unlz4->history_len;

	if (!len)
		return 0;
	lz4_put_word(to, LZ4_STORED | len);
	memcpy(to + LZ4_WORD, unlz4->history, len);
	if (!unlz4->frame.has_block_sums)
		return LZ4_WORD + len;
	lz4_put_word(to + LZ4_WORD + len, lz4_sum_of(unlz4->history, len));
	return OF_BLOCK + len;
}

/* Returns 1 with a block's size, 0 behind the last one. */
static int look_at_block(struct unlz4 *unlz4, size_t *size)
{
	struct input *in = &unlz4->stream->in;
	uint32_t word;

	if (input_look(in, LZ4_WORD))
		return -1;
	if (in->ahead_len < LZ4_WORD)
		return input_damaged(in, in->offset + in->ahead_len,
				     "it ends within a frame");
	word = lz4_get_word(in->ahead);
	if (!word) {
		input_skip(in, LZ4_WORD);
		unlz4->has_ended = true;
		return 0;
	}
	*size = word & ~LZ4_STORED;
	if (*size > unlz4->frame.block_max)
		return input_damaged(
			in, in->offset,
			"this block is longer than its frame allows");
	*size += unlz4->frame.has_block_sums ? OF_BLOCK : LZ4_WORD;
	return 1;
}

/* Move blocks behind what the slot has, until it has enough. Returns its new length. */
static int take_blocks(struct unlz4 *unlz4, struct slot *slot, size_t *length)
{
	const struct engine *engine = &unlz4->inflater.engine;
	size_t out = unlz4->history_len, size = 0, got;
	struct input *in = &unlz4->stream->in;
	int ret = 0;

	while (!unlz4->has_ended &&
	       out + unlz4->frame.block_max <= engine->out_size) {
		ret = look_at_block(unlz4, &size);
		if (ret <= 0)
			break;
		if (*length + size > engine->in_size) {
			if (unlz4->room < size)
				unlz4->room = size;
			break;
		}
		if (input_read(in, slot->in + *length, size, &got))
			return -1;
		if (got < size)
			return input_damaged(in, in->offset,
					     "it ends within a block");
		*length += size;
		out += unlz4->frame.block_max;
	}
	return ret < 0 ? -1 : 0;
}

static int fill(void *arg, struct slot *slot)
{
	struct unlz4 *unlz4 = arg;
	size_t before = put_history(unlz4, slot->in), length = before;

	slot->offset = unlz4->stream->in.offset;
	if (take_blocks(unlz4, slot, &length))
		return -1;
	if (length == before)
		return 0;
	/* The bytes of output that are history. */
	slot->length = unlz4->history_len;
	doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
		slot->typed, unlz4->frame.has_block_sums);
	doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
		slot->typed, unlz4->frame.are_independent);
	if (slot_source(slot, 0, length) || slot_room(slot, 0))
		return -1;
	return 1;
}

static int drain(void *arg, struct slot *slot)
{
	struct unlz4 *unlz4 = arg;
	const uint8_t *data = slot->out + slot->length;
	size_t len = slot->out_len - slot->length;

	if (!unlz4->frame.are_independent)
		take_history(unlz4, data, len);
	if (unlz4->frame.has_sum)
		lz4_sum_add(unlz4->sum, data, len);
	unlz4->length += len;
	return sink_write(&unlz4->stream->out, data, len);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	struct unlz4 *unlz4 = arg;

	if (err == DOCA_ERROR_IO_FAILED)
		return input_damaged(
			&unlz4->stream->in, slot->offset,
			"a block from there on is malformed, or its checksum wrong");
	if (err == DOCA_ERROR_INVALID_VALUE)
		return input_damaged(
			&unlz4->stream->in, slot->offset,
			"a block from there on has more data than its frame allows");
	return fail_doca(err, "decompression failed");
}

/*
 * Tasks whose blocks refer to each other come one by one; long ones take much memory. There is
 * no room for blocks that are as long as they may be, until there is one.
 */
static int open_for_frame(struct unlz4 *unlz4)
{
	const struct lz4_frame *frame = &unlz4->frame;
	size_t most = frame->block_max > PIECE ? frame->block_max : PIECE;
	size_t history = frame->are_independent ? 0 : HISTORY;
	unsigned int depth = ENGINE_DEPTH;

	if (!frame->are_independent || frame->block_max == LZ4_BLOCK_MAX)
		depth = 1;
	else if (frame->block_max > PIECE)
		depth = 2;
	return inflater_open_lz4(&unlz4->inflater, unlz4->dev, depth,
				 OF_BLOCK + history + unlz4->room,
				 history + most);
}

static int check_end(struct unlz4 *unlz4, uint64_t offset)
{
	struct input *in = &unlz4->stream->in;

	if (unlz4->frame.has_length && unlz4->frame.length != unlz4->length)
		return input_damaged(in, offset,
				     "the length of this frame is wrong");
	if (!unlz4->frame.has_sum)
		return 0;
	if (input_look(in, LZ4_WORD))
		return -1;
	if (in->ahead_len < LZ4_WORD)
		return input_damaged(in, in->offset + in->ahead_len,
				     "it ends within a frame");
	if (lz4_get_word(in->ahead) != lz4_sum_value(unlz4->sum))
		return input_damaged(in, offset,
				     "the checksum of this frame is wrong");
	input_skip(in, LZ4_WORD);
	return 0;
}

static int run_frame(struct unlz4 *unlz4)
{
	const struct engine_work work = { fill, drain, failed, unlz4 };
	struct input *in = &unlz4->stream->in;
	uint64_t offset = in->offset;
	const char *why;

	if (input_look(in, LZ4_HEADER_MAX))
		return -1;
	if (!lz4_read_header(in->ahead, in->ahead_len, &unlz4->frame, &why))
		return input_damaged(in, offset, why);
	input_skip(in, unlz4->frame.header);
	unlz4->has_ended = false;
	unlz4->room = PIECE;
	unlz4->length = 0;
	unlz4->history_len = 0;
	lz4_sum_begin(unlz4->sum);
	do {
		if (open_for_frame(unlz4) ||
		    engine_run(&unlz4->inflater.engine, &work))
			return -1;
	} while (!unlz4->has_ended);
	return check_end(unlz4, offset);
}

static int skip_frame(struct input *in)
{
	uint64_t left = 2 * LZ4_WORD;
	size_t part;

	if (input_look(in, left))
		return -1;
	if (in->ahead_len >= left)
		left += lz4_get_word(in->ahead + LZ4_WORD);
	for (; left; left -= part) {
		part = left < PIECE ? left : PIECE;
		if (input_look(in, part))
			return -1;
		if (in->ahead_len < part)
			return input_damaged(
				in, in->offset + in->ahead_len,
				"it ends within a skippable frame");
		input_skip(in, part);
	}
	return 0;
}

bool is_lz4(const uint8_t *data, size_t len)
{
	return len >= LZ4_WORD && (lz4_get_word(data) == LZ4_MAGIC ||
				   lz4_is_skippable(lz4_get_word(data)) ||
				   lz4_get_word(data) == LZ4_LEGACY);
}

/* Returns 1 if there was none. */
static int run_next(struct unlz4 *unlz4)
{
	struct input *in = &unlz4->stream->in;

	if (input_look(in, LZ4_WORD))
		return -1;
	if (!in->ahead_len)
		return 1;
	if (!is_lz4(in->ahead, in->ahead_len))
		return input_damaged(in, in->offset,
				     "what is behind a frame is no other one");
	return lz4_is_skippable(lz4_get_word(in->ahead)) ? skip_frame(in) :
							   run_frame(unlz4);
}

int unlz4(struct doca_dev *dev, struct stream *stream)
{
	struct unlz4 *unlz4 = calloc(1, sizeof(*unlz4));
	int ret;

	if (!unlz4)
		return fail("out of memory");
	unlz4->dev = dev;
	unlz4->stream = stream;
	unlz4->sum = lz4_sum_new();
	if (!unlz4->sum) {
		free(unlz4);
		return fail("out of memory");
	}
	do
		ret = run_next(unlz4);
	while (!ret);
	inflater_close(&unlz4->inflater);
	free(unlz4->sum);
	free(unlz4);
	return ret < 0 ? -1 : 0;
}
