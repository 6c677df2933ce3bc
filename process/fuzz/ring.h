/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef NATIVE_FUZZ_RING_H
#define NATIVE_FUZZ_RING_H

#include <stddef.h>
#include <stdint.h>

/* The entry point for libFuzzer; traps if the driver has broken a promise. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* NATIVE_FUZZ_RING_H */
