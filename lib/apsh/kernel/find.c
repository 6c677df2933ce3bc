// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Find the kernel of the map. A guess is a physical address of _text; it is proved by the
 * banner, byte for byte, at that place and through the page tables found there, and by
 * init_task.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/log.h"

#include "../arch/arch.h"
#include "../view/view.h"

LOG_SOURCE("APSH");

enum { VMCOREINFO_LEN = 4096, CHUNK = 1 << 20 };

static bool banner_at(struct view *v, const struct kernel *k, u64 pa)
{
	char text[MAX_BANNER];
	size_t len = strlen(k->map.banner) + 1;

	return view_physical(v, pa, text, len) &&
	       !memcmp(text, k->map.banner, len);
}

static bool banner_mapped(struct view *v, const struct kernel *k)
{
	u64 va = kernel_symbol(k, S_linux_banner), pa, left;

	return tables_walk(v, k->root, va, &pa, &left) &&
	       pa == k->text_pa + from_text(k, S_linux_banner);
}

/* Other maps of the kernel may begin anywhere behind the last of its memory. */
static void end_direct_map(const struct regions *r, struct kernel *k)
{
	u64 end = r->list[r->nr - 1].end - k->direct_pa;

	if (k->direct_size > end)
		k->direct_size = end;
}

/* Check that some readable pages are where the tables say. */
static bool direct_map(struct view *v, struct kernel *k)
{
	const struct regions *r = v->regions;
	u32 step = r->nr > 16 ? r->nr / 16 : 1;
	u64 pa, left;
	u32 seen = 0;

	if (!k->arch->direct_map(v, k))
		return false;
	for (u32 i = 0; i < r->nr; i += step) {
		u64 at = (r->list[i].start + r->list[i].end) / 2;
		u64 into = at - k->direct_pa;

		if (into >= k->direct_size ||
		    !tables_walk(v, k->root, k->page_offset + into, &pa, &left))
			continue; /* the kernel may map only a part of it */
		if (pa != at)
			return false;
		seen++;
	}
	if (seen)
		end_direct_map(r, k);
	return seen;
}

static bool init_task(struct view *v, const struct kernel *k)
{
	u64 task = kernel_symbol(k, S_init_task), links[2], back[2];
	u64 head = task + offset_of_field(v, F_TASK_TASKS);
	char comm[16];

	return view_read_field(v, task, F_TASK_COMM, comm, sizeof(comm)) &&
	       !strncmp(comm, "swapper/0", sizeof(comm)) &&
	       !view_field(v, task, F_TASK_PID) &&
	       view_read(v, NULL, head, links, sizeof(links)) &&
	       view_read(v, NULL, links[0], back, sizeof(back)) &&
	       back[1] == head;
}

/* How far a proof has come. */
enum proof { NOT_MAPPED, NO_DIRECT_MAP, NO_INIT_TASK, PROVED };

static enum proof prove_form(struct kernel *k, struct view *v, u32 form)
{
	k->page_offset = 0;
	if (!k->arch->assume(v, k, form) || !banner_mapped(v, k))
		return NOT_MAPPED;
	if (!direct_map(v, k))
		return NO_DIRECT_MAP;
	return init_task(v, k) ? PROVED : NO_INIT_TASK;
}

/* The form with which it came farthest is that of its tables. */
static const char *flaw_of(const struct kernel *k, enum proof farthest)
{
	switch (farthest) {
	case NO_DIRECT_MAP:
		return k->arch->direct_flaw;
	case NO_INIT_TASK:
		return "its init_task is not the first task";
	default:
		return "its page tables do not map it there";
	}
}

static bool prove(struct kernel *k, struct view *v, u64 text_pa)
{
	enum proof farthest = NOT_MAPPED, proof;
	u64 misses;

	if (text_pa & (k->arch->align - 1) ||
	    !banner_at(v, k, text_pa + from_text(k, S_linux_banner)))
		return false;
	misses = v->misses;
	k->text_pa = text_pa;
	k->root = text_pa + from_text(k, k->arch->tables);
	for (u32 form = 0; form < k->arch->nr_forms; form++) {
		proof = prove_form(k, v, form);
		if (proof == PROVED)
			return true;
		if (proof > farthest)
			farthest = proof;
	}
	k->levels = 0;
	k->image_end = 0;
	k->page_offset = 0;
	k->lacking |= v->misses != misses;
	k->flawed = text_pa;
	k->flaw = flaw_of(k, farthest);
	return false;
}

