// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A hash with a key that no guest knows: it could choose addresses that are searched for one by one.
 * The upper half of a product has what the highest bits of an address do, which its lower half hides;
 * the second product spreads what is a progression of addresses.
 */
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "address_hash.h"

static u64 chosen[2];

/* Soon after the start of a machine there may be nothing random yet but what each program gets. */
void __attribute__((constructor(101))) address_hash_draw_key(void)
{
	const void *given = (const void *)getauxval(AT_RANDOM);

	if (getrandom(chosen, sizeof(chosen), GRND_NONBLOCK) !=
		    sizeof(chosen) &&
	    given)
		memcpy(chosen, given, sizeof(chosen));
	chosen[0] |= 1;
	chosen[1] |= 1;
}

u32 address_hash(u64 address)
{
	unsigned __int128 product = address ^ chosen[0];
	u64 mixed;

	product *= chosen[1];
	mixed = (u64)product ^ (u64)(product >> 64);
	mixed ^= mixed >> 32;
	return (u32)(mixed * chosen[0] >> 32);
}
