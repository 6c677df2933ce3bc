// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Inputs of fuzz/channel.c that have reached new code. */
#include "replay.h"

TEST(corpus)
{
	replay_all("channels");
}
