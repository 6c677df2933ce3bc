// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tracers that are registered with ftrace: a list, each with the functions that it traces. */
#include "hook.h"

enum {
	MOST = 1 << 16,
	MOST_BITS = 20,
	MOST_WALKED = 1 << 22,
	MOST_SAID = 1 << 16
};

bool mutex_may_be_held(struct view *v, u64 mutex)
{
	u64 owner;

	return v->source->drawn_out || !mutex || !has(v, F_MUTEX_OWNER) ||
	       !view_read_field(v, mutex, F_MUTEX_OWNER, &owner,
				sizeof(owner)) ||
	       owner;
}

static void find_tracers(struct hooks *h)
{
	static const struct need need = {
		F_FTRACE_FUNC, F_FENTRY_IP, { S_ftrace_ops_list }, 1
	};
	struct call *c = h->c;
	struct view *v = &c->view;
	u64 end = kernel_symbol(v->kernel, S_ftrace_list_end), at = 0;
	u64 misses = v->misses, code;
	char lack[128];

	if (map_lacks_of(&v->kernel->map, &need, lack)) {
		finding_unknown(c, "ftrace",
				snapshot_format(c->snap, "the map has no %s",
						lack));
		return;
	}
	view_read(v, NULL, kernel_symbol(v->kernel, S_ftrace_ops_list), &at,
		  sizeof(at));
	while (at && at != end && view_on_time(v)) {
		if (h->tracers.nr == MOST ||
		    !nodes_add(v, &h->tracers, at, 0)) {
			view_broken(v, misses, "the list of tracers", at);
			return;
		}
		view_read_field(v, at, F_FTRACE_TRAMPOLINE, &code,
				sizeof(code));
		at = view_field(v, at, F_FTRACE_NEXT);
	}
	if (end && at != end && !v->error)
		view_broken(v, misses, "the end of the list of tracers", at);
	h->tracers_whole = v->misses == misses && at == end && !v->error;
	/* one that goes leaves the list before functions stop to call it, all under this lock */
	h->changing =
		mutex_may_be_held(v, kernel_symbol(v->kernel, S_ftrace_lock));
}

static u64 foreign(struct hooks *h, u64 code)
{
	return code && !is_kernel_code(&h->owners, code) ? code : 0;
}

/* Read code that a structure has; 0 if it is the kernel's, or if there is no such field. */
static u64 foreign_at(struct hooks *h, u64 va, enum field f)
{
	struct view *v = &h->c->view;

	return has(v, f) ? foreign(h, view_field(v, va, f)) : 0;
}

/* An fprobe has its handlers in the structure around its own tracer. */
static void find_fprobe(struct hooks *h, struct called *by)
{
	struct view *v = &h->c->view;
	u64 fprobe = by->ops - offset_of_field(v, F_FPROBE_OPS);

	if (!has(v, F_FPROBE_OPS) || !has(v, F_FPROBE_ENTRY) ||
	    !has(v, F_FPROBE_EXIT)) {
		by->unknown = "ftrace calls fprobes, whose handlers the map "
			      "does not tell";
		return;
	}
	by->code = foreign_at(h, fprobe, F_FPROBE_ENTRY);
	if (!by->code)
		by->code = foreign_at(h, fprobe, F_FPROBE_EXIT);
}

/* Functions of the kernel's own that call others. */
static void find_others(struct hooks *h, u64 func, struct called *by)
{
	struct view *v = &h->c->view;
	const struct kernel *k = v->kernel;

	if (func == kernel_symbol(k, S_fprobe_handler) ||
	    func == kernel_symbol(k, S_fprobe_kprobe_handler))
		find_fprobe(h, by);
	else if (func == kernel_symbol(k, S_fprobe_ftrace_entry))
		by->unknown = "ftrace calls fprobes, whose handlers are not "
			      "followed in this kernel";
	else if (func == kernel_symbol(k, S_klp_ftrace_handler))
		by->unknown = "a livepatch has taken its place, and is not "
			      "followed";
	else if (func == kernel_symbol(k, S_call_direct_funcs) &&
		 (!has(v, F_FTRACE_DIRECT) ||
		  !view_field(v, by->ops, F_FTRACE_DIRECT)))
		by->unknown = "ftrace calls code directly, which is not "
			      "followed in this kernel";
}

static struct called called_by(struct hooks *h, u64 ops)
{
	/* one for some PIDs alone has its own function aside */
	static const enum field fields[] = { F_FTRACE_FUNC, F_FTRACE_SAVED,
					     F_FTRACE_DIRECT };
	struct view *v = &h->c->view;
	u64 misses = v->misses, func = view_field(v, ops, F_FTRACE_FUNC);
	struct called by = { .ops = ops };