/* Try the place that the operator or the file names. */
static bool prove_said(struct kernel *k, struct view *v, u64 text_pa)
{
	u64 misses = v->misses;
	bool ok = prove(k, v, text_pa);

	k->lacking |= !ok && v->misses != misses;
	return ok;
}

/* Places of kernels that the banner has shown. */
struct places {
	struct kernel first;
	u64 other; /* place of another kernel */
	u32 nr;
};

static void add_place(struct places *found, const struct kernel *k)
{
	if (!found->nr) {
		found->first = *k;
		found->nr = 1;
	} else if (k->text_pa != found->first.text_pa) {
		found->other = k->text_pa;
		found->nr = 2;
	}
}

/*
 * Most places do not have it, and there may be many: read only its beginning, and do not keep that.
 */
static bool may_be_at(struct kernel *k, struct view *v, u64 text_pa)
{
	char begin[16] = "";
	struct source_range r = { .pa = text_pa + from_text(k, S_linux_banner),
				  .len = sizeof(begin),
				  .to = begin };

	return regions_have(v->regions, r.pa, r.len) &&
	       !source_read(v->source, &r, 1) && !r.absent &&
	       !strncmp(begin, k->map.banner, sizeof(begin));
}

/*
 * An image may begin before a piece of data does, but its banner is data. The source is
 * asked once for each piece: to find the end of a long one takes long. All memory is
 * searched: any process can hold an image, with tables and tasks, and the first one need
 * not be the one that runs.
 */
static bool by_banner(struct kernel *k, struct view *v, struct places *found)
{
	u64 pa = 0, len, step = k->arch->align;

	while (found->nr < 2 && view_on_time(v) &&
	       v->source->ops->next_data(v->source, &pa, &len)) {
		u64 end = pa + len;

		for (pa &= ~(step - 1);
		     pa < end && found->nr < 2 && view_on_time(v); pa += step)
			if (may_be_at(k, v, pa) && prove(k, v, pa))
				add_place(found, k);
	}
	if (found->nr != 1 || v->error)
		return false;
	*k = found->first;
	return true;
}

/* Return true if the kernel of the map has this release, which ends with its line. */
static bool is_release_of_map(const struct kernel *k, const char *release)
{
	static const char begin[] = "Linux version ";
	size_t len = strcspn(release, "\n"), n = sizeof(begin) - 1;

	return !strncmp(k->map.banner, begin, n) &&
	       !strncmp(k->map.banner + n, release, len) &&
	       k->map.banner[n + len] == ' ';
}

/*
 * In memory a VMCOREINFO is a page of its own. Do not read the data through the view,
 * which would keep all of it.
 */
static bool in_chunk(struct kernel *k, struct view *v, char *chunk, u64 pa,
		     u64 len, char *other)
{
	for (u64 at = 0; at < len; at += PAGE) {
		char info[VMCOREINFO_LEN + 1];
		u64 place;

		if (len - at < 32 || memcmp(chunk + at, "OSRELEASE=", 10))
			continue;
		if (!view_physical(v, pa + at, info, VMCOREINFO_LEN))
			continue;
		info[VMCOREINFO_LEN] = '\0';
		if (k->arch->place(k, info, &place) && prove(k, v, place))
			return true;
		/* By now a flaw of the map's own kernel is known. */
		if (k->flaw && is_release_of_map(k, info + 10))
			continue;
		snprintf(other, 65, "%.*s", (int)strcspn(info + 10, "\n"),
			 info + 10);
	}
	return false;
}

static bool in_data(struct kernel *k, struct view *v, char *chunk, u64 pa,
		    u64 end, char *other)
{
	for (; pa < end && view_on_time(v); pa += CHUNK) {
		u64 len = end - pa < CHUNK ? end - pa : CHUNK;
		struct source_range r = { .pa = pa,
					  .len = (u32)len,
					  .to = chunk };

		if (regions_have(v->regions, pa, len) &&
		    !source_read(v->source, &r, 1) && !r.absent &&
		    in_chunk(k, v, chunk, pa, len, other))
			return true;
	}
	return false;
}

static bool by_scan(struct kernel *k, struct view *v, char *other)
{
	char *chunk = calloc(1, CHUNK);
	bool found = false;
	u64 pa = 0, len;

	while (chunk && !found && view_on_time(v) &&
	       v->source->ops->next_data(v->source, &pa, &len)) {
		u64 end = pa + len;

		found = in_data(k, v, chunk, pa & ~(PAGE - 1), end, other);
		pa = end;
	}
	if (chunk)
		explicit_bzero(chunk, CHUNK);
	free(chunk);
	return found;
}

