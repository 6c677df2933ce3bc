// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Buffers: reference counts and lists. Nothing is allocated, and nothing but a
 * walk along a list takes longer than a few instructions.
 */
#include "buf.h"
#include "buf_stock.h"
#include "core/base/log.h"
#include "core/objects.h"

LOG_SOURCE("COMMON::BUF");

const struct doca_buf doca_priv_no_buf;

static const char in_list[] = "is in a list, and not its head";
static const char released[] = "was released already";

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (!known(buf))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf->stock, return DOCA_ERROR_IN_USE);
	/* without a reference it is free, or soon will be */
	if (buf->chained || !buf->refcount) {
		LOG_ERR("cannot take a reference on buffer %p: it %s",
			(void *)buf, buf->chained ? in_list : released);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (buf->refcount == UINT16_MAX)
		return FAIL(TOO_BIG,
			    "buffer %p has as many references as it can, %u",
			    (void *)buf, UINT16_MAX);
	if (refcount)
		*refcount = buf->refcount;
	buf->refcount++;
	return DOCA_SUCCESS;
}

void buf_put_memory(const struct doca_buf *buf)
{
	const struct mmap_owner *owner = buf->mmap->owner;

	if (owner)
		owner->put(owner, buf->head);
	mmap_buf_put(buf->mmap);
}

static void buf_put(struct doca_buf *buf)
{
	EXCLUSIVE_WAIT(buf->stock);
	if (!buf->stock->resident)
		buf_put_memory(buf);
	stock_put(buf->stock, buf);
}

/* Free a whole list, apart from elements that are in flight on their own as well. */
void doca_priv_buf_free(struct doca_buf *buf)
{
	struct doca_buf *next;

	for (buf->holds = 1; buf; buf = next) {
		next = buf->next;
		buf->next = NULL;
		buf->chained = false;
		buf->refcount = 0;
		doca_priv_buf_spoil(buf);
		if (--buf->holds == 0)
			buf_put(buf);
	}
}

static doca_error_t release_refused(const struct doca_buf *buf)
{
	LOG_ERR("cannot release buffer %p: it %s", (const void *)buf,
		buf->chained ? in_list : released);
	return buf->chained ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (!known(buf))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf->stock, return DOCA_ERROR_IN_USE);
	if (buf->chained || !buf->refcount)
		return release_refused(buf);
	if (refcount)
		*refcount = buf->refcount;
	if (--buf->refcount == 0) {
		doca_priv_buf_spoil(buf);
		doca_priv_buf_unhold(buf);
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_refcount(const struct doca_buf *buf,
				   uint16_t *refcount)
{
	if (!valid(buf) || !given(refcount))
		return DOCA_ERROR_INVALID_VALUE;
	*refcount = buf->refcount;
	return DOCA_SUCCESS;
}

static struct doca_buf *last_of(const struct doca_buf *buf)
{
	while (buf->next)
		buf = buf->next;
	return (struct doca_buf *)buf;
}

/* The elements behind a released buffer are not its list. */
static bool was_released(const struct doca_buf *buf)
{
	if (doca_likely(buf->refcount))
		return false;
	LOG_ERR("buffer %p cannot be part of a list: it %s", (const void *)buf,
		released);
	return true;
}

/* A list appended to itself would have no end. */
static doca_error_t chain(const struct doca_buf *head, struct doca_buf *tail,
			  struct doca_buf *list2)
{
	const char *why = NULL;

	if (head->chained)
		why = "the first is not the head of its list";
	else if (list2 == head)
		why = "they are the same";
	else if (list2->chained)
		why = "the second is not the head of its list";
	else if (list2->refcount != 1)
		why = "the second has more references than one";
	if (why)
		return FAIL(NOT_PERMITTED, "cannot append buffer %p to %p: %s",
			    (void *)list2, (const void *)head, why);
	tail->next = list2;
	list2->chained = true;
	doca_priv_buf_update(tail);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	if (!valid(list1) || !valid(list2) || was_released(list1))
		return DOCA_ERROR_INVALID_VALUE;
	return chain(list1, last_of(list1), list2);
}

doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
				      struct doca_buf *list1_tail,
				      struct doca_buf *list2)
{
	if (!valid(list1_head) || !valid(list1_tail) || !valid(list2) ||
	    was_released(list1_head) || was_released(list1_tail))
		return DOCA_ERROR_INVALID_VALUE;
	if (list1_tail->next ||
	    (list1_tail != list1_head && !list1_tail->chained))
		return FAIL(NOT_PERMITTED,
			    "cannot append to buffer %p: it is not the last "
			    "of the list of %p",
			    (void *)list1_tail, (void *)list1_head);
	return chain(list1_head, list1_tail, list2);
}

