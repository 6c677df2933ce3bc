// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The buffers of a field as an interface sees them: chunks of its own memory. */
#include "pool.h"

uint32_t *chunk_held(struct field *f, uint32_t chunk)
{
	return f->host && chunk < xdp_get()->chunks(f->host) ?
		       &f->held[chunk / f->slice] :
		       NULL;
}

void chunk_release(struct field *f, uint32_t chunk)
{
	uint32_t *held = chunk_held(f, chunk);

	if (held && xdp_get()->give(f->host, chunk))
		--*held;
}

void chunk_refill(struct field *f)
{
	if (f->host)
		xdp_get()->refill(f->host);
}

void chunk_drop(struct field *f, uint32_t chunk)
{
	if (!f->host)
		return;
	xdp_get()->give(f->host, chunk);
	xdp_get()->refill(f->host);
}
