// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Send, receive and count numbered datagrams (tools/doca_zc.sh):
 *
 * zc_traffic receive|plain ADDRESS PORT COUNT [GROUP INTERFACE] zc_traffic send ADDRESS PORT COUNT
 * SIZE...
 *
 * "receive" is a program of zero-copy receive, "plain" one of recv(). They end with the last
 * number or after five seconds without any (or as many as ZC_TRAFFIC_PATIENCE says), and print what
 * they have got. The first four bytes of a datagram are its number, from which all others follow;
 * shorter datagrams are only counted. Whatever happens, they end after a minute and a second for
 * 200 datagrams.
 *
 * On SIGUSR1, "receive" executes another program, which keeps its socket; on SIGUSR2 it has a
 * child that does nothing for ten seconds.
 *
 * ZC_TRAFFIC_SEGMENTS makes "send" give the kernel that many datagrams at once, all of one size,
 * to be cut in pieces (UDP_SEGMENT).
 *
 * ZC_TRAFFIC_PROGRESS names a file in which "receive" counts its datagrams. "send" is never
 * further ahead than a socket has room for, even on a busy machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#define MAX 65507
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static atomic_uint *progress;
static uint8_t *seen;
static unsigned int count, got, twice, bad, unnumbered;

static uint8_t byte_of(uint32_t n, uint32_t i)
{
	return n * 7 + i * 13 + (i >> 8);
}

static void map_progress(void)
{
	const char *path = getenv("ZC_TRAFFIC_PROGRESS");
	int fd = path ? open(path, O_RDWR) : -1;

	if (fd < 0)
		return;
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (progress == MAP_FAILED)
		progress = NULL;
	close(fd);
}

/* Wait for seconds at most: lost datagrams never come. */
static void await_progress(uint32_t sent, uint32_t window)
{
	for (int n = 0; progress && (int)(sent - atomic_load(progress)) >= (int)window; n++) {
		if (n == 50000)
			progress = NULL;
		usleep(100);
	}
}

static void note(const uint8_t *data, uint32_t len)
{
	uint32_t n, i;

	if (len < 4) {
		unnumbered++;
		got++;
		return;
	}
	memcpy(&n, data, 4);
	if (n >= count) {
		bad++;
		return;
	}
	for (i = 4; i < len && data[i] == byte_of(n, i); i++)
		;
	bad += i != len;
	twice += seen[n];
	got += !seen[n];
	seen[n] = 1;
}

static void tell_progress(void)
{
	if (progress)
		atomic_store(progress, got);
}

static enum onload_zc_callback_rc use(struct onload_zc_recv_args *args,
				      __attribute__((unused)) int flags)
{
	static uint8_t whole[MAX + 1];
	uint32_t len = 0;

	if (args->msg.msghdr.msg_iovlen == 1) {
		note(args->msg.iov[0].iov_base, args->msg.iov[0].iov_len);
		tell_progress();
		return ONLOAD_ZC_CONTINUE;
	}
	for (size_t i = 0; i < args->msg.msghdr.msg_iovlen; i++) {
		memcpy(whole + len, args->msg.iov[i].iov_base, args->msg.iov[i].iov_len);
		len += args->msg.iov[i].iov_len;
	}
	note(whole, len);
	tell_progress();
	return ONLOAD_ZC_CONTINUE;
}

static socklen_t parse(const char *text, const char *port, union address *a)
{
	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, text, &a->in.sin_addr) == 1) {
		a->any.sa_family = AF_INET;
		a->in.sin_port = htons(atoi(port));
		return sizeof(a->in);
	}
	if (inet_pton(AF_INET6, text, &a->in6.sin6_addr) != 1)
		exit(2);
	a->any.sa_family = AF_INET6;
	a->in6.sin6_port = htons(atoi(port));
	return sizeof(a->in6);
}

static void join(int fd, const char *group, const char *interface)
{
	struct ip_mreqn req = { .imr_ifindex = if_nametoindex(interface) };

	inet_pton(AF_INET, group, &req.imr_multiaddr);
	if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &req, sizeof(req)))
		exit(3);
}

static volatile sig_atomic_t told;

