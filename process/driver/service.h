/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The service thread, doca-peers. The first export or import starts it, and so does a server of
 * the communication channel, or a client that looks for one. It sleeps until a
 * descriptor is ready. In each round it also does the work that other threads have left for
 * it.
 */
#ifndef INPROC_SERVICE_H
#define INPROC_SERVICE_H

/* Start it, if it does not run. */
int service_start(void);
/* End it, and all that it serves. */
void service_end(void);

#endif /* INPROC_SERVICE_H */
