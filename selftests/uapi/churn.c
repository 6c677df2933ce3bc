// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Listings while the listed objects come and go. */
#include <pthread.h>

#include "doca_nl.h"
#include "exporter.h"
#include "kselftest_harness.h"

#define STEADY 400 /* memories that stay: several messages */
#define ROUNDS rounds(40)

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
		ASSERT_EQ(0, mem_reg(self->d.fd, self->addr, 8, ACCESS_LOCAL, &self->mems[i]));
}

FIXTURE_TEARDOWN(churn)
{
	listing_free(&self->l);
	DOCA_CLOSE(&self->d);
	family_close(&self->nl);
}

static bool each_once(const struct listing *l, const uint32_t *mems, uint32_t file)
{
	int i, at = 0;

	/* They come in the order of ids, with others between them */
	for (i = 0; i < l->n && at < STEADY; i++)
		if (l->e[i].v[DOCA_GENL_A_FILE_ID] == file &&
		    l->e[i].v[DOCA_GENL_A_MEM_ID] == mems[at])
			at++;
	return at == STEADY;
}

/* An object changes between two messages of one dump */
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

/* The object where the dump would go on is gone, with its whole file */
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
	const bool *stop;
	uint32_t *turns;
	uint32_t failures;
};

/* Make and destroy everything that a file can have, over and over */
static void *make_and_break(void *arg)
{
	struct churner *c = arg;
	struct doca_blob blob;
	struct doca_mem_import in;
	uint32_t export_id = 0, worker;
	struct queue q;
	struct buf buf;

	for (; !ring_load(c->stop); ring_store(c->turns, *c->turns + 1)) {
		if (worker_create(c->d->fd, 0, &worker))
			worker = 0;
		c->failures += !!queue_open(&q, c->d, worker, 2, 0);
		c->failures += !!buf_make(c->d, &buf, PAGE, ACCESS_LOCAL | ACCESS_PCI);
		c->failures += !!mem_export(c->d->fd, buf.key, 0, &blob, &export_id);
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

/* Revoke all listed exports under their owners' feet: true if nothing else fails */
static bool revoke_all(struct family *nl, const struct listing *l)
{
	bool good = true;
	int i, err;

	for (i = 0; i < l->n; i++) {
		err = family_revoke(nl, l->e[i].v[DOCA_GENL_A_EXPORT_ID]);
		good &= !err || err == -ENOENT;
	}
	return good;
}

TEST_F(churn, steady_ones_are_listed_once)
{
	uint32_t turns = 0, revocations = 0, i;
	struct churner c = { .d = &self->d, .turns = &turns };
	bool stop = false;
	pthread_t thread;

	c.stop = &stop;
	ASSERT_EQ(0, pthread_create(&thread, NULL, make_and_break, &c));
	for (i = 0; i < ROUNDS; i++) {
		int cmd = all_listings[i % NR_LISTINGS];

		EXPECT_EQ(0, family_list(&self->nl, cmd, &self->l));
		if (cmd == DOCA_GENL_CMD_MEMORY_GET)
			EXPECT_TRUE(each_once(&self->l, self->mems, self->file));
		if (cmd == DOCA_GENL_CMD_EXPORT_GET) {
			revocations += self->l.n;
			EXPECT_TRUE(revoke_all(&self->nl, &self->l));
		}
		listing_free(&self->l);
	}
	WAIT_UNTIL(ring_load(&turns));
	ring_store(&stop, true);
	pthread_join(thread, NULL);
	/* Imports may fail if they come after a revocation, and only then */
	EXPECT_GE(revocations, c.failures);
}

/* A dump that is not read to its end holds nothing but the module */
TEST_F(churn, unread_dump_keeps_nothing)
{
	struct family lazy;

	ASSERT_EQ(0, family_open(&lazy));
	ASSERT_EQ(0, family_send_request(&lazy, DOCA_GENL_CMD_MEMORY_GET, NLM_F_DUMP, 0, NULL, 0));
	close(self->d.fd);
	self->d.fd = -1;
	EXPECT_NO_LEAK(self->d.pins);
	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
	EXPECT_EQ(0, listing_count(&self->l, DOCA_GENL_A_FILE_ID, self->file));
	family_close(&lazy);
}

TEST_HARNESS_MAIN
