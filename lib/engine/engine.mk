# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The engine: the driver's sources, compiled as they are with shim/kernel.h before each,
# and what stands for the rest of the kernel. Included by makefiles that link it, with
#
#   top, O, CC, LD, OBJCOPY, CFLAGS, under   as everywhere; UNDER for what is watched
#   E        where its objects go
#
# $(engine) is one object, of whose names only engine_* are seen; $(engine_whole) is the
# same with all of them, for tests of what no program can get at.

engine_src := $(top)/lib/engine

# The module's own list, as it is for a kernel that has neither RDMA nor dma-bufs nor
# huge pages; and without what speaks to other parts of one. What only tests have is in
# what is watched.
DOCA_TEST_OPS := $(if $(UNDER),y)
include $(top)/kernel/Kbuild
engine_kernel := $(filter-out trace netlink% %_timer,$(doca-y:.o=))
engine_own := $(filter-out $(if $(DOCA_TEST_OPS),,slow_clock),\
	$(patsubst $(engine_src)/%.c,%,$(wildcard $(engine_src)/*.c)))

engine_kernel_objs := $(engine_kernel:%=$(E)/kernel/%.o)
engine_own_objs := $(engine_own:%=$(E)/%.o)
engine_objs := $(engine_kernel_objs) $(engine_own_objs)
engine := $(E)/engine.o
engine_whole := $(E)/engine_whole.o

# The kernel's rules of the language and of warnings. What a compiler may do there
# it may do here: no other registers, no aliasing.
engine_flags := -std=gnu11 -Wall -Werror -Wno-unused-function -fPIC \
	-fno-strict-aliasing -fno-common -fno-delete-null-pointer-checks \
	-fvisibility=hidden -pthread -D_GNU_SOURCE \
	-include $(engine_src)/shim/kernel.h -I$(E)/empty -I$(top)/uapi \
	-I$(engine_src) -I$(top)/kernel -I$(top)/lib -I$(top)/include \
	$(if $(DOCA_TEST_OPS),-DDOCA_TEST_OPS)

# Also of arrays that end a structure. Other processes are as slow, if they are watched.
engine_under = $(filter-out --coverage,$(under)) $(if $(UNDER),-DWIRE_SLOW=4) $(if $(filter asan,$(UNDER)),\
	-fsanitize=bounds-strict -fno-sanitize-recover=bounds-strict)

# What a kernel's header says is in the shim, wherever user space has one or not.
engine_headers := $(filter-out linux/doca% linux/types.h linux/errno.h linux/ioctl.h,\
	$(sort $(shell sed -n 's/^\#include <\(.*\)>/\1/p' $(top)/kernel/*.[ch] \
	$(top)/kernel/ops/*.[ch])))
engine_empty := $(engine_headers:%=$(E)/empty/%)

$(engine_empty):
	@mkdir -p $(@D)
	@: >$@

# What is run of the driver's sources is counted with what is run of the module.
$(engine_kernel_objs): $(E)/kernel/%.o: $(top)/kernel/%.c | $(engine_empty)
	@mkdir -p $(@D)
	$(CC) $(engine_flags) $(CFLAGS) $(engine_under) $(filter --coverage,$(under)) \
		-MMD -MP -c -o $@ $<

$(engine_own_objs): $(E)/%.o: $(engine_src)/%.c | $(engine_empty)
	@mkdir -p $(@D)
	$(CC) $(engine_flags) $(CFLAGS) $(engine_under) -MMD -MP -c -o $@ $<

-include $(engine_objs:.o=.d)

$(engine_whole): $(engine_objs) $(engine_src)/engine.lds
	$(LD) -r -T $(engine_src)/engine.lds -o $@ $(engine_objs)

# One object, for the driver's inner names are those of the library, too.
$(engine): $(engine_whole)
	$(OBJCOPY) -w --keep-global-symbol='engine_*' $< $@
