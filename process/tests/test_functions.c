// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The end of a function, which an administrator and the removals of both its devices may begin at
 * once: one of them ends it, all of it is freed, and none waits.
 */
#include <pthread.h>

#include "selftests/lib/rounds.h"

#include "function.h"
#include "inner.h"
#include "inproc.h"

static struct doca_device *dpu, *host;
static struct doca_function *function;
static pthread_barrier_t begin;

static void make_devices(void)
{
	dpu = doca_device_add_software("dpu", "");
	host = doca_device_add_software("host", "");
	BUG_ON(IS_ERR(dpu) || IS_ERR(host));
}

/* Return its error, or 0. */
static int make_function(const char **why)
{
	const struct doca_function_attr attr = { .name = "f", .dpu = dpu, .host = host };

	function = doca_function_add(&attr, why);
	return IS_ERR(function) ? PTR_ERR(function) : 0;
}

static void *remove_device(void *arg)
{
	pthread_barrier_wait(&begin);
	doca_device_unregister(arg);
	doca_device_put(arg);
	return NULL;
}

static void *end_function(void *arg)
{
	pthread_barrier_wait(&begin);
	if (doca_function_unlink(function))
		doca_function_end(function);
	return arg;
}

static void *make_too_late(void *arg)
{
	const char *why;

	pthread_barrier_wait(&begin);
	if (make_function(&why))
		function = NULL;
	return arg;
}

static void at_once(void *(*other)(void *arg))
{
	pthread_t threads[3];

	pthread_barrier_init(&begin, NULL, 3);
	BUG_ON(pthread_create(&threads[0], NULL, remove_device, dpu));
	BUG_ON(pthread_create(&threads[1], NULL, remove_device, host));
	BUG_ON(pthread_create(&threads[2], NULL, other, NULL));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&begin);
}

TEST(one_of_three_ends_it)
{
	const char *why;

	inproc_start();
	for (unsigned int i = 0; i < rounds(300); i++) {
		make_devices();
		ASSERT(!make_function(&why));
		at_once(end_function);
		EXPECT(!doca_function_find(function->id, NULL));
		EXPECT_EQ(kref_read(&function->ref), 1);
		doca_function_put(function);
	}
}

/* The function being made holds its devices. */
TEST(one_that_is_made_of_devices_that_go_does_not_stay)
{
	unsigned int made = 0;

	inproc_start();
	for (unsigned int i = 0; i < rounds(300); i++) {
		struct doca_device *held[2];

		make_devices();
		held[0] = dpu;
		held[1] = host;
		doca_device_get(dpu);
		doca_device_get(host);
		at_once(make_too_late);
		EXPECT(!doca_function_named("f", NULL));
		if (function) {
			made++;
			EXPECT_EQ(kref_read(&function->ref), 1);
			doca_function_put(function);
		}
		for (int j = 0; j < 2; j++) {
			EXPECT_EQ(kref_read(&held[j]->ref), 1);
			doca_device_put(held[j]);
		}
	}
	printf("# %u were made in time\n", made);
}

TEST(one_that_has_made_its_devices_takes_them_along)
{
	const struct doca_function_attr attr = {
		.name = "m",
		.dpu_pci = "0000:e3:00.0",
		.host_pci = "0000:e4:00.0",
	};
	const char *why;
	u32 id;

	inproc_start();
	function = doca_function_add(&attr, &why);
	ASSERT(!IS_ERR(function));
	id = function->host.device->id;
	EXPECT(doca_device_is_seen(id, NULL));
	EXPECT(doca_function_unlink(function));
	EXPECT(!doca_function_unlink(function));
	doca_function_end(function);
	EXPECT(!doca_device_is_seen(id, NULL));
	EXPECT(!doca_device_is_at("0000:e3:00.0"));
	doca_function_put(function);
}
