// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Arrays of buffers. Only a GPU or a DPA could reach their elements, and there
 * is none. So an array only keeps its range of memory while it is started.
 */
#include <stdlib.h>

#include <doca_buf_array.h>

#include "core/base/log.h"
#include "core/base/symver.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::BUF_ARR");

struct doca_buf_arr {
	struct doca_mmap *mmap;
	uint32_t nr; /* number of elements */
	size_t size; /* bytes of an element; 0: not set yet */
	uint64_t offset;
	bool started;
};

static doca_error_t buf_arr_new(struct doca_mmap *mmap, uint32_t nr,
				struct doca_buf_arr **buf_arr)
{
	struct doca_buf_arr *arr = calloc(1, sizeof(*arr));

	if (!arr)
		return OUT_OF_MEMORY("a buffer array");
	arr->mmap = mmap;
	arr->nr = nr;
	doca_priv_debug_add(arr, &doca_priv_buf_arr_object, sizeof(*arr), 1);
	*buf_arr = arr;
	return DOCA_SUCCESS;
}

static doca_error_t may_set(const struct doca_buf_arr *arr)
{
	if (!arr->started)
		return DOCA_SUCCESS;
	LOG_ERR("cannot configure buffer array %p: it is started",
		(const void *)arr);
	return DOCA_ERROR_BAD_STATE;
}

static bool fits(const struct doca_mmap *mmap, uint32_t nr, size_t size,
		 uint64_t offset)
{
	size_t total;

	return !__builtin_mul_overflow(size, nr, &total) &&
	       offset <= mmap->len && total <= mmap->len - offset;
}

static doca_error_t buf_arr_set(struct doca_buf_arr *arr,
				struct doca_mmap *mmap, uint32_t nr,
				size_t size, uint64_t offset)
{
	doca_error_t res = may_set(arr);

	if (res != DOCA_SUCCESS)
		return res;
	if (!fits(mmap, nr, size, offset)) {
		LOG_ERR("buffer array %p: %u elements of %zu bytes from offset "
			"%llu are not within the mmap of %zu bytes",
			(void *)arr, nr, size, (unsigned long long)offset,
			mmap->len);
		return DOCA_ERROR_INVALID_VALUE;
	}
	arr->mmap = mmap;
	arr->nr = nr;
	arr->size = size;
	arr->offset = offset;
	return DOCA_SUCCESS;
}

