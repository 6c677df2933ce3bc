// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* doca_zc: shows how programs under onload(1) receive. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "common/json_form.h"
#include "options.h"
#include "process.h"

static void add(struct json_object *to, const char *name, uint64_t value)
{
	json_object_object_add(to, name, json_object_new_uint64(value));
}

/* Replace bytes of another process's text that could control the terminal. */
static struct json_object *text_of(const char *text)
{
	char copy[sizeof(((struct stats_socket *)0)->reason)];
	size_t i;

	for (i = 0; i < sizeof(copy) - 1 && text[i]; i++)
		copy[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	copy[i] = '\0';
	return json_object_new_string(copy);
}

static struct json_object *socket_of(const struct stats_socket *s)
{
	struct json_object *socket = json_object_new_object();

	json_object_object_add(socket, "fd", json_object_new_int(s->fd));
	json_object_object_add(socket, "path", text_of(s->path));
	json_object_object_add(socket, "reason", text_of(s->reason));
	add(socket, "datagrams", s->datagrams);
	add(socket, "bytes", s->bytes);
	add(socket, "past", s->past);
	add(socket, "bad", s->bad);
	add(socket, "partial", s->partial);
	add(socket, "lost", s->lost);
	add(socket, "no_buffer", s->no_buffer);
	add(socket, "not_inline", s->not_inline);
	return socket;
}

static struct json_object *process_of(pid_t pid, const struct stats *stats)
{
	struct json_object *process = json_object_new_object();
	struct json_object *sockets = json_object_new_array();

	json_object_object_add(process, "pid", json_object_new_int(pid));
	add(process, "buffers", stats->buffers);
	add(process, "kept", stats->kept);
	for (size_t i = 0; i < STATS_SOCKETS; i++)
		if (stats->sockets[i].cookie &&
		    process_has_socket(pid, &stats->sockets[i]))
			json_object_array_add(sockets,
					      socket_of(&stats->sockets[i]));
	json_object_object_add(process, "sockets", sockets);
	return process;
}

static bool add_process(pid_t pid, void *arg)
{
	static struct stats stats;

	if (!process_read(pid, &stats))
		json_object_array_add(arg, process_of(pid, &stats));
	return true;
}

static uint64_t number(struct json_object *of, const char *name)
{
	return json_object_get_uint64(json_object_object_get(of, name));
}

static const char *text(struct json_object *of, const char *name)
{
	return json_object_get_string(json_object_object_get(of, name));
}

static void print_process(struct json_object *p)
{
	struct json_object *sockets = json_object_object_get(p, "sockets");

	printf("process %llu\n  buffers: %llu kept of %llu\n",
	       (unsigned long long)number(p, "pid"),
	       (unsigned long long)number(p, "kept"),
	       (unsigned long long)number(p, "buffers"));
	for (size_t i = 0; i < json_object_array_length(sockets); i++) {
		struct json_object *s = json_object_array_get_idx(sockets, i);

		printf("  socket %llu: %llu datagrams, %llu bytes; no buffer %llu times, not inline %llu times\n",
		       (unsigned long long)number(s, "fd"),
		       (unsigned long long)number(s, "datagrams"),
		       (unsigned long long)number(s, "bytes"),
		       (unsigned long long)number(s, "no_buffer"),
		       (unsigned long long)number(s, "not_inline"));
		printf("    path: %s (%s)\n", text(s, "path"),
		       text(s, "reason"));
		printf("    past the kernel: %llu, %llu of them with a partial checksum; dropped: %llu bad, %llu lost\n",
		       (unsigned long long)number(s, "past"),
		       (unsigned long long)number(s, "partial"),
		       (unsigned long long)number(s, "bad"),
		       (unsigned long long)number(s, "lost"));
	}
}

static int print_json(struct json_object *all)
{
	struct json_object *document = json_document(json_object_get(all));
	const char *text = document ?
				   json_object_to_json_string_ext(
					   document, JSON_C_TO_STRING_PRETTY) :
				   NULL;

	if (text)
		puts(text);
	else
		fputs("doca_zc: out of memory\n", stderr);
	json_object_put(document);
	return text ? 0 : -1;
}

static int print(struct json_object *all, bool json)
{
	const size_t nr = json_object_array_length(all);

	if (!nr)
		fputs("doca_zc: no process of this user has used zero-copy receive; see onload(1)\n",
		      stderr);
	if (json && print_json(all))
		return EXIT_FAILURE;
	for (size_t i = 0; !json && i < nr; i++)
		print_process(json_object_array_get_idx(all, i));
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_SUCCESS;
	fputs("doca_zc: cannot write\n", stderr);
	return EXIT_FAILURE;
}

static int fill(struct json_object *all, pid_t pid)
{
	static struct stats stats;
	int err;

	if (!pid)
		return process_each(add_process, all) ? 0 : errno;
	err = process_read(pid, &stats);
	if (!err)
		json_object_array_add(all, process_of(pid, &stats));
	return err;
}

int main(int argc, char **argv)
{
	struct json_object *all = json_object_new_array();
	struct options opts;
	int err, status = EXIT_FAILURE;

	options_parse(&opts, argc, argv);
	err = fill(all, opts.pid);
	if (err == ENOENT)
		fprintf(stderr,
			"doca_zc: process %d has not used zero-copy receive; see onload(1)\n",
			opts.pid);
	else if (err)
		fprintf(stderr, "doca_zc: process %d: %s\n", opts.pid,
			strerror(err));
	else
		status = print(all, opts.json);
	json_object_put(all);
	return status;
}
