// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A chart as SVG: throughput and latency over the size of copies. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "file.h"
#include "text.h"

#define WIDTH 1080
#define HEIGHT 460
#define PANEL_WIDTH 370 /* one of two panels */
#define WIDE_PANEL 820
#define PANEL_HEIGHT 320
#define PANEL_TOP 50
#define LEGEND_LEFT 940
#define MAX_SERIES 10

typedef double (*value_fn)(const struct row *row);

/* A logarithmic scale from the least to the greatest value. */
struct axis {
	double least;
	double greatest;
	double from; /* pixels */
	double to;
};

struct panel {
	const char *title;
	double left;
	double width;
	unsigned int depth;
	struct axis x;
	struct axis y;
	struct text (*text)(double value); /* labels of the y axis */
};

struct chart {
	FILE *f;
	const struct results *results;
	const char *series[MAX_SERIES]; /* names of ways */
	unsigned int nr_series;
};

/* Colours that everybody can tell apart. */
static const char *const colours[MAX_SERIES] = {
	"#999999", "#555555", "#000000", "#0072b2", "#d55e00",
	"#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255",
};

static double throughput(const struct row *row)
{
	return row->rate * row->load.size;
}

static double mean(const struct row *row)
{
	return row->times.mean;
}

static double p50(const struct row *row)
{
	return row->times.p50;
}

static double p99(const struct row *row)
{
	return row->times.p99;
}

static double place(const struct axis *axis, double value)
{
	double part =
		log(value / axis->least) / log(axis->greatest / axis->least);

	return axis->from + part * (axis->to - axis->from);
}

static void widen(struct axis *axis, double value)
{
	if (!axis->least || value < axis->least)
		axis->least = value;
	if (value > axis->greatest)
		axis->greatest = value;
}

static bool is_in(const struct panel *panel, const struct row *row)
{
	return row->load.size && row->load.depth == panel->depth;
}

static void print_escaped(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s == '&')
			fputs("&amp;", f);
		else if (*s == '<')
			fputs("&lt;", f);
		else if ((unsigned char)*s >= ' ')
			putc(*s, f);
	}
}

static void print_text(FILE *f, double x, double y, const char *style,
		       const char *s)
{
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
	print_escaped(f, s);
	fputs("</text>\n", f);
}

static void print_line(FILE *f, double x1, double y1, double x2, double y2)
{
	fprintf(f,
		"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
		x1, y1, x2, y2);
}

/* Remove zeros at the end of a fraction. */
static const char *shortened(struct text *text)
{
	char *s = text->s;
	char *point = strchr(s, '.');
	char *rest;

	rest = point ? point + 1 + strspn(point + 1, "0") : NULL;
	if (rest && *rest == ' ')
		memmove(point, rest, strlen(rest) + 1);
	return s;
}

static void print_axes(FILE *f, const struct panel *panel)
{
	const struct axis *x = &panel->x, *y = &panel->y;
	struct text text;
	double value;

	for (value = y->least; value <= y->greatest * 1.01; value *= 10) {
		print_line(f, x->from, place(y, value), x->to, place(y, value));
		text = panel->text(value);
		print_text(f, x->from - 6, place(y, value) + 4,
			   "text-anchor=\"end\"", shortened(&text));
	}
	for (value = x->least; value <= x->greatest * 1.01; value *= 4) {
		print_line(f, place(x, value), y->from, place(x, value), y->to);
		text = size_text(value + 0.5);
		fprintf(f, "<g transform=\"translate(%.1f %.1f) rotate(-40)\">",
			place(x, value) + 4, y->from + 14);
		print_text(f, 0, 0, "text-anchor=\"end\"", text.s);
		fputs("</g>\n", f);
	}
	fprintf(f,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888888\"/>\n",
		x->from, y->to, x->to - x->from, y->from - y->to);
	print_text(f, (x->from + x->to) / 2, y->to - 12,
		   "text-anchor=\"middle\" font-size=\"14\"", panel->title);
}

static void print_points(const struct chart *chart, const struct panel *panel,
			 const char *name, value_fn value, bool marks)
{
	unsigned int i;

	for (i = 0; i < chart->results->nr_rows; i++) {
		const struct row *row = &chart->results->rows[i];
		double x, y;

		if (!is_in(panel, row) || strcmp(row->way, name) != 0)
			continue;
		x = place(&panel->x, row->load.size);
		y = place(&panel->y, value(row));
		fprintf(chart->f,
			marks ? "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>" :
				"%.1f,%.1f ",
			x, y);
	}
}

/* Not every way is measured at each depth. */
static bool has_points(const struct chart *chart, const struct panel *panel,
		       const char *name)
{
	unsigned int i;

	for (i = 0; i < chart->results->nr_rows; i++) {
		const struct row *row = &chart->results->rows[i];

		if (is_in(panel, row) && !strcmp(row->way, name))
			return true;
	}
	return false;
}

