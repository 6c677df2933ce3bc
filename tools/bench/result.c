// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"
#include "result.h"

const char *const ref_names[NR_REFS] = {
	[REF_LOOP] = "yardstick",    [REF_MEMCPY] = "memcpy",
	[REF_LIMIT] = "limit",	     [REF_RINGS] = "rings",
	[REF_URING] = "io_uring",    [REF_DPDK] = "dma_skeleton",
	[REF_EVENTFD] = "eventfd",   [REF_POLLED] = "polled",
	[REF_VERBS] = "ibv_reg_mr",  [REF_MODULE] = "module",
	[REF_READV] = "vm_readv",    [REF_RECVMSG] = "recvmsg",
	[REF_RECVMMSG] = "recvmmsg", [REF_XSK] = "xsk",
	[REF_SENDMMSG] = "sendmmsg", [REF_PACKET] = "packet",
	[REF_FIRST] = "first",
};

void results_fact(struct results *results, const char *name, const char *format,
		  ...)
{
	struct fact *fact = &results->facts[results->nr_facts];
	va_list ap;

	if (results->nr_facts == MAX_FACTS)
		return;
	results->nr_facts++;
	snprintf(fact->name, sizeof(fact->name), "%s", name);
	va_start(ap, format);
	vsnprintf(fact->value, sizeof(fact->value), format, ap);
	va_end(ap);
}

int results_row(struct results *results, const struct row *row)
{
	struct row *rows;

	rows = realloc(results->rows,
		       (results->nr_rows + 1) * sizeof(*results->rows));
	if (!rows)
		return fail_errno(ENOMEM, "cannot keep the results");
	rows[results->nr_rows++] = *row;
	results->rows = rows;
	return 0;
}

void results_free(struct results *results)
{
	free(results->rows);
}
