// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Converts types from BTF to ISF. A type without a name is named by its number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "isf.h"

/* Maximum of typedefs and qualifiers in a row, or of nested arrays; no kernel has as many. */
#define MAX_CHAIN 64

struct walk {
	struct isf_types *to;
	struct btf *btf;
	bool *queued; /* indexed by id */
	uint32_t *queue;
	uint32_t nr, done;
	uint32_t arrays; /* number of nested arrays at the current place */
};

static const struct btf_type *type_by_id(const struct walk *w, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(w->btf, id);

	if (!t)
		fail("the BTF has no type %u: it is damaged", id);
	return t;
}

/* Skip qualifiers and names, which change nothing in memory. */
static uint32_t strip(const struct walk *w, uint32_t id)
{
	for (int i = 0; i < MAX_CHAIN; i++) {
		const struct btf_type *t = type_by_id(w, id);

		if (!btf_is_mod(t) && !btf_is_typedef(t) && !btf_is_type_tag(t))
			return id;
		id = t->type;
	}
	fail("type %u of the BTF is of itself: it is damaged", id);
}

/* The result is valid until the next call. */
static const char *name_of(const struct walk *w, uint32_t id)
{
	static char buf[32];
	const char *name =
		btf__name_by_offset(w->btf, type_by_id(w, id)->name_off);

	if (name && *name)
		return name;
	snprintf(buf, sizeof(buf), "unnamed_%u", id);
	return buf;
}

static bool has_name(const struct walk *w, uint32_t id)
{
	return type_by_id(w, id)->name_off;
}

static void want(struct walk *w, uint32_t id)
{
	if (w->queued[id])
		return;
	w->queued[id] = true;
	w->queue[w->nr++] = id;
}

static struct json_object *kind_only(const char *kind)
{
	struct json_object *type = isf_object();

	isf_add(type, "kind", isf_text(kind));
	return type;
}

static struct json_object *describe(struct walk *w, uint32_t id, int depth);

static struct json_object *pointer_to(struct walk *w, uint32_t id, int depth)
{
	struct json_object *type = kind_only("pointer");

	isf_add(type, "subtype", describe(w, id, depth + 1));
	return type;
}

static struct json_object *array_of(struct walk *w, const struct btf_array *a,
				    int depth)
{
	struct json_object *type = kind_only("array");

	if (++w->arrays > MAX_CHAIN)
		fail("an array of the BTF is of itself: it is damaged");
	isf_add(type, "count", isf_number(a->nelems));
	isf_add(type, "subtype", describe(w, a->type, depth));
	w->arrays--;
	return type;
}

/* Types that are only pointed to are not needed, unless they have no name to ask for. */
static struct json_object *composite(struct walk *w, uint32_t id, int depth)
{
	const struct btf_type *t = type_by_id(w, id);

	if (!depth || !has_name(w, id))
		want(w, id);
	return isf_named(btf_is_union(t) ? "union" : "struct", name_of(w, id));
}

/* depth counts pointers. */
static struct json_object *describe(struct walk *w, uint32_t id, int depth)
{
	const struct btf_type *t;

	if (depth > MAX_CHAIN)
		fail("a type of the BTF points to itself: it is damaged");
	id = strip(w, id);
	t = type_by_id(w, id);
	switch (btf_kind(t)) {
	case BTF_KIND_UNKN:
		return isf_named("base", "void");
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return isf_named("base", name_of(w, id));
	case BTF_KIND_PTR:
		return pointer_to(w, t->type, depth);
	case BTF_KIND_ARRAY:
		return array_of(w, btf_array(t), depth);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return composite(w, id, depth);
	case BTF_KIND_FWD:
		return isf_named(btf_kflag(t) ? "union" : "struct",
				 name_of(w, id));
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		want(w, id);
		return isf_named("enum", name_of(w, id));
	case BTF_KIND_FUNC_PROTO:
		return kind_only("function");
	default:
		fail("type %u of the BTF is of kind %u, which nothing can have",
		     id, btf_kind(t));
	}
}

/*
 * Describe bits of a number. It may be anywhere that a number of its size may be,
 * unless the bits cross two of them.
 */
static struct json_object *bits(struct walk *w, uint32_t id, uint32_t at,
				uint32_t len, uint64_t *offset)
{
	struct json_object *type = kind_only("bitfield");
	int64_t size = btf__resolve_size(w->btf, id);

	if (size < 1 || size > 8)
		fail("type %u of the BTF has no bits", id);
	*offset = at / (8 * size) * size;
	if (at - 8 * *offset + len > 8 * (uint64_t)size)
		*offset = at / 8;
	isf_add(type, "bit_position", isf_number(at - 8 * *offset));
	isf_add(type, "bit_length", isf_number(len));
	isf_add(type, "type", describe(w, id, 0));
	return type;
}

/* i is the field's index. */
static void add_named(struct json_object *fields, const char *name, uint32_t i,
		      uint64_t offset, struct json_object *field)
{
	char buf[64];

	if (*name) {
		isf_add(fields, name, field);
		return;
	}
	isf_add(field, "anonymous", json_object_new_boolean(true));
	snprintf(buf, sizeof(buf), "unnamed_field_%llx",
		 (unsigned long long)offset);
	if (json_object_object_get_ex(fields, buf, NULL))
		snprintf(buf, sizeof(buf), "unnamed_field_%llx_%u",
			 (unsigned long long)offset, i);
	isf_add(fields, buf, field);
}

