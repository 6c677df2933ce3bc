// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Tasks of all libraries that compute, on files, for api/compute.sh to have other programs judge
 * what comes out:
 *
 * compute_files hash TEXT                        print its SHA-256, made whole and in parts
 * compute_files deflate|inflate FILE OUT         of and to a gzip file of one member
 * compute_files lz4 FILE OUT                     decompress a frame
 * compute_files ec K M LOST,... FILE OUT         make redundancy, lose blocks, recover them
 * compute_files sum FILE OUT                     recover a half by the coding matrix of 2+1
 * compute_files seal|open KEY IV TAG AAD FILE OUT
 *
 * It is written as programs for BlueField are: each side has memory of its own, as large as
 * the device says or as the data needs, and a context is stopped by its progress engine.
 */
#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_aes_gcm.h>
#include <doca_compress.h>
#include <doca_erasure_coding.h>
#include <doca_sha.h>

#include "compute_sides.h"

#define DIGEST 32
#define GZIP_HEADER 10
#define GZIP_TRAILER 8
#define ROOM (1 << 20)
#define IV 12
#define BLOCK_UNIT 64

static const union doca_data none;

/* Callbacks of all kinds. */
#define ON(kind)                                                                                   \
	static void on_##kind(struct doca_##kind *task, union doca_data task_data,                 \
			      union doca_data ctx_data)                                            \
	{                                                                                          \
		(void)task, (void)task_data, (void)ctx_data;                                       \
		in_flight--;                                                                       \
	}

ON(sha_task_hash)
ON(sha_task_partial_hash)
ON(compress_task_compress_deflate)
ON(compress_task_decompress_deflate)
ON(compress_task_decompress_lz4_stream)
ON(ec_task_create)
ON(ec_task_recover)
ON(aes_gcm_task_encrypt)
ON(aes_gcm_task_decrypt)

static void print_digest(const char *how, const uint8_t *digest)
{
	int i;

	printf("%s ", how);
	for (i = 0; i < DIGEST; i++)
		printf("%02x", digest[i]);
	printf("\n");
}

/* In parts of a block. */
static void hash_parts(struct doca_sha *sha, struct side *src, size_t length, struct side *dst)
{
	struct doca_sha_task_partial_hash *task;
	uint32_t part;
	size_t at = 0;

	MUST(doca_sha_cap_get_partial_hash_block_size(doca_dev_as_devinfo(dev),
						      DOCA_SHA_ALGORITHM_SHA256, &part));
	MUST(doca_buf_reset_data_len(dst->buf));
	MUST(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src->buf,
						   dst->buf, none, &task));
	for (; length - at > part; at += part) {
		MUST(doca_buf_set_data(src->buf, src->at + at, part));
		run(doca_sha_task_partial_hash_as_task(task));
		expect(!doca_sha_task_partial_hash_get_has_result(task), "a result too early");
	}
	MUST(doca_buf_set_data(src->buf, src->at + at, length - at));
	MUST(doca_sha_task_partial_hash_set_is_final_buf(task));
	run(doca_sha_task_partial_hash_as_task(task));
	expect(doca_sha_task_partial_hash_get_has_result(task), "no result");
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
}

