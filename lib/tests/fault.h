/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Makes calls of the libraries fail, and counts them: the linker redirects the calls of
 * the objects under test to this file (see tests.mk), and no others.
 */
#ifndef DOCA_TESTS_FAULT_H
#define DOCA_TESTS_FAULT_H

#include <stdbool.h>

#include "core/base/debug.h"

enum fault {
	FAULT_ALLOC, /* memory: ENOMEM */
	FAULT_FD, /* a file descriptor, or a change of an epoll: EMFILE */
	FAULT_LAST,
};

/* Make the @n-th call of this kind from now on fail, once; 0: none. */
void fault_at(enum fault kind, unsigned int n);

/* Return true if it has failed since fault_at(). */
bool fault_happened(enum fault kind);

/* Return the number of calls of this kind since fault_at(). */
unsigned int fault_calls(enum fault kind);

/*
 * do ... while (fault_next(kind)), after fault_at(kind, 1), runs its body with each call
 * of a kind failing in turn, and once more without a failure.
 */
bool fault_next(enum fault kind);

/*
 * In debug mode the failed allocation may have been the registry's. It then knows less,
 * and the program must not suffer.
 */
#define FAULT_MAY_PASS(kind) (doca_priv_debug && (kind) == FAULT_ALLOC)

/*
 * Make a call of the libraries with each of its calls of a kind failing in turn: it must
 * return an error. Then make it without failure, and undo it.
 */
#define EXPECT_FAULTS(kind, call, name, undo)                                           \
	do {                                                                            \
		unsigned int faults_ = 0;                                               \
                                                                                        \
		fault_at(kind, 1);                                                      \
		do {                                                                    \
			doca_error_t err_ = call;                                       \
                                                                                        \
			if (fault_happened(kind) && !(FAULT_MAY_PASS(kind) && !err_)) { \
				EXPECT_EQ(err_, DOCA_ERROR_##name);                     \
				faults_++;                                              \
			} else {                                                        \
				EXPECT_EQ(err_, DOCA_SUCCESS);                          \
				if (!fault_happened(kind))                              \
					fault_at(kind, 0);                              \
				undo;                                                   \
			}                                                               \
		} while (fault_next(kind));                                             \
		EXPECT(faults_ > 0);                                                    \
	} while (0)

#endif /* DOCA_TESTS_FAULT_H */
