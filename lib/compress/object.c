// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The context's type, as debug mode knows it. */
#include "compress.h"

CTX_OBJECT_TYPE(doca_compress);
