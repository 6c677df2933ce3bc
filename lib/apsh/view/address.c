// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory at addresses of the kernel and of processes. */
#include <string.h>

#include "view.h"

/* The image and the direct map need no tables. */
static bool translate_kernel(struct view *v, u64 va, u64 *pa, u64 *left)
{
	const struct kernel *k = v->kernel;
	u64 text = k->map.symbols[S__text] + k->delta;
	u64 into_direct = va - k->page_offset;

	if (va >= text && va < k->image_end) {
		*pa = va - text + k->text_pa;
		*left = k->image_end - va;
		return true;
	}
	if (k->page_offset && va >= k->page_offset &&
	    into_direct < k->direct_size) {
		*pa = into_direct + k->direct_pa;
		*left = k->direct_size - into_direct;
		return *pa <= PHYSICAL_MASK;
	}
	if (va < 1ULL << 63)
		return false;
	return tables_walk(v, k->root, va, pa, left);
}

bool view_translate(struct view *v, const struct space *as, u64 va, u64 *pa,
		    u64 *left)
{
	if (v->error)
		return false;
	if (!as)
		return translate_kernel(v, va, pa, left);
	*left = -va; /* no process has the rest */
	if (!as->root || va >> v->kernel->user_bits)
		return false;
	return tables_walk(v, as->root, va, pa, left);
}

bool view_none(struct view *v, const struct space *as, u64 va)
{
	return !v->error && as->root && tables_none(v, as->root, va) &&
	       !v->error;
}

void view_want(struct view *v, const struct space *as, u64 va, size_t len)
{
	u64 pa, left, end;

	if (!len || __builtin_add_overflow(va, len - 1, &end))
		return;
	while (len && view_translate(v, as, va, &pa, &left)) {
		u64 n = left < len ? left : len;

		view_want_physical(v, pa, n);
		va += n;
		len -= n;
	}
}

bool view_read(struct view *v, const struct space *as, u64 va, void *to,
	       size_t len)
{
	size_t done = 0;
	u64 end, pa, left;

	memset(to, 0, len);
	if (!len || __builtin_add_overflow(va, len - 1, &end))
		return !len;
	while (done < len) {
		size_t n = len - done;

		if (!view_translate(v, as, va + done, &pa, &left) || v->error)
			break;
		if (n > left)
			n = left;
		if (!view_physical(v, pa, (u8 *)to + done, n))
			break;
		done += n;
	}
	if (done == len)
		return true;
	memset(to, 0, len);
	return false;
}

bool view_read_field(struct view *v, u64 object, enum field f, void *to,
		     size_t len)
{
	memset(to, 0, len);
	return object && has(v, f) &&
	       view_read(v, NULL, object + offset_of_field(v, f), to, len);
}

u64 view_field(struct view *v, u64 object, enum field f)
{
	const struct field_at *at = &v->kernel->map.fields[f];
	u32 size = at->size;
	u64 value = 0;

	if (size > sizeof(value) || !size)
		size = sizeof(value);
	view_read_field(v, object, f, &value, size);
	if (at->bits)
		value = value >> at->shift & ((1U << at->bits) - 1);
	return value;
}

void view_want_field(struct view *v, u64 object, enum field f)
{
	if (object && has(v, f))
		view_want(v, NULL, object + offset_of_field(v, f),
			  size_of_field(v, f));
}
