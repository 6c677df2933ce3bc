/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_level.h
 * @brief Level of DOCA's interface that the headers of doca-1.3/ declare: 1.5.
 *
 * All other headers of level 1.5 are those of doca-1.3/; see doca_1_3(7).
 */
#ifndef DOCA_LEVEL
#define DOCA_LEVEL 105
#endif
