// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Calls and jumps by pointers to what a hypervisor may do in another way. The kernel makes direct ones
 * of them. With native_patch() it writes there what a real machine does, where that is short.
 */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

/* A function that is as short as its call; nothing tells of which pointer. */
static bool is_native(struct piece now, u32 len)
{
	static const struct {
		u8 len, bytes[6];
	} list[] = {
		{ 1, { 0xfa } }, /* cli */
		{ 1, { 0xfb } }, /* sti */
		{ 2, { 0x9c, 0x58 } }, /* pushfq; pop %rax */
		{ 2, { 0x57, 0x9d } }, /* push %rdi; popfq */
		{ 3, { 0x0f, 0x20, 0xd0 } }, /* mov %cr2, %rax */
		{ 3, { 0x0f, 0x20, 0xd8 } }, /* mov %cr3, %rax */
		{ 3, { 0x0f, 0x22, 0xdf } }, /* mov %rdi, %cr3 */
		{ 3, { 0x0f, 0x01, 0x3f } }, /* invlpg (%rdi) */
		{ 2, { 0x0f, 0x09 } }, /* wbinvd */
		{ 3, { 0x0f, 0x01, 0xf8 } }, /* swapgs */
		{ 6, { 0x0f, 0x01, 0xf8, 0x48, 0x0f, 0x07 } }, /* and sysretq */
		{ 3, { 0x48, 0x89, 0xf8 } }, /* mov %rdi, %rax */
		{ 2, { 0x89, 0xf8 } }, /* mov %edi, %eax */
		{ 3, { 0xc6, 0x07, 0x00 } }, /* movb $0, (%rdi) */
		{ 2, { 0x31, 0xc0 } }, /* xor %eax, %eax */
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (len >= list[i].len &&
		    !memcmp(now.bytes, list[i].bytes, list[i].len) &&
		    are_nops(now.bytes + list[i].len, len - list[i].len))
			return true;
	return false;
}

enum form code_form_paravirt(struct comparison *x, const struct site *s,
			     struct piece now, struct piece was)
{
	bool copies = code_symbol(x->code, "native_patch");

	return code_is_same(x, s, now, was, s->len) ||
			       code_is_direct(x, s->len, now, was) ||
			       (copies && is_native(now, s->len)) ?
		       FORM_KNOWN :
		       FORM_UNKNOWN;
}
