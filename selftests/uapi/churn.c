// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Listings while what they tell of comes and goes. */
#include <pthread.h>

#include "doca_nl.h"
#include "exporter.h"
#include "kselftest_harness.h"

#define STEADY 400 /* memories that stay: several messages */
#define ROUNDS 60

FIXTURE(churn) {
	struct doca d;
	struct family nl;
	struct listing l;
	uint8_t *addr;
	uint32_t file;
	uint32_t mems[STEADY];
};

FIXTURE_SETUP(churn)
{
	int i;

	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, family_open(&self->nl));
	self->l = (struct listing){};
	self->file = fdinfo_value(self->d.fd, "doca-file");
	self->addr = pages_alloc(PAGE);
	ASSERT_NE(NULL, self->addr);
	for (i = 0; i < STEADY; i++)
		ASSERT_EQ(0, mem_reg(self->d.fd, self->addr, 8, ACCESS_LOCAL,
				     &self->mems[i]));
}

FIXTURE_TEARDOWN(churn)
{
	listing_free(&self->l);
	DOCA_CLOSE(&self->d);
	family_close(&self->nl);
}

static bool each_once(const struct listing *l, const uint32_t *mems,
		      uint32_t file)
{
	int i, at = 0;

	/* In the order of ids, with others between them */
	for (i = 0; i < l->n && at < STEADY; i++)
		if (l->e[i].v[DOCA_GENL_A_FILE_ID] == file &&
		    l->e[i].v[DOCA_GENL_A_MEM_ID] == mems[at])
			at++;
	return at == STEADY;
}

TEST_F(churn, quiet_is_not_interrupted)
{
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_MEMORY_GET, &self->l));
	EXPECT_FALSE(self->l.interrupted);
	EXPECT_EQ(STEADY, listing_count(&self->l, DOCA_GENL_A_FILE_ID,
					self->file));
	EXPECT_TRUE(each_once(&self->l, self->mems, self->file));
}

/* What happens between two messages of one dump */
TEST_F(churn, change_interrupts)
{
	uint32_t mem;

	self->l.e = malloc(LISTING_MAX * sizeof(*self->l.e));
	self->nl.listing = &self->l;
	/* The first message is made when the request is sent */
	ASSERT_EQ(0, family_send_request(&self->nl, DOCA_GENL_CMD_MEMORY_GET,
				     NLM_F_DUMP, 0, NULL, 0));
	ASSERT_EQ(0, mem_reg(self->d.fd, self->addr, 8, ACCESS_LOCAL, &mem));
	nl_recvmsgs_default(self->nl.sock);
	EXPECT_EQ(0, self->nl.err);
	EXPECT_TRUE(self->l.interrupted);
	EXPECT_TRUE(each_once(&self->l, self->mems, self->file));
}

/* Where it wanted to go on is gone, with the whole file */
TEST_F(churn, file_goes_in_mid_dump)
{
	struct doca next;

	ASSERT_EQ(0, doca_open(&next));
	self->l.e = malloc(LISTING_MAX * sizeof(*self->l.e));
	self->nl.listing = &self->l;
	ASSERT_EQ(0, family_send_request(&self->nl, DOCA_GENL_CMD_MEMORY_GET,
				     NLM_F_DUMP, 0, NULL, 0));
	close(self->d.fd);
	self->d.fd = -1;
	nl_recvmsgs_default(self->nl.sock);
	EXPECT_EQ(0, self->nl.err);
	EXPECT_TRUE(self->l.interrupted);
	EXPECT_LT(0, self->l.n);
	EXPECT_GT(STEADY, self->l.n);
	close(next.fd);
}

struct churner {
	struct doca *d;
	const int *stop;
	long turns;
	long failures;
};

/* Everything that a file can have, made and taken away, over and over */
static void *make_and_break(void *arg)
{
	struct churner *c = arg;
	struct doca_blob blob;
	struct doca_mem_import in;
	uint32_t export_id = 0, worker;
	struct queue q;
	struct buf buf;

	for (; !__atomic_load_n(c->stop, __ATOMIC_RELAXED); c->turns++) {
		if (worker_create(c->d->fd, 0, &worker))
			worker = 0;
		c->failures += !!queue_open(&q, c->d, worker, 2, 0);
		c->failures += !!buf_make(c->d, &buf, PAGE,
					  ACCESS_LOCAL | ACCESS_PCI);
		c->failures += !!mem_export(c->d->fd, buf.key, 0, &blob,
					    &export_id);
		c->failures += !!mem_import(c->d->fd, c->d->device, &blob, &in);
		queue_close(&q);
		c->failures += !!export_revoke(c->d->fd, export_id);
		c->failures += !!mem_dereg(c->d->fd, buf.mem);
		munmap(buf.addr, buf.length);
		if (worker)
			c->failures += !!worker_destroy(c->d->fd, worker);
	}
	return NULL;
}

static const int all_listings[] = {
	DOCA_GENL_CMD_MEMORY_GET, DOCA_GENL_CMD_MAPPING_GET,
	DOCA_GENL_CMD_EXPORT_GET, DOCA_GENL_CMD_WORKER_GET,
	DOCA_GENL_CMD_QUEUE_GET,  DOCA_GENL_CMD_FILE_GET,
	DOCA_GENL_CMD_DM_GET,
};

#define NR_LISTINGS (sizeof(all_listings) / sizeof(all_listings[0]))

