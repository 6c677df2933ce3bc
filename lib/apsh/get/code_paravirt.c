// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Calls and jumps by pointers to what a hypervisor may do in another way. The kernel makes direct ones
 * of them. With native_patch() it writes there what a real machine does, where that is short.
 */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

/* Instructions in place of a call of the function to which the pointer leads. */
static const struct {
	const char *function;
	u8 len, bytes[6];
} natives[] = {
	{ "native_irq_disable", 1, { 0xfa } }, /* cli */
	{ "native_irq_enable", 1, { 0xfb } }, /* sti */
	{ "native_save_fl", 2, { 0x9c, 0x58 } }, /* pushfq; pop %rax */
	{ "native_restore_fl", 2, { 0x57, 0x9d } }, /* push %rdi; popfq */
	{ "native_read_cr2", 3, { 0x0f, 0x20, 0xd0 } }, /* mov %cr2, %rax */
	{ "__native_read_cr3", 3, { 0x0f, 0x20, 0xd8 } }, /* mov %cr3, %rax */
	{ "native_write_cr3", 3, { 0x0f, 0x22, 0xdf } }, /* mov %rdi, %cr3 */
	{ "native_wbinvd", 2, { 0x0f, 0x09 } }, /* wbinvd */
	{ "native_swapgs", 3, { 0x0f, 0x01, 0xf8 } }, /* swapgs */
	/* swapgs; sysretq */
	{ "native_usergs_sysret64", 6, { 0x0f, 0x01, 0xf8, 0x48, 0x0f, 0x07 } },
	{ "_paravirt_ident_64", 3, { 0x48, 0x89, 0xf8 } }, /* mov %rdi, %rax */
	{ "_paravirt_ident_32", 2, { 0x89, 0xf8 } }, /* mov %edi, %eax */
	/* movb $0, (%rdi) */
	{ "__raw_callee_save___native_queued_spin_unlock",
	  3,
	  { 0xc6, 0x07, 0x00 } },
	/* xor %eax, %eax */
	{ "__raw_callee_save___native_vcpu_is_preempted", 2, { 0x31, 0xc0 } },
};

static bool is_native(struct comparison *x, u32 len, struct piece now,
		      struct piece was)
{
	u64 function = code_pointed(x, len, was);

	if (!function || !code_symbol(x->code, "native_patch"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(natives); i++) {
		u32 n = natives[i].len;

		if (len >= n && !memcmp(now.bytes, natives[i].bytes, n) &&
		    are_nops(now.bytes + n, len - n) &&
		    code_is_named(x->code, function, natives[i].function))
			return true;
	}
	return false;
}

enum form code_form_paravirt(struct comparison *x, const struct site *s,
			     struct piece now, struct piece was)
{
	return code_is_same(x, s, now, was, s->len) ||
			       code_is_direct(x, s->len, now, was) ||
			       is_native(x, s->len, now, was) ?
		       FORM_KNOWN :
		       FORM_UNKNOWN;
}
