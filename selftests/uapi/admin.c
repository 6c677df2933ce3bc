// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Netlink as users see it, its refusals, and revocation by an administrator. */
#include <sched.h>

#include "dm.h"
#include "doca_nl.h"
#include "exporter.h"
#include "kselftest_harness.h"

/* An exporter and an importer, each with a file of its own */
FIXTURE(admin) {
	struct doca d;
	struct family nl;
	struct listing l;
	struct buf buf;
	struct queue q;
	struct exporter e;
	uint32_t export_id;
	uint32_t key;
};

FIXTURE_SETUP(admin)
{
	struct doca_mem_import in;
	struct doca_dm_alloc dm;

	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, family_open(&self->nl));
	self->l = (struct listing){};
	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, PAGE, &dm));
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 16, 0));
	ASSERT_TRUE(exporter_start(&self->e, &plain));
	self->export_id = le64toh(self->e.blob.export_id);
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &in));
	self->key = in.out_key;
}

FIXTURE_TEARDOWN(admin)
{
	listing_free(&self->l);
	queue_close(&self->q);
	close(self->e.sock);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
	family_close(&self->nl);
}

/* Run as another user with a file that was opened while this was allowed */
static void as_somebody(struct __test_metadata *_metadata)
{
	struct listing l;
	struct buf buf;
	struct doca d;
	struct family nl;
	uint32_t file;
	int i;

	ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
	ASSERT_EQ(0, doca_open(&d));
	ASSERT_EQ(0, buf_make(&d, &buf, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	file = fdinfo_value(d.fd, "doca-file");
	/* Files of ended processes still count for the user for a moment */
	WAIT_UNTIL(fdinfo_value(d.fd, "doca-user-files") == 1);
	ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
	ASSERT_EQ(0, family_open(&nl));
	for (i = 0; i < NR_LISTINGS; i++) {
		ASSERT_EQ(0, family_list(&nl, all_listings[i], &l));
		EXPECT_EQ(l.n, listing_count(&l, DOCA_GENL_A_FILE_ID, file));
		EXPECT_EQ(l.n, listing_count(&l, DOCA_GENL_A_UID, SOMEBODY));
		EXPECT_EQ(0, listing_count(&l, DOCA_GENL_A_ADDR, (uintptr_t)buf.addr));
		if (all_listings[i] == DOCA_GENL_CMD_FILE_GET ||
		    all_listings[i] == DOCA_GENL_CMD_MEMORY_GET ||
		    all_listings[i] == DOCA_GENL_CMD_MAPPING_GET) {
			ASSERT_EQ(1, l.n);
			EXPECT_FALSE(l.e[0].has[DOCA_GENL_A_ADDR]);
		} else {
			EXPECT_EQ(0, l.n);
		}
		listing_free(&l);
	}
	family_close(&nl);
}

TEST_F(admin, others_see_their_own_without_addresses)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		as_somebody(_metadata);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

/* A socket that a privileged process has opened lends no privilege to others */
TEST_F(admin, socket_is_no_privilege)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_EQ(-EPERM, family_revoke(&self->nl, self->export_id));
		EXPECT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
		EXPECT_EQ(0, self->l.n);
		listing_free(&self->l);
		EXPECT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_USER_GET, &self->l));
		EXPECT_EQ(self->l.n, listing_count(&self->l, DOCA_GENL_A_UID, SOMEBODY));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

/* How many users a listing of users is of */
static int users_in(const struct listing *l)
{
	int i, n = 0;

	for (i = 0; i < l->n; i++)
		n += !strcmp(l->e[i].resource, "files");
	return n;
}

/* All capabilities in a user namespace of its own give a process nothing here */
TEST_F(admin, user_namespace)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct family nl;
		struct doca d;

		/* Another user, who also is the overflow id there */
		ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, setresuid(0, 0, 0));
		ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_USER_GET, &self->l));
		ASSERT_LT(1, users_in(&self->l));
		listing_free(&self->l);
		if (unshare(CLONE_NEWUSER))
			_exit(HARNESS_EXIT_SKIP);
		ASSERT_EQ(0, family_open(&nl));
		EXPECT_EQ(-EPERM, family_revoke(&nl, self->export_id));
		EXPECT_STREQ("Revoking needs CAP_SYS_ADMIN in the initial user namespace",
			     nl.message);
		/* In its eyes it is still the user that opened the files */
		ASSERT_EQ(0, family_list(&nl, DOCA_GENL_CMD_MEMORY_GET, &self->l));
		ASSERT_LT(0, self->l.n);
		EXPECT_FALSE(self->l.e[0].has[DOCA_GENL_A_ADDR]);
		EXPECT_EQ(65534, self->l.e[0].v[DOCA_GENL_A_UID]);
		listing_free(&self->l);
		ASSERT_EQ(0, family_list(&nl, DOCA_GENL_CMD_USER_GET, &self->l));
		EXPECT_EQ(1, users_in(&self->l));
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "no user namespaces");
	EXPECT_EQ(DOCA_STATUS_SUCCESS, copy_in(&self->q, &self->buf, self->key, self->e.addr));
}

