// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The listing of users: what each has against each limit, and who may see it. */
#include <limits.h>

#include "doca_nl.h"
#include "doca_ring.h"
#include "exporter.h"
#include "kselftest_harness.h"
#include "../lib/write_to.h"

#define ROWS 15
#define FIRST_USER 100000
/* More than one message has room for */
#define MANY 100

FIXTURE(users) {
	struct doca d;
	struct family nl;
	struct listing l;
	int many[MANY];
};

FIXTURE_SETUP(users)
{
	int i;

	for (i = 0; i < MANY; i++)
		self->many[i] = -1;
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, family_open(&self->nl));
	self->l = (struct listing){};
	/* Files of ended processes still count for the user for a moment */
	WAIT_UNTIL(fdinfo_value(self->d.fd, "doca-user-files") == 1);
}

static void close_many(const int *many)
{
	int i;

	for (i = 0; i < MANY; i++)
		if (many[i] >= 0)
			close(many[i]);
}

FIXTURE_TEARDOWN(users)
{
	listing_free(&self->l);
	close_many(self->many);
	family_close(&self->nl);
	DOCA_CLOSE(&self->d);
}

static int list(struct family *nl, struct listing *l)
{
	listing_free(l);
	return family_list(nl, DOCA_GENL_CMD_USER_GET, l);
}

/* Find a row of a user; NULL if there is none, or more than one */
static const struct entry *row_of(const struct listing *l, uid_t uid, const char *resource)
{
	const struct entry *found = NULL;
	int i;

	for (i = 0; i < l->n; i++) {
		if (l->e[i].v[DOCA_GENL_A_UID] != uid || strcmp(l->e[i].resource, resource))
			continue;
		if (found)
			return NULL;
		found = &l->e[i];
	}
	return found;
}

/* Open files as real users with the ids from FIRST_USER on */
static int open_many(int *many)
{
	int i;

	for (i = 0; i < MANY; i++) {
		if (setresuid(FIRST_USER + i, 0, 0))
			return -errno;
		many[i] = open("/dev/doca", O_RDWR | O_CLOEXEC);
		if (many[i] < 0)
			return -errno;
	}
	return setresuid(0, 0, 0) ? -errno : 0;
}

TEST_F(users, agree_with_fdinfo)
{
	char path[64], line[128], name[64];
	unsigned long long used, limit;
	const struct entry *e;
	struct buf buf;
	int rows = 0;
	FILE *f;

	ASSERT_EQ(0, buf_make(&self->d, &buf, 4 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, list(&self->nl, &self->l));
	EXPECT_EQ(ROWS, listing_count(&self->l, DOCA_GENL_A_UID, getuid()));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", self->d.fd);
	f = fopen(path, "r");
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "doca-user-%63[^:]: %llu of %llu", name, &used, &limit) != 3)
			continue;
		e = row_of(&self->l, getuid(), name);
		ASSERT_NE(NULL, e) {
			TH_LOG("no row for %s", name);
		}
		rows++;
		EXPECT_EQ(used, e->v[DOCA_GENL_A_USED]);
		EXPECT_EQ(limit != ULONG_MAX, e->has[DOCA_GENL_A_LIMIT]);
		if (limit != ULONG_MAX)
			EXPECT_EQ(limit, e->v[DOCA_GENL_A_LIMIT]);
		EXPECT_FALSE(e->has[DOCA_GENL_A_FILE_ID]);
	}
	fclose(f);
	EXPECT_EQ(ROWS - 1, rows);
	e = row_of(&self->l, getuid(), "memories");
	ASSERT_NE(NULL, e);
	EXPECT_EQ(1, e->v[DOCA_GENL_A_USED]);
	e = row_of(&self->l, getuid(), "locked-bytes");
	ASSERT_NE(NULL, e);
	EXPECT_LE(4 * PAGE, e->v[DOCA_GENL_A_USED]);
	EXPECT_FALSE(e->has[DOCA_GENL_A_LIMIT]);
}

/* List after a parameter has become greater by one, and set it back; return what it was, or -1 */
static long list_with_one_more(struct family *nl, struct listing *l, const char *path)
{
	char text[32];
	long was = -1;
	FILE *f = fopen(path, "r");
	bool ok = f && fscanf(f, "%ld", &was) == 1;

	if (f)
		fclose(f);
	if (!ok)
		return -1;
	snprintf(text, sizeof(text), "%ld", was + 1);
	ok = write_to(path, text) && !list(nl, l);
	snprintf(text, sizeof(text), "%ld", was);
	return write_to(path, text) && ok ? was : -1;
}

/* A limit is shown as it is now */
TEST_F(users, limits_follow_parameters)
{
	const char *const path = "/sys/module/doca/parameters/max_waits";
	long was = list_with_one_more(&self->nl, &self->l, path);

	ASSERT_LE(0, was);
	ASSERT_NE(NULL, row_of(&self->l, getuid(), "waits"));
	EXPECT_EQ(was + 1, row_of(&self->l, getuid(), "waits")->v[DOCA_GENL_A_LIMIT]);
}

