// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Exports and imports: what a blob permits. permission.c tests users' rights. */
#include <stddef.h>

#include "exporter.h"
#include "kselftest_harness.h"

FIXTURE(export) {
	struct doca d;
	struct buf buf;
	struct queue q;
	struct exporter e;
};

FIXTURE_SETUP(export)
{
	/* A test that has failed must not die of a signal when it writes to a dead child */
	signal(SIGPIPE, SIG_IGN);
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 16, 0));
	ASSERT_TRUE(exporter_start(&self->e, &plain));
}

FIXTURE_TEARDOWN(export)
{
	queue_close(&self->q);
	close(self->e.sock);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
}

static bool same(const struct buf *buf, uint32_t seed)
{
	uint8_t expected[LENGTH];

	fill_random(expected, LENGTH, seed);
	return !memcmp(buf->addr, expected, LENGTH);
}

TEST_F(export, between_processes)
{
	struct doca_mem_import in;

	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &in));
	EXPECT_NE(0, in.out_key);
	EXPECT_EQ(ACCESS_LOCAL, in.out_access);
	EXPECT_EQ((uintptr_t)self->e.addr, in.out_addr);
	EXPECT_EQ(LENGTH, in.out_length);
	EXPECT_EQ(0, copy_in(&self->q, &self->buf, in.out_key, self->e.addr));
	EXPECT_TRUE(same(&self->buf, SEED_OF_EXPORTER));
	fill_random(self->buf.addr, LENGTH, SEED_OF_IMPORTER);
	EXPECT_EQ(0, copy_out(&self->q, in.out_key, self->e.addr, &self->buf));
	EXPECT_TRUE(exporter_tell(&self->e, 'v'));
	EXPECT_EQ(0, exporter_end(&self->e));
}

/* An import shares the exporter's pin */
TEST_F(export, importer_is_not_charged)
{
	long before = pins_read().vmpin_kb;

	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, NULL));
	EXPECT_EQ(before, pins_read().vmpin_kb);
}

TEST_F(export, within_a_file)
{
	struct doca_mem_import in;
	struct doca_blob blob;
	struct buf b;

	ASSERT_EQ(0, buf_make(&self->d, &b, LENGTH, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(self->d.fd, b.key, 0, &blob, NULL));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &blob, &in));
	EXPECT_NE(b.key, in.out_key);
	fill_random(b.addr, LENGTH, 23);
	EXPECT_EQ(0, copy_in(&self->q, &self->buf, in.out_key, b.addr));
	EXPECT_TRUE(same(&self->buf, 23));
}

TEST_F(export, imported_twice)
{
	struct doca_mem_import one, two;

	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &one));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &two));
	EXPECT_NE(one.out_key, two.out_key);
	EXPECT_EQ(0, mem_unmap(self->d.fd, one.out_key));
	EXPECT_EQ(0, copy_in(&self->q, &self->buf, two.out_key, self->e.addr));
}

TEST_F(export, blob)
{
	struct doca_blob *b = &self->e.blob, other;
	const uint8_t zero[sizeof(b->__reserved)] = {};
	struct buf mine;

	EXPECT_EQ(DOCA_BLOB_MAGIC, b->magic);
	EXPECT_EQ(DOCA_BLOB_VERSION, b->version);
	EXPECT_EQ(DOCA_BLOB_PCI, b->kind);
	EXPECT_EQ(ACCESS_PCI, b->access);
	EXPECT_EQ((uintptr_t)self->e.addr, b->addr);
	EXPECT_EQ(LENGTH, b->length);
	EXPECT_EQ(0, memcmp(b->__reserved, zero, sizeof(zero)));
	EXPECT_NE(0, memcmp(b->secret, zero, sizeof(b->secret)));

	ASSERT_EQ(0, buf_make(&self->d, &mine, 1, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(self->d.fd, mine.key, 0, &other, NULL));
	EXPECT_EQ(0, memcmp(b->kernel_id, other.kernel_id, sizeof(b->kernel_id)));
	EXPECT_NE(b->export_id, other.export_id);
	EXPECT_NE(0, memcmp(b->secret, other.secret, sizeof(b->secret)));
}

static int error_of_forged_byte(size_t at)
{
	if (at < offsetof(struct doca_blob, version))
		return -EINVAL;
	if (at < offsetof(struct doca_blob, kind))
		return -EPROTONOSUPPORT;
	if (at < offsetof(struct doca_blob, kernel_id))
		return -EINVAL;
	if (at < offsetof(struct doca_blob, device_guid))
		return -EXDEV;
	return -ENOKEY;
}

TEST_F(export, every_bit_forged)
{
	size_t bit;

	for (bit = 0; bit < 8 * DOCA_BLOB_SIZE; bit++) {
		uint8_t forged[DOCA_BLOB_SIZE];

		memcpy(forged, &self->e.blob, sizeof(forged));
		forged[bit / 8] ^= 1 << bit % 8;
		EXPECT_EQ(error_of_forged_byte(bit / 8),
			  mem_import(self->d.fd, self->d.device,
				     (void *)forged, NULL)) {
			TH_LOG("byte %zu, bit %zu", bit / 8, bit % 8);
		}
	}
	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, NULL));
}

TEST_F(export, widened)
{
	const struct role reader = {
		.access = ACCESS_LOCAL | DOCA_ACCESS_PCI_READ,
	};
	struct doca_blob forged;
	struct exporter e;

	ASSERT_TRUE(exporter_start(&e, &reader));
	forged = e.blob;
	forged.access |= DOCA_ACCESS_PCI_WRITE;
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &forged, NULL));
	forged = e.blob;
	forged.length++;
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &forged, NULL));
	/* The secret of one export opens no other one */
	forged = self->e.blob;
	memcpy(forged.secret, e.blob.secret, sizeof(forged.secret));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &forged, NULL));
	EXPECT_EQ(0, exporter_end(&e));
	close(e.sock);
}

