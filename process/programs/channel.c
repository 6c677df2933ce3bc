// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A server and a client in two processes: connections, messages, names, and who is woken. */
#include <sys/stat.h>

#include "channel.h"

FIXTURE(channel)
{
	struct shared *shared;
	struct side side;
	pid_t pid;
};

FIXTURE_SETUP(channel)
{
	self->shared = map(sizeof(*self->shared));
	unsetenv("DOCA_RUNTIME_DIR");
}

FIXTURE_TEARDOWN(channel)
{
	if (self->side.pe)
		EXPECT_EQ(0, side_destroy(&self->side));
	if (self->pid)
		bury(self->shared, self->pid);
}

/* All messages are sent at once, and come back. */
static void talk(struct __test_metadata *_metadata, struct side *side, unsigned int nr,
		 uint32_t length)
{
	unsigned int sent = side->sent, received = side->received, i;

	for (i = 0; i < nr; i++)
		ASSERT_OK(side_send(side, received + i, length));
	EXPECT_TRUE(SIDE_UNTIL(side, side->received == received + nr && side->sent == sent + nr));
	EXPECT_EQ(0, side->failed);
	EXPECT_FALSE(side->wrong);
}

static void meet_server(struct __test_metadata *_metadata, FIXTURE_DATA(channel) *self,
			const char *pci)
{
	self->pid = victim(self->shared, run_server);
	ASSERT_EQ(0, client_make(&self->side, pci, NAME));
	ASSERT_TRUE(client_connect(&self->side));
}

TEST_F(channel, a_client_here_by_short_addresses)
{
	meet_server(_metadata, self, "b1:00.0");
	talk(_metadata, &self->side, 1, 4);
	talk(_metadata, &self->side, TASKS, MAX_MSG);
	talk(_metadata, &self->side, TASKS, 64);
}

static void meet_client(struct __test_metadata *_metadata, FIXTURE_DATA(channel) *self)
{
	struct side *side = &self->side;

	ASSERT_EQ(0, server_make(side, "0000:03:00.0", "0000:b1:00.0", NAME));
	ASSERT_OK(doca_ctx_start(side->ctx));
	self->pid = victim(self->shared, run_client);
	ASSERT_TRUE(SIDE_UNTIL(side, side->connects == 1));
}

TEST_F(channel, a_server_here_by_long_addresses)
{
	meet_client(_metadata, self);
	talk(_metadata, &self->side, TASKS, MAX_MSG);
	talk(_metadata, &self->side, TASKS, 5);
}

static int run_late_server(struct shared *shared)
{
	store(&shared->ready, 1);
	load_other(&shared->left, 0);
	return run_server(shared);
}

TEST_F(channel, a_client_waits_for_a_server_elsewhere)
{
	struct side *side = &self->side;
	int i;

	self->pid = victim(self->shared, run_late_server);
	ASSERT_EQ(0, client_make(side, "b1:00.0", NAME));
	ASSERT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side->ctx));
	for (i = 0; i < 100; i++)
		doca_pe_progress(side->pe);
	EXPECT_EQ(DOCA_CTX_STATE_STARTING, state_of(side->ctx));
	store(&self->shared->left, 1);
	ASSERT_TRUE(client_runs(side));
	talk(_metadata, side, 1, 100);
}

/* Contexts start again, and the server has heard of each end. */
TEST_F(channel, it_connects_again_and_again)
{
	int i;

	meet_server(_metadata, self, "b1:00.0");
	for (i = 0; i < 20; i++) {
		ASSERT_TRUE(side_stop(&self->side));
		self->side.next = self->side.received = 0;
		ASSERT_TRUE(client_connect(&self->side));
		talk(_metadata, &self->side, 3, 1000);
	}
}

/* Messages that were sent before the stop come before the end. */
TEST_F(channel, the_last_message_survives_the_stop)
{
	unsigned int i;

	meet_server(_metadata, self, "b1:00.0");
	for (i = 0; i < 10; i++)
		ASSERT_OK(side_send(&self->side, i, 500));
	ASSERT_TRUE(side_stop(&self->side));
	EXPECT_EQ(10, self->side.sent);
	EXPECT_TRUE(AWAIT(load(&self->shared->steps) == 10));
}

#define INBOX 64 /* messages, by default */

