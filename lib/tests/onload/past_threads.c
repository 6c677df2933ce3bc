// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Threads that receive from one socket, by both paths: concurrently, waiting, and ended. */
#include <onload/extensions.h>

#include "../asleep.h"
#include "past.h"

/* Make a socket that receives from the kernel, or bypasses it. */
static struct pair pair_by(bool past)
{
	struct pair p = past ? past_pair() : pair();
	static struct notes n;

	if (past)
		past_open(&p, &n);
	return p;
}

static void end_by(struct pair *p, bool past)
{
	EXPECT_EQ(nr_free(p->rx), LIMIT);
	end(p);
	EXPECT(!past || link_is_clean());
}

/* Try each by the kernel alone as well, and by a bypass if possible. */
#define BY_BOTH(past) for (int past = 0; past < (past_can() ? 2 : 1); past++)

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
	struct pair p = pair_by(true);
	pthread_t threads[2];
	void *wrong;
	char data[1];

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
	end_by(&p, true);
}

#define THREADS 4
#define NUMBERS 5000

static struct pair shared;
static atomic_uint seen[NUMBERS];
static atomic_uint nr_seen;

/* Shared by the threads that keep buffers and the one that releases them. */
static struct {
	pthread_mutex_t lock;
	onload_zc_handle bufs[LIMIT];
	unsigned int nr;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum onload_zc_callback_rc keep_some(struct onload_zc_recv_args *args, int flags)
{
	uint32_t number;
	bool kept;

	(void)flags;
	memcpy(&number, args->msg.iov[0].iov_base, sizeof(number));
	if (number < NUMBERS)
		atomic_fetch_add(&seen[number], 1);
	atomic_fetch_add(&nr_seen, 1);
	pthread_mutex_lock(&queue.lock);
	kept = queue.nr < LIMIT / 2;
	if (kept)
		queue.bufs[queue.nr++] = args->msg.iov[0].buf;
	pthread_mutex_unlock(&queue.lock);
	return kept ? ONLOAD_ZC_KEEP : ONLOAD_ZC_CONTINUE;
}

static void *receiver(void *arg)
{
	struct onload_zc_recv_args args = { .cb = keep_some, .flags = INLINE };
	int ret;

	(void)arg;
	while (atomic_load(&nr_seen) < NUMBERS) {
		ret = onload_zc_recv(shared.rx, &args);
		if (ret && ret != -EAGAIN && ret != -ENOBUFS)
			return "failed";
		if (ret)
			sched_yield();
	}
	return NULL;
}

/* Release all buffers in one call. */
static int release(void)
{
	int ret;

	pthread_mutex_lock(&queue.lock);
	ret = onload_zc_release_buffers(shared.rx, queue.bufs, queue.nr);
	queue.nr = 0;
	pthread_mutex_unlock(&queue.lock);
	return ret;
}

static void *releaser(void *arg)
{
	(void)arg;
	while (atomic_load(&nr_seen) < NUMBERS) {
		if (release())
			return "failed";
		sched_yield();
	}
	return NULL;
}

/* Send at most as many at a time as there are buffers, every fourth through the kernel. */
static void say_numbers(bool past)
{
	for (uint32_t i = 0; i < NUMBERS; i++) {
		while (atomic_load(&nr_seen) + 20 <= i)
			sched_yield();
		if (!past || i % 4 == 0 || !past_say(&shared, &i, sizeof(i)))
			say(&shared, &i, sizeof(i));
	}
}

TEST(threads_share_the_datagrams_of_a_socket)
{
	const unsigned int dropped = link_dropped();
	pthread_t threads[THREADS];
	unsigned int wrong = 0;
	void *failed;

	BY_BOTH(past)
	{
		shared = pair_by(past);
		memset(seen, 0, sizeof(seen));
		atomic_store(&nr_seen, 0);
		for (int i = 0; i < THREADS; i++)
			ASSERT(!pthread_create(&threads[i], NULL, i ? receiver : releaser, NULL));
		say_numbers(past);
		for (int i = 0; i < THREADS; i++) {
			pthread_join(threads[i], &failed);
			EXPECT(!failed);
		}
		for (int i = 0; i < NUMBERS; i++)
			wrong += atomic_load(&seen[i]) != 1;
		EXPECT_EQ(wrong, 0);
		EXPECT_EQ(link_dropped(), dropped);
		EXPECT_EQ(release(), 0);
		end_by(&shared, past);
	}
}

static atomic_bool is_changing, enough;

/* Change the rule of a socket that comes or goes, until another thread forks. */
static void change_until_fork(void)
{
	if (atomic_load(&enough))
		return;
	atomic_store(&is_changing, true);
	stay_until_fork();
	atomic_store(&is_changing, false);
}

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

static void use_in_child(struct pair *p)
{
	static struct notes n;

	alarm(60);
	atomic_store(&enough, true);
	say(p, "a", 1);
	EXPECT_EQ(zc_recv(p->rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'a');
	close(p->rx);
	_exit(ktap_bad);
}

/* The parent does not hang either: a fork takes locks in the order of those threads. */
TEST(a_child_does_not_wait_for_threads_of_its_parent)
{
	PAST();
	struct pair p = pair_by(true);
	pthread_t thread;
	int status;

	watch_forks_first();
	link_on_change(change_until_fork);
	pthread_create(&thread, NULL, open_often, NULL);
	for (int i = 0; i < 6; i++) {
		pid_t pid;

		while (!atomic_load(&is_changing))
			sched_yield();
		pid = fork();
		if (!pid)
			use_in_child(&p);
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		EXPECT_EQ(status, 0);
	}
	atomic_store(&enough, true);
	fork_ends();
	pthread_join(thread, NULL);
	end_by(&p, true);
}

/* A waiting thread, and the result of its call, or its errno. */
static struct {
	pthread_t thread;
	atomic_int tid;
	int fd;
	bool zc;
} waiter;

/* ASan does not notice that a cancelled thread leaves its functions. */
void __asan_handle_no_return(void) __attribute__((weak));

static void forget_frames(void *arg)
{
	(void)arg;
	if (__asan_handle_no_return)
		__asan_handle_no_return();
}

static void *wait_for_datum(void *arg)
{
	static struct notes n;
	char byte;
	long ret;

	(void)arg;
	atomic_store(&waiter.tid, gettid());
	pthread_cleanup_push(forget_frames, NULL);
	if (waiter.zc)
		ret = zc_recv(waiter.fd, &n, ONLOAD_MSG_RECV_OS_INLINE);
	else
		ret = recv(waiter.fd, &byte, 1, 0) < 0 ? errno : 0;
	pthread_cleanup_pop(0);
	return (void *)ret;
}

static void begin_to_wait(int fd, bool zc)
{
	link_settle();
	atomic_store(&waiter.tid, 0);
	waiter.fd = fd;
	waiter.zc = zc;
	pthread_create(&waiter.thread, NULL, wait_for_datum, NULL);
	until_asleep(&waiter.tid);
}

static void *end_of_wait(void)
{
	void *result = "";

	pthread_join(waiter.thread, &result);
	return result;
}

TEST(a_wait_ends_by_a_datagram_and_by_cancelling)
{
	BY_BOTH(past)
	{
		struct pair p = pair_by(past);

		begin_to_wait(p.rx, true);
		if (past)
			EXPECT(past_say(&p, "x", 1));
		else
			say(&p, "x", 1);
		EXPECT(!end_of_wait());
		begin_to_wait(p.rx, true);
		EXPECT_EQ(pthread_cancel(waiter.thread), 0);
		EXPECT(end_of_wait() == PTHREAD_CANCELED);
		end_by(&p, past);
	}
}

/* Programs end receiving threads like this. */
TEST(who_waits_is_told_of_shutdown)
{
	PAST();
	static struct notes n;

	for (int i = 0; i < 4; i++) {
		struct pair p = pair_by(true);

		if (i >= 2)
			shutdown(p.rx, SHUT_RD);
		begin_to_wait(p.rx, i % 2);
		shutdown(p.rx, SHUT_RD);
		EXPECT(!end_of_wait());
		EXPECT(past_say(&p, "a", 1));
		n.calls = 0;
		EXPECT_EQ(zc_recv(p.rx, &n, 0), 0);
		EXPECT_EQ(n.calls, 1);
		end_by(&p, true);
	}
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
	struct pair p = pair_by(true);
	static struct notes n;
	pthread_t thread;
	void *result;

	link_pass(150);
	pthread_create(&thread, NULL, renew_while_cancelled, &p);
	pthread_join(thread, &result);
	EXPECT(!result);
	link_pass(150);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	end_by(&p, true);
}

static atomic_uint signals;

static void count_signal(int sig)
{
	(void)sig;
	atomic_fetch_add(&signals, 1);
}

TEST(a_signal_ends_a_wait)
{
	SIGNALS();
	const struct sigaction action = { .sa_handler = count_signal };
	struct pair p = pair_by(false);

	sigaction(SIGUSR1, &action, NULL);
	begin_to_wait(p.rx, true);
	pthread_kill(waiter.thread, SIGUSR1);
	EXPECT_EQ((intptr_t)end_of_wait(), -EINTR);
	signal(SIGUSR1, SIG_DFL);
	end_by(&p, false);
}

/* Send a signal to a receiver, and then a datagram. Return its error. */
static int interrupted(struct pair *p, int flags, struct timeval limit)
{
	const struct sigaction action = { .sa_handler = count_signal, .sa_flags = flags };
	const unsigned int before = atomic_load(&signals);
	int err;

	sigaction(SIGUSR1, &action, NULL);
	setsockopt(p->rx, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	begin_to_wait(p->rx, false);
	pthread_kill(waiter.thread, SIGUSR1);
	while (atomic_load(&signals) == before)
		sched_yield();
	until_asleep(&waiter.tid);
	say(p, "a", 1);
	err = (intptr_t)end_of_wait();
	if (err)
		EXPECT_EQ(recv(p->rx, &(char){ 0 }, 1, 0), 1);
	signal(SIGUSR1, SIG_DFL);
	return err;
}

/* The signal may come just when the thread renews its lease. */
static bool is_interrupted(struct pair *p, int flags, struct timeval limit)
{
	for (int i = 0; i < 20; i++)
		if (interrupted(p, flags, limit) == EINTR)
			return true;
	return false;
}

/* Like without the library; the first round checks that. */
TEST(signals_interrupt_as_they_are_set)
{
	SIGNALS();
	const struct timeval never = {}, late = { .tv_sec = 60 };

	BY_BOTH(past)
	{
		struct pair p = pair_by(past);

		EXPECT_EQ(interrupted(&p, SA_RESTART, never), 0);
		EXPECT(is_interrupted(&p, 0, never));
		EXPECT(is_interrupted(&p, SA_RESTART, late));
		end_by(&p, past);
	}
}
