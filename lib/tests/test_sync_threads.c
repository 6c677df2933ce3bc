// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events of another process in several threads. */
#include <pthread.h>

#include "clock.h"
#include "sync_bed.h"

/* With nothing on the stack, which a sanitizer expects to be returned from. */
static void *get_while_cancelled(void *event)
{
	static uint64_t value;

	pthread_cancel(pthread_self());
	if (doca_sync_event_get(event, &value) == DOCA_ERROR_IO_FAILED)
		pthread_testcancel();
	return event;
}

TEST(threads_that_wait_for_an_exporter_are_cancelled_later)
{
	struct doca_sync_event *event, *imported;
	void *result = NULL;
	const uint8_t *desc;
	pthread_t thread;
	uint64_t value;
	size_t size;

	fake_reset(true);
	event = new_exported(&desc, &size);
	imported = import(desc, size);
	OK(doca_sync_event_start(imported));
	fake_in_process = true;
	fake.enter_fails = true;
	logged();
	clock_stop(1000000000); /* it waits for two seconds */
	EXPECT(!pthread_create(&thread, NULL, get_while_cancelled, imported));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	clock_go_on();
	EXPECT_LOGGED("its exporter does not answer");
	alarm(20);
	ERR(doca_sync_event_get(imported, &value), IO_FAILED);
	alarm(0);
	fake_in_process = false;
	stop_and_destroy(imported);
	stop_and_destroy(event);
}
