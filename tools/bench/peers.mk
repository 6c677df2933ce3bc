# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# What doca_bench compares with, where its libraries are; behind lib/toolchain.mk.

peer_flags := $(and $(have_uring),-DHAVE_LIBURING) \
	$(and $(have_dpdk),-DHAVE_DPDK)
uring_flags := $(and $(have_uring),$(shell $(PKG_CONFIG) --cflags liburing))
# Its headers are inline functions, which were not written for our warnings.
dpdk_flags := $(and $(have_dpdk),-DALLOW_EXPERIMENTAL_API $(patsubst -I%,-isystem %,\
	$(shell $(PKG_CONFIG) --cflags libdpdk)))
peer_libs := $(and $(have_uring),$(shell $(PKG_CONFIG) --libs liburing)) \
	$(and $(have_dpdk),-lrte_dmadev -lrte_eal)
# What lib/xsk needs; without it, none of it is asked for.
xsk_libs := $(if $(have_xsk),$(shell $(PKG_CONFIG) --libs libxdp libbpf))
peer_missing := $(addprefix $(top)/tools/bench/,$(if $(have_uring),,uring.c) \
	$(if $(have_dpdk),,dpdk.c child.c))
