// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A sync event of one process, counted up by several others. */
#include <doca_sync_event.h>

#include "bed.h"

#define ADDERS 4
#define ADDITIONS 25000

struct event {
	size_t len;
	uint8_t bytes[1024];
};

static doca_error_t create(struct doca_dev *dev, struct doca_sync_event **event)
{
	doca_error_t rc;

	if ((rc = doca_sync_event_create(event)) ||
	    (rc = doca_sync_event_add_publisher_location_remote_pci(*event)) ||
	    (rc = doca_sync_event_add_subscriber_location_cpu(*event, dev)))
		return rc;
	return doca_sync_event_start(*event);
}

/* Nobody sees a value twice, and each sees its own grow. */
static int add(const struct event *desc)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t before, last = 0;
	int i;

	if (!dev || doca_sync_event_create_from_export(dev, desc->bytes,
						       desc->len, &event) ||
	    doca_sync_event_start(event))
		return 1;
	for (i = 0; i < ADDITIONS; i++) {
		if (doca_sync_event_update_add(event, 1, &before))
			return 2;
		if (i && before <= last)
			return 3;
		last = before;
	}
	return doca_sync_event_stop(event) || doca_sync_event_destroy(event) ?
		       4 :
		       0;
}

TEST(additions_of_several_processes_sum_up)
{
	struct event *desc = mmap(NULL, sizeof(*desc), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	const uint8_t *bytes;
	pid_t pids[ADDERS];
	uint64_t value;
	int i;

	ASSERT_NE(NULL, dev);
	ASSERT_OK(create(dev, &event));
	ASSERT_OK(doca_sync_event_export_to_remote_pci(event, dev, &bytes,
						       &desc->len));
	memcpy(desc->bytes, bytes, desc->len);
	for (i = 0; i < ADDERS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(add(desc));
		}
	}
	for (i = 0; i < ADDERS; i++)
		EXPECT_EQ(0, bed_wait(pids[i]));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(ADDERS * ADDITIONS, value);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	EXPECT_OK(doca_dev_close(dev));
}

TEST_HARNESS_MAIN
