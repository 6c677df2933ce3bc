// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The order of callbacks of connections by address, and of the messages that
 * these move. */
#include "rdma_addr_bed.h"

static union doca_data hello = { .u64 = 5 }, got;

static void send_from(int side)
{
	struct doca_rdma_task_send *task = NULL;

	OK(doca_rdma_task_send_allocate_init(rb.rdma[side], rb.conn[side], NULL, no_data, &task));
	submit(doca_rdma_task_send_as_task(task));
}

static void greet(struct doca_rdma_connection *connection, char what)
{
	if (what == 'e' && connection->rdma == rb.rdma[0])
		send_from(0);
	else if (what == 'e')
		OK(doca_rdma_connection_set_user_data(connection, hello));
}

static void reply(struct doca_task *task)
{
	const struct doca_rdma_connection *from;

	if (task->ctx == ctx_of(1) && task == doca_rdma_task_receive_as_task(rb.receive)) {
		from = doca_rdma_task_receive_get_result_rdma_connection(rb.receive);
		OK(doca_rdma_connection_get_user_data(from, &got));
		send_from(1);
	}
	drop(task);
}

/* A peer that has answered may send, while librdmacm has not told of the answer
 * yet. */
TEST(a_message_tells_that_its_connection_works)
{
	struct doca_rdma_task_receive *task = NULL;
	const char *calls;

	addr_start();
	cm.late = true;
	got.u64 = 0;
	ab.then = greet;
	rb.then = reply;
	submit(a_receive(NULL));
	OK(doca_rdma_task_receive_allocate_init(rb.rdma[0], NULL, no_data, &task));
	submit(doca_rdma_task_receive_as_task(task));
	dial();
	calls = took();
	EXPECT_EQ(strlen(calls), 7);
	EXPECT(!strncmp(calls, "Qe", 2));
	EXPECT(!strchr(strchr(calls, 'E') ? strchr(calls, 'E') + 1 : "E", 'E'));
	EXPECT(strchr(calls, 'E') < strchr(calls, 'R'));
	EXPECT_EQ(rb.status, DOCA_SUCCESS);
	EXPECT_EQ(got.u64, 5);
	cm.late = false;
	turn();
	EXPECT_STR(took(), "");
	addr_end();
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Each is rejected without a callback, and the log has one line. */
TEST(requests_do_not_hold_progress_up)
{
	struct rdma_conn_param param = { 0 };
	struct rdma_cm_id *id;

	addr_start();
	for (int i = 0; i < 8; i++) {
		rdma_create_id(rb.rdma[1]->cm, &id, NULL, RDMA_PS_TCP);
		cm_found_device(id, true);
		cm_event(cm_of(id), rb.rdma[1]->cm, RDMA_CM_EVENT_CONNECT_REQUEST, 0, &param);
	}
	for (unsigned int i = 0; i < LOOKS && !cm.rejects; i++)
		doca_pe_progress(bed.pe);
	EXPECT_EQ(cm.rejects, 1);
	turn();
	EXPECT_EQ(cm.rejects, 8);
	EXPECT_STR(took(), "");
	EXPECT_EQ(lines(logged()), 1);
	addr_end();
}

/* The peer chooses how long the kernel waits for it. */
TEST(peers_that_were_accepted_have_to_answer)
{
	clock_stop(0);
	addr_start();
	cm.late = true;
	dial();
	EXPECT_STR(took(), "Qe");
	clock_advance(9999000000);
	turn();
	EXPECT_STR(took(), "");
	clock_advance(2000000);
	turn();
	EXPECT_STR(took(), "Fd");
	EXPECT_EQ(hca.qps, 0);
	EXPECT_EQ(ctx_of(1)->deadline, 0);
	logged();
	cm.late = false;
	dial();
	EXPECT_STR(took(), "QeE");
	clock_advance(20000000000);
	turn();
	EXPECT_STR(took(), "");
	addr_end();
}

/* The log has a line again when there was a place meanwhile. */
TEST(peers_do_not_fill_the_log)
{
	struct rdma_conn_param param = { 0 };
	struct rdma_cm_id *id;

	addr_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[1], 1));
	rdma_start();
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	for (int round = 0; round < 2; round++) {
		dial();
		EXPECT_STR(took(), "QeE");
		for (int i = 0; i < 8; i++) {
			rdma_create_id(rb.rdma[1]->cm, &id, NULL, RDMA_PS_TCP);
			cm_found_device(id, false);
			cm_event(cm_of(id), rb.rdma[1]->cm, RDMA_CM_EVENT_CONNECT_REQUEST, 0,
				 &param);
		}
		turn();
		EXPECT_EQ(lines(logged()), 1);
		OK(doca_rdma_connection_disconnect(rb.conn[0]));
		turn();
		EXPECT_STR(took(), "dD");
	}
	cm.late = true;
	dial();
	EXPECT_STR(took(), "Qe");
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	turn();
	/* The sign that it has answered is lost, but a peer that disconnects was connected. */
	EXPECT_STR(took(), "dED");
	EXPECT_SILENT();
	addr_end();
}

