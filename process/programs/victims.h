/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Processes that export and import, until something happens to them. */
#ifndef SELFTESTS_PROCESS_VICTIMS_H
#define SELFTESTS_PROCESS_VICTIMS_H

#include <dirent.h>
#include <pthread.h>

#include <doca_sync_event.h>

#include "bed.h"

#define LEN (1 << 20)
/* Ends of each kind, at different moments. A process that does not answer needs only one. */
#define ROUNDS(step, how) \
	((how) == STOP && (step) != COPY && (step) != WAIT ? 1 : 3)

/* What the one who ends is doing, and how it does. */
enum step { CONNECT, IMPORT, COPY, WAIT, REVOKE, STEPS };
enum end { KILL, STOP, EXIT, FORK, ENDS };

static const char *const step_names[] __attribute__((unused)) = { "connect", "import", "copy", "wait",
					  "revoke" };
static const char *const end_names[] __attribute__((unused)) = { "killed", "stopped", "exited",
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
	int left, right; /* what one asks for, and the other has done */
	pid_t heir;
};

static inline void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static inline int load(int *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static inline void store(int *value, int new)
{
	__atomic_store_n(value, new, __ATOMIC_RELEASE);
}

static inline void desc_write(struct desc *desc, const void *bytes, size_t len,
		       void *addr)
{
	__atomic_add_fetch(&desc->version, 1, __ATOMIC_SEQ_CST);
	memcpy(desc->bytes, bytes, len);
	desc->len = len;
	desc->addr = addr;
	__atomic_add_fetch(&desc->version, 1, __ATOMIC_SEQ_CST);
}

static inline struct desc desc_read(const struct desc *from)
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
static inline void *obey(void *arg)
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

static inline pid_t victim(struct shared *shared, int (*run)(struct shared *shared))
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

static inline void stop(pid_t pid)
{
	kill(pid, SIGSTOP);
	waitpid(pid, NULL, WUNTRACED);
}

static inline void end(struct shared *shared, pid_t pid, enum end how)
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

static inline void bury(struct shared *shared, pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (shared->heir > 0)
		kill(shared->heir, SIGKILL);
}

static inline int nr_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

/* Of memory that two processes share. */
static inline int nr_areas(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int nr = 0;

	while (fgets(line, sizeof(line), maps))
		nr += !!strstr(line, "memfd:doca");
	fclose(maps);
	return nr;
}

/*
 * What it is within two seconds. It is not asked again once it is right: a process that
 * has connected and ended may still be let in, and goes again.
 */
#define SETTLES(nr, expression)                                          \
	({                                                               \
		double until = bed_now() + patiently(2);                 \
		typeof(expression) is;                                   \
		while ((is = (expression)) != (nr) && bed_now() < until) \
			usleep(1000);                                    \
		is;                                                      \
	})

/* The exporter: memory and a sync event. */
struct exporter {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_sync_event *event;
	void *mem;
};

static inline int exporter_export(struct exporter *self, struct shared *shared)
{
	const void *bytes;
	size_t len;

	if (doca_mmap_export_pci(self->mmap, self->dev, &bytes, &len))
		return -1;
	desc_write(&shared->desc, bytes, len, self->mem);
	return 0;
}

static inline int exporter_open(struct exporter *self, struct shared *shared)
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

static inline void exporter_close(struct exporter *self)
{
	doca_sync_event_stop(self->event);
	doca_sync_event_destroy(self->event);
	doca_mmap_destroy(self->mmap);
	doca_dev_close(self->dev);
	munmap(self->mem, LEN);
}

static inline int run_exporter(struct shared *shared)
{
	struct exporter self;

	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		pause();
}

static inline int run_revoker(struct shared *shared)
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

static inline void wait_ended(struct doca_sync_event_task_wait_gt *task,
		       union doca_data data, union doca_data ctx_data)
{
	struct importer *self = ctx_data.ptr;

	(void)data;
	self->waits_ended++;
	doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static inline doca_error_t importer_import(struct importer *self,
				    const struct desc *desc,
				    struct doca_mmap **imported)
{
	return doca_mmap_create_from_export(NULL, desc->bytes, desc->len,
					    self->dev, imported);
}

static inline int importer_open(struct importer *self)
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

static inline int importer_copy(struct importer *self, const struct desc *desc)
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

static inline int importer_wait(struct importer *self, const struct desc *desc)
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

static inline bool is_idle(struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	return doca_ctx_get_state(ctx, &state) || state == DOCA_CTX_STATE_IDLE;
}

/* How long it takes until the contexts have stopped, be they asked to or not. */
static inline double importer_stop(struct importer *self, bool ask)
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

static inline void importer_close(struct importer *self)
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

static inline int import_for_ever(struct shared *shared, bool keep)
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
static inline int run_connect(struct shared *shared)
{
	return import_for_ever(shared, false);
}

static inline int run_import(struct shared *shared)
{
	return import_for_ever(shared, true);
}

static inline int run_copy(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self) || importer_copy(&self, &desc))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		doca_pe_progress(self.bed.pe);
}

static inline int run_wait(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self) || importer_wait(&self, &desc))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		doca_pe_progress(self.bed.pe);
}

/* A process ends at different moments of its step. */
static inline void a_moment(int round)
{
	usleep(round * round * 1500);
}

/* Imports that are to succeed until the other one ends: what they have failed with. */
static inline doca_error_t import_until(struct importer *self, struct shared *shared,
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

#endif
