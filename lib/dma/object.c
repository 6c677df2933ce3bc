// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "dma.h"

CTX_OBJECT_TYPE(doca_dma);
