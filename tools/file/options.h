/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FILE_OPTIONS_H
#define FILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_erasure_coding.h>
#include <doca_sha.h>

enum command {
	CMD_HASH,
	CMD_COMPRESS,
	CMD_DECOMPRESS,
	CMD_ENCRYPT,
	CMD_DECRYPT,
	CMD_ENCODE,
	CMD_RECOVER,
	COMMANDS,
};

struct options {
	enum command command;
	char **files; /* ends with NULL; "-" is standard input */
	const char *out; /* NULL: named after the file */
	const char *dev; /* NULL: the first that fits */
	const char *key; /* file that has the key */
	bool force;
	bool test;
	bool check; /* the files are lists of digests */
	bool verbose;
	uint8_t level; /* how well to compress; 0: the driver's choice */
	enum doca_sha_algorithm algorithm;
	unsigned int data_blocks;
	unsigned int rdnc_blocks;
	enum doca_ec_matrix_type matrix;
};

/* End the program if the command line is wrong, or asks for help. */
void options_parse(struct options *opts, int argc, char **argv);

#endif /* FILE_OPTIONS_H */
