/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The module and its parameters. Tracing and netlink do not exist. */
#ifndef INPROC_MODULE_H
#define INPROC_MODULE_H

#include "compiler.h"

enum inproc_param_type {
	INPROC_PARAM_bool,
	INPROC_PARAM_ulong,
};

struct inproc_param {
	const char *name;
	enum inproc_param_type type;
	void *value;
	struct inproc_param *next;
};

void inproc_param_add(struct inproc_param *param);

#define module_param_named(param, variable, kind, mode)                   \
	static struct inproc_param inproc_param_##param = {               \
		.name = #param,                                           \
		.type = INPROC_PARAM_##kind,                              \
		.value = &(variable),                                     \
	};                                                                \
	static void __attribute__((constructor)) inproc_add_##param(void) \
	{                                                                 \
		inproc_param_add(&inproc_param_##param);                  \
	}                                                                 \
	_Static_assert(1, "")

#define MODULE_PARM_DESC(param, text) _Static_assert(1, text)
#define MODULE_DESCRIPTION(text) _Static_assert(1, text)
#define MODULE_LICENSE(text) _Static_assert(1, text)
#define MODULE_VERSION(text) _Static_assert(1, "")
#define THIS_MODULE NULL
#define __module_get(module) ((void)(module))
#define module_put(module) ((void)(module))

/* Return true if it has begun in this process, not in one that has forked it. */
bool inproc_has_begun(void);
int inproc_module_init(void);
void inproc_module_exit(void);
void inproc_end_devices(void);

#define module_init(function)        \
	int inproc_module_init(void) \
	{                            \
		return function();   \
	}                            \
	_Static_assert(1, "")
#define module_exit(function)         \
	void inproc_module_exit(void) \
	{                             \
		function();           \
	}                             \
	_Static_assert(1, "")

#define rcu_barrier() ((void)0)
#define synchronize_rcu() ((void)0)

#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...)
#define TRACE_EVENT(name, proto, ...)          \
	static inline void trace_##name(proto) \
	{                                      \
	}                                      \
	_Static_assert(1, "")
#define DECLARE_EVENT_CLASS(name, ...) _Static_assert(1, "")
#define DEFINE_EVENT(class, name, proto, ...) TRACE_EVENT(name, proto)

struct genl_info;
struct netlink_callback;
struct sk_buff;

struct nla_policy {
	int type;
};

#endif
