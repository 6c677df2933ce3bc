// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Threads that receive what comes past the kernel from one socket. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include <onload/extensions.h>

#include "past.h"

static void *peek_often(void *arg)
{
	struct pair *p = arg;
	size_t wrong = 0;
	char data = 0;

	for (int i = 0; i < 20000; i++) {
		wrong += recv(p->rx, &data, 1, MSG_PEEK | MSG_DONTWAIT) != 1;
		wrong += data != 'a';
	}
	return (void *)wrong;
}

TEST(threads_may_look_at_the_same_datagram)
{
	PAST();
	struct pair p = past_pair();
	static struct notes n;
	pthread_t threads[2];
	void *wrong;
	char data[1];

	past_open(&p, &n);
	for (int i = 0; i < 8; i++)
		EXPECT(past_say(&p, &(char){ 'a' + i }, 1));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, peek_often, &p);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &wrong);
		EXPECT(!wrong);
	}
	for (int i = 0; i < 8; i++) {
		EXPECT_EQ(recv(p.rx, data, 1, MSG_DONTWAIT), 1);
		EXPECT_EQ(data[0], 'a' + i);
	}
	EXPECT_EQ(recv(p.rx, data, 1, MSG_DONTWAIT), -1);
	past_end(&p);
}

static atomic_uint received;

static enum onload_zc_callback_rc count_it(struct onload_zc_recv_args *args,
					   int flags)
{
	(void)args;
	(void)flags;
	atomic_fetch_add(&received, 1);
	return ONLOAD_ZC_CONTINUE;
}

static void *receive_some(void *arg)
{
	struct onload_zc_recv_args args = { .cb = count_it, .flags = INLINE };

	while (atomic_load(&received) < 2000)
		onload_zc_recv(*(int *)arg, &args);
	return NULL;
}

TEST(threads_share_a_socket)
{
	PAST();
	struct pair p = past_pair();
	static struct notes n;
	pthread_t threads[3];
	const unsigned int dropped = link_dropped();
	unsigned int sent = 0;

	past_open(&p, &n);
	received = 0;
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, receive_some, &p.rx);
	while (sent < 2000) {
		if (sent - atomic_load(&received) > 20)
			sched_yield();
		else if (sent++ % 4)
			past_say(&p, "a", 1) ? 0 : say(&p, "a", 1);
		else
			say(&p, "a", 1);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(received, 2000);
	EXPECT_EQ(link_dropped(), dropped);
	past_end(&p);
}

static atomic_bool enough;

/* What is open past the kernel comes and goes, and with it the rule. */
static void *open_often(void *arg)
{
	static struct notes n;

	(void)arg;
	while (!atomic_load(&enough)) {
		struct pair p = past_pair();

		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
		end(&p);
	}
	return NULL;
}

static void use_in_child(struct pair *p, struct notes *n)
{
	alarm(10);
	say(p, "a", 1);
	EXPECT_EQ(zc_recv(p->rx, n, INLINE), 0);
	EXPECT_EQ(n->data[0], 'a');
	close(p->rx);
	_exit(0);
}

/* Nor does it stay in the parent: locks are taken in the order of those threads. */
TEST(a_child_does_not_wait_for_threads_of_its_parent)
{
	PAST();
	struct pair p = past_pair();
	static struct notes n;
	pthread_t thread;
	int status;

	alarm(60);
	past_open(&p, &n);
	link_be_slow(2000);
	pthread_create(&thread, NULL, open_often, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid)
			use_in_child(&p, &n);
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		EXPECT_EQ(status, 0);
	}
	atomic_store(&enough, true);
	pthread_join(thread, NULL);
	link_be_slow(0);
	past_end(&p);
	alarm(0);
}

static void *by_recv(void *fd)
{
	char byte;

	return (void *)recv(*(int *)fd, &byte, 1, 0);
}

