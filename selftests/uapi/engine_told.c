// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reports of copies by an engine: fdinfo, trace points, docactl. */
#include "engine.h"
#include "kselftest_harness.h"

#define TRACING "/sys/kernel/debug/tracing/"
#define LENGTH (1UL << 20)

FIXTURE(engine_told) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_told)
{
	ENGINE_OPEN(&self->bed);
}

FIXTURE_TEARDOWN(engine_told)
{
	ENGINE_CLOSE(&self->bed);
}

static int copy(struct engine_bed *bed, uint32_t length)
{
	struct doca_cqe cqe;
	int err;

	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, length),
				     seg_of(&bed->src, 0, length)));
	err = queue_publish(&bed->q) ?: engine_wait(&bed->q, &cqe, 10000);
	return err ? err : (int)cqe.status;
}

/* It counts this queue alone, and nothing that the CPU has copied */
TEST_F(engine_told, bytes_of_a_queue)
{
	struct engine_bed *bed = &self->bed;
	struct queue other;

	ASSERT_EQ(0, engine_queue(&other, &bed->d, 1, 0));
	EXPECT_EQ(0, fdinfo_value(bed->q.fd, "doca-engine-bytes"));
	ASSERT_EQ(0, copy(bed, LENGTH));
	ASSERT_EQ(0, copy(bed, 64));
	EXPECT_EQ(LENGTH, fdinfo_value(bed->q.fd, "doca-engine-bytes"));
	EXPECT_EQ(LENGTH + 64, fdinfo_value(bed->q.fd, "doca-bytes"));
	EXPECT_EQ(0, fdinfo_value(other.fd, "doca-engine-bytes"));
	queue_close(&other);
}

/* Count the lines of the trace that contain this */
static int traced(const char *what)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[512];
	int n = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		n += !!strstr(line, what);
	fclose(f);
	return n;
}

TEST_F(engine_told, trace_points)
{
	struct engine_bed *bed = &self->bed;
	char wanted[64];
	struct buf b;

	ASSERT_EQ(0, file_write_text(TRACING "trace", "\n"));
	ASSERT_EQ(0, file_write_text(TRACING "set_event", "doca:*\n"));
	ASSERT_EQ(0, buf_make(&bed->d, &b, PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, copy(bed, LENGTH));
	ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
	ASSERT_EQ(0, file_write_text(TRACING "set_event", "\n"));
	snprintf(wanted, sizeof(wanted), "doca_engine_map: device=%u memory=%u ",
		 bed->d.device, b.mem);
	EXPECT_EQ(1, traced(wanted));
	snprintf(wanted, sizeof(wanted), "doca_engine_unmap: device=%u memory=%u ",
		 bed->d.device, b.mem);
	EXPECT_EQ(1, traced(wanted));
	/* A piece has 256 KiB at most, and less where pages are scattered */
	EXPECT_LE(4, traced("doca_engine_submit: "));
	EXPECT_EQ(traced("doca_engine_submit: "), traced(" failed=0"));
}

/* Return true if a line of the command's output has both */
static bool says(const char *command, const char *first, const char *second)
{
	FILE *f = popen(command, "r");
	char line[512];
	bool found = false;

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		found |= strstr(line, first) && strstr(line, second);
	return !pclose(f) && found;
}

TEST_F(engine_told, device_and_its_engine)
{
	EXPECT_TRUE(says("docactl device", ENGINE_NAME,
			 "testdma,live,translated,4.0K"));
	EXPECT_TRUE(says("docactl device", "ENGINE", "NUMA"));
	EXPECT_TRUE(says("docactl device", "software", " -"));
	EXPECT_FALSE(says("docactl device", "software", "testdma"));
	EXPECT_EQ(0, system("docactl engine attach " ENGINE_NAME " software"));
	EXPECT_TRUE(says("docactl device", "software",
			 ENGINE_NAME ",live,translated,4.0K"));
	EXPECT_EQ(0, system("docactl engine detach software"));
	EXPECT_TRUE(says("docactl device", "software", " -"));
}

/* Both are measured, and named by their devices */
TEST_F_TIMEOUT(engine_told, what_engines_are_worth, 120)
{
	const char *bench = "doca_bench --seconds 0.001 --runs 1 engines";

	EXPECT_TRUE(says(bench, "copy 1 MiB", ENGINE_NAME));
}

/* The engine does not reach one of the two mappings */
TEST_F(engine_told, memory_and_who_reaches_it)
{
	struct engine_bed *bed = &self->bed;
	char key[32];

	snprintf(key, sizeof(key), "0x%x ", bed->src.key);
	EXPECT_TRUE(says("docactl mapping", key, " yes "));
	ASSERT_EQ(0, parameter("max_dmamap_bytes", PAGE));
	ASSERT_EQ(0, mem_unmap(bed->d.fd, bed->src.key));
	ASSERT_EQ(0, mem_map(bed->d.fd, bed->src.mem, bed->d.device,
			     ACCESS_LOCAL, &bed->src.key));
	ASSERT_EQ(0, parameter("max_dmamap_bytes", 0));
	snprintf(key, sizeof(key), "0x%x ", bed->src.key);
	EXPECT_TRUE(says("docactl mapping", key, ENGINE_NAME));
	EXPECT_FALSE(says("docactl mapping", key, " yes "));
}

TEST_HARNESS_MAIN
