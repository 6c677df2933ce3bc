// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <endian.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "desc.h"

#define MAGIC 0x43525244 /* "DRRC" */
#define MAX_24 0xffffff

/* Little endian, except for the GID. */
struct desc {
	uint32_t magic;
	uint16_t version;
	uint16_t length; /* bytes of all of it */
	uint8_t link; /* IBV_LINK_LAYER_* */
	uint8_t mtu; /* enum ibv_mtu */
	uint8_t flags; /* 0 */
	uint8_t rd_atomic;
	uint32_t qp_num;
	uint32_t psn;
	uint16_t lid;
	uint8_t sl;
	uint8_t port;
	uint8_t gid[16];
	uint8_t reserved[48]; /* 0 */
	uint32_t crc; /* sum of all bytes before it */
	uint32_t zero;
};

_Static_assert(sizeof(struct desc) == RDMA_DESC_SIZE, "there is no padding");

void rdma_desc_write(uint8_t to[RDMA_DESC_SIZE], const struct rdma_end *end)
{
	struct desc desc = {
		.magic = htole32(MAGIC),
		.version = htole16(RDMA_DESC_VERSION),
		.length = htole16(sizeof(desc)),
		.link = end->ethernet ? IBV_LINK_LAYER_ETHERNET :
					IBV_LINK_LAYER_INFINIBAND,
		.mtu = end->mtu,
		.rd_atomic = end->rd_atomic,
		.qp_num = htole32(end->qp_num),
		.psn = htole32(end->psn),
		.lid = htole16(end->lid),
		.sl = end->sl,
		.port = end->port,
	};

	memcpy(desc.gid, end->gid.raw, sizeof(desc.gid));
	desc.crc = htole32(crc32c(&desc, offsetof(struct desc, crc)));
	memcpy(to, &desc, sizeof(desc));
}

static bool is_sane(const struct desc *desc)
{
	return (desc->link == IBV_LINK_LAYER_ETHERNET ||
		desc->link == IBV_LINK_LAYER_INFINIBAND) &&
	       desc->mtu >= IBV_MTU_256 && desc->mtu <= IBV_MTU_4096 &&
	       !desc->flags && !desc->zero && le32toh(desc->qp_num) <= MAX_24 &&
	       le32toh(desc->psn) <= MAX_24 && desc->sl < 16 && desc->port;
}

const char *rdma_desc_read(const void *bytes, size_t size, struct rdma_end *end)
{
	struct desc desc;

	if (size != sizeof(desc))
		return "they are too few or too many bytes";
	memcpy(&desc, bytes, sizeof(desc));
	if (le32toh(desc.magic) != MAGIC)
		return "they are something else";
	if (le16toh(desc.version) != RDMA_DESC_VERSION)
		return "they are of another version";
	if (le16toh(desc.length) != sizeof(desc) ||
	    le32toh(desc.crc) != crc32c(&desc, offsetof(struct desc, crc)) ||
	    !is_sane(&desc))
		return "they were altered";
	*end = (struct rdma_end){
		.ethernet = desc.link == IBV_LINK_LAYER_ETHERNET,
		.mtu = desc.mtu,
		.rd_atomic = desc.rd_atomic,
		.sl = desc.sl,
		.port = desc.port,
		.lid = le16toh(desc.lid),
		.qp_num = le32toh(desc.qp_num),
		.psn = le32toh(desc.psn),
	};
	memcpy(end->gid.raw, desc.gid, sizeof(desc.gid));
	return NULL;
}
