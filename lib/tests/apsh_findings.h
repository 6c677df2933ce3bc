/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Checks of the kernel, and their findings in an image. */
#ifndef DOCA_TESTS_APSH_FINDINGS_H
#define DOCA_TESTS_APSH_FINDINGS_H

#include "apsh/get/dispatch.h"
#include "apsh_code.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

/* Where modules are; these addresses have no memory of their own. */
#define EVIL_VA 0xffffffffc0400000ULL

typedef doca_error_t check_fn(struct doca_apsh_system *s, struct apsh_finding ***list, int *nr);

static struct apsh_finding **findings;
static int nr_findings;

/* Make a module with a page of code. */
static inline void new_evil_module(void)
{
	u64 module = object(1024, 64), part;

	set_text(field_va(module, F_MODULE_NAME), "evil");
	part = field_va(module, F_MODULE_MEM);
	set(part, F_LAYOUT_BASE, EVIL_VA);
	set(part, F_LAYOUT_SIZE, PAGE);
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
}

/* A machine with sound code and a process. */
static void set_up_sound(int levels)
{
	set_up_image(levels);
	new_task(1, 1, "init");
	set_up_code();
}

/* Get what is found; false, with a word, if that is not so many. */
static bool find_all(struct doca_apsh_system *s, check_fn *check, int wanted)
{
	findings = NULL;
	nr_findings = 0;
	OK(check(s, &findings, &nr_findings));
	if (nr_findings == wanted)
		return true;
	for (int i = 0; i < nr_findings; i++)
		printf("# %s: %s\n", findings[i]->where, findings[i]->what);
	KTAP_SAY_("%d findings, not %d", nr_findings, wanted);
	doca_priv_apsh_findings_free(findings);
	return false;
}

static void is_clean_of(struct doca_apsh_system *s, check_fn *check)
{
	struct view_stats stats;

	if (!find_all(s, check, 0))
		return;
	doca_priv_apsh_findings_free(findings);
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(stats.broken, 0);
	EXPECT_EQ(stats.absent, 0);
}

static void one_finding_of(struct doca_apsh_system *s, check_fn *check, enum apsh_verdict verdict,
			   const char *where, u64 address, const char *what)
{
	if (!find_all(s, check, 1))
		return;
	EXPECT_EQ(findings[0]->verdict, verdict);
	EXPECT_STR(findings[0]->where, where);
	EXPECT_EQ(findings[0]->address, address);
	if (!strstr(findings[0]->what, what))
		KTAP_SAY_("\"%s\" is no \"%s\"", findings[0]->what, what);
	doca_priv_apsh_findings_free(findings);
}

static inline void cannot_tell_of(struct doca_apsh_system *s, check_fn *check, const char *where,
				  const char *what)
{
	one_finding_of(s, check, APSH_CANNOT_TELL, where, 0, what);
}

static inline void is_clean(check_fn *check)
{
	struct doca_apsh_system *s = started_system();

	is_clean_of(s, check);
	doca_apsh_system_destroy(s);
}

static inline void cannot_tell(check_fn *check, const char *where, const char *what)
{
	struct doca_apsh_system *s = started_system();

	cannot_tell_of(s, check, where, what);
	doca_apsh_system_destroy(s);
}

static inline void is_suspicious(check_fn *check, const char *where, u64 address, const char *what)
{
	struct doca_apsh_system *s = started_system();

	one_finding_of(s, check, APSH_SUSPICIOUS, where, address, what);
	doca_apsh_system_destroy(s);
}

#endif /* DOCA_TESTS_APSH_FINDINGS_H */
