// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Differences between the code in memory and that of the image, as findings. */
#include <stdio.h>
#include <string.h>

#include "code_compare.h"

enum {
	MOST_BYTES = 16,
	MOST_BACK = 6, /* a branch may begin so far in front of its last byte */
	GAP = 4, /* so many bytes in between that are as they were belong to a difference */
};

const char *code_name_at(struct comparison *x, u64 at)
{
	const struct code_symbol *s = code_symbol_at(x->code, at);

	return s ? snapshot_format(x->h.c->snap, "%s+0x%lx", s->name,
				   at - s->address) :
		   "";
}

static void hex(char to[3 * MOST_BYTES + 1], const u8 *bytes, u32 len)
{
	*to = '\0';
	for (u32 i = 0; i < len; i++)
		snprintf(to + 3 * i, 4, "%02x ", bytes[i]);
}

/* Return how many bytes were written together. */
static u32 length_of(const struct text *t, u32 i)
{
	u32 end = i + 1;

	for (u32 k = i; k < t->size && k < i + MOST_BYTES && k < end + GAP; k++)
		if (t->now[k] != t->was[k])
			end = k + 1;
	return end - i;
}

/* Return how far memory was read from there, at least as far as a branch may be long. */
static u32 end_of(const struct text *t, u32 i)
{
	u32 next = (i / PAGE + 1) * PAGE;

	if (next < t->size && !t->missing[next / PAGE])
		next += PAGE;
	return next < t->size ? next : t->size;
}

/*
 * Return which module's memory is led to from there, or from a few bytes before; 0 if none is. Where
 * instructions begin is not known, so other memory proves nothing.
 */
static u64 leads_out(const struct text *t, u32 i)
{
	u32 end = end_of(t, i);

	for (u32 back = 0; back <= MOST_BACK && back <= i; back++) {
		struct piece now = { t->now + i - back, t->at + i - back };
		struct branch b = code_branch(now, end - i + back);
		u64 va = b.target + t->x.delta;

		if (b.code && b.len > back && owner_module(&t->x.h.owners, va))
			return va;
	}
	return 0;
}

/* Do so for each byte up to the end that differs; it is in *at. */
static u64 first_out(const struct text *t, u32 i, u32 end, u32 *at)
{
	u64 target = 0;

	for (; i < end && !target; i++) {
		*at = i;
		if (t->now[i] != t->was[i])
			target = leads_out(t, i);
	}
	return target;
}

/* Say what stands there, so many bytes long. Return NULL if it is only counted. */
static struct apsh_finding *find(struct text *t, u32 i, u32 len, u64 target)
{
	struct call *c = t->x.h.c;
	char now[3 * MOST_BYTES + 1], was[3 * MOST_BYTES + 1];
	struct place_of proof = { t->at + i + t->x.delta, len };
	const char *what;

	if (t->found++ >= CODE_MOST_FOUND)
		return NULL;
	hex(now, t->now + i, len);
	hex(was, t->was + i, len);
	what = snapshot_format(c->snap, "%sis in place of %s%s%s", now, was,
			       target ? "and leads to " : "of the image",
			       target ? owner_of(c, &t->x.h.owners, target) :
					"");
	return finding_suspicious(c, proof, code_name_at(&t->x, t->at + i),
				  target ? target : proof.va, what);
}

/* Return true if all of its bytes are there. */
static bool is_there(const struct text *t, u32 i, u32 len)
{
	for (u32 page = i / PAGE; page <= (i + len - 1) / PAGE; page++)
		if (t->missing[page])
			return false;
	return true;
}

struct judged {
	const struct site *site; /* NULL: the kernel changes nothing there */
	enum form form;
	u64 target;
};

/* These have forms that are not all known. */
static bool may_be_more(const struct judged *j)
{
	const struct site *s = j->site;

	return j->form == FORM_DOUBTED ||
	       (s && (s->kind == SITE_ALTERNATIVE || s->kind == SITE_PARAVIRT ||
		      s->kind == SITE_CFI || s->kind == SITE_HYPERCALL));
}

/*
 * Several places may have the byte: the one counts that knows most of it. An unknown check of CFI
 * says nothing of the call behind it, so the shorter one counts.
 */
static struct judged judge(struct text *t, u32 i)
{
	const struct code *code = t->x.code;
	u32 at = (u32)(t->at + i - code->text), start = at - i;
	struct judged best = { NULL, FORM_UNKNOWN, 0 };

