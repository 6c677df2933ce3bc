// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The output of doca_apsh_map: lines of symbols, an empty one, and the image. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"

#include "../kernel/kernel.h"
#include "code.h"

LOG_SOURCE("APSH");

#define MAGIC "open-doca-code-1\n"

enum { STEP = 1 << 20, MAX_SYMBOLS = 1 << 22, DIGITS = 16 };
#define MAX_FILE (1280ULL << 20)

static doca_error_t read_all(int fd, struct code *code)
{
	size_t max = 0;
	ssize_t n;

	for (;;) {
		if (code->file_size + 1 >= max) {
			u8 *more = NULL;

			if (max < MAX_FILE) {
				max = max ? 2 * max : STEP;
				if (max > MAX_FILE)
					max = MAX_FILE;
				more = realloc(code->file, max);
			}
			if (!more)
				return OUT_OF_MEMORY("the image of a kernel");
			code->file = more;
		}
		n = read(fd, code->file + code->file_size,
			 max - code->file_size - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FAIL(IO_FAILED, "the image of a kernel: %m");
		if (!n)
			break;
		code->file_size += (size_t)n;
	}
	code->file[code->file_size] = '\0';
	return DOCA_SUCCESS;
}

/* Return the line's end if it is a symbol: its address of 16 digits, and its name. */
static char *parse_symbol(char *line, const char *end, struct code_symbol *s)
{
	char *last = memchr(line, '\n', (size_t)(end - line));

	if (!last || last - line < DIGITS + 2 || line[DIGITS] != ' ' ||
	    strspn(line, "0123456789abcdef") != DIGITS)
		return NULL;
	*last = '\0';
	s->address = strtoull(line, NULL, 16);
	s->name = line + DIGITS + 1;
	return last;
}

static int by_address(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Return what is behind the symbols; NULL if they are not sound. */
static char *parse_symbols(struct code *code, char *line, const char *end)
{
	u32 max = 0;

	for (; line < end && *line != '\n'; line++) {
		if (code->nr_symbols == max) {
			struct code_symbol *more;

			max = max ? 2 * max : 4096;
			more = max > MAX_SYMBOLS ?
				       NULL :
				       reallocarray(code->symbols, max,
						    sizeof(*more));
			if (!more)
				return NULL;
			code->symbols = more;
		}
		line = parse_symbol(line, end,
				    &code->symbols[code->nr_symbols]);
		if (!line)
			return NULL;
		code->nr_symbols++;
	}
	if (line >= end || !code->nr_symbols)
		return NULL;
	qsort(code->symbols, code->nr_symbols, sizeof(*code->symbols),
	      by_address);
	return code_sort_names(code) ? line + 1 : NULL;
}

static bool find_places(struct code *code)
{
	code->text = code_symbol(code, "_text");
	code->stext = code_symbol(code, "_stext");
	code->etext = code_symbol(code, "_etext");
	code->end = code_symbol(code, "_end");
	return code->text >= START_KERNEL_MAP && code->text <= code->stext &&
	       code->stext < code->etext && code->etext <= code->end &&
	       code->end - code->text <= KERNEL_IMAGE_SIZE;
}

/* Return what is wrong with it, or which table is; both are NULL if it is sound. */
static const char *parse(struct code *code, const char **table)
{
	char *file = (char *)code->file, *image;
	const char *end = file + code->file_size;
	size_t head = strlen(MAGIC);

	if (code->file_size < head || memcmp(file, MAGIC, head) != 0)
		return "the image was not read by doca_apsh_map of this "
		       "release";
	image = parse_symbols(code, file + head, end);
	if (!image)
		return "the image has no symbols, or there is no memory";
	code->image = (u8 *)image;
	code->image_size = (size_t)(end - image);
	if (!code_find_sections(code))
		return "the image is no kernel for x86-64, or is damaged";
	if (!find_places(code))
		return "the image has no _text, _stext, _etext and _end";
	*table = code_find_sites(code);
	return NULL;
}

doca_error_t code_read(int fd, struct code **code, char flaw[CODE_FLAW])
{
	const char *what = NULL, *table = NULL;
	struct code *new = calloc(1, sizeof(*new));
	doca_error_t ret;

	*code = NULL;
	*flaw = '\0';
	if (!new)
		return OUT_OF_MEMORY("the image of a kernel");
	ret = read_all(fd, new);
	if (ret == DOCA_SUCCESS)
		what = parse(new, &table);
	if (table)
		snprintf(flaw, CODE_FLAW,
			 "%s of the image is not understood, or there is no "
			 "memory",
			 table);
	else if (what)
		snprintf(flaw, CODE_FLAW, "%s", what);
	if (ret != DOCA_SUCCESS || *flaw)
		code_free(new);
	else
		*code = new;
	return ret;
}

void code_free(struct code *code)
{
	if (!code)
		return;
	free(code->file);
	free(code->symbols);
	free(code->by_name);
	free(code->sections);
	free(code->sites);
	free(code->alternatives);
	free(code);
}
