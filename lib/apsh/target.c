// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* From a representor to memory: its target file says where the memory is. */
#include "core/base/log.h"
#include "core/device/rep.h"
#include "core/device/target.h"

#include "system.h"

LOG_SOURCE("APSH");

doca_error_t target_open(struct doca_apsh_system *system)
{
	const struct target *target = system->target;

	if (!target)
		target = doca_priv_rep_target(system->rep);
	if (!target)
		return FAIL(
			INITIALIZATION,
			"no file of %s names the memory of the representor; "
			"write one with doca_apsh target add",
			doca_priv_targets_dir());
	return source_open(&system->source, target);
}

/*
 * Return true if a segment has all of it, but for the bytes behind the last segment, where memory may be
 * that was plugged in.
 */
static bool fits(const struct source *s, const struct region *r, u64 *behind)
{
	const struct segment *last = &s->segs[s->nr_segs - 1];
	const struct segment *seg = source_segment(s, r->start);
	u64 end = last->pa + last->len;

	*behind = r->end <= end ? 0 :
				  r->end - (r->start > end ? r->start : end);
	if (r->start >= end)
		return true;
	return seg && r->start >= seg->pa &&
	       r->end - *behind <= seg->pa + seg->len;
}

doca_error_t target_confirm(const struct doca_apsh_system *system)
{
	const struct source *s = &system->source;
	const struct region *first = NULL;
	u64 outside = 0;

	for (u32 i = 0; s->deduced && i < system->regions.nr; i++) {
		const struct region *r = &system->regions.list[i];
		u64 behind;

		if (!fits(s, r, &behind)) {
			first = r;
			outside = UINT64_MAX;
			break;
		}
		outside += behind;
		if (behind && !first)
			first = r;
	}
	if (outside > s->left_out)
		return FAIL(INITIALIZATION,
			    "the memory region at %#lx, up to %#lx, is not "
			    "where the name of the machine has memory: the "
			    "regions are of another machine, or its layout is "
			    "another one (max-ram-below-4g, or AMD); regions "
			    "of a target file, whose format is named \"qevm\", "
			    "can say it",
			    first->start, first->end);
	if (first)
		LOG_WARN("%lu bytes of memory regions, from %#lx on, are not "
			 "in the image: they may be in a block that is left "
			 "out",
			 outside, first->start);
	return DOCA_SUCCESS;
}
