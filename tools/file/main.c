// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* doca_file: digests, compression, encryption and redundancy of files, by DOCA devices. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_aes_gcm.h>
#include <doca_compress.h>
#include <doca_erasure_coding.h>
#include <doca_sha.h>

#include "commands.h"
#include "data/device.h"
#include "data/msg.h"
#include "data/stop.h"

static bool fits_hash(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_partial_hash_get_supported(
		       info, DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS;
}

static bool fits_compress(const struct doca_devinfo *info)
{
	return doca_compress_cap_task_compress_deflate_is_supported(info) ==
	       DOCA_SUCCESS;
}

static bool fits_decompress(const struct doca_devinfo *info)
{
	return doca_compress_cap_task_decompress_deflate_is_supported(info) ==
		       DOCA_SUCCESS &&
	       doca_compress_cap_task_decompress_lz4_stream_is_supported(
		       info) == DOCA_SUCCESS;
}

static bool fits_encrypt(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_encrypt_is_supported(info) == DOCA_SUCCESS;
}

static bool fits_decrypt(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_decrypt_is_supported(info) == DOCA_SUCCESS;
}

static bool fits_encode(const struct doca_devinfo *info)
{
	return doca_ec_cap_task_create_is_supported(info) == DOCA_SUCCESS &&
	       fits_hash(info);
}

static bool fits_recover(const struct doca_devinfo *info)
{
	return doca_ec_cap_task_recover_is_supported(info) == DOCA_SUCCESS &&
	       fits_hash(info);
}

static const struct {
	device_fits fits;
	int (*run)(const struct options *opts, struct doca_dev *dev);
} commands[COMMANDS] = {
	[CMD_HASH] = { fits_hash, command_hash },
	[CMD_COMPRESS] = { fits_compress, command_compress },
	[CMD_DECOMPRESS] = { fits_decompress, command_decompress },
	[CMD_ENCRYPT] = { fits_encrypt, command_encrypt },
	[CMD_DECRYPT] = { fits_decrypt, command_decrypt },
	[CMD_ENCODE] = { fits_encode, command_encode },
	[CMD_RECOVER] = { fits_recover, command_recover },
};

int main(int argc, char **argv)
{
	struct options opts;
	struct doca_dev *dev;
	int ret;

	setlocale(LC_CTYPE, "");
	options_parse(&opts, argc, argv);
	stop_init();
	if (msg_init(opts.verbose) ||
	    device_open(opts.dev, commands[opts.command].fits, &dev))
		return EXIT_FAILURE;
	ret = commands[opts.command].run(&opts, dev);
	doca_dev_close(dev);
	if (fflush(stdout) || ferror(stdout))
		ret = fail_errno("cannot write to standard output");
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
