// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"

#include "arch/arch.h"
#include "record.h"
#include "store.h"
#include "view/view.h"

LOG_SOURCE("APSH");

struct record {
	struct view_store *store;
	bool no_memory;
};

/* The file begins with headers and the note; then come granules by address. */
struct head {
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdr; /* has the number of program headers if they are many */
};

struct note {
	Elf64_Nhdr nhdr;
	char name[12];
	char text[512];
};

struct record *record_new(void)
{
	struct record *record = calloc(1, sizeof(*record));

	if (!record)
		return NULL;
	record->store = store_new();
	if (record->store)
		return record;
	free(record);
	return NULL;
}

void record_free(struct record *record)
{
	if (!record)
		return;
	store_free(record->store);
	free(record);
}

static void add(struct record *record, u64 pa, const u8 *data)
{
	struct granule *g;

	if (store_find(record->store, pa))
		return;
	g = store_add(record->store, pa);
	if (g)
		memcpy(g->data, data, GRANULE);
	else
		record->no_memory = true;
}

void record_add(struct record *record, const struct source_range *r,
		unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		u64 skip = -r[i].pa & (GRANULE - 1);

		if (r[i].absent)
			continue;
		for (u64 at = skip; at + GRANULE <= r[i].len; at += GRANULE)
			add(record, r[i].pa + at, (const u8 *)r[i].to + at);
	}
}

static int by_address(const void *a, const void *b)
{
	const struct granule *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static bool follows(const struct granule *list, u32 i)
{
	return i && list[i].pa == list[i - 1].pa + GRANULE;
}

static void fill_note(struct note *note, const struct kernel *k)
{
	int len;

	*note = (struct note){ .nhdr.n_namesz = sizeof("VMCOREINFO"),
			       .name = "VMCOREINFO" };
	len = k->arch->note(k, note->text, sizeof(note->text));
	note->nhdr.n_descsz = (Elf64_Word)len;
}

static void fill_head(struct head *head, u32 nr, u16 machine)
{
	*head = (struct head){
		.ehdr = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				       ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_CORE,
			  .e_machine = machine,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(*head),
			  .e_shoff = sizeof(head->ehdr),
			  .e_ehsize = sizeof(head->ehdr),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = nr < PN_XNUM ? (Elf64_Half)nr : PN_XNUM,
			  .e_shentsize = sizeof(head->shdr),
			  .e_shnum = 1 },
		.shdr.sh_info = nr,
	};
}

static bool write_all(FILE *to, const struct granule *list, u32 nr,
		      u32 nr_headers, const struct kernel *k)
{
	u64 at = sizeof(struct head) + (u64)nr_headers * sizeof(Elf64_Phdr);
	struct note note;
	struct head head;
	Elf64_Phdr p;
	bool good;

	fill_head(&head, nr_headers, k->arch->machine);
	fill_note(&note, k);
	p = (Elf64_Phdr){ .p_type = PT_NOTE,
			  .p_offset = at,
			  .p_filesz = sizeof(note) };
	good = fwrite(&head, sizeof(head), 1, to) == 1 &&
	       fwrite(&p, sizeof(p), 1, to) == 1;
	at += sizeof(note);
	for (u32 i = 0, n; good && i < nr; i += n) {
		for (n = 1; i + n < nr && follows(list, i + n); n++)
			;
		p = (Elf64_Phdr){ .p_type = PT_LOAD,
				  .p_offset = at,
				  .p_paddr = list[i].pa,
				  .p_filesz = (u64)n * GRANULE,
				  .p_memsz = (u64)n * GRANULE };
		good = fwrite(&p, sizeof(p), 1, to) == 1;
		at += p.p_filesz;
	}
	good = good && fwrite(&note, sizeof(note), 1, to) == 1;
	for (u32 i = 0; good && i < nr; i++)
		good = fwrite(list[i].data, GRANULE, 1, to) == 1;
	return good;
}

static doca_error_t write_sorted(const struct granule *list, u32 nr,
				 const struct kernel *k, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	u32 headers = 1;
	bool good;
	int err;

	if (!to) {
		err = errno;
		if (fd >= 0)
			close(fd);
		return FAIL(OPERATING_SYSTEM, "%s: %s", path, errno_text(err));
	}
	for (u32 i = 0; i < nr; i++)
		headers += !follows(list, i);
	good = write_all(to, list, nr, headers, k);
	err = errno;
	if (fclose(to) && good) {
		good = false;
		err = errno;
	}
	if (good)
		return DOCA_SUCCESS;
	unlink(path);
	return FAIL(OPERATING_SYSTEM, "%s: %s", path, errno_text(err));
}

doca_error_t record_write(struct record *record, const struct kernel *kernel,
			  const char *path)
{
	struct granule *list, *all;
	doca_error_t ret;
	u32 nr;

	all = store_pending(record->store, &nr);
	list = reallocarray(NULL, (size_t)nr + 1, sizeof(*list));
	if (!list || record->no_memory) {
		free(list);
		return OUT_OF_MEMORY("a recording");
	}
	memcpy(list, all, nr * sizeof(*list));
	qsort(list, nr, sizeof(*list), by_address);
	ret = write_sorted(list, nr, kernel, path);
	free(list);
	return ret;
}
