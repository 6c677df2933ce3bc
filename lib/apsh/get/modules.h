/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The places where the kernel has its modules: addresses of struct module, and their memory. */
#ifndef DOCA_APSH_MODULES_H
#define DOCA_APSH_MODULES_H

#include "../call.h"
#include "../walk/walk.h"

enum module_state { MODULE_LIVE, MODULE_COMING, MODULE_GOING, MODULE_UNFORMED };

enum { MODULE_NAME = 56 };

/* The list that /proc/modules shows. False if it is not sound. */
bool modules_listed(struct view *v, struct nodes *out);
/* Those in /sys/module, not the parts of the kernel. False if it is not sound, or is not found. */
bool modules_in_sysfs(struct view *v, struct nodes *out);
/* The tree by which the kernel finds whose code an address is; if unknown, @out stays as it is. */
void modules_in_tree(struct view *v, struct nodes *out);
/* All memory of modules, on x86-64: each struct module says where it is itself. */
void modules_in_memory(struct view *v, struct nodes *out);

/* Visit each part of a module's memory until one says false. */
typedef bool module_part(void *arg, u64 base, u32 size);
void module_parts(struct view *v, u64 module, module_part *visit, void *arg);

/* Read its name, and a NUL. False if it is missing, or is none that a file can have. */
bool module_name(struct view *v, u64 module, char name[MODULE_NAME + 1]);

#endif /* DOCA_APSH_MODULES_H */