static void on_signal(int number)
{
	told = number;
}

static void listen_to_signals(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
}

static void do_as_told(void)
{
	const int number = told;

	told = 0;
	if (number == SIGUSR1)
		execlp("sleep", "sleep", "30", (char *)NULL);
	if (number == SIGUSR2 && !fork()) {
		alarm(10);
		pause();
		_exit(0);
	}
}

static int receive_plain(int fd)
{
	static uint8_t whole[MAX + 1];
	ssize_t len = recv(fd, whole, sizeof(whole), 0);

	if (len < 0)
		return -errno;
	note(whole, len);
	return 0;
}

static int receive(bool plain, char **argv, int argc)
{
	const char *seconds = getenv("ZC_TRAFFIC_PATIENCE");
	const struct timeval patience = { .tv_sec = seconds ? atoi(seconds) : 5 };
	struct onload_zc_recv_args args = {
		.cb = use,
		.flags = ONLOAD_MSG_RECV_OS_INLINE,
	};
	const int size = 8 << 20, on = 1;
	union address a;
	socklen_t len = parse(argv[0], argv[1], &a);
	int fd = socket(a.any.sa_family, SOCK_DGRAM, 0), err = 0;

	listen_to_signals();
	count = atoi(argv[2]);
	seen = calloc(count, 1);
	if (!plain) {
		map_progress();
		tell_progress();
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, &a.any, len)) {
		perror("bind");
		return 3;
	}
	if (argc > 4)
		join(fd, argv[3], argv[4]);
	/* A socket that does not receive past the kernel by now never will. */
	args.flags |= ONLOAD_MSG_DONTWAIT;
	if (!plain)
		onload_zc_recv(fd, &args);
	args.flags &= ~ONLOAD_MSG_DONTWAIT;
	puts("ready");
	fflush(stdout);
	/* The first datagram may take its time. */
	poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, plain ? 20000 : 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	for (int tries = 0; got < count && tries < 10; ) {
		do_as_told();
		err = plain ? receive_plain(fd) : onload_zc_recv(fd, &args);
		if (err == -EAGAIN && got)
			break;
		if (err)
			tries++;
		else
			tries = 0;
	}
	printf("got %u of %u, %u short, %u twice, %u bad, last %d\n", got, count, unnumbered,
	       twice, bad, err);
	fflush(stdout);
	/* Stay until the test has looked at the process. */
	while (getenv("ZC_TRAFFIC_STAY"))
		pause();
	return got != count || twice || bad;
}

/* Send no faster than the receiver has room for: both may share one CPU. */
static int send_all(char **argv, int argc)
{
	static uint8_t data[MAX];
	union address a;
	socklen_t len = parse(argv[0], argv[1], &a);
	int fd = socket(a.any.sa_family, SOCK_DGRAM, 0);
	const int size = 4 << 20;
	uint32_t n = atoi(argv[2]), window = 128, filled = 0;
	const char *text = getenv("ZC_TRAFFIC_SEGMENTS");
	const uint32_t segments = text ? atoi(text) : 1;
	const int segment = atoi(argv[3]);

	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	if (segments > 1 && setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment))) {
		perror("UDP_SEGMENT");
		return 1;
	}
	map_progress();
	for (int i = 3; i < argc; i++)
		if (atoi(argv[i]) > 2000)
			window = 48;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t length = atoi(argv[3 + i % (argc - 3)]);

		await_progress(i, window);
		for (uint32_t b = 4; b < length; b++)
			data[filled + b] = byte_of(i, b);
		memcpy(data + filled, &i, 4);
		filled += length;
		if (i % segments != segments - 1 && i != n - 1)
			continue;
		if (sendto(fd, data, filled, 0, &a.any, len) != (ssize_t)filled) {
			perror("sendto");
			return 1;
		}
		filled = 0;
		if (i % 16 == 15 || length > 2000)
			usleep(1000);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	alarm(60 + atoi(argv[4]) / 200);
	if (!strcmp(argv[1], "send"))
		return argc < 6 ? 2 : send_all(argv + 2, argc - 2);
	return receive(!strcmp(argv[1], "plain"), argv + 2, argc - 2);
}
