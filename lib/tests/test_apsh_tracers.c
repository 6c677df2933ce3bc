// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: tracers of system calls. */
#include "apsh_hooks.h"

/* Make the first tracer of the list, for all functions. */
static u64 new_tracer(u64 func)
{
	u64 ops = object(512, 64), hashes = object(64, 64);
	u64 *head = at_va(symbol(S_ftrace_ops_list));

	set(ops, F_FTRACE_FUNC, func);
	set(ops, F_FTRACE_HASHES, hashes);
	set(ops, F_FTRACE_NEXT, *head);
	*head = ops;
	return ops;
}

static u64 hash_of(u64 ops, u64 bits)
{
	u64 hash = object(64, 64), hashes;

	hashes = *(u64 *)at_va(field_va(ops, F_FTRACE_HASHES));
	set(hashes, F_FTRACE_FILTER, hash);
	set(hash, F_FHASH_BITS, bits);
	set(hash, F_FHASH_BUCKETS, object(8 << 3, 64));
	return hash;
}

/* Add a function to those of a tracer. */
static void traces(u64 hash, u32 bucket, u64 ip)
{
	u64 entry = object(64, 64), buckets;
	u64 *node = at_va(field_va(entry, F_FENTRY_NODE)), *head;

	buckets = *(u64 *)at_va(field_va(hash, F_FHASH_BUCKETS));
	head = at_va(buckets + 8 * bucket);
	set(entry, F_FENTRY_IP, ip);
	node[0] = *head;
	node[1] = buckets + 8 * bucket;
	if (*head)
		((u64 *)at_va(*head))[1] = field_va(entry, F_FENTRY_NODE);
	*head = field_va(entry, F_FENTRY_NODE);
	set(hash, F_FHASH_COUNT, *(u64 *)at_va(field_va(hash, F_FHASH_COUNT)) + 1);
}

TEST(a_tracer_of_a_call)
{
	u64 hash;

	set_up();
	new_tracer(code_va());
	hash = hash_of(new_tracer(EVIL_VA + 8), 3);
	traces(hash, 2, code_va());
	is_clean(HOOKS);
	traces(hash, 2, place_of_entry(1));
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
	tear_down_image();
}

TEST(a_tracer_of_all_functions)
{
	u64 ops;

	set_up();
	ops = new_tracer(EVIL_VA + 8);
	is_suspicious(HOOKS, "all functions", EVIL_VA + 8, "ftrace calls module evil");
	hash_of(ops, 3);
	is_suspicious(HOOKS, "all functions", EVIL_VA + 8, "ftrace calls module evil");
	tear_down_image();
}

/* Code that is made for a tracer is in no module. */
TEST(a_trampoline)
{
	u64 ops, trampoline = EVIL_VA + 0x10000;

	set_up();
	ops = new_tracer(code_va());
	set(ops, F_FTRACE_TRAMPOLINE, trampoline);
	emit_va = place_of_entry(1);
	emit_jump(0xe8, trampoline);
	is_clean(HOOKS);
	/* nobody is accused where the list has no end */
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = 0;
	cannot_tell(HOOKS, "", "1 functions do not begin");
	/* the tracer has left the list */
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = symbol(S_ftrace_list_end);
	is_suspicious(HOOKS, CALL, trampoline, "it begins with a call of memory of no module");
	/* as it does when it goes */
	set(symbol(S_ftrace_lock), F_MUTEX_OWNER, code_va());
	cannot_tell(HOOKS, "", "1 functions do not begin");
	tear_down_image();
}

