/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The language of the fuzzer. An input is a list of steps of 16 bytes: a call and its
 * arguments. Any bytes are a program, so inputs can be cut, joined and changed anywhere,
 * and each step means the same in any place. Later steps name what a step has made, such
 * as an id, by how long ago it was made.
 */
#ifndef FUZZ_LANGUAGE_H
#define FUZZ_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/doca.h>

#define STEPS_MAX 48
#define RECENT 8 /* objects of a kind that are remembered */
#define TASKS 8 /* tasks of one run whose code coverage is recorded */

/* Zero is the call that does nothing, and the plainest argument of every other call. */
struct step {
	uint8_t call;
	uint8_t arg[15];
};

/* The argument that makes an ioctl itself wrong */
#define TWIST 14

/* The objects of a kind that were made last. */
struct recent {
	uint32_t made;
	uint32_t value[RECENT];
};

/*
 * A queue whose areas were mapped, and may not be any more. It has no lock: threads may
 * use what another one replaces.
 */
struct ring {
	int fd;
	struct doca_queue_create geo;
	char *user;
	char *kernel;
	uint32_t tail; /* entries correctly announced */
	uint32_t head; /* completions seen */
	uint32_t ev_head; /* events seen */
};

/* Data that the processes of one run share with each other and with their parent. */
struct common {
	struct recent devices;
	struct doca_blob blobs[RECENT];
	uint32_t nr_blobs;
	uint32_t nr_tasks;
	uint32_t unplugs; /* number that is still allowed */
	bool unplugged; /* a device was unplugged */
	int sockets[2]; /* between all processes */
	int family; /* netlink family */
	uint32_t function, pair[2]; /* a DPU's device, and a host's */
};

/* Objects that a process has made. Its threads race for them, on purpose. */
struct process {
	struct recent files;
	struct recent mems;
	struct recent keys;
	struct recent exports;
	struct recent workers;
	struct recent dmabufs;
	struct ring rings[RECENT];
	uint32_t nr_rings;
	uint32_t fail_nth; /* for the next ioctl */
	bool over; /* threads that repeat their steps shall end */
};

extern struct common *common;
extern struct process self;

/* Memory that programs register and take away, at the same address in each run. */
#define ARENA ((char *)0x100000000000UL)
#define ARENA_PAGES 240UL
#define PAGE_BYTES 4096UL

/* Turn bytes of a step into a value: mostly sensible, sometimes nearly, or wild. */
uint64_t take_number(uint8_t byte);
uint64_t take_length(uint8_t byte);
char *take_address(const uint8_t *two);
uint32_t take_recent(const struct recent *things, uint8_t byte);
/* Add the queue of a call, unless its areas cannot be mapped. */
void add_ring(const struct doca_queue_create *geo);
/* Write an entry, with its phase or @unannounced. */
void add_entry(struct ring *ring, const struct doca_sqe *sqe, bool unannounced);
struct ring *take_ring(uint8_t byte); /* never NULL; its fd may be -1 */

void recent_add(struct recent *things, uint32_t value);

/*
 * The only way to call the driver. @twist makes the call wrong: 0 not, else a byte of the
 * argument or its address. Return what ioctl() did.
 */
int call_driver(int fd, unsigned long cmd, void *arg, size_t size, uint8_t twist);

/* Run a program in this process; it may end the process in any way. */
void program_run(const struct step *steps, unsigned int n);

/* Calls have numbers below this; a larger number means its remainder. */
extern const unsigned int nr_calls;
const char *step_name(const struct step *step);

/* Called when a task begins, to record the code that it runs. */
extern void (*on_task)(unsigned int number);

#endif /* FUZZ_LANGUAGE_H */
