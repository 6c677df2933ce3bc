// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "../uapi/doca_uapi.h"
#include "mutate.h"

static uint32_t below(uint32_t *seed, uint32_t n)
{
	return (prng(seed) >> 8) % n;
}

/* Choose mostly plain bytes, see struct step. */
static uint8_t byte(uint32_t *seed)
{
	switch (below(seed, 8)) {
	case 0:
	case 1:
	case 2:
	case 3:
		return 0;
	case 4:
	case 5:
		return below(seed, 8);
	default:
		return below(seed, 256);
	}
}

static void make_step(struct step *step, uint32_t *seed)
{
	unsigned int i;

	step->call = below(seed, nr_calls);
	for (i = 0; i < sizeof(step->arg); i++)
		step->arg[i] = byte(seed);
	/* Wrong ioctls as such are seldom of interest. */
	if (below(seed, 8))
		step->arg[TWIST] = 0;
}

static void insert(struct input *input, unsigned int at, const struct step *steps,
		   unsigned int n)
{
	if (n > STEPS_MAX - input->n)
		n = STEPS_MAX - input->n;
	memmove(&input->steps[at + n], &input->steps[at],
		(input->n - at) * sizeof(*steps));
	memcpy(&input->steps[at], steps, n * sizeof(*steps));
	input->n += n;
}

static void cut(struct input *input, unsigned int at, unsigned int n)
{
	if (n > input->n - at)
		n = input->n - at;
	memmove(&input->steps[at], &input->steps[at + n],
		(input->n - at - n) * sizeof(struct step));
	input->n -= n;
}

static void insert_new(struct input *input, uint32_t *seed)
{
	struct step step;

	make_step(&step, seed);
	insert(input, below(seed, input->n + 1), &step, 1);
}

/* Insert a part of another input, or of this one. */
static void insert_part(struct input *input, const struct corpus *corpus,
			uint32_t *seed)
{
	struct input other = corpus->inputs[below(seed, corpus->n)];
	unsigned int from;

	if (!other.n)
		return;
	from = below(seed, other.n);
	insert(input, below(seed, input->n + 1), &other.steps[from],
	       1 + below(seed, other.n - from));
}

static void swap(struct input *input, uint32_t *seed)
{
	struct step *a = &input->steps[below(seed, input->n)];
	struct step *b = &input->steps[below(seed, input->n)], was = *a;

	*a = *b;
	*b = was;
}

static void change(struct input *input, uint32_t *seed)
{
	struct step *step = &input->steps[below(seed, input->n)];
	uint8_t *arg = &step->arg[below(seed, sizeof(step->arg))];

	switch (below(seed, 4)) {
	case 0:
		*arg = below(seed, 256);
		break;
	case 1:
		*arg += below(seed, 2) ? 1 : -1;
		break;
	case 2:
		*arg ^= 1U << below(seed, 8);
		break;
	case 3:
		*arg = byte(seed);
		break;
	}
}

static void mutate_once(struct input *input, const struct corpus *corpus,
			uint32_t *seed)
{
	uint32_t way = below(seed, 16);

	if (way < 4 || !input->n)
		insert_new(input, seed);
	else if (way < 6)
		insert_part(input, corpus, seed);
	else if (way < 8)
		cut(input, below(seed, input->n), 1 + below(seed, 2));
	else if (way < 9)
		swap(input, seed);
	else
		change(input, seed);
}

void mutate(struct input *input, const struct corpus *corpus, uint32_t *seed)
{
	unsigned int n = 1 + below(seed, 5);

	/* The newest inputs have been tried least. */
	if (!corpus->n || !below(seed, 64))
		input->n = 0;
	else if (below(seed, 4) || corpus->n < 16)
		*input = corpus->inputs[below(seed, corpus->n)];
	else
		*input = corpus->inputs[corpus->n - 1 - below(seed, 16)];
	do
		mutate_once(input, corpus, seed);
	while (--n);
}