/* Process ids are shown as the reader's namespace has them, or not at all */
TEST_F(admin, pid_namespace)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_EQ(0, unshare(CLONE_NEWPID));
		pid = fork();
		if (pid)
			_exit(child_wait(pid));
		ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_FILE_GET, &self->l));
		ASSERT_LT(0, self->l.n);
		EXPECT_FALSE(self->l.e[0].has[DOCA_GENL_A_PID]);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_F(admin, bad_requests)
{
	uint64_t wide = self->export_id;
	uint32_t id = self->export_id;
	int i;

	for (i = 0; i < NR_LISTINGS; i++) {
		EXPECT_EQ(-EOPNOTSUPP, family_request(&self->nl, all_listings[i],
						  NLM_F_ACK, 0, NULL, 0));
		EXPECT_EQ(-EINVAL,
			  family_request(&self->nl, all_listings[i], NLM_F_DUMP,
				     DOCA_GENL_A_FILE_ID, &id, sizeof(id)));
		EXPECT_NE('\0', self->nl.message[0]);
	}
	EXPECT_EQ(-EINVAL, family_request(&self->nl, DOCA_GENL_CMD_EXPORT_REVOKE,
				      NLM_F_ACK, 0, NULL, 0));
	EXPECT_STREQ("Which export is not said", self->nl.message);
	EXPECT_EQ(-EINVAL,
		  family_request(&self->nl, DOCA_GENL_CMD_EXPORT_REVOKE, NLM_F_ACK,
			     DOCA_GENL_A_EXPORT_ID, &wide, sizeof(wide)));
	EXPECT_EQ(-EINVAL,
		  family_request(&self->nl, DOCA_GENL_CMD_EXPORT_REVOKE, NLM_F_ACK,
			     DOCA_GENL_A_IMPORTS, &id, sizeof(id)));
	EXPECT_EQ(-EOPNOTSUPP,
		  family_request(&self->nl, DOCA_GENL_CMD_EXPORT_REVOKE,
			     NLM_F_DUMP, 0, NULL, 0));
	EXPECT_EQ(-EOPNOTSUPP, family_request(&self->nl, DOCA_GENL_CMD_MAX + 1,
					  NLM_F_ACK, 0, NULL, 0));
	EXPECT_EQ(-ENOENT, family_revoke(&self->nl, 0));
	EXPECT_EQ(-ENOENT, family_revoke(&self->nl, UINT32_MAX));
	EXPECT_STREQ("No export with this id, or it has ended", self->nl.message);
	/* None of these had any effect */
	EXPECT_EQ(DOCA_STATUS_SUCCESS, copy_in(&self->q, &self->buf, self->key, self->e.addr));
}

/* The importer's next task fails, the blob is dead, and that is all */
TEST_F(admin, revoke)
{
	const struct entry *e;
	struct queue other;

	ASSERT_EQ(DOCA_STATUS_SUCCESS, copy_in(&self->q, &self->buf, self->key, self->e.addr));
	ASSERT_EQ(0, family_revoke(&self->nl, self->export_id));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, copy_in(&self->q, &self->buf, self->key, self->e.addr));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &self->e.blob, NULL));
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, self->key));
	EXPECT_EQ(-ENOENT, family_revoke(&self->nl, self->export_id));

	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_EXPORT_GET, &self->l));
	e = listing_find(&self->l, DOCA_GENL_A_EXPORT_ID, self->export_id);
	ASSERT_NE(NULL, e);
	EXPECT_TRUE(e->has[DOCA_GENL_A_REVOKED]);
	EXPECT_EQ(self->e.pid, e->v[DOCA_GENL_A_PID]);

	/* The importer's own memory still works; and the exporter can end the export itself */
	ASSERT_EQ(0, queue_open(&other, &self->d, 0, 16, 0));
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&other, sqe_copy(seg_of(&self->buf, 0, 8),
						seg_of(&self->buf, 8, 8))));
	queue_close(&other);
	EXPECT_TRUE(exporter_tell(&self->e, 'r'));
	EXPECT_TRUE(exporter_tell(&self->e, 'd'));
	EXPECT_EQ(0, exporter_end(&self->e));
}

/* Other exports of the same memory, and their keys, are not affected */
TEST_F(admin, revoke_only_that_one)
{
	struct doca_mem_import in;
	struct exporter other;

	ASSERT_TRUE(exporter_start(&other, &plain));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &other.blob, &in));
	ASSERT_EQ(0, family_revoke(&self->nl, self->export_id));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, copy_in(&self->q, &self->buf, in.out_key, other.addr));
	EXPECT_EQ(0, family_revoke(&self->nl, le64toh(other.blob.export_id)));
	EXPECT_EQ(0, exporter_end(&other));
}

/* Ids are not reused, so no administrator revokes an export that was not listed */
TEST_F(admin, export_ids_are_new)
{
	struct exporter next;

	ASSERT_EQ(0, exporter_end(&self->e));
	ASSERT_TRUE(exporter_start(&next, &plain));
	EXPECT_LT(self->export_id, le64toh(next.blob.export_id));
	EXPECT_EQ(-ENOENT, family_revoke(&self->nl, self->export_id));
	EXPECT_EQ(0, exporter_end(&next));
}

TEST_HARNESS_MAIN
