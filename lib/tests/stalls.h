/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Recorded stalls of workers that calls do not replace, with copies of 64 bytes, one in flight
 * unless said otherwise. Each table has 16 to 32 consecutive rows of one recording, in whole
 * microseconds, without its beginning. They were picked by hand as typical of the place, not
 * at random. A stall is a call to wake the worker, or 3 us or more of polling in vain.
 *
 * The guests have two emulated CPUs and run 6.1, on a host with two CPUs and other load. So a
 * quiet guest is as quiet as the host was at that moment. Times of tasks come from other runs
 * of half a second there, rounded: with a worker that never sleeps, and with calls only.
 */
#ifndef DOCA_TESTS_STALLS_H
#define DOCA_TESTS_STALLS_H

#include <stdbool.h>
#include <stdint.h>

struct stall {
	uint32_t after; /* entries taken at once before it */
	uint32_t call; /* us of a call to wake the worker; 0: it was awake */
	uint32_t wait; /* us of polling in vain */
};

struct place {
	const char *name;
	bool quiet; /* the worker is the cheaper way */
	uint32_t worker_ns; /* time of a task by the worker, between two stalls */
	uint32_t call_ns; /* time of a task by a call */
	uint32_t wake_ns; /* time of a call to a sleeping worker */
	uint32_t nr;
	const struct stall *stalls;
};

/* Program and worker wherever the scheduler puts them. */
static const struct stall quiet_guest[] = {
	{ 25, 0, 4 },	{ 1323, 0, 57 }, { 1, 0, 10 },	 { 5, 0, 4 },	  { 864, 0, 261 },
	{ 26, 0, 518 }, { 27, 0, 4 },	 { 941, 0, 66 }, { 1, 80, 3674 }, { 3, 0, 6 },
	{ 50, 0, 17 },	{ 1859, 0, 3 },	 { 159, 0, 53 }, { 1, 0, 4 },	  { 3, 0, 3 },
	{ 70, 0, 64 },	{ 1, 0, 309 },	 { 1, 0, 182 },	 { 1093, 0, 8 },  { 932, 0, 59 },
	{ 1, 0, 44 },	{ 1, 116, 905 }, { 1, 60, 91 },	 { 36, 0, 3 },	  { 27, 0, 3 },
	{ 146, 0, 47 }, { 579, 0, 3 },	 { 225, 0, 3 },	 { 222, 0, 545 }, { 1, 36, 2069 },
	{ 24, 0, 7 },	{ 7, 0, 3 },
};

/*
 * On the host, with the driver in the process, from between two stalls of a millisecond,
 * which occur once in 35,000 entries. With one task in flight calls are cheaper there,
 * because they are no system calls. With 32 they are not; the times of tasks are from that.
 */
static const struct stall quiet_native[] = {
	{ 4013, 0, 59 },  { 2216, 0, 40 },  { 1, 0, 8 },      { 3682, 0, 9 },  { 3074, 0, 79 },
	{ 1821, 21, 82 }, { 1640, 13, 51 }, { 1702, 12, 48 }, { 1138, 0, 21 }, { 1, 0, 25 },
	{ 505, 11, 35 },  { 249, 0, 49 },   { 1, 0, 7 },      { 183, 0, 64 },  { 589, 0, 16 },
	{ 408, 0, 41 },	  { 2, 13, 41 },    { 1681, 0, 44 },  { 2, 13, 38 },   { 144, 0, 3 },
	{ 136, 0, 44 },	  { 347, 0, 3 },
};

/* Both CPUs of the guest on one of the host. */
static const struct stall crowded[] = {
	{ 1, 37, 15436 }, { 1, 108, 3186 }, { 1, 41, 2522 }, { 1, 118, 8722 },
	{ 1, 70, 1244 },  { 1, 122, 4754 }, { 1, 27, 2805 }, { 1, 86, 3261 },
	{ 1, 33, 2969 },  { 1, 58, 6712 },  { 1, 57, 9276 }, { 1, 67, 10131 },
	{ 1, 57, 5153 },  { 1, 57, 5386 },  { 1, 62, 4324 }, { 1, 128, 7323 },
};

/* Like crowded, with 32 tasks in flight. */
static const struct stall crowded_many[] = {
	{ 32, 95, 3247 }, { 32, 387, 0 }, { 5, 94, 3111 }, { 32, 847, 0 }, { 1, 95, 0 },
	{ 1, 76, 0 },	  { 1, 73, 0 },	  { 1, 71, 0 },	   { 1, 71, 0 },   { 1, 536, 0 },
	{ 1, 144, 0 },	  { 1, 78, 0 },	  { 1, 72, 0 },	   { 1, 70, 0 },   { 1, 71, 0 },
	{ 1, 71, 0 },	  { 1, 96, 0 },	  { 1, 85, 0 },	   { 1, 71, 0 },   { 1, 71, 0 },
	{ 1, 75, 0 },	  { 1, 73, 0 },	  { 1, 85, 761 },  { 32, 82, 0 },
};

/* Program and worker on one CPU of the guest. */
static const struct stall one_cpu[] = {
	{ 1, 41, 0 }, { 1, 69, 0 }, { 1, 39, 0 }, { 1, 46, 0 },	 { 1, 46, 0 },
	{ 1, 50, 0 }, { 1, 54, 0 }, { 1, 50, 0 }, { 1, 43, 0 },	 { 1, 54, 0 },
	{ 1, 50, 0 }, { 1, 46, 0 }, { 1, 48, 0 }, { 1, 100, 0 }, { 1, 69, 0 },
	{ 1, 51, 0 }, { 1, 44, 0 }, { 1, 42, 0 }, { 1, 54, 0 },	 { 1, 53, 0 },
};

/* In a control group with 50 ms of 100 for both. */
static const struct stall half_a_cpu[] = {
	{ 1, 75, 0 },	  { 1, 74, 0 },	   { 1, 75, 0 },  { 1, 10, 2796 }, { 1, 1778, 0 },
	{ 1, 30, 16 },	  { 1, 56, 5000 }, { 1, 698, 0 }, { 1, 536, 0 },   { 1, 900, 0 },
	{ 1, 112, 0 },	  { 1, 86, 0 },	   { 1, 82, 0 },  { 1, 80, 0 },	   { 1, 219, 0 },
	{ 1, 88, 0 },	  { 1, 261, 0 },   { 1, 93, 0 },  { 1, 79, 0 },	   { 1, 77, 0 },
	{ 1, 80, 0 },	  { 1, 10, 1359 }, { 1, 919, 0 }, { 1, 16, 3312 }, { 1, 251, 0 },
	{ 1, 255, 0 },	  { 1, 93, 0 },	   { 1, 83, 0 },  { 1, 161, 0 },   { 1, 99, 0 },
	{ 1, 472, 2158 }, { 1, 540, 0 },
};

#define STALLS(name) sizeof(name) / sizeof(*(name)), name

static const struct place places[] = {
	{ "quiet guest", true, 2000, 6200, 50000, STALLS(quiet_guest) },
	{ "quiet native", true, 134, 200, 13000, STALLS(quiet_native) },
	{ "crowded", false, 2000, 4100, 60000, STALLS(crowded) },
	{ "crowded, 32", false, 800, 4600, 70000, STALLS(crowded_many) },
	{ "one CPU", false, 1000, 16400, 50000, STALLS(one_cpu) },
	{ "half a CPU", false, 2000, 14000, 80000, STALLS(half_a_cpu) },
};

#endif
