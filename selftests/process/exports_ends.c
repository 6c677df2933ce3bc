// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One of two processes ends, at any moment of what it does: it is killed, stopped, exits,
 * or is killed and has a child that lives. The other one goes on at once, is told, and has
 * nothing left of it.
 */
#include <dirent.h>
#include <pthread.h>

#include <doca_sync_event.h>

#include "bed.h"

#define LEN (1 << 20)
/* Ends of each kind, at different moments. Of who does not answer one is enough. */
#define ROUNDS(step, how) \
	((how) == STOP && (step) != COPY && (step) != WAIT ? 1 : 3)

/* What the one who ends is doing, and how it does. */
enum step { CONNECT, IMPORT, COPY, WAIT, REVOKE, STEPS };
enum end { KILL, STOP, EXIT, FORK, ENDS };

static const char *const step_names[] = { "connect", "import", "copy", "wait",
					  "revoke" };
static const char *const end_names[] = { "killed", "stopped", "exited",
					 "forked" };

struct desc {
	uint32_t version; /* odd: it is being written */
	size_t len, event_len;
	void *addr;
	uint8_t bytes[512], event_bytes[1024];
};

/* Between the two. */
struct shared {
	struct desc desc;
	int ready; /* what is to be done is being done */
	int order; /* EXIT or FORK */
	pid_t heir;
};

static void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int load(int *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void store(int *value, int new)
{
	__atomic_store_n(value, new, __ATOMIC_RELEASE);
}

static void desc_write(struct desc *desc, const void *bytes, size_t len,
		       void *addr)
{
	__atomic_add_fetch(&desc->version, 1, __ATOMIC_SEQ_CST);
	memcpy(desc->bytes, bytes, len);
	desc->len = len;
	desc->addr = addr;
	__atomic_add_fetch(&desc->version, 1, __ATOMIC_SEQ_CST);
}

static struct desc desc_read(const struct desc *from)
{
	struct desc desc;

	do {
		memcpy(&desc, from, sizeof(desc));
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	} while (desc.version & 1 ||
		 desc.version !=
			 __atomic_load_n(&from->version, __ATOMIC_SEQ_CST));
	return desc;
}

/* In the process that is to end, beside what it does. */
static void *obey(void *arg)
{
	struct shared *shared = arg;
	pid_t heir;

	while (!load(&shared->order))
		usleep(100);
	if (load(&shared->order) == EXIT)
		exit(0);
	heir = fork();
	if (!heir)
		for (;;)
			pause();
	shared->heir = heir;
	store(&shared->order, ENDS);
	return NULL;
}

static pid_t victim(struct shared *shared, int (*run)(struct shared *shared))
{
	double end = bed_now() + 20;
	pthread_t thread;
	pid_t pid;

	store(&shared->ready, 0);
	store(&shared->order, 0);
	shared->heir = 0;
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, obey, shared))
			_exit(1);
		_exit(run(shared));
	}
	while (!load(&shared->ready) && bed_now() < end)
		usleep(100);
	return pid;
}

static void stop(pid_t pid)
{
	kill(pid, SIGSTOP);
	waitpid(pid, NULL, WUNTRACED);
}

static void end(struct shared *shared, pid_t pid, enum end how)
{
	double end = bed_now() + 20;

	if (how == KILL)
		kill(pid, SIGKILL);
	if (how == STOP)
		stop(pid);
	if (how == EXIT)
		store(&shared->order, EXIT);
	if (how != FORK)
		return;
	store(&shared->order, FORK);
	while (load(&shared->order) == FORK && bed_now() < end)
		usleep(100);
	kill(pid, SIGKILL);
}

static void bury(struct shared *shared, pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (shared->heir > 0)
		kill(shared->heir, SIGKILL);
}

static int nr_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

/* Of memory that two processes share. */
static int nr_areas(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int nr = 0;

	while (fgets(line, sizeof(line), maps))
		nr += !!strstr(line, "memfd:doca");
	fclose(maps);
	return nr;
}

