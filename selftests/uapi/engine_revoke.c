// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory is taken back while an engine writes to it: after the call, the memory does not
 * change any more. One engine takes half a second for a copy; the other has written long
 * before it reports it.
 */
#include <signal.h>
#include <sys/socket.h>

#include "engine.h"
#include "kselftest_harness.h"

#define WATCH_US 700000
#define POISON 0xa5
#define SOURCE 0x3c

/* The call that takes the memory away */
enum end {
	REVOKE,
	DEREG,
	UNMAP,
	KILL_EXPORTER,
	KILL_IMPORTER,
	STOP,
	CLOSE,
};

/* A process that obeys commands: for 'r', 'd' or 'c' it copies, and says nothing */
struct party {
	pid_t pid;
	int sock;
};

FIXTURE(engine_revoke) {
	struct family nl;
	uint32_t device;
	uint8_t *p; /* exported; all processes see it */
	struct pins pins;
	struct party exporter, importer;
};

FIXTURE_VARIANT(engine_revoke) {
	const char *engine;
	enum end end;
};

#define END(name, ...) FIXTURE_VARIANT_ADD(engine_revoke, name) { __VA_ARGS__ }

END(slow_revoke, ENGINE_SLOW, REVOKE);
END(slow_dereg, ENGINE_SLOW, DEREG);
END(slow_unmap, ENGINE_SLOW, UNMAP);
END(slow_kill_exporter, ENGINE_SLOW, KILL_EXPORTER);
END(slow_kill_importer, ENGINE_SLOW, KILL_IMPORTER);
END(slow_stop, ENGINE_SLOW, STOP);
END(slow_close, ENGINE_SLOW, CLOSE);
END(late_revoke, ENGINE_NAME, REVOKE);
END(late_dereg, ENGINE_NAME, DEREG);
END(late_unmap, ENGINE_NAME, UNMAP);
END(late_kill_exporter, ENGINE_NAME, KILL_EXPORTER);
END(late_kill_importer, ENGINE_NAME, KILL_IMPORTER);
END(late_close, ENGINE_NAME, CLOSE);

static bool is_slow(const char *engine)
{
	return !strcmp(engine, ENGINE_SLOW);
}

/* edu: two steps for 2 KiB, 100 ms each */
static uint32_t length_of(const char *engine)
{
	return is_slow(engine) ? 6144 : 4 * PAGE;
}

static bool answer(int sock, int err)
{
	return write(sock, &err, sizeof(err)) == sizeof(err);
}

static int exporter_main(int sock, uint8_t *p, uint32_t device)
{
	struct doca_blob blob;
	uint32_t mem, key, id;
	char command;
	int fd;

	fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (fd < 0 || mem_reg(fd, p, 4 * PAGE, ACCESS_LOCAL | ACCESS_PCI, &mem) ||
	    mem_map(fd, mem, device, ACCESS_LOCAL, &key) ||
	    mem_export(fd, key, 0, &blob, &id) ||
	    write(sock, &blob, sizeof(blob)) != sizeof(blob))
		return 1;
	while (read(sock, &command, 1) == 1) {
		int err = command == 'r' ? export_revoke(fd, id) :
					   mem_dereg(fd, mem);

		if (!answer(sock, err))
			return 2;
	}
	return 0;
}

static int importer_copy(struct queue *q, struct doca_mem_import *in, uint8_t *p,
			 struct buf *src, uint32_t length)
{
	queue_push(q, sqe_copy(seg_at(in->out_key, p, length),
			       seg_of(src, 0, length)));
	return queue_publish(q);
}

/* Any completion of the queue will do, if it comes within seconds */
static int importer_outcome(struct queue *q)
{
	struct doca_cqe cqe;

	return engine_wait(q, &cqe, 5000);
}

static int importer_main(int sock, uint8_t *p, uint32_t device, uint32_t length)
{
	struct doca d = { .device = device };
	struct doca_mem_import in;
	struct doca_blob blob;
	struct queue q;
	struct buf src;
	char command;
	int err;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 || read(sock, &blob, sizeof(blob)) != sizeof(blob) ||
	    mem_import(d.fd, device, &blob, &in) ||
	    buf_make(&d, &src, 4 * PAGE, ACCESS_LOCAL) ||
	    engine_queue(&q, &d, 4, 0))
		return 1;
	memset(src.addr, SOURCE, 4 * PAGE);
	if (!answer(sock, importer_copy(&q, &in, p, &src, length)))
		return 2;
	while (read(sock, &command, 1) == 1) {
		switch (command) {
		case 'u':
			err = mem_unmap(d.fd, in.out_key);
			break;
		case 's':
			err = queue_stop(q.fd);
			if (!err)
				err = importer_outcome(&q);
			break;
		case 'q':
			queue_close(&q);
			err = 0;
			break;
		default:
			err = importer_outcome(&q);
		}
		if (!answer(sock, err))
			return 3;
	}
	return 0;
}

