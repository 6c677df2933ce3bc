// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Zero-copy receive, by libFuzzer: a frame of arbitrary content is parsed, with nothing
 * readable behind it; or lists of handles are released, right and wrong ones, beside a model
 * that knows their owners.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "onload/onload/zc.h"
#include "onload/onload_xdp/datagram.h"
#include "xsk/frame.h"

#define KEPT_MAX 64
#define LIST_MAX 16

#define ALWAYS(cond)             \
	do {                     \
		if (!(cond))     \
			abort(); \
	} while (0)

static void check_sums(uint8_t *frame, const struct frame_view *view)
{
	if (!view->version)
		return;
	frame_l3_ok(frame, view);
	frame_hash(frame, view);
	frame_set_l3_sum(frame, view);
	ALWAYS(frame_l3_ok(frame, view));
	if (!view->l4)
		return;
	frame_l4_ok(frame, view);
	frame_set_l4_sum(frame, view);
	ALWAYS(frame_l4_sum(frame, view) == FRAME_SUM_RIGHT);
}

/* Parse it in memory that ends with it. */
static void take_apart(const uint8_t *data, size_t size)
{
	struct xsk_frame frame = { malloc(size ?: 1), size, 0 };
	uint8_t *bytes = frame.data;
	struct frame_view view;
	struct datagram d;

	ALWAYS(bytes);
	memcpy(bytes, data, size);
	if (!datagram_find(&frame, &d)) {
		ALWAYS(d.family == 4 || d.family == 6);
		ALWAYS((uint8_t *)d.data >= bytes + 42 &&
		       (uint8_t *)d.data + d.length <= bytes + size);
	}
	frame_parse(bytes, size, &view);
	ALWAYS(view.end <= size && view.l3 <= view.end &&
	       (!view.l4 || (view.l4 > view.l3 && view.l4 + 8 <= view.end)));
	check_sums(bytes, &view);
	free(bytes);
}

/* Handles that the program has, and one that it had. */
static struct {
	onload_zc_handle kept[KEPT_MAX], old;
	unsigned int nr;
} model;

static void keep(unsigned int nr)
{
	static struct quota quota;
	struct onload_zc_iovec iov[LIST_MAX];
	const bool fits = model.nr + nr <= KEPT_MAX;

	ALWAYS(pool_alloc(iov, nr, &quota) == (fits ? 0 : -ENOMEM));
	for (unsigned int i = 0; fits && i < nr; i++)
		model.kept[model.nr++] = iov[i].buf;
}

static bool drop(onload_zc_handle buf)
{
	for (unsigned int i = 0; i < model.nr; i++) {
		if (model.kept[i] != buf)
			continue;
		model.kept[i] = model.kept[--model.nr];
		model.old = buf;
		return true;
	}
	return false;
}

/* Choose by a byte: a handle that is kept, one that was, or an invented one. */
static onload_zc_handle handle_of(uint8_t byte)
{
	if (byte < 192)
		return model.nr ? model.kept[byte % model.nr] : NULL;
	if (byte < 224)
		return model.old;
	return (onload_zc_handle)((uintptr_t)byte << (byte % 56));
}

/* All are released or none is. */
static void release(const uint8_t *data, unsigned int nr)
{
	onload_zc_handle list[LIST_MAX];
	const __typeof__(model) before = model;
	bool sound = true;

	for (unsigned int i = 0; i < nr; i++)
		list[i] = handle_of(data[i]);
	for (unsigned int i = 0; i < nr; i++)
		sound = drop(list[i]) && sound;
	ALWAYS(pool_release(list, nr) == (sound ? 0 : -EINVAL));
	if (!sound)
		model = before;
}

static void give_back(const uint8_t *data, size_t size)
{
	static bool is_open;

	if (!is_open) {
		setenv("DOCA_ZC_BUFFERS", "64", 1);
		ALWAYS(!pool_open());
		is_open = true;
	}
	while (size) {
		const unsigned int nr = (data[0] & 15) + 1;

		if (data[0] & 16) {
			keep(nr);
		} else if (nr < size) {
			release(data + 1, nr);
			data += nr;
			size -= nr;
		}
		data++;
		size--;
	}
	ALWAYS(!pool_release(model.kept, model.nr));
	model.nr = 0;
	model.old = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		(data[0] & 1 ? give_back : take_apart)(data + 1, size - 1);
	return 0;
}
