// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Symbols as listed by the running kernel, or by a System.map. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "machine.h"

/* Parse "ffffffff81000000 T _text". Symbols of modules end with the module's name in brackets. */
static void add_line(struct symbols *symbols, const char *line)
{
	const char *end = line + strcspn(line, "\n");
	char *name;
	uint64_t address = strtoull(line, &name, 16);

	if (name == line || end - name < 4 || name[0] != ' ' || name[2] != ' ')
		return;
	name += 3;
	if (memchr(name, '[', end - name))
		return;
	symbols_add(symbols, name, strcspn(name, " \t\n"), address);
}

/* Symbols of per-CPU data are offsets on x86-64, and not moved. */
void symbols_move_back(struct symbols *symbols, const char *path)
{
	const struct machine *machine = machine_of(symbols);
	const struct symbol *text = symbols_find(symbols, "_text");
	uint64_t offset;

	if (!text)
		fail("%s has no symbol _text: it is not of a kernel", path);
	if (!machine->may_be_at(text->address))
		fail("%s: _text is at %#llx, where no kernel of %s is", path,
		     (unsigned long long)text->address, machine->name);
	offset = text->address - machine->linked_to;
	for (size_t i = 0; i < symbols->nr; i++)
		if (symbols->list[i].address >= machine->lowest)
			symbols->list[i].address -= offset;
}

static void need_addresses(const struct symbols *symbols, const char *path)
{
	const struct symbol *text = symbols_find(symbols, "_text");

	if (text && !text->address)
		fail("all addresses in %s are 0: kernel.kptr_restrict hides "
		     "them; run this as root, or see sysctl "
		     "kernel.kptr_restrict",
		     path);
}

void kallsyms_read_text(struct symbols *symbols, const char *path,
			const struct bytes *text)
{
	const char *line = (const char *)text->data;

	while (line) {
		add_line(symbols, line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	need_addresses(symbols, path);
	symbols_move_back(symbols, path);
}
