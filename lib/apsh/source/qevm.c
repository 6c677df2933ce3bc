// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The sections of a saved state of QEMU, up to the end of its memory: what follows is the
 * state of devices. The file is hostile: each read is bounded, and what is not understood
 * ends it, for a section does not say how long it is.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "../secret.h"
#include "file.h"
#include "qevm.h"

LOG_SOURCE("APSH");

enum { VERSION = 3, RAM_VERSION = 4, MAX_CAPABILITIES = 64 };

/* Kinds of sections. A footer has the section's number. */
enum { START = 1, PART, LAST, FULL, SUBSECTION, CONFIGURATION = 7, COMMAND };
enum { FOOTER = 0x7e };

/* Commands before these two prepare nothing that concerns memory. */
enum { RETURN_PATH = 1, PING = 2, SWITCHOVER = 11 };

static doca_error_t capability(struct qevm_scan *c)
{
	char name[QEVM_NAME];

	if (!qevm_name(c, name))
		return DOCA_SUCCESS;
	if (!strcmp(name, "x-ignore-shared"))
		return FAIL(NOT_SUPPORTED,
			    "%s lacks memory that is shared (x-ignore-shared): "
			    "the files of the machine's memory backends are "
			    "its image",
			    c->path);
	c->mapped |= !strcmp(name, "mapped-ram");
	return DOCA_SUCCESS;
}

static doca_error_t capabilities(struct qevm_scan *c)
{
	doca_error_t ret = DOCA_SUCCESS;
	u64 nr;

	if (!qevm_number(c, 4, &nr))
		return DOCA_SUCCESS;
	if (nr > MAX_CAPABILITIES)
		return FAIL(INITIALIZATION, "%s: %lu capabilities cannot be",
			    c->path, nr);
	while (nr-- && !c->cut && ret == DOCA_SUCCESS)
		ret = capability(c);
	return ret;
}

static doca_error_t page_bits(struct qevm_scan *c)
{
	u64 bits;

	if (!qevm_number(c, 4, &bits))
		return DOCA_SUCCESS;
	if (bits != 12 && bits != 14 && bits != 16)
		return FAIL(NOT_SUPPORTED,
			    "%s: pages of 2^%lu bytes; only those of 4, 16 "
			    "and 64 KiB are read",
			    c->path, bits);
	c->q->shift = (u32)bits;
	c->has_page = true;
	return DOCA_SUCCESS;
}

static doca_error_t subsection(struct qevm_scan *c)
{
	char name[QEVM_NAME];
	u64 version;

	if (!qevm_skip(c, 1) || !qevm_name(c, name) ||
	    !qevm_number(c, 4, &version))
		return DOCA_SUCCESS;
	if (!strcmp(name, "configuration/target-page-bits"))
		return page_bits(c);
	if (!strcmp(name, "configuration/capabilities"))
		return capabilities(c);
	if (!strcmp(name, "configuration/uuid")) {
		qevm_skip(c, 16);
		return DOCA_SUCCESS;
	}
	return FAIL(
		NOT_SUPPORTED,
		"%s: its configuration has %s, which is not known: " QEVM_DUMP,
		c->path, name);
}

/* The name of the machine, and subsections. */
static doca_error_t configuration(struct qevm_scan *c)
{
	doca_error_t ret = DOCA_SUCCESS;
	u64 len;
	u8 next;

	if (!qevm_skip(c, 1) || !qevm_number(c, 4, &len))
		return DOCA_SUCCESS;
	if (len >= sizeof(c->machine))
		return FAIL(INITIALIZATION,
			    "%s: a machine's name of %lu bytes cannot be",
			    c->path, len);
	qevm_get(c, c->machine, (u32)len);
	while (!c->cut && ret == DOCA_SUCCESS && qevm_peek(c, &next) &&
	       next == SUBSECTION)
		ret = subsection(c);
	return ret;
}

static doca_error_t header(struct qevm_scan *c)
{
	u64 magic, version;
	u8 next;

	if (!qevm_number(c, 4, &magic) || !qevm_number(c, 4, &version))
		return DOCA_SUCCESS;
	if (magic != 0x5145564d) /* QEVM */
		return FAIL(INITIALIZATION,
			    "%s: no saved state of QEMU is at byte %lu",
			    c->path, c->at - 8);
	if (version != VERSION)
		return FAIL(NOT_SUPPORTED,
			    "%s is a saved state of QEMU, of version %lu; only "
			    "%d is read",
			    c->path, version, VERSION);
	return qevm_peek(c, &next) && next == CONFIGURATION ? configuration(c) :
							      DOCA_SUCCESS;
}

/* Machines before QEMU 2.3 have none. */
static doca_error_t footer(struct qevm_scan *c)
{
	u64 number;
	u8 next;

	if (!qevm_peek(c, &next) || next != FOOTER)
		return DOCA_SUCCESS;
	if (!qevm_skip(c, 1) || !qevm_number(c, 4, &number) ||
	    number == c->section)
		return DOCA_SUCCESS;
	return FAIL(INITIALIZATION,
		    "%s: in front of byte %lu does not end section %u", c->path,
		    c->at, c->section);
}