static int run_dying_client(unsigned int nr, unsigned int size, unsigned int sent)
{
	struct side side = {};
	unsigned int i;

	/* Progress executes all that was submitted, so it is known when that is done. */
	setenv("DOCA_WORKERS", "0", 1);
	if (client_make(&side, "b1:00.0", NAME) || !client_connect(&side))
		return 1;
	for (i = 0; i < nr; i++)
		if (side_send(&side, i, size))
			return 2;
	if (!SIDE_UNTIL(&side, side.sent == sent))
		return 3;
	for (i = 0; i < nr; i++)
		doca_pe_progress(side.pe);
	kill(getpid(), SIGKILL);
	return 4;
}

TEST_F(channel, the_messages_of_a_killed_client_come_before_its_end)
{
	struct side *side = &self->side;
	pid_t pid;

	ASSERT_EQ(0, server_open(side, NAME));
	pid = quiet_fork();
	if (!pid)
		_exit(run_dying_client(10, MAX_MSG, 10));
	ASSERT_TRUE(SIDE_UNTIL(side, side->disconnects == 1));
	EXPECT_EQ(10, side->received);
	EXPECT_FALSE(side->wrong);
	waitpid(pid, NULL, 0);
}

/* More of them than its inbox has room for, while the server does nothing. */
TEST_F(channel, so_do_messages_that_wait_for_room)
{
	struct side *side = &self->side;
	const unsigned int nr = 100;
	int status;
	pid_t pid;

	ASSERT_EQ(0, server_open(side, NAME));
	pid = quiet_fork();
	if (!pid)
		_exit(run_dying_client(nr, 64, INBOX));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status));
	ASSERT_TRUE(SIDE_UNTIL(side, side->disconnects == 1));
	EXPECT_EQ(nr, side->received);
	EXPECT_FALSE(side->wrong);
}

static int run_rejector(struct shared *shared)
{
	struct side side = { .echoes = true };
	struct doca_comch_connection *first;

	if (server_open(&side, NAME))
		return 1;
	store(&shared->ready, 1);
	while (!side.connects)
		doca_pe_progress(side.pe);
	first = side.connection;
	for (;;) {
		doca_pe_progress(side.pe);
		if (side.connection != first)
			doca_comch_server_disconnect(side.server, side.connection);
		side.connection = first;
	}
}

TEST_F(channel, a_second_client_is_turned_away)
{
	struct side second = {};

	self->pid = victim(self->shared, run_rejector);
	ASSERT_EQ(0, client_make(&self->side, "b1:00.0", NAME));
	ASSERT_TRUE(client_connect(&self->side));
	ASSERT_EQ(0, client_make(&second, "b1:00.0", NAME));
	/* It may have run for a moment. */
	ASSERT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(second.ctx));
	EXPECT_TRUE(SIDE_UNTIL(&second, state_of(second.ctx) == DOCA_CTX_STATE_IDLE));
	talk(_metadata, &self->side, 10, 100);
	EXPECT_EQ(0, side_destroy(&second));
}

/* A receiver that is stopped keeps those alone that send to it, and loses nothing. */
TEST_F(channel, a_stopped_server_holds_up_its_own_client)
{
	struct side *side = &self->side, other = { .echoes = true };
	unsigned int i;

	meet_server(_metadata, self, "b1:00.0");
	stop(self->pid);
	for (i = 0; i < TASKS; i++)
		ASSERT_OK(side_send(side, i, MAX_MSG));
	ASSERT_EQ(0, server_open(&other, "another"));
	EXPECT_TRUE(side_stop(&other));
	EXPECT_GT(TASKS, side->sent);
	EXPECT_EQ(0, side->failed);
	kill(self->pid, SIGCONT);
	EXPECT_TRUE(SIDE_UNTIL(side, side->received == TASKS && side->sent == TASKS));
	EXPECT_FALSE(side->wrong);
	EXPECT_EQ(0, side_destroy(&other));
}

/* The start and the stop of a client do not wait for a server that does not answer. */
TEST_F(channel, a_stopped_server_keeps_no_client_from_stopping)
{
	struct side *side = &self->side;

	self->pid = victim(self->shared, run_server);
	stop(self->pid);
	ASSERT_EQ(0, client_make(side, "b1:00.0", NAME));
	ASSERT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side->ctx));
	doca_pe_progress(side->pe);
	EXPECT_EQ(DOCA_CTX_STATE_STARTING, state_of(side->ctx));
	EXPECT_TRUE(side_stop(side));
	kill(self->pid, SIGCONT);
	ASSERT_TRUE(client_connect(side));
	talk(_metadata, side, 1, 8);
}

