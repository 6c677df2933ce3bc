/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Shared by the tests: a DMA context on a device, memory, and counts of what its
 * callbacks saw. Programs use the public interface alone.
 */
#ifndef SELFTESTS_API_BED_H
#define SELFTESTS_API_BED_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "kselftest_harness.h"
#include "../lib/await.h"
#include "../lib/skip.h"
#include "pins.h"
#include "quiet_fork.h"

#define ASSERT_OK(call) ASSERT_EQ(DOCA_SUCCESS, call)
#define EXPECT_OK(call) EXPECT_EQ(DOCA_SUCCESS, call)
#define EXPECT_ERR(name, call) EXPECT_EQ(DOCA_ERROR_##name, call)

#ifndef BED_TASKS
#define BED_TASKS 64
#endif

struct bed {
	struct doca_dev *dev;
	struct doca_pe *pe;
	bool own_pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inv;

	unsigned int succeeded;
	unsigned int failed;
	doca_error_t status; /* status of the last failed task */
	unsigned int to_stopping;
	unsigned int to_idle;
	bool resubmit;
};

/* Only a device that is in no list is missing, so that a test may skip. */
static inline void bed_need(const char *what, doca_error_t rc)
{
	if (rc == DOCA_SUCCESS)
		return;
	printf("# %s: %s\n", what, doca_error_get_descr(rc));
	fflush(stdout);
	_exit(1);
}

/*
 * Open the device with this RDMA name, or any if NULL; NULL if there is none. If that cannot be told, or
 * the device cannot be opened, the process, or the test, ends here and has failed.
 */
static inline struct doca_dev *bed_open_dev(const char *name)
{
	char has[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t nr, i;

	bed_need("no list of devices", doca_devinfo_create_list(&list, &nr));
	for (i = 0; i < nr && !dev; i++) {
		if (name && (doca_devinfo_get_ibdev_name(list[i], has,
							 sizeof(has)) ||
			     strcmp(has, name)))
			continue;
		bed_need("no open device", doca_dev_open(list[i], &dev));
	}
	doca_devinfo_destroy_list(list);
	return dev;
}

static inline void bed_free_task(struct doca_dma_task_memcpy *task)
{
	struct doca_buf *src =
		(struct doca_buf *)doca_dma_task_memcpy_get_src(task);
	struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

	doca_task_free(doca_dma_task_memcpy_as_task(task));
	doca_buf_dec_refcount(src, NULL);
	doca_buf_dec_refcount(dst, NULL);
}

static inline void bed_done(struct doca_dma_task_memcpy *task,
			    union doca_data task_data,
			    union doca_data ctx_data)
{
	struct bed *bed = ctx_data.ptr;

	(void)task_data;
	bed->succeeded++;
	if (bed->resubmit) {
		doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task));
		if (!doca_task_submit(doca_dma_task_memcpy_as_task(task)))
			return;
	}
	bed_free_task(task);
}

static inline void bed_error(struct doca_dma_task_memcpy *task,
			     union doca_data task_data,
			     union doca_data ctx_data)
{
	struct bed *bed = ctx_data.ptr;

	(void)task_data;
	bed->failed++;
	bed->status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
	bed_free_task(task);
}

static inline void bed_state(const union doca_data user_data,
			     struct doca_ctx *ctx, enum doca_ctx_states prev,
			     enum doca_ctx_states next)
{
	struct bed *bed = user_data.ptr;

	(void)ctx;
	(void)prev;
	bed->to_stopping += next == DOCA_CTX_STATE_STOPPING;
	bed->to_idle += next == DOCA_CTX_STATE_IDLE;
}

/* Make a context, without starting it; with @pe NULL, on an engine of its own. */
static inline doca_error_t bed_create(struct bed *bed, struct doca_dev *dev,
				      struct doca_pe *pe)
{
	union doca_data data = { .ptr = bed };
	doca_error_t rc;

	memset(bed, 0, sizeof(*bed));
	bed->dev = dev;
	bed->pe = pe;
	bed->own_pe = !pe;
	if (bed->own_pe && (rc = doca_pe_create(&bed->pe)))
		return rc;
	if ((rc = doca_buf_inventory_create(4 * BED_TASKS, &bed->inv)) ||
	    (rc = doca_buf_inventory_start(bed->inv)) ||
	    (rc = doca_dma_create(dev, &bed->dma)))
		return rc;
	bed->ctx = doca_dma_as_ctx(bed->dma);
	if ((rc = doca_dma_task_memcpy_set_conf(bed->dma, bed_done, bed_error,
						BED_TASKS)) ||
	    (rc = doca_ctx_set_user_data(bed->ctx, data)) ||
	    (rc = doca_ctx_set_state_changed_cb(bed->ctx, bed_state)))
		return rc;
	return doca_pe_connect_ctx(bed->pe, bed->ctx);
}

