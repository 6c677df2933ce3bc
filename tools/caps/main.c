// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* doca_caps: show devices, and what the libraries can do on them. */
#include <stdio.h>
#include <stdlib.h>

#include <doca_dev.h>

#include "common/device_name.h"
#include "device.h"
#include "lib.h"
#include "options.h"
#include "report.h"

static struct json_object *report_device(const struct options *opts,
					 struct doca_devinfo *info)
{
	struct json_object *report = report_new_object();

	device_report_address(report, info);
	switch (opts->what) {
	case SHOW_DEVS:
		device_report(report, info);
		break;
	case SHOW_REP_DEVS:
		device_report_reps(report, info);
		break;
	default:
		lib_report_caps(report, info, opts->lib);
		break;
	}
	return report;
}

/* Return an array of devices; if it fails, say why and return NULL. */
static struct json_object *report_devices(const struct options *opts)
{
	struct json_object *report;
	struct doca_devinfo **list;
	doca_error_t err;
	uint32_t n;

	err = doca_devinfo_create_list(&list, &n);
	if (err != DOCA_SUCCESS) {
		fprintf(stderr, "doca_caps: cannot list devices: %s\n",
			doca_error_get_descr(err));
		return NULL;
	}
	if (!n) {
		fputs("doca_caps: there is no DOCA device\n"
		      "  Load the driver with 'modprobe doca'; see doca(4).\n",
		      stderr);
		doca_devinfo_destroy_list(list);
		return NULL;
	}
	report = report_new_array();
	for (uint32_t i = 0; i < n; i++)
		if (!opts->dev || device_is_named(list[i], opts->dev))
			report_append(report, report_device(opts, list[i]));
	doca_devinfo_destroy_list(list);

	if (opts->dev && !json_object_array_length(report)) {
		fprintf(stderr, "doca_caps: there is no device '%s'\n",
			opts->dev);
		json_object_put(report);
		return NULL;
	}
	return report;
}

static struct json_object *make_report(const struct options *opts)
{
	switch (opts->what) {
	case SHOW_LIBS:
		return lib_report_list();
	case SHOW_LEVELS:
		return lib_report_levels();
	case SHOW_DRIVERS:
		return lib_report_drivers();
	default:
		return report_devices(opts);
	}
}

int main(int argc, char **argv)
{
	struct json_object *report;
	struct options opts;
	int ret;

	options_parse(&opts, argc, argv);
	report = make_report(&opts);
	if (!report)
		return EXIT_FAILURE;
	ret = opts.json ? report_print_json(report) : report_print_text(report);
	if (ret) {
		fputs("doca_caps: cannot write\n", stderr);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