/* Sleep in the notification handle whenever there is nothing to do. */
#define ASLEEP_UNTIL(side, condition)                                                       \
	do {                                                                                \
		struct pollfd pfd_ = { .events = POLLIN };                                  \
		doca_event_handle_t handle_;                                                \
                                                                                            \
		ASSERT_OK(doca_pe_get_notification_handle((side)->pe, &handle_));           \
		pfd_.fd = handle_;                                                          \
		while (!(condition)) {                                                      \
			ASSERT_OK(doca_pe_request_notification((side)->pe));                \
			ASSERT_EQ(1, poll(&pfd_, 1, patiently(25) * 1000));                 \
			ASSERT_OK(doca_pe_clear_notification((side)->pe, handle_));         \
			while (doca_pe_progress((side)->pe))                                \
				;                                                           \
		}                                                                           \
	} while (0)

TEST_F(channel, a_sleeping_client_is_woken)
{
	struct side *side = &self->side;
	unsigned int i;

	self->pid = victim(self->shared, run_server);
	ASSERT_EQ(0, client_make(side, "b1:00.0", NAME));
	ASSERT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side->ctx));
	ASLEEP_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_RUNNING);
	ASSERT_OK(doca_comch_client_get_connection(side->client, &side->connection));
	for (i = 0; i < rounds(200); i++) {
		ASSERT_OK(side_send(side, i, 64));
		ASLEEP_UNTIL(side, side->received == i + 1);
	}
	for (; i < rounds(200) + TASKS; i++)
		ASSERT_OK(side_send(side, i, MAX_MSG));
	ASLEEP_UNTIL(side, side->received == i && side->sent == i);
	kill(self->pid, SIGKILL);
	ASLEEP_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_IDLE);
}

TEST_F(channel, a_sleeping_server_is_woken)
{
	struct side *side = &self->side;

	ASSERT_EQ(0, server_open(side, NAME));
	self->pid = victim(self->shared, run_client);
	ASLEEP_UNTIL(side, side->connects == 1);
	ASSERT_OK(side_send(side, 0, 64));
	ASLEEP_UNTIL(side, side->received == 1);
	kill(self->pid, SIGKILL);
	ASLEEP_UNTIL(side, side->disconnects == 1);
}

static void name_is_taken(struct __test_metadata *_metadata, FIXTURE_DATA(channel) *self)
{
	struct side *side = &self->side;

	self->pid = victim(self->shared, run_server);
	ASSERT_EQ(0, server_make(side, "03:00.0", "b1:00.0", NAME));
	EXPECT_ERR(IN_USE, doca_ctx_start(side->ctx));
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	EXPECT_OK(doca_ctx_start(side->ctx));
	self->pid = victim(self->shared, run_client);
	ASSERT_TRUE(SIDE_UNTIL(side, side->connects == 1));
	talk(_metadata, side, 10, 1000);
	/* The name is free at once. */
	EXPECT_TRUE(side_stop(side));
	EXPECT_OK(doca_ctx_start(side->ctx));
}

TEST_F(channel, a_name_is_taken_and_a_dead_process_has_none)
{
	name_is_taken(_metadata, self);
}

static void make_dir(struct __test_metadata *_metadata, char *dir)
{
	strcpy(dir, "/tmp/doca-channel.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(dir));
	setenv("DOCA_RUNTIME_DIR", dir, 1);
}

static int nr_in(const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	int nr = 0;

	while (dir && (entry = readdir(dir)))
		nr += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return nr;
}

TEST_F(channel, so_it_is_in_a_directory)
{
	char dir[32];

	make_dir(_metadata, dir);
	name_is_taken(_metadata, self);
	EXPECT_TRUE(side_stop(&self->side));
	EXPECT_EQ(0, nr_in(dir));
	EXPECT_EQ(0, rmdir(dir));
}

/* Two jobs of one user do not meet. */
TEST_F(channel, directories_keep_jobs_apart)
{
	struct side *side = &self->side;
	char dir[32], mine[32];

	make_dir(_metadata, dir);
	self->pid = victim(self->shared, run_server);
	make_dir(_metadata, mine);
	setenv("DOCA_COMCH_CONNECT_MS", "50", 1);
	ASSERT_EQ(0, client_make(side, "b1:00.0", NAME));
	EXPECT_FALSE(client_connect(side));
	setenv("DOCA_RUNTIME_DIR", dir, 1);
	EXPECT_TRUE(client_connect(side));
	talk(_metadata, side, 1, 8);
	kill(self->pid, SIGKILL);
	EXPECT_TRUE(SIDE_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_IDLE));
	/* Killed, it left its files. */
	EXPECT_EQ(2, nr_in(dir));
}