TEST_F(churn, steady_ones_are_listed_once)
{
	struct churner c = { .d = &self->d };
	pthread_t thread;
	int stop = 0;
	int i;

	c.stop = &stop;
	ASSERT_EQ(0, pthread_create(&thread, NULL, make_and_break, &c));
	for (i = 0; i < ROUNDS; i++) {
		int cmd = all_listings[i % NR_LISTINGS];

		EXPECT_EQ(0, family_list(&self->nl, cmd, &self->l));
		if (cmd == DOCA_GENL_CMD_MEMORY_GET)
			EXPECT_TRUE(each_once(&self->l, self->mems,
					      self->file));
		listing_free(&self->l);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_LT(0, c.turns);
	EXPECT_EQ(0, c.failures);
}

/* Whatever is alive is revoked under its owner's feet, who notices nothing */
TEST_F(churn, revoked_while_made)
{
	struct churner c = { .d = &self->d };
	pthread_t thread;
	int stop = 0;
	int i, j;

	c.stop = &stop;
	ASSERT_EQ(0, pthread_create(&thread, NULL, make_and_break, &c));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_EXPORT_GET,
				     &self->l));
		for (j = 0; j < self->l.n; j++) {
			int err = family_revoke(&self->nl,
					    self->l.e[j].v[DOCA_GENL_A_EXPORT_ID]);

			EXPECT_TRUE(!err || err == -ENOENT);
		}
		listing_free(&self->l);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	/* An import may have come too late, and only that */
	EXPECT_GE(ROUNDS, c.failures);
}

struct revoker {
	int fd;
	uint32_t export_id;
	int stop;
};

static void *revoke_on_end(void *arg)
{
	struct revoker *r = arg;

	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED))
		export_revoke(r->fd, __atomic_load_n(&r->export_id,
						     __ATOMIC_RELAXED));
	return NULL;
}

/* Whether nobody can import any more, at once or when others have done revoking */
static bool worthless(const struct doca *d, const struct doca_blob *blob)
{
	uint64_t end = now_ns() + WAIT_NS;
	struct doca_mem_import in;

	while (!mem_import(d->fd, d->device, blob, &in)) {
		if (now_ns() > end)
			return false;
		mem_unmap(d->fd, in.out_key);
		pause_us(1000);
	}
	return true;
}

/* One revokes what the other does, and it is made anew meanwhile with the same id */
TEST_F(churn, revoked_twice_and_made_again)
{
	struct revoker r = { .fd = self->d.fd };
	uint64_t end = now_ns() + 2000000000ULL;
	struct doca_blob blob;
	pthread_t thread;
	struct buf buf;
	int err;

	ASSERT_EQ(0, buf_make(&self->d, &buf, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, pthread_create(&thread, NULL, revoke_on_end, &r));
	while (now_ns() < end) {
		uint32_t id;

		ASSERT_EQ(0, mem_export(self->d.fd, buf.key, 0, &blob, &id));
		__atomic_store_n(&r.export_id, id, __ATOMIC_RELAXED);
		err = export_revoke(self->d.fd, id);
		ASSERT_TRUE(!err || err == -ENOENT);
		ASSERT_TRUE(worthless(&self->d, &blob));
	}
	__atomic_store_n(&r.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

/* A child that never ends by itself, and has children that hold its file */
static void live_wildly(void)
{
	struct churner c = { 0 };
	int stop = 0;
	struct doca d;

	if (doca_open(&d))
		_exit(1);
	if (!fork()) {
		pause();
		_exit(0);
	}
	c = (struct churner){ .d = &d, .stop = &stop };
	make_and_break(&c);
}

TEST_F(churn, killed_at_any_moment)
{
	uint32_t seed = 4711;
	int i, cmd, files;

	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
	files = self->l.n;
	listing_free(&self->l);
	for (i = 0; i < ROUNDS; i++) {
		pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			setpgid(0, 0);
			live_wildly();
		}
		setpgid(pid, pid);
		pause_us(prng(&seed) % 20000);
		cmd = all_listings[i % NR_LISTINGS];
		EXPECT_EQ(0, family_list(&self->nl, cmd, &self->l));
		listing_free(&self->l);
		/* The parent first: its file has an heir for a moment */
		kill(pid, SIGKILL);
		EXPECT_EQ(0, family_list(&self->nl, cmd, &self->l));
		listing_free(&self->l);
		kill(-pid, SIGKILL);
		EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	}
	/* Heirs were killed as well, but nobody waits for them here */
	for (i = 0; i < 1000; i++) {
		ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET,
				     &self->l));
		if (self->l.n == files)
			break;
		listing_free(&self->l);
		pause_us(10000);
	}
	EXPECT_EQ(files, self->l.n);
}

/* A dump that is not read to its end keeps nothing but the module */
TEST_F(churn, unread_dump_keeps_nothing)
{
	struct family lazy;

	ASSERT_EQ(0, family_open(&lazy));
	ASSERT_EQ(0, family_send_request(&lazy, DOCA_GENL_CMD_MEMORY_GET,
				     NLM_F_DUMP, 0, NULL, 0));
	close(self->d.fd);
	self->d.fd = -1;
	EXPECT_NO_LEAK(self->d.pins);
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
	EXPECT_EQ(0, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
	family_close(&lazy);
}

TEST_HARNESS_MAIN