/* Within two seconds. */
#define SETTLES(nr, expression)                                   \
	({                                                        \
		double until = bed_now() + patiently(2);          \
		while ((nr) != (expression) && bed_now() < until) \
			usleep(1000);                             \
		(expression);                                     \
	})

/* The exporter: memory and a sync event. */
struct exporter {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_sync_event *event;
	void *mem;
};

static int exporter_export(struct exporter *self, struct shared *shared)
{
	const void *bytes;
	size_t len;

	if (doca_mmap_export_pci(self->mmap, self->dev, &bytes, &len))
		return -1;
	desc_write(&shared->desc, bytes, len, self->mem);
	return 0;
}

static int exporter_open(struct exporter *self, struct shared *shared)
{
	struct desc *desc = &shared->desc;
	const uint8_t *bytes;

	self->mem = map(LEN);
	self->dev = bed_open_dev(NULL);
	if (!self->dev ||
	    bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE, self->dev,
		     NULL, &self->mmap) ||
	    doca_sync_event_create(&self->event) ||
	    doca_sync_event_add_publisher_location_remote_pci(self->event) ||
	    doca_sync_event_add_subscriber_location_cpu(self->event,
							self->dev) ||
	    doca_sync_event_start(self->event) ||
	    doca_sync_event_export_to_remote_pci(self->event, self->dev, &bytes,
						 &desc->event_len))
		return -1;
	memcpy(desc->event_bytes, bytes, desc->event_len);
	return exporter_export(self, shared);
}

static void exporter_close(struct exporter *self)
{
	doca_sync_event_stop(self->event);
	doca_sync_event_destroy(self->event);
	doca_mmap_destroy(self->mmap);
	doca_dev_close(self->dev);
	munmap(self->mem, LEN);
}

static int run_exporter(struct shared *shared)
{
	struct exporter self;

	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		pause();
}

static int run_revoker(struct shared *shared)
{
	struct exporter self;

	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		usleep(300);
		if (doca_mmap_stop(self.mmap) || doca_mmap_start(self.mmap) ||
		    exporter_export(&self, shared))
			return 2;
	}
}

/* The importer: a context that copies, and one that waits. */
struct importer {
	struct doca_dev *dev;
	struct doca_mmap *local, *imported;
	struct bed bed;
	char *mem;
	struct doca_sync_event *event;
	struct doca_ctx *ctx;
	struct doca_sync_event_task_wait_gt *wait;
	uint64_t value;
	int waits_ended;
};

static void wait_ended(struct doca_sync_event_task_wait_gt *task,
		       union doca_data data, union doca_data ctx_data)
{
	struct importer *self = ctx_data.ptr;

	(void)data;
	self->waits_ended++;
	doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static doca_error_t importer_import(struct importer *self,
				    const struct desc *desc,
				    struct doca_mmap **imported)
{
	return doca_mmap_create_from_export(NULL, desc->bytes, desc->len,
					    self->dev, imported);
}

static int importer_open(struct importer *self)
{
	memset(self, 0, sizeof(*self));
	self->mem = map(LEN);
	self->dev = bed_open_dev(NULL);
	return !self->dev ||
	       bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			self->dev, NULL, &self->local) ||
	       bed_create(&self->bed, self->dev, NULL) ||
	       doca_ctx_start(self->bed.ctx);
}

static int importer_copy(struct importer *self, const struct desc *desc)
{
	int i;

	if (importer_import(self, desc, &self->imported))
		return 1;
	self->bed.resubmit = true;
	for (i = 0; i < 4; i++)
		if (bed_copy(&self->bed, i % 2 ? self->imported : self->local,
			     i % 2 ? desc->addr : self->mem,
			     i % 2 ? self->local : self->imported,
			     i % 2 ? self->mem : desc->addr, LEN))
			return 2;
	return 0;
}

