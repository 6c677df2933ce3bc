// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The service thread of all that processes have to do with each other. */
#include "shim/kernel.h"

#include "channel.h"
#include "conns.h"
#include "link.h"
#include "listen.h"
#include "peers.h"
#include "remote_op.h"
#include "servers.h"
#include "service.h"

static struct {
	pthread_mutex_t lock;
	bool running;
	bool stop;
	pthread_t thread;
} service = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* Free closed connections after the events, which may name them. */
static void *serve(void *arg)
{
	bool busy = false;
	int patience;

	while (!READ_ONCE(service.stop)) {
		patience = max(max(conns_patience(), listen_patience()),
			       max(channels_patience(), servers_patience()));
		peers_wait(busy ? 0 : patience);
		link_run();
		remote_run();
		channels_run();
		servers_reap();
		busy = conns_run();
		conns_reap();
		link_reap_closed();
	}
	return NULL;
}

static int start(void)
{
	int rc;

	rc = peers_open();
	if (rc)
		return rc;
	rc = -inproc_make_thread(&service.thread, serve, NULL);
	if (rc) {
		peers_shut();
		return rc;
	}
	pthread_setname_np(service.thread, "doca-peers");
	service.running = true;
	return 0;
}

int service_start(void)
{
	int rc = 0;

	pthread_mutex_lock(&service.lock);
	if (!service.running)
		rc = start();
	pthread_mutex_unlock(&service.lock);
	return rc;
}

void service_end(void)
{
	if (!service.running)
		return;
	WRITE_ONCE(service.stop, true);
	peers_poke();
	pthread_join(service.thread, NULL);
	remote_end();
	listen_end();
	channels_end();
	servers_reap();
	link_end();
	peers_shut();
	service.running = false;
	WRITE_ONCE(service.stop, false);
}
