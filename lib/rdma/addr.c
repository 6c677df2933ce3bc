// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "addr.h"
#include "rdma.h"

LOG_SOURCE("RDMA");

#define V4_AT 12 /* its place in a GID */

bool rdma_gid_is_v4(const union ibv_gid *gid)
{
	static const uint8_t mapped[V4_AT] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(gid->raw, mapped, sizeof(mapped));
}

bool rdma_gid_is_of_link(const union ibv_gid *gid)
{
	return gid->raw[0] == 0xfe && (gid->raw[1] & 0xc0) == 0x80;
}

void rdma_sockaddr_make(const union ibv_gid *gid, uint32_t scope, uint16_t port,
			struct sockaddr_storage *to)
{
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
	struct sockaddr_in *in = (struct sockaddr_in *)to;

	memset(to, 0, sizeof(*to));
	if (rdma_gid_is_v4(gid)) {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		memcpy(&in->sin_addr, gid->raw + V4_AT, sizeof(in->sin_addr));
		return;
	}
	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	memcpy(&in6->sin6_addr, gid->raw, sizeof(in6->sin6_addr));
	if (rdma_gid_is_of_link(gid))
		in6->sin6_scope_id = scope;
}

void rdma_addr_set(struct doca_rdma_addr *addr, const struct sockaddr *from)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)from;
	const struct sockaddr_in *in = (const struct sockaddr_in *)from;
	bool v4 = from->sa_family == AF_INET;

	*addr = (struct doca_rdma_addr){
		.type = v4 ? DOCA_RDMA_ADDR_TYPE_IPv4 :
			     DOCA_RDMA_ADDR_TYPE_IPv6,
		.of_connection = true,
		.port = ntohs(v4 ? in->sin_port : in6->sin6_port),
	};
	if (v4) {
		addr->gid.raw[10] = addr->gid.raw[11] = 0xff;
		memcpy(addr->gid.raw + V4_AT, &in->sin_addr,
		       sizeof(in->sin_addr));
		inet_ntop(AF_INET, &in->sin_addr, addr->text,
			  sizeof(addr->text));
		return;
	}
	memcpy(addr->gid.raw, &in6->sin6_addr, sizeof(addr->gid.raw));
	addr->scope = in6->sin6_scope_id;
	inet_ntop(AF_INET6, &in6->sin6_addr, addr->text, sizeof(addr->text));
}

/* The interface of an address of a link stands behind a percent sign. */
static bool parse_v6(struct doca_rdma_addr *addr)
{
	char text[RDMA_ADDR_TEXT], *interface;

	memcpy(text, addr->text, sizeof(text));
	interface = strchr(text, '%');
	if (interface) {
		*interface++ = '\0';
		addr->scope = if_nametoindex(interface);
		if (!addr->scope)
			return false;
	}
	return inet_pton(AF_INET6, text, addr->gid.raw) == 1;
}

static bool parse(struct doca_rdma_addr *addr)
{
	addr->gid.raw[10] = addr->gid.raw[11] = 0xff;
	switch (addr->type) {
	case DOCA_RDMA_ADDR_TYPE_IPv4:
		return inet_pton(AF_INET, addr->text, addr->gid.raw + V4_AT) ==
		       1;
	case DOCA_RDMA_ADDR_TYPE_IPv6:
		return parse_v6(addr);
	default:
		return inet_pton(AF_INET6, addr->text, addr->gid.raw) == 1;
	}
}

struct doca_rdma_addr *rdma_addr_alloc(void)
{
	struct doca_rdma_addr *addr = calloc(1, sizeof(*addr));

	if (addr)
		doca_priv_debug_add(addr, &rdma_addr_object, sizeof(*addr), 1);
	return addr;
}

void rdma_addr_free(struct doca_rdma_addr *addr)
{
	if (addr)
		doca_priv_debug_free(addr);
}

doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type,
				   const char *address, uint16_t port,
				   struct doca_rdma_addr **addr)
{
	static const char *const kinds[] = { "IPv4 address", "IPv6 address",
					     "GID" };
	struct doca_rdma_addr it = { .type = addr_type, .port = port };
	struct doca_rdma_addr *new;

	if (!given(address) || !given(port) || !given(addr) ||
	    refused((unsigned int)addr_type > DOCA_RDMA_ADDR_TYPE_GID))
		return DOCA_ERROR_INVALID_VALUE;
	if ((size_t)snprintf(it.text, sizeof(it.text), "%s", address) >=
		    sizeof(it.text) ||
	    !parse(&it))
		return FAIL(INVALID_VALUE,
			    "\"%.64s\" is no %s of numbers; names are to be "
			    "looked up before",
			    address, kinds[addr_type]);
	new = rdma_addr_alloc();
	if (!new)
		return OUT_OF_MEMORY("an address");
	*new = it;
	*addr = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr)
{
	if (!valid(addr))
		return DOCA_ERROR_INVALID_VALUE;
	if (addr->of_connection)
		return FAIL(INVALID_VALUE,
			    "address %p belongs to a connection, and goes with "
			    "it",
			    (void *)addr);
	rdma_addr_free(addr);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
				       enum doca_rdma_addr_type *addr_type,
				       const char **address, uint16_t *port)
{
	if (!valid(addr) || !given(addr_type) || !given(address) ||
	    !given(port))
		return DOCA_ERROR_INVALID_VALUE;
	*addr_type = addr->type;
	*address = addr->text;
	*port = addr->port;
	return DOCA_SUCCESS;
}
