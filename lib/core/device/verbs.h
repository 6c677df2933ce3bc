/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The core's calls of the verbs library. An open RDMA device cannot always be removed.
 * So it is opened, asked and closed at once to learn a property, and stays open
 * only if a program wants its protection domain.
 *
 * Functions return 0 or a negative errno. They log nothing, but with ELIBACC that their plug-in
 * (core/verbs/table.h) cannot be loaded now, and why.
 */
#ifndef DOCA_CORE_VERBS_H
#define DOCA_CORE_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ibv_context;
struct ibv_mr;
struct ibv_pd;

struct verbs_port {
	bool infiniband; /* its link layer */
	uint16_t lid;
	uint64_t rate; /* bits a second */
};

/*
 * Load what the calls below need, which do so otherwise. Call it with no lock held (loader.h). After it
 * has returned 0 they may be made with one. A device that comes later may need a driver that is not
 * loaded yet: they load it with that lock, for which a constructor of it must not wait, nor fork.
 */
int verbs_prepare(void);

/* Likewise for calls on a domain that is there, which look for no device. */
int verbs_prepare_domain(void);

/* Returns NULL and errno; ENODEV: no such device. */
struct ibv_context *verbs_open_device(const char *ibdev);

/* Returns -ENODEV if there is no such device. */
int verbs_query_port(const char *ibdev, struct verbs_port *port);

/* Open a device, and make a protection domain in it. */
int verbs_open_pd(const char *ibdev, struct ibv_pd **pd);

/* Returns -EBUSY, and changes nothing, while something exists in the domain. */
int verbs_close_pd(struct ibv_pd *pd);

/* Release the parent's device in the child of a fork. */
void verbs_orphan_pd(struct ibv_pd *pd);

/* @access: IBV_ACCESS_* */
int verbs_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access,
		 struct ibv_mr **mr);
/* Register a dma-buf from @offset; work requests use addresses from @addr. */
int verbs_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset, void *addr,
			size_t len, int access, struct ibv_mr **mr);
int verbs_dereg_mr(struct ibv_mr *mr);

#endif /* DOCA_CORE_VERBS_H */
