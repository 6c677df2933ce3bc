/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The kernel's short names of types, for data that is read from a kernel. */
#ifndef DOCA_APSH_TYPES_H
#define DOCA_APSH_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* DOCA_APSH_TYPES_H */
