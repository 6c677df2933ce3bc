/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A thin function for each call of the driver, which returns 0 or the negative errno. */
#ifndef DOCA_CALLS_H
#define DOCA_CALLS_H

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/doca.h>

#define DOCA_NODE "/dev/doca"
#define ACCESS_LOCAL (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)
#define ACCESS_PCI (DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE)

static inline int doca_call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? -errno : 0;
}

static inline int mem_reg(int fd, const void *addr, uint64_t length,
			  uint32_t access, uint32_t *mem)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)addr,
		.length = length,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_REG, &reg);

	if (!err)
		*mem = reg.out_mem_id;
	return err;
}

static inline int object_destroy(int fd, uint32_t type, uint32_t id)
{
	struct doca_object_destroy destroy = {
		.size = sizeof(destroy), .type = type, .id = id,
	};

	return doca_call(fd, DOCA_OBJECT_DESTROY, &destroy);
}

static inline int matrix_create(int fd, uint32_t device, const uint8_t *coefficients,
				uint16_t rows, uint16_t columns, uint32_t *id)
{
	struct doca_object_create create = {
		.size = sizeof(create),
		.device_id = device,
		.type = DOCA_OBJECT_GF_MATRIX,
		.data = (uintptr_t)coefficients,
		.length = (uint32_t)rows * columns,
		.rows = rows,
		.columns = columns,
	};
	int err = doca_call(fd, DOCA_OBJECT_CREATE, &create);

	if (!err)
		*id = create.out_object_id;
	return err;
}

static inline int mem_dereg(int fd, uint32_t mem)
{
	return object_destroy(fd, DOCA_OBJECT_MEMORY, mem);
}

static inline int mem_map(int fd, uint32_t mem, uint32_t device,
			  uint32_t access, uint32_t *key)
{
	struct doca_mem_map map = {
		.size = sizeof(map),
		.mem_id = mem,
		.device_id = device,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_MAP, &map);

	if (!err)
		*key = map.out_key;
	return err;
}

static inline int mem_unmap(int fd, uint32_t key)
{
	struct doca_mem_unmap unmap = { .size = sizeof(unmap), .key = key };

	return doca_call(fd, DOCA_MEM_UNMAP, &unmap);
}

static inline int mem_export(int fd, uint32_t key, uint32_t flags,
			     struct doca_blob *blob, uint32_t *export_id)
{
	struct doca_mem_export export = {
		.size = sizeof(export),
		.flags = flags,
		.key = key,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};
	int err = doca_call(fd, DOCA_MEM_EXPORT, &export);

	if (!err && export_id)
		*export_id = export.out_export_id;
	return err;
}

static inline int export_revoke(int fd, uint32_t export_id)
{
	return object_destroy(fd, DOCA_OBJECT_EXPORT, export_id);
}

/* @out may be NULL */
static inline int mem_import(int fd, uint32_t device,
			     const struct doca_blob *blob,
			     struct doca_mem_import *out)
{
	struct doca_mem_import import = {
		.size = sizeof(import),
		.device_id = device,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};
	int err = doca_call(fd, DOCA_MEM_IMPORT, &import);

	if (out)
		*out = import;
	return err;
}

static inline int worker_create(int fd, uint32_t idle_us, uint32_t *worker)
{
	struct doca_worker_create create = {
		.size = sizeof(create), .idle_us = idle_us,
	};
	int err = doca_call(fd, DOCA_WORKER_CREATE, &create);

	if (!err)
		*worker = create.out_worker_id;
	return err;
}

static inline int worker_destroy(int fd, uint32_t worker)
{
	return object_destroy(fd, DOCA_OBJECT_WORKER, worker);
}

static inline int queue_enter_flags(int fd, uint32_t flags,
				    uint32_t max_entries, uint32_t *done)
{
	struct doca_queue_enter enter = {
		.size = sizeof(enter),
		.flags = flags,
		.max_entries = max_entries,
	};
	int err = doca_call(fd, DOCA_QUEUE_ENTER, &enter);

	if (done)
		*done = enter.out_entries;
	return err;
}

static inline int queue_enter(int fd, uint32_t max_entries, uint32_t *done)
{
	return queue_enter_flags(fd, 0, max_entries, done);
}

static inline int queue_stop(int fd)
{
	struct doca_queue_stop stop = { .size = sizeof(stop) };

	return doca_call(fd, DOCA_QUEUE_STOP, &stop);
}

static inline int queue_listen(int fd, uint32_t function, const char *name,
			       uint32_t max_message)
{
	struct doca_queue_listen listen = {
		.size = sizeof(listen),
		.function_id = function,
		.max_message = max_message,
	};

	memccpy(listen.name, name, 0, sizeof(listen.name));
	return doca_call(fd, DOCA_QUEUE_LISTEN, &listen);
}

static inline int queue_connect(int fd, const char *name, uint32_t max_message,
				uint32_t *connection)
{
	struct doca_queue_connect connect = {
		.size = sizeof(connect),
		.max_message = max_message,
	};
	int err;

	memccpy(connect.name, name, 0, sizeof(connect.name));
	err = doca_call(fd, DOCA_QUEUE_CONNECT, &connect);
	if (!err)
		*connection = connect.out_connection;
	return err;
}

static inline int queue_disconnect(int fd, uint32_t connection)
{
	struct doca_queue_disconnect disconnect = {
		.size = sizeof(disconnect),
		.connection = connection,
	};

	return doca_call(fd, DOCA_QUEUE_DISCONNECT, &disconnect);
}

static inline int queue_attach(int fd, int parent, uint32_t connection, uint32_t role,
			       uint32_t key, uint32_t imm_length, uint32_t *id)
{
	struct doca_queue_attach attach = {
		.size = sizeof(attach),
		.parent_fd = parent,
		.connection = connection,
		.role = role,
		.key = key,
		.imm_length = imm_length,
	};
	int err = doca_call(fd, DOCA_QUEUE_ATTACH, &attach);

	if (!err && id)
		*id = attach.out_id;
	return err;
}

static inline int consumer_announce(int fd)
{
	struct doca_queue_announce announce = { .size = sizeof(announce) };

	return doca_call(fd, DOCA_QUEUE_ANNOUNCE, &announce);
}

static inline int query(int fd, struct doca_query *q)
{
	*q = (struct doca_query){ .size = sizeof(*q) };
	return doca_call(fd, DOCA_QUERY, q);
}

#endif
