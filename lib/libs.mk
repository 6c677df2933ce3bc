# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The libraries, a call each:
#
#   $(call library,NAME,ARGUMENT = VALUE,...)
#
#   NAME          without lib; what is installed has its name, if there is a .pc.in
#   folder        below lib/; all its sources are built, and linked by its version script
#   needs         libraries of ours
#   packages      other libraries, by their names of pkg-config
#   kind          some of these:
#       tasks     contexts and tasks (lib/core/exec/library.h): tools are linked with it,
#                 and so are programs that have the driver within their process
#       caps      doca_caps shows what tools/caps/lib_NAME.c has; NAME is without doca_
#       shared    it cannot be linked statically
#       xsk       lib/xsk is a part of it
#       optional  it is built only where its packages are
#   plugins       folders of it that are shared objects of their own (plugin_folder of
#                 Makefile), or within the static library
#   version       2.5.0, unless it is that of another interface
#
# Arguments become variables, such as doca_dma_needs.
LIBS :=
library = $(eval LIBS += $(1))$(eval $(1)_version = 2.5.0)$(foreach n,2 3 4 5 6,$(if \
	$($(n)),$(eval $(1)_$(strip $($(n))))))

$(call library,doca_common,folder = core,kind = caps,plugins = settings verbs,\
	packages = libnl-3.0 libnl-route-3.0 libibverbs json-c)
$(call library,doca_argp,folder = argp,needs = doca_common,packages = json-c)
$(call library,doca_dma,folder = dma,needs = doca_common,kind = tasks caps)
$(call library,doca_comch,folder = comch,needs = doca_common,kind = tasks caps)
$(call library,doca_sha,folder = sha,needs = doca_common,kind = tasks caps)
$(call library,doca_aes_gcm,folder = aes_gcm,needs = doca_common,kind = tasks caps)
$(call library,doca_compress,folder = compress,needs = doca_common,kind = tasks caps)
$(call library,doca_erasure_coding,folder = erasure_coding,needs = doca_common,kind = tasks caps)
$(call library,doca_eth,folder = eth,needs = doca_common,kind = tasks caps xsk)
$(call library,doca_rdma,folder = rdma,needs = doca_common,packages = libibverbs librdmacm,\
	kind = tasks caps)
$(call library,doca_flow,folder = flow,needs = doca_eth doca_common)
$(call library,doca_1_3,folder = api13,needs = doca_dma doca_common)
# It stands before libibverbs, in the order in which symbols are looked for.
$(call library,open_doca_dm,folder = dm,needs = doca_common,packages = libibverbs,kind = shared caps)
$(call library,doca_apsh,folder = apsh,needs = doca_common,kind = caps,packages = json-c liblzma \
	libcrypto zlib libzstd)
$(call library,doca_dpdk_bridge,folder = dpdk_bridge,needs = doca_common,packages = libdpdk,\
	kind = optional caps)
# Programs of Onload; the first is preloaded, and loads the second where it is to go past
# the kernel; the third is what they are linked with. Not with ONLOAD=no, for Onload
# itself has the same names.
ifneq ($(ONLOAD),no)
$(call library,onload,folder = onload/onload,kind = shared,version = 1.2.0)
$(call library,onload_xdp,folder = onload/onload_xdp,kind = shared xsk,version = 1.2.0)
$(call library,onload_ext,folder = onload/onload_ext,version = 1.2.0)
endif

# $(call libs_of,KIND), and $(call lib_major,NAME), what of its version is in the soname
libs_of = $(foreach l,$(LIBS),$(if $(filter $(1),$($(l)_kind)),$(l)))
lib_major = $(firstword $(subst ., ,$($(1)_version)))
