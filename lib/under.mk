# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# What may watch a build for tests, UNDER: $(under) is what compiler and linker are told.

# TSan does not know fences, and says so; ours order the rings' two ends, of which
# the other is the kernel's.
under_asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
under_tsan := -fsanitize=thread -Wno-tsan -fno-omit-frame-pointer
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
