// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: memory for what is a target's, kept from one call to the next. */
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "apsh/secret.h"
#include "fault.h"
#include "ktap.h"

static unsigned int out_of_dumps, into_dumps;

int madvise(void *at, size_t size, int advice)
{
	out_of_dumps += advice == MADV_DONTDUMP;
	into_dumps += advice == MADV_DODUMP;
	return syscall(SYS_madvise, at, size, advice);
}

static bool is_zero(const char *p)
{
	for (int i = 0; i < SECRET_BLOCK; i++)
		if (p[i])
			return false;
	return true;
}

TEST(a_block_is_zeroed_and_used_again)
{
	char *p = secret_alloc(SECRET_BLOCK);

	ASSERT(p);
	EXPECT_EQ(out_of_dumps, 1);
	memset(p, 'x', SECRET_BLOCK);
	secret_free(p, SECRET_BLOCK, SECRET_BLOCK);
	fault_at(FAULT_ALLOC, 0);
	for (int i = 0; i < 100; i++) {
		p = secret_alloc(SECRET_BLOCK);
		ASSERT(p);
		EXPECT(is_zero(p));
		p[i] = 'x';
		secret_free(p, SECRET_BLOCK, i + 1);
	}
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	EXPECT_EQ(out_of_dumps, 1);
	EXPECT_EQ(into_dumps, 0);
}

/* Others are given back to the heap, and to core dumps. */
TEST(few_blocks_are_kept)
{
	char *p[64];

	out_of_dumps = 0;
	for (int i = 0; i < 64; i++) {
		p[i] = secret_alloc(SECRET_BLOCK);
		ASSERT(p[i]);
	}
	/* One may be there from before. */
	EXPECT(out_of_dumps >= 63);
	for (int i = 0; i < 64; i++)
		secret_free(p[i], SECRET_BLOCK, 1);
	EXPECT_EQ(into_dumps, 64 - 8);
}
