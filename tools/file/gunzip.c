// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Members of gzip files. Where a header has the member's length, and there is room for it,
 * several are decompressed at a time. A member of unknown length is tried with more input,
 * or more room, until it ends: nothing tells beforehand where.
 */
#include <string.h>

#include <doca_error.h>
#include <open_doca.h>

#include "compress.h"
#include "data/msg.h"
#include "inflater.h"

#define SHORT_HEADER 256
#define LONG_HEADER (1 << 20)
#define FIRST_INPUT (64 << 10)
#define FIRST_OUTPUT (1 << 20)
#define MAX_INPUT (128 << 20)
#define MAX_OUTPUT (1 << 30)

struct gunzip {
	struct doca_dev *dev;
	struct stream *stream;
	struct inflater pieces; /* members of known length */
	struct inflater whole; /* one of unknown length */
	size_t out_size; /* the room that the last one had */
};

static uint64_t consumed(const struct slot *slot)
{
	return open_doca_compress_task_decompress_deflate_get_consumed(
		slot->typed);
}

static int check_sums(const struct input *in, uint64_t offset,
		      const struct slot *slot,
		      const struct gzip_trailer *trailer)
{
	if (trailer->crc !=
	    doca_compress_task_decompress_deflate_get_crc_cs(slot->typed))
		return input_damaged(in, offset,
				     "the checksum of this member is wrong");
	if (trailer->length != (uint32_t)slot->out_len)
		return input_damaged(in, offset,
				     "the length of this member is wrong");
	return 0;
}

/* Returns 0 at the end, and at a member that is not of known length. */
static int fill(void *arg, struct slot *slot)
{
	struct gunzip *gunzip = arg;
	struct input *in = &gunzip->stream->in;
	struct gzip_trailer trailer;
	struct gzip_header header;
	const char *why;

	if (input_look(in, SHORT_HEADER))
		return -1;
	if (gzip_read_header(in->ahead, in->ahead_len, &header, &why) <= 0 ||
	    header.member < header.length + GZIP_TRAILER ||
	    header.member > GZIP_MEMBER_MAX)
		return 0;
	if (input_look(in, header.member))
		return -1;
	slot->offset = in->offset;
	slot->length = header.member - header.length - GZIP_TRAILER;
	if (in->ahead_len < header.member)
		return input_damaged(in, in->offset + in->ahead_len,
				     "it ends within a member");
	gzip_read_trailer(in->ahead + header.length + slot->length, &trailer);
	if (trailer.length > GZIP_PIECE)
		return 0;
	memcpy(slot->in, in->ahead, header.member);
	input_skip(in, header.member);
	if (slot_source(slot, header.length, slot->length) ||
	    slot_room(slot, 0))
		return -1;
	return 1;
}

static size_t header_of(const struct slot *slot)
{
	struct gzip_header header;
	const char *why;

	gzip_read_header(slot->in, GZIP_MEMBER_MAX, &header, &why);
	return header.length;
}

static int drain(void *arg, struct slot *slot)
{
	struct gunzip *gunzip = arg;
	const struct input *in = &gunzip->stream->in;
	size_t header = header_of(slot);
	struct gzip_trailer trailer;

	gzip_read_trailer(slot->in + header + slot->length, &trailer);
	if (consumed(slot) != slot->length)
		return input_damaged(in, slot->offset + header + consumed(slot),
				     "a member ends before its length");
	if (check_sums(in, slot->offset, slot, &trailer))
		return -1;
	return sink_write(&gunzip->stream->out, slot->out, slot->out_len);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	struct gunzip *gunzip = arg;
	uint64_t offset = slot->offset + header_of(slot) + consumed(slot);

	if (err == DOCA_ERROR_IO_FAILED)
		return input_damaged(&gunzip->stream->in, offset,
				     "this is no DEFLATE data");
	if (err == DOCA_ERROR_INVALID_VALUE)
		return input_damaged(&gunzip->stream->in, slot->offset,
				     "this member has more data than it says");
	return fail_doca(err, "decompression failed");
}

static int skip_header(struct input *in)
{
	struct gzip_header header;
	const char *why = "a header that does not end";
	size_t len = SHORT_HEADER;
	int found;

	do {
		if (input_look(in, len))
			return -1;
		found = gzip_read_header(in->ahead, in->ahead_len, &header,
					 &why);
		if (!found && in->ahead_len < len)
			return input_damaged(in, in->offset + in->ahead_len,
					     "it ends within a header");
		len *= 2;
	} while (!found && len <= LONG_HEADER);
	if (found <= 0)
		return input_damaged(in, in->offset, why);
	input_skip(in, header.length);
	return 0;
}

