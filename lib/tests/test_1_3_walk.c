// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What level 1.3 has, for walk.h. */
#define WALKS "walks_1_3.h"
#include "level_walk.h"
