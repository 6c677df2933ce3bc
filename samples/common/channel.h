/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A channel between the two sides of a sample, for samples about something else: it sends
 * and receives one message at a time, and gives up when the other side has gone.
 * comch_ping shows what is behind it.
 */
#ifndef SAMPLES_CHANNEL_H
#define SAMPLES_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "side.h"

#define CHANNEL_MAX 4080 /* bytes of a message */

struct channel {
	struct doca_dev *dev;
	struct doca_pe *pe; /* other contexts may join it */
	struct doca_comch_connection
		*connection; /* NULL: the other side has gone */
	uint32_t consumer; /* id of the other side's; 0: none */

	/* The rest is the channel's own. */
	struct doca_comch_server *server; /* the DPU's side */
	struct doca_comch_client *client; /* the host's side */
	struct doca_ctx *ctx;
	enum doca_ctx_states state;
	unsigned int sending;
	size_t length; /* bytes of the message that has come; 0: none */
	uint8_t message[CHANNEL_MAX];
};

/* Open the device of this side, and wait for the other one. */
void channel_open(struct channel *channel, const char *name, enum side side);

/* Send a message. */
void channel_send(struct channel *channel, const void *message, size_t length);

/* Wait for a message, which must have this length. */
void channel_receive(struct channel *channel, void *message, size_t length);

/* Make progress, as side_progress() does; give up if the other side has gone. */
void channel_progress(struct channel *channel);

/* Close the channel; on the DPU's side, once the host's side has done so. */
void channel_close(struct channel *channel);

#endif
