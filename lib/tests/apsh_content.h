/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A target whose files and code are read, and the expected hashes. */
#ifndef DOCA_TESTS_APSH_CONTENT_H
#define DOCA_TESTS_APSH_CONTENT_H

#include <openssl/evp.h>

#include "apsh_stage.h"
#include "apsh_watch.h"

#define DETAIL(o, attr) \
	doca_apsh_proc_file_details_info_get(o, DOCA_APSH_PROCESS_FILE_DETAILS_##attr)
#define AREA(o, attr) doca_apsh_attst_info_get(o, DOCA_APSH_ATTESTATION_##attr)

enum { STRUCT_PAGE = 16, FRAMES = IMAGE_SIZE / 4096 };

static struct doca_apsh_system *s;
static struct doca_apsh_attestation **list;
static int nr;
static u64 vmemmap, mapping, node;
static char hashes[80];

static u64 inode_of(u64 file)
{
	return *(u64 *)at_va(field_va(file, F_FILE_INODE));
}

static u64 page_struct(u64 va)
{
	return vmemmap + pa_of(va) / 4096 * STRUCT_PAGE;
}

/* Begin with an empty page cache of the program, with one node. */
static void begin(u64 size)
{
	u64 inode;

	doca_apsh_system_destroy(set_up(4));
	vmemmap = object(FRAMES * STRUCT_PAGE, 64);
	*(u64 *)at_va(symbol(S_vmemmap_base)) = vmemmap;
	inode = inode_of(has_.exe);
	mapping = object(64, 64);
	node = object(image.map.fields[F_XA_NODE_SIZE].size, 64);
	set(inode, F_INODE_SIZE, size);
	set(inode, F_INODE_MAPPING, mapping);
	*(u64 *)at_va(field_va(mapping, F_MAPPING_PAGES) + image.map.fields[F_XARRAY_HEAD].offset) =
		node + 2;
	snprintf(hashes, sizeof(hashes), "%s/h", image.dir);
}

static void end(void)
{
	doca_apsh_processes_free(processes);
	tear_down(s);
}

static u64 *slot(int i)
{
	return (u64 *)at_va(field_va(node, F_XA_NODE_SLOTS)) + i;
}

/* Add pages of one folio from index i on. Return their address. */
static u64 new_pages(int i, int pages, u8 fill)
{
	u64 va = object((size_t)pages * 4096, 4096), folio = page_struct(va);

	set(folio, F_PAGE_MAPPING, mapping);
	set(folio, F_PAGE_INDEX, (u64)i);
	*slot(i) = folio;
	for (int k = 1; k < pages; k++)
		*slot(i + k) = (u64)i << 2 | 2;
	for (int k = 0; k < pages; k++)
		memset((u8 *)at_va(va) + k * 4096, fill + k, 4096);
	return va;
}

static void sum_of(const void *data, size_t len, const char *name, char text[129])
{
	u8 sum[EVP_MAX_MD_SIZE];
	unsigned int n;

	if (!EVP_Digest(data, len, sum, &n, EVP_get_digestbyname(name), NULL))
		abort();
	for (unsigned int i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
}

static struct doca_apsh_proc_file_details **files(void)
{
	struct doca_apsh_proc_file_details **found;

	s = started_system();
	logged();
	OK(doca_apsh_proc_files_details_get(process_of(s, 10), &found, &nr));
	return found;
}

#endif /* DOCA_TESTS_APSH_CONTENT_H */
