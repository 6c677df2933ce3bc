/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The code of the kernel in memory, beside that of its image. */
#ifndef DOCA_APSH_KERNEL_CODE_H
#define DOCA_APSH_KERNEL_CODE_H

#include "../code/code.h"
#include "hook.h"

enum form {
	FORM_UNKNOWN, /* the kernel does not write that there */
	FORM_DOUBTED, /* it may, in a form that is not known */
	FORM_SKIPPED, /* anything may be there */
	FORM_FOREIGN, /* it leads to other code than the kernel's */
	FORM_UNFOLLOWED, /* it leads to memory of no module, which may be ftrace's or BPF's */
	FORM_KEYED, /* a static call leads to other code than the kernel's, as its key says */
	FORM_CHANGING, /* a breakpoint is there, or a lock is held, while the kernel changes it */
	FORM_KNOWN,
};

/* Bytes, and the address that they have before KASLR. */
struct piece {
	const u8 *bytes;
	u64 at;
};

static inline struct piece behind(struct piece p, u32 by)
{
	return (struct piece){ p.bytes + by, p.at + by };
}

struct comparison {
	struct hooks h;
	const struct code *code;
	u64 delta;
	/* code_form() */
	enum form (*form)(struct comparison *x, const struct site *s,
			  struct piece now, struct piece was);
	u64 thunks, call_thunks, jump_thunks,
		its_thunks; /* 0: there are none */
	u64 target; /* where something foreign leads, as it runs */
};

/*
 * code_form.c: judge what stands at a place of which the image has other bytes. Anything may, once
 * time is over.
 */
enum form code_form(struct comparison *x, const struct site *s,
		    struct piece now, struct piece was);

/* code_same.c: return true if both do the same, at their addresses, as far as all places go. */
bool code_is_same(struct comparison *x, const struct site *within,
		  struct piece now, struct piece was, u32 len);
enum form code_form_alternative(struct comparison *x, const struct site *s,
				struct piece now, struct piece was);

/* code_static.c */
enum form code_form_static_call(struct comparison *x, const struct site *s,
				struct piece now, struct piece was);
/* Neither the key nor the lock may change either, if a static call is accused. */
void code_prove_static_call(struct comparison *x, const struct site *s,
			    struct apsh_finding *o);

/* code_jump.c: judge what stands at a jump label, whatever its key says. */
enum form code_form_jump(const struct comparison *x, const struct site *s,
			 struct piece now);
/*
 * Judge whether one jumps as its key says, also where the image has these bytes: FORM_KNOWN for
 * anything that is neither a jump nor none.
 */
enum form code_form_switched(struct comparison *x, const struct site *s,
			     struct piece now, struct piece was, bool *jumps);
/* Have the key read in the next round. */
void code_want_key(struct comparison *x, const struct site *s);
/* Neither the key nor the lock may change either, if a jump label is accused. */
void code_prove_jump(struct comparison *x, const struct site *s,
		     struct apsh_finding *o);

/*
 * code_pointer.c: return true if the kernel makes these bytes of a call, or a jump, by a pointer,
 * whose function is read.
 */
bool code_is_direct(struct comparison *x, u32 len, struct piece now,
		    struct piece was);
/* Return the function, before KASLR, of the pointer by which the image calls or jumps; 0: unknown. */
u64 code_pointed(struct comparison *x, u32 len, struct piece was);
/*
 * Judge a place that has the image's own call or jump by a pointer; FORM_KNOWN for any other, FORM_DOUBTED
 * if the pointer cannot be read.
 */
enum form code_form_by_pointer(struct comparison *x, const struct site *s,
			       struct piece now, struct piece was);

/* code_paravirt.c */
enum form code_form_paravirt(struct comparison *x, const struct site *s,
			     struct piece now, struct piece was);

/* code_thunk.c: return the register of which that is the thunk, as the image has it; -1 if it is none. */
int code_thunk(const struct comparison *x, u64 target);
/* Return true for a thunk of r11 that ends a check of CFI first. */
bool code_is_checking_thunk(struct comparison *x, u64 target);

/* code_written.c */
enum form code_form_landing(struct piece now);
enum form code_form_cfi(struct comparison *x, const struct site *s,
			struct piece now, struct piece was);
enum form code_form_hypercall(const struct site *s, struct piece now,
			      struct piece was);

/* A call, or a jump, with what is in front. */
struct branch {
	u8 code; /* e8, e9 or eb; 80 to 8f if it is conditional, or 70 to 7f; 0: there is none */
	u64 target; /* before KASLR */
	u32 len;
};

/* code_thunk.c */
enum form code_form_retpoline(struct comparison *x, const struct site *s,
			      struct piece now, const struct branch *old,
			      const struct branch *new);

/* code_branch.c */
struct branch code_branch(struct piece p, u32 len);
/* Return true if nothing is done behind the branch: without its prefix it is a byte shorter. */
bool code_ends_in_nops(const struct site *s, struct piece now,
		       const struct branch *b);
/* Return true if the address, before KASLR, is of the kernel's code. */
bool code_is_kernels(const struct comparison *x, u64 at);
/* Return true if code begins there that has a symbol, and that the kernel does not write itself. */
bool code_is_function(const struct comparison *x, u64 at);
/* Return true for a call, or a jump that may have a condition, and nothing else. */
bool code_is_whole(const struct site *s, const struct branch *b);
/* Return true if both call a function, perhaps by what counts its calls. */
bool code_is_counted(const struct comparison *x, const struct branch *was,
		     const struct branch *now);
/* Return true if these bytes have a branch to a module, or to memory that is there, and nobody's. */
bool code_branches_out(struct comparison *x, struct piece p, u32 len);
/* Return true for a branch to what returns in place of an instruction. */
bool code_is_return_thunk(const struct comparison *x, const struct branch *b);
/* Return the form of a branch that leads out of the kernel's code. */
enum form code_foreign(struct comparison *x, const struct branch *b);

/* Return the symbol of an address before KASLR, and the distance from it. */
const char *code_name_at(struct comparison *x, u64 at);

#endif /* DOCA_APSH_KERNEL_CODE_H */
