// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Flows between processes over the real driver: exports, imports, and permission to import. */
#include <grp.h>

#include <doca_sync_event.h>

#include "flows.h"

DOCA_LOG_REGISTER(SELFTEST::PEERS);

/* An export, and another process's progress with it. */
struct export {
	char *mem;
	size_t len;
	char desc[512 + 1]; /* from the second byte on: it may be moved anywhere */
	int copies;
};

static doca_error_t export(FIXTURE_DATA(flows) *self, struct doca_mmap *map,
			   struct export *export)
{
	const void *desc;
	doca_error_t rc = doca_mmap_export_pci(map, self->dev, &desc, &export->len);

	if (!rc && export->len > 512)
		rc = DOCA_ERROR_TOO_BIG;
	if (!rc)
		memcpy(export->desc + 1, desc, export->len);
	return rc;
}

static doca_error_t import(const struct export *export, struct doca_dev *dev,
			   struct doca_mmap **map)
{
	return doca_mmap_create_from_export(NULL, export->desc + 1, export->len, dev, map);
}

/* Try to write to read-only memory; the refusal stops the context, which is started again. */
static bool is_refused(struct bed *bed, struct doca_mmap *local, char *mem,
		       struct doca_mmap *imported, const struct export *export)
{
	struct adviser adviser;
	struct doca_buf *buf;
	advice_t *advice;

	if (adviser_create(&adviser, bed, 1) ||
	    advice_create(&adviser, bed, imported, export->mem, LEN, &buf, &advice) ||
	    doca_task_submit(as_task(advice)) ||
	    bed_copy(bed, local, mem, imported, export->mem, LEN))
		return false;
	return BED_UNTIL(bed, adviser.failed && bed->to_idle) &&
	       adviser.status == DOCA_ERROR_NOT_PERMITTED &&
	       bed->status == DOCA_ERROR_NOT_PERMITTED && !doca_ctx_start(bed->ctx);
}

/* Copy in another process, until its import is revoked. Return 0, or the step that failed. */
static int import_and_copy(void *arg)
{
	struct export *export = arg;
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *local, *imported, *again;
	struct bed bed;
	size_t len;
	void *addr;
	char *mem;

	mem = map_anonymous(MAP_PRIVATE, MEM);
	if (!dev || import(export, dev, &imported) || bed_create(&bed, dev, NULL) ||
	    doca_ctx_start(bed.ctx) ||
	    bed_mmap(mem, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &local))
		return 1;
	if (doca_mmap_get_memrange(imported, &addr, &len) || addr != export->mem || len != MEM)
		return 2;
	if (!is_refused(&bed, local, mem, imported, export))
		return 3;
	bed.failed = bed.to_idle = 0;
	bed.resubmit = true;
	if (bed_copy(&bed, imported, addr, local, mem, MEM) ||
	    !AWAIT_BY(export->copies += doca_pe_progress(bed.pe), bed.to_idle))
		return 4;
	if (bed.failed != 1 || bed.status != DOCA_ERROR_IO_FAILED)
		return 5;
	/* The memory was copied since, but nothing was written to it. */
	if (memcmp(mem, addr, MEM))
		return 6;
	return import(export, dev, &again) == DOCA_ERROR_INVALID_VALUE ? 0 : 7;
}

TEST_F(flows, another_process_imports_and_reads_until_the_export_ends)
{
	struct export *shared = (void *)map_anonymous(MAP_SHARED, sizeof(*shared));
	volatile int *copies = &shared->copies;
	struct doca_mmap *map, *none;
	pid_t pid;

	shared->mem = map_anonymous(MAP_SHARED, MEM);
	bed_fill(shared->mem, MEM, 3);
	ASSERT_OK(bed_mmap(shared->mem, MEM, DOCA_ACCESS_FLAG_PCI_READ_ONLY, self->dev, NULL, &map));
	ASSERT_OK(export(self, map, shared));
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(import_and_copy(shared));
	}
	EXPECT_TRUE(AWAIT(*copies > 20));
	EXPECT_OK(doca_mmap_stop(map));
	EXPECT_EQ(0, bed_wait(pid));
	/* A new start is a new export. */
	ASSERT_OK(doca_mmap_start(map));
	EXPECT_ERR(INVALID_VALUE, import(shared, self->dev, &none));
	EXPECT_OK(doca_mmap_destroy(map));
}

