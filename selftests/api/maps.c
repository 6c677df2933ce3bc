// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What programs may rely on of memory maps beyond what buffers.c has. Memory is memory,
 * whatever it is and wherever it begins and ends. Maps come when a program likes. An
 * export is a few bytes that can be put anywhere, and the exporter need not do anything
 * any more.
 */
#include <doca_sync_event.h>

#include "probe.h"
#include "quiet_fork.h"

FIXTURE(maps)
{
	struct probe probe;
};

FIXTURE_SETUP(maps)
{
	doca_error_t rc = probe_create(&self->probe, BED_TASKS);

	if (rc == DOCA_ERROR_NOT_FOUND)
		SKIP_SETUP("no device");
	ASSERT_OK(rc);
	ASSERT_OK(probe_start(&self->probe));
}

FIXTURE_TEARDOWN(maps)
{
	EXPECT_TRUE(probe_destroy(&self->probe));
}

/* One copy, to its end, between any two maps. */
static bool copy(struct probe *probe, struct doca_mmap *from, void *src,
		 struct doca_mmap *to, void *dst, size_t len)
{
	struct doca_task *task;
	unsigned int want = probe->callbacks + 1;

	task = probe_alloc(probe, probe_data(probe, from, src, len),
			   probe_room(probe, to, dst, len));
	return task && !doca_task_submit(task) &&
	       PROBE_UNTIL(probe, probe->callbacks >= want) && !probe->status;
}

#define KIND_LEN (3 * 4096)

static const char constant[KIND_LEN] = "data that the program may only read";
static char variable[KIND_LEN] = "data of the program";

static char *map_file(int fd, int flags)
{
	char *mem;

	if (fd < 0 || ftruncate(fd, KIND_LEN))
		return NULL;
	mem = mmap(NULL, KIND_LEN, PROT_READ | PROT_WRITE, flags, fd, 0);
	close(fd);
	return mem == MAP_FAILED ? NULL : mem;
}

/* Of a file system, and nobody else's. */
static int unnamed_file(void)
{
	char path[] = "/tmp/maps.XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0)
		unlink(path);
	return fd;
}

static char *map_anonymous(int flags, size_t len)
{
	char *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_ANONYMOUS | flags, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

#define HUGE_LEN (2 << 20)

/* At each of some odd places and lengths, there and back. */
static const char *works(struct probe *probe, char *mem, bool writable)
{
	static const size_t places[][2] = { { 0, KIND_LEN },
					    { 1, 1 },
					    { 4095, 2 },
					    { 13, 4096 + 77 } };
	uint32_t access = writable ? DOCA_ACCESS_FLAG_LOCAL_READ_WRITE :
				     DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
	char *mine = probe->mem + PROBE_MEM;
	struct doca_mmap *map;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *at = mem + places[i][0];
		size_t len = places[i][1];

		if (bed_mmap(at, len, access, probe->dev, NULL, &map))
			return "is not mapped";
		if (!copy(probe, map, at, probe->dst, mine, len) ||
		    memcmp(mine, at, len))
			return "is not read";
		bed_fill(mine, len, i);
		if (writable && (!copy(probe, probe->dst, mine, map, at, len) ||
				 memcmp(mine, at, len)))
			return "is not written";
		if (doca_mmap_destroy(map))
			return "is not let go of";
	}
	return NULL;
}

TEST_F(maps, memory_may_be_of_any_alignment_length_and_kind)
{
	char on_stack[KIND_LEN] = "data of a function";
	char *heap = malloc(KIND_LEN);
	const struct {
		const char *name;
		char *mem;
		bool constant, may_lack;
	} kinds[] = {
		{ "a constant", (char *)constant, true, false },
		{ "a variable", variable, false, false },
		{ "the stack", on_stack, false, false },
		{ "the heap", heap, false, false },
		{ "private memory", map_anonymous(MAP_PRIVATE, KIND_LEN),
		  false, false },
		{ "shared memory", map_anonymous(MAP_SHARED, KIND_LEN), false,
		  false },
		{ "a memfd", map_file(memfd_create("maps", 0), MAP_SHARED),
		  false, false },
		{ "a private file",
		  map_file(unnamed_file(), MAP_PRIVATE), false, false },
		{ "huge pages",
		  map_anonymous(MAP_PRIVATE | MAP_HUGETLB, HUGE_LEN), false,
		  true },
	};
	const char *why;
	size_t i;

	memset(heap, 'h', KIND_LEN);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!kinds[i].mem && kinds[i].may_lack) {
			TH_LOG("there is no memory of %s", kinds[i].name);
			continue;
		}
		ASSERT_NE(NULL, kinds[i].mem);
		why = works(&self->probe, kinds[i].mem, !kinds[i].constant);
		EXPECT_EQ(NULL, why)
		{
			TH_LOG("%s %s", kinds[i].name, why);
		}
	}
	free(heap);
}

static struct doca_mmap *late;

static void start_a_map(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	bed_free_task(task);
	probe->on_task = NULL;
	probe->result = bed_mmap(variable, KIND_LEN,
				 DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, probe->dev,
				 NULL, &late);
}

