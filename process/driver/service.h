/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The service thread, doca-peers: made with the first export or import, it sleeps until a
 * descriptor has something for it. In every round it looks for what others have left for it.
 */
#ifndef INPROC_SERVICE_H
#define INPROC_SERVICE_H

/* Unless it runs. */
int service_start(void);
/* With all that it serves. */
void service_end(void);

#endif /* INPROC_SERVICE_H */
