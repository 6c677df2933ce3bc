// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Compare the code of a process, as it would be executed, with hashes of its files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "../hashes.h"
#include "group.h"

LOG_SOURCE("APSH");

struct doca_apsh_attestation {
	struct object object;
	u32 pid;
	u64 start, end;
	int pages, present, matching;
	bool has_hashes;
	const char *comm, *path, *protection;
};

/* The arguments of the first call, for a refresh. */
struct attested {
	struct hashes *hashes;
	struct doca_apsh_process process;
	char comm[17];
};

static void drop(void *keep)
{
	struct attested *a = keep;

	hashes_put(a->hashes);
	free(a);
}

static bool keep(struct call *c)
{
	struct attested *a = calloc(1, sizeof(*a));

	if (!a) {
		c->snap->no_memory = true;
		return false;
	}
	a->hashes = hashes_get(c->hashes);
	a->process = *c->process;
	snprintf(a->comm, sizeof(a->comm), "%s", c->process->comm);
	a->process.comm = a->comm;
	a->process.object.snap = c->snap;
	c->snap->keep = a;
	c->snap->drop = drop;
	return true;
}

/*
 * Read the process's page; if it has none yet, the file's page, which it would get. A
 * page that is swapped out may differ from the file's, so it is missing. If a page is
 * missing that no file has, set *left to the number of bytes that are missing.
 */
static bool read_page(struct call *c, const struct area *a, u64 va, u64 index,
		      u8 page[PAGE], u64 *left)
{
	struct view *v = &c->view;
	u64 pa;

	if (view_translate(v, &c->space, va, &pa, left)) {
		*left = PAGE;
		return view_page(v, pa & ~(PAGE - 1), page);
	}
	if (!a->inode || index >= pages_of_inode(v, a->inode))
		return false;
	*left = PAGE;
	return view_none(v, &c->space, va) &&
	       page_of_inode(v, a->inode, index, page);
}

static bool matches(struct call *c, const struct doca_apsh_attestation *o,
		    u64 index, const u8 page[PAGE])
{
	u8 sum[EVP_MAX_MD_SIZE];
	const u8 *wanted = o->has_hashes ?
				   hashes_of_page(c->hashes, o->path, index) :
				   NULL;

	return wanted &&
	       EVP_Digest(page, PAGE, sum, NULL, EVP_sha256(), NULL) &&
	       !memcmp(sum, wanted, SHA256_LEN);
}

/* Beyond the end of its file, or without one, an area has only the process's pages. */
static void hash_area(struct call *c, const struct area *a, u64 first,
		      struct doca_apsh_attestation *o)
{
	struct view *v = &c->view;
	u64 pages = (a->end - a->start) / PAGE, left;
	u8 page[PAGE];

	o->pages = pages < INT32_MAX ? (int)pages : INT32_MAX;
	for (u64 i = 0; i < pages && view_on_time(v); i += left / PAGE) {
		left = PAGE;
		if (!read_page(c, a, a->start + i * PAGE, first + i, page,
			       &left)) {
			if (left < PAGE)
				left = PAGE;
			continue;
		}
		o->present++;
		o->matching += matches(c, o, first + i, page);
	}
	explicit_bzero(page, sizeof(page));
}

/* Do not count an area whose name is missing: it would be compared with other hashes. */
static void add(struct call *c, const struct area *a)
{
	struct doca_apsh_attestation *o = snapshot_add(c->snap, sizeof(*o));
	u64 misses = c->view.misses, first;
	char path[MAX_PATH], protection[5];

	if (!o)
		return;
	name_of_area(c, a, path);
	first = a->inode ? first_page_of_area(&c->view, a) : 0;
	c->partial |= c->view.misses != misses;
	if (c->partial)
		return;
	area_protection(a, protection);
	o->pid = c->process->pid;
	o->start = a->start;
	o->end = a->end;
	o->comm = snapshot_string(c->snap, c->process->comm);
	o->path = snapshot_string(c->snap, path);
	o->protection = snapshot_string(c->snap, protection);
	o->has_hashes = a->inode && hashes_have(c->hashes, o->path);
	hash_area(c, a, first, o);
	view_identity(&c->view, a->va + offset_of_field(&c->view, F_VMA_START),
		      16, &o->object);
}

