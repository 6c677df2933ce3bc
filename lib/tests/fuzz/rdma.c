// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Descriptors that come from a peer, by libFuzzer: those of connections, of memory and of sync
 * events. An input alters a good one, and may have its sums mended. Whatever it is, the
 * documented codes come back, nothing is left of what was refused, and no queue pair is led to
 * a value that the device does not have.
 */
#define main ktap_main /* libFuzzer has its own main() */
#include "ktap.h"
#undef main

#include <doca_sync_event.h>

#include "core/base/crc32c.h"
#include "fuzz/input.h"
#include "rdma_bed.h"

#define MOST 256 /* bytes of a descriptor */
#define SUM 8 /* its bytes at the end, with four that are 0 */

/* Good ones, of each kind. */
static struct {
	uint8_t bytes[MOST];
	size_t size;
} good[3];

enum { CONNECTION, MEMORY, EVENT, KINDS };

static void keep(unsigned int kind, const void *bytes, size_t size)
{
	EXPECT(size <= MOST);
	memcpy(good[kind].bytes, bytes, size);
	good[kind].size = size;
}

static void keep_event(void)
{
	struct doca_sync_event *event = NULL;
	const uint8_t *bytes = NULL;
	size_t size = 0;

	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_subscriber_location_cpu(event, rb.dev));
	OK(doca_sync_event_add_publisher_location_remote_net(event));
	OK(doca_sync_event_start(event));
	OK(doca_sync_event_export_to_remote_net(event, &bytes, &size));
	keep(EVENT, bytes, size);
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_destroy(event));
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const void *bytes;
	size_t size;

	(void)argc, (void)argv;
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE);
	rdma_set_up();
	rdma_start();
	OK(doca_rdma_export(rb.rdma[1], &bytes, &size, &rb.conn[1]));
	keep(CONNECTION, bytes, size);
	OK(doca_mmap_export_rdma(rb.mmap, rb.dev, &bytes, &size));
	keep(MEMORY, bytes, size);
	keep_event();
	return 0;
}

/* The sum at the end is over all that is before it, or over what is behind the head of an event. */
static void mend(uint8_t *bytes, size_t size, size_t head)
{
	uint32_t sum;

	if (size < head + SUM)
		return;
	sum = htole32(crc32c(bytes + head, size - head - SUM));
	memcpy(bytes + size - SUM, &sum, sizeof(sum));
}

/* Make a descriptor of its exact size, so that a byte behind it is noticed. */
static uint8_t *alter(unsigned int kind, size_t *size)
{
	unsigned int what = take(1);
	uint8_t *bytes;

	*size = good[kind].size;
	if (what & 1)
		*size = take(1);
	bytes = calloc(1, *size + !*size);
	if (!bytes)
		abort();
	memcpy(bytes, good[kind].bytes, *size < good[kind].size ? *size : good[kind].size);
	while (input.size && *size) {
		size_t at = take(1) % *size;

		bytes[at] = take(1);
	}
	if (what & 2)
		mend(bytes, *size, 0);
	if (what & 4)
		mend(bytes, *size, kind == EVENT ? good[EVENT].size - good[MEMORY].size : 0);
	return bytes;
}

static bool is_one_of(doca_error_t ret, const doca_error_t *codes, size_t n)
{
	while (n)
		if (codes[--n] == ret)
			return true;
	return false;
}

#define EXPECT_ONE_OF(ret, ...)                                      \
	EXPECT(is_one_of(ret, (const doca_error_t[]){ __VA_ARGS__ }, \
			 sizeof((const doca_error_t[]){ __VA_ARGS__ }) / sizeof(doca_error_t)))

static void connect_by(const uint8_t *bytes, size_t size)
{
	struct doca_rdma_connection *connection = NULL;
	int qps = hca.qps;
	const void *ours;
	doca_error_t ret;
	size_t len;

	OK(doca_rdma_export(rb.rdma[0], &ours, &len, &connection));
	ret = doca_rdma_connect(rb.rdma[0], bytes, size, connection);
	if (size)
		EXPECT_ONE_OF(ret, DOCA_SUCCESS, DOCA_ERROR_CONNECTION_ABORTED);
	else
		EXPECT_EQ(ret, DOCA_ERROR_INVALID_VALUE);
	if (ret == DOCA_SUCCESS) {
		EXPECT(hca.rtr.dest_qp_num < 1 << 24 && hca.rtr.rq_psn < 1 << 24);
		EXPECT(hca.rtr.path_mtu >= IBV_MTU_256 && hca.rtr.path_mtu <= hca.port.active_mtu);
		EXPECT(hca.rts.max_rd_atomic <= hca.attr.max_qp_init_rd_atom);
	} else {
		EXPECT_EQ(connection->state, RDMA_EXPORTED);
		OK(doca_rdma_connect(rb.rdma[0], good[CONNECTION].bytes, good[CONNECTION].size,
				     connection));
	}
	OK(doca_rdma_connection_disconnect(connection));
	drain(bed.pe);
	EXPECT_EQ(hca.qps, qps);
}

static void import_memory(const uint8_t *bytes, size_t size)
{
	struct doca_mmap *mmap = NULL;
	doca_error_t ret;
	void *addr;
	size_t len;

	ret = doca_mmap_create_from_export(NULL, bytes, size, rb.dev, &mmap);
	EXPECT_ONE_OF(ret, DOCA_SUCCESS, DOCA_ERROR_INVALID_VALUE, DOCA_ERROR_NOT_SUPPORTED,
		      DOCA_ERROR_NOT_PERMITTED, DOCA_ERROR_NOT_FOUND);
	if (ret != DOCA_SUCCESS) {
		EXPECT(!mmap);
		return;
	}
	OK(doca_mmap_get_memrange(mmap, &addr, &len));
	EXPECT(len && (uintptr_t)addr + (len - 1) >= (uintptr_t)addr);
	OK(doca_mmap_destroy(mmap));
}

static void import_event(const uint8_t *bytes, size_t size)
{
	struct doca_sync_event_remote_net *event = NULL;
	doca_error_t ret;

	ret = doca_sync_event_remote_net_create_from_export(rb.dev, bytes, size, &event);
	EXPECT_ONE_OF(ret, DOCA_SUCCESS, DOCA_ERROR_INVALID_VALUE, DOCA_ERROR_NOT_SUPPORTED,
		      DOCA_ERROR_NOT_PERMITTED, DOCA_ERROR_NOT_FOUND);
	if (ret == DOCA_SUCCESS)
		OK(doca_sync_event_remote_net_destroy(event));
	else
		EXPECT(!event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A descriptor may also be given to a function that is for another kind. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const functions[])(const uint8_t *bytes, size_t size) = {
		connect_by,
		import_memory,
		import_event,
	};
	unsigned int kind, function;
	uint8_t *bytes;
	size_t len;

	input.data = data;
	input.size = size;
	kind = take(1);
	function = kind & 0x40 ? kind >> 4 : kind;
	bytes = alter(kind % KINDS, &len);
	functions[function % KINDS](bytes, len);
	free(bytes);
	if (ktap_bad) {
		fflush(stdout);
		abort();
	}
	return 0;
}
