// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "hist.h"

/* Return the largest value of a bin. */
static uint64_t bin_end(unsigned int bin)
{
	unsigned int shift;

	if (bin < 2 * HIST_STEPS)
		return bin;
	shift = bin / HIST_STEPS - 1;
	return ((bin % HIST_STEPS + HIST_STEPS + 1ULL) << shift) - 1;
}

uint64_t hist_quantile(const struct hist *hist, double part)
{
	uint64_t wanted = part * hist->nr;
	uint64_t seen = 0;
	unsigned int bin;

	for (bin = 0; bin < HIST_BINS; bin++) {
		seen += hist->bins[bin];
		if (seen > wanted)
			break;
	}
	/* A bin may reach beyond the largest value that was seen. */
	if (bin == HIST_BINS || bin_end(bin) > hist->max)
		return hist->max;
	return bin_end(bin);
}

double hist_mean(const struct hist *hist)
{
	return hist->nr ? (double)hist->sum / hist->nr : 0;
}
