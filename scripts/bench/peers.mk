# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Objects of doca_bench_peers beside doca_bench's, and libraries that it compares with, where
# they are installed; behind lib/toolchain.mk.

have_uring := $(if $(call lacking,liburing),,yes)
peers_src := $(top)/scripts/bench
peers_missing := dm_bench.c $(if $(have_uring),,uring.c) $(if $(have_dpdk),,dpdk.c child.c)
peers_objs := $(patsubst $(peers_src)/%.c,$(abspath $(O))/scripts/obj/bench/%.o,\
	$(filter-out $(peers_missing:%=$(peers_src)/%),$(sort $(wildcard $(peers_src)/*.c))))
peers_libs := $(shell $(PKG_CONFIG) --libs libnl-route-3.0 libibverbs) \
	$(and $(have_uring),$(shell $(PKG_CONFIG) --libs liburing)) \
	$(and $(have_dpdk),-lrte_dmadev -lrte_eal) \
	$(and $(have_xsk),$(shell $(PKG_CONFIG) --libs libxdp libbpf))
