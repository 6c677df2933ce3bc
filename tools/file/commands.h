/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The commands. All return -1 if they have said why something failed. */
#ifndef FILE_COMMANDS_H
#define FILE_COMMANDS_H

#include <doca_dev.h>

#include "options.h"

int command_hash(const struct options *opts, struct doca_dev *dev);
int command_compress(const struct options *opts, struct doca_dev *dev);
int command_decompress(const struct options *opts, struct doca_dev *dev);
int command_encrypt(const struct options *opts, struct doca_dev *dev);
int command_decrypt(const struct options *opts, struct doca_dev *dev);
int command_encode(const struct options *opts, struct doca_dev *dev);
int command_recover(const struct options *opts, struct doca_dev *dev);

#endif /* FILE_COMMANDS_H */
