/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * RDMA devices by libibverbs, and network interfaces by libnl. They are a plug-in of
 * libdoca_common, verbs.so, so that programs without such devices do not load these
 * libraries. Programs that are linked statically have it in libdoca_common.a.
 *
 * core/device/verbs.h and netdev.h describe the functions.
 */
#ifndef DOCA_CORE_VERBS_TABLE_H
#define DOCA_CORE_VERBS_TABLE_H

#include "core/device/netdev.h"
#include "core/device/verbs.h"

struct verbs_table {
	const char *release; /* release of the library that it belongs to */
	int (*load_drivers)(
		void); /* the number of devices: for each a driver was looked for */
	struct ibv_context *(*open_device)(const char *ibdev);
	int (*query_port)(const char *ibdev, struct verbs_port *port);
	int (*open_pd)(const char *ibdev, struct ibv_pd **pd);
	int (*close_pd)(struct ibv_pd *pd);
	void (*orphan_pd)(struct ibv_pd *pd);
	int (*reg_mr)(struct ibv_pd *pd, void *addr, size_t len, int access,
		      struct ibv_mr **mr);
	int (*reg_dmabuf_mr)(struct ibv_pd *pd, int fd, size_t offset,
			     void *addr, size_t len, int access,
			     struct ibv_mr **mr);
	int (*dereg_mr)(struct ibv_mr *mr);
	int (*find)(const char *ibdev, struct netdev *netdev);
	int (*get_addr)(const struct netdev *netdev, int family, void *addr,
			size_t size);
	int (*get_mac)(const struct netdev *netdev, void *addr, size_t size);
};

#define VERBS_TABLE "open_doca_verbs"

/* pd.c */
int verbs_table_load_drivers(void);
struct ibv_context *verbs_table_open_device(const char *ibdev);
int verbs_table_open_pd(const char *ibdev, struct ibv_pd **pd);
int verbs_table_close_pd(struct ibv_pd *pd);
void verbs_table_orphan_pd(struct ibv_pd *pd);
int verbs_table_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access,
		       struct ibv_mr **mr);
int verbs_table_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset,
			      void *addr, size_t len, int access,
			      struct ibv_mr **mr);
int verbs_table_dereg_mr(struct ibv_mr *mr);

/* port.c */
int verbs_table_query_port(const char *ibdev, struct verbs_port *port);

/* netdev.c */
int verbs_table_find(const char *ibdev, struct netdev *netdev);
int verbs_table_get_addr(const struct netdev *netdev, int family, void *addr,
			 size_t size);
int verbs_table_get_mac(const struct netdev *netdev, void *addr, size_t size);

#endif /* DOCA_CORE_VERBS_TABLE_H */
