// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: memory for what is a target's, kept from one call to the next. */
#include <sys/syscall.h>
#include <unistd.h>

#include "apsh/secret.h"
#include "fault.h"
#include "ktap.h"

static unsigned int advices;

int madvise(void *at, size_t size, int advice)
{
	advices++;
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
	memset(p, 'x', SECRET_BLOCK);
	secret_free(p, SECRET_BLOCK, SECRET_BLOCK);
	advices = 0;
	fault_at(FAULT_ALLOC, 0);
	for (int i = 0; i < 100; i++) {
		p = secret_alloc(SECRET_BLOCK);
		ASSERT(p);
		EXPECT(is_zero(p));
		p[i] = 'x';
		secret_free(p, SECRET_BLOCK, i + 1);
	}
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	EXPECT_EQ(advices, 0);
}

/* Others are given back to the heap, and to core dumps. */
TEST(few_blocks_are_kept)
{
	char *p[64];

	for (int i = 0; i < 64; i++) {
		p[i] = secret_alloc(SECRET_BLOCK);
		ASSERT(p[i]);
	}
	advices = 0;
	for (int i = 0; i < 64; i++)
		secret_free(p[i], SECRET_BLOCK, 1);
	EXPECT_EQ(advices, 64 - 8);
}
