/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Calls of the libraries that are made to fail, and counted: the linker leads those
 * of the objects under test here (see tests.mk), and nobody else's.
 */
#ifndef DOCA_TESTS_FAULT_H
#define DOCA_TESTS_FAULT_H

#include <stdbool.h>

#include "core/base/debug.h"

enum fault {
	FAULT_ALLOC, /* of memory: ENOMEM */
	FAULT_FD, /* of a file descriptor, or a change of epoll's: EMFILE */
	FAULT_LAST,
};

/* Have the @n-th call of this kind from now on fail, once; 0: none. */
void fault_at(enum fault kind, unsigned int n);

/* Whether it did since fault_at(). */
bool fault_happened(enum fault kind);

/* How many calls of this kind there were since fault_at(). */
unsigned int fault_calls(enum fault kind);

/*
 * do ... while (fault_next(kind)), after fault_at(kind, 1), runs what is between with
 * each of its calls of a kind failing in turn, and a last time with none.
 */
bool fault_next(enum fault kind);

/*
 * In debug mode an allocation may have been the registry's, which then knows less, and
 * the program is not to suffer for that.
 */
#define FAULT_MAY_PASS(kind) (doca_priv_debug && (kind) == FAULT_ALLOC)

/*
 * A call of the libraries with each of its calls of a kind failing in turn, for which
 * it is to return an error; and with none, which is then undone.
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
