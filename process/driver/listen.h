/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The exporter's end: where importers connect. */
#ifndef INPROC_LISTEN_H
#define INPROC_LISTEN_H

/* Unless it listens; when the service thread runs. */
int listen_start(void);
/* Until it lets in those who have connected, in ms; -1: it does. */
int listen_patience(void);
void listen_end(void);

#endif /* INPROC_LISTEN_H */
