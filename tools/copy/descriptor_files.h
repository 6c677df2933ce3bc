/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Names and limits that both sides of a descriptor share; see descriptor.h. */
#ifndef COPY_DESCRIPTOR_FILES_H
#define COPY_DESCRIPTOR_FILES_H

#define FILE_BLOB "export.desc"
#define FILE_BUFFER "buffer.txt"
#define FILE_DONE "done"

#define BUFFER_TEXT_VERSION 1
#define BUFFER_TEXT_MAX 1024

#endif /* COPY_DESCRIPTOR_FILES_H */
