/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Arrays of buffers: what is the same in both forms of their interface. Included
 * with and without DOCA_API_COMPAT_2_5, after make_arr() was defined: an array of
 * four elements of eight bytes at the start of the mmap.
 */
#ifndef DOCA_TESTS_BUF_ARR_H
#define DOCA_TESTS_BUF_ARR_H

#include <doca_buf_array.h>
#include <doca_mmap.h>

#include "fake_mem.h"
#include "fault.h"
#include "ktap.h"
#include "logged.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define LEN 4096

static char memory[LEN];
static struct doca_mmap *mmap;
static struct doca_buf_arr *arr;

/* No more than addresses are needed. */
static struct doca_dpa *const dpa = (struct doca_dpa *)memory;
static struct doca_gpu *const gpu = (struct doca_gpu *)memory;

static void make_arr(void);

static void set_up(void)
{
	fake_reset();
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, memory, LEN));
	arr = NULL;
}

static void tear_down(void)
{
	if (arr)
		OK(doca_buf_arr_destroy(arr));
	OK(doca_mmap_destroy(mmap));
}

TEST(null_is_invalid)
{
	struct doca_gpu_buf_arr *handle;

	set_up();
	make_arr();
	ERR(doca_buf_arr_destroy(NULL), INVALID_VALUE);
	ERR(doca_buf_arr_start(NULL), INVALID_VALUE);
	ERR(doca_buf_arr_stop(NULL), INVALID_VALUE);
	ERR(doca_buf_arr_get_gpu_handle(NULL, &handle), INVALID_VALUE);
	ERR(doca_buf_arr_get_gpu_handle(arr, NULL), INVALID_VALUE);
	ERR(doca_buf_arr_set_target_gpu(NULL, gpu), INVALID_VALUE);
	ERR(doca_buf_arr_set_target_gpu(arr, NULL), INVALID_VALUE);
	ERR(doca_buf_arr_set_target_dpa(NULL, dpa), INVALID_VALUE);
	ERR(doca_buf_arr_set_target_dpa(arr, NULL), INVALID_VALUE);
	tear_down();
}

TEST(an_array_starts_when_its_mmap_has)
{
	uint32_t n = -1;

	set_up();
	make_arr();
	logged();
	ERR(doca_buf_arr_start(arr), NOT_PERMITTED);
	EXPECT_LOGGED("its mmap is not started");
	OK(doca_mmap_start(mmap));
	OK(doca_buf_arr_start(arr));
	ERR(doca_buf_arr_start(arr), BAD_STATE);
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 4);
	ERR(doca_mmap_stop(mmap), NOT_PERMITTED);
	OK(doca_buf_arr_stop(arr));
	OK(doca_buf_arr_stop(arr));
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 0);
	OK(doca_buf_arr_start(arr));
	tear_down();
}

TEST(there_is_no_gpu_and_no_dpa)
{
	struct doca_gpu_buf_arr *handle;

	set_up();
	make_arr();
	logged();
	ERR(doca_buf_arr_set_target_gpu(arr, gpu), NOT_SUPPORTED);
	EXPECT_LOGGED("GPUs are not supported");
	ERR(doca_buf_arr_set_target_dpa(arr, dpa), NOT_SUPPORTED);
	EXPECT_LOGGED("no device has a data path accelerator");
	ERR(doca_buf_arr_get_gpu_handle(arr, &handle), BAD_STATE);
	OK(doca_mmap_start(mmap));
	OK(doca_buf_arr_start(arr));
	logged();
	ERR(doca_buf_arr_get_gpu_handle(arr, &handle), NOT_SUPPORTED);
	EXPECT_LOGGED("no handle for a GPU");
	ERR(doca_buf_arr_set_target_gpu(arr, gpu), BAD_STATE);
	EXPECT_LOGGED("it is started");
	ERR(doca_buf_arr_set_target_dpa(arr, dpa), BAD_STATE);
	tear_down();
}

#endif /* DOCA_TESTS_BUF_ARR_H */
