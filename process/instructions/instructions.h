/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Common code of the programs for callgrind: copies of 64 bytes, submitted in batches.
 * The engine is not progressed before a batch is complete, so that no waiting is
 * counted. Each program has its own level, and includes its headers first.
 */
#ifndef NATIVE_INSTRUCTIONS_H
#define NATIVE_INSTRUCTIONS_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_BATCH 64
#define SIZE 64

static char mem[2][MAX_BATCH][SIZE];

static void check(doca_error_t error, const char *what)
{
	if (error == DOCA_SUCCESS)
		return;
	fprintf(stderr, "instructions: %s: %s\n", what,
		doca_error_get_descr(error));
	exit(EXIT_FAILURE);
}

#define OK(call) check(call, #call)

/* Each program defines these, for batches of this size. */
static void set_up(unsigned int batch);
static void submit_one(unsigned int i, unsigned int batch);
static void complete_one(void);

/* Wait until the last copy is done, and its completion is certainly there. */
static void await(unsigned int batch, char token)
{
	int i;

	while (__atomic_load_n(&mem[1][batch - 1][SIZE - 1],
			       __ATOMIC_ACQUIRE) != token)
		sched_yield();
	for (i = 0; i < 2; i++)
		sched_yield();
}

static void run(unsigned int batch, char token)
{
	unsigned int i;

	mem[0][batch - 1][SIZE - 1] = token;
	for (i = 0; i < batch; i++)
		submit_one(i, batch);
	await(batch, token);
	for (i = 0; i < batch; i++)
		complete_one();
}

int main(int argc, char **argv)
{
	unsigned int nr, batch, i;

	if (argc != 3)
		return EXIT_FAILURE;
	nr = atoi(argv[1]);
	batch = atoi(argv[2]);
	if (!batch || batch > MAX_BATCH)
		return EXIT_FAILURE;
	/* A sleeping worker would have to be woken by a call. */
	setenv("DOCA_IDLE_US", "never", 1);
	set_up(batch);
	for (i = 0; i < nr / batch; i++)
		run(batch, i % 100 + 1);
	return EXIT_SUCCESS;
}

#endif /* NATIVE_INSTRUCTIONS_H */