/* They may be others'. */
TEST_F(channel, no_file_is_removed_from_a_directory_that_others_may_write_to)
{
	struct side *side = &self->side;
	char dir[32];

	make_dir(_metadata, dir);
	self->pid = victim(self->shared, run_server);
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	self->pid = 0;
	ASSERT_EQ(2, nr_in(dir));
	ASSERT_EQ(0, chmod(dir, 0777));
	ASSERT_EQ(0, server_make(side, "03:00.0", "b1:00.0", NAME));
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(side->ctx));
	EXPECT_EQ(2, nr_in(dir));
	ASSERT_EQ(0, chmod(dir, 0700));
	EXPECT_OK(doca_ctx_start(side->ctx));
	EXPECT_TRUE(side_stop(side));
	EXPECT_EQ(0, nr_in(dir));
	rmdir(dir);
}

TEST_F(channel, a_directory_that_others_may_write_to_is_refused)
{
	struct side *side = &self->side;
	char dir[32];

	make_dir(_metadata, dir);
	ASSERT_EQ(0, chmod(dir, 0777));
	ASSERT_EQ(0, server_make(side, "03:00.0", "b1:00.0", NAME));
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(side->ctx));
	rmdir(dir);
}

/* All bytes but NUL, and the longest. */
static const char *const odd_names[] = {
	"a", " ", "../x", "with\nlines\t and \xff\xfe", "\x01",
	"0123456789012345678901234567890123456789012345678901234567890123456789"
	"0123456789012345678901234567890123456789012345678",
};

TEST_F(channel, names_may_have_any_bytes)
{
	struct side *side = &self->side;
	unsigned int i;

	for (i = 0; i < sizeof(odd_names) / sizeof(*odd_names); i++) {
		pid_t pid;

		store(&self->shared->ready, 0);
		pid = quiet_fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(run_server_named(self->shared, odd_names[i]));
		}
		ASSERT_TRUE(AWAIT(load(&self->shared->ready)));
		*side = (struct side){};
		ASSERT_EQ(0, client_make(side, "b1:00.0", odd_names[i]));
		EXPECT_TRUE(client_connect(side));
		talk(_metadata, side, 2, 100);
		EXPECT_EQ(0, side_destroy(side));
		side->pe = NULL;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* The limit of the server's process, which the last client is told. */
TEST_F(channel, one_client_too_many)
{
	struct side *side = &self->side, second = {}, third = {};

	setenv("DOCA_IMPORTERS", "2", 1);
	meet_server(_metadata, self, "b1:00.0");
	unsetenv("DOCA_IMPORTERS");
	ASSERT_EQ(0, client_make(&second, "b1:00.0", NAME));
	ASSERT_TRUE(client_connect(&second));
	ASSERT_EQ(0, client_make(&third, "b1:00.0", NAME));
	EXPECT_FALSE(client_connect(&third));
	EXPECT_TRUE(side_stop(side));
	/* The server hears of it a moment later. */
	EXPECT_TRUE(AWAIT(client_connect(&third)));
	EXPECT_EQ(0, side_destroy(&third));
	EXPECT_EQ(0, side_destroy(&second));
}

static int use_after_fork(struct side *side)
{
	alarm(patiently(20));
	if (side_send(side, 1, 8) == DOCA_SUCCESS)
		for (;;)
			if (doca_pe_progress(side->pe) && side->failed)
				break;
	return 0;
}

/* A child has no part in the connection, and its parent keeps it. */
TEST_F(channel, a_forked_child_has_none)
{
	struct side *side = &self->side;
	pid_t pid;

	meet_server(_metadata, self, "b1:00.0");
	pid = quiet_fork();
	if (!pid)
		_exit(use_after_fork(side));
	EXPECT_EQ(0, bed_wait(pid));
	talk(_metadata, side, 10, 100);
}

TEST_HARNESS_MAIN