/* The importer opens the device itself. */
static int import_as_somebody(void *arg)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *map;

	if (!dev)
		return 99;
	if (setgroups(0, NULL) || setresgid(1234, 1234, 1234) || setresuid(1234, 1234, 1234))
		return 98;
	return import(arg, dev, &map);
}

TEST_F(flows, other_users_import_what_is_exported_to_them)
{
	struct export mine = { .mem = self->from }, all = mine;

	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_OK(doca_mmap_stop(self->src));
	ASSERT_OK(doca_mmap_set_permissions(self->src, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	ASSERT_OK(doca_mmap_start(self->src));
	ASSERT_OK(export(self, self->src, &mine));
	EXPECT_EQ(DOCA_ERROR_NOT_PERMITTED, bed_in_child(import_as_somebody, &mine));
	ASSERT_OK(doca_mmap_stop(self->src));
	ASSERT_OK(doca_mmap_start(self->src));
	setenv("DOCA_EXPORT_SCOPE", "any", 1);
	ASSERT_OK(export(self, self->src, &all));
	EXPECT_EQ(DOCA_SUCCESS, bed_in_child(import_as_somebody, &all));
}

/* A process that exports memory and an event, and then never runs again. */
struct passive {
	struct export map;
	size_t event_len;
	uint8_t event[1024];
};

static doca_error_t passive_export(FIXTURE_DATA(flows) *self, struct passive *passive)
{
	struct doca_sync_event *event;
	struct doca_mmap *map;
	const uint8_t *desc;
	doca_error_t rc;

	self->dev = bed_open_dev(NULL);
	bed_fill(passive->map.mem, LEN, 5);
	rc = bed_mmap(passive->map.mem, 2 * LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE, self->dev, NULL,
		      &map) ?:
	     export(self, map, &passive->map) ?:
	     doca_sync_event_create(&event) ?:
	     doca_sync_event_add_publisher_location_remote_pci(event) ?:
	     doca_sync_event_add_subscriber_location_cpu(event, self->dev) ?:
	     doca_sync_event_start(event) ?:
	     doca_sync_event_export_to_remote_pci(event, self->dev, &desc, &passive->event_len);
	if (!rc)
		memcpy(passive->event, desc, passive->event_len);
	return rc;
}

TEST_F(flows, an_exporter_may_be_entirely_passive)
{
	struct passive *passive = (void *)map_anonymous(MAP_SHARED, sizeof(*passive));
	struct doca_sync_event *event;
	struct bed *bed = &self->bed;
	struct doca_mmap *imported;
	uint64_t old = 1;
	char *theirs;
	int status;
	pid_t pid;

	if (bed_in_process())
		SKIP(return, "in process it is the exporter who executes");
	/* The memory is private: these addresses have other memory here, or none. */
	theirs = passive->map.mem = map_anonymous(MAP_PRIVATE, 2 * LEN);
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (passive_export(self, passive))
			_exit(1);
		raise(SIGSTOP);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	munmap(theirs, 2 * LEN);
	ASSERT_OK(import(&passive->map, self->dev, &imported));
	EXPECT_TRUE(copy(bed, self->src, self->from, imported, theirs + LEN, LEN));
	EXPECT_TRUE(copy(bed, imported, theirs, self->dst, self->to, 2 * LEN));
	bed_fill(self->to + 2 * LEN, LEN, 5);
	EXPECT_EQ(0, memcmp(self->to, self->to + 2 * LEN, LEN));
	EXPECT_EQ(0, memcmp(self->to + LEN, self->from, LEN));
	ASSERT_OK(doca_sync_event_create_from_export(self->dev, passive->event,
						     passive->event_len, &event));
	ASSERT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_update_add(event, 3, &old));
	EXPECT_EQ(0, old);
	EXPECT_OK(doca_sync_event_update_add(event, 1, &old));
	EXPECT_EQ(3, old);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	EXPECT_OK(doca_mmap_destroy(imported));
	kill(pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, bed_wait(pid));
}

static int look_for_none(void *driver)
{
	if (driver)
		setenv("DOCA_DRIVER", driver, 1);
	return bed_open_dev("no such device") ? 2 : 0;
}

/* Tests skip where a device is missing, and must not where nobody can tell. */
TEST(a_list_that_cannot_be_made_is_no_missing_device)
{
	EXPECT_EQ(0, bed_in_child(look_for_none, NULL));
	EXPECT_EQ(1, bed_in_child(look_for_none, "a driver that there is not"));
}

TEST_HARNESS_MAIN