	for (size_t i = 0; i < ARRAY_SIZE(fields) && !by.code; i++)
		by.code = foreign_at(h, ops, fields[i]);
	if (func && !by.code)
		find_others(h, func, &by);
	return v->misses == misses ? by : (struct called){ .ops = ops };
}

/* Several may have the same one: that counts which calls others than the kernel. */
static void add_trampoline(struct hooks *h, u64 ops)
{
	struct view *v = &h->c->view;
	u64 va = view_field(v, ops, F_FTRACE_TRAMPOLINE);
	int64_t at;

	if (!va || nodes_add(v, &h->trampolines, va, ops) || v->error)
		return;
	at = nodes_find(&h->trampolines, va);
	if (!called_by(h, h->trampolines.keys[at]).code)
		h->trampolines.keys[at] = ops;
}

void hooks_find_tracers(struct hooks *h)
{
	h->trampolines.keyed = true;
	find_tracers(h);
	for (u32 i = 0; i < h->tracers.nr && !h->c->view.error; i++)
		add_trampoline(h, h->tracers.list[i]);
}

bool hooks_is_trampoline(struct hooks *h, u64 va, struct called *by)
{
	int64_t at = nodes_find(&h->trampolines, va);

	*by = (struct called){ 0 };
	if (at < 0 || !is_unowned(h->c, &h->owners, va))
		return false;
	*by = called_by(h, h->trampolines.keys[at]);
	return true;
}

static void say(struct hooks *h, const char *where, const struct called *by)
{
	struct view *v = &h->c->view;
	struct place_of proof = { by->ops + offset_of_field(v, F_FTRACE_FUNC),
				  8 };

	if (by->code)
		hooks_foreign(h, proof, where, "ftrace calls", by->code);
	else
		finding_unknown(h->c, snapshot_string(h->c->snap, where),
				by->unknown);
}

/* A guest can give many tracers the same functions, to have the time end, or the memory. */
static bool is_enough(struct hooks *h, const struct called *by)
{
	if (h->walked <= MOST_WALKED && h->nr_said < MOST_SAID)
		return false;
	say(h, "more functions than are looked at", by);
	return true;
}

static void say_function(struct hooks *h, const char *name, u64 ip,
			 const struct called *by)
{
	if (by->code)
		nodes_add(&h->c->view, &h->said, ip, 0);
	say(h, name, by);
	h->nr_said++;
}

static void check_functions(struct hooks *h, const struct called *by, u64 hash,
			    u64 count)
{
	struct view *v = &h->c->view;
	u64 bits = view_field(v, hash, F_FHASH_BITS);
	struct hlists lists = {
		.heads = view_field(v, hash, F_FHASH_BUCKETS),
		.nr = bits <= MOST_BITS ? 1U << bits : 0,
		.stride = 8,
		.offset = offset_of_field(v, F_FENTRY_NODE),
	};
	u64 misses = v->misses;
	struct nodes n = { 0 };

	if (is_enough(h, by))
		return;
	if (!lists.nr || !lists.heads)
		view_broken(v, v->misses, "what a tracer traces", hash);
	else
		walk_hlists(v, &lists, MOST, &n);
	h->walked += lists.nr + n.nr;
	for (u32 i = 0; i < n.nr && !v->error; i++) {
		u64 ip = view_field(v, n.list[i], F_FENTRY_IP);
		const char *name = hooks_name_at(h, ip);

		if (name && is_enough(h, by))
			break;
		if (name)
			say_function(h, name, ip, by);
	}
	/* functions call it although they are no longer in the hash, or they are too many */
	if (n.nr != count && v->misses == misses && !v->error)
		finding_unknown(
			h->c, "ftrace",
			snapshot_format(h->c->snap,
					"a tracer has %lu functions, of which "
					"%u could be read",
					count, n.nr));
	nodes_free(&n);
}

/* One that names no function traces all of them. */
void hooks_check_tracer(struct hooks *h, const struct called *by)
{
	struct view *v = &h->c->view;
	u64 misses = v->misses, hash, count;

	if (!by->code && !by->unknown)
		return;
	hash = view_field(v, view_field(v, by->ops, F_FTRACE_HASHES),
			  F_FTRACE_FILTER);
	count = hash ? view_field(v, hash, F_FHASH_COUNT) : 0;
	if (v->misses != misses)
		return;
	if (count) {
		check_functions(h, by, hash, count);
		return;
	}
	if (by->code)
		nodes_add(v, &h->said, by->ops, 0);
	say(h, "all functions", by);
}

void hooks_check_tracers(struct hooks *h)
{
	struct view *v = &h->c->view;

	for (u32 i = 0; i < h->tracers.nr && !v->error; i++) {
		struct called by = called_by(h, h->tracers.list[i]);

		hooks_check_tracer(h, &by);
	}
}
