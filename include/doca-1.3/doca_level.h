/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_level.h
 * @brief Level of DOCA's interface that these headers declare: 1.3.
 *
 * The headers of the levels 1.3 and 1.5 are the same files. The compiler finds
 * this one in doca-1.3/, or its namesake in doca-1.5/, whichever folder comes
 * first; see doca_1_3(7).
 */
#ifndef DOCA_LEVEL
#define DOCA_LEVEL 103
#endif
