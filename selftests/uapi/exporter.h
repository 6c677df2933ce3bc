/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * An exporter: a child with a file of its own, which obeys commands of one letter; and
 * the importer's calls on its memory.
 */
#ifndef DOCA_EXPORTER_H
#define DOCA_EXPORTER_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "doca_ring.h"

#define LENGTH (3 * PAGE + 123)
#define SOMEBODY 54321
#define SEED_OF_EXPORTER 21
#define SEED_OF_IMPORTER 22

struct exporter {
	pid_t pid;
	int sock;
	struct doca_blob blob;
	uint8_t *addr;
};

/* Properties of an exporter */
struct role {
	uint32_t access;
	uint32_t flags;
	uid_t uid;
	bool unshared; /* in a user namespace of its own */
};

static const struct role plain = { .access = ACCESS_LOCAL | ACCESS_PCI };

struct exporting {
	struct doca d;
	struct buf buf;
	uint32_t export_id;
};

/* Stay until the importer's end of the socket is closed */
static inline void keep_the_file_open(int sock)
{
	struct pollfd hangup = { .fd = sock, .events = POLLRDHUP };

	if (!fork()) {
		poll(&hangup, 1, -1);
		_exit(0);
	}
}

/* Touch pages until memory runs out */
static inline void use_up_memory(void)
{
	for (;;) {
		uint8_t *p = pages_alloc(256 * PAGE);

		if (!p)
			pause();
		memset(p, 1, 256 * PAGE);
	}
}

static inline bool obey(struct exporting *e, char command, int sock)
{
	uint8_t expected[LENGTH];

	switch (command) {
	case 'r':
		return !export_revoke(e->d.fd, e->export_id);
	case 'd':
		return !mem_dereg(e->d.fd, e->buf.mem);
	case 'c':
		return !close(e->d.fd);
	case 'f':
		keep_the_file_open(sock);
		return true;
	case 'm':
		use_up_memory();
		return false;
	case 'v':
		fill_random(expected, LENGTH, SEED_OF_IMPORTER);
		return !memcmp(e->buf.addr + 7, expected, LENGTH);
	}
	return false;
}

static inline int exporter_main(int sock, const struct role *role)
{
	struct exporter hello = {};
	struct exporting e;
	uint32_t key;
	char command;

	if (doca_open(&e.d) || setresuid(role->uid, role->uid, role->uid) ||
	    (role->unshared && unshare(CLONE_NEWUSER)))
		return 1;
	e.buf.addr = pages_alloc(5 * PAGE);
	hello.addr = e.buf.addr + 7;
	fill_random(hello.addr, LENGTH, SEED_OF_EXPORTER);
	if (mem_reg(e.d.fd, hello.addr, LENGTH, role->access, &e.buf.mem) ||
	    mem_map(e.d.fd, e.buf.mem, e.d.device, role->access & ACCESS_LOCAL, &key) ||
	    mem_export(e.d.fd, key, role->flags, &hello.blob, &e.export_id))
		return 2;
	if (write(sock, &hello, sizeof(hello)) != sizeof(hello))
		return 3;
	while (read(sock, &command, 1) == 1 && command != 'x') {
		char answer = obey(&e, command, sock) ? 'k' : 'n';

		if (write(sock, &answer, 1) != 1)
			return 4;
	}
	return 0;
}

static inline bool exporter_start(struct exporter *e, const struct role *role)
{
	int sock[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sock))
		return false;
	pid = fork();
	if (!pid) {
		close(sock[0]);
		_exit(exporter_main(sock[1], role));
	}
	close(sock[1]);
	if (read(sock[0], e, sizeof(*e)) != sizeof(*e))
		return false;
	e->pid = pid;
	e->sock = sock[0];
	return true;
}

static inline bool exporter_tell(struct exporter *e, char command)
{
	char answer;

	return write(e->sock, &command, 1) == 1 &&
	       read(e->sock, &answer, 1) == 1 && answer == 'k';
}

static inline int exporter_end(struct exporter *e)
{
	if (write(e->sock, "x", 1) != 1)
		return -EPIPE;
	return child_wait(e->pid);
}

static inline int exporter_kill(struct exporter *e)
{
	kill(e->pid, SIGKILL);
	return child_wait(e->pid) == 1000 + SIGKILL ? 0 : -1;
}

static inline int copy_in(struct queue *q, struct buf *to, uint32_t key, const void *from)
{
	return queue_status(q, sqe_copy(seg_of(to, 0, LENGTH), seg_at(key, from, LENGTH)));
}

static inline int copy_out(struct queue *q, uint32_t key, const void *to, struct buf *from)
{
	return queue_status(q, sqe_copy(seg_at(key, to, LENGTH), seg_of(from, 0, LENGTH)));
}

/* Run in a child: report that it has begun, and use the memory until it is killed */
static inline void import_and_copy(const struct doca_blob *blob, const struct mode *mode, int out)
{
	struct doca_mem_import in;
	uint32_t worker;
	struct buf buf;
	struct queue q;
	struct doca d;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (doca_open(&d) || mode_worker(&d, mode, &worker) ||
	    buf_make(&d, &buf, LENGTH, ACCESS_LOCAL) || queue_open(&q, &d, worker, 16, 0) ||
	    mem_import(d.fd, d.device, blob, &in))
		_exit(1);
	while (!copy_in(&q, &buf, in.out_key, (void *)in.out_addr))
		if (out >= 0 && write(out, "x", 1) == 1)
			out = -1;
	for (;;)
		pause();
}

#endif /* DOCA_EXPORTER_H */
