/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The smallest harness for KTAP: TEST(name) { ... } registers a case, and EXPECT*()
 * checks a condition. A case goes on after a failed check; ASSERT() ends it. SKIP() says
 * that it cannot run here.
 */
#ifndef DOCA_TESTS_KTAP_H
#define DOCA_TESTS_KTAP_H

#include <stdio.h>
#include <string.h>

struct ktap_case {
	const char *name;
	void (*run)(void);
	struct ktap_case *next;
};

static struct ktap_case *ktap_cases, **ktap_last = &ktap_cases;
static int ktap_total, ktap_bad;
static const char *ktap_skip;

#define TEST(id)                                                      \
	static void test_##id(void);                                  \
	static struct ktap_case case_##id = { #id, test_##id, NULL }; \
	__attribute__((constructor)) static void add_##id(void)       \
	{                                                             \
		*ktap_last = &case_##id;                              \
		ktap_last = &case_##id.next;                          \
		ktap_total++;                                         \
	}                                                             \
	static void test_##id(void)

/* Defined only in some programs; see seen.h. */
__attribute__((weak)) void seen_expected(long long value);

#define KTAP_SAY_(...)                                   \
	do {                                             \
		ktap_bad++;                              \
		printf("# %s:%d: ", __FILE__, __LINE__); \
		printf(__VA_ARGS__);                     \
		printf("\n");                            \
	} while (0)

#define EXPECT(cond)                            \
	do {                                    \
		if (!(cond))                    \
			KTAP_SAY_("%s", #cond); \
	} while (0)

#define ASSERT(cond)                            \
	do {                                    \
		if (!(cond)) {                  \
			KTAP_SAY_("%s", #cond); \
			return;                 \
		}                               \
	} while (0)

#define EXPECT_EQ(a, b)                                                         \
	do {                                                                    \
		long long a_ = (long long)(a), b_ = (long long)(b);             \
                                                                                \
		if (a_ != b_)                                                   \
			KTAP_SAY_("%s is %lld, not %s (%lld)", #a, a_, #b, b_); \
		if (seen_expected)                                              \
			seen_expected(b_);                                      \
	} while (0)

/* Checks for the libraries' functions. */
#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define EXPECT_STR(a, b)                                                                   \
	do {                                                                               \
		const char *s_ = (a), *t_ = (b);                                           \
                                                                                           \
		if (!s_ || strcmp(s_, t_))                                                 \
			KTAP_SAY_("%s is \"%s\", not \"%s\"", #a, s_ ? s_ : "(null)", t_); \
	} while (0)

#define SKIP(why)                  \
	do {                       \
		ktap_skip = (why); \
		return;            \
	} while (0)

int main(void)
{
	int n = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..%d\n", ktap_total);
	for (struct ktap_case *c = ktap_cases; c; c = c->next) {
		ktap_bad = 0;
		ktap_skip = NULL;
		c->run();
		printf("%sok %d %s%s%s\n", ktap_bad ? "not " : "", ++n, c->name,
		       ktap_skip && !ktap_bad ? " # SKIP " : "",
		       ktap_skip && !ktap_bad ? ktap_skip : "");
		failed += !!ktap_bad;
	}
	return !!failed;
}

#endif /* DOCA_TESTS_KTAP_H */
