// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Peers that break the rules: on an exporter's socket, where others must still be
 * served, and as a fake exporter, where only the import may fail.
 */
#include <fcntl.h>
#include <poll.h>

#include "bed.h"
#include "dial.h"

#define LEN 65536
/* Values of struct wire_msg. */
#define HELLO 1
#define IMPORT 2
#define ANSWER 3
#define RELEASE 4
#define BELL 6
#define MAGIC 0x52434f44

struct hello {
	uint32_t type, seq, magic, version, ring_version;
	int32_t error;
	uint32_t key, page_size;
	uint64_t data;
	uint8_t rest[MSG - 40];
};

FIXTURE(hostile)
{
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	uint8_t bytes[128]; /* the blob, which outlives the export */
	size_t len;
};

FIXTURE_SETUP(hostile)
{
	const void *bytes;

	self->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	self->dev = bed_open_dev(NULL);
	ASSERT_NE(NULL, self->dev);
	ASSERT_OK(bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_ONLY,
			   self->dev, NULL, &self->mmap));
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &bytes,
				       &self->len));
	ASSERT_EQ(sizeof(self->bytes), self->len);
	memcpy(self->bytes, bytes, self->len);
}

FIXTURE_TEARDOWN(hostile)
{
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
}

/* The exporter's answer to a good HELLO, with its descriptors. */
static int greet(int fd, struct hello *hello, int fds[3])
{
	char control[CMSG_SPACE(3 * sizeof(int))];
	struct iovec iov = { hello, sizeof(*hello) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};

	*hello = (struct hello){
		.type = HELLO,
		.magic = MAGIC,
		.version = 1,
		.ring_version = 1,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	if (send(fd, hello, MSG, MSG_NOSIGNAL) != MSG ||
	    recvmsg(fd, &msg, MSG_CMSG_CLOEXEC) != MSG)
		return -1;
	if (hello->error || !CMSG_FIRSTHDR(&msg))
		return hello->error;
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&msg)), 3 * sizeof(int));
	return 0;
}

static bool hung_up(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	char msg[MSG];

	while (poll(&pfd, 1, patiently(25) * 1000) == 1)
		if (recv(fd, msg, sizeof(msg), MSG_DONTWAIT) <= 0)
			return true;
	return false;
}

static int import_and_read(const void *bytes, size_t len)
{
	static char mem[LEN];
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *local, *imported;
	struct bed bed;
	void *addr;
	size_t size;
	doca_error_t rc;

	if (!dev)
		return 1;
	rc = doca_mmap_create_from_export(NULL, bytes, len, dev, &imported);
	if (rc)
		return 100 + rc;
	if (bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		     &local) ||
	    doca_mmap_get_memrange(imported, &addr, &size) ||
	    bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_copy(&bed, imported, addr, local, mem, LEN))
		return 2;
	return BED_UNTIL(&bed, bed.succeeded == 1) ? 0 : 3;
}

/* In a process of its own, because an import of the same process would be local. */
static int others_import(FIXTURE_DATA(hostile) *self)
{
	pid_t pid = quiet_fork();

	if (!pid)
		_exit(import_and_read(self->bytes, self->len));
	return bed_wait(pid);
}

TEST_F(hostile, what_is_no_message_ends_the_connection)
{
	static const size_t sizes[] = { 1, 4, MSG - 1, MSG + 1, 4096 };
	char garbage[4096];
	size_t i;
	int fd;

	memset(garbage, 0xa5, sizeof(garbage));
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		fd = dial(self->bytes);
		ASSERT_LE(0, fd);
		ASSERT_LT(0, send(fd, garbage, sizes[i], 0));
		EXPECT_TRUE(hung_up(fd));
		close(fd);
	}
	EXPECT_EQ(0, others_import(self));
}

TEST_F(hostile, messages_out_of_order_end_the_connection)
{
	uint32_t type;

	for (type = 0; type < 300; type++) {
		struct hello hello = { .type = type };
		int fds[3], fd, i;

		/* Before HELLO, and after it; any number of CANCEL and BELL is allowed. */
		fd = dial(self->bytes);
		ASSERT_LE(0, fd);
		send(fd, &hello, MSG, MSG_NOSIGNAL);
		EXPECT_TRUE(hung_up(fd));
		close(fd);
		if (type > 8)
			type += 97;
		if (type == IMPORT || type == 5 || type == BELL)
			continue;
		fd = dial(self->bytes);
		ASSERT_EQ(0, greet(fd, &hello, fds));
		hello.type = type;
		send(fd, &hello, MSG, MSG_NOSIGNAL);
		EXPECT_TRUE(hung_up(fd));
		close(fd);
		for (i = 0; i < 3; i++)
			close(fds[i]);
	}
	EXPECT_EQ(0, others_import(self));
}

