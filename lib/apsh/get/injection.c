// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Look for code in a process that is in none of its files. */
#include <stdlib.h>
#include <string.h>

#include "group.h"

LOG_SOURCE("APSH");

struct doca_apsh_injection_detect {
	struct object object;
	u32 pid;
	u64 area_start, area_end, start, end;
	const char *protection, *tag, *path;
};

enum verdict { CLEAN, SUSPECT, UNKNOWN };

/* An area, and what its code has to be the same as. */
struct suspect {
	struct call *c;
	const struct area *a;
	enum { FILE_ON_DISK, FILE_IN_MEMORY, NO_FILE, KERNELS } origin;
	u64 index; /* of its first page, in its file */
	u64 pages; /* of the file */
	char path[MAX_PATH];
};

static bool is_zero(const u8 page[PAGE])
{
	return !page[0] && !memcmp(page, page + 1, PAGE - 1);
}

static bool is_elf(const u8 page[PAGE])
{
	return !memcmp(page, "\177ELF", 4);
}

/* Files that nobody else can look at stand for memory: of memfd_create(), for one. */
static bool is_in_memory(const char *path)
{
	static const char *const begins[] = { "/memfd:", "/SYSV",
					      "/dev/zero (deleted)" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(path, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Return false if what is known of the area is not all in the image. */
static bool suspect_begin(struct suspect *s, struct call *c,
			  const struct area *a)
{
	struct view *v = &c->view;
	u64 misses = v->misses;

	s->c = c;
	s->a = a;
	s->index = s->pages = 0;
	name_of_area(c, a, s->path);
	if (area_is_special(c, a)) {
		s->origin = KERNELS;
	} else if (!is_regular(v, a->inode)) {
		s->origin = NO_FILE;
	} else if (is_in_memory(s->path)) {
		s->origin = FILE_IN_MEMORY;
	} else {
		s->origin = FILE_ON_DISK;
		s->index = view_field(v, a->va, F_VMA_OFFSET);
		s->pages = pages_of_inode(v, a->inode);
	}
	return v->misses == misses;
}

/* Only a write makes a private copy of a file's page; it may have written the same. */
static enum verdict compare(const struct suspect *s, struct view *v, u64 va,
			    const u8 page[PAGE])
{
	u64 index = s->index + (va - s->a->start) / PAGE;
	u8 of_file[PAGE];
	enum verdict verdict;

	if (index >= s->pages)
		return is_zero(page) ? CLEAN : SUSPECT;
	if (!page_of_inode(v, s->a->inode, index, of_file))
		return UNKNOWN;
	verdict = memcmp(page, of_file, PAGE) ? SUSPECT : CLEAN;
	explicit_bzero(of_file, sizeof(of_file));
	return verdict;
}

/* Memory of a device that is mapped is not the process's. */
static bool is_own(const struct suspect *s, struct view *v, u64 pa)
{
	return s->origin == FILE_IN_MEMORY ||
	       (s->origin == NO_FILE && !s->a->file) || page_is_private(v, pa);
}

/* Judge a page. Set *left to the number of bytes from there that are not mapped, or to a page. */
static enum verdict judge(const struct suspect *s, struct view *v, u64 va,
			  u64 *left)
{
	enum verdict verdict = CLEAN;
	u64 pa, misses = v->misses;
	u8 page[PAGE];

	if (!view_translate(v, &s->c->space, va, &pa, left)) {
		verdict = view_none(v, &s->c->space, va) ? CLEAN : UNKNOWN;
		if (verdict == UNKNOWN || *left < PAGE)
			*left = PAGE;
		return verdict;
	}
	*left = PAGE;
	if (!is_own(s, v, pa))
		return v->misses == misses ? CLEAN : UNKNOWN;
	if (s->origin == KERNELS)
		return SUSPECT;
	if (!view_page(v, pa & ~(PAGE - 1), page))
		verdict = UNKNOWN;
	else if (s->origin == FILE_ON_DISK)
		verdict = compare(s, v, va, page);
	else if (!is_zero(page))
		verdict = SUSPECT;
	explicit_bzero(page, sizeof(page));
	return verdict;
}

/*
 * While the target runs, a frame may have become another's since the tables were read. Judge
 * again with a view that reads them again.
 */
static bool is_confirmed(const struct suspect *s, u64 start, u64 end)
{
	struct view *v = &s->c->view, again;
	struct view_budget left_over = view_left(v);
	bool same = true;
	u64 left;

	view_begin(&again, v->source, v->regions, v->kernel, &left_over);
	for (u64 va = start; va < end && same; va += PAGE)
		same = judge(s, &again, va, &left) == SUSPECT;
	v->streamed += left_over.bytes - view_left(&again).bytes;
	if (again.error)
		v->error = again.error;
	view_end(&again);
	return same;
}

static bool begins_with_elf(const struct suspect *s)
{
	struct view *v = &s->c->view;
	u8 page[PAGE];
	u64 pa, left;
	bool elf;

	elf = view_translate(v, &s->c->space, s->a->start, &pa, &left) &&
	      view_page(v, pa & ~(PAGE - 1), page) && is_elf(page);
	explicit_bzero(page, sizeof(page));
	return elf;
}

static const char *tag_of(const struct suspect *s, u64 start)
{
	if (s->origin == KERNELS)
		return "vdso";
	if (s->origin == FILE_ON_DISK)
		return "changed";
	return start == s->a->start && begins_with_elf(s) ? "elf" : "code";
}

static void add(const struct suspect *s, u64 start, u64 end)
{
	struct doca_apsh_injection_detect *o;
	struct call *c = s->c;
	char protection[5];

	if (c->snap->nr == limit_of(c, DOCA_APSH_VADS_LIMIT)) {
		c->cut = true;
		return;
	}
	if (!is_confirmed(s, start, end)) {
		c->view.stats.unjudged += (end - start) / PAGE;
		return;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return;
	area_protection(s->a, protection);
	o->pid = c->process->pid;
	o->area_start = s->a->start;
	o->area_end = s->a->end;
	o->start = start;
	o->end = end;
	o->protection = snapshot_string(c->snap, protection);
	o->tag = snapshot_string(c->snap, tag_of(s, start));
	o->path = snapshot_string(c->snap, s->path);
	view_identity(&c->view,
		      s->a->va + offset_of_field(&c->view, F_VMA_START), 16,
		      &o->object);
}

static bool goes_on(struct call *c)
{
	return view_on_time(&c->view) && !c->snap->no_memory;
}

/* Add each run of suspicious pages. */
static void look_at_code(struct suspect *s)
{
	struct call *c = s->c;
	u64 start = 0, va, left;

	for (va = s->a->start; va < s->a->end && goes_on(c); va += left) {
		enum verdict verdict = judge(s, &c->view, va, &left);

		if (verdict == SUSPECT && !start)
			start = va;
		if (verdict != SUSPECT && start) {
			add(s, start, va);
			start = 0;
		}
		c->view.stats.unjudged += verdict == UNKNOWN;
		if (left > s->a->end - va)
			left = s->a->end - va;
	}
	if (start && goes_on(c))
		add(s, start, va);
}

/* The header of a program that was loaded by hand is data beside its code. */
static void look_at_data(struct suspect *s)
{
	if (begins_with_elf(s))
		add(s, s->a->start, s->a->start + PAGE);
}

static bool has_code(struct call *c, const struct area *a)
{
	return a->flags & AREA_EXEC && !area_is_special(c, a);
}

/* Return the end of the areas without a file that follow each other, and if one has code. */
static u32 end_of_run(struct call *c, const struct area *areas, u32 nr, u32 i,
		      bool *code)
{
	*code = has_code(c, &areas[i]);
	if (areas[i].file)
		return i + 1;
	for (i++;
	     i < nr && !areas[i].file && areas[i].start == areas[i - 1].end;
	     i++)
		*code |= has_code(c, &areas[i]);
	return i;
}

static void look(struct call *c, const struct area *areas, u32 nr)
{
	bool code = false;
	u32 end = 0;

	for (u32 i = 0; i < nr && goes_on(c); i++) {
		const struct area *a = &areas[i];
		struct suspect s;

		if (i == end)
			end = end_of_run(c, areas, nr, i, &code);
		if (!code && !(a->flags & AREA_EXEC))
			continue;
		if (!suspect_begin(&s, c, a))
			c->view.stats.unjudged += (a->end - a->start) / PAGE;
		else if (a->flags & AREA_EXEC)
			look_at_code(&s);
		else
			look_at_data(&s);
	}
}

static void fill(struct call *c)
{
	struct area *areas;
	u32 nr;

	if (!areas_get(c, &areas, &nr))
		return;
	look(c, areas, nr);
	free(areas);
}

static const struct getter injection_getter = {
	.what = "suspicious areas",
	.object = &apsh_injection_detect_object,
	.limit = DOCA_APSH_VADS_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_injection_detect_get, doca_apsh_injection_detect,
		   suspected_injections, suspected_injections_size,
		   &injection_getter)
DEFINE_FREE(doca_apsh_injection_detect_free, doca_apsh_injection_detect,
	    suspected_injections)

#define SUSPECT_ATTR(name, member)                                          \
	ATTR(DOCA_APSH_INJECTION_DETECT_##name, doca_apsh_injection_detect, \
	     member)

static const struct attr attrs[] = {
	SUSPECT_ATTR(PID, pid),
	SUSPECT_ATTR(VAD_START, area_start),
	SUSPECT_ATTR(VAD_END, area_end),
	SUSPECT_ATTR(VAD_PROTECTION, protection),
	SUSPECT_ATTR(VAD_TAG, tag),
	SUSPECT_ATTR(VAD_FILE_PATH, path),
	SUSPECT_ATTR(SUSPECTED_AREA_START, start),
	SUSPECT_ATTR(SUSPECTED_AREA_END, end),
};

DEFINE_INFO_GET(__doca_apsh_injection_detect_info_get,
		doca_apsh_injection_detect, doca_apsh_injection_detect_attr,
		attrs, suspected_injection)