/* It is not one for all while the parameter is 0, and where there are no engines */
TEST_F(users, limit_of_engines_is_one_for_all_or_none)
{
	const char *const path = "/sys/module/doca/parameters/max_dmamap_bytes";
	const struct entry *e;

	if (access(path, F_OK))
		SKIP(return, "the kernel has no DMA engines");
	ASSERT_EQ(0, list(&self->nl, &self->l));
	e = row_of(&self->l, getuid(), "dmamap-bytes");
	ASSERT_NE(NULL, e);
	EXPECT_FALSE(e->has[DOCA_GENL_A_LIMIT]);
	ASSERT_EQ(0, list_with_one_more(&self->nl, &self->l, path));
	e = row_of(&self->l, getuid(), "dmamap-bytes");
	ASSERT_NE(NULL, e);
	EXPECT_EQ(1, e->v[DOCA_GENL_A_LIMIT]);
}

/* More than fits into a message: no row twice, and none left out */
TEST_F(users, many)
{
	int i;

	ASSERT_EQ(0, open_many(self->many));
	ASSERT_EQ(0, list(&self->nl, &self->l));
	EXPECT_FALSE(self->l.interrupted);
	for (i = 0; i < MANY; i++) {
		const struct entry *e = row_of(&self->l, FIRST_USER + i, "files");

		ASSERT_NE(NULL, e);
		EXPECT_EQ(1, e->v[DOCA_GENL_A_USED]);
		EXPECT_EQ(ROWS, listing_count(&self->l, DOCA_GENL_A_UID, FIRST_USER + i));
	}
	EXPECT_EQ(ROWS, listing_count(&self->l, DOCA_GENL_A_UID, 0));
	/* In the order of ids */
	for (i = 1; i < self->l.n; i++)
		EXPECT_LE(self->l.e[i - 1].v[DOCA_GENL_A_UID], self->l.e[i].v[DOCA_GENL_A_UID]);
}

/* Users in a listing, all rows of each in turn; -1 if one has less */
static int count_users(const struct listing *l)
{
	int i;

	for (i = 0; i < l->n; i++)
		if (l->e[i].v[DOCA_GENL_A_UID] != l->e[i / ROWS * ROWS].v[DOCA_GENL_A_UID])
			return -1;
	return l->n % ROWS ? -1 : l->n / ROWS;
}

/*
 * A user whose last file is closed is gone, also from a listing that has begun: from there it is
 * gone with all its rows, and the listing says that something changed
 */
TEST_F(users, end_meanwhile)
{
	struct listing now = {};
	struct family other;
	int i, users;

	ASSERT_EQ(0, family_open(&other));
	ASSERT_EQ(0, open_many(self->many));
	self->l.e = calloc(LISTING_MAX, sizeof(*self->l.e));
	ASSERT_NE(NULL, self->l.e);
	self->nl.listing = &self->l;
	ASSERT_EQ(0, family_send_request(&self->nl, DOCA_GENL_CMD_USER_GET, NLM_F_DUMP, 0, NULL, 0));
	/* The first datagram is made */
	close_many(self->many);
	for (i = 0; i < MANY; i++)
		self->many[i] = -1;
	WAIT_UNTIL(!list(&other, &now) && count_users(&now) == 1);
	listing_free(&now);
	family_close(&other);
	ASSERT_EQ(0, family_receive(&self->nl));
	self->nl.listing = NULL;
	users = count_users(&self->l);
	EXPECT_LT(1, users);
	EXPECT_GT(MANY, users);
	EXPECT_TRUE(self->l.interrupted);
	ASSERT_EQ(0, list(&self->nl, &self->l));
	EXPECT_EQ(1, count_users(&self->l));
}

/* Without privilege there is one's own row, and nothing if one has nothing */
TEST_F(users, others_see_their_own)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
		ASSERT_EQ(0, doca_open(&d));
		WAIT_UNTIL(!list(&self->nl, &self->l) && count_users(&self->l) == 2);
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		ASSERT_EQ(0, list(&self->nl, &self->l));
		EXPECT_EQ(ROWS, self->l.n);
		EXPECT_EQ(ROWS, listing_count(&self->l, DOCA_GENL_A_UID, SOMEBODY));
		close(d.fd);
		WAIT_UNTIL(!list(&self->nl, &self->l) && !self->l.n);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_F(users, bad_requests)
{
	uint32_t uid = 0;

	EXPECT_EQ(-EOPNOTSUPP, family_request(&self->nl, DOCA_GENL_CMD_USER_GET, NLM_F_ACK,
					      0, NULL, 0));
	EXPECT_EQ(-EINVAL, family_request(&self->nl, DOCA_GENL_CMD_USER_GET, NLM_F_DUMP,
					  DOCA_GENL_A_UID, &uid, sizeof(uid)));
}

TEST_HARNESS_MAIN
