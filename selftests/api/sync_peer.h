/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sync events that are exported, and the processes that export and use them. */
#ifndef SELFTESTS_API_SYNC_PEER_H
#define SELFTESTS_API_SYNC_PEER_H

#include <doca_sync_event.h>

#include "bed.h"

#define ROUNDS 120

struct desc {
	size_t len;
	uint8_t bytes[1024];
};

static inline doca_error_t event_create(struct doca_dev *dev, bool remote,
					struct doca_sync_event **event)
{
	doca_error_t rc;

	if ((rc = doca_sync_event_create(event)) ||
	    (rc = doca_sync_event_add_publisher_location_cpu(*event, dev)))
		return rc;
	if (remote)
		rc = doca_sync_event_add_publisher_location_remote_pci(*event);
	return rc ?: doca_sync_event_add_subscriber_location_cpu(*event, dev);
}

static inline doca_error_t event_export(struct doca_sync_event *event, struct doca_dev *dev,
					struct desc *desc)
{
	const uint8_t *bytes;
	doca_error_t rc;

	rc = doca_sync_event_export_to_remote_pci(event, dev, &bytes, &desc->len);
	if (!rc && desc->len <= sizeof(desc->bytes))
		memcpy(desc->bytes, bytes, desc->len);
	return rc;
}

/*
 * A process that makes an event, exports it and then uses it. It stays as long as @stay is
 * open: in process the exporter answers, and it may have seen a new value before its
 * service thread has reported that the value was set.
 */
struct peer {
	pid_t pid;
	int stay;
	struct desc desc;
};

/* Answer each odd value with the next even one. */
static inline int echo(struct doca_sync_event *event)
{
	uint64_t value, old;

	for (value = 0; value < 2 * ROUNDS; value += 2)
		if (doca_sync_event_wait_gt_yield(event, value, UINT64_MAX) ||
		    doca_sync_event_update_add(event, 1, &old) || old != value + 1)
			return 10;
	return 0;
}

static inline int wait_to_be_killed(struct doca_sync_event *event)
{
	(void)event;
	while (true)
		pause();
	return 0;
}

/* Stop when told to, but let the other side begin to wait first, if it does so soon. */
static inline int stop_when_told(struct doca_sync_event *event)
{
	uint64_t value;
	int i;

	if (doca_sync_event_wait_gt_yield(event, 0, UINT64_MAX))
		return 11;
	for (i = 0; i < 1000; i++)
		doca_sync_event_get(event, &value);
	if (doca_sync_event_stop(event))
		return 12;
	return wait_to_be_killed(event);
}

static inline int peer_main(int fd, int stay, int (*act)(struct doca_sync_event *event))
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	struct desc desc = {};
	int rc;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!dev || event_create(dev, true, &event) || doca_sync_event_start(event) ||
	    event_export(event, dev, &desc))
		return 1;
	if (write(fd, &desc, sizeof(desc)) != sizeof(desc))
		return 2;
	rc = act(event);
	return read(stay, &desc, 1) ? 3 : rc;
}

static inline bool peer_start(struct peer *peer, int (*act)(struct doca_sync_event *event))
{
	int fds[2], stay[2];
	bool ok;

	if (pipe(fds) || pipe(stay))
		return false;
	peer->stay = stay[1];
	peer->pid = quiet_fork();
	if (!peer->pid) {
		close(stay[1]);
		_exit(peer_main(fds[1], stay[0], act));
	}
	close(stay[0]);
	close(fds[1]);
	ok = read(fds[0], &peer->desc, sizeof(peer->desc)) == sizeof(peer->desc);
	close(fds[0]);
	return ok;
}

static inline int peer_end(struct peer *peer, bool kill_it)
{
	int status;

	if (kill_it)
		kill(peer->pid, SIGKILL);
	close(peer->stay);
	if (waitpid(peer->pid, &status, 0) != peer->pid)
		return -1;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

#endif /* SELFTESTS_API_SYNC_PEER_H */
