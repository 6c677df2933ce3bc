// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Forms of checks of CFI, and of hypercalls: they lead nowhere but for a number in them, or to thunks. */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

enum { HASH = 4, CALL = 5, R11 = 11, BHI = 32, NR_BHI = 8 };

/* Bytes with a hash, which may be any, at that place. */
struct pattern {
	u32 hash;
	u8 bytes[CFI_PREAMBLE];
};

/* FineIBT, behind the landing, as Linux has it since 6.2, 6.15 and 6.18. */
static const struct pattern checks[] = {
	{ 3, { 0x41, 0x81, 0xea, 0, 0, 0, 0, 0x74, 0x03, 0x0f, 0x0b, 0x90 } },
	{ 3, { 0x41, 0x81, 0xea, 0, 0, 0, 0, 0x75, 0xf9, 0x0f, 0x1f, 0x00 } },
	{ 1, { 0x2d, 0, 0, 0, 0, 0x2e, 0x0f, 0x85, 0x03, 0, 0, 0 } },
	/* with "bhi": its jump ends in the landing behind */
	{ 3, { 0x41, 0x81, 0xea, 0, 0, 0, 0, 0x49, 0x0f, 0x45, 0xfa, 0x75 } },
	{ 1, { 0x2d, 0, 0, 0, 0, 0x48, 0x0f, 0x45, 0xf8, 0x2e, 0x75, 0x03 } },
	{ 1, { 0x2d, 0, 0, 0, 0, 0x2e, 0x48, 0x0f, 0x45, 0xf8, 0x75, 0x03 } },
};

/* They pass the hash to it. */
static const struct pattern callers[] = {
	{ 2,
	  { 0x41, 0xba, 0, 0, 0, 0, 0x49, 0x83, 0xeb, 0x10, 0x0f, 0x1f, 0x40,
	    0x00 } },
	{ 2,
	  { 0x41, 0xba, 0, 0, 0, 0, 0x4d, 0x8d, 0x5b, 0xf0, 0x0f, 0x1f, 0x40,
	    0x00 } },
	{ 1,
	  { 0xb8, 0, 0, 0, 0, 0x4d, 0x8d, 0x5b, 0xf0, 0x0f, 0x1f, 0x44, 0x00,
	    0x00 } },
};

/* They look at it themselves, too, where the call begins with a jump. */
static const struct pattern paranoids[] = {
	{ 2,
	  { 0x41, 0xba, 0, 0, 0, 0, 0x45, 0x3b, 0x53, 0xf7, 0x4d, 0x8d, 0x5b,
	    0xf0 } },
	{ 1,
	  { 0xb8, 0, 0, 0, 0, 0x41, 0x3b, 0x43, 0xf5, 0x2e, 0x4d, 0x8d, 0x5b,
	    0xf0 } },
};

/* Return true if so many bytes are the same, but for what may be a hash. */
static bool is_alike(const u8 *p, const u8 *q, u32 hash, u32 len)
{
	return !memcmp(p, q, hash) &&
	       !memcmp(p + hash + HASH, q + hash + HASH, len - hash - HASH);
}

static bool is_one_of(const struct pattern *list, size_t nr, const u8 *p,
		      u32 len)
{
	for (size_t i = 0; i < nr; i++)
		if (is_alike(p, list[i].bytes, list[i].hash, len))
			return true;
	return false;
}

#define ONE_OF(list, p, len) is_one_of(list, ARRAY_SIZE(list), p, len)

enum form code_form_landing(struct piece now)
{
	return is_landing(now.bytes) ? FORM_KNOWN : FORM_UNKNOWN;
}

/* With "bhi" the check calls what makes arguments useless, too, by their number. */
static bool is_check_by_call(const struct comparison *x, struct piece now)
{
	u64 thunks = code_symbol(x->code, "__bhi_args");
	u32 at = CFI_PREAMBLE - CALL;
	struct branch b = code_branch(
		(struct piece){ now.bytes + at, now.at + at }, CALL);

	const u8 *check = now.bytes + LANDING;

	return thunks && b.code == 0xe8 &&
	       (!memcmp(check, "\x41\x81\xea", 3) ||
		(*check == 0x2d && !memcmp(check + 1 + HASH, "\x2e\x2e", 2))) &&
	       b.target - thunks < NR_BHI * BHI &&
	       (b.target - thunks) % BHI == 0;
}

