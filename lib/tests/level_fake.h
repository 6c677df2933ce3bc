/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The interface of the fake driver for tests of the levels 1.3 and 1.5. The driver is in
 * a file of its own, which has the headers of level 3.0. It has two devices.
 */
#ifndef DOCA_TESTS_LEVEL_FAKE_H
#define DOCA_TESTS_LEVEL_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

struct doca_dev;
struct doca_mmap;

/* Calls that fail with an errno until it is set to 0. */
enum level_error {
	LEVEL_LIST, /* listing devices */
	LEVEL_DRIVER, /* queries of the driver */
	LEVEL_MEMORY, /* pinning memory */
	LEVEL_RELEASE, /* releasing memory */
	LEVEL_EXPORT,
	LEVEL_IMPORT,
	LEVEL_QUEUE,
};

void level_fake_reset(bool workers);
void level_fake_work(unsigned int n); /* execute @n entries of each queue */
void level_fake_remove(void); /* remove the device */
void level_fake_fail_next(uint32_t status); /* fail the next entry */
void level_fake_error(enum level_error what, int err);
void level_fake_no_memcpy(bool cannot); /* the driver lacks the operation */
void level_fake_target(bool is); /* a target with VUID1, beside every device */
unsigned int level_fake_enters(void); /* number of calls of the driver */
unsigned int level_fake_queues(void); /* number of existing queues */
void level_fake_forks(int forks); /* behave as in the child of @forks forks */

/* Make an mmap of level 3.0, which uses a device. */
struct doca_mmap *level_3_mmap(struct doca_dev *dev);
doca_error_t level_3_mmap_start(struct doca_mmap *mmap);
void level_3_mmap_destroy(struct doca_mmap *mmap);

#endif /* DOCA_TESTS_LEVEL_FAKE_H */
