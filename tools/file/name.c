// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "common/usage.h"

const char tool_name[] = "doca_file";
