/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_build_config.h
 * @brief For which side a program is built: this variant says the DPU.
 *
 * The variant for the host, with the explanation, is in the directory above.
 */
#ifndef DOCA_BUILD_CONFIG_H
#define DOCA_BUILD_CONFIG_H

/** @brief The program is to run on the DPU. */
#define DOCA_ARCH_DPU

#if defined(__x86_64__)
/** @brief The processor is an x86 one. */
#define DOCA_ARCH_X86
#endif

/** @brief Not a build for BlueField-2. */
#define DOCA_ARCH_DPU_BF2 false

#endif /* DOCA_BUILD_CONFIG_H */
