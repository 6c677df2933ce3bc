/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* An input. Each step takes what it needs; zeros follow the end. */
#ifndef NATIVE_FUZZ_INPUT_H
#define NATIVE_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "selftests/fuzz/sides.h"

struct input {
	const uint8_t *data;
	size_t size;
};

#define CHECK(condition)                  \
	do {                              \
		if (!(condition))         \
			__builtin_trap(); \
	} while (0)

static inline uint64_t take(struct input *in, unsigned int bytes)
{
	uint64_t value = 0;

	if (bytes > in->size)
		bytes = in->size;
	memcpy(&value, in->data, bytes);
	in->data += bytes;
	in->size -= bytes;
	return value;
}

/* Take an opcode that is executed. */
static inline uint16_t take_opcode(struct input *in)
{
	return op_sides[take(in, 1) % NR_OPS].opcode;
}

#endif /* NATIVE_FUZZ_INPUT_H */