static int importer_wait(struct importer *self, const struct desc *desc)
{
	union doca_data data = { .ptr = self };

	if (doca_sync_event_create_from_export(self->dev, desc->event_bytes,
					       desc->event_len, &self->event))
		return 1;
	self->ctx = doca_sync_event_as_ctx(self->event);
	if (doca_sync_event_task_wait_gt_set_conf(self->event, wait_ended,
						  wait_ended, 1) ||
	    doca_ctx_set_user_data(self->ctx, data) ||
	    doca_pe_connect_ctx(self->bed.pe, self->ctx) ||
	    doca_ctx_start(self->ctx) ||
	    doca_sync_event_task_wait_gt_alloc_init(
		    self->event, 100, ~0ULL, (union doca_data){}, &self->wait))
		return 2;
	return doca_task_submit(
		doca_sync_event_task_wait_gt_as_doca_task(self->wait));
}

static bool is_idle(struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	return doca_ctx_get_state(ctx, &state) || state == DOCA_CTX_STATE_IDLE;
}

/* How long it takes until the contexts have stopped, be they asked to or not. */
static double importer_stop(struct importer *self, bool ask)
{
	bool copies = ask || !self->ctx;
	double begin = bed_now();

	if (ask) {
		doca_ctx_stop(self->bed.ctx);
		if (self->ctx)
			doca_ctx_stop(self->ctx);
	}
	BED_UNTIL(&self->bed, (!self->ctx || is_idle(self->ctx)) &&
				      (!copies || is_idle(self->bed.ctx)));
	return bed_now() - begin;
}

static void importer_close(struct importer *self)
{
	importer_stop(self, true);
	if (self->event)
		doca_sync_event_destroy(self->event);
	bed_destroy(&self->bed);
	if (self->imported)
		doca_mmap_destroy(self->imported);
	doca_mmap_destroy(self->local);
	doca_dev_close(self->dev);
	munmap(self->mem, LEN);
}

static int import_for_ever(struct shared *shared, bool keep)
{
	struct desc desc = desc_read(&shared->desc);
	struct doca_mmap *imported;
	struct importer self;

	if (importer_open(&self) ||
	    (keep && importer_import(&self, &desc, &self.imported)))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		if (importer_import(&self, &desc, &imported) ||
		    doca_mmap_destroy(imported))
			pause();
}

/* Nothing else is imported, so each time there is a connection of its own. */
static int run_connect(struct shared *shared)
{
	return import_for_ever(shared, false);
}

static int run_import(struct shared *shared)
{
	return import_for_ever(shared, true);
}

static int run_copy(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self) || importer_copy(&self, &desc))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		doca_pe_progress(self.bed.pe);
}

static int run_wait(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self) || importer_wait(&self, &desc))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		doca_pe_progress(self.bed.pe);
}

/* Whoever ends does it some time within what it does. */
static void a_moment(int round)
{
	usleep(round * round * 1500);
}

/* Imports that are to succeed until the other one ends: what they have failed with. */
static doca_error_t import_until(struct importer *self, struct shared *shared,
				 double end, double *longest)
{
	doca_error_t rc = DOCA_SUCCESS;
	struct doca_mmap *imported;

	while (!rc && bed_now() < end) {
		struct desc desc = desc_read(&shared->desc);
		double begin = bed_now(), took;

		rc = importer_import(self, &desc, &imported);
		took = bed_now() - begin;
		*longest = took > *longest ? took : *longest;
		if (!rc)
			doca_mmap_destroy(imported);
		/* It has revoked that one meanwhile, and made another. */
		else if (desc.version != desc_read(&shared->desc).version)
			rc = DOCA_SUCCESS;
	}
	return rc;
}

FIXTURE(ends)
{
	struct shared *shared;
};

FIXTURE_SETUP(ends)
{
	self->shared = map(sizeof(*self->shared));
}

FIXTURE_TEARDOWN(ends)
{
	munmap(self->shared, sizeof(*self->shared));
}

#define TELL(step, how, round, rc)                                            \
	TH_LOG("%s while %s, round %d: %s", end_names[how], step_names[step], \
	       round, doca_error_get_name(rc))

