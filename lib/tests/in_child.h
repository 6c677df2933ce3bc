/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What a process settles once, or cannot take back, is tried by a child of its own. */
#ifndef DOCA_TESTS_IN_CHILD_H
#define DOCA_TESTS_IN_CHILD_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

/* What @test says comes back as the child's output and exit code. */
#define IN_CHILD(test)                                                  \
	do {                                                            \
		int status_ = -1;                                       \
		pid_t pid_;                                             \
                                                                        \
		fflush(stdout);                                         \
		pid_ = fork();                                          \
		if (!pid_) {                                            \
			ktap_bad = 0;                                   \
			test;                                           \
			exit(!!ktap_bad);                               \
		}                                                       \
		EXPECT(pid_ > 0 && waitpid(pid_, &status_, 0) == pid_); \
		EXPECT_EQ(status_, 0);                                  \
	} while (0)

#endif /* DOCA_TESTS_IN_CHILD_H */
