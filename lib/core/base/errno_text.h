/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Texts of errno for the log, with the remedy if there is one. */
#ifndef DOCA_CORE_ERRNO_TEXT_H
#define DOCA_CORE_ERRNO_TEXT_H

#include <errno.h>
#include <string.h>

#define ERRNO_MANY_FILES                                                      \
	"the process has too many files open (EMFILE); close some, or raise " \
	"its limit with ulimit -n"
#define ERRNO_ALL_FILES "the machine has too many files open (ENFILE)"

/* @err may be negative. */
static inline const char *errno_text(int err)
{
	switch (err < 0 ? -err : err) {
	case EMFILE:
		return ERRNO_MANY_FILES;
	case ENFILE:
		return ERRNO_ALL_FILES;
	default:
		return strerror(err < 0 ? -err : err);
	}
}

#endif /* DOCA_CORE_ERRNO_TEXT_H */