TEST_F(export, wrong_size)
{
	const uint32_t sizes[] = { 0, 1, 64, 127, 129, 256, UINT32_MAX };
	uint8_t *room = pages_alloc(PAGE);
	struct doca_mem_import in = {
		.size = sizeof(in),
		.device_id = self->d.device,
		.blob = (uintptr_t)room,
	};
	size_t i;

	ASSERT_NE(NULL, room);
	memcpy(room, &self->e.blob, sizeof(self->e.blob));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		in.blob_size = sizes[i];
		EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_MEM_IMPORT, &in)) {
			TH_LOG("size %u", sizes[i]);
		}
	}
}

TEST_F(export, no_blob_at_all)
{
	struct doca_blob zero = {}, noise;

	fill_random(&noise, sizeof(noise), 24);
	EXPECT_EQ(-EINVAL, mem_import(self->d.fd, self->d.device, &zero, NULL));
	EXPECT_EQ(-EINVAL, mem_import(self->d.fd, self->d.device, &noise, NULL));
	EXPECT_EQ(-EFAULT, mem_import(self->d.fd, self->d.device, NULL, NULL));
	EXPECT_EQ(-EFAULT, mem_import(self->d.fd, self->d.device, (void *)-PAGE, NULL));
	EXPECT_EQ(-ENODEV, mem_import(self->d.fd, 0, &self->e.blob, NULL));
	EXPECT_EQ(-ENODEV, mem_import(self->d.fd, UINT32_MAX, &self->e.blob, NULL));
}

TEST_F(export, export_errors)
{
	struct doca_mem_export arg = { .size = sizeof(arg) };
	struct doca_mem_import in;
	struct doca_blob blob;
	uint32_t size, retired;
	struct buf b;

	EXPECT_EQ(-EACCES, mem_export(self->d.fd, self->buf.key, 0, &blob, NULL));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &self->e.blob, &in));
	EXPECT_EQ(-EPERM, mem_export(self->d.fd, in.out_key, 0, &blob, NULL));

	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	arg.key = b.key;
	arg.blob = (uintptr_t)&blob;
	for (size = 0; size < DOCA_BLOB_SIZE; size += 127) {
		arg.blob_size = size;
		EXPECT_EQ(-EMSGSIZE, doca_call(self->d.fd, DOCA_MEM_EXPORT, &arg));
	}
	EXPECT_EQ(-EFAULT, mem_export(self->d.fd, b.key, 0, NULL, NULL));
	retired = b.key;
	ASSERT_EQ(0, mem_unmap(self->d.fd, b.key));
	EXPECT_EQ(-ENOENT, mem_export(self->d.fd, retired, 0, &blob, NULL));
}

/* A blob is not written past its end, however much room there is */
TEST_F(export, large_room)
{
	uint8_t room[256];
	struct doca_mem_export arg = {
		.size = sizeof(arg),
		.blob_size = sizeof(room),
		.blob = (uintptr_t)room,
	};
	struct buf b;
	size_t i;

	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	arg.key = b.key;
	memset(room, 0xa5, sizeof(room));
	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_MEM_EXPORT, &arg));
	for (i = DOCA_BLOB_SIZE; i < sizeof(room); i++) {
		ASSERT_EQ(0xa5, room[i]);
	}
	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, (void *)room, NULL));
}

/* An export for reading cannot be written */
TEST_F(export, access_is_the_exported_one)
{
	const struct role reader = {
		.access = ACCESS_LOCAL | DOCA_ACCESS_PCI_READ,
	};
	struct doca_mem_import in;
	struct exporter e;

	ASSERT_TRUE(exporter_start(&e, &reader));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(DOCA_ACCESS_LOCAL_READ, in.out_access);
	EXPECT_EQ(0, copy_in(&self->q, &self->buf, in.out_key, e.addr));
	EXPECT_TRUE(same(&self->buf, SEED_OF_EXPORTER));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, copy_out(&self->q, in.out_key, e.addr, &self->buf));
	EXPECT_EQ(0, exporter_end(&e));
	close(e.sock);
}

/* Local read only, but PCI write: local rights do not limit the export */
TEST_F(export, access_may_be_wider_than_the_local_one)
{
	const struct role role = {
		.access = DOCA_ACCESS_LOCAL_READ | ACCESS_PCI,
	};
	struct doca_mem_import in;
	struct exporter e;

	ASSERT_TRUE(exporter_start(&e, &role));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(ACCESS_LOCAL, in.out_access);
	fill_random(self->buf.addr, LENGTH, SEED_OF_IMPORTER);
	EXPECT_EQ(0, copy_out(&self->q, in.out_key, e.addr, &self->buf));
	EXPECT_TRUE(exporter_tell(&e, 'v'));
	EXPECT_EQ(0, exporter_end(&e));
	close(e.sock);
}

TEST_F(export, revoke_errors)
{
	struct doca_blob blob;
	uint32_t id;
	struct buf b;

	/* Other files cannot use the exporter's ids */
	EXPECT_EQ(-ENOENT, export_revoke(self->d.fd, self->e.blob.export_id));
	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(self->d.fd, b.key, 0, &blob, &id));
	EXPECT_EQ(0, export_revoke(self->d.fd, id));
	EXPECT_EQ(-ENOENT, export_revoke(self->d.fd, id));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &blob, NULL));
	/* The key itself stays valid, and so does another export */
	EXPECT_EQ(0, mem_export(self->d.fd, b.key, 0, &blob, &id));
	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, &blob, NULL));
}

TEST_HARNESS_MAIN
