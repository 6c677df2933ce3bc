// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The functions that level 1.5 adds to level 1.3, or changes, for walk.h. */
#define WALKS "walks_1_5.h"
#include "level_walk.h"
