/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The language of the kernel: types, barriers, and small arithmetic. */
#ifndef INPROC_COMPILER_H
#define INPROC_COMPILER_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define U16_MAX UINT16_MAX
#define U32_MAX UINT32_MAX
#define U64_MAX ((u64)~0ULL)

#define CONFIG_64BIT 1
#define IS_ENABLED(option) 0
#define IS_REACHABLE(option) 0

#define __user
#define __packed __attribute__((__packed__))
#define noinline __attribute__((__noinline__))
#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define __init
#define __ro_after_init
#define __exit

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() asm volatile("" : : : "memory")
#define OPTIMIZER_HIDE_VAR(value) asm("" : "=r"(value) : "0"(value))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define sizeof_field(type, field) sizeof(((type *)0)->field)
#define offsetofend(type, field) \
	(offsetof(type, field) + sizeof_field(type, field))
#define container_of(ptr, type, member)                              \
	({                                                           \
		const __typeof__(((type *)0)->member) *__at = (ptr); \
		(type *)((char *)__at - offsetof(type, member));     \
	})

#undef static_assert
#define static_assert(condition) _Static_assert(condition, #condition)
#define BUILD_BUG_ON_ZERO(condition) \
	((int)sizeof(struct { int : (-!!(condition)); }))

/* Marked accesses are atomic, so that tools which know atomics know these. */
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), value, __ATOMIC_RELAXED)
#define data_race(access) (access)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)

#define prefetch(p) __builtin_prefetch(p)

#define min(a, b)                        \
	({                               \
		__typeof__(a) __a = (a); \
		__typeof__(b) __b = (b); \
		__a < __b ? __a : __b;   \
	})
#define max(a, b)                        \
	({                               \
		__typeof__(a) __a = (a); \
		__typeof__(b) __b = (b); \
		__a > __b ? __a : __b;   \
	})
#define min3(a, b, c) min(min(a, b), c)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, value, low, high) \
	min_t(type, max_t(type, value, low), high)

#define DIV_ROUND_UP(n, d) (((n) + (d)-1) / (d))
#define round_down(x, a) ((x) & ~((__typeof__(x))(a)-1))
#define ALIGN(x, a) (((x) + (a)-1) & ~((__typeof__(x))(a)-1))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a)-1)) == 0)
#define BIT(nr) (1UL << (nr))
#define BIT_ULL(nr) (1ULL << (nr))
#define __ffs64(word) __builtin_ctzll(word)
#define BITS_PER_LONG __LONG_WIDTH__
#define SZ_1K 0x400
#define SZ_4K 0x1000
#define SZ_16K 0x4000
#define SZ_32K 0x8000
#define SZ_64K 0x10000
#define SZ_128K 0x20000
#define SZ_256K 0x40000
#define SZ_2M 0x200000
#define SZ_16M 0x01000000
#define SZ_128M 0x8000000
#define SZ_1G 0x40000000

#define check_add_overflow(a, b, sum) __builtin_add_overflow(a, b, sum)
#define is_power_of_2(n) ((n) && !((n) & ((n)-1)))
#define ilog2(n) (63 - __builtin_clzll(n))
#define roundup_pow_of_two(n) (2UL << ilog2((n)-1))
#define __ffs(word) ((unsigned long)__builtin_ctzl(word))

static inline u32 rol32(u32 word, unsigned int shift)
{
	return word << (shift & 31) | word >> (-shift & 31);
}

/* Instructions that the kernel has only where it says so: a process has them anywhere. */
#define X86_FEATURE_AVX2 "avx2"
#define boot_cpu_has(feature) __builtin_cpu_supports(feature)
#define kernel_fpu_begin() ((void)0)
#define kernel_fpu_end() ((void)0)

/*
 * All bits if @index is below @size, else none, without a branch that could be
 * mispredicted. asm hides the values from the compiler, so that it cannot make a
 * branch.
 */
static inline unsigned long array_index_mask_nospec(unsigned long index,
						    unsigned long size)
{
	unsigned long mask;

	asm("" : "+r"(index));
	mask = -(unsigned long)(index < size);
	asm("" : "+r"(mask));
	return mask;
}

static inline unsigned long array_index_nospec(unsigned long index,
					       unsigned long size)
{
	return index & array_index_mask_nospec(index, size);
}

/* Errors as pointers. */
#define ERR_PTR(error) ((void *)(long)(error))
#define ERR_CAST(ptr) ((void *)(ptr))
#define PTR_ERR(ptr) ((long)(ptr))
#define IS_ERR(ptr) ((unsigned long)(ptr) >= -4095UL)
#define PTR_ERR_OR_ZERO(ptr) (IS_ERR(ptr) ? PTR_ERR(ptr) : 0)
#define ERESTARTNOINTR 513

/* Only little-endian machines are supported, as by the module. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
#define cpu_to_le16(x) (x)
#define cpu_to_le32(x) (x)
#define cpu_to_le64(x) (x)
#define le16_to_cpu(x) (x)
#define le32_to_cpu(x) (x)
#define le64_to_cpu(x) (x)

/* Faults of the driver itself: reported once, or the end of the process. */
void inproc_warn(bool *told, const char *what, const char *file, int line)
	__attribute__((cold));
void inproc_bug(const char *what, const char *file, int line)
	__attribute__((cold, noreturn));

#define BUG_ON(condition)                                           \
	do {                                                        \
		if (unlikely(condition))                            \
			inproc_bug(#condition, __FILE__, __LINE__); \
	} while (0)
#define WARN_ON(condition)                                                   \
	({                                                                   \
		static bool told_;                                           \
		bool warns_ = !!(condition);                                 \
                                                                             \
		if (unlikely(warns_))                                        \
			inproc_warn(&told_, #condition, __FILE__, __LINE__); \
		warns_;                                                      \
	})
#define WARN_ON_ONCE(condition) WARN_ON(condition)

static inline void strscpy(char *dst, const char *src, size_t size)
{
	size_t length = strnlen(src, size - 1);

	memcpy(dst, src, length);
	dst[length] = '\0';
}

/* Return the first byte that differs, or NULL. */
static inline void *memchr_inv(const void *at, int c, size_t size)
{
	const unsigned char *byte = at;

	for (; size--; byte++)
		if (*byte != (unsigned char)c)
			return (void *)byte;
	return NULL;
}

/* The kernel's memcpy() allows overlaps, and a program may ask for that. */
#define memcpy(to, from, size)                                           \
	(__builtin_constant_p(size) ? __builtin_memcpy(to, from, size) : \
				      memmove(to, from, size))

/* In constant time, so that it does not reveal how much of a secret was right. */
static inline unsigned long crypto_memneq(const void *a, const void *b,
					  size_t size)
{
	const unsigned char *left = a, *right = b;
	unsigned long different = 0;

	while (size--) {
		different |= *left++ ^ *right++;
		asm("" : "+r"(different));
	}
	return different;
}

#endif
