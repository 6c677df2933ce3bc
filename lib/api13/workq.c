// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Work queues: a progress engine, its lanes, and its depth. */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "lane.h"

DOCA_LOG_REGISTER(API13::WORKQ);

PUBLIC doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq)
{
	struct doca_workq *new;
	doca_error_t ret;

	if (!given(workq))
		return DOCA_ERROR_INVALID_VALUE;
	if (!depth) {
		DOCA_LOG_ERR("cannot create a work queue of depth 0");
		return DOCA_ERROR_INVALID_VALUE;
	}
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	ret = v3_pe_create(&new->pe);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	new->depth = depth;
	new->room = depth;
	new->attention = doca_priv_debug ? ATTEND_DEBUG : 0;
	workq_forget_lane(new);
	doca_priv_debug_add(new, &api13_workq_object, sizeof(*new), 1);
	*workq = new;
	return DOCA_SUCCESS;
}

static doca_error_t may_change(const struct doca_workq *workq, const char *what)
{
	if (!workq->lanes)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot %s work queue %p: it was added to a context; "
		     "remove it first",
		     what, (const void *)workq);
	return DOCA_ERROR_IN_USE;
}

PUBLIC doca_error_t doca_workq_destroy(struct doca_workq *workq)
{
	doca_error_t ret;

	if (!valid(workq))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_change(workq, "destroy");
	DOCA_ERROR_PROPAGATE(ret, v3_pe_destroy(workq->pe));
	if (ret == DOCA_SUCCESS)
		doca_priv_debug_free(workq);
	return ret;
}

static bool is_property(enum doca_workq_property property, uint32_t size)
{
	if (property == DOCA_WORKQ_DEPTH && size == sizeof(uint32_t))
		return true;
	DOCA_LOG_ERR("there is no property %u of work queues that has %u bytes",
		     property, size);
	return false;
}

PUBLIC doca_error_t doca_workq_property_set(struct doca_workq *workq,
					    enum doca_workq_property property,
					    const void *value, uint32_t size)
{
	doca_error_t ret;
	uint32_t depth;

	if (!valid(workq) || !given(value) || !is_property(property, size))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_change(workq, "set a property of");
	if (ret != DOCA_SUCCESS)
		return ret;
	memcpy(&depth, value, sizeof(depth));
	if (!depth) {
		DOCA_LOG_ERR("the depth of a work queue cannot be 0");
		return DOCA_ERROR_INVALID_VALUE;
	}
	workq->depth = depth;
	workq->room = depth;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_workq_property_get(const struct doca_workq *workq,
					    enum doca_workq_property property,
					    void *value, uint32_t size)
{
	if (!valid(workq) || !given(value) || !is_property(property, size))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(value, &workq->depth, size);
	return DOCA_SUCCESS;
}
