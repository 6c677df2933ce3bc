// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * doca_apsh_map: makes the files with which App Shield reads a machine's memory, on
 * the machine itself or from its kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/folder.h"

#include "host.h"
#include "isf.h"
#include "limits.h"
#include "options.h"

/* Folders of maps are searched by this name. */
static char *file_name(const struct kernel *kernel)
{
	char *release = kernel_release(kernel), *name;

	name = *kernel->build_id ? need_text("linux-%s-%.12s.json", release,
					     kernel->build_id) :
				   need_text("linux-%s.json", release);
	free(release);
	return name;
}

static void free_kernel(struct kernel *kernel)
{
	symbols_clear(&kernel->symbols);
	free(kernel->symbols.list);
	free(kernel->btf.data);
	free(kernel->code.data);
	free(kernel->banner);
}

static void write_symbols(const struct options *opts, const char *output)
{
	struct kernel kernel = { 0 };
	struct json_object *isf;
	const char *text;
	char *name;
	size_t len;

	if (opts->from)
		opts->from(&kernel, opts->image);
	else if (opts->btf)
		kernel_of_files(&kernel, opts->btf, opts->kallsyms,
				opts->banner, opts->notes);
	else
		kernel_of_host(&kernel);
	isf = isf_make(&kernel, opts->full);
	text = json_object_to_json_string_length(isf, JSON_C_TO_STRING_PLAIN,
						 &len);
	if (!text)
		fail("out of memory");
	limits_end();
	name = output ? need_text("%s", output) : file_name(&kernel);
	file_write(name, text, len);
	if (!output)
		puts(name);
	free(name);
	json_object_put(isf);
	free_kernel(&kernel);
}

static void write_code(const struct options *opts)
{
	struct kernel kernel = { .wants_code = true };
	struct bytes code;

	opts->from(&kernel, opts->image);
	code = code_make(&kernel);
	limits_end();
	file_write(opts->output ? opts->output : "-", (char *)code.data,
		   code.size);
	free(code.data);
	free_kernel(&kernel);
}

static void write_text(const char *output, char *text)
{
	file_write(output ? output : "-", text, strlen(text));
	free(text);
}

static char *hashes(const struct options *opts)
{
	return opts->pid ? hash_of_process(opts->pid) :
			   hash_of_files(opts->files, opts->nr_files);
}

static void write_in(const char *dir, const char *name, char *text)
{
	char *path = need_text("%s/%s", dir, name);

	write_text(path, text);
	free(path);
}

static void write_all(const struct options *opts)
{
	char *path = need_text("%s/symbols.json", opts->dir);

	if (folder_make(opts->dir))
		fail("cannot make %s: %s", opts->dir, strerror(errno));
	write_symbols(opts, path);
	free(path);
	write_in(opts->dir, "mem_regions.json", regions_make(opts->iomem));
	write_in(opts->dir, "kpgd.txt", kpgd_make(opts->kcore));
	if (opts->pid)
		write_in(opts->dir, "hash.json", hash_of_process(opts->pid));
}

int main(int argc, char **argv)
{
	struct options opts = { .iomem = "/proc/iomem",
				.kcore = "/proc/kcore" };

	options_parse(&opts, argc, argv);
	switch (opts.command) {
	case MAP_SYMBOLS:
		write_symbols(&opts, opts.output);
		break;
	case MAP_REGIONS:
		write_text(opts.output, regions_make(opts.iomem));
		break;
	case MAP_KPGD:
		write_text(opts.output, kpgd_make(opts.kcore));
		break;
	case MAP_HASH:
		write_text(opts.output, hashes(&opts));
		break;
	case MAP_ALL:
		write_all(&opts);
		break;
	case MAP_CODE:
		write_code(&opts);
		break;
	}
	return EXIT_SUCCESS;
}
