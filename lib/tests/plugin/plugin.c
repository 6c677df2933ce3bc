// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A plug-in for test_plugin.c, of any release. */
#include "plugin.h"

extern const struct plugin_test_table plugin_test_table __attribute__((visibility("default")));

const struct plugin_test_table plugin_test_table = { .release = RELEASE, .value = 77 };
