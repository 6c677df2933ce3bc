// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * SIGKILL of an exporter, of its importer, or of both, in each step that they make
 * together, while the importer uses the memory all the time. A process that survives
 * releases what it has and goes on; nothing remains of one that does not.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "world.h"
#include "kselftest_harness.h"

#define LENGTH (64 * PAGE)

/* Microseconds after a step began; the last is behind most steps */
static const int moments[] = { 0, 100, 2000 };

/* Between the two, and who kills them */
struct scene {
	uint32_t steps; /* made */
	uint32_t at; /* after this one nobody makes another */
	uint32_t here; /* it has begun */
	uint32_t over;
	struct doca_blob blob;
};

enum who { EXPORTER, IMPORTER };

/* One of the two */
struct partner {
	struct scene *scene;
	const struct mode *mode;
	struct doca d;
	struct buf buf; /* exported, or where the import is copied to */
	uint32_t export_id;
	uint32_t key; /* of the import; 0 if there is none */
	uint32_t worker;
	struct queue q; /* of the importer's second thread */
	pthread_mutex_t lock; /* against its replacement */
	pthread_t thread;
	bool uses, done, closed;
	int bad; /* what its tasks must not end with */
};

static int share(struct partner *p)
{
	return buf_make(&p->d, &p->buf, LENGTH, ACCESS_LOCAL | ACCESS_PCI);
}

static int offer(struct partner *p)
{
	return mem_export(p->d.fd, p->buf.key, 0, &p->scene->blob,
			  &p->export_id);
}

static int end_export(struct partner *p)
{
	return export_revoke(p->d.fd, p->export_id);
}

static int unshare_it(struct partner *p)
{
	uint32_t mem = p->buf.mem;

	p->buf.mem = 0;
	return mem_dereg(p->d.fd, mem);
}

static int close_it(struct partner *p)
{
	__atomic_store_n(&p->closed, true, __ATOMIC_RELAXED);
	return close_fd(&p->d.fd);
}

static int make_queue(struct partner *p)
{
	return queue_open(&p->q, &p->d, p->worker, 16, 0);
}

static int prepare(struct partner *p)
{
	int err = mode_worker(&p->d, p->mode, &p->worker);

	if (!err)
		err = buf_make(&p->d, &p->buf, LENGTH, ACCESS_LOCAL);
	return err ? err : make_queue(p);
}

/* The status of a task, or -EPIPE if the file was closed under it */
static int do_task(struct partner *p, struct doca_sqe sqe)
{
	uint64_t end = now_ns() + WAIT_NS;
	struct doca_cqe cqe;

	queue_push(&p->q, sqe);
	queue_publish(&p->q);
	while (!queue_reap(&p->q, &cqe)) {
		if (ring_load(&p->q.kernel->dead))
			return -EPIPE;
		if (now_ns() > end)
			return -ETIMEDOUT;
		sched_yield();
	}
	return cqe.status;
}

/* The exporter's memory to its own and back, in several steps of the kernel */
static int copy_both_ways(struct partner *p, uint32_t key)
{
	const void *there = (void *)(uintptr_t)le64toh(p->scene->blob.addr);
	struct doca_sqe in = sqe_copy(seg_of(&p->buf, 0, LENGTH),
				      seg_at(key, there, LENGTH));
	int status = do_task(p, in);

	return status ? status : do_task(p, sqe_copy(in.src, in.dst));
}

static bool is_expected(int status)
{
	return status == DOCA_STATUS_SUCCESS || status == DOCA_STATUS_BAD_KEY ||
	       status == DOCA_STATUS_BAD_RANGE || status == DOCA_STATUS_CANCELED;
}

/* A revoked key and a stop end the queue, not the process: it makes another */
static void *use(void *arg)
{
	struct partner *p = arg;
	int err;

	while (!__atomic_load_n(&p->done, __ATOMIC_RELAXED)) {
		int status = copy_both_ways(p, ring_load(&p->key));

		if (!status)
			continue;
		pthread_mutex_lock(&p->lock);
		queue_close(&p->q);
		err = make_queue(p);
		pthread_mutex_unlock(&p->lock);
		if (__atomic_load_n(&p->closed, __ATOMIC_RELAXED))
			break;
		if (err || !is_expected(status)) {
			p->bad = err ? err : status;
			break;
		}
	}
	return NULL;
}

static int start_using(struct partner *p)
{
	p->uses = !pthread_create(&p->thread, NULL, use, p);
	return p->uses ? 0 : -EAGAIN;
}

static int import(struct partner *p)
{
	struct doca_mem_import in;
	int err = mem_import(p->d.fd, p->d.device, &p->scene->blob, &in);

	if (!err)
		ring_store(&p->key, in.out_key);
	return err;
}

static int import_and_use(struct partner *p)
{
	int err = import(p);

	return err ? err : start_using(p);
}

static int stop(struct partner *p)
{
	int err;

	pthread_mutex_lock(&p->lock);
	err = queue_stop(p->q.fd);
	pthread_mutex_unlock(&p->lock);
	return err;
}

static int unmap(struct partner *p)
{
	return mem_unmap(p->d.fd, p->key);
}

