// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <pthread.h>

#include "../fake_xsk.h"
#include "link.h"

__attribute__((constructor)) static void init(void)
{
	wire_reset();
}

void link_set(enum xsk_mode mode, int attach_err, int error)
{
	wire.mode = mode;
	wire.attach_err = attach_err;
	wire.attach_step = XSK_STEP_ATTACH;
	wire.error = error;
}

void link_be_patient(uint64_t ns)
{
	wire.patience = ns;
}

void link_be_slow(unsigned int us)
{
	wire.map_us = us;
}

uint64_t link_lease(void)
{
	uint64_t until = 0;

	pthread_mutex_lock(&wire_lock);
	for (int i = 0; wire.program && i < WIRE_RULES; i++)
		if (wire.program->rules[i].used &&
		    wire.program->rules[i].target.until > until)
			until = wire.program->rules[i].target.until;
	pthread_mutex_unlock(&wire_lock);
	return until;
}

bool link_receive(const void *frame, uint32_t len)
{
	const unsigned int before = wire.passed;

	wire_receive(0, frame, len);
	return wire.passed == before;
}

void link_settle(void)
{
	eventfd_t value;

	for (struct xsk_socket *s = wire.bound[0]; s; s = s->next)
		if (s->rx.producer ==
		    __atomic_load_n(&s->rx.consumer, __ATOMIC_ACQUIRE))
			eventfd_read(s->fd, &value);
}

unsigned int link_rules(void)
{
	unsigned int n = 0;

	for (int i = 0; wire.program && i < WIRE_RULES; i++)
		n += wire.program->rules[i].used;
	return n;
}

unsigned int link_sockets(void)
{
	return wire.sockets;
}

unsigned int link_dropped(void)
{
	return wire.dropped;
}

bool link_is_clean(void)
{
	return !wire.sockets && !wire.umems && !wire.programs;
}

void link_complete(uint8_t *frame, uint32_t len)
{
	struct frame_view view;

	frame_parse(frame, len, &view);
	frame_set_l3_sum(frame, &view);
	frame_set_l4_sum(frame, &view);
}
