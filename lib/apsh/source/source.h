/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Access to the physical memory of a target. Nothing else reads a target, and the
 * layers above do not know its kind. Nothing is ever written.
 */
#ifndef DOCA_APSH_SOURCE_H
#define DOCA_APSH_SOURCE_H

#include <doca_error.h>

#include "../types.h"

struct kdump;
struct qevm;
struct chunks;
struct target;
struct record;

enum { SOURCE_MAX_PARTS = 1 << 22 };

struct source_range {
	u64 pa;
	u32 len;
	bool absent; /* there is no memory; @to is zeroed */
	bool on; /* bytes up to the next range may be read as well */
	void *to;
};

/* Physical addresses [pa, pa + len) are at @offset of the file. */
struct segment {
	u64 pa;
	u64 offset;
	u64 len;
	u32 packed; /* number of bytes in the file, behind a sum; 0: it is in no chunk */
	u16 part; /* index of the file; 0 if there is one */
	bool plain; /* that chunk is as it is, not packed by Snappy */
	bool copy; /* loses where another segment has the same memory */
};

/* One of several files. */
struct source_part {
	int fd;
	u64 size;
};

struct source {
	const struct source_ops *ops;
	int fd;
	u64 file_size;
	struct source_part *parts; /* NULL: it is that file alone */
	u32 nr_parts;
	struct segment *segs; /* by address; they do not overlap */
	u32 nr_segs, max_segs;
	u64 cut; /* number of bytes that would be behind the end of the file */
	u64 left_out; /* bytes of memory whose place is not known */
	bool deduced; /* the file does not say where segments are: memory regions have to fit */
	bool drawn_out; /* the machine went on while the file was written: parts are of different times */
	bool lacks; /* memory that the file should have is not in it, or damaged */
	u16 machine; /* from the header of an ELF file; 0: the file does not say it */
	char *vmcoreinfo; /* from an ELF note; NULL if there is none */
	int error; /* the errno of a read that has failed; 0: none has */
	struct kdump *kdump; /* segments then name places in the dump */
	struct qevm *qevm; /* segments then name places in the machine's memory */
	struct chunks *chunks; /* packed segments that were unpacked */
	u64 rounds; /* number of reads that had to be waited for, in sequence */
	u8 unwanted[4096]; /* receives bytes between ranges */
	struct record *record; /* receives all that is read, or NULL */
};

struct source_ops {
	/* Logs the reason of a failure. */
	doca_error_t (*open)(struct source *s, const struct target *t);
	/*
	 * Read all ranges, in any order; only 8 aligned bytes are atomic. Sort the
	 * ranges by address to have them read in few pieces. -EIO only if the source
	 * itself is lost; -ENOMEM. This is one round, unless it is more than the
	 * source can do at once.
	 */
	int (*read)(struct source *s, struct source_range *r, unsigned int nr);
	/*
	 * Find the next data at or after *pa, up to a hole; false if there is none.
	 * It may take time in proportion to the data, so a scan calls it once.
	 */
	bool (*next_data)(struct source *s, u64 *pa, u64 *len);
	void (*close)(struct source *s);
};

/* Open the source that a target file names, or log an error. */
doca_error_t source_open(struct source *s, const struct target *t);
void source_close(struct source *s);

/* Like the operation, and record the data. */
int source_read(struct source *s, struct source_range *r, unsigned int nr);

/* Formats of files: each sets the segments, or logs the file's fault. */
doca_error_t source_elf(struct source *s, const char *path);
doca_error_t source_lime(struct source *s, const char *path);
/*
 * Add the range that AVML has packed at *at, and move that behind it. Nothing more is in a
 * file that ends before.
 */
doca_error_t source_avml(struct source *s, const char *path, u64 pa, u64 len,
			 u64 *at);
/* Look through the notes of an ELF file and keep VMCOREINFO, if there is one. */
void source_notes(struct source *s, const char *notes, size_t len);

/*
 * segment.c, for formats: source_pread() reads all of it, or returns false; source_add()
 * adds a segment, which must fit into the address space; what is behind the end of the file
 * is missing.
 */
bool source_pread(struct source *s, void *to, size_t len, u64 offset);
doca_error_t source_add(struct source *s, const char *path, struct segment seg);
/*
 * No more will be added. INITIALIZATION, logged, if the file has two contents for an
 * address. Warns if something is missing.
 */
doca_error_t source_settle(struct source *s, const char *path);

/* Return the segment that has @pa, or else the next one; NULL if there is none. */
const struct segment *source_segment(const struct source *s, u64 pa);

#endif /* DOCA_APSH_SOURCE_H */