/* A silent connection is dropped, and there are places for others. */
TEST_F(hostile, silence_is_not_waited_for)
{
	int fds[80], i, n = 0;

	for (i = 0; i < 80; i++)
		n += (fds[i] = dial(self->bytes)) >= 0;
	EXPECT_LT(60, n);
	for (i = 0; i < 80; i++)
		if (fds[i] >= 0)
			EXPECT_TRUE(hung_up(fds[i]));
	for (i = 0; i < 80; i++)
		close(fds[i]);
	EXPECT_EQ(0, others_import(self));
}

TEST_F(hostile, a_flood_does_not_keep_others_away)
{
	volatile unsigned int *sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct hello hello;
	int fds[3];
	pid_t pid = quiet_fork();

	if (!pid) {
		int fd = dial(self->bytes);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (fd < 0 || greet(fd, &hello, fds))
			_exit(1);
		hello.type = BELL;
		while (send(fd, &hello, MSG, MSG_NOSIGNAL) == MSG)
			++*sent;
		_exit(2);
	}
	EXPECT_TRUE(AWAIT(*sent > 1000));
	EXPECT_EQ(0, others_import(self));
	kill(pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, bed_wait(pid));
}

/* Our areas keep their size, and only the driver writes its part. */
TEST_F(hostile, areas_are_sealed)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	struct hello hello;
	int fds[3], fd, i;

	fd = dial(self->bytes);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, greet(fd, &hello, fds));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(seals, fcntl(fds[i], F_GET_SEALS) & seals);
		EXPECT_EQ(-1, ftruncate(fds[i], 0));
	}
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_SHARED, fds[1], 0));
	EXPECT_NE(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, fds[1], 0));
	close(fd);
}

static int32_t ask(int fd, const void *blob, uint32_t *key)
{
	struct {
		uint32_t type, seq;
		int32_t error;
		uint32_t key;
		uint8_t rest[MSG - 16];
	} msg = { .type = IMPORT, .seq = 1 };

	memcpy(&msg.error, blob, 128);
	if (send(fd, &msg, MSG, MSG_NOSIGNAL) != MSG ||
	    recv(fd, &msg, MSG, 0) != MSG)
		return 1;
	*key = msg.key;
	return msg.error;
}

/*
 * Fill the rings with garbage: only their own queue breaks. Between two answers, or the
 * hang-up in place of one, the exporter has read the rings.
 */
TEST_F(hostile, garbage_in_the_rings)
{
	struct hello hello;
	int fds[3], fd, round;
	uint32_t *user, key;
	size_t i;

	for (round = 0; round < rounds(20); round++) {
		srand(round);
		fd = dial(self->bytes);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, greet(fd, &hello, fds));
		user = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fds[0], 0);
		ASSERT_NE(MAP_FAILED, user);
		for (i = 0; i < 16384 / 4; i++)
			user[i] = round % 2 ? (uint32_t)rand() * 5u :
					      0x80008000u | (rand() & 0xf);
		hello.type = BELL;
		send(fd, &hello, MSG, MSG_NOSIGNAL);
		for (i = 0; i < 2; i++)
			ask(fd, self->bytes, &key);
		munmap(user, 16384);
		close(fd);
		for (i = 0; i < 3; i++)
			close(fds[i]);
	}
	EXPECT_EQ(0, others_import(self));
}

/* A fake exporter: it listens for an id that no process has. */
struct squatter {
	uint8_t blob[128];
	int listener;
};

static void squat(FIXTURE_DATA(hostile) *self, struct squatter *squatter,
		  uint32_t uid)
{
	struct sockaddr_un address;
	socklen_t len;

	memcpy(squatter->blob, self->bytes, sizeof(squatter->blob));
	memcpy(squatter->blob + BLOB_ID + 4, &uid, 4);
	squatter->blob[BLOB_ID + 15] ^= 0x5a;
	len = name_of(squatter->blob, &address);
	squatter->listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	if (bind(squatter->listener, (void *)&address, len) ||
	    listen(squatter->listener, 4))
		abort();
}

TEST_F(hostile, a_squatted_name_is_not_believed)
{
	struct squatter squatter;
	struct doca_mmap *imported;

	squat(self, &squatter, getuid() + 1);
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_create_from_export(
					  NULL, squatter.blob, self->len,
					  self->dev, &imported));
	close(squatter.listener);
}

