// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps on registrations, keys, exports and blobs. */
#include <string.h>

#include "calls.h"
#include "language.h"

#define LOCAL (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)
#define PCI (DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE)

/* 0 means all rights that a program may want. */
static uint32_t take_access(uint8_t byte, uint32_t all)
{
	static const uint32_t accesses[] = {
		0, DOCA_ACCESS_LOCAL_READ, DOCA_ACCESS_LOCAL_WRITE,
		LOCAL, PCI, PCI | LOCAL, DOCA_ACCESS_PCI_READ, DOCA_ACCESS_MASK,
	};

	if (!byte)
		return all;
	if (byte < 0x80)
		return accesses[byte % 8];
	return take_number(byte);
}

static int file_of(const uint8_t *a)
{
	return take_recent(&self.files, a[0]);
}

static void reg(const uint8_t *a, int dmabuf)
{
	struct doca_mem_reg arg = {
		.size = sizeof(arg),
		.addr = (uintptr_t)take_address(&a[2]),
		.length = take_length(a[4]),
		.access = take_access(a[5], LOCAL | PCI),
	};

	if (dmabuf >= 0) {
		arg.flags = DOCA_MEM_REG_DMABUF;
		arg.dmabuf_fd = dmabuf;
		arg.dmabuf_offset = take_length(a[6]);
		if (!a[6])
			arg.dmabuf_offset = arg.addr % PAGE_BYTES;
	}
	if (!call_driver(file_of(a), DOCA_MEM_REG, &arg, sizeof(arg), a[TWIST]))
		recent_add(&self.mems, arg.out_mem_id);
}

void do_reg(const uint8_t *a)
{
	reg(a, -1);
}

void do_reg_dmabuf(const uint8_t *a)
{
	reg(a, take_recent(&self.dmabufs, a[7]));
}

void do_query(const uint8_t *a)
{
	struct doca_query arg = { .size = sizeof(arg) };

	call_driver(file_of(a), DOCA_QUERY, &arg, sizeof(arg), a[TWIST]);
}

void do_device_query(const uint8_t *a)
{
	struct doca_device_query arg = {
		.size = sizeof(arg),
		.device_id = take_recent(&common->devices, a[2]),
		.opcode = take_number(a[3]),
	};

	call_driver(file_of(a), DOCA_DEVICE_QUERY, &arg, sizeof(arg), a[TWIST]);
}

void do_dereg(const uint8_t *a)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = DOCA_OBJECT_MEMORY,
		.id = take_recent(&self.mems, a[2]),
	};

	call_driver(file_of(a), DOCA_OBJECT_DESTROY, &arg, sizeof(arg), a[TWIST]);
}

void do_map(const uint8_t *a)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = take_recent(&self.mems, a[2]),
		.device_id = take_recent(&common->devices, a[3]),
		.access = take_access(a[4], LOCAL),
	};

	if (!call_driver(file_of(a), DOCA_MEM_MAP, &arg, sizeof(arg), a[TWIST]))
		recent_add(&self.keys, arg.out_key);
}

void do_unmap(const uint8_t *a)
{
	struct doca_mem_unmap arg = {
		.size = sizeof(arg),
		.key = take_recent(&self.keys, a[2]),
	};

	call_driver(file_of(a), DOCA_MEM_UNMAP, &arg, sizeof(arg), a[TWIST]);
}

static struct doca_blob *take_blob(uint8_t byte)
{
	uint32_t made = __atomic_load_n(&common->nr_blobs, __ATOMIC_RELAXED);

	return &common->blobs[made ? (made - 1 - byte % RECENT % made) % RECENT : 0];
}

void do_export(const uint8_t *a)
{
	struct doca_blob blob;
	struct doca_mem_export arg = {
		.size = sizeof(arg),
		.flags = a[3] < 0x80 ? a[3] % 2 : take_number(a[3]),
		.key = take_recent(&self.keys, a[2]),
		.blob_size = a[4] ? take_number(a[4]) : sizeof(blob),
		.blob = (uintptr_t)(a[5] < 0x80 ? (char *)&blob : take_address(&a[6])),
	};
	uint32_t at;

	if (call_driver(file_of(a), DOCA_MEM_EXPORT, &arg, sizeof(arg), a[TWIST]))
		return;
	recent_add(&self.exports, arg.out_export_id);
	if (a[5] >= 0x80)
		return;
	at = __atomic_fetch_add(&common->nr_blobs, 1, __ATOMIC_RELAXED);
	common->blobs[at % RECENT] = blob;
}

void do_revoke(const uint8_t *a)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = DOCA_OBJECT_EXPORT,
		.id = take_recent(&self.exports, a[2]),
	};

	call_driver(file_of(a), DOCA_OBJECT_DESTROY, &arg, sizeof(arg), a[TWIST]);
}

void do_import(const uint8_t *a)
{
	struct doca_blob *blob = take_blob(a[3]);
	struct doca_mem_import arg = {
		.size = sizeof(arg),
		.device_id = take_recent(&common->devices, a[2]),
		.blob_size = a[4] ? take_number(a[4]) : sizeof(*blob),
		.blob = (uintptr_t)(a[5] < 0xe0 ? (char *)blob : take_address(&a[6])),
	};

	if (!call_driver(file_of(a), DOCA_MEM_IMPORT, &arg, sizeof(arg), a[TWIST]))
		recent_add(&self.keys, arg.out_key);
}

/* Flip a bit, or copy the end of another blob. */
void do_blob_change(const uint8_t *a)
{
	struct doca_blob *blob = take_blob(a[0]);
	size_t at = a[2] % sizeof(*blob);

	if (a[1] < 0x80)
		((uint8_t *)blob)[at] ^= 1U << (a[1] & 7);
	else
		memmove((uint8_t *)blob + at, (uint8_t *)take_blob(a[3]) + at,
			sizeof(*blob) - at);
}
