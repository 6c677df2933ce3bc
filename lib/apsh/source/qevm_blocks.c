// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Which blocks of a saved state of QEMU are the machine's memory. The machine names some, and
 * users the others, as they like: what is not known by its name is not taken for anything.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "qevm.h"

LOG_SOURCE("APSH");

#define LARGEST_DEVICE (64ULL << 20)

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool qevm_is_machine(const struct qevm_scan *c, const char *beginning)
{
	return begins(c->machine, beginning);
}

/* Old machines name a backend by its path. */
static const char *id_of(const struct qevm_block *b)
{
	static const char path[] = "/objects/";

	return b->name + (begins(b->name, path) ? strlen(path) : 0);
}

/*
 * Users cannot have a slash or a colon in a name, but may have a dot. A name of a device that
 * has more bytes than the device could have is theirs.
 */
static bool is_of_device(const struct qevm_block *b)
{
	static const char *const names[] = {
		"pc.bios",     "pc.rom",      "system.flash0", "system.flash1",
		"virt.flash0", "virt.flash1", "vga.vram",      "tpm-ppi",
	};

	if (strpbrk(id_of(b), "/:"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(b->name, names[i]))
			return b->len <= LARGEST_DEVICE;
	return false;
}

/* Move the block of that name to a place in the list; the others stay in their order. */
static bool move_to(u32 place, struct qevm_block **of, u32 nr, const char *name)
{
	for (u32 i = place; i < nr; i++) {
		struct qevm_block *b = of[i];

		if (strcmp(b->name, name) != 0)
			continue;
		memmove(of + place + 1, of + place,
			(i - place) * sizeof(struct qevm_block *));
		of[place] = b;
		return true;
	}
	return false;
}

/* Memory that was plugged in, or is shared with other machines, as libvirt names it. */
static bool is_plugged(const struct qevm_block *b)
{
	static const char *const names[] = { "memdimm", "memnvdimm",
					     "memvirtio", "memua-", "shmmem-" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (begins(id_of(b), names[i]))
			return true;
	return false;
}

/*
 * Return the number of NUMA nodes, as libvirt names their memory; 0 if one is missing, or if
 * there is a block beside them which somebody else has named, for that may be memory instead.
 */
static u32 find_nodes(struct qevm_block **of, u32 nr)
{
	char name[] = "/objects/ram-node0123456789";
	char *id = name + strlen("/objects/");
	u32 n = 0;

	for (; n < nr; n++) {
		snprintf(id, sizeof(name) - (size_t)(id - name), "ram-node%u",
			 n);
		if (!move_to(n, of, nr, id) && !move_to(n, of, nr, name))
			break;
	}
	for (u32 i = n; i < nr; i++)
		if (!is_plugged(of[i]))
			return 0;
	return n;
}

/* Move the blocks that are memory by their names to the front; how many there are. */
static u32 find_known(const struct qevm_scan *c, struct qevm_block **of, u32 nr)
{
	const char *all = qevm_is_machine(c, "virt-") ? "mach-virt.ram" :
							"pc.ram";

	if (move_to(0, of, nr, all))
		return 1;
	if (c->cut)
		return 0;
	if (nr == 1)
		return 1;
	return find_nodes(of, nr);
}

static void leave_out(struct qevm_scan *c, struct qevm_block **of, u32 nr,
		      const char *memory)
{
	for (u32 i = 0; i < nr; i++) {
		c->s->lacks = true;
		c->s->left_out += of[i]->len;
		LOG_WARN(
			"%s: the place of block %s, of %lu bytes, is not known, "
			"and it is left out; memory is %s",
			c->path, of[i]->name, of[i]->len, memory);
	}
}

static doca_error_t refuse(const struct qevm_scan *c, struct qevm_block **of,
			   u32 nr)
{
	char names[512] = "";
	size_t at = 0;

	if (c->cut)
		return FAIL(INITIALIZATION,
			    "%s ends in the list of its blocks of memory; is "
			    "it truncated?",
			    c->path);
	for (u32 i = 0; i < nr; i++) {
		const char *id = id_of(of[i]);

		if (at + strlen(id) + 2 >= sizeof(names))
			break;
		names[at++] = ' ';
		at = (size_t)(stpcpy(names + at, id) - names);
	}
	return FAIL(NOT_SUPPORTED,
		    "%s: which of its blocks are memory, and in which order, "
		    "is not known by their names (%s); one, that of the "
		    "machine, or ram-node0 and so on are; " QEVM_REGIONS
		    ", or " QEVM_DUMP,
		    c->path, *names ? names + 1 : "none");
}

doca_error_t qevm_choose(struct qevm_scan *c, struct qevm_block **of, u32 *nr)
{
	u32 all = 0, known;

	for (u32 i = 0; i < c->nr_blocks; i++)
		if (!is_of_device(&c->blocks[i]))
			of[all++] = &c->blocks[i];
	known = find_known(c, of, all);
	*nr = known;
	if (c->target->nr_regions && !c->cut)
		*nr = all;
	if (!*nr)
		return refuse(c, of, all);
	leave_out(c, of + *nr, all - *nr, of[0]->name);
	return DOCA_SUCCESS;
}
