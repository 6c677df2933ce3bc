// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities, which are the same for all devices of pairs. */
#include <stdlib.h>

#include <doca_error.h>

#include "comch.h"
#include "core/device/pairs.h"

LOG_SOURCE("COMCH");

enum { DPU = 1, HOST = 2 };

bool comch_devinfo_is(const struct doca_devinfo *devinfo, const void *out,
		      const struct log_site *site)
{
	return given_at(devinfo, "devinfo", site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(devinfo, &doca_priv_devinfo_object, true,
				      site->func)) &&
	       given_at(out, "the place for the answer", site);
}

/*
 * Return SUCCESS if the device is on one of these @sides of the pair @function,
 * or of any pair if it is 0.
 */
static doca_error_t is_side(const struct doca_devinfo *devinfo,
			    uint32_t function, unsigned int sides)
{
	struct driver_function *pairs;
	doca_error_t ret;
	uint32_t nr, i;

	ret = doca_priv_pairs(&pairs, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = DOCA_ERROR_NOT_SUPPORTED;
	for (i = 0; i < nr; i++) {
		if (function && pairs[i].id != function)
			continue;
		if ((sides & DPU && pairs[i].dpu == devinfo->id) ||
		    (sides & HOST && pairs[i].host == devinfo->id))
			ret = DOCA_SUCCESS;
	}
	free(pairs);
	return ret;
}

doca_error_t comch_is_dpu(const struct doca_devinfo *devinfo, uint32_t function)
{
	return is_side(devinfo, function, DPU);
}

doca_error_t comch_is_host(const struct doca_devinfo *devinfo)
{
	return is_side(devinfo, 0, HOST);
}

doca_error_t comch_may_set(const struct doca_ctx *ctx,
			   const struct object_type *object,
			   const struct log_site *site)
{
	if (!ctx_is(ctx, object, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_priv_ctx_idle(ctx))
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE, "%s(): %s %p is started", site->func,
		       ctx->type->name, (const void *)ctx);
}

static doca_error_t cap(const struct doca_devinfo *devinfo, const void *out,
			unsigned int sides, const struct log_site *site)
{
	static const char *const names[] = {
		[DPU] = "the DPU's side of a pair",
		[HOST] = "the host's side of a pair",
		[DPU | HOST] = "in a pair",
	};
	doca_error_t ret;

	if (!comch_devinfo_is(devinfo, out, site))
		return DOCA_ERROR_INVALID_VALUE;
	ret = is_side(devinfo, 0, sides);
	if (ret == DOCA_ERROR_NO_MEMORY)
		return DOCA_ERROR_DRIVER;
	if (ret != DOCA_ERROR_NOT_SUPPORTED)
		return ret;
	return ANSWER_AT(site, NOT_SUPPORTED, "%s: the device is not %s",
			 devinfo->name, names[sides]);
}

#define CAP_IS(name, sides)                                   \
	doca_error_t name(const struct doca_devinfo *devinfo) \
	{                                                     \
		static const struct log_site site = LOG_SITE; \
                                                              \
		return cap(devinfo, devinfo, sides, &site);   \
	}

#define CAP(name, what, number)                                               \
	doca_error_t name(const struct doca_devinfo *devinfo, uint32_t *what) \
	{                                                                     \
		static const struct log_site site = LOG_SITE;                 \
		doca_error_t ret = cap(devinfo, what, DPU | HOST, &site);     \
                                                                              \
		if (ret == DOCA_SUCCESS)                                      \
			*what = number;                                       \
		return ret;                                                   \
	}

CAP_IS(doca_comch_cap_server_is_supported, DPU)
CAP_IS(doca_comch_cap_client_is_supported, HOST)
CAP_IS(doca_comch_consumer_cap_is_supported, DPU | HOST)
CAP_IS(doca_comch_producer_cap_is_supported, DPU | HOST)

CAP(doca_comch_cap_get_max_name_len, max_name_len, COMCH_MAX_NAME)
CAP(doca_comch_cap_get_max_msg_size, size, COMCH_MAX_MSG)
CAP(doca_comch_cap_get_max_recv_queue_size, size, COMCH_MAX_RECV)
CAP(doca_comch_cap_get_max_send_tasks, max_send_tasks, COMCH_MAX_TASKS)
CAP(doca_comch_cap_get_max_clients, num_clients, COMCH_MAX_CLIENTS)
CAP(doca_comch_consumer_cap_get_max_consumers, max_consumers,
    COMCH_MAX_ATTACHED)
CAP(doca_comch_consumer_cap_get_max_num_tasks, max_num_tasks, COMCH_MAX_TASKS)
CAP(doca_comch_consumer_cap_get_max_buf_size, max_buf_size, COMCH_MAX_BUF)
CAP(doca_comch_consumer_cap_get_max_buf_list_len, max_buf_list_len, 1)
CAP(doca_comch_consumer_cap_get_max_imm_data_len, max_imm_data_len,
    COMCH_MAX_IMM)
CAP(doca_comch_producer_cap_get_max_producers, max_producers,
    COMCH_MAX_ATTACHED)
CAP(doca_comch_producer_cap_get_max_num_tasks, max_num_tasks, COMCH_MAX_TASKS)
CAP(doca_comch_producer_cap_get_max_buf_size, max_buf_size, COMCH_MAX_BUF)
CAP(doca_comch_producer_cap_get_max_buf_list_len, max_buf_list_len,
    COMCH_MAX_SEND_LIST)
