// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * algo_bench FILE...: compare the driver's own algorithms with liblz4 and ISA-L. Each number
 * is the best of several rounds, in which all sides take turns; only ratios mean something.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "algo/gf_simd.h"
#include "algo/lz4.h"

#define SIZE (8 << 20)
#define BLOCK (64 << 10)
#define ROUNDS 30

static u8 text[SIZE], packed[2 * SIZE], out[SIZE];
static size_t text_size, packed_size;
static u8 stage_in[BLOCK + 64], stage_out[2][BLOCK];

static int (*compress)(const char *src, char *dst, int size, int room);
static int (*decompress)(const char *src, char *dst, int size, int room);

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void *function_of(const char *library, const char *name)
{
	void *found = dlopen(library, RTLD_NOW);

	found = found ? dlsym(found, name) : NULL;
	if (!found) {
		fprintf(stderr, "algo_bench: no %s with %s\n", library, name);
		exit(1);
	}
	return found;
}

static void read_files(char **paths)
{
	FILE *file;

	for (; *paths && text_size < SIZE; paths++) {
		file = fopen(*paths, "r");
		if (!file)
			continue;
		text_size += fread(text + text_size, 1, SIZE - text_size, file);
		fclose(file);
	}
}

static void pack(void)
{
	u8 *to = packed;
	size_t at, n;
	u32 size;

	for (at = 0; at < text_size; at += n) {
		n = min(text_size - at, (size_t)BLOCK);
		size = compress((char *)text + at, (char *)to + 4, n,
				2 * BLOCK);
		memcpy(to, &size, 4);
		to += 4 + size;
	}
	packed_size = to - packed;
}

static void liblz4(bool staged)
{
	const u8 *from = packed;
	size_t at = 0;
	u32 size;
	int n;

	while (from < packed + packed_size) {
		memcpy(&size, from, 4);
		from += 4;
		if (staged)
			memcpy(stage_in, from, size);
		n = decompress((const char *)(staged ? stage_in : from),
			       (char *)(staged ? stage_out[0] : out + at), size,
			       BLOCK);
		if (staged)
			memcpy(out + at, stage_out[0], n);
		at += n;
		from += size;
	}
}

static void liblz4_at_once(void)
{
	liblz4(false);
}

static void liblz4_staged(void)
{
	liblz4(true);
}

static void ours_at_once(void)
{
	struct doca_lz4_io io = { packed, packed + packed_size, out,
				  out + text_size, out };
	struct doca_lz4 lz4;

	doca_lz4_begin(&lz4, DOCA_LZ4_INDEPENDENT);
	doca_lz4_run(&lz4, &io);
}

/* Two stages take turns, so that the history stays where it is. */
static void ours_staged(void)
{
	struct doca_lz4_io io = { stage_in, stage_in };
	enum doca_lz4_result result = DOCA_LZ4_FULL;
	size_t in = 0, at = 0, n;
	struct doca_lz4 lz4;
	u32 turn = 0;

	doca_lz4_begin(&lz4, DOCA_LZ4_INDEPENDENT);
	do {
		if (result == DOCA_LZ4_MORE) {
			n = min(packed_size - in, (size_t)BLOCK);
			memcpy(stage_in, packed + in, n);
			in += n;
			io.in = stage_in;
			io.in_end = stage_in + n;
		} else {
			io.start = io.out = stage_out[turn % 2];
			io.out_end = io.out + BLOCK;
			io.past = stage_out[++turn % 2];
			io.past_size = turn > 1 ? BLOCK : 0;
		}
		result = doca_lz4_run(&lz4, &io);
		if (result == DOCA_LZ4_FULL || in == packed_size) {
			memcpy(out + at, io.start, io.out - io.start);
			at += io.out - io.start;
		}
	} while (result == DOCA_LZ4_FULL || in < packed_size);
}

struct way {
	const char *name;
	void (*run)(void);
	u32 against;
	double best;
};

static void compare(struct way *ways, u32 nr, size_t bytes)
{
	u32 round, i, other;
	double time;

	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < nr; i++) {
			time = now();
			ways[i].run();
			time = now() - time;
			if (!round || time < ways[i].best)
				ways[i].best = time;
		}
	for (i = 0; i < nr; i++) {
		other = ways[i].against;
		printf("%-28s %6.0f MB/s", ways[i].name,
		       bytes / ways[i].best / 1e6);
		if (other != i)
			printf(", %.2f of %s", ways[other].best / ways[i].best,
			       ways[other].name);
		printf("\n");
	}
}

#define K 10
#define M 4
#define LENGTH (64 << 10)

static u8 data[K][LENGTH], redundancy[M][LENGTH];
static u8 tables[K * M * DOCA_GF_TABLE] __attribute__((aligned(32)));
static u8 *src[K], *dst[M];
static void (*isal_encode)(int length, int k, int rows, u8 *tables, u8 **src,
			   u8 **dst);

static void isal(void)
{
	isal_encode(LENGTH, K, M, tables, src, dst);
}

static const struct doca_gf_product product = {
	.tables = tables,
	.rows = M,
	.columns = K,
	.stride = K,
	.src = (const u8 *const *)src,
	.dst = dst,
};

static void ours(void)
{
	doca_gf_multiply(&product, 0, LENGTH);
}

static void ours_portable(void)
{
	doca_gf_multiply_portable(&product, 0, LENGTH);
}

int main(int argc, char **argv)
{
	struct way lz4[] = {
		{ "liblz4", liblz4_at_once },
		{ "ours", ours_at_once },
		{ "liblz4, staged", liblz4_staged, 2 },
		{ "ours, staged", ours_staged, 2 },
	};
	struct way gf[] = {
		{ "ISA-L, 10+4 of 64 KiB", isal },
		{ "ours, 10+4", ours },
		{ "ours, 10+4, without vectors", ours_portable },
	};
	u8 matrix[K * M];
	u32 i;

	if (argc < 2)
		return 1;
	compress = function_of("liblz4.so.1", "LZ4_compress_default");
	decompress = function_of("liblz4.so.1", "LZ4_decompress_safe");
	isal_encode = function_of("libisal.so.2", "ec_encode_data");
	read_files(argv + 1);
	pack();
	compare(lz4, ARRAY_SIZE(lz4), text_size);
	if (memcmp(out, text, text_size))
		return 1;
	for (i = 0; i < K; i++)
		src[i] = data[i];
	for (i = 0; i < M; i++)
		dst[i] = redundancy[i];
	for (i = 0; i < K * M; i++)
		matrix[i] = i + 2;
	doca_gf_tables(tables, matrix, K * M);
	compare(gf, ARRAY_SIZE(gf), K * LENGTH);
	return 0;
}
