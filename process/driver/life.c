// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The beginning of the driver in a process. A child of a fork has nothing of its parent's.
 *
 * All writable data of these files and of the kernel's lies in one section, which the
 * linker script makes. It is copied before the first call. In a child, other threads of
 * the parent may have been anywhere in the driver; so the section gets its first content
 * back, and the parent's objects stay where they are.
 */
#include "shim/kernel.h"

#include "channel.h"
#include "imports.h"
#include "inproc.h"
#include "peers.h"

/* Bounds of the section; null where files are linked without the script. */
extern unsigned long __start_inproc_data[] __attribute__((weak));
extern unsigned long __stop_inproc_data[] __attribute__((weak));

/* Content of the section when the parent forked. */
struct parents {
	struct parents *before;
	unsigned long words[];
};

/* Kept outside that section. */
static struct {
	pthread_mutex_t lock; /* pthread_once() would call the kernel */
	bool begun;
	pid_t process; /* process in which it has begun */
	unsigned long *pristine;
	struct parents *parents;
} life __attribute__((section("inproc_life"))) = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* Do not use memcpy(): sanitizers keep bytes between variables that must not be accessed. */
static void __attribute__((no_sanitize("address", "thread", "undefined")))
copy_words(unsigned long *to, const unsigned long *from, size_t nr)
{
	while (nr--)
		*(volatile unsigned long *)to++ =
			*(const volatile unsigned long *)from++;
}

static size_t nr_words(void)
{
	return __stop_inproc_data - __start_inproc_data;
}

/* Keep the parent's memory reachable for a leak checker in a child. */
static void keep_parents(void)
{
	struct parents *kept =
		malloc(sizeof(*kept) + nr_words() * sizeof(long));

	if (!kept)
		return;
	kept->before = life.parents;
	copy_words(kept->words, __start_inproc_data, nr_words());
	life.parents = kept;
}

/* Another thread of the parent may have had the lock, even where the first start had just begun. */
static void fork_child(void)
{
	peers_let_fork();
	pthread_mutex_init(&life.lock, NULL);
	if (!life.pristine)
		return;
	peers_child();
	keep_parents();
	copy_words(__start_inproc_data, life.pristine, nr_words());
	life.begun = false;
}

/* Register once, early: a fork that has begun does not see handlers registered meanwhile. */
static void __attribute__((constructor)) watch_forks(void)
{
	BUG_ON(pthread_atfork(peers_hold_forks, peers_let_fork, fork_child));
}

/* A child has no half of the copy. */
static int keep_pristine(void)
{
	unsigned long *words;

	if (life.pristine)
		return 0; /* in a child, or once more: the copy is as before */
	words = malloc(nr_words() * sizeof(long) + 1);
	if (!words)
		return -ENOMEM;
	copy_words(words, __start_inproc_data, nr_words());
	smp_store_release(&life.pristine, words);
	return 0;
}

/* A start that fails leaves nothing, and a later one does it again. */
static int begin(void)
{
	int rc = keep_pristine();

	rc = rc ?: inproc_module_init();
	if (rc)
		return rc;
	life.process = getpid();
	imports_start();
	channels_start();
	smp_store_release(&life.begun, true);
	return 0;
}

int inproc_start(void)
{
	int cancel, rc = 0;

	if (smp_load_acquire(&life.begun))
		return 0;
	cancel = inproc_hold_cancel();
	pthread_mutex_lock(&life.lock);
	if (!life.begun)
		rc = begin();
	pthread_mutex_unlock(&life.lock);
	inproc_let_cancel(cancel);
	return rc;
}

bool inproc_has_begun(void)
{
	/* Not in a child of vfork() or of a clone() without handlers. */
	return smp_load_acquire(&life.begun) && getpid() == life.process;
}
