// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arrays of buffers, in the form of DOCA 2.5. */
#define DOCA_API_COMPAT_2_5
#include "buf_arr.h"

static void make_arr(void)
{
	OK(doca_buf_arr_create(mmap, &arr));
	OK(doca_buf_arr_set_params(arr, 8, 4, 0));
}

/* As programs compiled with the other form call it. */
extern doca_error_t create_3_0(size_t num_elem, struct doca_buf_arr **buf_arr);
__asm__(".symver create_3_0, doca_buf_arr_create@DOCA_3.0");

TEST(bad_arguments_are_invalid)
{
	struct doca_dpa_dev_buf_arr *handle;
	struct doca_mmap *empty;

	set_up();
	make_arr();
	OK(doca_mmap_create(&empty));
	ERR(doca_buf_arr_create(NULL, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_create(empty, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_create(mmap, NULL), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(NULL, 1, 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, 0, 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, 1, 0, 0), INVALID_VALUE);
	ERR(doca_buf_arr_get_dpa_handle(NULL, &handle), INVALID_VALUE);
	ERR(doca_buf_arr_get_dpa_handle(arr, NULL), INVALID_VALUE);
	OK(doca_mmap_destroy(empty));
	tear_down();
}

TEST(no_array_without_memory)
{
	set_up();
	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_arr_create(mmap, &arr), NO_MEMORY,
		      OK(doca_buf_arr_destroy(arr)));
	arr = NULL;
	tear_down();
}

TEST(elements_must_be_within_the_mmap)
{
	set_up();
	OK(doca_buf_arr_create(mmap, &arr));
	OK(doca_buf_arr_set_params(arr, LEN / 4, 4, 0));
	OK(doca_buf_arr_set_params(arr, 1, 4, LEN - 4));
	logged();
	ERR(doca_buf_arr_set_params(arr, LEN / 4, 4, 1), INVALID_VALUE);
	EXPECT_LOGGED("4 elements of 1024 bytes from offset 1 are not within");
	ERR(doca_buf_arr_set_params(arr, 1, LEN + 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, 1, 4, LEN - 3), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, SIZE_MAX / 4 + 1, 4, 0),
	    INVALID_VALUE);
	tear_down();
}

TEST(an_array_is_configured_before_start)
{
	struct doca_dpa_dev_buf_arr *handle;

	set_up();
	OK(doca_mmap_start(mmap));
	OK(doca_buf_arr_create(mmap, &arr));
	logged();
	ERR(doca_buf_arr_start(arr), INVALID_VALUE);
	EXPECT_LOGGED("call doca_buf_arr_set_params() first");
	ERR(doca_buf_arr_get_dpa_handle(arr, &handle), BAD_STATE);
	OK(doca_buf_arr_set_params(arr, 1, 4, 0));
	OK(doca_buf_arr_start(arr));
	logged();
	ERR(doca_buf_arr_set_params(arr, 2, 4, 0), BAD_STATE);
	EXPECT_LOGGED("it is started");
	ERR(doca_buf_arr_get_dpa_handle(arr, &handle), NOT_SUPPORTED);
	EXPECT_LOGGED("no handle for a DPA");
	OK(doca_buf_arr_stop(arr));
	OK(doca_buf_arr_set_params(arr, 2, 4, 0));
	tear_down();
}

TEST(an_array_of_the_other_form_has_no_mmap_yet)
{
	set_up();
	OK(create_3_0(1, &arr));
	ERR(doca_buf_arr_set_params(arr, 1, 1, 0), INVALID_VALUE);
	tear_down();
}
