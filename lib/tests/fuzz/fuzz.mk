# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs that libFuzzer drives within a process, over an interface, an RDMA device or a machine's
# memory that is made up; make -C lib UNDER=fuzz fuzz-xsk|fuzz-eth|fuzz-rdma|fuzz-apsh|fuzz-apsh-code
# [T=SECONDS] [F=KIND, of fuzz-apsh]. Each goes on with the corpus that it has kept.

fuzzed := xsk eth rdma apsh apsh-code
fuzz_eth_libs := doca_common doca_dma doca_eth
fuzz_rdma_libs := doca_common doca_dma doca_rdma
fuzz_apsh_libs := doca_common doca_apsh
fuzz_apsh-code_libs := $(fuzz_apsh_libs)
fuzz_xsk_parts := $(filter-out %/sys.o %/program.o %/kind.o %/net.o %/none.o,$(xsk_objs))
$(foreach f,$(filter-out xsk,$(fuzzed)),\
	$(eval fuzz_$(f)_parts := $(fuzz_$(f)_libs:%=$(B)/lib%.a)) \
	$(eval fuzz_$(f)_ldlibs := \
		$(filter-out -ldoca_%,$(foreach l,$(fuzz_$(f)_libs),$($(l)_ldlibs)))))

# The options of libFuzzer for one of them.
fuzz_options := -max_len=1024 -timeout=20
fuzz_apsh-code_options := -timeout=30 -len_control=0 -max_len=512
fuzz_apsh_options := -timeout=30 -len_control=0 -max_len=$(if $(filter map kdump avml qevm,$(F)),65536,4096)

$(fuzzed:%=$(B)/fuzz/%.o): $(B)/fuzz/%.o:
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(under) -I$(src)/tests -MMD -MP -c -o $@ $<
$(foreach f,$(fuzzed),$(eval $(B)/fuzz/$(f).o: $(src)/tests/fuzz/$(subst -,_,$(f)).c))

$(foreach f,$(fuzzed),$(eval $(B)/fuzz/$(f): $(fuzz_$(f)_parts)))
$(fuzzed:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/fuzz/%.o
	$(CC) -pthread $(subst -no-link,,$(under)) -o $@ $< $(if $(fuzz_$*_libs),$(tables:%=-Wl,-u,%)) -Wl,--start-group \
		$(fuzz_$*_parts) -Wl,--end-group $(fuzz_$*_ldlibs)

-include $(fuzzed:%=$(B)/fuzz/%.d)

.PHONY: $(fuzzed:%=fuzz-%)
$(fuzzed:%=fuzz-%): fuzz-%: $(B)/fuzz/%
	@mkdir -p $(B)/fuzz/corpus-$*$(F)
	$(if $(filter apsh,$*),@cd $(B)/fuzz && FUZZ_SEEDS=corpus-$*$(F) ./$*)
	@cd $(B)/fuzz && FUZZ_KIND=$(F) ./$* -max_total_time=$(or $(T),600) \
		$(or $(fuzz_$*_options),$(fuzz_options)) corpus-$*$(F)
