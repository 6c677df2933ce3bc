// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>

#include "core/base/args.h"
#include "../objects.h"

#include "../private.h"
#include "../system.h"
#include "code.h"

LOG_SOURCE("APSH");

doca_error_t doca_priv_apsh_code_set(struct doca_apsh_system *system, int fd,
				     const char *lack)
{
	char flaw[CODE_FLAW] = "";
	struct code *code = NULL;
	doca_error_t ret = DOCA_SUCCESS;

	if (!valid(system))
		return DOCA_ERROR_INVALID_VALUE;
	if (!lack)
		ret = code_read(fd, &code, flaw);
	pthread_mutex_lock(&system->lock);
	code_free(system->code);
	system->code = code;
	snprintf(system->code_lack, sizeof(system->code_lack), "%s",
		 lack ? lack : flaw);
	pthread_mutex_unlock(&system->lock);
	return ret;
}
