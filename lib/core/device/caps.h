/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the kernel can do, for capability queries of the libraries. */
#ifndef DOCA_CORE_CAPS_H
#define DOCA_CORE_CAPS_H

#include <doca_compat.h>
#include <doca_error.h>

#include <linux/doca.h>

/* Needs no open device. DRIVER if the kernel cannot be asked; logs why. */
DOCA_STABLE doca_error_t doca_priv_caps(struct doca_query *caps);

#endif /* DOCA_CORE_CAPS_H */