/*
 * The vdso belongs to the kernel, and is the same for all. A process that writes to it,
 * as a debugger can, gets copies of its own, which are then code like any other. An area of
 * which nobody knows would be left out as if it was sound.
 */
static bool is_changed(struct call *c, const struct area *a)
{
	struct view *v = &c->view;
	bool private = false;
	u64 pa, left;

	for (u64 va = a->start; va < a->end && !private && view_on_time(v);
	     va += PAGE) {
		if (!view_translate(v, &c->space, va, &pa, &left))
			continue;
		if (!page_is_private(v, pa, &private)) {
			c->partial = true;
			return false;
		}
	}
	return private;
}

static bool is_code(struct call *c, const struct area *a)
{
	return a->flags & AREA_EXEC &&
	       (!area_is_special(c, a) || is_changed(c, a));
}

static void fill(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_HASHTEST_LIMIT), nr;
	/* a process that seems to have no memory may have some */
	u64 misses = c->mm ? c->view.misses : 0;
	struct area *areas;

	if (!keep(c) || !areas_get(c, &areas, &nr))
		return;
	c->partial = c->view.stats.broken || c->view.misses != misses;
	for (u32 i = 0;
	     i < nr && !c->view.error && !c->snap->no_memory && !c->partial;
	     i++) {
		bool code;

		misses = c->view.misses;
		code = is_code(c, &areas[i]);
		c->partial |= c->view.misses != misses;
		if (!code || c->partial)
			continue;
		if (c->snap->nr == limit) {
			c->cut = true;
			break;
		}
		add(c, &areas[i]);
	}
	free(areas);
}

static const struct getter attestation_getter = {
	.what = "areas of code",
	.object = &apsh_attestation_object,
	.limit = DOCA_APSH_HASHTEST_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.whole = true,
	.fill = fill,
};

doca_error_t doca_apsh_attestation_get(
	struct doca_apsh_process *process, const char *exec_hash_map_path,
	struct doca_apsh_attestation ***attestation, int *attestation_size)
{
	static const struct log_site site = LOG_SITE;
	struct hashes *hashes;
	doca_error_t ret;

	if (!valid(process) || !given(exec_hash_map_path) ||
	    !given(attestation) || !given(attestation_size))
		return DOCA_ERROR_INVALID_VALUE;
	ret = hashes_read(exec_hash_map_path, &hashes);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = call_attestation(&attestation_getter, process, hashes,
			       attestation, attestation_size, &site);
	hashes_put(hashes);
	return ret;
}

doca_error_t
doca_apsh_attst_refresh(struct doca_apsh_attestation ***attestation,
			int *attestation_size)
{
	static const struct log_site site = LOG_SITE;
	struct doca_apsh_attestation **old;
	const struct attested *a;
	doca_error_t ret;

	if (!given(attestation) || !given(*attestation) ||
	    !given(attestation_size) || !call_is_array(*attestation, __func__))
		return DOCA_ERROR_INVALID_VALUE;
	old = *attestation;
	a = snapshot_of(old)->keep;
	ret = call_attestation(&attestation_getter, &a->process, a->hashes,
			       attestation, attestation_size, &site);
	if (ret == DOCA_SUCCESS)
		call_free(old, __func__);
	return ret;
}

DEFINE_FREE(doca_apsh_attestation_free, doca_apsh_attestation, attestation)

#define AREA(name, member) \
	ATTR(DOCA_APSH_ATTESTATION_##name, doca_apsh_attestation, member)

static const struct attr attrs[] = {
	AREA(PID, pid),
	AREA(COMM, comm),
	AREA(PATH_OF_MEMORY_AREA, path),
	AREA(PROTECTION, protection),
	AREA(START_ADDRESS, start),
	AREA(END_ADDRESS, end),
	AREA(PAGES_NUMBER, pages),
	AREA(PAGES_PRESENT, present),
	AREA(MATCHING_HASHES, matching),
	AREA(HASH_DATA_IS_PRESENT, has_hashes),
};

DEFINE_INFO_GET(__doca_apsh_attst_info_get, doca_apsh_attestation,
		doca_apsh_attestation_attr, attrs, attestation)
