// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Keep datagrams where they were received, and let another thread use and release them.
 *
 * The callback only puts them into a queue, and returns ONLOAD_ZC_KEEP: from then on the
 * program has the buffers, until it releases the first one of the datagram.
 *
 * Usage: onload zc_udp_receive [PORT [NUMBER]]
 * It receives NUMBER datagrams (default 100), which something like this may send:
 *	seq 100 | while read i; do echo $i >/dev/udp/127.0.0.1/PORT; done
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#define PARTS_MAX 32
#define QUEUE_MAX 64

/* The parts of a datagram; the callback's own list of them ends when it returns. */
struct datagram {
	unsigned int nr;
	struct onload_zc_iovec parts[PARTS_MAX];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct datagram datagrams[QUEUE_MAX];
	unsigned int first, nr;
	int over;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER,
	    .changed = PTHREAD_COND_INITIALIZER };

static int fd;
static unsigned long nr_received, nr_wanted = 100, bytes;

static void check(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(err));
	exit(1);
}

/* Wait while the queue is full; the socket holds further datagrams meanwhile. */
static enum onload_zc_callback_rc keep(struct onload_zc_recv_args *args,
				       int flags)
{
	struct datagram *d;

	(void)flags;
	pthread_mutex_lock(&queue.lock);
	while (queue.nr == QUEUE_MAX)
		pthread_cond_wait(&queue.changed, &queue.lock);
	d = &queue.datagrams[(queue.first + queue.nr++) % QUEUE_MAX];
	d->nr = args->msg.msghdr.msg_iovlen;
	memcpy(d->parts, args->msg.iov, d->nr * sizeof(d->parts[0]));
	pthread_cond_broadcast(&queue.changed);
	pthread_mutex_unlock(&queue.lock);
	return ONLOAD_ZC_KEEP |
	       (++nr_received == nr_wanted ? ONLOAD_ZC_TERMINATE : 0);
}

static int next(struct datagram *d)
{
	int found;

	pthread_mutex_lock(&queue.lock);
	while (!queue.nr && !queue.over)
		pthread_cond_wait(&queue.changed, &queue.lock);
	found = queue.nr > 0;
	if (found) {
		*d = queue.datagrams[queue.first];
		queue.first = (queue.first + 1) % QUEUE_MAX;
		queue.nr--;
	}
	pthread_cond_broadcast(&queue.changed);
	pthread_mutex_unlock(&queue.lock);
	return found;
}

static void *use(void *arg)
{
	struct datagram d;
	unsigned int i;

	(void)arg;
	while (next(&d)) {
		for (i = 0; i < d.nr; i++)
			bytes += d.parts[i].iov_len;
		/* The other buffers go with the first. */
		check(-onload_zc_release_buffers(fd, &d.parts[0].buf, 1),
		      "release");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct onload_zc_recv_args args = {
		.cb = keep,
		.flags = ONLOAD_MSG_RECV_OS_INLINE,
	};
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(argc > 1 ? atoi(argv[1]) : 5000),
	};
	pthread_t user;

	if (argc > 2)
		nr_wanted = strtoul(argv[2], NULL, 10);
	if (!onload_is_present()) {
		fprintf(stderr, "run it as 'onload %s'\n", argv[0]);
		return 1;
	}
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		perror("socket");
		return 1;
	}
	check(pthread_create(&user, NULL, use, NULL), "thread");
	printf("ready\n");
	fflush(stdout);
	while (nr_received < nr_wanted)
		check(-onload_zc_recv(fd, &args), "receive");

	pthread_mutex_lock(&queue.lock);
	queue.over = 1;
	pthread_cond_broadcast(&queue.changed);
	pthread_mutex_unlock(&queue.lock);
	check(pthread_join(user, NULL), "thread");
	printf("%lu datagrams, %lu bytes\n", nr_received, bytes);
	return 0;
}
