// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A state saved by libvirt (virsh save): a header, which is in the byte order of its machine; the
 * description of the machine; and what QEMU has written, which may be compressed.
 */
#include <byteswap.h>
#include <string.h>

#include "core/base/log.h"

#include "qevm.h"

LOG_SOURCE("APSH");

struct header {
	char magic[16];
	u32 version;
	u32 skip; /* bytes of the description, and of what follows it */
	u32 was_running;
	u32 packed;
	u32 others[15];
};

static_assert(sizeof(struct header) == 92, "as in the file");

enum { VERSION = 2, PLAIN = 0, SPARSE = 6 };

static doca_error_t refuse_packed(const struct qevm_scan *c,
				  const struct header *h)
{
	static const char *const programs[] = { NULL,	"gunzip", "bunzip2",
						"unxz", "lzop",	  "unzstd" };

	if (h->packed >= ARRAY_SIZE(programs))
		return FAIL(NOT_SUPPORTED,
			    "%s is a saved state of libvirt that is "
			    "compressed in an unknown way (%u)",
			    c->path, h->packed);
	return FAIL(NOT_SUPPORTED,
		    "%s is a saved state of libvirt that is compressed: "
		    "\"tail -c +%lu FILE | %s -dc\" makes one of QEMU of it, "
		    "which is read",
		    c->path, sizeof(*h) + (u64)h->skip + 1,
		    programs[h->packed]);
}

static doca_error_t begin_libvirt(struct qevm_scan *c)
{
	struct header h;

	if (!qevm_get(c, &h, sizeof(h)))
		return FAIL(INITIALIZATION,
			    "%s ends within the header of libvirt", c->path);
	if (bswap_32(h.version) == VERSION)
		return FAIL(NOT_SUPPORTED,
			    "%s is a saved state of libvirt on a machine of "
			    "another byte order, which is not read",
			    c->path);
	if (h.version != VERSION)
		return FAIL(NOT_SUPPORTED,
			    "%s is a saved state of libvirt, of version %u; "
			    "only 2 is read",
			    c->path, h.version);
	if (h.packed != PLAIN && h.packed != SPARSE)
		return refuse_packed(c, &h);
	qevm_skip(c, h.skip);
	return DOCA_SUCCESS;
}

doca_error_t qevm_begin(struct qevm_scan *c)
{
	static const char saved[] = "LibvirtQemudSave";
	static const char part[] = "LibvirtQemudPart";
	char magic[16] = "";

	if (!source_pread(c->s, magic, sizeof(magic), 0))
		return FAIL(INITIALIZATION,
			    "%s is no saved state of QEMU; is it truncated?",
			    c->path);
	if (!memcmp(magic, part, sizeof(magic)))
		return FAIL(NOT_SUPPORTED,
			    "%s is a saved state of libvirt that is not "
			    "complete, which is not read: save the machine "
			    "again, or let libvirt write an image (virsh dump "
			    "--memory-only)",
			    c->path);
	return memcmp(magic, saved, sizeof(magic)) != 0 ? DOCA_SUCCESS :
							  begin_libvirt(c);
}
