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
# What these test is not the code that is watched: once is enough.
scripts := $(if $(filter asan,$(UNDER)),$(sort $(wildcard $(src)/tests/*.sh)))

test_libs := $(libs:%=$(B)/lib%.a)
# What the libraries need beside each other.
test_ldlibs := $(filter-out -ldoca_%,$(foreach l,$(libs),$($(l)_ldlibs)))

# These calls go through tests/fault.c.
wrapped := malloc calloc realloc reallocarray aligned_alloc strdup strndup \
	epoll_create1 epoll_ctl eventfd
fault := $(B)/tests/fault.o

$(tests): $(B)/tests/%: $(src)/tests/%.c $(fault) $(test_libs)
	$(CC) $(flags) $(foreach l,$(libs),$($(l)_cflags)) $(CFLAGS) $(under) \
		-I$(src)/core -MMD -MP -o $@ $< $(fault) \
		-Wl,--start-group $(test_libs) -Wl,--end-group \
		$(wrapped:%=-Wl,--wrap=%) $(test_ldlibs)

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
