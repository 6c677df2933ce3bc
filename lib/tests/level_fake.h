/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The fake driver, for tests of the levels 1.3 and 1.5: what they may do with it. It
 * is in a file of its own, for its headers are those of level 3.0. It has two devices.
 */
#ifndef DOCA_TESTS_LEVEL_FAKE_H
#define DOCA_TESTS_LEVEL_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

struct doca_dev;
struct doca_mmap;

/* What fails until it is set to 0, with an errno. */
enum level_error {
	LEVEL_LIST, /* of the devices */
	LEVEL_DRIVER, /* a question to the driver */
	LEVEL_MEMORY, /* that is to be pinned */
	LEVEL_RELEASE, /* of memory */
	LEVEL_EXPORT,
	LEVEL_IMPORT,
	LEVEL_QUEUE,
};

void level_fake_reset(bool workers);
void level_fake_work(unsigned int n); /* entries of each queue */
void level_fake_remove(void); /* the device */
void level_fake_fail_next(uint32_t status); /* the next entry */
void level_fake_error(enum level_error what, int err);
void level_fake_no_memcpy(bool cannot); /* the driver knows no such operation */
void level_fake_target(bool is); /* that is beside every device, with VUID1 */
unsigned int level_fake_enters(void); /* calls of the driver so far */
unsigned int level_fake_queues(void); /* that exist */
void level_fake_forks(int forks); /* as the child of so many forks */

/* A memory map of level 3.0, which uses a device. */
struct doca_mmap *level_3_mmap(struct doca_dev *dev);
doca_error_t level_3_mmap_start(struct doca_mmap *mmap);
void level_3_mmap_destroy(struct doca_mmap *mmap);

#endif /* DOCA_TESTS_LEVEL_FAKE_H */
