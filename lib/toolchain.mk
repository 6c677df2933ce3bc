# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# CC, CXX, CLANG, LD, AR, OBJCOPY, PKG_CONFIG, CFLAGS and LDFLAGS, each as the environment or the
# command line has it, and what is found with them. Included with
#
#   top      the top of the tree
#   UNDER    as everywhere
#   RUNPATH  no: programs and libraries find ours where the loader looks for all others,
#            as those of a system do, and not beside themselves
#
# MULTIARCH is the folder of libraries of what CC builds for, if systems have one. $(not_ours)
# is not empty where that is another machine than this one.

# In rules of tests, before anything is built for them.
needs_python := command -v python3 >/dev/null || \
	{ echo "python3 is missing, which runs the tests: install python3"; exit 1; }

# make knows some by itself, which are not those that we want.
is_unset = $(filter default undefined,$(origin $(1)))

ifneq ($(call is_unset,CC),)
CC := gcc
endif
# It alone builds programs for the kernel, and has libFuzzer.
CLANG ?= $(if $(findstring clang,$(CC)),$(CC),clang)
ifeq ($(UNDER),fuzz)
CC := $(CLANG)
endif
ifneq ($(call is_unset,CXX),)
CXX := $(subst clang,clang++,$(subst gcc,g++,$(CC)))
endif

# A compiler for other machines brings its own.
binutil = $(or $(shell $(CC) -print-prog-name=$(1) 2>/dev/null),$(1))
ifneq ($(call is_unset,LD),)
LD := $(call binutil,ld)
endif
ifneq ($(call is_unset,AR),)
AR := $(call binutil,ar)
endif
ifneq ($(call is_unset,OBJCOPY),)
OBJCOPY := $(call binutil,objcopy)
endif
CFLAGS ?= -O2 -g
# Inner names are made local in machine code, of which there is none before the last link otherwise.
override CFLAGS := $(filter-out -flto%,$(CFLAGS))

MULTIARCH := $(shell $(top)/scripts/build/multiarch $(CC))
machine := $(firstword $(subst -, ,$(or $(MULTIARCH),$(shell $(CC) -dumpmachine 2>/dev/null))))
not_ours := $(filter-out $(shell uname -m)-%,$(MULTIARCH))
ifneq ($(call is_unset,PKG_CONFIG),)
PKG_CONFIG := $(if $(not_ours),$(if $(PKG_CONFIG_LIBDIR),,env \
	PKG_CONFIG_LIBDIR=/usr/lib/$(MULTIARCH)/pkgconfig:/usr/share/pkgconfig)) pkg-config
endif

# Those of $(1) that are not there; and Debian's names of packages.
lacking = $(if $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null || echo no),$(foreach \
	p,$(1),$(if $(shell $(PKG_CONFIG) --exists $p 2>/dev/null || echo no),$p)))
debian_libnl-3.0 := libnl-3
debian_libnl-genl-3.0 := libnl-genl-3
debian_libnl-route-3.0 := libnl-route-3
debian_json-c := libjson-c
debian_libcrypto := libssl
debian_zlib := zlib1g
debian_yara := libyara
debian_arch := $(if $(not_ours),:$(patsubst x86_64,amd64,$(patsubst aarch64,arm64,$(machine))))
debian_packages = $(foreach p,$(1),$(or $(debian_$p),$p)-dev$(debian_arch))

# Parts that are built only where their packages are, which pkg-config knows by these names:
# $(have_NAME) is not empty then.
optional_xsk := libxdp libbpf
about_xsk := receiving of frames past the kernel (doca_eth, onload)
optional_dpdk := libdpdk
about_dpdk := libdoca_dpdk_bridge
optional_yara := yara
about_yara := YARA scans of App Shield
optional_map := json-c libcrypto libbpf libelf libarchive zlib
about_map := doca_apsh_map

options := xsk dpdk yara map
$(foreach o,$(options),$(eval lack_$o := $$(call debian_packages,$$(call lacking,$(optional_$o)))))
lack_xsk += $(if $(shell command -v $(firstword $(CLANG))),,clang)
$(foreach o,$(options),$(eval have_$o := $(if $(strip $(lack_$o)),,yes)))

# A line for each of $(1) that is left out.
say_left_out = $(foreach o,$(1),$(if $(have_$o),,echo '  $(about_$o): install $(strip $(lack_$o))';))

# $(call run_path,FOLDERS), for the linker
comma := ,
run_path = $(if $(filter no,$(RUNPATH)),,-Wl$(comma)-rpath$(comma)'$(1)')
