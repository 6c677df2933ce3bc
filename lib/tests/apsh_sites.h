/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* One place at which the kernel changes its own code, as it may be, and tampered with. */
#ifndef DOCA_TESTS_APSH_SITES_H
#define DOCA_TESTS_APSH_SITES_H

#include "apsh_vmlinux.h"

#define NOPS_5 0x0f, 0x1f, 0x44, 0x00, 0x00

/* The pointer by which a call or jump leads somewhere: the function, or 0 if there is none. */
enum { POINTER = 0x301000 };

static inline void pointer_has(u64 function)
{
	*(u64 *)at_va(image.text_va + POINTER) = function;
}

/* An instruction that has the distance of the pointer, by 15 for a call, or 25 for a jump. */
static inline void both_lead_by_distance(u32 at, u8 code)
{
	int32_t by = (int32_t)(POINTER - (at + 6));
	u8 bytes[6] = { 0xff, code };

	memcpy(bytes + 2, &by, 4);
	both_have(at, bytes, 6);
}

/* One that has its address, by 14 for a call, or 24 for a jump. */
static inline void both_lead_by_address(u32 at, u8 code)
{
	u32 address = (u32)(image.text_va + POINTER);
	u8 bytes[7] = { 0xff, code, 0x25 };

	memcpy(bytes + 3, &address, 4);
	both_have(at, bytes, 7);
}

static inline void is_known(const u8 *bytes, size_t len)
{
	memory_has(PLACE, bytes, len);
	code_is_clean();
}

static inline void is_tampered(const u8 *bytes, size_t len)
{
	struct doca_apsh_system *s;

	memory_has(PLACE, bytes, len);
	s = system_with_image();
	if (find_all(s, CODE, 1)) {
		EXPECT_EQ(findings[0]->verdict, APSH_SUSPICIOUS);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
}

static inline void branch_is_known(u8 code, u32 target)
{
	memory_branches(PLACE, code, image.text_va + target);
	code_is_clean();
}

static inline void branch_is_tampered(u8 code, u64 target)
{
	u8 bytes[5];

	memory_branches(PLACE, code, target);
	memcpy(bytes, at_va(image.text_va + PLACE), 5);
	is_tampered(bytes, 5);
}

static const struct source_ops *ops_of_source;
static u64 changing; /* where memory is another one when it is read again */

/* The first reads have more bytes. */
static inline int read_what_changes(struct source *source, struct source_range *r, unsigned int n)
{
	int err = ops_of_source->read(source, r, n);

	for (unsigned int i = 0; i < n; i++)
		if (r[i].pa == pa_of(changing) && r[i].len <= 32)
			*(u8 *)r[i].to ^= 8;
	return err;
}

/* Nothing is found if memory at that address is another one when all is over. */
static inline void is_clean_if_changing(u64 va)
{
	struct doca_apsh_system *s = system_with_image();
	struct source_ops ops = *s->source.ops;

	ops_of_source = s->source.ops;
	ops.read = read_what_changes;
	s->source.ops = &ops;
	changing = va;
	is_clean_of(s, CODE);
	s->source.ops = ops_of_source;
	doca_apsh_system_destroy(s);
}

/* A place for ftrace, whose functions are there. */
static inline void set_up_traced(u32 other)
{
	set_up_vmlinux();
	name_at("__fentry__", other);
	name_at("ftrace_caller", other + 16);
	branch_at(both_have, PLACE, 0xe8, other);
	begin_table("__start_mcount_loc");
	put_long(MAP_TEXT + PLACE);
	put_long(0);
	end_table("__stop_mcount_loc");
	code_is_clean();
}

#endif /* DOCA_TESTS_APSH_SITES_H */
