// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Formats that are known and not read. Without their names they would be taken for raw
 * images in which there is no kernel. Documentation/apsh.rst has the same table.
 */
#include <string.h>

#include "known.h"

#define QEMU_DUMP "and let its monitor write an image (dump-guest-memory)"
#define WINDOWS "targets with Windows are not supported"

static const struct known_format formats[] = {
	{ 0, 4, "QFI\xfb", "a disk of QEMU (qcow2)",
	  "start QEMU with a snapshot of it (-loadvm), " QEMU_DUMP },
	{ 0, 4, "\xd0\xbe\xd2\xbe", "a saved state of VMware",
	  "vmss2core -N6 makes a core of it and its .vmem" },
	{ 0, 4, "\xd1\xba\xd1\xba", "a saved state of VMware",
	  "vmss2core -N6 makes a core of it and its .vmem" },
	{ 0, 4, "\xd2\xbe\xd2\xbe", "a saved state of VMware",
	  "vmss2core -N6 makes a core of it and its .vmem" },
	{ 0, 4, "\xd3\xbe\xd3\xbe", "a saved state of VMware",
	  "vmss2core -N6 makes a core of it and its .vmem" },
	{ 0, 23, "\x7fVirtualBox SavedState V", "a saved state of VirtualBox",
	  "start the machine, and let VBoxManage debugvm dumpvmcore write a "
	  "core" },
	{ 4086, 9, "S1SUSPEND", "a swap space with a hibernated machine",
	  "resume the machine, and inspect it then" },
	{ 4086, 9, "S2SUSPEND", "a swap space with a hibernated machine",
	  "resume the machine, and inspect it then" },
	{ 4086, 9, "ULSUSPEND", "a swap space with a hibernated machine",
	  "resume the machine, and inspect it then" },
	{ 4086, 9, "LINHIB000", "a swap space with a hibernated machine",
	  "resume the machine, and inspect it then" },
	{ 4086, 10, "SWAPSPACE2", "a swap space",
	  "no kernel is in it; make an image of the memory" },
	{ 0, 2, "\x78\x01", "a file compressed by zlib (LiME with compress=1)",
	  "zlib-flate -uncompress unpacks it" },
	{ 0, 2, "\x78\x9c", "a file compressed by zlib (LiME with compress=1)",
	  "zlib-flate -uncompress unpacks it" },
	{ 0, 2, "\x78\xda", "a file compressed by zlib (LiME with compress=1)",
	  "zlib-flate -uncompress unpacks it" },
	{ 0, 3, "\x1f\x8b\x08", "a file compressed by gzip",
	  "gunzip unpacks it" },
	{ 0, 6, "\xfd\x37zXZ\0", "a file compressed by xz", "unxz unpacks it" },
	{ 0, 4, "\x28\xb5\x2f\xfd", "a file compressed by zstd",
	  "unzstd unpacks it" },
	{ 0, 4, "\x04\x22\x4d\x18", "a file compressed by LZ4",
	  "unlz4 unpacks it" },
	{ 0, 4, "\x02\x21\x4c\x18", "a file compressed by LZ4",
	  "unlz4 unpacks it" },
	{ 0, 9, "\x89LZO\0\r\n\x1a\n", "a file compressed by lzop",
	  "lzop -d unpacks it" },
	{ 0, 10, "BZh91AY&SY", "a file compressed by bzip2",
	  "bunzip2 unpacks it" },
	{ 0, 4, "PK\3\4", "an archive (zip)", "unzip unpacks it" },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", "an archive (7z)", "7z x unpacks it" },
	{ 257, 5, "ustar", "an archive (tar)", "tar -x unpacks it" },
	{ 0, 8, "EVF\x09\x0d\x0a\xff\0", "an image of EnCase (EWF)",
	  "ewfexport makes a raw image of it" },
	{ 0, 8, "PAGEDU64", "a crash dump of Windows", WINDOWS },
	{ 0, 8, "PAGEDUMP", "a crash dump of Windows", WINDOWS },
	{ 0, 4, "HIBR", "a hibernation file of Windows", WINDOWS },
	{ 0, 4, "hibr", "a hibernation file of Windows", WINDOWS },
};

const struct known_format *known_format(struct source *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		const struct known_format *f = &formats[i];
		char there[32];

		if (source_pread(s, there, f->len, f->at) &&
		    !memcmp(there, f->magic, f->len))
			return f;
	}
	return NULL;
}
