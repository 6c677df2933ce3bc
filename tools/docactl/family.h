/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The driver's generic netlink family: requests and what it answers. */
#ifndef DOCACTL_FAMILY_H
#define DOCACTL_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netlink/attr.h>
#include <netlink/netlink.h>

#include <linux/doca_netlink.h>

/* One message: its attributes by number, NULL for those that are not there */
struct record {
	struct nlmsghdr *hdr;
	struct nlattr *attrs[DOCA_GENL_A_MAX + 1];
};

struct records {
	struct record *all;
	size_t n;
	size_t room;
	bool failed; /* out of memory */
};

/* Of any integer attribute; 0 if it is absent, 1 if it is a flag */
uint64_t record_value(const struct record *record, int attr);
/* "" if it is absent */
const char *record_string(const struct record *record, int attr);
void records_free(struct records *records);

struct family {
	struct nl_sock *sock;
	int id;
	int error; /* of the last request, a negative errno */
	char reason[192]; /* the kernel's words for it, or "" */
	bool gone; /* unloaded since family_subscribe() */
	struct records *records; /* where answers go */
};

int family_open(struct family *family);
void family_close(struct family *family);

/* A whole listing by one of the _GET commands; to be freed also if it fails. */
int family_list(struct family *family, int cmd, struct records *records);

int family_revoke(struct family *family, uint32_t export_id);
int family_add_engine(struct family *family, const char *name);
int family_remove_engine(struct family *family, const char *name);
/* The number is of a device. */
int family_attach_engine(struct family *family, const char *name,
			 uint32_t device);
int family_detach_engine(struct family *family, const char *device,
			 uint32_t id);

/* Hear of devices; then wait for some messages, which are added to records. */
int family_subscribe(struct family *family);
int family_wait(struct family *family, struct records *records);

#endif /* DOCACTL_FAMILY_H */