	for (u32 n = code_first_site(code, at);
	     n < code->nr_sites && code->sites[n].at <= at; n++) {
		const struct site *s = &code->sites[n];
		u32 from = s->at - start;
		enum form form = FORM_SKIPPED;

		if (at - s->at >= s->len || s->at < start ||
		    from + s->len > t->size)
			continue;
		t->x.target = 0;
		if (is_there(t, from, s->len))
			form = code_form(
				&t->x, s,
				(struct piece){ t->now + from, t->at + from },
				(struct piece){ t->was + from, t->at + from });
		if (!best.site || form > best.form ||
		    (form == best.form && best.site->kind == SITE_CFI &&
		     s->kind != SITE_CFI))
			best = (struct judged){ s, form, t->x.target };
	}
	return best;
}

/* Return the end of what may be a probe's; 0 if that is nothing, or leads to a module. */
static u32 end_of_probe(struct text *t, u32 i, const struct judged *j, u32 from,
			u32 end)
{
	u32 jump, at;

	if (j->form == FORM_FOREIGN)
		return 0;
	jump = code_may_be_jump(t, from, end);
	if (jump)
		return jump > end ? jump : end;
	if (first_out(t, i, i + 1, &at) ||
	    !code_may_be_breakpoint(t, i, j->site))
		return 0;
	doubt(&t->probed, t->at + i);
	return end;
}

/* Say what the kernel does not write. Return where it ends. */
static u32 accuse(struct text *t, u32 i, const struct judged *j, u32 from,
		  u32 end)
{
	u32 len = length_of(t, i), at, probe;
	u64 target = first_out(t, i, i + 1, &at);
	struct apsh_finding *o;

	probe = end_of_probe(t, i, j, from, end);
	if (probe)
		return probe;
	if (j->form == FORM_FOREIGN) {
		len = end - from < MOST_BYTES ? end - from : MOST_BYTES;
		target = j->target;
		at = from;
	} else if (may_be_more(j) && !target) {
		target = first_out(t, i, end, &at);
		if (!target) {
			doubt(&t->unmatched, t->at + from);
			return end;
		}
		len = length_of(t, at);
	} else {
		end = i + len;
	}
	o = find(t, at, len, target);
	if (o && !target)
		code_prove_no_probe(t, at, at + len, &o->object);
	if (o && j->site && j->site->kind == SITE_STATIC_CALL)
		code_prove_static_call(&t->x, j->site, o);
	return end;
}

/* Any bytes may be there, but for a branch to a module. One to nobody's memory may be by chance. */
static void skip(struct text *t, const struct site *s, u32 i, u32 end)
{
	u32 from = (u32)(s->at + t->x.code->text - t->at), at;
	u64 target = first_out(t, i, end, &at);

	if (target) {
		find(t, at, length_of(t, at), target);
		return;
	}
	if (s->kind == SITE_CONSTANT &&
	    code_branches_out(&t->x,
			      (struct piece){ t->now + from, t->at + from },
			      end - from))
		doubt(&t->branching, t->at + from);
	for (; i < end; i++)
		t->skipped += t->now[i] != t->was[i];
}

/* Go behind the difference at that byte. */
static u32 pass(struct text *t, u32 i)
{
	struct judged j = judge(t, i);
	u32 from = i, end = i + 1;

	if (j.site) {
		from = (u32)(j.site->at + t->x.code->text - t->at);
		end = from + j.site->len;
	}
	switch (j.form) {
	case FORM_UNKNOWN:
	case FORM_DOUBTED:
	case FORM_FOREIGN:
		return accuse(t, i, &j, from, end);
	case FORM_UNFOLLOWED:
		doubt(&t->unfollowed, t->at + from);
		break;
	case FORM_CHANGING:
		doubt(&t->changing, t->at + from);
		break;
	case FORM_SKIPPED:
		skip(t, j.site, i, end);
		break;
	case FORM_KEYED:
		doubt(&t->keyed, t->at + from);
		break;
	case FORM_KNOWN:
		break;
	}
	return end;
}

static void say(struct text *t, const struct doubt *d, const char *what)
{
	struct call *c = t->x.h.c;

	if (d->nr)
		finding_unknown(c, code_name_at(&t->x, d->first),
				snapshot_format(c->snap, what, d->nr));
}

static void find_pointer(struct text *t, u64 at)
{
	struct call *c = t->x.h.c;

	if (t->found++ < CODE_MOST_FOUND)
		finding_suspicious(
			c, (struct place_of){ at + t->x.delta, 6 },
			code_name_at(&t->x, at), t->x.target,
			snapshot_format(c->snap,
					"it goes by a pointer that leads to %s",
					owner_of(c, &t->x.h.owners,
						 t->x.target)));
}

/* Bytes that do not differ lead elsewhere, too, if they go by a pointer. */
static void check_pointer(struct text *t, const struct site *s,
			  struct piece now, struct piece was)
{
	enum form form = code_form_by_pointer(&t->x, s, now, was);