TEST_F(maps, maps_may_be_started_in_callbacks_and_after_contexts)
{
	struct probe *probe = &self->probe;

	probe->on_task = start_a_map;
	ASSERT_OK(probe_submit(probe, 0, false));
	ASSERT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	ASSERT_OK(probe->result);
	EXPECT_TRUE(copy(probe, late, variable, probe->dst,
			 probe->mem + PROBE_MEM, KIND_LEN));
	EXPECT_EQ(0, memcmp(probe->mem + PROBE_MEM, variable, KIND_LEN));
	EXPECT_OK(doca_mmap_destroy(late));
}

TEST_F(maps, a_descriptor_belongs_to_its_map_can_be_moved_and_has_512_bytes_at_most)
{
	struct doca_dev *dev = self->probe.dev;
	struct doca_mmap *map, *import;
	const void *desc = NULL, *again = NULL;
	char moved[513];
	size_t len = 0, again_len = 0, i;

	ASSERT_OK(bed_mmap(variable, KIND_LEN, DOCA_ACCESS_FLAG_PCI_READ_ONLY,
			   dev, NULL, &map));
	ASSERT_OK(doca_mmap_export_pci(map, dev, &desc, &len));
	ASSERT_LT(0, len);
	ASSERT_GE(512, len);
	/* The map's: asked for twice it is the same, and nobody else frees it. */
	EXPECT_OK(doca_mmap_export_pci(map, dev, &again, &again_len));
	EXPECT_EQ(desc, again);
	EXPECT_EQ(len, again_len);
	/* At an even address and at an odd one. */
	for (i = 0; i < 2; i++) {
		memcpy(moved + i, desc, len);
		EXPECT_OK(doca_mmap_create_from_export(NULL, moved + i, len,
						       dev, &import));
		EXPECT_OK(doca_mmap_destroy(import));
	}
	EXPECT_OK(doca_mmap_destroy(map));
}

/* A process that exports memory and an event, and is stopped for good. */
struct passive {
	char *mem; /* there */
	size_t map_len, event_len;
	char map[512], event[1024];
};

static doca_error_t passive_export(struct passive *passive)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	struct doca_mmap *map;
	const uint8_t *event_desc;
	const void *desc;
	doca_error_t rc;

	bed_fill(passive->mem, PROBE_LEN, 5);
	if ((rc = bed_mmap(passive->mem, 2 * PROBE_LEN,
			   DOCA_ACCESS_FLAG_PCI_READ_WRITE, dev, NULL,
			   &map)) ||
	    (rc = doca_mmap_export_pci(map, dev, &desc, &passive->map_len)) ||
	    (rc = doca_sync_event_create(&event)) ||
	    (rc = doca_sync_event_add_publisher_location_remote_pci(event)) ||
	    (rc = doca_sync_event_add_subscriber_location_cpu(event, dev)) ||
	    (rc = doca_sync_event_start(event)) ||
	    (rc = doca_sync_event_export_to_remote_pci(event, dev, &event_desc,
						       &passive->event_len)))
		return rc;
	memcpy(passive->map, desc, passive->map_len);
	memcpy(passive->event, event_desc, passive->event_len);
	return DOCA_SUCCESS;
}

static pid_t passive_start(struct passive *passive)
{
	int status;
	pid_t pid;

	passive->mem = mmap(NULL, 2 * PROBE_LEN, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (passive_export(passive))
			_exit(1);
		raise(SIGSTOP);
		_exit(0);
	}
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return -1;
	return pid;
}

/* It cannot run, so whatever happens is not its doing. */
TEST_F(maps, an_exporter_may_be_entirely_passive)
{
	struct probe *probe = &self->probe;
	struct doca_sync_event *event;
	struct passive *passive;
	struct doca_mmap *import;
	char *mine = probe->mem + PROBE_MEM;
	uint64_t old = 1;
	pid_t pid;

	if (bed_in_process())
		SKIP(return, "in process, it is the exporter who executes");
	passive = (void *)map_anonymous(MAP_SHARED, sizeof(*passive));
	pid = passive_start(passive);
	ASSERT_LT(0, pid);
	ASSERT_OK(doca_mmap_create_from_export(NULL, passive->map,
					       passive->map_len, probe->dev,
					       &import));
	/* To it, and back from there. */
	EXPECT_TRUE(copy(probe, probe->src, probe->mem, import,
			 passive->mem + PROBE_LEN, PROBE_LEN));
	EXPECT_TRUE(copy(probe, import, passive->mem, probe->dst, mine,
			 PROBE_LEN));
	bed_fill(probe->mem + PROBE_MEM + PROBE_LEN, PROBE_LEN, 5);
	EXPECT_EQ(0, memcmp(mine, mine + PROBE_LEN, PROBE_LEN));
	EXPECT_TRUE(copy(probe, import, passive->mem + PROBE_LEN, probe->dst,
			 mine, PROBE_LEN));
	EXPECT_EQ(0, memcmp(mine, probe->mem, PROBE_LEN));
	/* And its event is told. */
	ASSERT_OK(doca_sync_event_create_from_export(
		probe->dev, (uint8_t *)passive->event, passive->event_len,
		&event));
	ASSERT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_update_add(event, 3, &old));
	EXPECT_EQ(0, old);
	EXPECT_OK(doca_sync_event_update_add(event, 1, &old));
	EXPECT_EQ(3, old);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));

	EXPECT_OK(doca_mmap_destroy(import));
	kill(pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, bed_wait(pid));
}

TEST_HARNESS_MAIN