static void hash(char **argv)
{
	struct doca_sha_task_hash *task;
	size_t length = strlen(argv[0]);
	struct side src, dst;
	struct doca_sha *sha;

	side_open(&src, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	side_open(&dst, DIGEST, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	MUST(doca_sha_create(dev, &sha));
	MUST(doca_sha_task_hash_set_conf(sha, on_sha_task_hash, on_sha_task_hash, 0));
	MUST(doca_sha_task_partial_hash_set_conf(sha, on_sha_task_partial_hash,
						 on_sha_task_partial_hash, 0));
	start(doca_sha_as_ctx(sha));
	memcpy(src.at, argv[0], length);
	MUST(doca_buf_set_data(src.buf, src.at, length));
	MUST(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src.buf, dst.buf, none,
					   &task));
	run(doca_sha_task_hash_as_task(task));
	doca_task_free(doca_sha_task_hash_as_task(task));
	print_digest("whole", dst.at);
	memset(dst.at, 0, DIGEST);
	hash_parts(sha, &src, length, &dst);
	print_digest("parts", dst.at);
	stop();
	MUST(doca_sha_destroy(sha));
	side_close(&src);
	side_close(&dst);
}

static struct doca_compress *compress;

/* Both sides as large as the device says, as programs allocate them. */
static void open_both(struct side *src, struct side *dst)
{
	uint64_t size;

	MUST(doca_compress_cap_task_decompress_deflate_get_max_buf_size(doca_dev_as_devinfo(dev),
									&size));
	side_open(src, size, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	side_open(dst, size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	MUST(doca_compress_create(dev, &compress));
}

static void close_both(struct side *src, struct side *dst)
{
	stop();
	MUST(doca_compress_destroy(compress));
	side_close(src);
	side_close(dst);
}

static void deflate(char **argv)
{
	static const uint8_t header[GZIP_HEADER] = { 0x1f, 0x8b, 8, [9] = 3 };
	struct doca_compress_task_compress_deflate *task;
	struct side src, dst;
	uint32_t trailer[2];
	size_t length;

	open_both(&src, &dst);
	MUST(doca_compress_task_compress_deflate_set_conf(compress,
							  on_compress_task_compress_deflate,
							  on_compress_task_compress_deflate, 1));
	start(doca_compress_as_ctx(compress));
	length = read_file(argv[0], src.at, src.size);
	MUST(doca_buf_set_data(src.buf, src.at, length));
	memcpy(dst.at, header, GZIP_HEADER);
	MUST(doca_buf_set_data(dst.buf, dst.at, GZIP_HEADER));
	MUST(doca_compress_task_compress_deflate_alloc_init(compress, src.buf, dst.buf, none,
							    &task));
	run(doca_compress_task_compress_deflate_as_task(task));
	trailer[0] = htole32(doca_compress_task_compress_deflate_get_crc_cs(task));
	trailer[1] = htole32(length);
	printf("adler %08x\n", doca_compress_task_compress_deflate_get_adler_cs(task));
	doca_task_free(doca_compress_task_compress_deflate_as_task(task));
	memcpy(dst.at + length_of(&dst), trailer, sizeof(trailer));
	write_file(argv[1], dst.at, length_of(&dst) + sizeof(trailer));
	close_both(&src, &dst);
}

static void inflate(char **argv)
{
	struct doca_compress_task_decompress_deflate *task;
	struct side src, dst;
	uint32_t trailer[2];
	size_t length;

	open_both(&src, &dst);
	MUST(doca_compress_task_decompress_deflate_set_conf(compress,
							    on_compress_task_decompress_deflate,
							    on_compress_task_decompress_deflate,
							    1));
	start(doca_compress_as_ctx(compress));
	length = read_file(argv[0], src.at, src.size);
	expect(length > GZIP_HEADER + GZIP_TRAILER && !src.at[3], "no plain gzip file");
	memcpy(trailer, src.at + length - GZIP_TRAILER, sizeof(trailer));
	MUST(doca_buf_set_data(src.buf, src.at + GZIP_HEADER,
			       length - GZIP_HEADER - GZIP_TRAILER));
	MUST(doca_compress_task_decompress_deflate_alloc_init(compress, src.buf, dst.buf, none,
							      &task));
	run(doca_compress_task_decompress_deflate_as_task(task));
	expect(le32toh(trailer[0]) == doca_compress_task_decompress_deflate_get_crc_cs(task) &&
	       le32toh(trailer[1]) == length_of(&dst), "a checksum is wrong");
	printf("adler %08x\n", doca_compress_task_decompress_deflate_get_adler_cs(task));
	doca_task_free(doca_compress_task_decompress_deflate_as_task(task));
	write_file(argv[1], dst.at, length_of(&dst));
	close_both(&src, &dst);
}

/* Blocks are between the header, of 7 bytes without a length, and the checksum. */
static void lz4(char **argv)
{
	struct doca_compress_task_decompress_lz4_stream *task;
	struct side src, dst;
	uint32_t checksum;
	size_t length;

	open_both(&src, &dst);
	MUST(doca_compress_task_decompress_lz4_stream_set_conf(compress,
							       on_compress_task_decompress_lz4_stream,
							       on_compress_task_decompress_lz4_stream,
							       1));
	start(doca_compress_as_ctx(compress));
	length = read_file(argv[0], src.at, src.size);
	expect(length > 15 && (src.at[4] & 0xc) == 4, "no frame with a checksum alone");
	memcpy(&checksum, src.at + length - 4, sizeof(checksum));
	MUST(doca_buf_set_data(src.buf, src.at + 7, length - 7 - 4));
	MUST(doca_compress_task_decompress_lz4_stream_alloc_init(compress, src.at[4] >> 4 & 1,
								 src.at[4] >> 5 & 1, src.buf,
								 dst.buf, none, &task));
	run(doca_compress_task_decompress_lz4_stream_as_task(task));
	expect(htobe32(le32toh(checksum)) ==
	       doca_compress_task_decompress_lz4_stream_get_xxh_cs(task), "a checksum is wrong");
	doca_task_free(doca_compress_task_decompress_lz4_stream_as_task(task));
	write_file(argv[1], dst.at, length_of(&dst));
	close_both(&src, &dst);
}

static struct doca_ec *ec;

static void start_ec(void)
{
	MUST(doca_ec_create(dev, &ec));
	MUST(doca_ec_task_create_set_conf(ec, on_ec_task_create, on_ec_task_create, 1));
	MUST(doca_ec_task_recover_set_conf(ec, on_ec_task_recover, on_ec_task_recover, 1));
	start(doca_ec_as_ctx(ec));
}

static void create(const struct doca_ec_matrix *matrix, struct doca_buf *data,
		   struct doca_buf *rdnc)
{
	struct doca_ec_task_create *task;

	MUST(doca_ec_task_create_allocate_init(ec, matrix, data, rdnc, none, &task));
	run(doca_ec_task_create_as_task(task));
	doca_task_free(doca_ec_task_create_as_task(task));
}

static void recover(const struct doca_ec_matrix *matrix, struct doca_buf *left,
		    struct doca_buf *lost)
{
	struct doca_ec_task_recover *task;

	MUST(doca_ec_task_recover_allocate_init(ec, matrix, left, lost, none, &task));
	run(doca_ec_task_recover_as_task(task));
	doca_task_free(doca_ec_task_recover_as_task(task));
}

static struct doca_buf *block_of(const struct side *side, size_t index, size_t block)
{
	struct doca_buf *buf;

	MUST(doca_buf_inventory_buf_get_by_data(inventory, side->mmap, side->at + index * block,
						block, &buf));
	return buf;
}

/* The first blocks that are left, as a list. */
static struct doca_buf *left_of(const struct side *all, const bool *is_lost, size_t wanted,
				size_t block)
{
	struct doca_buf *list = NULL, *next;
	size_t i, nr;

	for (i = 0, nr = 0; nr < wanted; i++) {
		if (is_lost[i])
			continue;
		nr++;
		next = block_of(all, i, block);
		if (list)
			MUST(doca_buf_chain_list(list, next));
		else
			list = next;
	}
	return list;
}

/* Blocks of data, and of redundancy behind them, some of which are wiped, and come back. */
static void erasure(char **argv)
{
	size_t k = atoi(argv[0]), m = atoi(argv[1]), nr_lost = 0, length, block, i;
	struct doca_ec_matrix *coding, *matrix;
	struct side all, back;
	struct doca_buf *left;
	bool is_lost[255] = { false };
	uint32_t lost[32];
	char *word;

	side_open(&all, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	side_open(&back, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	length = read_file(argv[3], all.at, all.size / 2);
	block = (length / k / BLOCK_UNIT + 1) * BLOCK_UNIT;
	expect((k + m) * block <= ROOM, "the file is too long");
	start_ec();
	MUST(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, k, m, &coding));
	left = left_of(&all, is_lost, k, block);
	MUST(doca_buf_set_data(all.buf, all.at + k * block, 0));
	create(coding, left, all.buf);
	MUST(doca_buf_dec_refcount(left, NULL));
	for (word = strtok(argv[2], ","); word; word = strtok(NULL, ",")) {
		lost[nr_lost] = atoi(word);
		is_lost[lost[nr_lost]] = true;
		memset(all.at + lost[nr_lost++] * block, 0xee, block);
	}
	MUST(doca_ec_matrix_create_recover(ec, coding, lost, nr_lost, &matrix));
	left = left_of(&all, is_lost, k, block);
	recover(matrix, left, back.buf);
	for (i = 0; i < nr_lost; i++)
		memcpy(all.at + lost[i] * block, back.at + i * block, block);
	MUST(doca_buf_dec_refcount(left, NULL));
	MUST(doca_ec_matrix_destroy(matrix));
	/* Redundancy that came back is that of the data. */
	MUST(doca_buf_reset_data_len(back.buf));
	memset(is_lost, 0, sizeof(is_lost));
	left = left_of(&all, is_lost, k, block);
	create(coding, left, back.buf);
	expect(!memcmp(back.at, all.at + k * block, m * block), "redundancy is another one");
	MUST(doca_buf_dec_refcount(left, NULL));
	MUST(doca_ec_matrix_destroy(coding));
	write_file(argv[4], all.at, length);
	stop();
	MUST(doca_ec_destroy(ec));
	side_close(&all);
	side_close(&back);
}

/* The coding matrix itself makes the sum of what is left: the half that was lost. */
static void sum(char **argv)
{
	struct doca_ec_matrix *coding;
	struct side all, back;
	struct doca_buf *left, *half;
	size_t length, block;

	side_open(&all, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	side_open(&back, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	length = read_file(argv[0], all.at, all.size / 2);
	block = (length / 2 / BLOCK_UNIT + 1) * BLOCK_UNIT;
	start_ec();
	MUST(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_VANDERMONDE, 2, 1, &coding));
	left = block_of(&all, 0, block);
	MUST(doca_buf_chain_list(left, block_of(&all, 1, block)));
	MUST(doca_buf_set_data(all.buf, all.at + 2 * block, 0));
	create(coding, left, all.buf);
	MUST(doca_buf_dec_refcount(left, NULL));
	memset(all.at, 0xee, block);
	left = block_of(&all, 2, block);
	half = block_of(&all, 1, block);
	MUST(doca_buf_chain_list(left, half));
	recover(coding, left, back.buf);
	expect(length_of(&back) == block, "one block is one block");
	memcpy(back.at + block, all.at + block, block);
	write_file(argv[1], back.at, length);
	MUST(doca_buf_dec_refcount(left, NULL));
	MUST(doca_ec_matrix_destroy(coding));
	stop();
	MUST(doca_ec_destroy(ec));
	side_close(&all);
	side_close(&back);
}

struct message {
	struct doca_aes_gcm *aes_gcm;
	struct doca_aes_gcm_key *key;
	struct side src, dst;
	uint8_t iv[IV];
	uint32_t tag;
	size_t aad;
};

static void message_open(struct message *message, char **argv)
{
	size_t i, length;
	uint8_t key[33];

	side_open(&message->src, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	side_open(&message->dst, ROOM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	MUST(doca_aes_gcm_create(dev, &message->aes_gcm));
	MUST(doca_aes_gcm_task_encrypt_set_conf(message->aes_gcm, on_aes_gcm_task_encrypt,
						on_aes_gcm_task_encrypt, 1));
	MUST(doca_aes_gcm_task_decrypt_set_conf(message->aes_gcm, on_aes_gcm_task_decrypt,
						on_aes_gcm_task_decrypt, 1));
	start(doca_aes_gcm_as_ctx(message->aes_gcm));
	length = read_file(argv[0], key, sizeof(key));
	MUST(doca_aes_gcm_key_create(message->aes_gcm, key,
				     length == 32 ? DOCA_AES_GCM_KEY_256 : DOCA_AES_GCM_KEY_128,
				     &message->key));
	for (i = 0; i < IV; i++)
		expect(sscanf(argv[1] + 2 * i, "%2hhx", &message->iv[i]) == 1, "no vector");
	message->tag = atoi(argv[2]);
	message->aad = read_file(argv[3], message->src.at, ROOM / 2);
	length = read_file(argv[4], message->src.at + message->aad, ROOM / 2);
	MUST(doca_buf_set_data(message->src.buf, message->src.at, message->aad + length));
}

/* Additional data is not written. */
static void message_close(struct message *message, char **argv)
{
	write_file(argv[5], message->dst.at + message->aad,
		   length_of(&message->dst) - message->aad);
	MUST(doca_aes_gcm_key_destroy(message->key));
	stop();
	MUST(doca_aes_gcm_destroy(message->aes_gcm));
	side_close(&message->src);
	side_close(&message->dst);
}

static void seal(char **argv)
{
	struct doca_aes_gcm_task_encrypt *task;
	struct message message;

	message_open(&message, argv);
	MUST(doca_aes_gcm_task_encrypt_alloc_init(message.aes_gcm, message.src.buf,
						  message.dst.buf, message.key, message.iv, IV,
						  message.tag, message.aad, none, &task));
	run(doca_aes_gcm_task_encrypt_as_task(task));
	doca_task_free(doca_aes_gcm_task_encrypt_as_task(task));
	message_close(&message, argv);
}

static void open_sealed(char **argv)
{
	struct doca_aes_gcm_task_decrypt *task;
	struct message message;

	message_open(&message, argv);
	MUST(doca_aes_gcm_task_decrypt_alloc_init(message.aes_gcm, message.src.buf,
						  message.dst.buf, message.key, message.iv, IV,
						  message.tag, message.aad, none, &task));
	run(doca_aes_gcm_task_decrypt_as_task(task));
	doca_task_free(doca_aes_gcm_task_decrypt_as_task(task));
	message_close(&message, argv);
}

static bool can_compute(const struct doca_devinfo *info)
{
	return !doca_sha_cap_task_hash_get_supported(info, DOCA_SHA_ALGORITHM_SHA256) &&
	       !doca_compress_cap_task_compress_deflate_is_supported(info) &&
	       !doca_ec_cap_task_create_is_supported(info) &&
	       !doca_aes_gcm_cap_task_encrypt_is_supported(info);
}

static void open_dev(void)
{
	struct doca_devinfo **list;
	uint32_t nr, i;

	MUST(doca_devinfo_create_list(&list, &nr));
	for (i = 0; i < nr && !dev; i++)
		if (can_compute(list[i]))
			MUST(doca_dev_open(list[i], &dev));
	doca_devinfo_destroy_list(list);
	expect(dev, "no device computes");
	MUST(doca_pe_create(&pe));
	MUST(doca_buf_inventory_create(512, &inventory));
	MUST(doca_buf_inventory_start(inventory));
}

static const struct {
	const char *name;
	int operands;
	void (*run)(char **argv);
} commands[] = {
	{ "hash", 1, hash },	     { "deflate", 2, deflate }, { "inflate", 2, inflate },
	{ "lz4", 2, lz4 },	     { "ec", 5, erasure },	{ "sum", 2, sum },
	{ "seal", 6, seal },	     { "open", 6, open_sealed },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(argv[1], commands[i].name) || argc != 2 + commands[i].operands)
			continue;
		open_dev();
		commands[i].run(argv + 2);
		MUST(doca_buf_inventory_destroy(inventory));
		MUST(doca_pe_destroy(pe));
		MUST(doca_dev_close(dev));
		return 0;
	}
	fprintf(stderr, "usage: compute_files COMMAND OPERAND...\n");
	return 2;
}