/* Run the one task on what is ahead, up to @size bytes. */
static int try(struct gunzip *gunzip, size_t size, doca_error_t *err)
{
	struct inflater *whole = &gunzip->whole;
	struct input *in = &gunzip->stream->in;
	struct slot *slot = whole->engine.slots;

	if (inflater_open(whole, gunzip->dev, 1, size, gunzip->out_size))
		return -1;
	slot->length = in->ahead_len < size ? in->ahead_len : size;
	memcpy(slot->in, in->ahead, slot->length);
	if (slot_source(slot, 0, slot->length) || slot_room(slot, 0))
		return -1;
	slot->is_done = false;
	*err = doca_task_submit(slot->task);
	if (*err != DOCA_SUCCESS)
		return fail_doca(*err, "cannot submit a task");
	if (engine_wait(&whole->engine, &slot->is_done))
		return -1;
	*err = doca_task_get_status(slot->task);
	doca_buf_get_data_len(slot->dst, &slot->out_len);
	return 0;
}

static int say_too_long(const struct input *in, const char *what)
{
	fail("%s: at byte %llu a member of unknown length begins that %s",
	     in->name, (unsigned long long)in->offset, what);
	hint("A device takes it in one piece. Decompress it with gzip -d.");
	return -1;
}

/* Give the task what it lacked. */
static int grow(struct gunzip *gunzip, size_t *size, doca_error_t err)
{
	const struct slot *slot = gunzip->whole.engine.slots;
	const struct input *in = &gunzip->stream->in;
	uint64_t end = in->offset + consumed(slot);

	if (err == DOCA_ERROR_INVALID_VALUE) {
		gunzip->out_size *= 4;
		return gunzip->out_size <= MAX_OUTPUT ?
			       0 :
			       say_too_long(in, "expands to more than 1 GiB");
	}
	if (err != DOCA_ERROR_IO_FAILED)
		return fail_doca(err, "decompression failed");
	if (consumed(slot) < slot->length)
		return input_damaged(in, end, "this is no DEFLATE data");
	if (slot->length < *size)
		return input_damaged(in, end,
				     "it ends within a member, or before");
	if (*size == MAX_INPUT)
		return say_too_long(in, "has more than 128 MiB");
	*size = *size * 4 < MAX_INPUT ? *size * 4 : MAX_INPUT;
	return 0;
}

static int inflate_whole(struct gunzip *gunzip)
{
	struct input *in = &gunzip->stream->in;
	uint64_t offset = in->offset;
	size_t size = FIRST_INPUT;
	struct gzip_trailer trailer;
	const struct slot *slot;
	doca_error_t err;

	if (skip_header(in))
		return -1;
	for (;;) {
		if (input_look(in, size) || try(gunzip, size, &err))
			return -1;
		if (err == DOCA_SUCCESS)
			break;
		if (grow(gunzip, &size, err))
			return -1;
	}
	slot = gunzip->whole.engine.slots;
	input_skip(in, consumed(slot));
	if (input_look(in, GZIP_TRAILER))
		return -1;
	if (in->ahead_len < GZIP_TRAILER)
		return input_damaged(in, in->offset + in->ahead_len,
				     "it ends within a member's trailer");
	gzip_read_trailer(in->ahead, &trailer);
	if (check_sums(in, offset, slot, &trailer))
		return -1;
	input_skip(in, GZIP_TRAILER);
	return sink_write(&gunzip->stream->out, slot->out, slot->out_len);
}

/* Zeros may fill the rest of a tape's block. */
static int skip_zeros(struct input *in)
{
	size_t len;

	do {
		if (input_look(in, FIRST_INPUT))
			return -1;
		for (len = 0; len < in->ahead_len && !in->ahead[len];)
			len++;
		input_skip(in, len);
		if (in->ahead_len)
			return input_damaged(
				in, in->offset,
				"what is behind the last member is no other one");
	} while (len);
	return 0;
}

static int run(struct gunzip *gunzip)
{
	const struct engine_work work = { fill, drain, failed, gunzip };
	struct input *in = &gunzip->stream->in;

	if (inflater_open(&gunzip->pieces, gunzip->dev, ENGINE_DEPTH,
			  GZIP_MEMBER_MAX, GZIP_PIECE))
		return -1;
	for (;;) {
		if (engine_run(&gunzip->pieces.engine, &work) ||
		    input_look(in, 2))
			return -1;
		if (!gzip_is_member(in->ahead, in->ahead_len))
			return skip_zeros(in);
		if (inflate_whole(gunzip))
			return -1;
	}
}

int gunzip(struct doca_dev *dev, struct stream *stream)
{
	struct gunzip gunzip = {
		.dev = dev,
		.stream = stream,
		.out_size = FIRST_OUTPUT,
	};
	int ret = run(&gunzip);

	inflater_close(&gunzip.whole);
	inflater_close(&gunzip.pieces);
	return ret;
}
