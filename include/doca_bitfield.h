/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_bitfield.h
 * @brief Numbers in the order of the network.
 */
#ifndef DOCA_BITFIELD_H
#define DOCA_BITFIELD_H

#include <endian.h>
#include <stdlib.h>

#include <doca_types.h>

/** @brief A 16-bit number in the order of the network. @since DOCA 3.0 */
#define DOCA_HTOBE16(_x) htobe16(_x)
/** @brief A 32-bit number in the order of the network. @since DOCA 3.0 */
#define DOCA_HTOBE32(_x) htobe32(_x)
/** @brief A 64-bit number in the order of the network. @since DOCA 3.0 */
#define DOCA_HTOBE64(_x) htobe64(_x)

#endif /* DOCA_BITFIELD_H */
