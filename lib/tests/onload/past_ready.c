// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Waits for a socket by other calls than onload_zc_recv(), and other calls to receive. */
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "../asleep.h"
#include "past.h"

/* Receive from each path in turn, once each. */
static void by_turns(bool (*receive)(int fd, char *byte), int fd, struct pair *p)
{
	char byte;

	EXPECT(past_say(p, "p", 1));
	EXPECT(receive(fd, &byte));
	EXPECT_EQ(byte, 'p');
	say(p, "k", 1);
	EXPECT(receive(fd, &byte));
	EXPECT_EQ(byte, 'k');
	EXPECT_EQ(recv(p->rx, &byte, 1, MSG_DONTWAIT), -1);
	EXPECT_EQ(errno, EAGAIN);
	link_settle();
}

static bool by_recv(int fd, char *byte)
{
	return recv(fd, byte, 1, 0) == 1;
}

static bool by_recvfrom(int fd, char *byte)
{
	struct sockaddr_in from;
	socklen_t len = sizeof(from);

	return recvfrom(fd, byte, 1, MSG_DONTWAIT, (struct sockaddr *)&from, &len) == 1 &&
	       len == sizeof(from) && from.sin_family == AF_INET;
}

static bool by_read(int fd, char *byte)
{
	return read(fd, byte, 1) == 1;
}

static bool by_readv(int fd, char *byte)
{
	struct iovec iov[2] = { { NULL, 0 }, { byte, 1 } };

	return readv(fd, iov, 2) == 1;
}

static bool by_recvmmsg(int fd, char *byte)
{
	struct iovec iov = { byte, 1 };
	struct mmsghdr msgs[2] = { { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } } };

	return recvmmsg(fd, msgs, 2, MSG_WAITFORONE, NULL) == 1 && msgs[0].msg_len == 1;
}

static bool by_peek(int fd, char *byte)
{
	char peeked = 0;
	bool good = recv(fd, &peeked, 1, MSG_PEEK) == 1 &&
		    recv(fd, &peeked, 1, MSG_PEEK | MSG_TRUNC) == 1;

	return good && recv(fd, byte, 1, MSG_DONTWAIT) == 1 && *byte == peeked;
}

TEST(it_is_received_by_all_calls)
{
	OPEN_PAIR(p, n);
	struct iovec iov;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	char data[2];

	by_turns(by_recv, p.rx, &p);
	by_turns(by_recvfrom, p.rx, &p);
	by_turns(by_read, p.rx, &p);
	by_turns(by_readv, p.rx, &p);
	by_turns(by_recvmmsg, p.rx, &p);
	by_turns(by_peek, p.rx, &p);
	iov = (struct iovec){ data, sizeof(data) };
	EXPECT(past_say(&p, "long", 4));
	EXPECT_EQ(recvmsg(p.rx, &msg, MSG_TRUNC), 4);
	EXPECT_EQ(msg.msg_flags, MSG_TRUNC);
	EXPECT(past_say(&p, "", 0));
	EXPECT_EQ(recv(p.rx, data, 2, MSG_DONTWAIT), 0);
	past_end(&p);
}

static int waiting(int fd)
{
	int length = -1;

	EXPECT_EQ(ioctl(fd, FIONREAD, &length), 0);
	return length;
}

/* Close like close_range() or fclose(). */
static void close_unseen(int fd)
{
	EXPECT_EQ(syscall(SYS_close, fd), 0);
}

TEST(its_number_may_be_that_of_a_file)
{
	OPEN_PAIR(p, n);
	char data[2];
	struct iovec iov = { data, sizeof(data) };
	int fds[2];

	EXPECT(past_say(&p, "past", 4));
	close_unseen(p.rx);
	EXPECT_EQ(pipe(fds), 0);
	EXPECT_EQ(fds[0], p.rx);
	EXPECT_EQ(write(fds[1], "abc", 3), 3);
	EXPECT_EQ(waiting(fds[0]), 3);
	EXPECT_EQ(read(fds[0], data, 1), 1);
	EXPECT_EQ(data[0], 'a');
	EXPECT_EQ(readv(fds[0], &iov, 1), 2);
	EXPECT_EQ(data[1], 'c');
	EXPECT_EQ(recv(fds[0], data, 1, 0), -1);
	EXPECT_EQ(errno, ENOTSOCK);
	close(fds[1]);
	past_end(&p);
}

