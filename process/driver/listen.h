/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The exporter's end, to which importers connect. */
#ifndef INPROC_LISTEN_H
#define INPROC_LISTEN_H

/* Listen, if it does not yet. The service thread must run. */
int listen_start(void);
/* Return the time in ms until pending connections are accepted; -1: there is no pause. */
int listen_patience(void);
void listen_end(void);

#endif /* INPROC_LISTEN_H */
