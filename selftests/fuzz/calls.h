/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The steps' functions, called with their arguments; each file has one subject. */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include <stdint.h>

/* Do nothing: it pads inputs. */
static inline void do_none(const uint8_t *a)
{
	(void)a;
}

/* memory.c: registrations, keys, exports */
void do_query(const uint8_t *a);
void do_device_query(const uint8_t *a);
void do_reg(const uint8_t *a);
void do_reg_dmabuf(const uint8_t *a);
void do_dereg(const uint8_t *a);
void do_map(const uint8_t *a);
void do_unmap(const uint8_t *a);
void do_export(const uint8_t *a);
void do_revoke(const uint8_t *a);
void do_import(const uint8_t *a);
void do_blob_change(const uint8_t *a);

/* arena.c: the address space under them */
void do_arena_map(const uint8_t *a);
void do_arena_unmap(const uint8_t *a);
void do_arena_protect(const uint8_t *a);
void do_arena_advise(const uint8_t *a);
void do_arena_move(const uint8_t *a);
void do_arena_write(const uint8_t *a);
void do_dmabuf(const uint8_t *a);

/* queue.c: workers, queues and their mappings */
void do_worker_create(const uint8_t *a);
void do_worker_destroy(const uint8_t *a);
void do_queue_create(const uint8_t *a);
void do_queue_map(const uint8_t *a);
void do_queue_remap(const uint8_t *a);
void do_queue_unmap(const uint8_t *a);
void do_queue_protect(const uint8_t *a);
void do_queue_close(const uint8_t *a);
void do_enter(const uint8_t *a);
void do_stop(const uint8_t *a);
void do_poll(const uint8_t *a);

/* ring.c: the content of the mappings */
void do_entry(const uint8_t *a);
void do_segment(const uint8_t *a);
void do_phase(const uint8_t *a);
void do_index(const uint8_t *a);
void do_reap(const uint8_t *a);
void do_scribble(const uint8_t *a);

/* endpoint.c: inboxes and connections */
void do_inbox_create(const uint8_t *a);
void do_listen(const uint8_t *a);
void do_connect(const uint8_t *a);
void do_disconnect(const uint8_t *a);
void do_attach(const uint8_t *a);
void do_announce(const uint8_t *a);
void do_message(const uint8_t *a);
void do_receive_events(const uint8_t *a);

/* file.c: file descriptors, identities, the environment */
void do_open(const uint8_t *a);
void do_close(const uint8_t *a);
void do_dup(const uint8_t *a);
void do_send(const uint8_t *a);
void do_receive(const uint8_t *a);
void do_raw(const uint8_t *a);
void do_fdinfo(const uint8_t *a);
void do_list(const uint8_t *a);
void do_become(const uint8_t *a);
void do_limit(const uint8_t *a);
void do_fail(const uint8_t *a);
void do_pause(const uint8_t *a);
void do_unplug(const uint8_t *a);
void do_plug(const uint8_t *a);

#endif /* FUZZ_CALLS_H */
