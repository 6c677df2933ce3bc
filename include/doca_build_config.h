/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_build_config.h
 * @brief For which side a program is built: this variant says the host.
 *
 * Exactly one of DOCA_ARCH_HOST and DOCA_ARCH_DPU is defined, and programs with
 * two sides choose theirs by it when they are compiled. This header exists once
 * for each: the variant for the DPU is in the include directory doca-dpu, which
 * must come before this one in the search path:
 *
 *     pkg-config --define-variable=role=dpu --cflags doca-common
 */
#ifndef DOCA_BUILD_CONFIG_H
#define DOCA_BUILD_CONFIG_H

/** @brief The program is to run on the host. */
#define DOCA_ARCH_HOST

#if defined(__x86_64__)
/** @brief The processor is an x86 one. */
#define DOCA_ARCH_X86
#endif

/** @brief Not a build for BlueField-2. */
#define DOCA_ARCH_DPU_BF2 false

#endif /* DOCA_BUILD_CONFIG_H */
