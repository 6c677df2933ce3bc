// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The table of functions. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "function.h"

#define DOCA_MAX_FUNCTIONS 256

/* Protects the table, and struct doca_function.removed; a leaf. */
static DEFINE_SPINLOCK(doca_functions_lock);
static LIST_HEAD(doca_functions);
static unsigned int doca_nr_functions;
static u32 doca_last_function;

static void doca_function_free(struct kref *ref)
{
	struct doca_function *function =
		container_of(ref, struct doca_function, ref);

	doca_device_put(function->dpu.device);
	doca_device_put(function->host.device);
	kfree(function);
}

void doca_function_put(struct doca_function *function)
{
	kref_put(&function->ref, doca_function_free);
}

/* Take it off the table; call it under the lock. */
static bool doca_function_take(struct doca_function *function)
{
	if (list_empty(&function->node))
		return false;
	list_del_init(&function->node);
	doca_nr_functions--;
	return true;
}

bool doca_function_unlink(struct doca_function *function)
{
	bool mine;

	spin_lock(&doca_functions_lock);
	mine = doca_function_take(function);
	spin_unlock(&doca_functions_lock);
	return mine;
}

/* If the device is telling it of the removal just now, that puts the reference. */
static void doca_function_forget(struct doca_function_side *side)
{
	if (doca_device_forget_user(side->device, &side->user))
		doca_function_put(side->function);
}

static void doca_function_unmake(struct doca_device *device)
{
	doca_device_unregister(device);
	doca_device_put(device);
}

void doca_function_end(struct doca_function *function)
{
	if (READ_ONCE(function->ended))
		function->ended(function);
	doca_function_forget(&function->dpu);
	doca_function_forget(&function->host);
	if (function->made) {
		doca_function_unmake(function->dpu.device);
		doca_function_unmake(function->host.device);
	}
}

/* Devices that were made with a function are only removed by its end. */
static void doca_function_removed(struct doca_device_user *user)
{
	struct doca_function_side *side =
		container_of(user, struct doca_function_side, user);
	struct doca_function *function = side->function;
	bool mine;

	spin_lock(&doca_functions_lock);
	function->removed = true;
	mine = doca_function_take(function);
	spin_unlock(&doca_functions_lock);
	if (mine)
		doca_function_end(function);
	doca_function_put(function);
}

static int doca_function_join(struct doca_function_side *side)
{
	int rc;

	kref_get(&side->function->ref);
	rc = doca_device_add_user(side->device, &side->user);
	if (rc)
		doca_function_put(side->function);
	return rc;
}

static void doca_function_init_side(struct doca_function *function,
				    struct doca_function_side *side,
				    struct doca_device *device)
{
	INIT_LIST_HEAD(&side->user.node);
	side->user.removed = doca_function_removed;
	side->function = function;
	doca_device_get(device);
	side->device = device;
}

static struct doca_function *
doca_function_alloc(const struct doca_function_attr *attr)
{
	struct doca_function *function = kzalloc(sizeof(*function), GFP_KERNEL);

	if (!function)
		return NULL;
	kref_init(&function->ref);
	strscpy(function->name, attr->name, sizeof(function->name));
	function->any_user = attr->any_user;
	INIT_LIST_HEAD(&function->node);
	doca_function_init_side(function, &function->dpu, attr->dpu);
	doca_function_init_side(function, &function->host, attr->host);
	return function;
}

/* Check that both may exist. Call it under the lock. */
static int doca_function_differs(const struct doca_function *new,
				 const struct doca_function *old,
				 const char **why)
{
	const struct doca_device *dpu = new->dpu.device;
	const struct doca_device *host = new->host.device;

	if (!strcmp(new->name, old->name)) {
		*why = "there is a pair of this name";
		return -EEXIST;
	}
	if (host == old->host.device || host == old->dpu.device) {
		*why = "the host's device is in a pair already";
		return -EBUSY;
	}
	if (dpu == old->host.device) {
		*why = "the DPU's device is the host's in another pair";
		return -EBUSY;
	}
	return 0;
}

/* Call it under the lock. */
static int doca_function_check(const struct doca_function *new,
			       const char **why)
{
	struct doca_function *old;
	int rc;

	if (new->removed) {
		*why = "a device was removed";
		return -ENODEV;
	}
	list_for_each_entry(old, &doca_functions, node) {
		rc = doca_function_differs(new, old, why);
		if (rc)
			return rc;
	}
	if (doca_nr_functions == DOCA_MAX_FUNCTIONS ||
	    doca_last_function == U32_MAX) {
		*why = "there are too many pairs";
		return -ENOSPC;
	}
	return 0;
}

static int doca_function_link(struct doca_function *function, const char **why)
{
	int rc;

	spin_lock(&doca_functions_lock);
	rc = doca_function_check(function, why);
	if (!rc) {
		function->id = ++doca_last_function;
		list_add_tail(&function->node, &doca_functions);
		doca_nr_functions++;
	}
	spin_unlock(&doca_functions_lock);
	return rc;
}

static struct doca_function *
doca_function_of(const struct doca_function_attr *attr, bool made,
		 const char **why)
{
	struct doca_function *function = doca_function_alloc(attr);
	int rc;

	*why = "out of memory";
	if (!function)
		return ERR_PTR(-ENOMEM);
	function->made = made;
	*why = "a device was removed";
	rc = doca_function_join(&function->dpu);
	if (rc)
		goto err_put;
	rc = doca_function_join(&function->host);
	if (rc)
		goto err_dpu;
	rc = doca_function_link(function, why);
	if (rc)
		goto err_host;
	return function;

err_host:
	doca_function_forget(&function->host);
err_dpu:
	doca_function_forget(&function->dpu);
err_put:
	doca_function_put(function);
	return ERR_PTR(rc);
}