static void *by_zc_recv(void *fd)
{
	static struct notes n;

	return (void *)(intptr_t)zc_recv(*(int *)fd, &n,
					 ONLOAD_MSG_RECV_OS_INLINE);
}

/* As programs end threads that receive. */
TEST(who_waits_is_told_of_shutdown)
{
	PAST();
	void *(*const calls[])(void *) = { by_recv, by_zc_recv };
	static struct notes n;
	pthread_t thread;
	struct pair p;
	void *result;

	alarm(30);
	for (int i = 0; i < 4; i++) {
		p = past_pair();
		past_open(&p, &n);
		if (i >= 2)
			shutdown(p.rx, SHUT_RD);
		pthread_create(&thread, NULL, calls[i % 2], &p.rx);
		usleep(10000);
		shutdown(p.rx, SHUT_RD);
		pthread_join(thread, &result);
		EXPECT(!result);
		EXPECT(past_say(&p, "a", 1));
		EXPECT_EQ(zc_recv(p.rx, &n, 0), 0);
		EXPECT_EQ(n.calls, 1);
		n.calls = 0;
		past_end(&p);
	}
	alarm(0);
}

/* The call renews the lease, and must not end in the middle of that. */
static void *renew_while_cancelled(void *arg)
{
	struct pair *p = arg;
	static struct notes n;

	pthread_cancel(pthread_self());
	zc_recv(p->rx, &n, INLINE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return NULL;
}

TEST(who_is_cancelled_holds_no_lock)
{
	PAST();
	struct pair p = past_pair();
	static struct notes n;
	pthread_t thread;
	void *result;

	alarm(30);
	past_open(&p, &n);
	usleep(150000);
	pthread_create(&thread, NULL, renew_while_cancelled, &p);
	pthread_join(thread, &result);
	EXPECT(!result);
	usleep(150000);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	past_end(&p);
	alarm(0);
}

static atomic_uint signals;

static void count_signal(int sig)
{
	(void)sig;
	atomic_fetch_add(&signals, 1);
}

static void *errno_of_recv(void *fd)
{
	char byte;

	return (void *)(intptr_t)(recv(*(int *)fd, &byte, 1, 0) < 0 ? errno :
								      0);
}

/* What a receiver returns that gets a signal, and then a datagram. */
static int interrupted(struct pair *p, int flags, struct timeval limit)
{
	const struct sigaction action = { .sa_handler = count_signal,
					  .sa_flags = flags };
	const unsigned int before = atomic_load(&signals);
	pthread_t thread;
	void *err;

	sigaction(SIGUSR1, &action, NULL);
	setsockopt(p->rx, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	pthread_create(&thread, NULL, errno_of_recv, &p->rx);
	usleep(20000);
	pthread_kill(thread, SIGUSR1);
	while (atomic_load(&signals) == before)
		usleep(1000);
	usleep(20000);
	say(p, "a", 1);
	pthread_join(thread, &err);
	if (err)
		EXPECT_EQ(recv(p->rx, &(char){ 0 }, 1, 0), 1);
	signal(SIGUSR1, SIG_DFL);
	return (intptr_t)err;
}

/* It may come when the thread does not wait yet, or just not. */
static bool is_interrupted(struct pair *p, int flags, struct timeval limit)
{
	for (int i = 0; i < 20; i++)
		if (interrupted(p, flags, limit) == EINTR)
			return true;
	return false;
}

/* As without us, by which the first is checked as well. */
TEST(signals_interrupt_as_they_are_set)
{
	PAST();
	SIGNALS();
	const struct timeval never = {}, late = { .tv_sec = 60 };
	struct pair p = past_pair();
	static struct notes n;

	for (int past = 0; past < 2; past++) {
		if (past)
			past_open(&p, &n);
		EXPECT_EQ(interrupted(&p, SA_RESTART, never), 0);
		EXPECT(is_interrupted(&p, 0, never));
		EXPECT(is_interrupted(&p, SA_RESTART, late));
	}
	past_end(&p);
}
