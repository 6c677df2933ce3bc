// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arrays of buffers, in the form of DOCA 3.0. */
#include "buf_arr.h"

static void make_arr(void)
{
	OK(doca_buf_arr_create(4, &arr));
	OK(doca_buf_arr_set_params(arr, mmap, 8, 0));
}

/* As programs compiled with the other form call it. */
extern doca_error_t create_2_5(struct doca_mmap *mmap,
			       struct doca_buf_arr **buf_arr);
__asm__(".symver create_2_5, doca_buf_arr_create@DOCA_2.5");

TEST(bad_arguments_are_invalid)
{
	doca_dpa_dev_buf_arr_t handle;
	struct doca_mmap *empty;

	set_up();
	make_arr();
	OK(doca_mmap_create(&empty));
	ERR(doca_buf_arr_create(0, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_create((size_t)UINT32_MAX + 1, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_create(1, NULL), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(NULL, mmap, 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, NULL, 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, empty, 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, mmap, 0, 0), INVALID_VALUE);
	ERR(doca_buf_arr_get_dpa_handle(NULL, &handle), INVALID_VALUE);
	ERR(doca_buf_arr_get_dpa_handle(arr, NULL), INVALID_VALUE);
	OK(doca_mmap_destroy(empty));
	tear_down();
}

TEST(no_array_without_memory)
{
	set_up();
	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_arr_create(4, &arr), NO_MEMORY,
		      OK(doca_buf_arr_destroy(arr)));
	arr = NULL;
	tear_down();
}

TEST(elements_must_be_within_the_mmap)
{
	set_up();
	OK(doca_buf_arr_create(4, &arr));
	OK(doca_buf_arr_set_params(arr, mmap, LEN / 4, 0));
	OK(doca_buf_arr_set_params(arr, mmap, 1, LEN - 4));
	logged();
	ERR(doca_buf_arr_set_params(arr, mmap, LEN / 4, 1), INVALID_VALUE);
	EXPECT_LOGGED("4 elements of 1024 bytes from offset 1 are not within");
	ERR(doca_buf_arr_set_params(arr, mmap, LEN / 4 + 1, 0), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, mmap, 1, LEN - 3), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, mmap, 1, UINT64_MAX), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, mmap, SIZE_MAX / 4 + 1, 0),
	    INVALID_VALUE);
	tear_down();
}

TEST(an_array_is_configured_before_start)
{
	doca_dpa_dev_buf_arr_t handle;

	set_up();
	OK(doca_mmap_start(mmap));
	OK(doca_buf_arr_create(4, &arr));
	logged();
	ERR(doca_buf_arr_start(arr), INVALID_VALUE);
	EXPECT_LOGGED("call doca_buf_arr_set_params() first");
	ERR(doca_buf_arr_get_dpa_handle(arr, &handle), BAD_STATE);
	OK(doca_buf_arr_set_params(arr, mmap, 1, 0));
	OK(doca_buf_arr_start(arr));
	logged();
	ERR(doca_buf_arr_set_params(arr, mmap, 2, 0), BAD_STATE);
	EXPECT_LOGGED("it is started");
	ERR(doca_buf_arr_get_dpa_handle(arr, &handle), NOT_SUPPORTED);
	EXPECT_LOGGED("no handle for a DPA");
	OK(doca_buf_arr_stop(arr));
	OK(doca_buf_arr_set_params(arr, mmap, 2, 0));
	tear_down();
}

TEST(an_array_of_the_other_form_has_no_elements_yet)
{
	set_up();
	OK(create_2_5(mmap, &arr));
	ERR(doca_buf_arr_set_params(arr, mmap, 1, 0), INVALID_VALUE);
	tear_down();
}
