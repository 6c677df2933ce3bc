/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Where the physical memory of a target is read. This is the only thing that reads a
 * target; what is above does not know which kind it is. Nothing is ever written.
 */
#ifndef DOCA_APSH_SOURCE_H
#define DOCA_APSH_SOURCE_H

#include <doca_error.h>

#include "../types.h"

struct kdump;
struct target;
struct record;

enum { SOURCE_MAX_PARTS = 1 << 20 };

struct source_range {
	u64 pa;
	u32 len;
	bool absent; /* nothing is there; then @to is zeroed */
	bool on; /* what is between it and the next one may be read as well */
	void *to;
};

/* Physical addresses [pa, pa + len) are at @offset of the file. */
struct segment {
	u64 pa;
	u64 offset;
	u64 len;
};

struct source {
	const struct source_ops *ops;
	int fd;
	u64 file_size;
	struct segment *segs; /* by address; they do not overlap */
	u32 nr_segs, max_segs;
	bool kcore;
	char *vmcoreinfo; /* of an ELF note, NULL if there is none */
	struct kdump *kdump; /* whose places are those of the segments */
	u64 rounds; /* reads that had to be waited for, one after the other */
	u8 unwanted[4096]; /* what is read on the way to something else */
	struct record *record; /* of what is read; NULL: none is made */
};

struct source_ops {
	/* Logs why it fails. */
	doca_error_t (*open)(struct source *s, const struct target *t);
	/*
	 * Reads all ranges, in no order; only 8 aligned bytes are read at once. They
	 * are by address where they are to be read in few pieces.
	 * -EIO only if the source itself is lost; -ENOMEM. All of it is one round, if
	 * it is not more than the source can do at once.
	 */
	int (*read)(struct source *s, struct source_range *r, unsigned int nr);
	/*
	 * The next data at or after *pa, up to a hole; false if there is none. It may
	 * take as long as the data is, so who goes through it asks once.
	 */
	bool (*next_data)(struct source *s, u64 *pa, u64 *len);
	void (*close)(struct source *s);
};

/* Opens what a target file names, or logs an error. */
doca_error_t source_open(struct source *s, const struct target *t);
void source_close(struct source *s);

/* As the operation, and is recorded. */
int source_read(struct source *s, struct source_range *r, unsigned int nr);

/* Formats of files: each sets the segments, or logs what is wrong with the file. */
doca_error_t source_elf(struct source *s, const char *path);
doca_error_t source_lime(struct source *s, const char *path);
/* Notes of an ELF file: that of VMCOREINFO is kept, if there is one. */
void source_notes(struct source *s, const char *notes, size_t len);

/* segment.c, for these: all of it, or false; a part, which file and addresses must have. */
bool source_pread(const struct source *s, void *to, size_t len, u64 offset);
doca_error_t source_add(struct source *s, const char *path, u64 pa, u64 offset,
			u64 len);
/* No more are added. INITIALIZATION, logged, if two are the same memory. */
doca_error_t source_settle(struct source *s, const char *path);

/* The segment that has @pa, or else the next one; NULL if there is none. */
const struct segment *source_segment(const struct source *s, u64 pa);

#endif /* DOCA_APSH_SOURCE_H */
