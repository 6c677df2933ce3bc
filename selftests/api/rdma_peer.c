// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * rdma_peer: lets clients use its memory by RDMA, and gives each message back, with the same
 * immediate data. A process for each client ends with it; where one has failed, all ends, and the
 * exit status says so. At SIGTERM nothing is left when it ends. rdma_between is such a client.
 */
#include <sys/signalfd.h>

#include "rdma_peer.h"

#define CLIENTS 8 /* at once */

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

static pid_t processes[CLIENTS]; /* those of clients; 0: none */

static pid_t *place_of(pid_t process)
{
	int i;

	for (i = 0; i < CLIENTS; i++)
		if (processes[i] == process)
			return &processes[i];
	return NULL;
}

/* It ends when its client does, or kills itself when the client says so. */
static bool ended_well(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Take the processes that have ended, or with no options all. Return false if one has failed. */
static bool take_ended(int options)
{
	bool well = true;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, options)) > 0) {
		*place_of(pid) = 0;
		if (ended_well(status))
			continue;
		fprintf(stderr, "rdma_peer: the process of a client ended with status %#x\n",
			status);
		well = false;
	}
	return well;
}

static int end_all(bool well)
{
	int i;

	for (i = 0; i < CLIENTS; i++)
		if (processes[i])
			kill(processes[i], SIGKILL);
	return take_ended(0) && well ? 0 : 1;
}

/* The process has the signals as they were. */
static void take_client(int listener, const sigset_t *signals)
{
	int client = accept(listener, NULL, NULL);
	pid_t *place = place_of(0);

	MUST(client >= 0);
	MUST(place);
	*place = fork();
	MUST(*place >= 0);
	if (!*place) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_UNBLOCK, signals, NULL);
		close(listener);
		serve(client);
	}
	close(client);
}

static int listen_at(uint16_t port)
{
	struct sockaddr_in where = { .sin_family = AF_INET, .sin_port = htons(port) };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	static const int yes = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	MUST(!bind(listener, (struct sockaddr *)&where, sizeof(where)));
	MUST(!listen(listener, CLIENTS));
	puts("listens");
	fflush(stdout);
	return listener;
}

int main(void)
{
	struct signalfd_siginfo signal;
	struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fds[0].fd = signalfd(-1, &signals, SFD_CLOEXEC);
	fds[1].fd = listen_at(PEER_PORT);
	for (;;) {
		MUST(poll(fds, 2, -1) > 0);
		if (fds[0].revents) {
			MUST(read(fds[0].fd, &signal, sizeof(signal)) == sizeof(signal));
			if (!take_ended(WNOHANG))
				return end_all(false);
			if (signal.ssi_signo == SIGTERM)
				return end_all(true);
		}
		if (fds[1].revents)
			take_client(fds[1].fd, &signals);
	}
}
