// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: fields of the kernel's types, which a map has, or lacks, or has in another size. */
#include "apsh_image.h"

TEST(a_type_has_bytes)
{
	const struct field_spec type = { "upid", "", 0, true };
	const struct field_spec member = { "upid", "ns", 0, true };
	struct field_at at = { .there = true };

	EXPECT(!field_fits(&type, &at));
	EXPECT(field_fits(&member, &at));
	at.size = 1;
	EXPECT(field_fits(&type, &at));
	at.size = MAX_TYPE + 1;
	EXPECT(!field_fits(&type, &at));
}

/* One of the two trees of areas is needed, with all its fields. */
static bool is_needed(int i)
{
	if (map_is_old)
		return field_specs[i].needed || i == F_MM_RB || i == F_VMA_RB ||
		       (i >= F_RB_PARENT && i <= F_RB_LEFT);
	return field_specs[i].needed || i == F_MM_ROOT || (i >= F_MAPLE_SIZE && i <= F_MA64_SLOTS);
}

static void ask_for_fields(void)
{
	struct map map;

	for (int i = 0; i < NR_FIELDS; i++) {
		doca_error_t expected = is_needed(i) ? DOCA_ERROR_INITIALIZATION : DOCA_SUCCESS;

		if (!*field_specs[i].path)
			continue;
		write_map(image.symbols, BANNER_64, i);
		if (isf_read(image.symbols, &map) != expected)
			KTAP_SAY_("without %s.%s", field_specs[i].type, field_specs[i].path);
	}
}

/* Older kernels lack fields as well, and need others. */
TEST(every_needed_field_is_asked_for)
{
	set_up_image(4);
	ask_for_fields();
	map_is_old = true;
	ask_for_fields();
	map_is_old = false;
	tear_down_image();
}

/* As on arm64, where the opcode of a probe has 4 bytes. */
TEST(a_field_of_another_size_is_as_one_that_is_missing)
{
	struct map map;

	set_up_image(4);
	for (map_resized = 0; map_resized < NR_FIELDS; map_resized++) {
		const struct field_spec *spec = &field_specs[map_resized];
		doca_error_t ret;

		if (!*spec->path || !spec->size)
			continue;
		write_map(image.symbols, BANNER_64, -1);
		ret = isf_read(image.symbols, &map);
		if (is_needed(map_resized) ? ret != DOCA_ERROR_INITIALIZATION :
					     ret || map.fields[map_resized].there)
			KTAP_SAY_("with a larger %s.%s", spec->type, spec->path);
	}
	map_resized = -1;
	tear_down_image();
}
