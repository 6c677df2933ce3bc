/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A protection domain of the driver, made without the library, which allows one
 * a process. Its memory is the whole area, mapped once or many times.
 */
#ifndef BENCH_DOMAIN_H
#define BENCH_DOMAIN_H

#include <stddef.h>
#include <stdint.h>

#include "area.h"
#include "core/driver/ring.h"
#include "cpu.h"

struct domain_conf {
	const struct area *area;
	const struct cpus *cpus;
	uint32_t device_id;
	uint32_t idle_us;
	uint32_t mappings;
};

struct domain {
	int fd;
	uint32_t device_id;
	uint32_t worker_id; /* 0: workers are switched off */
	uint32_t nr_keys;
	uint32_t *keys; /* each maps the whole area */
};

struct queue {
	struct ring ring;
	int fd;
	size_t user_size;
	size_t kernel_size;
};

int domain_open(struct domain *domain, const struct domain_conf *conf);
void domain_close(struct domain *domain);

/* If worker_id is 0, queue_enter() executes. */
int queue_open(struct queue *queue, const struct domain *domain,
	       uint32_t worker_id, unsigned int depth);
void queue_close(struct queue *queue);

/* Returns 0, or -1 and errno; prints nothing, because it is measured. */
int queue_enter(const struct queue *queue);

#endif /* BENCH_DOMAIN_H */
