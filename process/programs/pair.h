/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Two processes, an exporter and an importer, until something happens to one of them. */
#ifndef SELFTESTS_PROCESS_PAIR_H
#define SELFTESTS_PROCESS_PAIR_H

#include <dirent.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#include <doca_sync_event.h>

#include "bed.h"

/* Bytes of memory on each side. */
#ifndef LEN
#define LEN (1 << 20)
#endif

/* Maximum of waits that an exporter has room for. */
#define WAITS 192

/* Ends of a victim process. */
enum end { KILL, STOP, EXIT, FORK, ENDS };

struct desc {
	uint32_t version; /* odd while it is being written */
	size_t len, event_len;
	void *addr;
	uint8_t bytes[512], event_bytes[1024];
};

/* Shared by the two processes. */
struct shared {
	struct desc desc;
	char *mem; /* the exporter's; NULL: it allocates its own */
	int ready; /* the work has begun */
	int order; /* EXIT or FORK */
	int steps; /* steps of the work */
	int left, right; /* requested by one, done by the other */
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
	syscall(SYS_futex, value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Sleep until the value is another one. */
static inline int load_other(int *value, int than)
{
	while (load(value) == than)
		syscall(SYS_futex, value, FUTEX_WAIT, than, NULL, NULL, 0);
	return load(value);
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

/* A thread of the victim, beside its work. */
static inline void *obey(void *arg)
{
	struct shared *shared = arg;
	pid_t heir;

	if (load_other(&shared->order, 0) == EXIT)
		exit(0);
	heir = fork();
	if (!heir)
		for (;;)
			pause();
	shared->heir = heir;
	store(&shared->order, ENDS);
	return NULL;
}

static inline void victim_prepare(struct shared *shared)
{
	store(&shared->ready, 0);
	store(&shared->order, 0);
	store(&shared->steps, 0);
	store(&shared->left, 0);
	store(&shared->right, 0);
	shared->heir = 0;
}

/* In the victim. */
static inline void victim_work(struct shared *shared,
			       int (*run)(struct shared *shared))
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_create(&thread, NULL, obey, shared))
		_exit(1);
	_exit(run(shared));
}

/* Wait for what a victim does, without which a test shows nothing. */
#define AWAIT_VICTIM(pid, condition)                                        \
	do {                                                                \
		siginfo_t ended_ = {};                                      \
                                                                            \
		AWAIT(!waitid(P_PID, pid, &ended_,                          \
			      WEXITED | WNOHANG | WNOWAIT) &&               \
		      (ended_.si_pid || (condition)));                      \
		if (!(condition)) {                                         \
			fprintf(stderr, "%s: a victim has %s before %s\n",  \
				__func__, ended_.si_pid ? "ended" : "hung", \
				#condition);                                \
			abort();                                            \
		}                                                           \
	} while (0)

static inline pid_t victim(struct shared *shared,
			   int (*run)(struct shared *shared))
{
	pid_t pid;

	victim_prepare(shared);
	pid = quiet_fork();
	if (!pid)
		victim_work(shared, run);
	AWAIT_VICTIM(pid, load(&shared->ready));
	return pid;
}

static inline void stop(pid_t pid)
{
	kill(pid, SIGSTOP);
	waitpid(pid, NULL, WUNTRACED);
}

static inline void end(struct shared *shared, pid_t pid, enum end how)
{
	if (how == KILL)
		kill(pid, SIGKILL);
	if (how == STOP)
		stop(pid);
	if (how == EXIT)
		store(&shared->order, EXIT);
	if (how != FORK)
		return;
	store(&shared->order, FORK);
	AWAIT_VICTIM(pid, load(&shared->order) != FORK);
	kill(pid, SIGKILL);
}

static inline void bury(struct shared *shared, pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (shared->heir <= 0)
		return;
	kill(shared->heir, SIGKILL);
	/* With a nursery it is the test's child by now. */
	waitpid(shared->heir, NULL, 0);
}

/* Count descriptors of a kind, such as "socket:"; "" counts all. */
static inline int nr_fds_of(pid_t pid, const char *kind)
{
	char path[64], name[64];
	struct dirent *entry;
	int nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		nr += readlinkat(dirfd(dir), entry->d_name, name,
				 sizeof(name)) > 0 &&
		      !strncmp(name, kind, strlen(kind));
	if (dir)
		closedir(dir);
	return nr;
}

static inline int nr_fds(void)
{
	return nr_fds_of(getpid(), "");
}

/* Count mapped areas that two processes share. */
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
 * The final value of an expression. It is not evaluated again once it is right: a process
 * that has connected and ended may still be accepted, and then dropped.
 */
#define SETTLES(nr, expression)                      \
	({                                           \
		typeof(expression) is_;              \
		AWAIT((is_ = (expression)) == (nr)); \
		is_;                                 \
	})

/* The exporter, with memory and a sync event. */
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

	self->mem = shared->mem ?: map(LEN);
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

/* Export until told to stop exporting, and then wait for ever. */
static inline int run_exporter(struct shared *shared)
{
	struct exporter self;

	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	load_other(&shared->left, 0);
	if (doca_mmap_stop(self.mmap))
		return 2;
	store(&shared->right, 1);
	for (;;)
		pause();
}

/* The importer, with a context that copies and one that waits. */
struct importer {
	struct doca_dev *dev;
	struct doca_mmap *local, *imported;
	struct bed bed;
	char *mem;
	struct doca_sync_event *event;
	struct doca_ctx *ctx;
	unsigned int waits_ended, waits_failed, added;
};

static inline void wait_ended(struct doca_sync_event_task_wait_gt *wait,
			      union doca_data data, union doca_data ctx_data)
{
	struct doca_task *task =
		doca_sync_event_task_wait_gt_as_doca_task(wait);
	struct importer *self = ctx_data.ptr;

	(void)data;
	self->waits_ended++;
	self->waits_failed += !!doca_task_get_status(task);
	doca_task_free(task);
}

static inline void add_ended(struct doca_sync_event_task_notify_add *add,
			     union doca_data data, union doca_data ctx_data)
{
	struct importer *self = ctx_data.ptr;

	(void)data;
	self->added++;
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
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

/* Make the context that waits, for up to @nr values at a time. */
static inline int importer_watch(struct importer *self, const struct desc *desc,
				 uint32_t nr)
{
	union doca_data data = { .ptr = self };

	if (doca_sync_event_create_from_export(self->dev, desc->event_bytes,
					       desc->event_len, &self->event))
		return 1;
	self->ctx = doca_sync_event_as_ctx(self->event);
	return doca_sync_event_task_wait_gt_set_conf(self->event, wait_ended,
						     wait_ended, nr) ||
	       doca_sync_event_task_notify_add_set_conf(self->event, add_ended,
							add_ended, 1) ||
	       doca_ctx_set_user_data(self->ctx, data) ||
	       doca_pe_connect_ctx(self->bed.pe, self->ctx) ||
	       doca_ctx_start(self->ctx);
}

/* A context that is stopping takes no task, and does not stop while one is left. */
static inline doca_error_t importer_submit(struct doca_task *task)
{
	doca_error_t rc = doca_task_submit(task);

	if (rc)
		doca_task_free(task);
	return rc;
}

/* Wait for more than @value, which never comes unless somebody sets it. */
static inline doca_error_t importer_wait(struct importer *self, uint64_t value)
{
	struct doca_sync_event_task_wait_gt *wait;

	return doca_sync_event_task_wait_gt_alloc_init(self->event, value, ~0ULL, (union doca_data){}, &wait) ?:
		       importer_submit(
			       doca_sync_event_task_wait_gt_as_doca_task(wait));
}

/* An addition of 0 is behind the waits in the rings of the queue and of the exporter. */
static inline bool importer_waits_have_begun(struct importer *self)
{
	const unsigned int before = self->added;
	struct doca_sync_event_task_notify_add *add;
	uint64_t value;

	return !doca_sync_event_task_notify_add_alloc_init(
		       self->event, 0, &value, (union doca_data){}, &add) &&
	       !importer_submit(
		       doca_sync_event_task_notify_add_as_doca_task(add)) &&
	       BED_UNTIL(&self->bed, self->added > before);
}

static inline bool is_idle(struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	return doca_ctx_get_state(ctx, &state) || state == DOCA_CTX_STATE_IDLE;
}

/* Wait until the contexts have stopped, by request or not. */
static inline bool importer_stop(struct importer *self, bool ask)
{
	bool copies = ask || !self->ctx;

	if (ask) {
		doca_ctx_stop(self->bed.ctx);
		if (self->ctx)
			doca_ctx_stop(self->ctx);
	}
	return BED_UNTIL(&self->bed,
			 (!self->ctx || is_idle(self->ctx)) &&
				 (!copies || is_idle(self->bed.ctx)));
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