static doca_error_t no_handle(const struct doca_buf_arr *arr, const char *what)
{
	if (!arr->started)
		return FAIL(BAD_STATE,
			    "buffer array %p is not started: call "
			    "doca_buf_arr_start()",
			    (const void *)arr);
	LOG_ERR("buffer array %p has no handle for a %s: it is for the CPU",
		(const void *)arr, what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

SYMBOL_OLD(doca_buf_arr_create, 2, 5)
doca_error_t doca_buf_arr_create_2_5(struct doca_mmap *mmap,
				     struct doca_buf_arr **buf_arr)
{
	if (!valid(mmap) || refused(!mmap->has_range) || !given(buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	return buf_arr_new(mmap, 0, buf_arr);
}

SYMBOL_NEW(doca_buf_arr_create, 3, 0)
doca_error_t doca_buf_arr_create_3_0(size_t num_elem,
				     struct doca_buf_arr **buf_arr)
{
	if (!given(num_elem) || refused(num_elem > UINT32_MAX) ||
	    !given(buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	return buf_arr_new(NULL, num_elem, buf_arr);
}

/* An array that the new form has created has no mmap until the new form sets it. */
SYMBOL_OLD(doca_buf_arr_set_params, 2, 5)
doca_error_t doca_buf_arr_set_params_2_5(struct doca_buf_arr *buf_arr,
					 size_t size, uint32_t num_elem,
					 uint32_t start_offset)
{
	if (!valid(buf_arr) || !given(buf_arr->mmap) || !given(size) ||
	    !given(num_elem))
		return DOCA_ERROR_INVALID_VALUE;
	return buf_arr_set(buf_arr, buf_arr->mmap, num_elem, size,
			   start_offset);
}

/* An array that the old form has created has no elements until the old form sets them. */
SYMBOL_NEW(doca_buf_arr_set_params, 3, 0)
doca_error_t doca_buf_arr_set_params_3_0(struct doca_buf_arr *buf_arr,
					 struct doca_mmap *mmap,
					 size_t elem_size,
					 uint64_t start_offset)
{
	if (!valid(buf_arr) || !given(buf_arr->nr) || !valid(mmap) ||
	    refused(!mmap->has_range) || !given(elem_size))
		return DOCA_ERROR_INVALID_VALUE;
	return buf_arr_set(buf_arr, mmap, buf_arr->nr, elem_size, start_offset);
}

SYMBOL_OLD(doca_buf_arr_get_dpa_handle, 2, 5)
doca_error_t
doca_buf_arr_get_dpa_handle_2_5(const struct doca_buf_arr *buf_arr,
				struct doca_dpa_dev_buf_arr **dpa_buf_arr)
{
	if (!valid(buf_arr) || !given(dpa_buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	return no_handle(buf_arr, "DPA");
}

SYMBOL_NEW(doca_buf_arr_get_dpa_handle, 3, 0)
doca_error_t
doca_buf_arr_get_dpa_handle_3_0(const struct doca_buf_arr *buf_arr,
				doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
	if (!valid(buf_arr) || !given(dpa_buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	return no_handle(buf_arr, "DPA");
}

doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr)
{
	if (!valid(buf_arr) || !given(gpu_buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	return no_handle(buf_arr, "GPU");
}

doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
	if (!valid(buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	doca_buf_arr_stop(buf_arr);
	doca_priv_debug_free(buf_arr);
	return DOCA_SUCCESS;
}

static doca_error_t set_target(const struct doca_buf_arr *arr, const char *why)
{
	doca_error_t res;

	res = may_set(arr);
	if (res != DOCA_SUCCESS)
		return res;
	LOG_ERR("buffer array %p can be for the CPU only: %s",
		(const void *)arr, why);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
					 struct doca_dpa *dpa_handler)
{
	if (!valid(buf_arr) || !given(dpa_handler))
		return DOCA_ERROR_INVALID_VALUE;
	return set_target(buf_arr, "no device has a data path accelerator");
}

doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
					 struct doca_gpu *gpu_handler)
{
	if (!valid(buf_arr) || !given(gpu_handler))
		return DOCA_ERROR_INVALID_VALUE;
	return set_target(buf_arr, "GPUs are not supported");
}

doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
	doca_error_t res;

	if (!valid(buf_arr) || (buf_arr->mmap && !valid(buf_arr->mmap)))
		return DOCA_ERROR_INVALID_VALUE;
	res = may_set(buf_arr);
	if (res != DOCA_SUCCESS)
		return res;
	if (!buf_arr->mmap || !buf_arr->size) {
		LOG_ERR("cannot start buffer array %p: call "
			"doca_buf_arr_set_params() first",
			(void *)buf_arr);
		return DOCA_ERROR_INVALID_VALUE;
	}
	res = mmap_bufs_get(buf_arr->mmap,
			    (char *)buf_arr->mmap->addr + buf_arr->offset,
			    buf_arr->nr * buf_arr->size, buf_arr->nr);
	if (res != DOCA_SUCCESS)
		return FAIL(NOT_PERMITTED,
			    "cannot start buffer array %p: its mmap is not "
			    "started",
			    (void *)buf_arr);
	buf_arr->started = true;
	LOG_DBG("buffer array %p is started: %u elements of %zu bytes",
		(void *)buf_arr, buf_arr->nr, buf_arr->size);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
	if (!valid(buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_arr->started)
		mmap_bufs_put(buf_arr->mmap, buf_arr->nr);
	buf_arr->started = false;
	return DOCA_SUCCESS;
}
