// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tasks that compute, beside the libraries that a program would use instead. */
#include "compute_way.h"
#include "library_way.h"
#include "msg.h"
#include "plan.h"
#include "sample_data.h"

/* A task for each sample */
#define DEPTH SAMPLES

enum { REF_LIBRARY };

static const char *const refs[] = { "library", NULL };

static const struct {
	const struct compute_kind *kind;
	void (*library)(struct library_way *lw);
} rows[] = {
	{ &compute_sha256, sha256_way_init },
	{ &compute_sha512, sha512_way_init },
	{ &compute_deflate, deflate_way_init },
	{ &compute_inflate, inflate_way_init },
	{ &compute_lz4, lz4_way_init },
	{ &compute_ec, ec_way_init },
	{ &compute_gcm, gcm_way_init },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static struct group group;

/* A library that is not there is told of once. */
static struct library_way libraries[NR_ROWS];

static int measure(struct bench *bench, unsigned int i, size_t size)
{
	const struct load load = { .size = size, .depth = DEPTH };
	const struct compute_kind *kind = rows[i].kind;
	static struct compute_way compute;

	progress("%s of %zu bytes, %u in flight", kind->operation, size, DEPTH);
	plan_group(bench, &group, kind->operation, &load);
	group.refs[REF_LIBRARY] = &libraries[i].way;
	group_add(&group, &libraries[i].way);
	compute_way_init(&compute, kind, &bench->cpus, bench->device);
	group_add(&group, &compute.way);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	static const size_t sizes[] = { 4096, 65536, 1 << 20 };
	unsigned int i, s;

	for (i = 0; i < NR_ROWS; i++) {
		rows[i].library(&libraries[i]);
		for (s = 0; s < 3; s++)
			if (measure(bench, i, sizes[s]))
				return -1;
	}
	return 0;
}

const struct plan plan_compute = {
	.name = "compute",
	.help = "hashes, compression, erasure coding and encryption",
	.run = run,
	.without_rings = true,
	.columns = {
		.refs = refs,
		.notes =
			"sha256 ...    tasks of that size: of what is not compressed, or of all blocks\n"
			"library       the speed as a part of that of the submitting thread, which does the\n"
			"              same with libcrypto, zlib at level 1 and its checksums, liblz4\n"
			"              and XXH32, or ISA-L\n",
	},
};
