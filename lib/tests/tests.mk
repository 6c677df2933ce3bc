# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of the libraries that need no kernel: always with something that watches them,
# ASan and UBSan unless UNDER says otherwise; linked statically, so that they reach
# internal functions too.
#
#   T        the only programs to be run: their names, in which % stands for anything
#   ALL      not empty: all programs under TSan and in debug mode, too, where only those are
#            run otherwise that can show anything there

# Built in a make of its own, for what watches changes every object.
check:
	@$(needs_python)
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) \
		UNDER=$(or $(UNDER),asan) run-tests

tests := $(patsubst $(src)/tests/%.c,$(B)/tests/%,\
	$(sort $(wildcard $(src)/tests/test_*.c)))
tests := $(filter-out $(if $(have_dpdk),,$(B)/tests/test_dpdk%) \
	$(if $(filter onload_ext,$(libs)),,$(B)/tests/test_onload_ext),$(tests))
# Scripts do not test the code that is watched: once is enough.
scripts := $(if $(filter asan,$(UNDER)),$(sort $(wildcard $(src)/tests/*.sh)))
scripts := $(if $(DOCA_DEBUG),,$(scripts))
scripts := $(filter-out $(if $(have_dpdk),%/dpdk_missing.sh),$(scripts))

test_libs := $(patsubst %,$(B)/lib%.a,$(filter-out $(shared),$(libs)))

# These calls go through tests/fault.c.
wrapped := malloc calloc realloc reallocarray aligned_alloc strdup strndup \
	epoll_create1 epoll_ctl eventfd
# And the log's question whether a line is wanted through tests/seen.c, and these through
# tests/clock.c.
wrapped += log_wanted clock_gettime usleep

# And calls of public functions through stubs, which record what they return.
error_codes := $(top)/scripts/build/error-codes
headers := $(filter-out $(if $(have_dpdk),,%/doca_dpdk.h),\
	$(wildcard $(top)/include/doca_*.h))
level_headers := $(wildcard $(top)/include/doca-1.3/doca_*.h)
helpers := $(B)/tests/clock.o $(B)/tests/fault.o $(B)/tests/seen.o

# Tests of the levels 1.3 and 1.5 have no headers of ours, and the fake driver from a
# file that has.
level_1_3 := -I$(top)/include/doca-1.3
level_1_5 := -I$(top)/include/doca-1.5 $(level_1_3)
level_of = $(if $(findstring test_1_3,$(1)),$(level_1_3))$(if \
	$(findstring test_1_5,$(1)),$(level_1_5))
level_tests := $(foreach t,$(tests),$(if $(call level_of,$(t)),$(t)))
$(level_tests): helpers += $(B)/tests/level_fake.o
$(level_tests): $(B)/tests/level_fake.o

# They have sources of a tool, which find their headers there.
$(B)/tests/test_apsh_out.o $(B)/tests/test_apsh_said.o $(B)/tests/test_apsh_tree.o: private flags += -I$(top)/tools

$(tests:=.o): $(B)/tests/%.o: $(src)/tests/%.c $(B)/tests/stubs.symbols
	$(CC) $(call level_of,$*) $(flags) $(foreach l,$(use),$($(l)_cflags)) \
		$(CFLAGS) $(under) $(under_test) -MMD -MP -c -o $@ $<
	$(OBJCOPY) --redefine-syms=$(B)/tests/stubs.symbols $@

# Tables of plug-ins, which only weak references name, and no archive gives for these.
tables := open_doca_settings open_doca_verbs

$(tests): %: %.o %.stubs.o $(helpers) $(test_libs)
	$(CC) $(under) $(under_ld) $(LDFLAGS) -o $@ $< $@.stubs.o $(helpers) $(tables:%=-Wl,-u,%) \
		-Wl,--start-group $(use:%=$(B)/lib%.a) -Wl,--end-group \
		$(wrapped:%=-Wl,--wrap=%) \
		$(filter-out -ldoca_%,$(foreach l,$(use),$($(l)_ldlibs)))

# DPDK takes a process over, so only its own tests have it.
dpdk_tests := $(filter $(B)/tests/test_dpdk%,$(tests))
$(tests) $(tests:=.o): private use := $(filter-out doca_dpdk_bridge $(shared),$(libs))
$(dpdk_tests) $(dpdk_tests:=.o): private use := $(filter-out $(shared),$(libs))

$(B)/tests/test_driver_choice.o: private flags += -DRELEASE='"$(RELEASE)"'

# It has no table of algorithms; gold gives a weak symbol that is hidden, and nowhere, an address.
$(B)/tests/test_compute_load: private under_ld :=

# It finds plug-ins of this release and of another one beside itself.
test_plugins := $(foreach p,this other slow opens,$(B)/tests/plugins/$p.so)
$(B)/tests/test_plugin: | $(test_plugins)
$(B)/tests/test_plugin.o: private flags += -DPLUGIN_FOLDER='"$(plugin_folder)"'
$(test_plugins): plugin_release := $(RELEASE)
$(B)/tests/plugins/other.so: plugin_release := none
$(B)/tests/plugins/slow.so: $(src)/tests/plugin/slow.c
$(B)/tests/plugins/opens.so: $(src)/tests/plugin/opens.c
$(test_plugins): $(src)/tests/plugin/plugin.c $(src)/tests/plugin/plugin.h $(top)/VERSION
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) -DRELEASE='"$(plugin_release)"' -shared -o $@ $(filter %.c,$^)

stubs := $(B)/tests/stubs.symbols $(B)/tests/stubs.c
$(stubs): $(headers) $(level_headers) $(error_codes)
	@mkdir -p $(@D)
	$(error_codes) $(if $(filter %.c,$@),stubs,symbols) $(headers) $(level_headers) >$@

# Generated calls of the version scripts' public functions: a file of calls for each program that
# can be linked with some of the libraries.
object_walk := $(top)/scripts/build/object-walk

walks := $(addprefix $(B)/tests/walks,.h _1_3.h _1_5.h _dm.h _dpdk.h _onload.h)
dpdk_header := $(top)/include/doca_dpdk.h
$(B)/tests/walks_1_3.h: walk_of := doca13_ $(src)/api13/libdoca_1_3.map $(level_headers)
$(B)/tests/walks_1_5.h: walk_of := doca15_ $(src)/api13/libdoca_1_3.map $(level_headers)
$(B)/tests/walks_dm.h: walk_of := "" $(src)/dm/libopen_doca_dm.map $(top)/include/open_doca_dm.h
$(B)/tests/walks_dpdk.h: walk_of := "" $(src)/dpdk_bridge/libdoca_dpdk_bridge.map $(dpdk_header)
$(B)/tests/walks_onload.h: walk_of := "" $(wildcard $(src)/onload/*/*.map) \
	$(wildcard $(top)/include/onload/*.h)
$(B)/tests/walks.h: walk_of := "" $(filter-out $(addprefix $(src)/,api13/% dm/% dpdk_bridge/% \
	onload/%),$(wildcard $(src)/*/*.map $(src)/*/*/*.map)) $(filter-out $(dpdk_header),$(headers)) \
	$(top)/include/open_doca.h

$(walks): $(headers) $(level_headers) $(wildcard $(src)/*/*.map $(src)/*/*/*.map $(top)/include/*/*.h \
		$(top)/include/open_doca*.h) $(object_walk) $(src)/tests/objects.except
	@mkdir -p $(@D)
	$(object_walk) $(src)/tests/objects.except $(walk_of) >$@.new
	mv $@.new $@

walk_tests := $(patsubst %,$(B)/tests/test_%,objects 1_3_walk 1_5_walk dpdk_objects)
$(walk_tests:=.o): $(walks)
$(walk_tests:=.o): private under += -I$(B)/tests

compile_helper = $(CC) $(call level_of,$*) $(flags) $(CFLAGS) $(filter-out --coverage,$(under)) \
	$(under_test) -I$(src)/tests -MMD -MP -c -o $@

# Name the functions that the test calls.
$(tests:=.stubs.h): %.stubs.h: %.o
	nm -u $< | sed -n 's/^ *U \(seen_doca\w*\)$$/#define CALLS_\1/p' >$@

$(tests:=.stubs.o): %.stubs.o: $(B)/tests/stubs.c %.stubs.h
	$(compile_helper) -include $*.stubs.h $<

$(helpers): $(B)/tests/%.o: $(src)/tests/%.c
	@mkdir -p $(@D)
	$(compile_helper) $<

$(B)/tests/level_fake.o: $(src)/tests/level_fake.c
	@mkdir -p $(@D)
	$(compile_helper) $<

-include $(tests:=.d) $(tests:=.stubs.d) $(helpers:.o=.d) $(B)/tests/level_fake.d

record := $(B)/tests/record

# Programs that are linked with what stands before other libraries, and so in their order.
onload_tests := $(if $(filter onload,$(libs)),$(patsubst $(src)/tests/onload/%.c,\
	$(B)/tests/test_onload_%,$(sort $(wildcard $(src)/tests/onload/*.c))))
dm_tests := $(patsubst $(src)/tests/dm/test_%.c,\
	$(B)/tests/test_dm_%,$(sort $(wildcard $(src)/tests/dm/test_*.c)))
apart := $(dm_tests) $(onload_tests)

# A program without threads has no race. No header of the tests starts one.
thread_headers := $(shell grep -l pthread_create $(src)/tests/*.h $(src)/tests/*/*.h)
ifneq ($(thread_headers),)
$(error $(thread_headers): who includes it starts threads)
endif
start_threads = $(patsubst $(src)/tests/%.c,%,$(patsubst \
	$(src)/tests/onload/%,$(src)/tests/test_onload_%,$(patsubst \
	$(src)/tests/dm/test_%,$(src)/tests/test_dm_%,$(shell grep -l pthread_create \
	$(src)/tests/*.c $(src)/tests/*/*.c))))

# Debug mode looks at the objects that programs give to the libraries: where there are some, one of
# these fakes is below, which is known when all has been built. A few programs switch the mode on
# by themselves.
give_objects = $(notdir $(patsubst %.d,%,$(shell \
	grep -lE '/(fake_driver|fake_mem|level_fake)\.h' $(tests:=.d) | xargs grep -L /debug_mode.h)))

# These read what all others have recorded, and so come after all.
of_record := $(addprefix $(src)/tests/,error_codes.sh log_lines.sh)

# Fuzzing takes T for seconds.
only := $(if $(filter file,$(origin T)),,$(T))
only := $(if $(filter $(only),$(basename $(notdir $(filter $(of_record),$(scripts))))),%,$(only))
pick = $(strip $(foreach p,$(tests) $(apart) $(scripts),$(if $(filter $(1),$(basename $(notdir $p))),$p)))
chosen := $(call pick,$(or $(only),$(if $(ALL),%),$(if $(filter tsan,$(UNDER)),$(start_threads)),%))
of_debug_mode = $(if $(or $(only),$(ALL)),$(chosen),$(call pick,$(give_objects)))

# Tests choose for themselves what users choose by these.
unexport DOCA_DRIVER DOCA_WORKERS DOCA_PROFILE DOCA_RUNTIME_DIR

.PHONY: run-tests
run-tests: $(filter-out %.sh,$(chosen))
	@[ -n "$(chosen)" ] || { echo "no test of the libraries is called $(only)"; exit 1; }
	@: >$(record)
	@CC="$(CC)" CXX="$(CXX)" TOP=$(top) O=$(abspath $(O)) UNDER=$(UNDER) \
		DOCA_TESTS_RECORD=$(record) HEADERS="$(headers) $(level_headers)" \
		$(src)/tests/run $(if $(DOCA_DEBUG),$(of_debug_mode),$(filter-out $(of_record),$(chosen)) \
		$(if $(filter $(of_record),$(chosen)),-- $(filter $(of_record),$(chosen))))

# Print the codes that are documented and not tested, or the other way round; part of check, too.
.PHONY: error-codes
error-codes:
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) UNDER=asan \
		scripts= run-tests >/dev/null || \
		{ echo "a test has failed: see make check-host"; exit 1; } >&2
	@DOCA_TESTS_RECORD=$(abspath $(O))/lib-asan/tests/record \
		HEADERS="$(headers) $(level_headers)" $(src)/tests/error_codes.sh

# Line by line, what the tests have run of the libraries. The driver's headers are compiled
# into the driver's files, which are counted with the module.
COVERAGE_MIN := 90

.PHONY: coverage
coverage:
	@find $(abspath $(O))/lib-gcov -name '*.gcda' -delete 2>/dev/null || :
	+@$(MAKE) --no-print-directory -f $(src)/Makefile O=$(O) UNDER=gcov check
	@cd $(top) && gcovr --object-directory $(abspath $(O))/lib-gcov \
		--filter lib/ --exclude lib/tests/ --exclude process/driver/ \
		--fail-under-line $(COVERAGE_MIN)

# The library before libibverbs is tested as it is, for it is found by the order in which
# libraries are looked at: before a libibverbs that has devices of our own.
dm_src := $(src)/tests/dm

$(B)/tests/libdm_verbs.so: $(dm_src)/verbs.c $(dm_src)/verbs.h
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(filter-out --coverage,$(under)) -fvisibility=default \
		-Wl,--version-script=$(dm_src)/verbs.map -shared -o $@ $<

$(dm_tests): $(B)/tests/test_dm_%: $(dm_src)/test_%.c $(dm_src)/bed.h $(dm_src)/verbs.h $(src)/tests/in_child.h \
		$(src)/tests/walk.h $(B)/tests/walks_dm.h $(B)/tests/libdm_verbs.so $(B)/libopen_doca_dm.so
	$(CC) $(flags) $(CFLAGS) $(under) $(under_test) $(LDFLAGS) -I$(src)/tests -I$(B)/tests -o $@ $< -Wl,--no-as-needed \
		-Wl,-rpath,$(B):$(B)/tests -L$(B) -L$(B)/tests -lopen_doca_dm -ldm_verbs \
		-ldoca_common -libverbs

# In place of what goes past the kernel there is an interface that is made up: of that
# soname, so that it is found loaded. The real one may have been built, too: that is looked
# for later. Behind libonload it also has what that asks libc for.
link_dir := $(B)/tests/link
link_objs := $(filter-out %/sys.o %/program.o %/kind.o %/net.o %/none.o,$(xsk_objs)) \
	$(onload_xdp_objs)
past_tests := $(filter $(B)/tests/test_onload_past%,$(onload_tests))

$(link_dir)/libonload_xdp.so.1: $(src)/tests/onload_link/link.c $(link_objs) \
		$(src)/tests/onload_link/link.h $(src)/tests/fake_xsk.h
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(under) $(under_test) -I$(src)/tests -shared -o $@ \
		$(filter %.c %.o,$^) \
		-Wl,-soname,libonload_xdp.so.1

$(past_tests): $(link_dir)/libonload_xdp.so.1
$(past_tests): private onload_rpath := $(link_dir):
$(past_tests): private onload_link := $(link_dir)/libonload_xdp.so.1

# So is what stands before libc.
$(onload_tests): $(B)/tests/test_onload_%: $(src)/tests/onload/%.c \
		$(wildcard $(src)/tests/onload/*.h) $(src)/tests/asleep.h $(src)/tests/walk.h \
		$(B)/tests/walks_onload.h $(B)/libonload.so
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(under) $(under_test) $(LDFLAGS) -I$(src)/tests -I$(B)/tests -o $@ $< \
		-Wl,-rpath,$(onload_rpath)$(B) -L$(B) -lonload $(onload_link)

# Not under a test's wraps, which would be counted.
instructions_use := doca_common doca_dma doca_rdma doca_eth doca_flow
$(B)/tests/instructions.a: $(foreach l,$(instructions_use),$($(l)_objs)) $(xsk)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^
$(B)/tests/rdma_instructions $(B)/tests/eth_instructions: $(B)/tests/%_instructions: \
		$(src)/tests/instructions/%.c $(B)/tests/instructions.a
	$(CC) $(flags) $(CFLAGS) -I$(src)/tests -o $@ $^ $(tables:%=-Wl,-u,%) \
		$(filter-out -ldoca_%,$(foreach l,$(instructions_use),$($(l)_ldlibs)))

apsh_use := doca_common doca_apsh
$(B)/tests/apsh_instructions: $(src)/tests/instructions/apsh.c $(foreach l,$(apsh_use),$($(l)_objs) $(B)/lib$(l).a)
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) -I$(src)/tests -o $@ $< $(doca_apsh_objs) $(B)/libdoca_common.a \
		$(filter-out -ldoca_%,$(foreach l,$(apsh_use),$($(l)_ldlibs)))

$(B)/tests/zc_instructions: $(src)/tests/onload_link/instructions.c \
		$(link_dir)/libonload_xdp.so.1 $(B)/libonload.so
	$(CC) $(flags) $(CFLAGS) -I$(src)/tests -o $@ $< -Wl,-rpath,$(link_dir):$(B) -L$(B) -lonload \
		$(link_dir)/libonload_xdp.so.1