static doca_error_t memory(struct qevm_scan *c, u8 kind)
{
	doca_error_t ret = qevm_ram(c);

	if (ret != DOCA_SUCCESS || c->cut)
		return ret;
	if (!c->nr_blocks)
		return FAIL(INITIALIZATION,
			    "%s: its memory begins without a list of blocks",
			    c->path);
	c->done = kind == LAST;
	return footer(c);
}

static doca_error_t begin_section(struct qevm_scan *c, u8 kind)
{
	u64 number, instance, version;
	char name[QEVM_NAME];

	if (!qevm_number(c, 4, &number) || !qevm_name(c, name) ||
	    !qevm_number(c, 4, &instance) || !qevm_number(c, 4, &version))
		return DOCA_SUCCESS;
	if (strcmp(name, "ram") != 0 || kind != START)
		return FAIL(NOT_SUPPORTED,
			    "%s has the state of %s before the end of its "
			    "memory, which is not read: save the machine "
			    "without that, and without the capability "
			    "background-snapshot, or " QEVM_DUMP,
			    c->path, name);
	if (version != RAM_VERSION || c->begun)
		return FAIL(NOT_SUPPORTED,
			    "%s: its memory is of version %lu, or there "
			    "twice; only version %d is read",
			    c->path, version, RAM_VERSION);
	c->begun = true;
	c->section = (u32)number;
	return memory(c, kind);
}

static doca_error_t next_part(struct qevm_scan *c, u8 kind)
{
	u64 number;

	if (!qevm_number(c, 4, &number))
		return DOCA_SUCCESS;
	if (!c->begun || number != c->section)
		return FAIL(INITIALIZATION,
			    "%s: section %lu, in front of byte %lu, has not "
			    "begun",
			    c->path, number, c->at);
	return memory(c, kind);
}

static doca_error_t command(struct qevm_scan *c)
{
	u64 what, len;

	if (!qevm_number(c, 2, &what) || !qevm_number(c, 2, &len))
		return DOCA_SUCCESS;
	if (what != RETURN_PATH && what != PING && what != SWITCHOVER)
		return FAIL(NOT_SUPPORTED,
			    "%s was written for another machine (postcopy or "
			    "COLO, command %lu), and is not read: save it to "
			    "a file without that capability, or " QEVM_DUMP,
			    c->path, what);
	qevm_skip(c, len);
	return DOCA_SUCCESS;
}

static doca_error_t next_section(struct qevm_scan *c)
{
	u8 kind;

	if (!qevm_get(c, &kind, 1))
		return DOCA_SUCCESS;
	switch (kind) {
	case START:
	case FULL:
		return begin_section(c, kind);
	case PART:
	case LAST:
		return next_part(c, kind);
	case COMMAND:
		return command(c);
	default:
		return FAIL(INITIALIZATION,
			    "%s: no section of a saved state begins in front "
			    "of byte %lu: %u",
			    c->path, c->at, kind);
	}
}

/* Pages that are twice in it were written while the machine ran: the first ones are old. */
static doca_error_t finish(struct qevm_scan *c)
{
	doca_error_t ret = c->mapped ? qevm_mapped(c) : DOCA_SUCCESS;
	u64 pages = 0, there;

	if (ret == DOCA_SUCCESS)
		ret = qevm_settle(c->q, c->path, &pages);
	there = pages << c->q->shift;
	if (ret != DOCA_SUCCESS || (c->done && there == c->q->memory))
		return ret;
	c->s->lacks = true;
	c->s->cut = c->q->memory - there;
	if (c->done)
		LOG_WARN("%s: it has no page for %lu bytes of memory, which "
			 "are missing; a machine that tells which pages are "
			 "free (free-page-hint) is saved without those",
			 c->path, c->s->cut);
	else
		LOG_WARN("%s: it was cut off: %lu bytes of memory are missing, "
			 "and others may be of an earlier time",
			 c->path, c->s->cut);
	return DOCA_SUCCESS;
}

static doca_error_t look_through(struct qevm_scan *c)
{
	doca_error_t ret;

	if (c->s->file_size > TARGET_MAX_ADDRESS)
		return FAIL(NOT_SUPPORTED, "%s is too large", c->path);
	ret = qevm_begin(c);
	if (ret == DOCA_SUCCESS && !c->cut)
		ret = header(c);
	while (ret == DOCA_SUCCESS && !c->cut && !c->done)
		ret = next_section(c);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!c->q->memory)
		return FAIL(INITIALIZATION,
			    "%s ends before its memory; is it truncated?",
			    c->path);
	return finish(c);
}

doca_error_t source_qevm(struct source *s, const struct target *t,
			 const char *path)
{
	struct qevm_scan *c = secret_alloc(sizeof(*c));
	doca_error_t ret;

	s->ops = &source_qevm_ops;
	s->qevm = calloc(1, sizeof(*s->qevm));
	if (c && s->qevm) {
		memset(c, 0, sizeof(*c));
		c->s = s;
		c->q = s->qevm;
		c->q->shift = 12;
		c->path = path;
		c->target = t;
		ret = look_through(c);
	} else {
		ret = OUT_OF_MEMORY("a saved state");
	}
	secret_free(c, sizeof(*c), sizeof(*c));
	return ret;
}
