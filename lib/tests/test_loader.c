// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Children of threads that fork while they count a load, beside another thread that loads. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "core/base/loader.h"
#include "in_child.h"
#include "slow_load.h"

static bool forks_first;
static pid_t child;

/* In place of libc's, for the loader's calls: before anything is counted. */
int pthread_setcancelstate(int state, int *old)
{
	(void)state;
	if (old)
		*old = PTHREAD_CANCEL_ENABLE;
	if (forks_first)
		child = fork();
	forks_first = false;
	return 0;
}

TEST(a_handler_that_forks_before_a_load_is_counted)
{
	int status = -1, err;
	void *handle = NULL;

	slow_load_prepare();
	ASSERT(!pthread_create(&slow_loader, NULL, load_slowly, NULL));
	slow_load_begin();
	forks_first = true;
	err = loader_open("libc.so.6", RTLD_NOW, &handle);
	if (!child)
		_exit(err == -EOWNERDEAD && !handle ? 0 : 1);
	EXPECT_EQ(err, 0);
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(status, 0);
	loader_close(handle);
	slow_load_end();
}

static unsigned int steps, unknowing;

/* Nothing else is a problem of the child: it has no load of its own. */
static void fork_in_handler(int signal)
{
	int status = -1;
	pid_t pid = fork();

	(void)signal;
	if (!pid)
		_exit(loader_check() == -EOWNERDEAD ? 0 : 1);
	steps++;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		unknowing++;
}

#ifdef __x86_64__
/* The CPU traps behind each instruction. What is below the stack may be the compiler's. */
#define STEP(change)                                  \
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t" \
			 "pushfq\n\t" change "\n\t"   \
			 "popfq\n\t"                  \
			 "lea 128(%%rsp), %%rsp" ::   \
				 : "memory", "cc")
#define BEGIN_STEPS() STEP("orq $0x100, (%%rsp)")
#define END_STEPS() STEP("andq $~0x100, (%%rsp)")
#else
#define BEGIN_STEPS()
#define END_STEPS()
#endif

static void count_once(void)
{
	int state;

	if (!loader_enter(&state))
		loader_leave(state);
}

TEST(a_handler_that_forks_while_a_load_is_counted)
{
	struct sigaction action = { .sa_handler = fork_in_handler };

	count_once(); /* functions are found the first time that they are called */
	slow_load_prepare();
	ASSERT(!pthread_create(&slow_loader, NULL, load_slowly, NULL));
	slow_load_begin();
	sigaction(SIGTRAP, &action, NULL);
	BEGIN_STEPS();
	count_once();
	END_STEPS();
	slow_load_end();
	if (!steps)
		SKIP("this machine does not trap behind each instruction");
	EXPECT(steps > 20);
	EXPECT_EQ(unknowing, 0);
}

/* It goes on loading. */
TEST(a_fork_within_a_load_of_its_own_is_no_matter)
{
	int state;

	EXPECT_EQ(loader_enter(&state), 0);
	IN_CHILD(EXPECT_EQ(loader_check(), 0));
	loader_leave(state);
	IN_CHILD(EXPECT_EQ(loader_check(), 0));
}
