// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "arch.h"

static const struct arch *const all[] = { &arch_x86_64, &arch_arm64 };

const struct arch *arch_of(const struct map *map)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (map->symbols[all[i]->tables])
			return all[i];
	return NULL;
}

const struct arch *arch_of_machine(u16 machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i]->machine == machine)
			return all[i];
	return NULL;
}
