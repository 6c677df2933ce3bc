/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A saved state of QEMU: a stream of sections, which its migration writes. One of them, "ram",
 * has the blocks of memory, those of devices among them, and then their pages in the order in
 * which they were written; a page that changed meanwhile is there again. All numbers are big
 * endian.
 *
 * The blocks that are the machine's memory are laid one behind the other, and a page of
 * that memory has its number there. The segments of the source say at which physical
 * addresses this memory is.
 */
#ifndef DOCA_APSH_SOURCE_QEVM_H
#define DOCA_APSH_SOURCE_QEVM_H

#include "source.h"

#define QEVM_DUMP                                                                \
	"load it in QEMU (-incoming), and let its monitor write an image (dump-" \
	"guest-memory)"

#define QEVM_REGIONS \
	"regions of a target file, whose format is named \"qevm\", can say it"

#define QEVM_MAX_MEMORY (1ULL << 41)
#define QEVM_NO_MEMORY UINT64_MAX

enum {
	QEVM_MAX_BLOCKS = 256,
	QEVM_NAME = 256, /* bytes of a name, with NUL */
};

enum qevm_kind {
	QEVM_FILL, /* all bytes are the same; it is not in the file */
	QEVM_STREAM, /* 8 bytes are between two pages */
	QEVM_MAPPED, /* pages are as in memory */
};

/* Pages that follow each other, in memory and in the file. */
struct qevm_run {
	u32 page, nr;
	u64 at : 52; /* where the first one is in the file */
	u64 fill : 8;
	u64 kind : 2;
};

struct qevm {
	struct qevm_run *
		runs; /* once they are settled, by page, and without overlaps */
	u32 nr, max;
	u32 shift; /* a page has 2^shift bytes */
	u64 memory; /* bytes */
};

struct qevm_block {
	char name[QEVM_NAME];
	u64 len;
	u64 base; /* in the machine's memory; QEVM_NO_MEMORY: it is none of that */
	bool has_map; /* the next two were read whole, and checked */
	u64 bitmap_at, pages_at;
};

/* A file while it is looked through, as far as the end of its memory. */
struct qevm_scan {
	struct source *s;
	struct qevm *q;
	const char *path;
	const struct target *target;
	u64 at; /* place of the next byte */
	u64 read_at; /* place of what was read */
	u32 read_len;
	u8 read[1024];
	bool cut; /* the file ends too early */
	bool done; /* all memory is there */
	bool mapped; /* pages have fixed places */
	bool has_page; /* the file says how large a page is */
	bool begun; /* with the section of memory */
	u32 section; /* number of that */
	char machine[QEVM_NAME]; /* "": the file does not say it */
	u32 nr_blocks;
	struct qevm_block *block; /* that had the last page; NULL: none */
	struct qevm_block blocks[QEVM_MAX_BLOCKS];
};

/* qevm_scan.c: each returns false where the file ends before. Sizes are at most 256. */
bool qevm_get(struct qevm_scan *c, void *to, u32 len);
bool qevm_number(struct qevm_scan *c, u32 bytes, u64 *to);
bool qevm_peek(struct qevm_scan *c,
	       u8 *to); /* and is no reason to say that it was cut */
bool qevm_skip(struct qevm_scan *c, u64 len);
/* A byte that says how long it is, and the name. */
bool qevm_name(struct qevm_scan *c, char name[QEVM_NAME]);

/* qevm_libvirt.c: go to where the stream begins: in a file of libvirt, behind its header. */
doca_error_t qevm_begin(struct qevm_scan *c);

bool qevm_is_machine(const struct qevm_scan *c, const char *beginning);

/*
 * qevm_blocks.c: choose the blocks that are the machine's memory, @nr of them, in their order:
 * those that are known by their names, and if there are regions, all others as well.
 */
doca_error_t qevm_choose(struct qevm_scan *c, struct qevm_block **of, u32 *nr);

/* qevm_place.c: choose the blocks, and set the segments. */
doca_error_t qevm_place(struct qevm_scan *c);

/* qevm_ram.c: a section of memory, without its header. */
doca_error_t qevm_ram(struct qevm_scan *c);
/* Add pages that have fixed places. */
doca_error_t qevm_mapped(struct qevm_scan *c);

/* qevm_page.c: add a run behind all others. */
doca_error_t qevm_add(struct qevm *q, const char *path, struct qevm_run run);
/* No more will be added: the last one wins. Gets the number of different pages. */
doca_error_t qevm_settle(struct qevm *q, const char *path, u64 *pages);
/* Return the run that has @page, or else the next one; NULL if there is none. */
const struct qevm_run *qevm_find(const struct qevm *q, u64 page);
/* Where a page of a run is, which is in the file. */
u64 qevm_place_of(const struct qevm *q, const struct qevm_run *run, u64 page);

#endif /* DOCA_APSH_SOURCE_QEVM_H */