TEST(its_number_may_be_that_of_another_that_bypasses)
{
	PAST();
	struct pair p = past_pair(), q = past_pair();
	static struct notes n;
	pid_t pid;
	int status;

	alarm(30);
	past_open(&p, &n);
	close_unseen(p.rx);
	/* Now an AF_XDP descriptor has that number, and ends with it. */
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), -EAGAIN);
	EXPECT_EQ(fcntl(p.rx, F_GETFD), FD_CLOEXEC);
	pid = fork();
	if (!pid) {
		alarm(30);
		_exit(fcntl(p.rx, F_GETFD) == -1 ? 0 : 1);
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 0);
	end(&q);
	EXPECT_EQ(fcntl(p.rx, F_GETFD), -1);
	past_end(&p);
	alarm(0);
}

/*
 * A datagram is copied to this page, which is absent. When it is touched, other threads act
 * between the taking of a datagram and its end.
 */
static struct {
	struct pair p;
	char *page;
	size_t size;
	struct notes n;
} meanwhile;

static void open_again(int sig)
{
	const uint8_t others[1000] = "others";

	(void)sig;
	end(&meanwhile.p);
	meanwhile.p = past_pair();
	past_open(&meanwhile.p, &meanwhile.n);
	for (int i = 0; i < LIMIT; i++)
		past_say(&meanwhile.p, others, sizeof(others));
	mprotect(meanwhile.page, meanwhile.size, PROT_READ | PROT_WRITE);
}

TEST(what_is_in_hand_is_not_the_kernel_s)
{
	PAST();
	SIGNALS();
	const size_t size = sysconf(_SC_PAGESIZE);
	struct iovec iov = { NULL, 1000 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	const char *under = getenv("UNDER");
	char datum[1000];

	if (under && !strcmp(under, "valgrind"))
		SKIP("valgrind takes the fault for one that is not meant");
	meanwhile.size = size;
	meanwhile.page = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT(meanwhile.page != MAP_FAILED);
	meanwhile.p = past_pair();
	past_open(&meanwhile.p, &meanwhile.n);
	memset(datum, 'a', sizeof(datum));
	EXPECT(past_say(&meanwhile.p, datum, sizeof(datum)));
	iov.iov_base = meanwhile.page;
	signal(SIGSEGV, open_again);
	EXPECT_EQ(recvmsg(meanwhile.p.rx, &msg, 0), sizeof(datum));
	signal(SIGSEGV, SIG_DFL);
	EXPECT(!memcmp(meanwhile.page, datum, sizeof(datum)));
	munmap(meanwhile.page, size);
	meanwhile.n.calls = 0;
	while (!zc_recv(meanwhile.p.rx, &meanwhile.n, INLINE))
		;
	EXPECT(meanwhile.n.calls >= LIMIT - 2);
	EXPECT_EQ(nr_free(meanwhile.p.rx), LIMIT);
	past_end(&meanwhile.p);
}

static bool by_poll(int fd, char *byte)
{
	struct pollfd p[2] = { { .fd = -1, .events = POLLIN },
			       { .fd = fd, .events = POLLIN | POLLOUT } };

	return poll(p, 2, 5000) == 1 && p[1].revents == (POLLIN | POLLOUT) &&
	       recv(fd, byte, 1, MSG_DONTWAIT) == 1;
}

static bool by_ppoll(int fd, char *byte)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return ppoll(&p, 1, NULL, NULL) == 1 && p.revents == POLLIN &&
	       recv(fd, byte, 1, MSG_DONTWAIT) == 1;
}

static bool by_select(int fd, char *byte)
{
	struct timeval limit = { .tv_sec = 597, .tv_usec = 3000000 };
	fd_set in, out;

	FD_ZERO(&in);
	FD_SET(fd, &in);
	out = in;
	return select(fd + 1, &in, &out, NULL, &limit) == 2 && FD_ISSET(fd, &in) &&
	       FD_ISSET(fd, &out) && limit.tv_sec > 0 && limit.tv_sec <= 600 &&
	       recv(fd, byte, 1, MSG_DONTWAIT) == 1;
}

static bool by_pselect(int fd, char *byte)
{
	fd_set in;

	FD_ZERO(&in);
	FD_SET(fd, &in);
	return pselect(fd + 1, &in, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &in) &&
	       recv(fd, byte, 1, MSG_DONTWAIT) == 1;
}

/* FIONREAD tells the size of the next datagram, and does not change it. */
TEST(fionread_is_of_both)
{
	OPEN_PAIR(p, n);
	char data[8];

	EXPECT_EQ(waiting(p.rx), 0);
	say(&p, "kernel", 6);
	EXPECT_EQ(waiting(p.rx), 6);
	EXPECT(past_say(&p, "past", 4));
	EXPECT_EQ(waiting(p.rx), 4);
	EXPECT_EQ(ioctl(p.rx, FIONREAD, NULL), -1);
	EXPECT_EQ(ioctl(p.rx, FIONREAD, (void *)8), -1);
	EXPECT_EQ(errno, EFAULT);
	EXPECT_EQ(recv(p.rx, data, sizeof(data), MSG_PEEK), 4);
	EXPECT_EQ(waiting(p.rx), 4);
	EXPECT_EQ(recv(p.rx, data, sizeof(data), MSG_DONTWAIT), 4);
	EXPECT_EQ(waiting(p.rx), 6);
	EXPECT_EQ(recv(p.rx, data, sizeof(data), MSG_DONTWAIT), 6);
	EXPECT_EQ(waiting(p.rx), 0);
	EXPECT(past_say(&p, "", 0));
	EXPECT_EQ(waiting(p.rx), 0);
	EXPECT_EQ(recv(p.rx, data, sizeof(data), MSG_DONTWAIT), 0);
	past_end(&p);
}