static bool doca_function_is_name(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t length = strlen(name);

	return length && length < DOCA_FUNCTION_NAME_MAX &&
	       strspn(name, letters) == length;
}

/* Return true for an address in the form of pci_name(). */
static bool doca_function_is_pci(const char *pci)
{
	static const char form[] = "xxxx:xx:xx.x";
	size_t i;

	if (strlen(pci) != strlen(form))
		return false;
	for (i = 0; form[i]; i++)
		if (form[i] == 'x' ? !strchr("0123456789abcdef", pci[i]) :
				     form[i] != pci[i])
			return false;
	return pci[i - 1] < '8';
}

static struct doca_device *doca_function_make_side(const char *name,
						   const char *side,
						   const char *pci,
						   const char **why)
{
	char device[DOCA_DEVICE_NAME_MAX];

	if (doca_device_is_at(pci)) {
		*why = "there is a device at this address";
		return ERR_PTR(-EEXIST);
	}
	*why = "out of memory";
	snprintf(device, sizeof(device), "%s-%s", name, side);
	return doca_device_add_software(device, pci);
}

static struct doca_function *
doca_function_make(const struct doca_function_attr *attr, const char **why)
{
	struct doca_function_attr made = *attr;
	struct doca_function *function;

	if (!doca_function_is_pci(attr->dpu_pci) ||
	    !doca_function_is_pci(attr->host_pci)) {
		*why = "an address is not like 0000:03:00.0";
		return ERR_PTR(-EINVAL);
	}
	made.dpu =
		doca_function_make_side(attr->name, "dpu", attr->dpu_pci, why);
	if (IS_ERR(made.dpu))
		return ERR_CAST(made.dpu);
	/* This also refuses the same address twice. */
	made.host = doca_function_make_side(attr->name, "host", attr->host_pci,
					    why);
	if (IS_ERR(made.host)) {
		doca_function_unmake(made.dpu);
		return ERR_CAST(made.host);
	}
	function = doca_function_of(&made, true, why);
	if (IS_ERR(function)) {
		doca_function_unmake(made.dpu);
		doca_function_unmake(made.host);
	}
	return function;
}

struct doca_function *doca_function_add(const struct doca_function_attr *attr,
					const char **why)
{
	if (!doca_function_is_name(attr->name)) {
		*why = "a name has 1 to 31 letters, digits, and any of . _ -";
		return ERR_PTR(-EINVAL);
	}
	if (!attr->dpu)
		return doca_function_make(attr, why);
	if (attr->dpu == attr->host) {
		*why = "a device cannot be both sides";
		return ERR_PTR(-EINVAL);
	}
	return doca_function_of(attr, false, why);
}

void doca_functions_exit(void)
{
	struct doca_function *function;

	while ((function = list_first_entry_or_null(&doca_functions,
						    struct doca_function,
						    node))) {
		kref_get(&function->ref);
		doca_function_unlink(function);
		doca_function_end(function);
		doca_function_put(function);
	}
}

bool doca_function_visible(const struct doca_function *function,
			   const struct net *net)
{
	return doca_device_is_seen(function->dpu.device->id, net) &&
	       doca_device_is_seen(function->host.device->id, net);
}

/* Return it if the namespace sees it; takes over the reference. */
static struct doca_function *doca_function_seen(struct doca_function *function,
						const struct net *net)
{
	if (!function || doca_function_visible(function, net))
		return function;
	doca_function_put(function);
	return NULL;
}

/* Find the first with this id or a greater one, with a reference. */
static struct doca_function *doca_function_from(u32 id)
{
	struct doca_function *function, *found = NULL;

	spin_lock(&doca_functions_lock);
	list_for_each_entry(function, &doca_functions, node) {
		if (function->id < id)
			continue;
		kref_get(&function->ref);
		found = function;
		break;
	}
	spin_unlock(&doca_functions_lock);
	return found;
}

struct doca_function *doca_function_find(u32 id, const struct net *net)
{
	struct doca_function *function = doca_function_from(id);

	if (function && function->id != id) {
		doca_function_put(function);
		return NULL;
	}
	return doca_function_seen(function, net);
}

struct doca_function *doca_function_named(const char *name,
					  const struct net *net)
{
	struct doca_function *function, *found = NULL;

	spin_lock(&doca_functions_lock);
	list_for_each_entry(function, &doca_functions, node) {
		if (strcmp(function->name, name))
			continue;
		kref_get(&function->ref);
		found = function;
		break;
	}
	spin_unlock(&doca_functions_lock);
	return doca_function_seen(found, net);
}

struct doca_function *doca_function_next(u32 id, const struct net *net)
{
	struct doca_function *function;

	while (id != U32_MAX && (function = doca_function_from(id + 1))) {
		id = function->id;
		function = doca_function_seen(function, net);
		if (function)
			return function;
	}
	return NULL;
}

bool doca_function_is_there(const struct doca_function *function)
{
	bool there;

	spin_lock(&doca_functions_lock);
	there = !list_empty(&function->node);
	spin_unlock(&doca_functions_lock);
	return there;
}

void doca_function_vuid(const struct doca_function *function,
			char vuid[DOCA_FUNCTION_VUID_MAX])
{
	snprintf(vuid, DOCA_FUNCTION_VUID_MAX, "OPENDOCA-%s", function->name);
}