/* The memory of a module is no trampoline, whatever a tracer says; nor is the kernel's. */
TEST(a_trampoline_that_ftrace_has_not_made)
{
	u64 ops;

	set_up();
	ops = new_tracer(code_va());
	set(ops, F_FTRACE_TRAMPOLINE, EVIL_VA + 8);
	emit_va = place_of_entry(1);
	emit_jump(0xe8, EVIL_VA + 8);
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "it begins with a call of module evil");
	set(ops, F_FTRACE_TRAMPOLINE, symbol(S_idt_table));
	emit_va = place_of_entry(1);
	emit_jump(0xe8, symbol(S_idt_table));
	is_suspicious(HOOKS, CALL, symbol(S_idt_table), "a call of the kernel's data");
	tear_down_image();
}

/* Functions call it since it was registered, whatever its hash says now. */
static void empties_its_hash(bool is_first)
{
	u64 ops, hash, trampoline = EVIL_VA + 0x10000;

	set_up();
	/* one that calls the kernel has the same trampoline */
	if (is_first)
		set(new_tracer(code_va()), F_FTRACE_TRAMPOLINE, trampoline);
	ops = new_tracer(EVIL_VA + 8);
	hash = hash_of(ops, 3);
	set(ops, F_FTRACE_TRAMPOLINE, trampoline);
	if (!is_first)
		set(new_tracer(code_va()), F_FTRACE_TRAMPOLINE, trampoline);
	traces(hash, 2, code_va());
	emit_va = place_of_entry(1);
	emit_jump(0xe8, trampoline);
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
	/* findings of the hash are told once */
	traces(hash, 3, place_of_entry(1));
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
	set(hash, F_FHASH_COUNT, 0);
	is_suspicious(HOOKS, "all functions", EVIL_VA + 8, "ftrace calls module evil");
	tear_down_image();
}

TEST(a_tracer_that_empties_its_hash)
{
	empties_its_hash(true);
	empties_its_hash(false);
}

TEST(a_tracer_whose_hash_has_less_than_it_says)
{
	u64 hash;

	set_up();
	hash = hash_of(new_tracer(EVIL_VA + 8), 3);
	traces(hash, 2, code_va());
	traces(hash, 3, place_of_entry(1));
	set(hash, F_FHASH_BITS, 0);
	cannot_tell(HOOKS, "ftrace", "2 functions, of which 0 could be read");
	tear_down_image();
}

/* Functions of the kernel call what the tracer has elsewhere. */
TEST(a_tracer_that_calls_on)
{
	static const enum field fields[] = { F_FTRACE_SAVED, F_FTRACE_DIRECT };
	u64 ops;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		set_up();
		ops = new_tracer(i ? symbol(S_call_direct_funcs) : code_va());
		set(ops, fields[i], code_va());
		traces(hash_of(ops, 3), 2, place_of_entry(1));
		is_clean(HOOKS);
		set(ops, fields[i], EVIL_VA + 8);
		is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
		tear_down_image();
	}
}

/* It is not known whom they call. */
TEST(tracers_that_are_not_followed)
{
	static const struct {
		enum symbol func;
		const char *what;
	} all[] = { { S_call_direct_funcs, "ftrace calls code directly" },
		    { S_klp_ftrace_handler, "a livepatch" },
		    { S_fprobe_ftrace_entry, "ftrace calls fprobes" } };
	u64 hash;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		set_up();
		hash = hash_of(new_tracer(symbol(all[i].func)), 3);
		traces(hash, 2, code_va());
		is_clean(HOOKS);
		traces(hash, 3, place_of_entry(1));
		cannot_tell(HOOKS, CALL, all[i].what);
		tear_down_image();
	}
}

/* Each place of the array has one; those that are not used lead to a stub. */
static u64 new_graph(u64 graph, u32 place)
{
	u64 hashes = object(64, 64);

	set(graph, F_GRAPH_ENTRY, code_va());
	set(graph, F_GRAPH_RETURN, code_va());
	set(field_va(graph, F_GRAPH_OPS), F_FTRACE_HASHES, hashes);
	((u64 *)at_va(symbol(S_fgraph_array)))[place] = graph;
	return field_va(graph, F_GRAPH_OPS);
}

