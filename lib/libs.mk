# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The libraries, a row each: FOLDER:LIBRARY:NEEDS:PACKAGES:KIND, a - where there is nothing.
#
#   FOLDER    below lib/; all its sources are built, and linked by its version script
#   LIBRARY   without lib; what is installed has its name, if there is a .pc.in
#   NEEDS     libraries of ours, with commas between them
#   PACKAGES  other libraries by their names of pkg-config, likewise
#   KIND      some of these:
#             tasks     contexts and tasks (lib/core/exec/library.h): tools are linked with it,
#                       and so are programs that have the driver within their process
#             caps      doca_caps shows what tools/caps/lib_NAME.c has; NAME is without doca_
#             shared    it cannot be linked statically
#             xsk       lib/xsk is a part of it
#             optional  it is built only where its packages are
#             v1        its version is that of another interface, 1.2.0
LIBS := core:doca_common:-:libnl-3.0,libnl-genl-3.0,libnl-route-3.0,libibverbs,json-c:caps
LIBS += argp:doca_argp:doca_common:json-c:-
LIBS += dma:doca_dma:doca_common:-:tasks,caps
LIBS += eth:doca_eth:doca_common:-:tasks,caps,xsk
LIBS += flow:doca_flow:doca_eth,doca_common:-:-
LIBS += api13:doca_1_3:doca_dma,doca_common:-:-
# It stands before libibverbs, in the order in which symbols are looked for.
LIBS += dm:open_doca_dm:doca_common:libibverbs:shared,caps
LIBS += apsh:doca_apsh:doca_common:json-c,liblzma,libcrypto,zlib:caps
LIBS += dpdk_bridge:doca_dpdk_bridge:doca_common:libdpdk:optional,caps
# Programs of Onload; the first is preloaded, and loads the second where it is to go past
# the kernel; the third is what they are linked with. Not with ONLOAD=no, for Onload
# itself has the same names.
ifneq ($(ONLOAD),no)
LIBS += onload/onload:onload:-:-:shared,v1
LIBS += onload/onload_xdp:onload_xdp:-:-:shared,v1,xsk
LIBS += onload/onload_ext:onload_ext:-:-:v1
endif

comma := ,

# $(call lib_column,ROW,NUMBER) and $(call lib_rows,KIND)
lib_column = $(filter-out -,$(subst $(comma), ,$(word $(2),$(subst :, ,$(1)))))
lib_rows = $(foreach r,$(LIBS),$(if $(filter $(1),$(call lib_column,$(r),5)),$(r)))
# $(call lib_version,ROW), and what of it is in the soname
lib_version = $(if $(filter v1,$(call lib_column,$(1),5)),1.2.0,2.5.0)
lib_major = $(firstword $(subst ., ,$(call lib_version,$(1))))

# Folders and names of the libraries of tasks.
task_dirs := $(foreach r,$(call lib_rows,tasks),$(call lib_column,$(r),1))
task_libs := $(foreach r,$(call lib_rows,tasks),$(call lib_column,$(r),2))
