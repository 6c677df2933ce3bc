/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Requests to a family of generic netlink. libnl would be loaded for these by every program, and
 * makes some ten calls before the first request.
 */
#ifndef DOCA_CORE_GENETLINK_H
#define DOCA_CORE_GENETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlattr;

#define GENETLINK_MAX_ATTR 127

struct genetlink {
	int fd;
	uint16_t family;
	uint32_t sequence; /* number of the last request */
};

struct genetlink_request {
	uint8_t command;
	uint8_t version;
	bool dump; /* ask for all objects; else for the one that @id names */
	uint16_t id_attr;
	uint32_t id;
	uint16_t max_attr; /* greatest that is of interest, at most GENETLINK_MAX_ATTR */
	/* Take the attributes of an object, by number, NULL if absent; an error ends the request. */
	int (*take)(struct nlattr *const *attrs, void *to);
	void *to;
};

/* Return 0 or a negative errno: ENOENT if there is no such family. */
int genetlink_open(struct genetlink *netlink, const char *family);
void genetlink_close(struct genetlink *netlink);

/* Return 0 or a negative errno: EINTR if what is dumped has changed meanwhile. */
int genetlink_ask(struct genetlink *netlink,
		  const struct genetlink_request *request);

/* Read a number that is there in full; false otherwise. */
bool genetlink_u32(const struct nlattr *attr, uint32_t *value);
bool genetlink_u64(const struct nlattr *attr, uint64_t *value);
/* Copy a string, cut off if it is too long; nothing if there is none. */
void genetlink_string(const struct nlattr *attr, char *to, size_t size);

#endif /* DOCA_CORE_GENETLINK_H */