TEST(a_tracer_of_the_return)
{
	static const enum field fields[] = { F_GRAPH_ENTRY, F_GRAPH_RETURN, F_GRAPH_SAVED };
	u64 graph;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		set_up();
		new_graph(object(256, 64), 0);
		graph = object(256, 64);
		traces(hash_of(new_graph(graph, 15), 3), 2, place_of_entry(1));
		is_clean(HOOKS);
		set(graph, fields[i], EVIL_VA + 8);
		is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
		tear_down_image();
	}
}

TEST(fprobes_that_trace_the_return)
{
	struct doca_apsh_system *s;

	set_up();
	traces(hash_of(new_graph(symbol(S_fprobe_graph_ops), 1), 3), 2, place_of_entry(1));
	cannot_tell(HOOKS, CALL, "ftrace calls fprobes");
	s = started_system();
	s->kernel.map.fields[F_GRAPH_OPS].there = false;
	cannot_tell_of(s, HOOKS, "fgraph_array", "the map has no struct fgraph_ops, ops");
	/* kernels before 6.11 have none */
	s->kernel.map.symbols[S_fgraph_array] = 0;
	is_clean_of(s, HOOKS);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* A kernel with PREEMPT_RT has the owner of a lock elsewhere. */
TEST(a_tracer_that_goes_from_a_kernel_of_real_time)
{
	map_is_rt = true;
	set_up();
	map_is_rt = false;
	set(symbol(S_ftrace_lock), F_MUTEX_OWNER, code_va());
	emit_va = place_of_entry(1);
	emit_jump(0xe8, EVIL_VA + 0x10000);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	tear_down_image();
}

static void traced_by_fprobe(enum symbol handler)
{
	u64 fprobe, ops, hash;

	set_up();
	fprobe = object(512, 64);
	ops = new_tracer(symbol(handler));
	/* it is within a structure, which has what it calls */
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = field_va(fprobe, F_FPROBE_OPS);
	memcpy(at_va(field_va(fprobe, F_FPROBE_OPS)), at_va(ops),
	       image.map.fields[F_FPROBE_OPS].size);
	ops = field_va(fprobe, F_FPROBE_OPS);
	hash = hash_of(ops, 3);
	traces(hash, 0, place_of_entry(1));
	is_clean(HOOKS);
	set(fprobe, F_FPROBE_EXIT, EVIL_VA + 8);
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "ftrace calls module evil");
	set(fprobe, F_FPROBE_ENTRY, EVIL_VA + 16);
	is_suspicious(HOOKS, CALL, EVIL_VA + 16, "ftrace calls module evil");
	tear_down_image();
}

TEST(a_tracer_by_fprobe)
{
	traced_by_fprobe(S_fprobe_handler);
	traced_by_fprobe(S_fprobe_kprobe_handler);
}

