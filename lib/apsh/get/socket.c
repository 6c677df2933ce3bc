// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "socket.h"
#include "task.h"

enum { MAX_BUCKETS = 1 << 24 };

/* The fields that describe the table were read since @misses. */
static void walk_table(struct call *c, u64 misses, u64 heads, u64 nr,
		       u32 stride, u32 first, struct sockets *s)
{
	struct view *v = &c->view;
	struct hlists h = {
		.heads = heads + first,
		.nr = (u32)nr,
		.stride = stride,
		.offset = offset_of_field(v, F_SKC_NODE),
	};

	if (!heads || nr > MAX_BUCKETS || nr & (nr - 1))
		view_broken(v, misses, "a table of sockets", heads);
	else
		walk_hlists(v, &h, MAX_NET_OBJECTS, &s->nodes);
}

/* Before 5.19 a second table has the listeners, in buckets that are part of it. */
static void walk_tcp(struct call *c, u64 misses, u64 info, struct sockets *s)
{
	struct view *v = &c->view;

	walk_table(c, misses, view_field(v, info, F_HASH_SOCKS),
		   view_field(v, info, F_HASH_MASK) + 1, 8, 0, s);
	if (has(v, F_HASH_LISTENING))
		walk_table(c, misses,
			   info ? info + offset_of_field(v, F_HASH_LISTENING) :
				  0,
			   size_of_field(v, F_HASH_LISTENING) /
				   size_of_field(v, F_LISTEN_SIZE),
			   size_of_field(v, F_LISTEN_SIZE),
			   offset_of_field(v, F_LISTEN_HEAD), s);
	else
		walk_table(c, misses, view_field(v, info, F_HASH_LISTENERS),
			   view_field(v, info, F_HASH_LISTEN_MASK) + 1,
			   size_of_field(v, F_LISTEN_SIZE),
			   offset_of_field(v, F_LISTEN_HEAD), s);
}

static void walk_udp(struct call *c, u64 misses, u64 table, struct sockets *s)
{
	struct view *v = &c->view;

	walk_table(c, misses, view_field(v, table, F_UDP_SLOTS),
		   view_field(v, table, F_UDP_MASK) + 1,
		   size_of_field(v, F_SLOT_SIZE),
		   offset_of_field(v, F_SLOT_HEAD), s);
}

static void walk_raw(struct call *c, enum symbol symbol, struct sockets *s)
{
	struct view *v = &c->view;
	u64 at = kernel_symbol(v->kernel, symbol);

	if (at)
		walk_table(c, v->misses, at + offset_of_field(v, F_RAW_TABLE),
			   size_of_field(v, F_RAW_TABLE) / 8, 8, 0, s);
}

/* From 5.18 to 6.0 it is a structure of its own. */
static u64 death_row_of(struct view *v, u64 ns)
{
	return size_of_field(v, F_NET_DEATH_ROW) == 8 ?
		       view_field(v, ns, F_NET_DEATH_ROW) :
		       ns + offset_of_field(v, F_NET_DEATH_ROW);
}

/* Namespaces may share tables, or have their own. */
static bool hashed(struct call *c, const struct nodes *namespaces,
		   struct sockets *s)
{
	struct view *v = &c->view;
	u64 global = kernel_symbol(v->kernel, S_udp_table);
	struct nodes tables = { 0 };

	for (u32 i = 0; i < namespaces->nr && !v->error; i++) {
		u64 ns = namespaces->list[i], misses = v->misses;
		u64 tcp = view_field(v, death_row_of(v, ns), F_DEATH_ROW_HASH);
		u64 udp = has(v, F_NET_UDP) ? view_field(v, ns, F_NET_UDP) :
					      global;

		if (nodes_add(v, &tables, tcp, 0))
			walk_tcp(c, misses, tcp, s);
		if (nodes_add(v, &tables, udp, 0))
			walk_udp(c, misses, udp, s);
	}
	nodes_free(&tables);
	walk_raw(c, S_raw_v4_hashinfo, s);
	walk_raw(c, S_raw_v6_hashinfo, s);
	s->nr_hashed = s->nodes.nr;
	return !v->error;
}

