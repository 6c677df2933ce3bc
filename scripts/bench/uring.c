// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * io_uring with a kernel thread that polls for submissions (SQPOLL), on the CPU of our
 * worker. It has no operation that copies memory. The nearest is to read a file in the
 * page cache into a registered buffer, which costs a look-up there beside the copy.
 *
 * The polling thread reads by itself if the filesystem can tell that it need not wait.
 * On newer kernels tmpfs cannot: then each read wakes yet another thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/area.h"
#include "bench/loop.h"
#include "bench/msg.h"
#include "peer.h"

#define IDLE_MS 5 /* the thread polls that long before it sleeps */
#define MIN_ENTRIES 32

static struct uring_way {
	struct way way;
	const struct cpus *cpus;

	/* while it is open */
	struct io_uring ring;
	struct load load;
	int file; /* -1: none */
	const char *dir; /* the file's directory; NULL: it is a memfd */
	unsigned int slots;
	unsigned int slot; /* the slot of the next operation */
} uring;

static INLINED int submit(void *self, unsigned int n)
{
	const struct area *area = uring.way.area;
	size_t size = uring.load.size;
	int ret;

	(void)self;
	while (n--) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&uring.ring);
		size_t offset = uring.slot * size;

		if (!sqe)
			return fail("io_uring has no room");
		if (size)
			io_uring_prep_read_fixed(sqe, 0, area->dst + offset,
						 size, offset, 0);
		else
			io_uring_prep_nop(sqe);
		if (size)
			sqe->flags |= IOSQE_FIXED_FILE;
		if (++uring.slot == uring.slots)
			uring.slot = 0;
	}
	ret = io_uring_submit(&uring.ring);
	if (ret < 0)
		return fail_errno(-ret, "cannot submit to io_uring");
	return 0;
}

static INLINED int reap(void *self)
{
	struct patience patience = { 0 };
	struct io_uring_cqe *cqe;
	unsigned int head;
	int n = 0;

	(void)self;
	while (!io_uring_cq_ready(&uring.ring))
		if (patience_lost(&patience))
			return fail("io_uring does not answer");
	io_uring_for_each_cqe(&uring.ring, head, cqe)
	{
		if (cqe->res != (int)uring.load.size)
			return fail("an operation of io_uring returned %d",
				    cqe->res);
		n++;
	}
	io_uring_cq_advance(&uring.ring, n);
	return n;
}

/* Wait, so that the thread does not take the CPU from the next measurement. */
static void wait_for_sleep(void)
{
	unsigned int looks;

	for (looks = 0; looks < 1000; looks++) {
		if (IO_URING_READ_ONCE(*uring.ring.sq.kflags) &
		    IORING_SQ_NEED_WAKEUP)
			return;
		usleep(1000);
	}
}

static int uring_run(struct way *way, struct meter *meter)
{
	int ret;

	(void)way;
	/* Do not measure the first operation, which wakes the thread. */
	if (submit(NULL, 1) || reap(NULL) < 0)
		return -1;
	ret = loop_run(NULL, &uring.load, meter, submit, reap);
	wait_for_sleep();
	return ret;
}

/* The file has no name, so it vanishes when it is closed. */
static int create_file(const char *dir)
{
	if (!dir)
		return memfd_create("doca_bench", MFD_CLOEXEC);
	return open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* Return true if the page cache can be read without waiting. */
static bool reads_at_once(const char *dir)
{
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	int fd = create_file(dir);
	bool ret;

	if (fd < 0)
		return false;
	ret = write(fd, &byte, 1) == 1 &&
	      preadv2(fd, &iov, 1, 0, RWF_NOWAIT) == 1;
	close(fd);
	return ret;
}

static void find_dir(void)
{
	static const char *const dirs[] = { "/tmp", "/var/tmp", "." };
	unsigned int i;

	uring.dir = NULL;
	for (i = 0; !uring.dir && i < sizeof(dirs) / sizeof(*dirs); i++)
		if (reads_at_once(dirs[i]))
			uring.dir = dirs[i];
}

/* Fill the file with the sources, and register the destinations. */
static int open_file(void)
{
	const struct area *area = uring.way.area;
	size_t length = uring.slots * uring.load.size;
	struct iovec dst = { .iov_base = area->dst, .iov_len = length };
	size_t done = 0;
	ssize_t n;
	int ret;

	if (!length)
		return 0;
	uring.file = create_file(uring.dir);
	if (uring.file < 0)
		return fail_errno(errno, "cannot create a file");
	for (; done < length; done += n) {
		n = write(uring.file, area->src + done, length - done);
		if (n <= 0)
			return fail_errno(errno, "cannot fill a file");
	}
	ret = io_uring_register_files(&uring.ring, &uring.file, 1);
	if (!ret)
		ret = io_uring_register_buffers(&uring.ring, &dst, 1);
	if (ret)
		return fail_errno(-ret, "cannot register with io_uring");
	return 0;
}

static int setup(unsigned int entries)
{
	struct io_uring_params params = {
		.flags = IORING_SETUP_SQPOLL | IORING_SETUP_SQ_AFF,
		.sq_thread_cpu = uring.cpus->work,
		.sq_thread_idle = IDLE_MS,
	};

	return io_uring_queue_init_params(entries, &uring.ring, &params);
}

static void uring_close(struct way *way)
{
	(void)way;
	io_uring_queue_exit(&uring.ring);
	if (uring.file >= 0)
		close(uring.file);
}

static int uring_open(struct way *way, const struct load *load)
{
	/* An entry's place is free only when all entries taken with it are done. */
	unsigned int entries = 2 * load->depth;
	int ret;

	uring.load = *load;
	uring.slots = area_slots(way->area, load);
	uring.slot = 0;
	uring.file = -1;
	ret = setup(entries < MIN_ENTRIES ? MIN_ENTRIES : entries);
	if (ret)
		return fail_errno(-ret, "cannot set up io_uring");
	if (!open_file())
		return 0;
	uring_close(way);
	return -1;
}

struct way *uring_peer(const struct peer_conf *conf, struct peer_text *text)
{
	int ret;

	uring.way = (struct way){
		.name = "io_uring",
		.optional = true,
		.open = uring_open,
		.run = uring_run,
		.close = uring_close,
		.area = conf->area,
	};
	uring.cpus = conf->cpus;
	ret = setup(MIN_ENTRIES);
	if (ret) {
		snprintf(text->s, sizeof(text->s), "not measured: %s",
			 strerror(-ret));
		return NULL;
	}
	io_uring_queue_exit(&uring.ring);
	find_dir();
	snprintf(
		text->s, sizeof(text->s),
		"SQPOLL; a copy is a fixed-buffer read of a file in the page cache (%s)",
		uring.dir ? uring.dir : "memfd");
	return &uring.way;
}