TEST(fprobes_without_their_fields)
{
	struct doca_apsh_system *s;

	set_up();
	traces(hash_of(new_tracer(symbol(S_fprobe_handler)), 3), 2, place_of_entry(1));
	s = started_system();
	s->kernel.map.fields[F_FPROBE_OPS].there = false;
	cannot_tell_of(s, HOOKS, CALL, "fprobes, whose handlers the map does not tell");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static void expect_broken(void)
{
	struct doca_apsh_system *s = started_system();
	struct view_stats stats;

	OK(HOOKS(s, &findings, &nr_findings));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.broken);
	doca_priv_apsh_findings_free(findings);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static u64 new_tracers(u32 nr)
{
	u64 last = 0;

	while (nr--)
		last = new_tracer(EVIL_VA + 8);
	return last;
}

/* All of the new tracers have the functions of the last one. */
static void share(u64 last, u64 hash)
{
	for (u64 ops = last; ops; ops = *(u64 *)at_va(field_va(ops, F_FTRACE_NEXT)))
		if (*(u64 *)at_va(field_va(ops, F_FTRACE_FUNC)) == EVIL_VA + 8)
			set(*(u64 *)at_va(field_va(ops, F_FTRACE_HASHES)), F_FTRACE_FILTER, hash);
}

/* As many as would take all of the time: those behind are accused, too. */
TEST(tracers_that_trace_the_same_functions)
{
	enum { BITS = 15, TRACERS = (1 << 22 >> BITS) + 1 };
	u64 hash, last;

	set_up();
	last = new_tracers(TRACERS);
	hash = hash_of(last, BITS);
	set(hash, F_FHASH_BUCKETS, object(8 << BITS, 64));
	traces(hash, 2, code_va());
	share(last, hash);
	is_suspicious(HOOKS, "more functions than are looked at", EVIL_VA + 8,
		      "ftrace calls module evil");
	tear_down_image();
}

/* As many as would take all of the memory, each of which is said. */
TEST(tracers_that_trace_a_function_again_and_again)
{
	enum { TIMES = 1 << 12, SAID = 1 << 16, TRACERS = SAID / TIMES + 3 };
	struct doca_apsh_system *s;
	u64 hash, last;

	set_up();
	last = new_tracers(TRACERS);
	hash = hash_of(last, 3);
	for (u32 i = 0; i < TIMES; i++)
		traces(hash, i % 8, place_of_entry(1));
	share(last, hash);
	s = started_system();
	if (find_all(s, HOOKS, SAID + 3)) {
		EXPECT_STR(findings[SAID - 1]->where, CALL);
		for (u32 i = 0; i < 3; i++)
			EXPECT_STR(findings[SAID + i]->where, "more functions than are looked at");
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(tracers_and_probes_that_are_broken)
{
	u64 ops, probe;

	set_up();
	ops = new_tracer(code_va());
	set(ops, F_FTRACE_NEXT, ops);
	expect_broken();
	/* the list does not come to its end */
	set_up();
	set(new_tracer(code_va()), F_FTRACE_NEXT, 0);
	expect_broken();
	set_up();
	set(hash_of(new_tracer(EVIL_VA), 63), F_FHASH_COUNT, 1);
	expect_broken();
	set_up();
	probe = new_probe(entry_va(1));
	((u64 *)at_va(field_va(probe, F_KPROBE_NODE)))[1] = probe;
	expect_broken();
	set_up();
	probe = new_probe(entry_va(1));
	((u64 *)at_va(field_va(probe, F_KPROBE_LIST)))[0] = probe;
	expect_broken();
	set_up();
	probe = new_probe(entry_va(1));
	((u64 *)at_va(field_va(probe, F_KPROBE_LIST)))[0] = 0;
	expect_broken();
}

TEST(hooks_of_a_kernel_without_them)
{
	struct doca_apsh_system *s;

	set_up();
	s = started_system();
	s->kernel.map.fields[F_FHASH_COUNT].there = false;
	cannot_tell_of(s, HOOKS, "ftrace", "the map has no struct ftrace_hash, count");
	s->kernel.map.fields[F_FHASH_COUNT].there = true;
	s->kernel.map.symbols[S_kprobe_table] = 0;
	cannot_tell_of(s, HOOKS, "kprobes", "the map has no symbol kprobe_table");
	s->kernel.map.nr_entries = 0;
	cannot_tell_of(s, HOOKS, "", "no functions of system calls");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(hooks_without_memory)
{
	struct doca_apsh_system *s;

	set_up();
	traces(hash_of(new_tracer(EVIL_VA + 8), 3), 1, entry_va(1));
	set(new_probe(entry_va(2)), F_KPROBE_PRE, EVIL_VA + 8);
	s = started_system();
	EXPECT_FAULTS(FAULT_ALLOC, HOOKS(s, &findings, &nr_findings), NO_MEMORY,
		      doca_priv_apsh_findings_free(findings));
	doca_apsh_system_destroy(s);
	tear_down_image();
}
