// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * replay [FILE...]: run inputs of the fuzzer, once each: those of its corpus, or those
 * that are named, whose steps are printed. They must leave nothing, and must end; the
 * runner checks the kernel's messages.
 */
#include <stdio.h>
#include <string.h>

#include "corpus.h"
#include "kselftest.h"
#include "sandbox.h"
#include "watch.h"

static void print(const struct input *input)
{
	unsigned int i, j;

	for (i = 0; i < input->n; i++) {
		printf("# %-14s", step_name(&input->steps[i]));
		for (j = 0; j < sizeof(input->steps[i].arg); j++)
			printf(" %02x", input->steps[i].arg[j]);
		printf("\n");
	}
}

static void test(const struct input *input, const char *name)
{
	enum outcome outcome = sandbox_run(input->steps, input->n, true);

	if (outcome == OUTCOME_ENDED)
		ksft_test_result_pass("%s\n", name);
	else
		ksft_test_result_fail("%s: %s\n", name,
				      outcome == OUTCOME_KILLED ? "out of time" :
								  "cannot be killed");
}

static void test_remains(void)
{
	const char *remains = watch_remains();

	if (remains)
		ksft_test_result_fail("%s\n", remains);
	else
		ksft_test_result_pass("nothing remains\n");
}

int main(int argc, char **argv)
{
	struct corpus corpus = {};
	struct input input;
	unsigned int i;

	ksft_print_header();
	for (i = 1; i < argc; i++)
		if (!input_read(&input, argv[i])) {
			corpus_add(&corpus, &input);
			print(&input);
		}
	if (argc == 1)
		corpus_load(&corpus, CORPUS);
	if (sandbox_init() || watch_init(COMPLAINTS))
		ksft_exit_skip("the driver is not there\n");
	ksft_set_plan(corpus.n + 1);
	for (i = 0; i < corpus.n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "input %u", i);
		test(&corpus.inputs[i], name);
	}
	test_remains();
	ksft_finished();
}
