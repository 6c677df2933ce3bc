// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "kernel.h"
#include "machine.h"

#define KERNEL_IMAGE_SIZE (1ULL << 30)
#define LARGE_PAGE (2ULL << 20)
#define LARGEST_PAGE (64ULL << 10)

static bool x86_64_may_be_at(uint64_t text)
{
	return text >= START_KERNEL_MAP &&
	       text < START_KERNEL_MAP + KERNEL_IMAGE_SIZE &&
	       text % LARGE_PAGE == 0;
}

/* Without relocations addresses begin with 0. */
static bool arm64_may_be_at(uint64_t text)
{
	return text % LARGEST_PAGE == 0;
}

/* CONFIG_PHYSICAL_START is 16 MiB */
const struct machine x86_64 = {
	.name = "x86-64",
	.linked_to = START_KERNEL_MAP + (16ULL << 20),
	.may_be_at = x86_64_may_be_at,
	.lowest = START_KERNEL_MAP,
};

const struct machine arm64 = {
	.name = "arm64",
	.linked_to = 0xffff800080000000ULL,
	.may_be_at = arm64_may_be_at,
};

const struct machine *machine_of(const struct symbols *symbols)
{
	return symbols_find(symbols, "cpu_do_switch_mm") ? &arm64 : &x86_64;
}
