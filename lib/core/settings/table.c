// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "table.h"

extern const struct settings_table open_doca_settings
	__attribute__((visibility("default")));

const struct settings_table open_doca_settings = {
	.release = OPEN_DOCA_VERSION,
	.profile = settings_read_profile,
	.target = settings_read_target,
};
