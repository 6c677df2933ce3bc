// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A program that accepts no hidden copy: -ENOTEMPTY tells it that the kernel has received
 * datagrams, and it receives those into a buffer of its own.
 *
 * Usage: onload zc_udp_kernel [PORT [NUMBER]]
 * It receives NUMBER datagrams (default 100).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

static unsigned long nr_direct, nr_kernel, nr_wanted = 100;

static enum onload_zc_callback_rc use(struct onload_zc_recv_args *args,
				      int flags)
{
	(void)args;
	(void)flags;
	nr_direct++;
	return nr_direct + nr_kernel == nr_wanted ? ONLOAD_ZC_TERMINATE :
						    ONLOAD_ZC_CONTINUE;
}

/* Receive all that the kernel has; another thread may have been faster. */
static int receive_from_kernel(int fd)
{
	static char data[65536];
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int len = 0;

	while (nr_direct + nr_kernel < nr_wanted) {
		len = onload_recvmsg_kernel(fd, &msg, 0);
		if (len < 0)
			break;
		nr_kernel++;
	}
	return len < 0 && len != -EAGAIN ? len : 0;
}

int main(int argc, char **argv)
{
	struct onload_zc_recv_args args = { .cb = use };
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(argc > 1 ? atoi(argv[1]) : 5000),
	};
	int err, fd;

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
	printf("ready\n");
	fflush(stdout);
	while (nr_direct + nr_kernel < nr_wanted) {
		err = onload_zc_recv(fd, &args);
		if (err == -ENOTEMPTY)
			err = receive_from_kernel(fd);
		if (err) {
			fprintf(stderr, "receive: %s\n", strerror(-err));
			return 1;
		}
	}
	printf("%lu datagrams without a copy, %lu from the kernel\n", nr_direct,
	       nr_kernel);
	return 0;
}
