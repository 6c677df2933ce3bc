# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Included at the end of each group's Makefile: kselftest's own lib.mk, from
# KSELFTEST. In the kernel's tree, as selftests/doca/GROUP, that is the folder above;
# here it is unpacked from the kernel's source by the Makefile of this folder.

here := $(dir $(realpath $(lastword $(MAKEFILE_LIST))))
KSELFTEST ?= $(realpath $(here)..)
CFLAGS += -isystem $(KSELFTEST) -include $(here)lib/patience.h

# kselftest finds itself as the one lib.mk in this list.
MAKEFILE_LIST :=
include $(KSELFTEST)/lib.mk
