# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The driver in a process: the module's sources, compiled as they are with shim/kernel.h before each,
# and what stands for the rest of the kernel. Included by makefiles that link it, with
#
#   top, O, CC, LD, OBJCOPY, CFLAGS, under   as everywhere; UNDER for what is watched
#   E        where its objects go
#
# $(inproc) is one object, of whose names only inproc_* are seen; $(inproc_whole) is the
# same with all of them, for tests of what no program can get at.

inproc_src := $(top)/process/driver
inproc_shim := $(top)/process/shim

# The module's own list, as it is for a kernel that has neither RDMA nor dma-bufs nor
# huge pages; and without what speaks to other parts of one, or knows its pages or tables of
# descriptors (area.c, backed.c, files.c and pin.c have their like here). What only tests have is in what is watched.
DOCA_TEST_OPS := $(if $(UNDER),y)
include $(top)/kernel/Kbuild
inproc_own := $(filter-out $(if $(DOCA_TEST_OPS),,slow_clock),\
	$(patsubst $(inproc_src)/%.c,%,$(wildcard $(inproc_src)/*.c $(inproc_src)/algo/*.c)))
# An algorithm that the process has from its libraries stands for the kernel's.
inproc_kernel := $(filter-out trace netlink% area backed descriptors pin $(filter algo/%,$(inproc_own)),$(doca-y:.o=))

inproc_kernel_objs := $(inproc_kernel:%=$(E)/kernel/%.o)
inproc_own_objs := $(inproc_own:%=$(E)/%.o)
inproc_objs := $(inproc_kernel_objs) $(inproc_own_objs)
inproc := $(E)/inproc.o
inproc_whole := $(E)/inproc_whole.o

# The kernel's rules of the language and of warnings. What a compiler may do there
# it may do here: no other registers, no aliasing.
inproc_flags := -std=gnu11 -Wall -Werror -Wno-unused-function -fPIC \
	-fno-strict-aliasing -fno-common -fno-delete-null-pointer-checks \
	-fvisibility=hidden -pthread -D_GNU_SOURCE \
	-include $(inproc_shim)/kernel.h -I$(E)/empty -I$(top)/uapi \
	-I$(inproc_src) -I$(top)/process -I$(top) -I$(top)/kernel -I$(top)/lib -I$(top)/include \
	$(if $(DOCA_TEST_OPS),-DDOCA_TEST_OPS)

# Parts of the module that a process has not got are never reached, which no compiler sees
# without any optimization.
inproc_cflags := $(filter-out -O0,$(CFLAGS)) $(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),,-Og)

# Also of arrays that end a structure. Other processes are as slow, if they are watched.
inproc_under = $(filter-out --coverage,$(under)) $(if $(UNDER),-DWIRE_SLOW=4) $(if $(filter asan,$(UNDER)),\
	-fsanitize=bounds-strict -fno-sanitize-recover=bounds-strict)

# The shim has the contents of a kernel's header, whether user space has one or not.
inproc_headers := $(filter-out linux/doca% linux/types.h linux/errno.h linux/ioctl.h arm_neon.h,\
	$(sort $(shell sed -n 's/^\#include <\(.*\)>/\1/p' $(top)/kernel/*.[ch] \
	$(top)/kernel/ops/*.[ch] $(top)/kernel/algo/*.[ch])))
inproc_empty := $(inproc_headers:%=$(E)/empty/%)

$(inproc_empty):
	@mkdir -p $(@D)
	@: >$@

# Lines of the driver's sources that are run are counted with those of the module.
$(inproc_kernel_objs): $(E)/kernel/%.o: $(top)/kernel/%.c | $(inproc_empty)
	@mkdir -p $(@D)
	$(CC) $(inproc_flags) $(inproc_cflags) $(inproc_under) $(filter --coverage,$(under)) \
		-MMD -MP -c -o $@ $<

$(inproc_own_objs): $(E)/%.o: $(inproc_src)/%.c | $(inproc_empty)
	@mkdir -p $(@D)
	$(CC) $(inproc_flags) $(inproc_cflags) $(inproc_under) -MMD -MP -c -o $@ $<

-include $(inproc_objs:.o=.d)

$(inproc_whole): $(inproc_objs) $(inproc_src)/inproc.lds
	$(LD) -r -T $(inproc_src)/inproc.lds -o $@ $(inproc_objs)

# Algorithms of other libraries, which is a plug-in, or linked with a program.
# The best of what is installed.
compute_isal := $(if $(call lacking,libisal),,libisal)
compute_packages := libcrypto $(or $(compute_isal),zlib)
compute_src := $(top)/process/compute
compute_objs := $(patsubst $(compute_src)/%.c,$(E)/compute/%.o,$(wildcard $(compute_src)/*.c))
compute := $(E)/compute/compute_whole.o
compute_ldlibs = $(shell $(PKG_CONFIG) --libs $(compute_packages))

$(compute_objs): $(E)/compute/%.o: $(compute_src)/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
		$(if $(compute_isal),-DCOMPUTE_ISAL) $(shell $(PKG_CONFIG) --cflags $(compute_packages)) $(CPPFLAGS) $(CFLAGS) $(under) \
		-MMD -MP -c -o $@ $<

-include $(compute_objs:.o=.d)

$(compute): $(compute_objs)
	$(LD) -r -o $@ $(compute_objs)
	$(OBJCOPY) --localize-hidden $@

# One object, for the driver's inner names are those of the library, too.
$(inproc): $(inproc_whole)
	$(OBJCOPY) -w --keep-global-symbol='inproc_*' $< $@
