// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Send frames of all kinds of tasks by an Ethernet queue, for api/ethernet.sh:
 *
 * eth_traffic DEVICE
 *
 * Print the bytes of frames that are not IP, as "frame HEX", and for IP frames what must follow
 * their headers: "udp HEX" for each, "lso HEX" for a whole task.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define BURST 64
#define PLAIN 20
#define BATCH 16
#define SUMS 6
#define PAYLOAD 10000
#define MSS 1000

static _Alignas(4096) uint8_t memory[1 << 20];
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;
static struct doca_pe *pe;
static struct doca_dev *dev;
static unsigned int done;

static const union doca_data none;

#define MUST(call)                                                              \
	do {                                                                    \
		doca_error_t ret_ = call;                                       \
										\
		if (ret_ != DOCA_SUCCESS) {                                     \
			fprintf(stderr, "%s: %s\n", #call,                      \
				doca_error_get_descr(ret_));                    \
			exit(1);                                                \
		}                                                               \
	} while (0)

static void open_dev(const char *name)
{
	char has[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo **list;
	uint32_t nr, i;

	MUST(doca_devinfo_create_list(&list, &nr));
	for (i = 0; i < nr && !dev; i++)
		if (!doca_devinfo_get_ibdev_name(list[i], has, sizeof(has)) &&
		    !strcmp(has, name))
			MUST(doca_dev_open(list[i], &dev));
	doca_devinfo_destroy_list(list);
	if (!dev) {
		fprintf(stderr, "there is no device %s\n", name);
		exit(1);
	}
}

static void begin(const char *name)
{
	open_dev(name);
	MUST(doca_mmap_create(&mmap));
	MUST(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	MUST(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_add_dev(mmap, dev));
	MUST(doca_mmap_start(mmap));
	MUST(doca_buf_inventory_create(512, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_pe_create(&pe));
}

static void begin_ctx(struct doca_ctx *ctx)
{
	MUST(doca_pe_connect_ctx(pe, ctx));
	MUST(doca_ctx_start(ctx));
}

/* Tasks need progress; sleep, for a machine may have one CPU. */
static void await(unsigned int tasks)
{
	while (done < tasks)
		if (!doca_pe_progress(pe))
			usleep(100);
	done = 0;
}

static void print(const char *what, const uint8_t *data, size_t length)
{
	printf("%s ", what);
	for (size_t i = 0; i < length; i++)
		printf("%02x", data[i]);
	putchar('\n');
}

static struct doca_buf *data_of(uint8_t *at, size_t length)
{
	struct doca_buf *buf;

	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, at, length, &buf));
	return buf;
}

static void put16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void fill(uint8_t *at, size_t length, unsigned int n)
{
	for (size_t i = 0; i < length; i++)
		at[i] = n * 31 + i * 7 + (i >> 8);
}

static void on_send(struct doca_eth_txq_task_send *task, union doca_data data, union doca_data ctx)
{
	struct doca_task *base = doca_eth_txq_task_send_as_doca_task(task);
	struct doca_buf *buf;

	(void)data;
	(void)ctx;
	MUST(doca_task_get_status(base));
	MUST(doca_eth_txq_task_send_get_pkt(task, &buf));
	MUST(doca_buf_dec_refcount(buf, NULL));
	doca_task_free(base);
	done++;
}

static void on_lso(struct doca_eth_txq_task_lso_send *task, union doca_data data,
		   union doca_data ctx)
{
	struct doca_task *base = doca_eth_txq_task_lso_send_as_doca_task(task);

	(void)data;
	(void)ctx;
	MUST(doca_task_get_status(base));
	doca_task_free(base);
	done++;
}

static void on_batch_send(struct doca_task_batch *batch, uint16_t nr, union doca_data ctx,
			  union doca_data data, union doca_data *tasks, struct doca_buf **bufs,
			  doca_error_t *status)
{
	(void)ctx;
	(void)data;
	(void)tasks;
	(void)bufs;
	for (uint16_t i = 0; i < nr; i++)
		MUST(status[i]);
	doca_task_batch_free(batch);
	done++;
}

static void on_batch_lso(struct doca_task_batch *batch, uint16_t nr, union doca_data ctx,
			 union doca_data data, union doca_data *tasks, struct doca_buf **bufs,
			 struct doca_gather_list **headers, doca_error_t *status)
{
	(void)headers;
	on_batch_send(batch, nr, ctx, data, tasks, bufs, status);
}

static struct doca_eth_txq *begin_txq(void)
{
	struct doca_eth_txq *txq;

	MUST(doca_eth_txq_create(dev, BURST, &txq));
	MUST(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	MUST(doca_eth_txq_set_max_send_buf_list_len(txq, 3));
	MUST(doca_eth_txq_set_l3_chksum_offload(txq, 1));
	MUST(doca_eth_txq_set_l4_chksum_offload(txq, 1));
	MUST(doca_eth_txq_task_send_set_conf(txq, on_send, on_send, BURST));
	MUST(doca_eth_txq_task_lso_send_set_conf(txq, on_lso, on_lso, 2));
	MUST(doca_eth_txq_task_batch_send_set_conf(txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
						   on_batch_send, on_batch_send));
	MUST(doca_eth_txq_task_batch_lso_send_set_conf(txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
						       on_batch_lso, on_batch_lso));
	begin_ctx(doca_eth_txq_as_doca_ctx(txq));
	return txq;
}

/* Make a frame of an unknown protocol. */
static size_t make_frame(uint8_t *at, unsigned int n)
{
	const size_t length = 60 + n * 67 % 1400;

	fill(at, length, n);
	memcpy(at, "\2\0\0\0\0\1\2\0\0\0\0\2\x88\xb5", 14);
	print("frame", at, length);
	return length;
}

static void send_plain(struct doca_eth_txq *txq)
{
	for (unsigned int n = 0; n < PLAIN; n++) {
		uint8_t *at = memory + n * 2048;
		const size_t length = make_frame(at, n);
		struct doca_eth_txq_task_send *task;
		struct doca_buf *buf = data_of(at, 10);

		MUST(doca_buf_chain_list(buf, data_of(at + 10, 20)));
		MUST(doca_buf_chain_list(buf, data_of(at + 30, length - 30)));
		MUST(doca_eth_txq_task_send_allocate_init(txq, buf, none, &task));
		MUST(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	}
	await(PLAIN);
}

static void send_batch(struct doca_eth_txq *txq)
{
	struct doca_task_batch *batch;
	union doca_data *data;
	struct doca_buf **bufs;

	MUST(doca_eth_txq_task_batch_send_allocate(txq, BATCH, none, &bufs, &data, &batch));
	for (unsigned int n = 0; n < BATCH; n++) {
		uint8_t *at = memory + n * 2048;

		bufs[n] = data_of(at, make_frame(at, 100 + n));
	}
	MUST(doca_task_batch_submit(batch));
	await(1);
}

/* Make headers up to that of UDP or TCP, with wrong checksums; return their length. */
static size_t make_headers(uint8_t *at, int version, int protocol, size_t length)
{
	const size_t l4 = version == 4 ? 34 : 54, l4_header = protocol == 6 ? 20 : 8;

	memset(at, 0, l4 + l4_header);
	memcpy(at, "\2\0\0\0\0\1\2\0\0\0\0\2", 12);
	if (version == 4) {
		memcpy(at + 12, "\x08\0\x45", 3);
		put16(at + 16, 20 + l4_header + length);
		put16(at + 18, 0xfffe);
		at[22] = 64;
		at[23] = protocol;
		put16(at + 24, 0xaaaa);
		memcpy(at + 26, "\12\11\1\1\12\11\1\2", 8);
	} else {
		memcpy(at + 12, "\x86\xdd\x60", 3);
		put16(at + 18, l4_header + length);
		at[20] = protocol;
		at[21] = 64;
		memcpy(at + 22, "\xfd\x09", 2);
		at[37] = 1;
		memcpy(at + 38, "\xfd\x09", 2);
		at[53] = 2;
	}
	put16(at + l4, 1000);
	put16(at + l4 + 2, protocol == 6 ? 7002 : 7001);
	if (protocol == 6) {
		put16(at + l4 + 12, 5 << 12 | 0x18); /* ACK, PSH */
		put16(at + l4 + 16, 0xbbbb);
	} else {
		put16(at + l4 + 4, 8 + length);
		put16(at + l4 + 6, 0xbbbb);
	}
	return l4 + l4_header;
}

static void send_sums(struct doca_eth_txq *txq)
{
	for (unsigned int n = 0; n < SUMS; n++) {
		uint8_t *at = memory + n * 2048;
		const size_t length = 1 + n * 211;
		const size_t header = make_headers(at, n & 1 ? 6 : 4, 17, length);
		struct doca_eth_txq_task_send *task;

		fill(at + header, length, n);
		print("udp", at + header, length);
		MUST(doca_eth_txq_task_send_allocate_init(txq, data_of(at, header + length), none,
							  &task));
		doca_eth_txq_task_send_set_ol_flags(task, DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM |
								  DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM);
		MUST(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	}
	await(SUMS);
}

static void send_lso(struct doca_eth_txq *txq, int version)
{
	static uint8_t headers[80];
	struct doca_gather_list list = { headers, make_headers(headers, version, 6, 0), NULL };
	struct doca_eth_txq_task_lso_send *task;
	struct doca_buf *buf = data_of(memory, 4000);

	fill(memory, PAYLOAD, version);
	print("lso", memory, PAYLOAD);
	MUST(doca_buf_chain_list(buf, data_of(memory + 4000, PAYLOAD - 4000)));
	MUST(doca_eth_txq_task_lso_send_allocate_init(txq, buf, &list, none, &task));
	doca_eth_txq_task_lso_send_set_mss(task, MSS);
	MUST(doca_task_submit(doca_eth_txq_task_lso_send_as_doca_task(task)));
	await(1);
}

/* Send the two halves of one message; the second is pushed. */
static void send_lso_batch(struct doca_eth_txq *txq)
{
	static uint8_t headers[2][80];
	static struct doca_gather_list lists[2];
	struct doca_gather_list **list;
	struct doca_task_batch *batch;
	union doca_data *data;
	struct doca_buf **bufs;
	uint16_t *mss;

	fill(memory, PAYLOAD, 6);
	print("lso", memory, PAYLOAD);
	MUST(doca_eth_txq_task_batch_lso_send_allocate(txq, 2, none, &bufs, &list, &data, &batch));
	MUST(doca_eth_txq_task_batch_lso_send_get_mss_array(batch, &mss));
	for (unsigned int n = 0; n < 2; n++) {
		lists[n].addr = headers[n];
		lists[n].len = make_headers(headers[n], 6, 6, 0);
		put16(headers[n] + 60, n * PAYLOAD / 2);
		list[n] = &lists[n];
		bufs[n] = data_of(memory + n * PAYLOAD / 2, PAYLOAD / 2);
		mss[n] = MSS;
	}
	headers[0][67] &= ~8;
	MUST(doca_task_batch_submit(batch));
	await(1);
}

static int send_all(const char *device)
{
	struct doca_eth_txq *txq;

	begin(device);
	txq = begin_txq();
	send_plain(txq);
	send_batch(txq);
	send_sums(txq);
	send_lso(txq, 4);
	send_lso_batch(txq);
	return 0;
}

int main(int argc, char **argv)
{
	alarm(120);
	return argc == 2 ? send_all(argv[1]) : 2;
}
