// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What level 1.5 has in another form than level 1.3, or in addition, for walk.h. */
#define WALKS "walks_1_5.h"
#include "level_walk.h"
