/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_TESTS_DM_VERBS_H
#define DOCA_TESTS_DM_VERBS_H

#include <infiniband/verbs.h>

#define OWNER_SIZE 12345

extern struct ibv_device fake_plain, fake_other, fake_owner, fake_old;

/* What libibverbs was asked for last. */
struct fake_mr {
	void *addr;
	size_t length;
	uint64_t iova;
	unsigned int access;
	int flags; /* of what it was registered again for */
};

extern struct fake_mr fake_last;
/* What it fails with, and how many there are. */
extern int fake_errno;
extern int fake_mrs;

#endif /* DOCA_TESTS_DM_VERBS_H */
