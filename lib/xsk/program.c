// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The XDP program in the kernel, by libbpf. It is attached by a link, which goes with its
 * last descriptor: however the process ends, no program stays behind.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>

#include "kind.h"
#include "sys.h"

/* prog.bpf.c as compiled by clang */
__asm__(".pushsection .rodata\n"
	".balign 8\n"
	"doca_steer_begin:\n"
	".incbin \"" XSK_PROGRAM "\"\n"
	"doca_steer_end:\n"
	".popsection\n");
extern const char doca_steer_begin[] __attribute__((visibility("hidden")));
extern const char doca_steer_end[] __attribute__((visibility("hidden")));

struct sys_program {
	struct bpf_object *object;
	int link; /* -1: the parent's */
	int rules;
	int sockets;
};

/* Suppress libbpf's messages: the error code is enough. */
static int silent(enum libbpf_print_level level, const char *format,
		  va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static int load(struct sys_program *program)
{
	libbpf_print_fn_t print = libbpf_set_print(silent);
	int err;

	program->object = bpf_object__open_mem(
		doca_steer_begin,
		(uintptr_t)doca_steer_end - (uintptr_t)doca_steer_begin, NULL);
	err = program->object ? bpf_object__load(program->object) : -errno;
	libbpf_set_print(print);
	if (err)
		return err;
	program->rules =
		bpf_object__find_map_fd_by_name(program->object, "rules");
	program->sockets =
		bpf_object__find_map_fd_by_name(program->object, "sockets");
	return 0;
}

static int attach_to(struct sys_program *program, int ifindex, const char *name,
		     uint32_t hook)
{
	struct bpf_link_create_opts opts = { .sz = sizeof(opts),
					     .flags = hook };
	int fd = bpf_program__fd(
		bpf_object__find_program_by_name(program->object, name));

	program->link = bpf_link_create(fd, ifindex, BPF_XDP, &opts);
	return program->link < 0 ? program->link : 0;
}

/* Use the driver's own hook if it is suitable, else the generic one. */
static int attach(struct sys_program *program, int ifindex, bool *late)
{
	int err = -EOPNOTSUPP;

	*late = false;
	if (kind_has_own_hook(ifindex))
		err = attach_to(program, ifindex, "doca_steer",
				XDP_FLAGS_DRV_MODE);
	if (!err || err == -EBUSY)
		return err;
	*late = true;
	return attach_to(program, ifindex, "doca_steer_late",
			 XDP_FLAGS_SKB_MODE);
}

int sys_program_attach(struct sys_program **out, int ifindex, bool *late,
		       enum xsk_step *step)
{
	struct sys_program *program = calloc(1, sizeof(*program));
	int err;

	*step = XSK_STEP_PROGRAM;
	if (!program)
		return -ENOMEM;
	err = load(program);
	if (!err) {
		*step = XSK_STEP_ATTACH;
		err = attach(program, ifindex, late);
	}
	if (!err) {
		*out = program;
		return 0;
	}
	bpf_object__close(program->object);
	free(program);
	return err;
}

void sys_program_leave(struct sys_program *program)
{
	if (program->link >= 0)
		close(program->link);
	program->link = -1;
}

void sys_program_detach(struct sys_program *program)
{
	sys_program_leave(program);
	bpf_object__close(program->object);
	free(program);
}

int sys_program_set_socket(struct sys_program *program, uint32_t slot, int fd)
{
	if (fd >= 0)
		return bpf_map_update_elem(program->sockets, &slot, &fd,
					   BPF_ANY);
	return bpf_map_delete_elem(program->sockets, &slot);
}

int sys_program_set_rule(struct sys_program *program,
			 const struct steer_match *match,
			 const struct steer_target *target)
{
	if (target)
		return bpf_map_update_elem(program->rules, match, target,
					   BPF_ANY);
	return bpf_map_delete_elem(program->rules, match);
}
