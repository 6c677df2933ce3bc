// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Packets that go there and back over a pair of sockets, the alternative to messages. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "comch_way.h"
#include "loop.h"
#include "msg.h"

#define MAX_SIZE 4080
#define PATIENCE_MS (PATIENCE_SECONDS * 1000)

/* Receive a packet; return its length, 0 at the end. */
static ssize_t take(const struct packet_way *pw, int fd, void *packet)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct patience patience = { 0 };
	ssize_t length;

	for (;;) {
		if (pw->sleeps && poll(&poller, 1, PATIENCE_MS) != 1)
			return -1;
		length = recv(fd, packet, MAX_SIZE, MSG_DONTWAIT);
		if (length >= 0 || errno != EAGAIN || patience_lost(&patience))
			return length;
	}
}

static int put(int fd, const void *packet, size_t length)
{
	ssize_t sent = send(fd, packet, length, MSG_NOSIGNAL);

	return sent == (ssize_t)length ? 0 : -1;
}

static void *echo(void *arg)
{
	const struct packet_way *pw = arg;
	uint8_t packet[MAX_SIZE];
	ssize_t length;

	if (cpu_pin(pw->cpus->work))
		return NULL; /* the other thread gives up after a while */
	/* A packet of one byte is the last one. */
	while ((length = take(pw, pw->far, packet)) > 1)
		if (put(pw->far, packet, length))
			break;
	return NULL;
}

static int submit(void *self, unsigned int n)
{
	static const uint8_t packet[MAX_SIZE];
	const struct packet_way *pw = self;

	(void)n;
	return put(pw->near, packet, pw->size) ? fail("cannot send a packet") :
						 0;
}

static int reap(void *self)
{
	const struct packet_way *pw = self;
	uint8_t packet[MAX_SIZE];

	if (take(pw, pw->near, packet) != (ssize_t)pw->size)
		return fail("CPU %d does not answer", pw->cpus->work);
	return 1;
}

static int packet_run(struct way *way, struct meter *meter)
{
	struct packet_way *pw = container_of(way, struct packet_way, way);
	pthread_t thread;
	int err, ret;

	err = pthread_create(&thread, NULL, echo, pw);
	if (err)
		return fail_errno(err, "cannot create a thread");
	ret = loop_times(pw, meter, submit, reap);
	put(pw->near, "", 1);
	pthread_join(thread, NULL);
	return ret;
}

static void packet_close(struct way *way)
{
	const struct packet_way *pw = container_of(way, struct packet_way, way);

	close(pw->near);
	close(pw->far);
}

static int packet_open(struct way *way, const struct load *load)
{
	struct packet_way *pw = container_of(way, struct packet_way, way);
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return fail_errno(errno, "cannot create sockets");
	pw->near = fds[0];
	pw->far = fds[1];
	pw->size = load->size;
	return 0;
}

void packet_way_init(struct packet_way *pw, const struct cpus *cpus,
		     bool sleeps)
{
	*pw = (struct packet_way){
		.way = {
			.name = sleeps ? "socketpair, asleep" : "socketpair",
			.open = packet_open,
			.run = packet_run,
			.close = packet_close,
			.serial = true,
		},
		.cpus = cpus,
		.sleeps = sleeps,
	};
}