doca_error_t doca_buf_unchain_list(struct doca_buf *list1,
				   struct doca_buf *list2)
{
	if (!valid(list1) || !valid(list2) || was_released(list1))
		return DOCA_ERROR_INVALID_VALUE;
	while (list1 && list1->next != list2)
		list1 = list1->next;
	if (!list1)
		return FAIL(INVALID_VALUE,
			    "cannot take buffer %p out of a list: it is not "
			    "in it, or its head",
			    (void *)list2);
	list1->next = NULL;
	list2->chained = false;
	doca_priv_buf_update(list1);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
				       struct doca_buf **next_buf)
{
	if (!valid(buf) || !given(next_buf))
		return DOCA_ERROR_INVALID_VALUE;
	*next_buf = buf->next;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
				       struct doca_buf **last_buf)
{
	if (!valid(buf) || !given(last_buf))
		return DOCA_ERROR_INVALID_VALUE;
	*last_buf = last_of(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
				   uint32_t *num_elements)
{
	uint32_t n = 0;

	if (!valid(buf) || !given(num_elements))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->chained)
		return FAIL(NOT_PERMITTED,
			    "cannot count the list of buffer %p: it %s",
			    (const void *)buf, in_list);
	for (; buf; buf = buf->next)
		n++;
	*num_elements = n;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf,
				       uint8_t *is_first)
{
	if (!valid(buf) || !given(is_first))
		return DOCA_ERROR_INVALID_VALUE;
	*is_first = !buf->chained;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf,
				      uint8_t *is_last)
{
	if (!valid(buf) || !given(is_last))
		return DOCA_ERROR_INVALID_VALUE;
	*is_last = !buf->next;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_in_list(const struct doca_buf *buf,
				 uint8_t *is_in_list)
{
	if (!valid(buf) || !given(is_in_list))
		return DOCA_ERROR_INVALID_VALUE;
	*is_in_list = buf->chained || buf->next;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
	if (!valid(buf) || !given(head))
		return DOCA_ERROR_INVALID_VALUE;
	*head = buf->head;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
	if (!valid(buf) || !given(len))
		return DOCA_ERROR_INVALID_VALUE;
	*len = buf->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
	if (!valid(buf) || !given(data))
		return DOCA_ERROR_INVALID_VALUE;
	*data = buf->data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
	if (!valid(buf) || !given(data_len))
		return DOCA_ERROR_INVALID_VALUE;
	*data_len = buf->data_len;
	return DOCA_SUCCESS;
}

/* The range is not checked here: a task with data outside of its buffer fails. */
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data,
			       size_t data_len)
{
	if (!valid(buf) || !given(data))
		return DOCA_ERROR_INVALID_VALUE;
	buf->data = data;
	buf->data_len = data_len;
	doca_priv_buf_update(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
	if (!valid(buf))
		return DOCA_ERROR_INVALID_VALUE;
	buf->data_len = data_len;
	doca_priv_buf_update(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
	if (!valid(buf))
		return DOCA_ERROR_INVALID_VALUE;
	buf->data_len = 0;
	doca_priv_buf_update(buf);
	return DOCA_SUCCESS;
}
