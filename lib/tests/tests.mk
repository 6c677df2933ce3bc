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
tests := $(filter-out $(if $(have_dpdk),,%/test_dpdk),$(tests))
# What these test is not the code that is watched: once is enough.
scripts := $(if $(filter asan,$(UNDER)),$(sort $(wildcard $(src)/tests/*.sh)))
scripts := $(if $(DOCA_DEBUG),,$(scripts))
scripts := $(filter-out $(if $(have_dpdk),%/dpdk_missing.sh),$(scripts))

test_libs := $(libs:%=$(B)/lib%.a)

# These calls go through tests/fault.c.
wrapped := malloc calloc realloc reallocarray aligned_alloc strdup strndup \
	epoll_create1 epoll_ctl eventfd
fault := $(B)/tests/fault.o

$(tests): $(B)/tests/%: $(src)/tests/%.c $(fault) $(test_libs)
	$(CC) $(flags) $(foreach l,$(use),$($(l)_cflags)) $(CFLAGS) $(under) \
		-I$(src)/core -MMD -MP -o $@ $< $(fault) \
		-Wl,--start-group $(use:%=$(B)/lib%.a) -Wl,--end-group \
		$(wrapped:%=-Wl,--wrap=%) \
		$(filter-out -ldoca_%,$(foreach l,$(use),$($(l)_ldlibs)))

# DPDK takes a process over, so only its own test has it.
$(tests): private use := $(filter-out doca_dpdk_bridge,$(libs))
$(B)/tests/test_dpdk: private use := $(libs)

$(fault): $(src)/tests/fault.c
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(filter-out --coverage,$(under)) -MMD -MP -c -o $@ $<

-include $(tests:=.d) $(fault:.o=.d)

.PHONY: run-tests
run-tests: $(tests)
	@CC="$(CC)" CXX="$(CXX)" TOP=$(top) O=$(abspath $(O)) UNDER=$(UNDER) \
		$(src)/tests/run $(tests) $(scripts)

# Line by line, what the tests have run of the libraries.
COVERAGE_MIN := 90

.PHONY: coverage
coverage:
	@find $(abspath $(O))/lib-gcov -name '*.gcda' -delete 2>/dev/null || :
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) UNDER=gcov check
	@cd $(top) && gcovr --object-directory $(abspath $(O))/lib-gcov \
		--filter lib/ --exclude lib/tests/ --fail-under-line $(COVERAGE_MIN)
