# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of the libraries that need no kernel: always with something that watches them,
# ASan and UBSan unless UNDER says otherwise; linked statically, so that they reach
# internal functions too.

# Built in a make of its own, for what watches changes every object.
check:
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) \
		UNDER=$(or $(UNDER),asan) run-tests

tests := $(patsubst $(src)/tests/%.c,$(B)/tests/%,\
	$(sort $(wildcard $(src)/tests/test_*.c)))
tests := $(filter-out $(if $(have_dpdk),,$(B)/tests/test_dpdk%),$(tests))
# What these test is not the code that is watched: once is enough.
scripts := $(if $(filter asan,$(UNDER)),$(sort $(wildcard $(src)/tests/*.sh)))
scripts := $(if $(DOCA_DEBUG),,$(scripts))
scripts := $(filter-out $(if $(have_dpdk),%/dpdk_missing.sh),$(scripts))

test_libs := $(libs:%=$(B)/lib%.a)

# These calls go through tests/fault.c.
wrapped := malloc calloc realloc reallocarray aligned_alloc strdup strndup \
	epoll_create1 epoll_ctl eventfd

# And calls of public functions through stubs, which record what they return.
error_codes := $(top)/tools/build/error-codes
headers := $(filter-out $(if $(have_dpdk),,%/doca_dpdk.h),\
	$(wildcard $(top)/include/doca_*.h))
helpers := $(B)/tests/fault.o $(B)/tests/seen.o

$(tests:=.o): $(B)/tests/%.o: $(src)/tests/%.c $(B)/tests/stubs.symbols
	$(CC) $(flags) $(foreach l,$(use),$($(l)_cflags)) $(CFLAGS) $(under) \
		-I$(src)/core -MMD -MP -c -o $@ $<
	$(OBJCOPY) --redefine-syms=$(B)/tests/stubs.symbols $@

$(tests): %: %.o %.stubs.o $(helpers) $(test_libs)
	$(CC) $(under) -o $@ $< $@.stubs.o $(helpers) \
		-Wl,--start-group $(use:%=$(B)/lib%.a) -Wl,--end-group \
		$(wrapped:%=-Wl,--wrap=%) \
		$(filter-out -ldoca_%,$(foreach l,$(use),$($(l)_ldlibs)))

# DPDK takes a process over, so only its own tests have it.
dpdk_tests := $(filter $(B)/tests/test_dpdk%,$(tests))
$(tests) $(tests:=.o): private use := $(filter-out doca_dpdk_bridge,$(libs))
$(dpdk_tests) $(dpdk_tests:=.o): private use := $(libs)

$(B)/tests/stubs.symbols: $(headers) $(error_codes)
	@mkdir -p $(@D)
	$(error_codes) symbols $(headers) >$@

$(tests:=.stubs.c): %.stubs.c: %.o
	$(error_codes) stubs $< $(headers) >$@

compile_helper = $(CC) $(flags) $(CFLAGS) $(filter-out --coverage,$(under)) \
	-I$(src)/tests -MMD -MP -c -o $@ $<

$(tests:=.stubs.o): %.o: %.c
	$(compile_helper)

$(helpers): $(B)/tests/%.o: $(src)/tests/%.c
	@mkdir -p $(@D)
	$(compile_helper)

-include $(tests:=.d) $(tests:=.stubs.d) $(helpers:.o=.d)

record := $(B)/tests/record

.PHONY: run-tests
run-tests: $(tests)
	@: >$(record)
	@CC="$(CC)" CXX="$(CXX)" TOP=$(top) O=$(abspath $(O)) UNDER=$(UNDER) \
		DOCA_TESTS_RECORD=$(record) HEADERS="$(headers)" \
		$(src)/tests/run $(tests) $(scripts)

# What is documented and not tested, or the other way round; part of check, too.
.PHONY: error-codes
error-codes:
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) UNDER=asan \
		scripts= run-tests >/dev/null || \
		{ echo "a test has failed: see make check-host"; exit 1; } >&2
	@DOCA_TESTS_RECORD=$(abspath $(O))/lib-asan/tests/record \
		HEADERS="$(headers)" $(src)/tests/error_codes.sh

# Line by line, what the tests have run of the libraries.
COVERAGE_MIN := 90

.PHONY: coverage
coverage:
	@find $(abspath $(O))/lib-gcov -name '*.gcda' -delete 2>/dev/null || :
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) UNDER=gcov check
	@cd $(top) && gcovr --object-directory $(abspath $(O))/lib-gcov \
		--filter lib/ --exclude lib/tests/ --fail-under-line $(COVERAGE_MIN)