/* The kernel drops what comes before the answer. */
TEST(peers_may_leave_before_the_answer)
{
	addr_start();
	ab.lets_wait = true;
	dial();
	EXPECT_STR(took(), "Q");
	OK(doca_ctx_stop(ctx_of(0)));
	turn();
	EXPECT_STR(took(), "");
	FAILS(doca_rdma_connection_accept(ab.last, NULL, 0), CONNECTION_ABORTED, "is rejected");
	turn();
	EXPECT_STR(took(), "");
	EXPECT_EQ(hca.qps, 0);
	logged();
	addr_end();
}

#define MESSAGES 12

/* They have come before it, so the program gets them before. */
TEST(an_end_comes_after_its_messages)
{
	const char *calls;

	addr_begin();
	hca.holds = true;
	rb.then = drop;
	for (int i = 0; i < MESSAGES; i++) {
		submit(a_receive(NULL));
		submit(a_send(NULL));
	}
	drain(bed.pe);
	hca.holds = false;
	hca_go();
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	rdma_news_soon(rb.rdma[1]);
	turn();
	calls = took();
	EXPECT_EQ(strlen(calls), 2 * MESSAGES + 2);
	EXPECT(strchr(calls, 'D') > strrchr(calls, 'R'));
	EXPECT(strchr(calls, 'd') > strrchr(calls, 'S'));
	EXPECT_EQ(hca.qps, 0);
	addr_end();
}

/* A device would let such a task wait for ever, and all others behind it. */
TEST(peers_may_allow_no_reads)
{
	struct doca_task *tasks[3], *task;

	addr_start();
	cm.allowed = 0;
	dial();
	EXPECT_STR(took(), "QeE");
	tasks[0] = a_read(a_buf(rb.peers, 0, 64, 0), local_room(MEM_SIZE / 2, 64));
	tasks[1] = a_fetch_add(a_buf(rb.peers, 0, 0, 8), local_room(MEM_SIZE / 2, 8), 1);
	tasks[2] = a_cmp_swp(a_buf(rb.peers, 0, 0, 8), local_room(MEM_SIZE / 2, 8), 1, 2);
	for (int i = 0; i < 3; i++) {
		FAILS(doca_task_try_submit(tasks[i]), NOT_SUPPORTED, "allows no reads");
		drop(tasks[i]);
	}
	submit(a_receive(NULL));
	task = a_send(NULL);
	EXPECT_STR(run_one(task), "SR");
	drop(task);
	drop(doca_rdma_task_receive_as_task(rb.receive));
	logged();
	addr_end();
}

#define ROUNDS 2000
#define BEGIN 20
#define SOON (ROUNDS / 2) /* events are looked for now and then */

static unsigned int round_of, ended_in;
static struct doca_rdma_connection *gone;

static void go_on(struct doca_task *task)
{
	if (++round_of == BEGIN)
		OK(doca_rdma_connection_disconnect(gone));
	if (!ended_in && round_of > BEGIN && hca.qps == 2)
		ended_in = round_of;
	if (round_of < ROUNDS)
		submit(task);
	else
		drop(task);
}

/* A device that always has completions does not keep what has ended. */
TEST(an_ended_connection_leaves_its_place)
{
	const char *calls;

	addr_begin();
	gone = rb.conn[0];
	dial();
	EXPECT_STR(took(), "QeE");
	round_of = 0;
	ended_in = 0;
	rb.then = go_on;
	for (int i = 0; i < RDMA_NR / 2; i++)
		submit(a_receive(NULL));
	for (int i = 0; i < RDMA_NR / 2; i++)
		submit(a_send(NULL));
	turn();
	EXPECT(ended_in);
	EXPECT(ended_in < SOON);
	calls = took();
	EXPECT(strchr(calls, 'd') && strchr(calls, 'D'));
	addr_end();
}

TEST(a_context_is_lost_while_an_end_is_due)
{
	addr_begin();
	submit(a_receive(NULL));
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	hca.poll_error = EIO;
	rb.then = drop;
	turn();
	EXPECT(!strchr(took(), 'd'));
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	hca.poll_error = 0;
	logged();
	addr_end();
}
