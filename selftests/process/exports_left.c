// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What a process leaves behind in the other one, or takes from it: answers that come too
 * late, waits that have not begun, pieces that are not asked for any more, a thread.
 */
#include <poll.h>
#include <sys/resource.h>

#include "victims.h"

/* As many as an exporter has room for. */
#define WAITS 192
/* And slots, of which a step of an operation takes four. */
#define SLOTS 32
#define STEP (4 * 65536)

/* The import was given back; its place is the importer's again. */
TEST_F(ends, of_a_question_before_the_answer)
{
	static struct doca_mmap *more[1023];
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct doca_mmap *late;
	struct importer importer;
	int i;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	stop(pid);
	EXPECT_ERR(TIME_OUT, importer_import(&importer, &desc, &late));
	kill(pid, SIGCONT);
	usleep(patiently(100) * 1000);
	for (i = 0; i < 1023; i++)
		ASSERT_OK(importer_import(&importer, &desc, &more[i]));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
	importer_close(&importer);
	bury(self->shared, pid);
}

TEST_HARNESS_MAIN
