/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Functions: each joins two devices, one of which stands for a host and one for its DPU. Seen
 * from the DPU's side a function is a representor of the host's device.
 */
#ifndef DOCA_FUNCTION_H
#define DOCA_FUNCTION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>

#include "device.h"

#define DOCA_FUNCTION_NAME_MAX 32 /* including the NUL, as below */
#define DOCA_FUNCTION_VUID_MAX 48

struct doca_function;

/**
 * struct doca_function_side - one end of a function
 * @user: ends the function with the device
 * @function: the function that it is part of
 * @device: reference
 */
struct doca_function_side {
	struct doca_device_user user;
	struct doca_function *function;
	struct doca_device *device;
};

/**
 * struct doca_function - a host's device, and the DPU's that represents it
 * @ref: one reference belongs to each side, until its device has told it of its removal or
 *	will not do so any more, and so not before it is off the table; others belong to
 *	finders. The last one only frees memory.
 * @id: never reused; constant, as are @name to @host, while others know the function
 * @name: unique in the table
 * @any_user: processes of all users may connect to each other, else only those of one
 *	user
 * @made: it has made its devices, which go with it
 * @dpu: the DPU's side: a device may be that of any number of functions
 * @host: the host's side: a device may be that of one function, and then of no other on
 *	either side
 * @node: in the table, in the order of ids, while it can be found
 * @removed: one of its devices was, maybe before the function could be found
 * @ended: called when it has ended, if there were servers on it; set under their lock
 *
 * It ends with either of its devices, or by an administrator. The first of these takes it
 * off the table, and ends it.
 */
struct doca_function {
	struct kref ref;
	u32 id;
	char name[DOCA_FUNCTION_NAME_MAX];
	bool any_user;
	bool made;
	struct doca_function_side dpu;
	struct doca_function_side host;
	struct list_head node; /* and @removed: under the table's lock */
	bool removed;
	void (*ended)(struct doca_function *function);
};

/**
 * struct doca_function_attr - properties of a function to be made
 * @name: its name
 * @any_user: as in struct doca_function
 * @dpu: device; NULL: make one
 * @host: likewise; either both devices are made or none
 * @dpu_pci: address that a made device claims
 * @host_pci: likewise
 */
struct doca_function_attr {
	const char *name;
	bool any_user;
	struct doca_device *dpu;
	struct doca_device *host;
	const char *dpu_pci;
	const char *host_pci;
};

/* Return a function with a reference, or an error and, in *why, a text that lasts for ever. */
struct doca_function *doca_function_add(const struct doca_function_attr *attr,
					const char **why);

/*
 * End a function; the caller has a reference. doca_function_unlink() returns true to the
 * caller that must end it by doca_function_end(), which removes the devices that the
 * function has made, without announcing it. Neither waits.
 */
bool doca_function_unlink(struct doca_function *function);
void doca_function_end(struct doca_function *function);

/* Call it after all that add functions have ended. */
void doca_functions_exit(void);

/*
 * Return a function with a reference, or NULL. A function is seen in the network namespaces
 * that see both its devices. The next one has the next id; ids begin with 1.
 */
struct doca_function *doca_function_find(u32 id, const struct net *net);
struct doca_function *doca_function_named(const char *name,
					  const struct net *net);
struct doca_function *doca_function_next(u32 id, const struct net *net);
bool doca_function_visible(const struct doca_function *function,
			   const struct net *net);

/* Make the name by which programs know it: the same whenever a function of this name is made. */
void doca_function_vuid(const struct doca_function *function,
			char vuid[DOCA_FUNCTION_VUID_MAX]);

/* Return true if it has not ended. */
bool doca_function_is_there(const struct doca_function *function);

void doca_function_put(struct doca_function *function);

#endif
