// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Small things: errors, names, and the log. */
#include <string.h>

#include <doca_log.h>

#include "api13.h"

/*
 * Programs of these levels create no log backend, so show their messages, and those
 * of this library, on the terminal.
 */
__attribute__((constructor)) static void base_init(void)
{
	doca_log_backend_create_standard();
}

PUBLIC const char *doca_get_error_string(doca_error_t error)
{
	return doca_error_get_descr(error);
}

void api13_set_name(char *to, const char *name)
{
	strncpy(to, name ? name : "", NAME_SIZE - 1);
	to[NAME_SIZE - 1] = '\0';
}
