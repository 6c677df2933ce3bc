# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of the libraries that need no kernel: always with ASan and UBSan, linked
# statically, so that they reach internal functions too.

TEST_SAN ?= address,undefined

# Built in a make of its own, for the sanitizers change every object.
check:
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) \
		SAN=$(TEST_SAN) run-tests

tests := $(patsubst $(src)/tests/%.c,$(B)/tests/%,\
	$(sort $(wildcard $(src)/tests/test_*.c)))
scripts := $(sort $(wildcard $(src)/tests/*.sh))

$(tests): $(B)/tests/%: $(src)/tests/%.c $(B)/libdoca_dma.a $(B)/libdoca_common.a
	@mkdir -p $(@D)
	$(CC) $(flags) $(doca_common_cflags) $(CFLAGS) -I$(src)/core -MMD -MP \
		-o $@ $< $(B)/libdoca_dma.a $(B)/libdoca_common.a \
		$(doca_common_ldlibs)

-include $(tests:=.d)

.PHONY: run-tests
run-tests: $(tests)
	@CC="$(CC)" CXX="$(CXX)" TOP=$(top) O=$(abspath $(O)) \
		$(src)/tests/run $(tests) $(scripts)
