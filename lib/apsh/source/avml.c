// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A range packed by AVML: chunks of Snappy's frame format, with at most 64 KiB of memory
 * each, and 8 bytes behind the last. Only their beginnings are read here.
 */
#include "core/base/log.h"
#include "core/device/target.h"

#include "source.h"

LOG_SOURCE("APSH");

enum { MAX_CHUNK = 65536, MAX_CHUNKS = 2 * SOURCE_MAX_PARTS, TRAILER = 8 };

/* Kinds of chunks. Those from 128 on have no memory, such as the name of the format. */
enum { PACKED, PLAIN, UNKNOWN = 2, NO_MEMORY = 128 };

/* A kind and a length of 3 bytes; then a checksum and, if it is packed, the unpacked length. */
enum { HEADER = 4, CHECKSUM = 4, BEGINNING = HEADER + CHECKSUM + 3 };

struct chunk {
	u8 kind;
	u32 len; /* bytes behind the header */
	u64 memory; /* bytes of memory in it */
};

/* Seven bits a byte, of which the last one has no high bit. 64 KiB take three bytes. */
static u64 unpacked_length(const u8 *bytes)
{
	u64 n = 0;

	for (int i = 0; i < 3; i++) {
		n |= (u64)(bytes[i] & 0x7f) << 7 * i;
		if (!(bytes[i] & 0x80))
			return n;
	}
	return UINT64_MAX;
}

/* Return false if its beginning is not all there. */
static bool read_chunk(struct source *s, u64 at, struct chunk *c)
{
	u8 bytes[BEGINNING] = { 0 };
	u64 left = at < s->file_size ? s->file_size - at : 0;

	if (left < HEADER ||
	    !source_pread(s, bytes, left < BEGINNING ? left : BEGINNING, at))
		return false;
	if (bytes[0] == PACKED && left < BEGINNING)
		return false;
	c->kind = bytes[0];
	c->len = bytes[1] | (u32)bytes[2] << 8 | (u32)bytes[3] << 16;
	c->memory = 0;
	if (c->kind <= PLAIN && c->len > CHECKSUM)
		c->memory = c->kind == PLAIN ?
				    c->len - CHECKSUM :
				    unpacked_length(bytes + HEADER + CHECKSUM);
	return true;
}

static doca_error_t add_chunk(struct source *s, const char *path, u64 pa,
			      u64 most, u64 at, const struct chunk *c)
{
	if (c->kind >= NO_MEMORY)
		return DOCA_SUCCESS;
	if (c->kind >= UNKNOWN || !c->memory || c->memory > MAX_CHUNK ||
	    c->memory > most)
		return FAIL(INITIALIZATION,
			    "%s: at byte %lu is no chunk of Snappy with at "
			    "most %lu bytes",
			    path, at, most < MAX_CHUNK ? most : MAX_CHUNK);
	return source_add(s, path,
			  (struct segment){
				  .pa = pa,
				  .offset = at + HEADER + CHECKSUM,
				  .len = c->memory,
				  .packed = c->len - CHECKSUM,
				  .plain = c->kind == PLAIN,
			  });
}

doca_error_t source_avml(struct source *s, const char *path, u64 pa, u64 len,
			 u64 *at)
{
	u32 nr = 0;

	for (; len; nr++) {
		struct chunk c;
		doca_error_t ret;

		if (!read_chunk(s, *at, &c)) {
			s->cut += len;
			s->lacks = true;
			*at = s->file_size;
			return DOCA_SUCCESS;
		}
		if (nr == MAX_CHUNKS)
			return FAIL(INITIALIZATION,
				    "%s: a range has more than %d chunks", path,
				    MAX_CHUNKS);
		ret = add_chunk(s, path, pa, len, *at, &c);
		if (ret != DOCA_SUCCESS)
			return ret;
		*at += HEADER + c.len;
		pa += c.memory;
		len -= c.memory;
	}
	*at += TRAILER;
	return DOCA_SUCCESS;
}
