# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Included at the end of each group's Makefile: kselftest's own lib.mk, from
# KSELFTEST. In the kernel's tree, as selftests/doca/GROUP, that is the folder above;
# here it is unpacked from the kernel's source by the Makefile of this folder.

here := $(dir $(realpath $(lastword $(MAKEFILE_LIST))))
KSELFTEST ?= $(realpath $(here)..)
# Programs mostly wait, and are built more often than they run for long; but an emulated
# machine would take its time for what is not optimized at all. That is too little to see what
# is initialized.
CFLAGS += -Og -g1 -Wno-maybe-uninitialized
CFLAGS += -isystem $(KSELFTEST) -include $(here)lib/patience.h

# kselftest finds itself as the one lib.mk in this list.
MAKEFILE_LIST :=
# It has a compiler of its own.
ours := $(if $(filter environment,$(origin CC)),$(CC))
include $(KSELFTEST)/lib.mk
ifneq ($(ours),)
CC := $(ours)
endif
