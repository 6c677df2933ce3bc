// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The part of level_mixed.c at level 1.5. */
#include "level_mixed_1_3.c"