TEST(poll_and_select_see_both)
{
	OPEN_PAIR(p, n);
	struct pollfd rx = { .fd = p.rx, .events = POLLIN };
	char byte;

	by_turns(by_poll, p.rx, &p);
	by_turns(by_ppoll, p.rx, &p);
	by_turns(by_select, p.rx, &p);
	by_turns(by_pselect, p.rx, &p);
	EXPECT_EQ(poll(&rx, 1, 0), 0);
	/* Peeked datagrams stay. */
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(recv(p.rx, &byte, 1, MSG_PEEK), 1);
	link_settle();
	EXPECT_EQ(poll(&rx, 1, -1), 1);
	EXPECT_EQ(recv(p.rx, &byte, 1, 0), 1);
	past_end(&p);
}

/* The limit is the number of open descriptors, which a bypass does not raise. */
TEST(poll_and_select_take_as_many_as_ever)
{
	OPEN_PAIR(p, n);
	struct pollfd fds[200];
	struct rlimit before, limit;
	fd_set in;

	getrlimit(RLIMIT_NOFILE, &before);
	limit = before;
	limit.rlim_cur = 205;
	for (int i = 0; i < 200; i++)
		fds[i] = (struct pollfd){ i == 100 ? p.rx : p.tx, POLLIN, 0 };
	FD_ZERO(&in);
	for (int fd = 0; fd < 204; fd++)
		if (dup2(p.tx, fd < 50 ? p.tx : fd) == fd)
			FD_SET(fd, &in);
	FD_SET(p.rx, &in);
	setrlimit(RLIMIT_NOFILE, &limit);
	EXPECT_EQ(poll(fds, 200, 0), 0);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(poll(fds, 200, 0), 1);
	EXPECT_EQ(fds[100].revents, POLLIN);
	EXPECT_EQ(select(204, &in, NULL, NULL, NULL), 1);
	EXPECT(FD_ISSET(p.rx, &in));
	setrlimit(RLIMIT_NOFILE, &before);
	for (int fd = 50; fd < 204; fd++)
		close(fd);
	past_end(&p);
}

static int ep;

static bool by_epoll(int fd, char *byte)
{
	struct epoll_event event = {};

	return epoll_wait(ep, &event, 1, 5000) == 1 && event.data.u64 == 0x123456789abcdefull &&
	       event.events == EPOLLIN && recv(fd, byte, 1, MSG_DONTWAIT) == 1;
}

static void watch(int op, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u64 = 0x123456789abcdefull };

	EXPECT_EQ(epoll_ctl(ep, op, fd, &event), 0);
}

/* Added to the epoll before the bypass, as programs do, or after. */
TEST(epoll_sees_both)
{
	PAST();
	struct epoll_event event = { .events = EPOLLIN };
	static struct notes n;
	struct pair p;

	for (int after = 0; after < 2; after++) {
		p = past_pair();
		ep = epoll_create1(0);
		if (after)
			past_open(&p, &n);
		watch(EPOLL_CTL_ADD, p.rx, EPOLLIN);
		EXPECT_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, p.rx, &event), -1);
		EXPECT_EQ(errno, EEXIST);
		past_open(&p, &n);
		by_turns(by_epoll, p.rx, &p);
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
		watch(EPOLL_CTL_DEL, p.rx, 0);
		EXPECT(past_say(&p, "a", 1));
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
		EXPECT_EQ(epoll_ctl(ep, EPOLL_CTL_DEL, p.rx, NULL), -1);
		EXPECT_EQ(errno, ENOENT);
		watch(EPOLL_CTL_ADD, p.rx, EPOLLIN);
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
		close(ep);
		past_end(&p);
	}
}

static atomic_int begins_tid, watches_tid;

static void *begin_in_thread(void *fd)
{
	static struct notes n;

	atomic_store(&begins_tid, gettid());
	EXPECT_EQ(zc_recv(*(int *)fd, &n, INLINE), -EAGAIN);
	return NULL;
}

static void *watch_in_thread(void *fd)
{
	atomic_store(&watches_tid, gettid());
	watch(EPOLL_CTL_ADD, *(int *)fd, EPOLLIN);
	return NULL;
}

