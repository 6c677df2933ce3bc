// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers that belong to the program. */
#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::BUF);

static bool is_taken(const struct doca_buf *buf)
{
	if (buf->len)
		return true;
	DOCA_LOG_ERR("buffer %p was released", (const void *)buf);
	return false;
}

PUBLIC doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head)
{
	if (!valid(buf) || !given(head) || !is_taken(buf))
		return DOCA_ERROR_INVALID_VALUE;
	*head = buf->head;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len)
{
	if (!valid(buf) || !given(len) || !is_taken(buf))
		return DOCA_ERROR_INVALID_VALUE;
	*len = buf->len;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_buf_refcount_rm(struct doca_buf *buf,
					 uint16_t *refcount)
{
	if (!valid(buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_taken(buf))
		return DOCA_ERROR_BAD_STATE;
	if (refcount)
		*refcount = 1;
	buf->len = 0;
	buf_unready(buf);
	if (!--buf->holds)
		api13_buf_put(buf);
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_buf_refcount_get(struct doca_buf *buf,
					  uint16_t *refcount)
{
	if (!valid(buf) || !given(refcount) || !is_taken(buf))
		return DOCA_ERROR_INVALID_VALUE;
	*refcount = 1;
	return DOCA_SUCCESS;
}