static bool guess(struct kernel *k, struct view *v,
		  const struct find_hints *hints, struct places *found,
		  char *other)
{
	u64 place;

	k->found = "the kpgd file";
	if (hints->kpgd &&
	    prove_said(k, v, hints->kpgd - from_text(k, k->arch->tables)))
		return true;
	if (hints->kpgd)
		LOG_WARN(
			"the kpgd file names %#lx, where the kernel of the map "
			"has no page tables; it is searched for",
			hints->kpgd);
	k->found = "VMCOREINFO of the file";
	if (hints->vmcoreinfo && k->arch->place(k, hints->vmcoreinfo, &place) &&
	    prove_said(k, v, place))
		return true;
	k->found = "its banner";
	if (by_banner(k, v, found))
		return true;
	k->found = "VMCOREINFO in memory";
	return !found->nr && by_scan(k, v, other);
}

static u64 now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000 + (u64)t.tv_nsec / 1000;
}

static bool is_empty(struct view *v)
{
	u64 pa = 0, len;

	return !v->source->ops->next_data(v->source, &pa, &len);
}

static doca_error_t not_found(const struct kernel *k, struct view *v,
			      const struct places *found, const char *other)
{
	const char *banner = k->map.banner;
	int len = (int)strcspn(banner, "\n");

	if (v->error == VIEW_NO_MEMORY)
		return OUT_OF_MEMORY("a view");
	if (v->error == VIEW_LOST)
		return FAIL(INITIALIZATION, "the target cannot be read");
	if (found->nr == 2)
		return FAIL(INITIALIZATION,
			    "the kernel of the map is at %#lx and at %#lx: one "
			    "of them is forged, or was left by kexec; name the "
			    "tables of the other by a kpgd file",
			    found->first.text_pa, found->other);
	if (k->lacking)
		return FAIL(INITIALIZATION,
			    "pages that lead to the kernel of the map are not "
			    "in the image, or not in the memory regions: "
			    "\"%.*s\"",
			    len, banner);
	/* only after a search of all memory can this be another kernel's VMCOREINFO */
	if (*other)
		return FAIL(INITIALIZATION,
			    "the target runs release %s, but the map is of "
			    "\"%.*s\"; make a map of its kernel",
			    other, len, banner);
	if (v->error == VIEW_BUDGET)
		return FAIL(
			INITIALIZATION,
			"the kernel was not found within %lu MiB and %lu s; "
			"DOCA_APSH_BUDGET=MiB,s allows more",
			v->budget.bytes >> 20, v->budget.ms / 1000);
	if (k->flaw)
		return FAIL(INITIALIZATION,
			    "the banner of the map's kernel is at %#lx, but "
			    "%s: an earlier kernel has left it there, or the "
			    "image was changed, or taken while the machine "
			    "ran; a kpgd file can name other tables",
			    k->flawed, k->flaw);
	if (is_empty(v))
		return FAIL(INITIALIZATION,
			    "nothing was ever written to the memory of the "
			    "target; is the machine on, and was QEMU started "
			    "with share=on?");
	return FAIL(INITIALIZATION,
		    "the kernel of the map is not in the memory that may be "
		    "read: \"%.*s\"; the target may run another one, of which "
		    "doca_apsh_map makes a map, or its memory may be encrypted",
		    len, banner);
}

doca_error_t kernel_find(struct kernel *k, struct view *v,
			 const struct find_hints *hints)
{
	struct places found = { .nr = 0 };
	u64 start = now_us();
	char other[65] = "";

	k->arch = arch_of(&k->map);
	k->lacking = false;
	k->flaw = NULL;
	if (v->source->machine && v->source->machine != k->arch->machine)
		return FAIL(INITIALIZATION,
			    "the image is of a machine of %s, but the map is "
			    "of a kernel for %s",
			    arch_of_machine(v->source->machine)->name,
			    k->arch->name);
	if (guess(k, v, hints, &found, other)) {
		LOG_INFO("found by %s in %lu us: _text at %#lx, %d levels of "
			 "tables, moved by %#lx: %.*s",
			 k->found, now_us() - start, k->text_pa, k->levels,
			 k->delta, (int)strcspn(k->map.banner, "\n"),
			 k->map.banner);
		return DOCA_SUCCESS;
	}
	/* a dump lacks a page when that is read; more budget may find the kernel elsewhere */
	k->lacking |= v->error != VIEW_BUDGET && v->source->lacks;
	if (v->error == VIEW_NO_MEMORY || v->error == VIEW_LOST ||
	    found.nr == 2)
		k->lacking = false; /* the reason is another one */
	return not_found(k, v, &found, other);
}