static void print_series(const struct chart *chart, const struct panel *panel,
			 value_fn value, const char *style)
{
	unsigned int i;

	for (i = 0; i < chart->nr_series; i++) {
		if (!has_points(chart, panel, chart->series[i]))
			continue;
		fprintf(chart->f,
			"<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" %s points=\"",
			colours[i], style);
		print_points(chart, panel, chart->series[i], value, false);
		fprintf(chart->f, "\"/>\n<g fill=\"%s\">", colours[i]);
		print_points(chart, panel, chart->series[i], value, true);
		fputs("</g>\n", chart->f);
	}
}

static void scale(const struct chart *chart, struct panel *panel, value_fn low,
		  value_fn high)
{
	unsigned int i;

	for (i = 0; i < chart->results->nr_rows; i++) {
		const struct row *row = &chart->results->rows[i];

		if (!is_in(panel, row))
			continue;
		widen(&panel->x, row->load.size);
		widen(&panel->y, low(row));
		widen(&panel->y, high(row));
	}
	/* Use whole decades, and never a single point. */
	panel->y.least = pow(10, floor(log10(panel->y.least)));
	panel->y.greatest = pow(10, ceil(log10(panel->y.greatest)));
	if (panel->x.least == panel->x.greatest)
		panel->x.greatest *= 2;
	if (panel->y.least == panel->y.greatest)
		panel->y.greatest *= 10;
	panel->x.from = panel->left;
	panel->x.to = panel->left + panel->width;
	panel->y.from = PANEL_TOP + PANEL_HEIGHT;
	panel->y.to = PANEL_TOP;
}

static void print_panel(const struct chart *chart, struct panel *panel,
			value_fn value, value_fn dashed)
{
	scale(chart, panel, value, dashed ? dashed : value);
	print_axes(chart->f, panel);
	print_series(chart, panel, value, "");
	if (dashed)
		print_series(chart, panel, dashed, "stroke-dasharray=\"4 3\"");
}

static void print_legend(const struct chart *chart)
{
	unsigned int i;

	for (i = 0; i < chart->nr_series; i++) {
		double y = PANEL_TOP + 10 + 20 * i;

		fprintf(chart->f,
			"<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>\n",
			LEGEND_LEFT, y - 6, colours[i]);
		print_text(chart->f, LEGEND_LEFT + 20, y, "", chart->series[i]);
	}
}

/* Name the machine, without which figures say nothing. */
static void print_place(const struct chart *chart)
{
	static const char *const wanted[] = { "CPUs", "virtualization",
					      "kernel", "cache line" };
	const struct results *results = chart->results;
	char text[512] = "";
	unsigned int i, j;

	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		for (j = 0; j < results->nr_facts; j++) {
			const struct fact *fact = &results->facts[j];
			size_t used = strlen(text);

			if (strcmp(fact->name, wanted[i]) != 0)
				continue;
			snprintf(text + used, sizeof(text) - used, "%s%s: %s",
				 used ? "; " : "", fact->name, fact->value);
		}
	print_text(chart->f, 10, HEIGHT - 10,
		   "font-size=\"11\" fill=\"#555555\"", text);
}

/* Leave out many mappings, which answer another question than sizes. */
static void find_series(struct chart *chart)
{
	unsigned int i, j;

	for (i = 0; i < chart->results->nr_rows; i++) {
		const struct row *row = &chart->results->rows[i];

		if (!row->load.size || strstr(row->way, " maps"))
			continue;
		for (j = 0; j < chart->nr_series; j++)
			if (!strcmp(chart->series[j], row->way))
				break;
		if (j == chart->nr_series && j < MAX_SERIES)
			chart->series[chart->nr_series++] = row->way;
	}
}

static unsigned int depth_of(const struct results *results, bool deepest)
{
	unsigned int depth = results->rows[0].load.depth;
	unsigned int i;

	for (i = 1; i < results->nr_rows; i++)
		if ((results->rows[i].load.depth > depth) == deepest)
			depth = results->rows[i].load.depth;
	return depth;
}

static void print_panels(const struct chart *chart)
{
	const struct results *results = chart->results;
	bool single = results->rows[0].times.max;
	struct panel rate = {
		.left = 80,
		.width = PANEL_WIDTH,
		.depth = depth_of(results, true),
		.text = bytes_text,
	};
	struct panel latency = {
		.left = single ? 80 : 540,
		.width = single ? WIDE_PANEL : PANEL_WIDTH,
		.depth = depth_of(results, false),
		.text = time_text,
	};
	char title[2][64];

	snprintf(title[0], sizeof(title[0]), "throughput, %u in flight",
		 rate.depth);
	snprintf(title[1], sizeof(title[1]), "%s, %u in flight",
		 single ? "latency: median, and p99 dashed" : "mean latency",
		 latency.depth);
	rate.title = title[0];
	latency.title = title[1];
	if (!single)
		print_panel(chart, &rate, throughput, NULL);
	print_panel(chart, &latency, single ? p50 : mean, single ? p99 : NULL);
}

void plot_print(FILE *f, const struct results *results)
{
	struct chart chart = { .f = f, .results = results };

	find_series(&chart);
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	print_panels(&chart);
	print_legend(&chart);
	print_place(&chart);
	fputs("</svg>\n", f);
}
