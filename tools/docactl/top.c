// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The activity of queues: two readings of their counters, and the time between. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "msg.h"
#include "table.h"

/* All queues and workers at one time */
struct look {
	struct records queues;
	struct records workers;
	double time; /* seconds */
};

struct rate {
	const struct record *queue;
	double ops;
	double bytes;
	double errors;
	bool has_worker;
	double working; /* share of the time */
	double polling;
};

struct rates {
	struct rate *all;
	size_t n;
	double interval;
	double ops;
	double bytes;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int take_look(struct family *family, struct look *look)
{
	look->time = now();
	if (family_list(family, kind_queue.cmd, &look->queues))
		return -1;
	return family_list(family, kind_worker.cmd, &look->workers);
}

static void look_free(struct look *look)
{
	records_free(&look->queues);
	records_free(&look->workers);
}

/* Compare as the listing does, by ids */
static int compare(const struct record *a, const struct record *b, int attr)
{
	uint64_t x = record_value(a, DOCA_GENL_A_FILE_ID);
	uint64_t y = record_value(b, DOCA_GENL_A_FILE_ID);

	if (x == y) {
		x = record_value(a, attr);
		y = record_value(b, attr);
	}
	return (x > y) - (x < y);
}

static int compare_queues(const void *a, const void *b)
{
	return compare(a, b, DOCA_GENL_A_QUEUE_ID);
}

static int compare_workers(const void *a, const void *b)
{
	return compare(a, b, DOCA_GENL_A_WORKER_ID);
}

static const struct record *find(const struct records *in,
				 const struct record *like,
				 int (*cmp)(const void *a, const void *b))
{
	if (!in->n)
		return NULL;
	return bsearch(like, in->all, in->n, sizeof(*in->all), cmp);
}

/* A counter that was not there before began at 0. */
static double change(const struct record *is, const struct record *was,
		     int attr)
{
	uint64_t before = was ? record_value(was, attr) : 0;
	uint64_t after = record_value(is, attr);

	/* The number may belong to a new queue by now. */
	return after >= before ? after - before : after;
}

static void rate_worker(struct rate *rate, const struct look *was,
			const struct look *is)
{
	const struct record *worker, *before;
	double ns = (is->time - was->time) * 1e9;

	if (!rate->queue->attrs[DOCA_GENL_A_WORKER_ID])
		return;
	worker = find(&is->workers, rate->queue, compare_workers);
	if (!worker)
		return;
	before = find(&was->workers, worker, compare_workers);
	rate->has_worker = true;
	rate->working = change(worker, before, DOCA_GENL_A_WORKING_NS) / ns;
	rate->polling = change(worker, before, DOCA_GENL_A_POLLING_NS) / ns;
}

static int by_ops(const void *a, const void *b)
{
	const struct rate *x = a, *y = b;

	if (x->ops != y->ops)
		return x->ops < y->ops ? 1 : -1;
	return compare_queues(x->queue, y->queue);
}

static int get_rates(struct rates *rates, const struct look *was,
		     const struct look *is, const struct filter *filter)
{
	size_t i;

	*rates = (struct rates){ .interval = is->time - was->time };
	rates->all = calloc(is->queues.n + 1, sizeof(*rates->all));
	if (!rates->all)
		return fail("out of memory");
	for (i = 0; i < is->queues.n; i++) {
		const struct record *queue = &is->queues.all[i];
		const struct record *before =
			find(&was->queues, queue, compare_queues);
		struct rate *rate = &rates->all[rates->n];
		double s = rates->interval;

		if (!filter_passes(filter, queue))
			continue;
		rates->n++;
		rate->queue = queue;
		rate->ops = change(queue, before, DOCA_GENL_A_OPS) / s;
		rate->bytes = change(queue, before, DOCA_GENL_A_BYTES) / s;
		rate->errors = change(queue, before, DOCA_GENL_A_ERRORS) / s;
		rate_worker(rate, was, is);
		rates->ops += rate->ops;
		rates->bytes += rate->bytes;
	}
	qsort(rates->all, rates->n, sizeof(*rates->all), by_ops);
	return 0;
}

static const struct field shown[] = {
	{ "file", "FILE", DOCA_GENL_A_FILE_ID, FIELD_NUMBER },
	{ "queue", "QUEUE", DOCA_GENL_A_QUEUE_ID, FIELD_NUMBER },
	{ "device", "DEVICE", DOCA_GENL_A_DEV_NAME, FIELD_NAME },
	{ "state", "STATE", DOCA_GENL_A_QUEUE_STATE, FIELD_QUEUE_STATE },
	{ "pending", "PENDING", DOCA_GENL_A_SQ_TAIL, FIELD_PENDING },
	{ "worker", "WORKER", DOCA_GENL_A_WORKER_ID, FIELD_NUMBER },
	{ "pid", "PID", DOCA_GENL_A_PID, FIELD_NUMBER },
	{ "comm", "COMMAND", DOCA_GENL_A_COMM, FIELD_NAME },
	{ NULL, NULL, 0, 0 },
};
#define NR_SHOWN (sizeof(shown) / sizeof(shown[0]) - 1)

static const char *const rate_titles[] = { "OPS/S", "BYTES/S", "ERRORS/S",
					   "WORK%", "POLL%" };
#define NR_RATES (sizeof(rate_titles) / sizeof(rate_titles[0]))

static void share_cell(struct table *table, bool there, double share)
{
	char text[32];

	snprintf(text, sizeof(text), "%.0f", share * 100);
	table_cell(table, there ? text : "-");
}

static void add_rate(struct table *table, const struct rate *rate)
{
	char text[FIELD_TEXT_MAX];
	size_t i;

	snprintf(text, sizeof(text), "%.0f", rate->ops);
	table_cell(table, text);
	size_text(rate->bytes, text, sizeof(text));
	table_cell(table, text);
	snprintf(text, sizeof(text), "%.0f", rate->errors);
	table_cell(table, text);
	share_cell(table, rate->has_worker, rate->working);
	share_cell(table, rate->has_worker, rate->polling);
	for (i = 0; i < NR_SHOWN; i++) {
		field_text(&shown[i], rate->queue, text);
		table_cell(table, text);
	}
}

static int print_rates(const struct rates *rates)
{
	struct table table;
	char bytes[32];
	size_t i;

	if (table_init(&table, NR_SHOWN + NR_RATES))
		return -1;
	for (i = 0; i < NR_RATES; i++)
		table_title(&table, rate_titles[i], true);
	for (i = 0; i < NR_SHOWN; i++)
		table_title(&table, shown[i].title, field_is_number(&shown[i]));
	for (i = 0; i < rates->n; i++)
		add_rate(&table, &rates->all[i]);

	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[J", stdout);
	size_text(rates->bytes, bytes, sizeof(bytes));
	printf("%zu queues: %.0f operations/s, %s bytes/s, over %.1f s\n",
	       rates->n, rates->ops, bytes, rates->interval);
	return table_print(&table);
}

/* Show one digit behind the point: more would be noise. */
static json_object *tenths(double value)
{
	char text[64];

	snprintf(text, sizeof(text), "%.1f", value);
	return json_object_new_double_s(round(value * 10) / 10, text);
}

static json_object *rate_json(const struct rate *rate)
{
	json_object *object = fields_json(shown, rate->queue);

	json_object_object_add(object, "ops_per_s", tenths(rate->ops));
	json_object_object_add(object, "bytes_per_s", tenths(rate->bytes));
	json_object_object_add(object, "errors_per_s", tenths(rate->errors));
	if (rate->has_worker) {
		json_object_object_add(object, "working_percent",
				       tenths(rate->working * 100));
		json_object_object_add(object, "polling_percent",
				       tenths(rate->polling * 100));
	}
	return object;
}

static int print_rates_json(const struct rates *rates)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < rates->n; i++)
		json_object_array_add(array, rate_json(&rates->all[i]));
	json_object_object_add(object, "interval_s", tenths(rates->interval));
	json_object_object_add(object, "ops_per_s", tenths(rates->ops));
	json_object_object_add(object, "bytes_per_s", tenths(rates->bytes));
	json_object_object_add(object, "queues", array);
	return json_print_line(object);
}

static int show_rates(const struct look *was, const struct look *is,
		      const struct options *opts)
{
	struct rates rates;
	int ret;

	if (get_rates(&rates, was, is, &opts->filter))
		return -1;
	ret = opts->json ? print_rates_json(&rates) : print_rates(&rates);
	free(rates.all);
	if (fflush(stdout))
		ret = -1;
	return ret;
}

static void wait_for(double seconds)
{
	struct timespec ts = { .tv_sec = seconds };

	ts.tv_nsec = (seconds - ts.tv_sec) * 1e9;
	nanosleep(&ts, NULL);
}

int command_top(struct family *family, const struct options *opts)
{
	struct look was = { 0 }, is = { 0 };
	unsigned long shows;
	int ret;

	ret = take_look(family, &was);
	if (!ret)
		ret = check_device(family, &was.queues, opts->filter.dev);
	for (shows = 0; !ret && (!opts->count || shows < opts->count);
	     shows++) {
		wait_for(opts->delay);
		ret = take_look(family, &is);
		if (!ret)
			ret = show_rates(&was, &is, opts);
		look_free(&was);
		was = is;
		is = (struct look){ 0 };
	}
	look_free(&was);
	return ret;
}