/* In front of a function: its hash, or the check that it is the caller's. */
static bool is_check(const struct comparison *x, const struct site *s,
		     struct piece now, const u8 *was)
{
	return ((*was & 0xf8) == 0xb8 && is_alike(now.bytes, was, 1, s->len)) ||
	       (s->len == CFI_PREAMBLE && is_landing(now.bytes) &&
		(ONE_OF(checks, now.bytes + LANDING, CFI_PREAMBLE - LANDING) ||
		 is_check_by_call(x, now)));
}

/* In front of an indirect call: its hash, also with the other check, or a jump over it. */
static bool is_caller(const u8 *now, const u8 *was)
{
	static const u8 trap[] = { 0x75, 0x01, 0xa8, 0xd6 };
	u32 check = CFI_CALLER - sizeof(trap);

	return is_alike(now, was, 2, CFI_CALLER) ||
	       (is_alike(now, was, 2, check) &&
		!memcmp(now + check, trap, sizeof(trap))) ||
	       ONE_OF(callers, now, CFI_CALLER) ||
	       (!memcmp(now, "\xeb\x0c", 2) &&
		!memcmp(now + 2, was + 2, CFI_CALLER - 2));
}

/*
 * A jump into the end of the check, and what the image does by a thunk of r11, by itself; or a thunk
 * that has that jump.
 */
static bool is_paranoid(struct comparison *x, struct piece now,
			struct piece was)
{
	const u8 *rest = now.bytes + CFI_CALLER;
	u32 left = CFI_PARANOID - CFI_CALLER;
	struct branch old = code_branch(behind(was, CFI_CALLER), left);
	struct branch new = code_branch(behind(now, CFI_CALLER), left);
	u8 how = old.code == 0xe8 ? 0xd3 : 0xe3;
	u8 with_nop[] = { 0x75, 0xfd, 0x41, 0xff, how, 0x90 };
	u8 prefixed[] = { 0x75, 0xfd, 0x2e, 0x41, 0xff, how };

	if (!ONE_OF(paranoids, now.bytes, CFI_CALLER) || old.len != left ||
	    (old.code & 0xfe) != 0xe8 || code_thunk(x, old.target) != R11)
		return false;
	return !memcmp(rest, with_nop, left) || !memcmp(rest, prefixed, left) ||
	       (new.code == old.code &&new.len ==
		left &&code_is_checking_thunk(x, new.target));
}

/* A check that is not known may have another call, but no branch that is not known either. */
static enum form form_of_paranoid(struct comparison *x, struct piece now,
				  struct piece was)
{
	u32 left = CFI_PARANOID - CFI_CALLER;

	if (is_paranoid(x, now, was))
		return FORM_KNOWN;
	return is_caller(now.bytes, was.bytes) ||
			       code_branch(behind(now, CFI_CALLER), left).len >=
				       CALL ?
		       FORM_UNKNOWN :
		       FORM_DOUBTED;
}

enum form code_form_cfi(struct comparison *x, const struct site *s,
			struct piece now, struct piece was)
{
	if (s->len == CFI_PARANOID)
		return form_of_paranoid(x, now, was);
	return (s->len == CFI_CALLER ? is_caller(now.bytes, was.bytes) :
				       is_check(x, s, now, was.bytes)) ?
		       FORM_KNOWN :
		       FORM_UNKNOWN;
}

/* Return the length of a hypercall of that number, or of what is in its place; 0 if it is none. */
static u32 hypercall(const u8 *p, u32 number)
{
	u8 by_call[] = { 0xb8, (u8)number, 0, 0, 0, 0x0f, 0x01, 0xc1, 0xc3 };
	u8 by_syscall[] = { 0x51, 0x41, 0x53, 0xb8, (u8)number, 0,    0,
			    0,	  0x0f, 0x05, 0x41, 0x5b,	0x59, 0xc3 };

	if (!memcmp(p, by_call, sizeof(by_call)))
		return sizeof(by_call);
	by_call[7] = 0xd9; /* vmmcall */
	if (!memcmp(p, by_call, sizeof(by_call)))
		return sizeof(by_call);
	if (!memcmp(p, by_syscall, sizeof(by_syscall)))
		return sizeof(by_syscall);
	if (!memcmp(p, "\x0f\x0b", 2)) /* it is not for this kind of guest */
		return 2;
	return *p == 0xcc; /* there is no hypercall of that number */
}

enum form code_form_hypercall(const struct site *s, struct piece now,
			      struct piece was)
{
	u32 len = hypercall(now.bytes, s->arg);

	if (!len)
		return FORM_UNKNOWN;
	for (u32 i = len; i < s->len; i++)
		if (now.bytes[i] != 0xcc && now.bytes[i] != 0x90 &&
		    now.bytes[i] != was.bytes[i])
			return FORM_UNKNOWN;
	return FORM_KNOWN;
}
