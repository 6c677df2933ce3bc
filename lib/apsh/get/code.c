// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel's code, compared with its image. Code is read first: a probe is known before it is
 * written there, and is still known when it was taken away.
 */
#include <stdlib.h>
#include <string.h>

#include "../arch/arch.h"
#include "code_compare.h"

LOG_SOURCE("APSH");

/* So much is asked for at once. */
enum { PART = 1 << 20 };

/* Return why the image may not be that of the kernel; NULL if it is. */
static const char *flaw_of(struct view *v, struct code *code)
{
	const struct code_section *notes = code_section(code, ".notes");
	const struct kernel *k = v->kernel;
	u64 banner = code_symbol(code, "linux_banner");
	size_t len = strlen(k->map.banner) + 1;
	const u8 *bytes = code_bytes(code, banner, len);
	u8 now[1024];

	if (code->text != k->map.symbols[S__text] || !bytes ||
	    memcmp(bytes, k->map.banner, len) != 0)
		return "the image is that of another kernel";
	if (!notes || notes->size > sizeof(now) ||
	    !code_bytes(code, notes->address, notes->size))
		return "the image has no build id";
	if (!view_read(v, NULL, notes->address + k->delta, now, notes->size))
		return "the build id of the kernel is not in memory";
	if (memcmp(now, code_bytes(code, notes->address, notes->size),
		   notes->size) != 0)
		return "the image has another build id than the kernel";
	return code_relocate(code, k->delta) ?
		       NULL :
		       "the kernel was moved, and the image does not tell "
		       "where it has addresses";
}

/* Find the bytes of the image that are code: from its beginning, as one part. */
static const char *find_text(struct text *t)
{
	const struct code *code = t->x.code;

	for (u32 i = 0; i < code->nr_sections && !t->size; i++) {
		const struct code_section *s = &code->sections[i];
		u64 end = s->address + s->size;

		if (!s->executable || s->address > code->stext ||
		    end <= code->stext)
			continue;
		if (end > code->etext)
			end = code->etext;
		t->at = s->address;
		t->size = (u32)(end - s->address);
		t->was = code_bytes(code, t->at, t->size);
	}
	if (!t->was || t->at < code->text)
		return "the image has no code between _stext and _etext";
	t->now = malloc(t->size);
	t->missing = calloc(t->size / PAGE + 1, 1);
	if (!t->now || !t->missing)
		t->x.h.c->view.error = VIEW_NO_MEMORY;
	return NULL;
}

static void read_text(struct text *t)
{
	struct view *v = &t->x.h.c->view;
	u64 va = t->at + t->x.delta;

	for (u32 i = 0; i < t->size && !v->error; i += PAGE) {
		u32 len = t->size - i < PAGE ? t->size - i : PAGE;

		if (i % PART == 0) {
			view_want(v, NULL, va + i,
				  t->size - i < PART ? t->size - i : PART);
			view_flush(v);
		}
		if (view_read(v, NULL, va + i, t->now + i, len))
			continue;
		t->missing[i / PAGE] = true;
		memcpy(t->now + i, t->was + i, len);
	}
}

/* The processor executes code where its tables lead, which has to be the image. */
static void check_mapping(struct text *t)
{
	struct call *c = t->x.h.c;
	const struct kernel *k = c->view.kernel;
	u64 va = t->at + t->x.delta, end = va + t->size, pa, left;
	u64 text = kernel_symbol(k, S__text);
	u32 found = 0;

	for (; va < end && !c->view.error; va += left) {
		u64 misses = c->view.misses;

		if (!tables_walk(&c->view, k->root, va, &pa, &left)) {
			if (c->view.misses == misses)
				finding_unknown(c, "",
						"not all of the kernel's code "
						"is mapped");
			return;
		}
		if (pa == va - text + k->text_pa)
			continue;
		if (++found > CODE_MOST_FOUND) {
			finding_unknown(c, "",
					"more of the kernel's code is mapped "
					"elsewhere");
			return;
		}
		finding_suspicious(c, (struct place_of){ va, 16 },
				   code_name_at(&t->x, va - t->x.delta), va,
				   "the page tables lead to another page than "
				   "that of the kernel's image");
	}
}

static void find_thunks(struct comparison *x)
{
	x->form = code_form;
	x->thunks = code_symbol(x->code, "__x86_indirect_thunk_array");
	x->call_thunks =
		code_symbol(x->code, "__x86_indirect_call_thunk_array");
	x->jump_thunks =
		code_symbol(x->code, "__x86_indirect_jump_thunk_array");
	x->its_thunks = code_symbol(x->code, "__x86_indirect_its_thunk_array");
}

static void check_all(struct text *t)
{
	struct call *c = t->x.h.c;

	read_text(t);
	check_mapping(t);
	hooks_find_tracers(&t->x.h);
	hooks_find_probes(&t->x.h);
	if (!code_symbol(t->x.code, "kprobe_table")) /* the kernel has none */
		t->x.h.probes_whole = true;
	find_thunks(&t->x);
	code_take_probes_out(t);
	code_compare(t);
	if (t->skipped)
		finding_note(c, snapshot_format(c->snap,
						"of %u bytes %lu could not be "
						"compared: the kernel writes "
						"there itself",
						t->size, t->skipped));
}

static void compare(struct text *t, struct code *code)
{
	struct call *c = t->x.h.c;
	const char *flaw = flaw_of(&c->view, code);

	t->x.code = code;
	t->x.delta = c->view.kernel->delta;
	if (!flaw)
		flaw = find_text(t);
	if (flaw)
		finding_unknown(c, "", flaw);
	else if (!c->view.error)
		check_all(t);
	free(t->now);
	free(t->missing);
}

static void fill(struct call *c)
{
	struct text t = { .x.h.c = c };
	struct doca_apsh_system *system = c->system;

	if (!owners_begin(c, &t.x.h.owners))
		return;
	if (system->code)
		compare(&t, system->code);
	else
		finding_unknown(c, "",
				*system->code_lack ?
					snapshot_string(c->snap,
							system->code_lack) :
					"no image was given to compare with");
	hooks_end(&t.x.h);
}

static const struct getter code_getter = {
	.what = "findings of code",
	.limit = -1,
	.object = &apsh_finding_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_priv_apsh_code_check, apsh_finding, findings,
		  findings_size, &code_getter)
