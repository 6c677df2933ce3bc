// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The functions and objects of level 1.3, for walk.h. */
#define WALKS "walks_1_3.h"
#include "level_walk.h"