static const struct {
	const char *name;
	enum who who;
	int (*run)(struct partner *p);
} steps[] = {
	{ "share", EXPORTER, share },
	{ "prepare", IMPORTER, prepare },
	{ "export", EXPORTER, offer },
	{ "import", IMPORTER, import_and_use },
	{ "stop", IMPORTER, stop },
	{ "unmap", IMPORTER, unmap },
	{ "import again", IMPORTER, import },
	{ "revoke", EXPORTER, end_export },
	{ "export again", EXPORTER, offer },
	{ "import what was exported again", IMPORTER, import },
	{ "deregister", EXPORTER, unshare_it },
	{ "share anew", EXPORTER, share },
	{ "export anew", EXPORTER, offer },
	{ "import anew", IMPORTER, import },
	{ "close of the exporter", EXPORTER, close_it },
	{ "close of the importer", IMPORTER, close_it },
};

/* Until it is @me's turn to make step @i: false if there is none any more */
static bool my_turn(struct scene *s, int i)
{
	while (ring_load(&s->steps) != i)
		if (ring_load(&s->over))
			return false;
		else
			pause_us(100);
	return true;
}

/*
 * The process that is left gives back what it has, which nothing can prevent, and goes
 * on. Both return what went wrong.
 */
static int exporter_ends(struct partner *p)
{
	if (p->buf.mem && !p->closed && unshare_it(p))
		return 101;
	return close_it(p) ? 102 : 0;
}

static int importer_ends(struct partner *p)
{
	struct doca_sqe own = sqe_copy(seg_of(&p->buf, 0, PAGE),
				       seg_of(&p->buf, PAGE, PAGE));

	__atomic_store_n(&p->done, true, __ATOMIC_RELAXED);
	if (p->uses && pthread_join(p->thread, NULL))
		return 103;
	if (p->bad)
		return 104;
	if (p->uses && !p->closed) {
		queue_close(&p->q);
		if (make_queue(p) || do_task(p, own))
			return 105;
	}
	return close_it(p) ? 106 : 0;
}

/* In a child: its exit status tells which step failed, or what came after */
static int live(struct scene *s, enum who me, const struct mode *mode)
{
	struct partner p = { .scene = s, .mode = mode, .q.fd = -1 };
	int i, err = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_mutex_init(&p.lock, NULL);
	if (doca_open(&p.d))
		return 100;
	for (i = 0; !err && i <= s->at; i++) {
		if (steps[i].who != me)
			continue;
		if (!my_turn(s, i))
			break;
		if (i == s->at)
			ring_store(&s->here, 1);
		err = steps[i].run(&p);
		/* The other one may be dead already. */
		if (err && (i != s->at || me != IMPORTER ||
			    (err != -ENOKEY && err != -ENOENT)))
			return 1 + i;
		ring_store(&s->steps, i + 1);
	}
	while (!ring_load(&s->over))
		pause_us(100);
	return me == EXPORTER ? exporter_ends(&p) : importer_ends(&p);
}

FIXTURE(partners) {
	struct doca d;
	struct world before;
	struct scene *scene;
};

FIXTURE_VARIANT(partners) {
	struct mode mode;
	bool dies[2];
};

#define DEATH(name, ...) \
	FIXTURE_VARIANT_ADD(partners, name) { __VA_ARGS__ }

DEATH(exporter, .dies = { true, false });
DEATH(importer, .dies = { false, true });
DEATH(both, .dies = { true, true });
DEATH(worker_exporter, .dies = { true, false }, .mode = { true, 50 });
DEATH(worker_importer, .dies = { false, true }, .mode = { true, 50 });
DEATH(worker_both, .dies = { true, true }, .mode = { true, 50 });

FIXTURE_SETUP(partners)
{
	struct doca_query limits;

	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &limits));
	if (variant->mode.worker && !(limits.out_features & DOCA_FEATURE_WORKER))
		SKIP_SETUP("workers are switched off");
	ASSERT_EQ(0, world_init(&self->before, &self->d, 0));
	self->scene = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->scene);
}

FIXTURE_TEARDOWN(partners)
{
	if (self->before.dmabuf >= 0)
		close(self->before.dmabuf);
	munmap(self->scene, PAGE);
	DOCA_CLOSE(&self->d);
}

/* What is wrong with a process that survives, or one that does not: 0, or its exit status */
static int one_death(struct scene *s, const struct mode *mode,
		     const bool dies[2], int at, int moment)
{
	int who, status, wrong = 0;
	pid_t pid[2];

	*s = (struct scene){ .at = at };
	for (who = EXPORTER; who <= IMPORTER; who++) {
		pid[who] = fork();
		if (!pid[who])
			_exit(live(s, who, mode));
	}
	if (wait_until_nonzero(&s->here, WAIT_NS) && moment)
		pause_us(moment);
	for (who = EXPORTER; who <= IMPORTER; who++)
		if (dies[who])
			kill(pid[who], SIGKILL);
	ring_store(&s->over, 1);
	for (who = EXPORTER; who <= IMPORTER; who++) {
		status = child_wait(pid[who]);
		if (status != (dies[who] ? 1000 + SIGKILL : 0))
			wrong = status;
	}
	return wrong;
}

TEST_F_TIMEOUT(partners, killed_in_each_step, 600)
{
	int at, i;

	for (at = 0; at < ARRAY_SIZE(steps); at++) {
		for (i = 0; i < ARRAY_SIZE(moments); i++) {
			ASSERT_EQ(0, one_death(self->scene, &variant->mode,
					       variant->dies, at, moments[i]))
				TH_LOG("in step %s", steps[at].name);
			ASSERT_TRUE(world_is_gone(&self->before))
				TH_LOG("after step %s", steps[at].name);
		}
	}
}

TEST_HARNESS_MAIN