/* The exporter ends; whoever imports from it does not wait. */
static bool exporter_ends(struct shared *shared, enum step step, enum end how,
			  int round)
{
	pid_t pid = victim(shared, step == REVOKE ? run_revoker : run_exporter);
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	double longest = 0, until;
	doca_error_t rc = 0;
	bool good;

	if (importer_open(&self))
		return false;
	if (step == COPY && importer_copy(&self, &desc))
		return false;
	if (step == WAIT && importer_wait(&self, &desc))
		return false;
	if (step == IMPORT && importer_import(&self, &desc, &self.imported))
		return false;
	if (step == COPY || step == WAIT) {
		until = bed_now() + round * round * 1e-3;
		while (bed_now() < until)
			doca_pe_progress(self.bed.pe);
		end(shared, pid, how);
		/* It is told, or goes on until it does not want to any more. */
		longest = importer_stop(&self, how == STOP);
		rc = step == COPY ? self.bed.status : DOCA_ERROR_IO_FAILED;
		good = step == COPY ? self.bed.failed > 0 :
				      self.waits_ended == 1;
		/* The first one, and those that were under way with it. */
		good = good && (how == STOP || rc == DOCA_ERROR_IO_FAILED ||
				rc == DOCA_ERROR_SHUTDOWN);
	} else {
		import_until(&self, shared, bed_now() + round * round * 1e-3,
			     &longest);
		end(shared, pid, how);
		rc = import_until(&self, shared, bed_now() + 20, &longest);
		good = rc == DOCA_ERROR_INVALID_VALUE ||
		       (how == STOP && rc == DOCA_ERROR_TIME_OUT);
	}
	good = good && longest < patiently(2);
	if (!good)
		fprintf(stderr, "# %s, %.3f s\n", doca_error_get_name(rc),
			longest);
	importer_close(&self);
	bury(shared, pid);
	return good;
}

/* The importer ends; whoever exports to it takes that back at any time. */
static bool importer_ends(struct shared *shared, struct exporter *self,
			  enum step step, enum end how, int round)
{
	static int (*const runs[])(struct shared *) = {
		[CONNECT] = run_connect,
		[IMPORT] = run_import,
		[COPY] = run_copy,
		[WAIT] = run_wait,
	};
	pid_t pid = victim(shared, runs[step]);
	double begin, took;
	bool good;

	a_moment(round);
	end(shared, pid, how);
	begin = bed_now();
	good = !doca_mmap_stop(self->mmap);
	took = bed_now() - begin;
	if (!good || took > patiently(1))
		fprintf(stderr, "# the stop took %.3f s\n", took);
	good = good && took < patiently(1) && !doca_mmap_start(self->mmap) &&
	       !exporter_export(self, shared);
	bury(shared, pid);
	return good;
}

TEST_F_TIMEOUT(ends, of_the_exporter, 120)
{
	int step, how, round, fds = 0, areas = 0;

	for (step = 0; step < STEPS; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < ROUNDS(step, how); round++) {
				EXPECT_TRUE(exporter_ends(self->shared, step,
							  how, round))
				TELL(step, how, round, 0);
				/* The first has made the thread and its own. */
				if (fds) {
					EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
					TELL(step, how, round, 0);
					EXPECT_EQ(areas,
						  SETTLES(areas, nr_areas()));
				}
				fds = fds ?: SETTLES(-1, nr_fds());
				areas = nr_areas();
			}
		}
	}
	EXPECT_EQ(0, areas);
}

TEST_F_TIMEOUT(ends, of_the_importer, 120)
{
	struct exporter exporter;
	int step, how, round, fds, areas;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	fds = nr_fds();
	areas = nr_areas();
	for (step = 0; step <= WAIT; step++) {
		for (how = 0; how < ENDS; how++) {
			for (round = 0; round < ROUNDS(step, how); round++) {
				EXPECT_TRUE(importer_ends(self->shared,
							  &exporter, step, how,
							  round))
				TELL(step, how, round, 0);
				EXPECT_EQ(fds, SETTLES(fds, nr_fds()))
				TELL(step, how, round, 0);
				EXPECT_EQ(areas, SETTLES(areas, nr_areas()));
			}
		}
	}
	exporter_close(&exporter);
}