/* The library logs to a full pipe, so it stays there for a while. */
static void begin_and_watch_at_once(int fd)
{
	const int saved = dup(STDERR_FILENO);
	pthread_t begins, watches;
	char page[4096] = "";
	int fds[2];

	EXPECT_EQ(pipe2(fds, O_NONBLOCK), 0);
	while (write(fds[1], page, sizeof(page)) > 0)
		;
	fcntl(fds[1], F_SETFL, 0);
	dup2(fds[1], STDERR_FILENO);
	pthread_create(&begins, NULL, begin_in_thread, &fd);
	until_asleep(&begins_tid);
	pthread_create(&watches, NULL, watch_in_thread, &fd);
	until_asleep(&watches_tid);
	while (read(fds[0], page, sizeof(page)) > 0)
		;
	pthread_join(begins, NULL);
	pthread_join(watches, NULL);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fds[0]);
	close(fds[1]);
}

TEST(epoll_sees_both_whichever_is_first)
{
	PAST();
	struct pair p = past_pair();
	char byte;

	ep = epoll_create1(0);
	begin_and_watch_at_once(p.rx);
	EXPECT(past_say(&p, "a", 1));
	EXPECT(by_epoll(p.rx, &byte));
	close(ep);
	past_end(&p);
}

/* A peeked datagram is reported as before. */
TEST(what_was_looked_at_is_still_there)
{
	PAST();
	struct pair p = past_pair();
	struct epoll_event event;
	static struct notes n;
	char byte;

	ep = epoll_create1(0);
	watch(EPOLL_CTL_ADD, p.rx, EPOLLIN);
	past_open(&p, &n);
	for (int past = 0; past < 2; past++) {
		if (past)
			EXPECT(past_say(&p, "a", 1));
		else
			say(&p, "a", 1);
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
		EXPECT_EQ(recv(p.rx, &byte, 1, MSG_PEEK), 1);
		link_settle();
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
		EXPECT_EQ(recv(p.rx, &byte, 1, MSG_DONTWAIT), 1);
		link_settle();
		EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
	}
	/* Edges are those of arrivals. */
	watch(EPOLL_CTL_MOD, p.rx, EPOLLIN | EPOLLET);
	EXPECT(past_say(&p, "b", 1));
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(recv(p.rx, &byte, 1, MSG_PEEK), 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
	EXPECT_EQ(recv(p.rx, &byte, 1, MSG_DONTWAIT), 1);
	close(ep);
	past_end(&p);
}

TEST(edges_and_oneshot)
{
	PAST();
	struct pair p = past_pair();
	struct epoll_event event;
	static struct notes n;
	char byte;

	ep = epoll_create1(0);
	watch(EPOLL_CTL_ADD, p.rx, EPOLLIN | EPOLLET);
	past_open(&p, &n);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
	EXPECT(past_say(&p, "b", 1));
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	say(&p, "c", 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(recv(p.rx, &byte, 1, MSG_DONTWAIT), 1);
	link_settle();
	watch(EPOLL_CTL_MOD, p.rx, EPOLLIN | EPOLLONESHOT);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	say(&p, "b", 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 0);
	watch(EPOLL_CTL_MOD, p.rx, EPOLLIN | EPOLLONESHOT);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	close(ep);
	past_end(&p);
}

/* The kernel refuses an epoll there, which would have to replace the socket. */
TEST(who_asks_epoll_for_exclusive_has_the_kernel)
{
	PAST();
	struct pair p = past_pair();
	struct epoll_event event;
	static struct notes n;

	ep = epoll_create1(0);
	watch(EPOLL_CTL_ADD, p.rx, EPOLLIN | EPOLLEXCLUSIVE);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(!past_say(&p, "a", 1));
	say(&p, "a", 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(event.events, EPOLLIN);
	watch(EPOLL_CTL_DEL, p.rx, 0);
	close(ep);
	past_end(&p);
}

TEST(who_asks_epoll_for_more_has_the_kernel)
{
	PAST();
	struct pair p = past_pair();
	struct epoll_event event;
	static struct notes n;

	ep = epoll_create1(0);
	watch(EPOLL_CTL_ADD, p.rx, EPOLLIN);
	past_open(&p, &n);
	watch(EPOLL_CTL_MOD, p.rx, EPOLLIN | EPOLLOUT);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(event.events, EPOLLOUT);
	EXPECT(!past_say(&p, "a", 1));
	say(&p, "a", 1);
	EXPECT_EQ(epoll_wait(ep, &event, 1, 0), 1);
	EXPECT_EQ(event.events, EPOLLIN | EPOLLOUT);
	watch(EPOLL_CTL_DEL, p.rx, 0);
	close(ep);
	past_end(&p);
}
