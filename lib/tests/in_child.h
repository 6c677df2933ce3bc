/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Things that a process decides once, or cannot undo, are tested in a child. */
#ifndef DOCA_TESTS_IN_CHILD_H
#define DOCA_TESTS_IN_CHILD_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

/* The output of @test and its exit code come back from the child. */
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
