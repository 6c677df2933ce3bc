/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Atomic counters and references. */
#ifndef INPROC_ATOMIC_H
#define INPROC_ATOMIC_H

#include "compiler.h"

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

typedef struct {
	long counter;
} atomic_long_t;

#define ATOMIC_INIT(value) \
	{                  \
		value      \
	}

#define ATOMIC64_INIT(value) ATOMIC_INIT(value)

#define inproc_add_return(a, n) \
	__atomic_add_fetch(&(a)->counter, n, __ATOMIC_SEQ_CST)

#define atomic_read(a) READ_ONCE((a)->counter)
#define atomic_set(v, i) __atomic_store_n(&(v)->counter, i, __ATOMIC_RELAXED)
#define atomic_inc(a) ((void)inproc_add_return(a, 1))
#define atomic_dec(a) ((void)inproc_add_return(a, -1))
#define atomic_dec_and_test(a) (!inproc_add_return(a, -1))

#define atomic64_read(a) READ_ONCE((a)->counter)
#define atomic64_read_acquire(a) smp_load_acquire(&(a)->counter)
#define atomic64_set_release(a, n) smp_store_release(&(a)->counter, n)
#define atomic64_fetch_add(n, a) \
	__atomic_fetch_add(&(a)->counter, n, __ATOMIC_SEQ_CST)
#define atomic64_add_return(n, a) inproc_add_return(a, n)
#define atomic64_inc_return_release(a) inproc_add_return(a, 1)
#define atomic64_add(n, a) ((void)inproc_add_return(a, n))
#define atomic64_sub(n, a) ((void)inproc_add_return(a, -(s64)(n)))

#define atomic_long_read(a) READ_ONCE((a)->counter)
#define atomic_long_add_return(n, a) inproc_add_return(a, n)
#define atomic_long_sub(n, a) ((void)inproc_add_return(a, -(long)(n)))
#define atomic_long_try_cmpxchg(a, old, new)                        \
	__atomic_compare_exchange_n(&(a)->counter, old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)

typedef atomic_t refcount_t;

#define refcount_set(r, n) atomic_set(r, n)
#define refcount_read(r) atomic_read(r)
#define refcount_inc(r) BUG_ON(inproc_add_return(r, 1) <= 1)
#define refcount_dec_and_test(r)                      \
	({                                            \
		int left_ = inproc_add_return(r, -1); \
                                                      \
		BUG_ON(left_ < 0);                    \
		!left_;                               \
	})

/* Unlike the kernel's, it does not saturate, but ends the process. */
struct kref {
	int refs;
};

static inline void kref_init(struct kref *ref)
{
	WRITE_ONCE(ref->refs, 1);
}

static inline void kref_get(struct kref *ref)
{
	BUG_ON(__atomic_fetch_add(&ref->refs, 1, __ATOMIC_RELAXED) <= 0);
}

static inline int kref_read(const struct kref *ref)
{
	return READ_ONCE(ref->refs);
}

static inline bool kref_get_unless_zero(struct kref *ref)
{
	int refs = READ_ONCE(ref->refs);

	while (refs &&
	       !__atomic_compare_exchange_n(&ref->refs, &refs, refs + 1, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return refs;
}

static inline int kref_put(struct kref *ref, void (*release)(struct kref *ref))
{
	int refs = __atomic_sub_fetch(&ref->refs, 1, __ATOMIC_ACQ_REL);

	BUG_ON(refs < 0);
	if (!refs)
		release(ref);
	return !refs;
}

#endif