static bool make_room(struct call *c, struct sockets *s)
{
	u32 max = s->max ? s->max : 64;
	struct owner *owners;

	if (s->nodes.nr < s->max)
		return true;
	while (max < s->nodes.nr + 1)
		max *= 2;
	owners = reallocarray(s->owners, max, sizeof(*owners));
	if (!owners) {
		c->view.error = VIEW_NO_MEMORY;
		return false;
	}
	for (u32 i = s->max; i < max; i++)
		owners[i] = (struct owner){ .fd = UINT32_MAX };
	s->owners = owners;
	s->max = max;
	return true;
}

static u64 sock_of_file(struct view *v, u64 file)
{
	u64 socket;

	if (!file || view_field(v, file, F_FILE_OPS) !=
			     kernel_symbol(v->kernel, S_socket_file_ops))
		return 0;
	socket = view_field(v, file, F_FILE_PRIVATE);
	return socket ? view_field(v, socket, F_SOCKET_SK) : 0;
}

static void add_owned(struct call *c, struct sockets *s, u64 task,
		      const struct owner *by)
{
	struct view *v = &c->view;
	u32 nr;
	u64 *files = files_get(c, task, &nr);

	for (u32 i = 0; i < nr && !v->error; i++) {
		u64 sk = sock_of_file(v, files[i]);
		int64_t at;

		if (!sk)
			continue;
		if (s->nodes.nr < MAX_NET_OBJECTS)
			nodes_add(v, &s->nodes, sk, 0);
		at = nodes_find(&s->nodes, sk);
		if (at < 0 || v->error || !make_room(c, s))
			continue;
		if (s->owners[at].fd != UINT32_MAX)
			continue;
		s->owners[at] = *by;
		s->owners[at].fd = i;
	}
	free(files);
}

/* Many processes may share one table of files: only the first of them counts. */
static bool owned_by_all(struct call *c, struct sockets *s)
{
	struct view *v = &c->view;
	struct nodes tables = { 0 };
	struct tasks t;

	if (!tasks_get(c, &t))
		return false;
	for (u32 i = 0; i < t.nr && view_on_time(v); i++) {
		struct owner by = { .pid = t.list[i].tgid };
		u64 files = view_field(v, t.list[i].va, F_TASK_FILES);

		if (t.list[i].pid != t.list[i].tgid || !by.pid || !files ||
		    !nodes_add(v, &tables, files, 0))
			continue;
		memcpy(by.comm, t.list[i].comm, sizeof(by.comm));
		add_owned(c, s, t.list[i].va, &by);
	}
	nodes_free(&tables);
	tasks_free(&t);
	return !v->error;
}

static bool owned_by_process(struct call *c, struct sockets *s)
{
	struct owner by = { .pid = c->process->pid };

	snprintf(by.comm, sizeof(by.comm), "%s", c->process->comm);
	add_owned(c, s, c->task, &by);
	return !c->view.error;
}

bool sockets_get(struct call *c, const struct nodes *namespaces,
		 struct sockets *s)
{
	bool ok;

	memset(s, 0, sizeof(*s));
	if (c->process)
		ok = owned_by_process(c, s);
	else
		ok = hashed(c, namespaces, s) && make_room(c, s) &&
		     owned_by_all(c, s);
	if (ok && s->nodes.cut)
		view_broken(&c->view, c->view.misses,
			    "the end of too many sockets", 0);
	if (!ok)
		sockets_free(s);
	return ok;
}

void sockets_free(struct sockets *s)
{
	nodes_free(&s->nodes);
	free(s->owners);
	memset(s, 0, sizeof(*s));
}