	if (form == FORM_FOREIGN)
		find_pointer(t, now.at);
	else if (form == FORM_UNKNOWN)
		doubt(&t->pointed, now.at);
	else if (form == FORM_DOUBTED)
		doubt(&t->unread, now.at);
}

/* The kernel may have written another alternative over one. */
static bool is_in_alternative(const struct code *code, const struct site *s)
{
	for (u32 n = code_first_site(code, s->at);
	     n < code->nr_sites && code->sites[n].at < s->at + s->len; n++)
		if (code->sites[n].kind == SITE_ALTERNATIVE &&
		    code->sites[n].at + code->sites[n].len > s->at)
			return true;
	return false;
}

static void find_jump(struct text *t, const struct site *s, u64 at, bool jumps)
{
	struct place_of proof = { at + t->x.delta, s->len };
	struct apsh_finding *o;

	if (is_in_alternative(t->x.code, s)) {
		doubt(&t->unmatched, at);
		return;
	}
	if (t->found++ >= CODE_MOST_FOUND)
		return;
	o = finding_suspicious(
		t->x.h.c, proof, code_name_at(&t->x, at), proof.va,
		jumps ? "it jumps, and its key says that it does not" :
			"it does not jump, and its key says that it does");
	if (o)
		code_prove_jump(&t->x, s, o);
}

/* Bytes that do not differ are wrong, too, if the key has changed since. */
static void check_jump(struct text *t, const struct site *s, struct piece now,
		       struct piece was)
{
	bool jumps;
	enum form form = code_form_switched(&t->x, s, now, was, &jumps);

	if (form == FORM_UNKNOWN)
		find_jump(t, s, now.at, jumps);
	else if (form == FORM_CHANGING)
		doubt(&t->changing, now.at);
	else if (form == FORM_DOUBTED)
		doubt(&t->keyless, now.at);
}

static void want_keys(struct text *t)
{
	const struct code *code = t->x.code;

	for (u32 n = 0; n < code->nr_sites && view_on_time(&t->x.h.c->view);
	     n++)
		if (code->sites[n].kind == SITE_JUMP)
			code_want_key(&t->x, &code->sites[n]);
	view_flush(&t->x.h.c->view);
}

static void check_site(struct text *t, const struct site *s)
{
	u64 at = t->x.code->text + s->at;
	u32 i = (u32)(at - t->at);
	struct piece now, was;

	if (at < t->at || at + s->len > t->at + t->size ||
	    !is_there(t, i, s->len))
		return;
	now = (struct piece){ t->now + i, at };
	was = (struct piece){ t->was + i, at };
	if (s->kind == SITE_JUMP)
		check_jump(t, s, now, was);
	else if (s->kind == SITE_PARAVIRT || s->kind == SITE_ALTERNATIVE)
		check_pointer(t, s, now, was);
}

static void check_sites(struct text *t)
{
	const struct code *code = t->x.code;

	want_keys(t);
	for (u32 n = 0; n < code->nr_sites && view_on_time(&t->x.h.c->view);
	     n++)
		check_site(t, &code->sites[n]);
}

void code_compare(struct text *t)
{
	struct call *c = t->x.h.c;

	for (u32 i = 0, page = 0; i < t->size && !c->view.error;) {
		if ((i / PAGE != page || t->now[i] != t->was[i]) &&
		    !view_on_time(&c->view))
			break;
		page = i / PAGE;
		if (t->missing[i / PAGE])
			i = (i / PAGE + 1) * PAGE;
		else if (t->now[i] != t->was[i])
			i = pass(t, i);
		else
			i++;
	}
	check_sites(t);
	if (t->found > CODE_MOST_FOUND)
		finding_unknown(c, "",
				snapshot_format(c->snap,
						"%u more places differ",
						t->found - CODE_MOST_FOUND));
	say(t, &t->unfollowed,
	    "%u functions call memory of no module, which no tracer names; "
	    "this is the first");
	say(t, &t->keyed,
	    "%u static calls lead to other code than the kernel's, as their "
	    "keys say; this is the first");
	say(t, &t->changing,
	    t->x.h.c->view.source->drawn_out ?
		    "%u places may have been changed while the image was "
		    "written; this is the first" :
		    "%u places are being changed; this is the first");
	say(t, &t->pointed,
	    "%u places go by a pointer that leads to no function of the "
	    "kernel; this is the first");
	say(t, &t->probed,
	    "%u places may be those of probes, not all of which are known; "
	    "this is the first");
	say(t, &t->unread,
	    "%u places go by a pointer that cannot be read; this is the first");
	say(t, &t->keyless,
	    "%u jump labels have keys that are not known; this is the first");
	say(t, &t->branching,
	    "%u places that may have any bytes have a branch to memory of no "
	    "module; this is the first");
	say(t, &t->unmatched,
	    "%u places have none of the forms that are known; this is the "
	    "first");
}
