# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# UNDER names the tool that watches a build for tests; $(under) has its options for compiler and
# linker.

# TSan does not know fences, and says so; ours order the rings' two ends, of which
# the other is the kernel's. To build what is watched costs more than to run it, so there is
# little optimization: too little to see what is initialized.
under_once := -O1 -g1 -Wno-maybe-uninitialized -fno-omit-frame-pointer
under_asan := $(under_once) -fsanitize=address,undefined -fno-sanitize-recover=undefined
under_tsan := $(under_once) -fsanitize=thread -Wno-tsan
under_valgrind := -fno-omit-frame-pointer
# As little optimization as leaves out what the driver in a process has not got of the module, and too
# little to see what is initialized.
under_gcov := --coverage -fprofile-update=atomic -Og -Wno-maybe-uninitialized
under_fuzz := -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-unknown-attributes
under := $(under_$(UNDER))

ifneq ($(UNDER),$(if $(under),$(UNDER)))
$(error UNDER=$(UNDER) is unknown; it is asan, tsan, valgrind, gcov or fuzz)
endif

# To make, what was built for another machine is up to date.
ifneq ($(if $(filter clean,$(MAKECMDGOALS)),,$(machine)),)
built_for := $(shell cat $(B)/machine 2>/dev/null || \
	{ mkdir -p $(B) && echo $(machine) | tee $(B)/machine; })
ifeq ($(built_for),)
$(error cannot write to $(B): build with O=DIR in a folder where you may write)
endif
ifneq ($(built_for),$(machine))
$(error $(B) is for $(built_for), but $(CC) builds for $(machine): "make clean" first, or build with O=DIR in \
another folder)
endif
endif

# Tests have more code than what they test, and run it once. gold, which may not be installed,
# links faster.
ifneq ($(filter asan tsan,$(UNDER)),)
under_test := -O0
under_ld := $(shell $(CC) -fuse-ld=gold -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=gold)
endif
