// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * rdma_peer: lets clients use its memory by RDMA, and gives each message back, with the same
 * immediate data. A process for each client ends with it. rdma_between is such a client.
 */
#include "rdma_peer.h"

static struct rdma_side side;
static struct doca_rdma_task_receive *queue[PEER_SLOTS]; /* messages that have come */
static unsigned int come, answered;

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "rdma_peer: %s\n", what);
	_exit(1);
}

#define MUST(condition) must(condition, #condition)

/* Progress, or wait for it; the process ends with its client. */
static void step(int client)
{
	struct pollfd fds[] = { { .events = POLLIN }, { .fd = client, .events = POLLIN } };

	if (!doca_pe_progress(side.pe)) {
		MUST(!doca_pe_get_notification_handle(side.pe, &fds[0].fd));
		MUST(!doca_pe_request_notification(side.pe));
		MUST(poll(fds, 2, -1) > 0);
		MUST(!doca_pe_clear_notification(side.pe, fds[0].fd));
		if (fds[1].revents)
			_exit(0);
	}
	if (ended.receive && !ended.bad)
		queue[come++ % PEER_SLOTS] = ended.receive;
	ended.receive = NULL;
}

static void give_back(struct doca_rdma_task_receive *receive, struct doca_rdma_task_send_imm *echo)
{
	struct doca_task *task = doca_rdma_task_receive_as_task(receive);
	struct doca_buf *dst = doca_rdma_task_receive_get_dst_buf(receive);
	struct doca_buf *out = (struct doca_buf *)doca_rdma_task_send_imm_get_src_buf(echo);
	size_t len = doca_rdma_task_receive_get_result_len(receive);
	void *data = side.mem;
	uint32_t imm = doca_rdma_task_receive_get_result_immediate_data(receive);

	if (imm == PEER_DIE)
		raise(SIGKILL);
	if (doca_rdma_task_receive_get_result_opcode(receive) !=
	    DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
		MUST(!doca_buf_get_data(dst, &data));
	memcpy(side.mem + PEER_OUT, data, len);
	MUST(!doca_buf_set_data(out, side.mem + PEER_OUT, len));
	doca_rdma_task_send_imm_set_immediate_data(echo, imm);
	MUST(!doca_buf_reset_data_len(dst));
	MUST(!doca_task_submit(task));
	MUST(!doca_task_submit(doca_rdma_task_send_imm_as_task(echo)));
}

/*
 * When a process ends, the kernel closes its youngest file first. So a client hears of the end when
 * the queue pair has gone, for the device was opened after the connection.
 */
static void serve(int client)
{
	struct doca_rdma_task_send_imm *echo;
	struct peer_hello hello;
	unsigned int i, sent = 0;
	struct doca_dev *dev;
	struct doca_buf *buf;

	MUST(peer_take(client, &hello, sizeof(hello)));
	dev = bed_open_dev(hello.device);
	MUST(dev);
	MUST(!rdma_make_side(&side, dev, NULL, PEER_MEMORY));
	MUST(!rdma_start(&side, hello.gid, RDMA_ALL));
	for (i = 0; i < PEER_SLOTS; i++) {
		buf = a_buf(side.inv, side.mmap, side.mem + PEER_OPEN + i * PEER_SLOT, 0,
			    PEER_SLOT);
		MUST(rdma_receive(&side, buf, i));
	}
	MUST(peer_meet(&side, client));
	buf = a_buf(side.inv, side.mmap, side.mem + PEER_OUT, 0, PEER_SLOT);
	MUST(!doca_rdma_task_send_imm_allocate_init(side.rdma, side.connection, buf, 0, none,
						    &echo));
	for (;;) {
		/* The last answer may end after the next message has come. */
		if (answered == come || ended.nr - come < sent) {
			step(client);
			continue;
		}
		give_back(queue[answered++ % PEER_SLOTS], echo);
		sent++;
	}
}

int main(void)
{
	struct sockaddr_in where = { .sin_family = AF_INET, .sin_port = htons(PEER_PORT) };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client;
	static const int yes = 1;

	signal(SIGCHLD, SIG_IGN);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	MUST(!bind(listener, (struct sockaddr *)&where, sizeof(where)));
	MUST(!listen(listener, 8));
	puts("listens");
	fflush(stdout);
	for (;;) {
		client = accept(listener, NULL, NULL);
		MUST(client >= 0);
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(listener);
			serve(client);
		}
		close(client);
	}
}