/* Calls that have no task behind them end as well, and say what they do not know. */
TEST_F(ends, of_an_event_that_is_asked)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t value;
	double begin;

	ASSERT_OK(doca_sync_event_create_from_export(dev, desc.event_bytes,
						     desc.event_len, &event));
	ASSERT_OK(doca_sync_event_start(event));
	ASSERT_OK(doca_sync_event_update_add(event, 3, &value));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(3, value);
	stop(pid);
	begin = bed_now();
	EXPECT_ERR(IO_FAILED, doca_sync_event_update_set(event, 7));
	EXPECT_LT(bed_now() - begin, patiently(2) + 0.5);
	EXPECT_OK(doca_sync_event_stop(event));
	kill(pid, SIGCONT);
	EXPECT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_get(event, &value));
	kill(pid, SIGKILL);
	begin = bed_now();
	EXPECT_ERR(IO_FAILED, doca_sync_event_get(event, &value));
	EXPECT_LT(bed_now() - begin, 1);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	bury(self->shared, pid);
}

/* For ever imports what there is, and writes there. */
static int run_writer(struct shared *shared)
{
	struct importer self;
	unsigned long written = 0;

	struct desc first = desc_read(&shared->desc);

	/* An import that stays keeps the connection. */
	if (importer_open(&self) || importer_wait(&self, &first))
		return 1;
	memset(self.mem, 0x11, LEN);
	store(&shared->ready, 1);
	for (;;) {
		struct desc desc = desc_read(&shared->desc);
		int i;

		if (importer_import(&self, &desc, &self.imported))
			continue;
		for (i = 0; i < 8; i++)
			if (bed_copy(&self.bed, self.local, self.mem,
				     self.imported, desc.addr, 16384))
				return 2;
		BED_UNTIL(&self.bed, !bed_inflight(&self.bed));
		written += self.bed.succeeded;
		store(&shared->order, written ? -1 : 0);
		self.bed.succeeded = 0;
		BED_UNTIL(&self.bed,
			  bed_state_of(&self.bed) != DOCA_CTX_STATE_STOPPING);
		if (is_idle(self.bed.ctx) && doca_ctx_start(self.bed.ctx))
			return 3;
		doca_mmap_destroy(self.imported);
	}
}

/* From the moment on at which a stop has returned the memory is the exporter's. */
TEST_F_TIMEOUT(ends, of_an_export_that_is_written_to, 300)
{
	const char *wish = getenv("DOCA_TEST_RACES");
	long i, races = wish ? atol(wish) : 10000, hit = 0;
	struct exporter exporter;
	unsigned int seed = 1;
	double spin;
	char *mem;
	pid_t pid;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	mem = exporter.mem;
	pid = victim(self->shared, run_writer);
	for (i = 0; i < races; i++) {
		spin = bed_now() + rand_r(&seed) % 300 * 1e-6;
		while (bed_now() < spin)
			sched_yield();
		ASSERT_OK(doca_mmap_stop(exporter.mmap));
		hit += mem[0] == 0x11;
		memset(mem, 0x22, 16384);
		spin = bed_now() + 30e-6;
		while (bed_now() < spin)
			sched_yield();
		ASSERT_EQ(0x22, mem[0]);
		ASSERT_EQ(0, memcmp(mem, mem + 1, 16383));
		ASSERT_OK(doca_mmap_start(exporter.mmap));
		ASSERT_EQ(0, exporter_export(&exporter, self->shared));
	}
	TH_LOG("%ld of %ld times it had been written", hit, races);
	EXPECT_LT(races / 100, hit);
	bury(self->shared, pid);
	exporter_close(&exporter);
}

TEST_HARNESS_MAIN
