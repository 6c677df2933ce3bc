/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory, files and a context of a program that computes; any failure ends it.
 */
#ifndef COMPUTE_SIDES_H
#define COMPUTE_SIDES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_buf_inventory *inventory;
static struct doca_ctx *ctx;
static bool stopped;
static unsigned int in_flight;

#define MUST(call)                                                             \
  do {                                                                         \
    doca_error_t ret_ = call;                                                  \
                                                                               \
    if (ret_ != DOCA_SUCCESS) {                                                \
      fprintf(stderr, "%s: %s\n", #call, doca_error_get_descr(ret_));          \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void expect(bool is_right, const char *what) {
  if (is_right)
    return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Memory that the device reaches. */
struct side {
  uint8_t *at;
  size_t size;
  struct doca_mmap *mmap;
  struct doca_buf *buf; /* all of it */
};

static void side_open(struct side *side, size_t size, uint32_t access) {
  side->size = size;
  side->at = calloc(1, size);
  expect(side->at, "out of memory");
  MUST(doca_mmap_create(&side->mmap));
  MUST(doca_mmap_add_dev(side->mmap, dev));
  MUST(doca_mmap_set_permissions(side->mmap, access));
  MUST(doca_mmap_set_memrange(side->mmap, side->at, size));
  MUST(doca_mmap_start(side->mmap));
  MUST(doca_buf_inventory_buf_get_by_addr(inventory, side->mmap, side->at, size,
                                          &side->buf));
}

static void side_close(struct side *side) {
  MUST(doca_buf_dec_refcount(side->buf, NULL));
  MUST(doca_mmap_destroy(side->mmap));
  free(side->at);
}

static size_t length_of(const struct side *side) {
  size_t length;

  MUST(doca_buf_get_data_len(side->buf, &length));
  return length;
}

static size_t read_file(const char *path, uint8_t *to, size_t size) {
  FILE *f = fopen(path, "r");
  size_t length;

  if (!f) {
    perror(path);
    exit(1);
  }
  length = fread(to, 1, size, f);
  expect(!ferror(f) && feof(f), "the file is too long");
  fclose(f);
  return length;
}

static void write_file(const char *path, const uint8_t *data, size_t length) {
  FILE *f = fopen(path, "w");

  if (!f) {
    perror(path);
    exit(1);
  }
  expect(fwrite(data, 1, length, f) == length && !fclose(f),
         "the output cannot be written");
}

static void on_state(const union doca_data user_data, struct doca_ctx *of,
                     enum doca_ctx_states before, enum doca_ctx_states now) {
  (void)user_data, (void)of, (void)before;
  stopped = now == DOCA_CTX_STATE_IDLE;
}

static void start(struct doca_ctx *of) {
  ctx = of;
  MUST(doca_ctx_set_state_changed_cb(ctx, on_state));
  MUST(doca_pe_connect_ctx(pe, ctx));
  MUST(doca_ctx_start(ctx));
}

static void stop(void) {
  doca_error_t ret = doca_ctx_stop(ctx);

  expect(ret == DOCA_SUCCESS || ret == DOCA_ERROR_IN_PROGRESS,
         "the context does not stop");
  while (!stopped)
    doca_pe_progress(pe);
}

static void run(struct doca_task *task) {
  in_flight++;
  MUST(doca_task_submit(task));
  while (in_flight)
    doca_pe_progress(pe);
  MUST(doca_task_get_status(task));
}

#endif
