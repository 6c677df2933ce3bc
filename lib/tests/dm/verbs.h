/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_TESTS_DM_VERBS_H
#define DOCA_TESTS_DM_VERBS_H

#include <infiniband/verbs.h>

#define OWNER_SIZE 12345

extern struct ibv_device fake_plain, fake_other, fake_owner, fake_old;

/* Arguments of the last registration. */
struct fake_mr {
	void *addr;
	size_t length;
	uint64_t iova;
	unsigned int access;
	int flags; /* flags of the last ibv_rereg_mr() */
};

extern struct fake_mr fake_last;
/* The error of all registrations, and their number. */
extern int fake_errno;
extern int fake_mrs;

#endif /* DOCA_TESTS_DM_VERBS_H */
