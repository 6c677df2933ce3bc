// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Use keys of AES-GCM, and stop between the steps, so that somebody can search all memory for
 * them. Keys are made of a number byte by byte, and wiped, so that nobody but the driver has them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../uapi/doca_ring.h"
#include "../uapi/gcm.h"

#define LENGTH 200000 /* bytes of a message, which does not end at once */

static const uint32_t lengths[] = { 16, 32 };

#define KEYS (sizeof(lengths) / sizeof(lengths[0]))

static uint64_t state;

/*
 * The core file alone has it in the end, and shows that memory is searched. It has a page to itself:
 * to write beside it while a child shares the page would leave a copy.
 */
#define KEPT 16
static volatile uint8_t kept[PAGE] __attribute__((aligned(PAGE)));

#define MUST(call)                                                \
	do {                                                      \
		int err_ = call;                                  \
                                                                  \
		if (err_) {                                       \
			fprintf(stderr, "%s: %d\n", #call, err_); \
			exit(1);                                  \
		}                                                 \
	} while (0)

/* keys.py makes the same of the number. */
static uint8_t next_byte(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void make_bytes(volatile uint8_t *at, uint32_t length)
{
	while (length--)
		*at++ = next_byte();
}

static uint32_t make_key(const struct doca *d, uint32_t length)
{
	uint8_t key[32];
	uint32_t id;

	make_bytes(key, length);
	MUST(key_create(d->fd, d->device, key, length, &id));
	explicit_bzero(key, sizeof(key));
	return id;
}

/* Say what was done, and wait until somebody has looked. */
static void tell(const char *step)
{
	puts(step);
	fflush(stdout);
	if (getchar() == EOF)
		exit(1);
}

static void dump_core(void)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	int status = 0;
	uint32_t i;
	pid_t pid;

	make_bytes(kept, KEPT);
	MUST(setrlimit(RLIMIT_CORE, &unlimited));
	pid = fork();
	if (!pid)
		abort();
	waitpid(pid, &status, 0);
	if (!WCOREDUMP(status)) {
		fprintf(stderr, "there is no core file\n");
		exit(1);
	}
	for (i = 0; i < KEPT; i++)
		kept[i] = 0;
}

/* By the caller, or by a worker if there is one. */
static void use(const struct doca *d, const struct buf *buf, uint32_t worker, const uint32_t *keys)
{
	const struct doca_queue_create create = {
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.opcodes = 1 << DOCA_OP_GCM_ENCRYPT | 1 << DOCA_OP_GCM_DECRYPT,
	};
	const uint8_t *src = buf->addr, *dst = src + LENGTH + PAGE, *back = dst + LENGTH + PAGE;
	struct message m = { .iv = "initial vec", .aad_length = 20 };
	struct queue q;
	uint32_t i;

	MUST(queue_create(&q, d, create));
	for (i = 0; i < 4 * KEYS; i++) {
		uint32_t key = keys[i % KEYS];

		m.tag_length = i / KEYS % 2 ? 12 : 16;
		m.length = i / KEYS / 2 ? LENGTH - m.aad_length : 100;
		MUST(queue_status(&q,
				  sqe_message(&m, DOCA_OP_GCM_ENCRYPT, key, buf->key, src, dst)));
		MUST(queue_status(&q,
				  sqe_message(&m, DOCA_OP_GCM_DECRYPT, key, buf->key, dst, back)));
		MUST(memcmp(src, back, message_size(&m, false)));
	}
	queue_close(&q);
}

int main(int argc, char **argv)
{
	uint32_t keys[KEYS], worker, i;
	struct doca d;
	struct buf buf;

	if (argc != 2) {
		fprintf(stderr, "usage: keys NUMBER\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 0);
	MUST(doca_open(&d));
	MUST(worker_create(d.fd, 0, &worker));
	MUST(buf_make(&d, &buf, 3 * (LENGTH + PAGE), ACCESS_LOCAL));
	fill_random(buf.addr, LENGTH, 1);
	for (i = 0; i < KEYS; i++)
		keys[i] = make_key(&d, lengths[i]);
	use(&d, &buf, 0, keys);
	use(&d, &buf, worker, keys);
	dump_core();
	tell("alive");
	for (i = 0; i < KEYS; i++)
		MUST(object_destroy(d.fd, DOCA_OBJECT_GCM_KEY, keys[i]));
	tell("destroyed");
	/* One that dies leaves its keys to the driver. */
	for (i = 0; i < KEYS; i++)
		make_key(&d, lengths[i]);
	tell("again");
	return 0;
}