static int tell(struct party *party, char command)
{
	int err;

	if (write(party->sock, &command, 1) != 1 ||
	    read(party->sock, &err, sizeof(err)) != sizeof(err))
		return -EPIPE;
	return err;
}

#define START(party, ...)                                                      \
	({                                                                     \
		int sock_[2];                                                  \
                                                                               \
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock_);     \
		(party)->pid = fork();                                         \
		if (!(party)->pid) {                                           \
			close(sock_[0]);                                       \
			_exit(__VA_ARGS__);                                    \
		}                                                              \
		close(sock_[1]);                                               \
		(party)->sock = sock_[0];                                      \
		(party)->pid > 0;                                              \
	})

FIXTURE_SETUP(engine_revoke)
{
	const char *engine = variant->engine;

	if (access(ENGINE_KNOBS ENGINE_SLOW, F_OK))
		SKIP_SETUP("no testdma; run 'make check-engines'");
	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, family_open(&self->nl));
	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	self->device = engine_claim(&self->nl, engine);
	ASSERT_NE(0, self->device) {
		TH_LOG("%s", self->nl.message);
	}
	self->pins = pins_read();
	self->p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->p);
	memset(self->p, 0, 4 * PAGE);
	if (!is_slow(engine)) {
		ASSERT_EQ(0, knob("delay_us", 400000));
	}
}

FIXTURE_TEARDOWN(engine_revoke)
{
	knobs_reset();
	close(self->importer.sock);
	close(self->exporter.sock);
	while (wait(NULL) > 0)
		;
	EXPECT_EQ(0, engine_maps(&self->nl, self->device, 0));
	munmap(self->p, 4 * PAGE);
	EXPECT_NO_LEAK(self->pins);
	family_close(&self->nl);
}

static int kill_and_wait(struct party *party)
{
	kill(party->pid, SIGKILL);
	return child_wait(party->pid) == 1000 + SIGKILL ? 0 : -1;
}

/* Also return how many maps are left of three: a process's death is handled later */
static int end_it(FIXTURE_DATA(engine_revoke) *self, enum end end, int *maps)
{
	*maps = -1;
	switch (end) {
	case REVOKE:
		return tell(&self->exporter, 'r');
	case DEREG:
		return tell(&self->exporter, 'd');
	case UNMAP:
		return tell(&self->importer, 'u');
	case STOP:
		return tell(&self->importer, 's');
	case CLOSE:
		/* The file's memory stays until the process goes */
		return tell(&self->importer, 'q');
	case KILL_EXPORTER:
		*maps = 1;
		return kill_and_wait(&self->exporter);
	case KILL_IMPORTER:
		*maps = 1;
		return kill_and_wait(&self->importer);
	}
	return -1;
}

static size_t unchanged(const uint8_t *p, size_t length)
{
	size_t i;

	for (i = 0; i < length && p[i] == POISON; i++)
		;
	return i;
}

/* Leave both with a copy in flight that has taken 150 ms */
static bool begin(FIXTURE_DATA(engine_revoke) *self, const char *engine)
{
	struct doca_blob blob;
	int err;

	if (!START(&self->exporter, exporter_main(sock_[1], self->p,
						  self->device)) ||
	    read(self->exporter.sock, &blob, sizeof(blob)) != sizeof(blob) ||
	    !START(&self->importer, importer_main(sock_[1], self->p, self->device,
						  length_of(engine))) ||
	    write(self->importer.sock, &blob, sizeof(blob)) != sizeof(blob) ||
	    read(self->importer.sock, &err, sizeof(err)) != sizeof(err) || err)
		return false;
	pause_us(150000);
	return true;
}

TEST_F(engine_revoke, nothing_is_written_afterwards)
{
	uint64_t start, took, ops;
	int maps;

	ops = engine_value(&self->nl, self->device, DOCA_GENL_A_ENGINE_DESCS);
	ASSERT_TRUE(begin(self, variant->engine));
	EXPECT_LT(ops, engine_value(&self->nl, self->device,
				    DOCA_GENL_A_ENGINE_DESCS));
	start = now_ns();
	ASSERT_EQ(0, end_it(self, variant->end, &maps));
	took = now_ns() - start;
	if (variant->end == REVOKE || variant->end == DEREG ||
	    variant->end == UNMAP)
		EXPECT_LT(50000000ULL, took);
	EXPECT_GT(3000000000ULL, took);
	if (maps >= 0)
		EXPECT_EQ(maps, engine_maps(&self->nl, self->device, maps));
	/* The end of a queue does not wait: the memory in flight is not handed to others */
	if (variant->end == CLOSE)
		pause_us(1500000);
	memset(self->p, POISON, 4 * PAGE);
	pause_us(WATCH_US);
	EXPECT_EQ(4 * PAGE, unchanged(self->p, 4 * PAGE));
}

TEST_HARNESS_MAIN
