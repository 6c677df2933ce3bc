// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Formats of files: recognize them, and find the parts that are memory. */
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"
#include "known.h"

LOG_SOURCE("APSH");

/* Regions are described apart from the file, so they must fit. */
doca_error_t source_region(struct source *s, const struct target_region *r,
			   const char *path)
{
	if (r->offset + r->length > s->file_size)
		return FAIL(
			INITIALIZATION,
			"%s: it has %lu bytes, but its memory at %#lx would "
			"end at byte %lu; is it truncated?",
			path, s->file_size, r->gpa, r->offset + r->length);
	return source_add(s, path,
			  (struct segment){ .pa = r->gpa,
					    .offset = r->offset,
					    .len = r->length,
					    .part = (u16)r->part });
}

static doca_error_t raw(struct source *s, const struct target *t,
			const char *path)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!t->nr_regions)
		return source_add(s, path,
				  (struct segment){ .len = s->file_size });
	for (u32 i = 0; i < t->nr_regions && ret == DOCA_SUCCESS; i++)
		ret = source_region(s, &t->regions[i], path);
	return ret;
}

/* Recognize the beginning. A running machine can write any of these there. */
static enum target_format beginning_of(struct source *s)
{
	char magic[8] = "";

	if (!source_pread(s, magic, sizeof(magic), 0))
		return TARGET_RAW;
	if (!memcmp(magic, "\177ELF", 4))
		return TARGET_ELF;
	if (!memcmp(magic, "EMiL", 4) || !memcmp(magic, "AVML", 4))
		return TARGET_LIME;
	if (!memcmp(magic, "KDUMP   ", 8) || !memcmp(magic, "makedump", 8))
		return TARGET_KDUMP;
	if (!memcmp(magic, "QEVM", 4) || !memcmp(magic, "LibvirtQ", 8))
		return TARGET_QEVM;
	return TARGET_RAW;
}

/* A memfd is memory of a running machine, and only raw files have regions. */
static enum target_format format_of(const struct target *t,
				    enum target_format beginning)
{
	if (t->format != TARGET_AUTO)
		return t->format;
	return t->memory == TARGET_MEMFD || t->nr_regions ? TARGET_RAW :
							    beginning;
}

static doca_error_t read_as(struct source *s, const struct target *t,
			    enum target_format format, const char *path)
{
	switch (format) {
	case TARGET_ELF:
		return source_elf(s, path);
	case TARGET_LIME:
		return source_lime(s, path);
	case TARGET_KDUMP:
		return source_kdump(s, path);
	case TARGET_QEVM:
		return source_qevm(s, t, path);
	default:
		return raw(s, t, path);
	}
}

/* If the file was not said to be raw, it is what it looks like. */
static doca_error_t refuse_known(struct source *s, const struct target *t,
				 const char *path)
{
	const struct known_format *known = known_format(s);

	if (!known)
		return DOCA_SUCCESS;
	if (format_of(t, TARGET_AUTO) == TARGET_AUTO)
		return FAIL(
			NOT_SUPPORTED,
			"%s is %s, which is not read: %s; if it only begins "
			"like that, name the format raw",
			path, known->name, known->advice);
	LOG_WARN("%s begins like %s, and is read as raw", path, known->name);
	return DOCA_SUCCESS;
}

doca_error_t source_format(struct source *s, const struct target *t,
			   const char *path)
{
	const char *const *names = doca_priv_target_formats;
	enum target_format beginning = beginning_of(s);
	enum target_format format = format_of(t, beginning);
	doca_error_t ret = DOCA_SUCCESS;

	if (beginning == TARGET_RAW && format == TARGET_RAW)
		ret = refuse_known(s, t, path);
	if (ret == DOCA_SUCCESS)
		ret = read_as(s, t, format, path);
	if (ret == DOCA_SUCCESS && beginning != TARGET_RAW &&
	    beginning != t->format)
		LOG_WARN("%s begins as %s does, and is read as %s; name the "
			 "format: raw for memory of a machine that runs, which "
			 "may have written that, or else that of the image",
			 path, names[beginning], names[format]);
	return ret;
}
