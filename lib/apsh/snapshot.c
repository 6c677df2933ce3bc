// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

#include "secret.h"
#include "snapshot.h"
#include "system.h"

struct chunk {
	struct chunk *next;
	size_t size, used;
	_Alignas(16) u8 data[];
};

struct snapshot *snapshot_new(struct doca_apsh_system *system,
			      const struct object_type *type)
{
	struct snapshot *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->system = system_get(system);
	s->type = type;
	s->left = UINT64_MAX;
	return s;
}

static void forget(struct snapshot *s)
{
	if (!s->array || !doca_priv_debug)
		return;
	for (u32 i = 0; i < s->nr; i++)
		if (!s->list[i]->changed)
			doca_priv_debug_del(s->list[i]);
	doca_priv_debug_del(s->array);
}

void snapshot_free(struct snapshot *s)
{
	struct chunk *c, *next;

	if (!s)
		return;
	forget(s);
	if (s->keep)
		s->drop(s->keep);
	for (c = s->chunks; c; c = next) {
		next = c->next;
		secret_free(c, c->size + sizeof(*c), c->used + sizeof(*c));
	}
	system_put(s->system);
	free(s->list);
	free(s);
}

void *snapshot_alloc(struct snapshot *s, size_t size)
{
	struct chunk *c = s->chunks;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (size > s->left) {
		s->no_memory = s->full = true;
		return NULL;
	}
	if (!c || size > c->size - c->used) {
		size_t room = SECRET_BLOCK - sizeof(*c);

		if (room < size)
			room = size;
		c = secret_alloc(room + sizeof(*c));
		if (!c) {
			s->no_memory = true;
			return NULL;
		}
		*c = (struct chunk){ .next = s->chunks, .size = room };
		s->chunks = c;
	}
	p = c->data + c->used;
	c->used += size;
	s->left -= size;
	memset(p, 0, size);
	return p;
}

void *snapshot_add(struct snapshot *s, size_t size)
{
	struct object *o;

	if (s->nr == s->max) {
		u32 max = s->max ? 2 * s->max : 64;
		struct object **list =
			reallocarray(s->list, max, sizeof(*list));

		if (!list) {
			s->no_memory = true;
			return NULL;
		}
		s->list = list;
		s->max = max;
	}
	o = snapshot_alloc(s, size);
	if (!o)
		return NULL;
	o->snap = s;
	s->list[s->nr++] = o;
	return o;
}

const char *snapshot_string(struct snapshot *s, const char *text)
{
	size_t len = strlen(text);
	char *to = len ? snapshot_alloc(s, len + 1) : NULL;

	return to ? memcpy(to, text, len + 1) : "";
}

const char *snapshot_format(struct snapshot *s, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return snapshot_string(s, text);
}

static void publish(const struct snapshot *s, u32 n)
{
	if (doca_likely(!doca_priv_debug))
		return;
	for (u32 i = 0; i < n; i++)
		doca_priv_debug_add(s->array[i], s->type, sizeof(struct object),
				    1);
	doca_priv_debug_add(s->array, &apsh_array_object, n * sizeof(*s->array),
			    1);
}

void *snapshot_array(struct snapshot *s, int *nr)
{
	void **array;
	u32 n = 0;

	*nr = 0;
	if (!s->nr)
		return NULL;
	s->left = UINT64_MAX;
	array = snapshot_alloc(s, ((size_t)s->nr + 2) * sizeof(*array));
	if (!array)
		return NULL;
	*array++ = s;
	for (u32 i = 0; i < s->nr; i++)
		if (!s->list[i]->changed)
			array[n++] = s->list[i];
	*nr = (int)n;
	if (!n)
		return NULL;
	s->array = array;
	publish(s, n);
	return array;
}

struct snapshot *snapshot_of(void *array)
{
	return ((void **)array)[-1];
}