static void add_field(struct walk *w, struct json_object *fields,
		      const struct btf_type *t, uint32_t i)
{
	const struct btf_member *m = &btf_members(t)[i];
	uint32_t at = btf_member_bit_offset(t, i);
	uint32_t len = btf_member_bitfield_size(t, i);
	struct json_object *field = isf_object(), *type;
	const char *name = btf__name_by_offset(w->btf, m->name_off);
	uint64_t offset = at / 8;

	type = len ? bits(w, m->type, at, len, &offset) :
		     describe(w, m->type, 0);
	isf_add(field, "type", type);
	isf_add(field, "offset", isf_number(offset));
	add_named(fields, name ? name : "", i, offset, field);
}

static void add_composite(struct walk *w, uint32_t id)
{
	const struct btf_type *t = type_by_id(w, id);
	struct json_object *json, *fields;

	if (json_object_object_get_ex(w->to->user, name_of(w, id), NULL))
		return;
	json = isf_object();
	fields = isf_object();
	for (uint32_t i = 0; i < btf_vlen(t); i++)
		add_field(w, fields, t, i);
	isf_add(json, "kind", isf_text(btf_is_union(t) ? "union" : "struct"));
	isf_add(json, "size", isf_number(t->size));
	isf_add(json, "fields", fields);
	isf_add(w->to->user, name_of(w, id), json);
}

static const char *enum_base(uint32_t size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? "signed char" : "unsigned char";
	case 2:
		return is_signed ? "short int" : "short unsigned int";
	case 4:
		return is_signed ? "int" : "unsigned int";
	default:
		return is_signed ? "long int" : "long unsigned int";
	}
}

static struct json_object *enum_value(const struct btf_type *t, uint32_t i)
{
	uint64_t value;

	if (btf_is_enum64(t))
		value = btf_enum64_value(&btf_enum64(t)[i]);
	else
		value = btf_enum(t)[i].val;
	/* A flag tells whether all are signed. */
	if (btf_kflag(t) || !btf_is_enum64(t))
		return json_object_new_int64((int64_t)value);
	return isf_number(value);
}

static void add_base(struct isf_types *to, const char *name, uint32_t size,
		     bool is_signed, const char *kind)
{
	struct json_object *json;

	if (json_object_object_get_ex(to->base, name, NULL))
		return;
	json = isf_object();
	isf_add(json, "size", isf_number(size));
	isf_add(json, "signed", json_object_new_boolean(is_signed));
	isf_add(json, "kind", isf_text(kind));
	isf_add(json, "endian", isf_text("little"));
	isf_add(to->base, name, json);
}

static void add_enum(struct walk *w, uint32_t id)
{
	const struct btf_type *t = type_by_id(w, id);
	const char *base = enum_base(t->size, btf_kflag(t));
	struct json_object *json, *values;
	const char *name;
	uint32_t at;

	if (json_object_object_get_ex(w->to->enums, name_of(w, id), NULL))
		return;
	json = isf_object();
	values = isf_object();
	for (uint32_t i = 0; i < btf_vlen(t); i++) {
		at = btf_is_enum64(t) ? btf_enum64(t)[i].name_off :
					btf_enum(t)[i].name_off;
		name = btf__name_by_offset(w->btf, at);
		if (!name)
			fail("a value of type %u of the BTF has no name: it is "
			     "damaged",
			     id);
		isf_add(values, name, enum_value(t, i));
	}
	add_base(w->to, base, t->size, btf_kflag(t), "int");
	isf_add(json, "size", isf_number(t->size));
	isf_add(json, "base", isf_text(base));
	isf_add(json, "constants", values);
	isf_add(w->to->enums, name_of(w, id), json);
}

static void add_number(struct walk *w, uint32_t id)
{
	const struct btf_type *t = type_by_id(w, id);
	const char *name = name_of(w, id);
	const char *kind = "int";
	bool is_signed = true;

	if (btf_is_float(t)) {
		kind = "float";
	} else {
		is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
		if (btf_int_encoding(t) & BTF_INT_BOOL)
			kind = "bool";
		else if (t->size == 1 && strstr(name, "char"))
			kind = "char";
	}
	add_base(w->to, name, t->size, is_signed, kind);
}

/* Take all numbers, because they are few. */
static void queue_roots(struct walk *w, bool full)
{
	uint32_t nr = btf__type_cnt(w->btf);
	int id;

	for (uint32_t i = 1; i < nr; i++) {
		const struct btf_type *t = type_by_id(w, i);

		if (btf_is_int(t) || btf_is_float(t))
			add_number(w, i);
		if (full && (btf_is_composite(t) || btf_is_any_enum(t)))
			want(w, i);
	}
	for (const char *const *name = wanted_types; !full && *name; name++) {
		id = btf__find_by_name_kind(w->btf, *name, BTF_KIND_STRUCT);
		if (id > 0)
			want(w, id);
	}
}

void isf_add_types(struct isf_types *types, const struct bytes *btf, bool full)
{
	struct walk w = { .to = types };
	uint32_t id, nr;

	w.btf = btf__new(btf->data, btf->size);
	if (!w.btf)
		fail(errno == ENOMEM ? "out of memory" :
				       "the BTF of the kernel is damaged");
	nr = btf__type_cnt(w.btf);
	w.queued = need(nr * sizeof(*w.queued));
	w.queue = need(nr * sizeof(*w.queue));
	add_base(types, "void", 0, false, "void");
	add_base(types, "pointer", 8, false, "int");
	queue_roots(&w, full);
	while (w.done < w.nr) {
		id = w.queue[w.done++];
		if (btf_is_composite(type_by_id(&w, id)))
			add_composite(&w, id);
		else
			add_enum(&w, id);
	}
	free(w.queue);
	free(w.queued);
	btf__free(w.btf);
}
