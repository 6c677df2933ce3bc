/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The input of a run. Each step takes what it needs; zeros follow the end. */
#ifndef LIB_TESTS_FUZZ_INPUT_H
#define LIB_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

static struct {
	const uint8_t *data;
	size_t size;
} input;

static uint32_t take(unsigned int bytes)
{
	uint32_t value = 0;

	for (; bytes; bytes--) {
		value = value << 8 | (input.size ? *input.data : 0);
		input.data += !!input.size;
		input.size -= !!input.size;
	}
	return value;
}

#endif /* LIB_TESTS_FUZZ_INPUT_H */
