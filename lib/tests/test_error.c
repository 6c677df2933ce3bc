// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>
#include <doca_version.h>

#include "ktap.h"

#define UNRECOGNIZED "unrecognized error code"

TEST(names_are_those_of_the_enumerators)
{
	EXPECT_STR(doca_error_get_name(DOCA_SUCCESS), "DOCA_SUCCESS");
	EXPECT_STR(doca_error_get_name(DOCA_ERROR_IN_USE), "DOCA_ERROR_IN_USE");
	EXPECT_STR(doca_error_get_name(DOCA_ERROR_SKIPPED),
		   "DOCA_ERROR_SKIPPED");
}

TEST(every_code_has_texts_of_its_own)
{
	for (int i = DOCA_SUCCESS; i <= DOCA_ERROR_SKIPPED; i++) {
		EXPECT(!strncmp(doca_error_get_name(i), "DOCA_", 5));
		EXPECT(*doca_error_get_descr(i));
		for (int j = DOCA_SUCCESS; j < i; j++) {
			EXPECT(strcmp(doca_error_get_name(i),
				      doca_error_get_name(j)));
			EXPECT(strcmp(doca_error_get_descr(i),
				      doca_error_get_descr(j)));
		}
	}
}

TEST(unknown_codes_have_texts_too)
{
	static const int unknown[] = { DOCA_ERROR_SKIPPED + 1, 1000, -1,
				       (int)0x80000000, 0x7fffffff };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		doca_error_t error = (doca_error_t)unknown[i];

		EXPECT_STR(doca_error_get_name(error), UNRECOGNIZED);
		EXPECT_STR(doca_error_get_descr(error), UNRECOGNIZED);
	}
}

TEST(propagate_keeps_the_first_error)
{
	doca_error_t result = DOCA_SUCCESS;

	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_EQ(result, DOCA_SUCCESS);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_AGAIN);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	if (DOCA_IS_ERROR(DOCA_SUCCESS))
		DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	else
		EXPECT(DOCA_IS_ERROR(result));
}

TEST(version_is_that_of_the_headers)
{
	char official[32];

	snprintf(official, sizeof(official), "%d.%d.%04d", DOCA_VERSION_MAJOR,
		 DOCA_VERSION_MINOR, DOCA_VERSION_PATCH);
	EXPECT_STR(DOCA_VERSION_STRING, official);
	EXPECT_STR(doca_version(), DOCA_VERSION_STRING);
	EXPECT_STR(doca_version_runtime(), DOCA_VERSION_STRING);
}

TEST(versions_compare)
{
	EXPECT(DOCA_VERSION_EQ_CURRENT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR,
				       DOCA_VERSION_PATCH));
	EXPECT(!DOCA_VERSION_EQ_CURRENT(2, 5, 1));
	EXPECT(DOCA_VERSION_LTE_CURRENT(2, 5, 1));
	EXPECT(DOCA_VERSION_LTE_CURRENT(3, 0, 58));
	EXPECT(!DOCA_VERSION_LTE_CURRENT(3, 1, 0));
	EXPECT(!DOCA_VERSION_LTE_CURRENT(4, 0, 0));
	EXPECT_EQ(DOCA_VERSION_EXACT, DOCA_VERSION_CALC_EXACT(3, 0, 58));
}

struct versioned {
	DOCA_STRUCT_START;
	int value;
};

TEST(structures_know_their_version)
{
	DOCA_STRUCT_DEF(versioned, defined);
	struct versioned listed = { DOCA_STRUCT_CTOR_LIST_START, .value = 1 };
	struct versioned cleared = { .value = 1 };
	struct versioned *ptr = &cleared;

	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(&defined), DOCA_VERSION_EXACT);
	EXPECT_EQ(defined.value, 0);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(&listed), DOCA_VERSION_EXACT);
	EXPECT_EQ(listed.value, 1);
	DOCA_STRUCT_CTOR(cleared);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	EXPECT_EQ(cleared.value, 1);
	ptr->__doca_api_version = 0;
	DOCA_STRUCT_PTR_CTOR(ptr);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	DOCA_STRUCT_PTR_MEMSET_CTOR(ptr);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	EXPECT_EQ(cleared.value, 0);
	cleared.value = 1;
	DOCA_STRUCT_MEMSET_CTOR(cleared);
	EXPECT_EQ(cleared.value, 0);
}