static inline doca_error_t bed_destroy(struct bed *bed)
{
	doca_error_t rc;

	if ((rc = doca_dma_destroy(bed->dma)) ||
	    (rc = doca_buf_inventory_destroy(bed->inv)))
		return rc;
	return bed->own_pe ? doca_pe_destroy(bed->pe) : DOCA_SUCCESS;
}

/* No state, if there is no answer. */
static inline enum doca_ctx_states bed_ctx_state(struct doca_ctx *ctx)
{
	enum doca_ctx_states state = -1;

	doca_ctx_get_state(ctx, &state);
	return state;
}

static inline bool bed_is_idle(struct doca_ctx *ctx)
{
	return bed_ctx_state(ctx) == DOCA_CTX_STATE_IDLE;
}

static inline enum doca_ctx_states bed_state_of(struct bed *bed)
{
	return bed_ctx_state(bed->ctx);
}

static inline size_t bed_inflight(struct bed *bed)
{
	size_t nr;

	doca_ctx_get_num_inflight_tasks(bed->ctx, &nr);
	return nr;
}

static inline double bed_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/* Progress until a condition holds; false if it never does. */
#define BED_UNTIL(bed, condition) \
	AWAIT_BY(doca_pe_progress((bed)->pe), condition)

/* Make a started mmap of [addr, addr + len) for up to two devices. */
static inline doca_error_t bed_mmap(void *addr, size_t len, uint32_t access,
				    struct doca_dev *dev1,
				    struct doca_dev *dev2,
				    struct doca_mmap **mmap)
{
	doca_error_t rc;

	if ((rc = doca_mmap_create(mmap)) ||
	    (rc = doca_mmap_set_memrange(*mmap, addr, len)) ||
	    (rc = doca_mmap_set_permissions(*mmap, access)) ||
	    (dev1 && (rc = doca_mmap_add_dev(*mmap, dev1))) ||
	    (dev2 && (rc = doca_mmap_add_dev(*mmap, dev2))))
		return rc;
	return doca_mmap_start(*mmap);
}

/* Submit one copy; the callbacks free its buffers and task. */
static inline doca_error_t bed_copy(struct bed *bed, struct doca_mmap *src_mmap,
				    void *src, struct doca_mmap *dst_mmap,
				    void *dst, size_t len)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *from, *to;
	union doca_data data = {};
	doca_error_t rc;

	rc = doca_buf_inventory_buf_get_by_data(bed->inv, src_mmap, src, len,
						&from);
	if (rc)
		return rc;
	rc = doca_buf_inventory_buf_get_by_addr(bed->inv, dst_mmap, dst, len,
						&to);
	if (rc)
		goto err_from;
	rc = doca_dma_task_memcpy_alloc_init(bed->dma, from, to, data, &task);
	if (rc)
		goto err_to;
	rc = doca_task_submit(doca_dma_task_memcpy_as_task(task));
	if (!rc)
		return DOCA_SUCCESS;
	doca_task_free(doca_dma_task_memcpy_as_task(task));
err_to:
	doca_buf_dec_refcount(to, NULL);
err_from:
	doca_buf_dec_refcount(from, NULL);
	return rc;
}

/* Fill memory with words that are nowhere the same: data in a wrong place is noticed. */
static inline void bed_fill(char *mem, size_t len, unsigned int seed)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < len; i += sizeof(word)) {
		word = (i + 1 + ((uint64_t)seed << 32)) * 0x9e3779b97f4a7c15;
		word = (word ^ word >> 32) * 0xd6e8feb86659fd93;
		word ^= word >> 32;
		memcpy(mem + i, &word, len - i < sizeof(word) ? len - i : sizeof(word));
	}
}

/* Return true if the administrator permits workers; in process the environment does. */
static inline bool bed_workers(void)
{
	const char *workers = getenv("DOCA_WORKERS");
	char c = 'N';
	FILE *f;

	if (bed_in_process())
		return workers && !strcmp(workers, "1");
	f = fopen("/sys/module/doca/parameters/workers", "r");
	if (f) {
		c = fgetc(f);
		fclose(f);
	}
	return c == 'Y';
}

/* Run a command of the shell, and return its exit status. */
static inline int bed_shell(const char *command)
{
	int rc = system(command);

	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

/* Return a child's exit status, or 128 plus the signal's number. */
static inline int bed_wait(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

/* Run @fn in a child. */
static inline int bed_in_child(int (*fn)(void *), void *arg)
{
	pid_t pid = quiet_fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn(arg));
	}
	return bed_wait(pid);
}

#endif
