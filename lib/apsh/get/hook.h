/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Hooks of system calls: code that is called in front of their functions, or instead of them. */
#ifndef DOCA_APSH_HOOK_H
#define DOCA_APSH_HOOK_H

#include "../walk/walk.h"
#include "finding.h"

struct hooks {
	struct call *c;
	struct owners owners;
	struct nodes tracers; /* struct ftrace_ops */
	struct nodes trampolines; /* their code; keys: these */
	u64 walked; /* buckets and functions of tracers that were looked at */
	u32 nr_said; /* functions of tracers that were said */
	bool tracers_whole; /* none is missing, nor which code it has */
	bool changing; /* ftrace changes what functions begin with */
	struct nodes probes; /* struct kprobe */
	struct nodes probed; /* where these are */
	u32 strange; /* jumps to code of nobody, of which none is known to be a probe's */
	bool probes_whole; /* none is missing, nor what it has replaced */
	/* places of ftrace whose tracer was said, and tracers of all functions */
	struct nodes said;
	/* functions that begin with what neither the kernel nor a hook writes */
	u32 unknown;
	const char *first_unknown;
};

/* Functions that a tracer calls. */
struct called {
	u64 ops; /* the tracer, a struct ftrace_ops */
	u64 code; /* that is not the kernel's; 0: none is known */
	const char *unknown; /* why there may be other code, or NULL */
};

void hooks_end(struct hooks *h);

/* Return true if a mutex has an owner, or nobody can tell: @mutex may be 0. */
bool mutex_may_be_held(struct view *v, u64 mutex);

/* ftrace.c, kprobe.c: collect what is registered; a finding says why that is impossible. */
void hooks_find_tracers(struct hooks *h);
void hooks_find_probes(struct hooks *h);

/* Find those that call others than the kernel for a function of a system call. */
void hooks_check_tracers(struct hooks *h);
void hooks_check_probes(struct hooks *h);

/*
 * ftrace.c: say which functions of system calls lead to that code; nothing if there is no code but
 * the kernel's.
 */
void hooks_check_tracer(struct hooks *h, const struct called *by);
/* graph.c: the same for those that trace also the return. */
void hooks_check_graphs(struct hooks *h);

/*
 * Return true if a tracer has its own code at that address, by which it is called, in memory as
 * ftrace makes it. Of several the one that calls others than the kernel is in @by.
 */
bool hooks_is_trampoline(struct hooks *h, u64 va, struct called *by);
/* Return true if a probe that is known is at that address. */
bool hooks_has_probe(const struct hooks *h, u64 va);
/* Return true if the map has what tells for which probes the kernel has made code. */
bool hooks_tells_optimized(const struct hooks *h);
/* Return the code that the kernel has made for a probe; 0 if it has made none, or nobody can tell. */
u64 hooks_code_of_probe(struct hooks *h, u64 probe);

enum probe_jump {
	PROBE_NONE, /* the kernel has not made that for a probe */
	PROBE_UNSURE, /* it may have */
	PROBE_JUMP, /* it has, for one that is known */
};

/*
 * Judge a jump at an address to that code. The kernel has written into the code whose it is
 * before it writes the jump: a probe of that address, for which this code was made. That has to be so
 * whatever its list says.
 */
enum probe_jump hooks_judge_jump(struct hooks *h, u64 va, u64 code);
/* If such a jump is accused, nothing may change by which it was judged. */
void hooks_prove_jump(struct hooks *h, u64 va, u64 code, struct object *o);
/* Read the bytes, behind the first, in whose place it has written the jump to that code. */
bool hooks_read_replaced(struct hooks *h, u64 probe, u8 to[4]);

/* entry.c: read the first bytes of each function: tracers and probes are known before they are there. */
void hooks_read_entries(struct hooks *h);
/* Judge them. */
void hooks_check_entries(struct hooks *h);

/*
 * hooked.c: return the name of the function that has an address among its first bytes; NULL
 * if none has.
 */
const char *hooks_name_at(struct hooks *h, u64 va);

/* Say that another than the kernel is called. Return NULL if there is no memory. */
struct apsh_finding *hooks_foreign(struct hooks *h, struct place_of proof,
				   const char *where, const char *how,
				   u64 target);

#endif /* DOCA_APSH_HOOK_H */
