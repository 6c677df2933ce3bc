// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arrays of buffers, in both forms of their interface. */
#include <doca_buf_array.h>

#include "bed.h"
#include "fault.h"

#define LEN 4096

static char memory[LEN];
static struct doca_mmap *map;
static struct doca_buf_arr *arr;
static bool old; /* use the form of DOCA 2.5 */

/* The symbols that programs compiled with the older form use. */
#define OLD(name) __asm__(".symver " #name "_2_5, doca_buf_arr_" #name "@DOCA_2.5")
extern doca_error_t create_2_5(struct doca_mmap *map, struct doca_buf_arr **buf_arr);
OLD(create);
extern doca_error_t set_params_2_5(struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem,
				   uint32_t start_offset);
OLD(set_params);
extern doca_error_t get_dpa_handle_2_5(const struct doca_buf_arr *buf_arr,
				       struct doca_dpa_dev_buf_arr **dpa_buf_arr);
OLD(get_dpa_handle);

static doca_error_t new_arr(void)
{
	return old ? create_2_5(map, &arr) : doca_buf_arr_create(4, &arr);
}

/* Set four elements of @size bytes. */
static doca_error_t set_arr(size_t size, uint64_t offset)
{
	return old ? set_params_2_5(arr, size, 4, offset) :
		     doca_buf_arr_set_params(arr, map, size, offset);
}

static doca_error_t get_dpa(void)
{
	struct doca_dpa_dev_buf_arr *older;
	doca_dpa_dev_buf_arr_t handle;

	return old ? get_dpa_handle_2_5(arr, &older) : doca_buf_arr_get_dpa_handle(arr, &handle);
}

static void begin(void)
{
	fake_reset(false);
	map = new_mmap(memory, LEN, NULL);
	OK(new_arr());
}

static void end(void)
{
	OK(doca_buf_arr_destroy(arr));
	OK(doca_mmap_destroy(map));
}

#define FORMS_TEST(id)                  \
	static void in_form_##id(void); \
	TEST(id)                        \
	{                               \
		old = false;            \
		in_form_##id();         \
		old = true;             \
		in_form_##id();         \
	}                               \
	static void in_form_##id(void)

FORMS_TEST(no_array_without_memory)
{
	begin();
	OK(doca_buf_arr_destroy(arr));
	EXPECT_FAULTS(FAULT_ALLOC, new_arr(), NO_MEMORY, OK(doca_buf_arr_destroy(arr)));
	OK(new_arr());
	end();
}

FORMS_TEST(elements_must_be_within_the_mmap)
{
	begin();
	OK(set_arr(LEN / 4, 0));
	OK(set_arr(1, LEN - 4));
	FAILS(set_arr(LEN / 4, 1), INVALID_VALUE,
	      "4 elements of 1024 bytes from offset 1 are not within");
	ERR(set_arr(0, 0), INVALID_VALUE);
	ERR(set_arr(LEN / 4 + 1, 0), INVALID_VALUE);
	ERR(set_arr(1, LEN - 3), INVALID_VALUE);
	ERR(set_arr(1, UINT32_MAX), INVALID_VALUE);
	if (!old)
		ERR(set_arr(1, UINT64_MAX), INVALID_VALUE);
	ERR(set_arr(SIZE_MAX / 4 + 1, 0), INVALID_VALUE);
	end();
}

FORMS_TEST(an_array_is_configured_before_start)
{
	begin();
	OK(doca_mmap_start(map));
	FAILS(doca_buf_arr_start(arr), INVALID_VALUE, "call doca_buf_arr_set_params() first");
	ERR(get_dpa(), BAD_STATE);
	OK(set_arr(1, 0));
	OK(doca_buf_arr_start(arr));
	FAILS(set_arr(2, 0), BAD_STATE, "it is started");
	FAILS(get_dpa(), NOT_SUPPORTED, "no handle for a DPA");
	OK(doca_buf_arr_stop(arr));
	OK(set_arr(2, 0));
	end();
}

FORMS_TEST(an_array_of_the_other_form_is_set_by_that)
{
	begin();
	old = !old;
	ERR(set_arr(1, 0), INVALID_VALUE);
	end();
}

FORMS_TEST(an_array_starts_when_its_mmap_has)
{
	begin();
	OK(set_arr(8, 0));
	FAILS(doca_buf_arr_start(arr), NOT_PERMITTED, "its mmap is not started");
	OK(doca_mmap_start(map));
	OK(doca_buf_arr_start(arr));
	ERR(doca_buf_arr_start(arr), BAD_STATE);
	EXPECT_EQ(bufs_of(map), 4);
	ERR(doca_mmap_stop(map), NOT_PERMITTED);
	OK(doca_buf_arr_stop(arr));
	OK(doca_buf_arr_stop(arr));
	EXPECT_EQ(bufs_of(map), 0);
	OK(doca_buf_arr_start(arr));
	end();
}

FORMS_TEST(there_is_no_gpu_and_no_dpa)
{
	/* Only addresses are needed. */
	struct doca_dpa *dpa = (struct doca_dpa *)memory;
	struct doca_gpu *gpu = (struct doca_gpu *)memory;
	struct doca_gpu_buf_arr *handle;

	begin();
	OK(set_arr(8, 0));
	FAILS(doca_buf_arr_set_target_gpu(arr, gpu), NOT_SUPPORTED, "GPUs are not supported");
	FAILS(doca_buf_arr_set_target_dpa(arr, dpa), NOT_SUPPORTED,
	      "no device has a data path accelerator");
	ERR(doca_buf_arr_get_gpu_handle(arr, &handle), BAD_STATE);
	OK(doca_mmap_start(map));
	OK(doca_buf_arr_start(arr));
	FAILS(doca_buf_arr_get_gpu_handle(arr, &handle), NOT_SUPPORTED, "no handle for a GPU");
	FAILS(doca_buf_arr_set_target_gpu(arr, gpu), BAD_STATE, "it is started");
	ERR(doca_buf_arr_set_target_dpa(arr, dpa), BAD_STATE);
	end();
}

TEST(sizes_of_an_array)
{
	struct doca_mmap *empty;

	old = false;
	begin();
	OK(doca_mmap_create(&empty));
	ERR(doca_buf_arr_create(0, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_create((size_t)UINT32_MAX + 1, &arr), INVALID_VALUE);
	ERR(doca_buf_arr_set_params(arr, empty, 1, 0), INVALID_VALUE);
	ERR(create_2_5(empty, &arr), INVALID_VALUE);
	end();
	old = true;
	begin();
	ERR(set_params_2_5(arr, 1, 0, 0), INVALID_VALUE);
	ERR(get_dpa_handle_2_5(arr, NULL), INVALID_VALUE);
	end();
	OK(doca_mmap_destroy(empty));
}
