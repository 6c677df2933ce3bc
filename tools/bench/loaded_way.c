// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ways of libraries that are loaded when they are asked for, as no program of ours needs
 * them. Their functions are declared here, so that building needs no headers of theirs.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include <zlib.h>

#include "library_way.h"
#include "msg.h"

/* As compute_ec of compute_kinds.c has it */
#define EC_DATA 8
#define EC_RDNC 2
#define EC_BLOCKS (EC_DATA + EC_RDNC)
#define EC_TABLE 32 /* bytes for a coefficient */

static int (*lz4_decompress)(const char *src, char *dst, int size, int room);
static unsigned int (*xxh32)(const void *data, size_t size, unsigned int seed);
static void (*ec_matrix)(unsigned char *rows, int blocks, int data);
static void (*ec_tables)(int data, int rdnc, unsigned char *rows,
			 unsigned char *tables);
static void (*ec_encode)(int len, int data, int rdnc, unsigned char *tables,
			 unsigned char **src, unsigned char **dst);

/* These stay loaded. */
static void *liblz4, *libxxhash, *libisal;

static int find(void *function, void **library, const char *file,
		const char *name)
{
	if (!*library)
		*library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	*(void **)function = *library ? dlsym(*library, name) : NULL;
	if (!*(void **)function)
		return fail("%s with %s() is not installed", file, name);
	return 0;
}

static int lz4_prepare(struct library_way *lw)
{
	(void)lw;
	return find(&lz4_decompress, &liblz4, "liblz4.so.1",
		    "LZ4_decompress_safe") ||
			       find(&xxh32, &libxxhash, "libxxhash.so.0",
				    "XXH32") ?
		       -1 :
		       0;
}

/* The compiler keeps what nothing uses. */
static int lz4_once(struct library_way *lw)
{
	volatile unsigned int sums;
	int len = lz4_decompress((const char *)lw->src, (char *)lw->dst,
				 lw->src_size, lw->dst_size);

	if (len < 0)
		return -1;
	sums = crc32(0, lw->dst, len);
	sums = xxh32(lw->dst, len, 0);
	(void)sums;
	return 0;
}

static int ec_prepare(struct library_way *lw)
{
	unsigned char rows[EC_BLOCKS * EC_DATA];

	if (find(&ec_matrix, &libisal, "libisal.so.2",
		 "gf_gen_cauchy1_matrix") ||
	    find(&ec_tables, &libisal, "libisal.so.2", "ec_init_tables") ||
	    find(&ec_encode, &libisal, "libisal.so.2", "ec_encode_data"))
		return -1;
	lw->state = malloc(EC_DATA * EC_RDNC * EC_TABLE);
	if (!lw->state)
		return fail("out of memory");
	ec_matrix(rows, EC_BLOCKS, EC_DATA);
	ec_tables(EC_DATA, EC_RDNC, rows + EC_DATA * EC_DATA, lw->state);
	return 0;
}

static int ec_once(struct library_way *lw)
{
	unsigned char *src[EC_DATA], *dst[EC_RDNC];
	size_t block = lw->src_size / EC_DATA;
	unsigned int i;

	for (i = 0; i < EC_DATA; i++)
		src[i] = lw->src + i * block;
	for (i = 0; i < EC_RDNC; i++)
		dst[i] = lw->dst + i * block;
	ec_encode(block, EC_DATA, EC_RDNC, lw->state, src, dst);
	return 0;
}

static void loaded_way_init(struct library_way *lw, const char *name,
			    int (*prepare)(struct library_way *lw),
			    int (*once)(struct library_way *lw),
			    size_t (*fill)(uint8_t *src, size_t size,
					   uint32_t seed))
{
	library_way_init(lw, name, once, fill);
	lw->prepare = prepare;
	lw->way.optional = true;
}

void lz4_way_init(struct library_way *lw)
{
	loaded_way_init(lw, "liblz4", lz4_prepare, lz4_once, sample_lz4);
}

void ec_way_init(struct library_way *lw)
{
	loaded_way_init(lw, "ISA-L", ec_prepare, ec_once, sample_text);
}
