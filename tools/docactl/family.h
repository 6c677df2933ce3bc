/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The driver's generic netlink family: requests and answers. */
#ifndef DOCACTL_FAMILY_H
#define DOCACTL_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netlink/attr.h>
#include <netlink/netlink.h>

#include <linux/doca_netlink.h>

/* One message: its attributes by number, NULL for absent ones */
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

/* Return any integer attribute; 0 if it is absent, 1 if it is a flag */
uint64_t record_value(const struct record *record, int attr);
/* Return "" if it is absent */
const char *record_string(const struct record *record, int attr);
void records_free(struct records *records);

struct family {
	struct nl_sock *sock;
	int id;
	int error; /* the last request's, a negative errno */
	char reason[192]; /* the kernel's message for it, or "" */
	unsigned int interrupted; /* listings that changed in each try */
	bool gone; /* unloaded since family_subscribe() */
	struct records *records; /* collects the answers */
};

int family_open(struct family *family);
void family_close(struct family *family);

/* Get a whole listing by one of the _GET commands; free it even after a failure. */
int family_list(struct family *family, int cmd, struct records *records);

/* Get no records where the driver does not know the command. */
int family_list_if_known(struct family *family, int cmd,
			 struct records *records);

/* Find out whether the driver lets this process see and change what all users have. */
int family_is_privileged(struct family *family, bool *privileged);

/* An argument of a request: a string, a flag or a number; the last one has no attribute */
struct argument {
	int attr;
	const char *text;
	bool flag;
	uint32_t value;
};

/*
 * Have the driver change something. A failure is reported as "cannot @what
 * @whom"; family->error is the error.
 */
int family_change(struct family *family, int cmd, const struct argument *args,
		  const char *what, const char *whom);

/* Subscribe to devices and pairs; then wait for some messages, and add them to records. */
int family_subscribe(struct family *family);
int family_wait(struct family *family, struct records *records);

#endif /* DOCACTL_FAMILY_H */