/* Answer HELLO like an exporter, with its own areas. */
static int give_areas(int listener, unsigned int flags, bool seal)
{
	char control[CMSG_SPACE(3 * sizeof(int))] = {};
	struct hello hello;
	struct iovec iov = { &hello, sizeof(hello) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int fds[3], i, fd = accept(listener, NULL, NULL);

	for (i = 0; i < 3; i++) {
		fds[i] = memfd_create("none", flags);
		if (ftruncate(fds[i], 4 << 20))
			return 1;
		if (seal &&
		    fcntl(fds[i], F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
			return 1;
	}
	if (recv(fd, &hello, sizeof(hello), 0) != MSG)
		return 2;
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(cmsg), fds, sizeof(fds));
	sendmsg(fd, &msg, 0);
	/* An answer without a question: if the importer believed it, it would send a release. */
	hello = (struct hello){ .type = ANSWER, .seq = 77 };
	send(fd, &hello, MSG, MSG_NOSIGNAL);
	return hung_up(fd) ? 0 : 3;
}

/* The peer is our own user's, but its areas may shrink while they are mapped. */
TEST_F(hostile, unsealed_areas_are_not_mapped)
{
	struct squatter squatter;
	struct doca_mmap *imported;
	pid_t pid;

	squat(self, &squatter, getuid());
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(give_areas(squatter.listener, MFD_ALLOW_SEALING, false));
	}
	EXPECT_ERR(NOT_PERMITTED,
		   doca_mmap_create_from_export(NULL, squatter.blob, self->len,
						self->dev, &imported));
	EXPECT_EQ(0, bed_wait(pid));
	close(squatter.listener);
}

/* Each one would make the importer send a message, and keep it, as nobody reads. */
TEST_F(hostile, answers_that_were_not_asked_for)
{
	struct squatter squatter;
	struct doca_mmap *imported;
	pid_t pid;

	squat(self, &squatter, getuid());
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(give_areas(squatter.listener, MFD_ALLOW_SEALING, true));
	}
	/* The import fails at once. */
	EXPECT_ERR(INVALID_VALUE,
		   doca_mmap_create_from_export(NULL, squatter.blob, self->len,
						self->dev, &imported));
	EXPECT_EQ(0, bed_wait(pid));
	close(squatter.listener);
}

/* 64 importers keep their places; others are refused until there is room. */
TEST_F(hostile, places_are_limited)
{
	struct hello hello;
	int fds[64], areas[3], i, j;

	for (i = 0; i < 64; i++) {
		fds[i] = dial(self->bytes);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, greet(fds[i], &hello, areas));
		for (j = 0; j < 3; j++)
			close(areas[j]);
	}
	EXPECT_EQ(100 + DOCA_ERROR_NO_MEMORY, others_import(self));
	for (i = 0; i < 64; i++)
		close(fds[i]);
	EXPECT_TRUE(AWAIT(!others_import(self)));
}

/* Releasing something that was not imported changes neither counts nor the data area. */
TEST_F(hostile, releases_of_what_is_not_there)
{
	struct hello hello;
	int fds[3], fd, round, i;
	uint32_t key;

	for (round = 0; round < 4; round++) {
		fd = dial(self->bytes);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, greet(fd, &hello, fds));
		ASSERT_EQ(0, ask(fd, self->bytes, &key));
		hello.type = RELEASE;
		hello.magic = round == 0 ? hello.key :
			      round == 1 ? key + 1 :
			      round == 2 ? 0xffffffff :
					   key;
		send(fd, &hello, MSG, MSG_NOSIGNAL);
		/* One valid release. */
		if (round == 3) {
			EXPECT_EQ(0, ask(fd, self->bytes, &key));
			send(fd, &hello, MSG, MSG_NOSIGNAL);
		}
		EXPECT_TRUE(hung_up(fd));
		close(fd);
		for (i = 0; i < 3; i++)
			close(fds[i]);
	}
	EXPECT_EQ(0, others_import(self));
}

/* Huge pages are limited: touching a missing one may kill a process. */
TEST_F(hostile, areas_of_huge_pages_are_not_mapped)
{
	struct squatter squatter;
	struct doca_mmap *imported;
	pid_t pid;
	int fd;

	fd = memfd_create("huge", MFD_ALLOW_SEALING | MFD_HUGETLB);
	if (fd < 0)
		SKIP(return, "no huge pages");
	close(fd);
	squat(self, &squatter, getuid());
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(give_areas(squatter.listener,
				 MFD_ALLOW_SEALING | MFD_HUGETLB, true));
	}
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_create_from_export(
					  NULL, squatter.blob, self->len,
					  self->dev, &imported));
	EXPECT_EQ(0, bed_wait(pid));
	close(squatter.listener);
}

/* The exporter of the blob is gone, or is another process. */
TEST_F(hostile, stale_and_forged_blobs)
{
	uint8_t blob[128];
	struct doca_mmap *imported;
	int i;

	for (i = 0; i < 128; i += 3) {
		memcpy(blob, self->bytes, sizeof(blob));
		blob[i] ^= 0x10;
		EXPECT_NE(0, ({
				  pid_t pid = quiet_fork();

				  if (!pid)
					  _exit(import_and_read(blob, 128));
				  bed_wait(pid);
			  }));
	}
	ASSERT_OK(doca_mmap_stop(self->mmap));
	EXPECT_EQ(100 + DOCA_ERROR_INVALID_VALUE, others_import(self));
	EXPECT_ERR(INVALID_VALUE,
		   doca_mmap_create_from_export(NULL, self->bytes, self->len,
						self->dev, &imported));
}

TEST_HARNESS_MAIN
