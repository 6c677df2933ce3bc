/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Chores that all samples share: end the program when something fails, read the
 * command line, and choose a device.
 */
#ifndef SAMPLES_SAMPLE_H
#define SAMPLES_SAMPLE_H

#include <doca_argp.h>
#include <doca_dev.h>
#include <doca_error.h>

/* A flag of one sample, besides -p, which all have. Its value is a string. */
struct sample_flag {
	const char *short_name;
	const char *long_name;
	const char *arguments;
	const char *description;
	doca_argp_param_cb_t set;
};

/* A command, for samples that have some: one of them is given, or none. */
struct sample_command {
	const char *name;
	const char *description;
	doca_argp_cmd_cb_t run;
};

/* Return whether a device can do something, as capability functions do. */
typedef doca_error_t (*sample_capability)(const struct doca_devinfo *devinfo);

/* End the program with a message. */
_Noreturn void give_up(doca_error_t err, const char *what);

/* Give up unless @err is DOCA_SUCCESS. */
static inline void check(doca_error_t err, const char *what)
{
	if (err != DOCA_SUCCESS)
		give_up(err, what);
}

/* Read the command line. @flags ends with an empty flag, and may be NULL. */
void sample_start(const char *name, int argc, char **argv,
		  const struct sample_flag *flags);

/* Read a command line with commands, too, which end with an empty one. */
void sample_start_command(const char *name, int argc, char **argv,
			  const struct sample_flag *flags,
			  const struct sample_command *commands);

/* Open the first device with the capability and, if -p was given, that address. */
struct doca_dev *sample_open_device(sample_capability can);

/* Open all such devices, up to @max; return their number, which is not 0. */
unsigned int sample_open_devices(sample_capability can, struct doca_dev **devs,
				 unsigned int max);

/* Return 0 if there is none, for samples that can say what to do. */
unsigned int sample_try_devices(sample_capability can, struct doca_dev **devs,
				unsigned int max);

#endif
