# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs that libFuzzer drives within a process, over an interface or an RDMA device that is made
# up; make -C lib UNDER=fuzz fuzz-xsk|fuzz-eth|fuzz-rdma [T=SECONDS]. Each goes on with the corpus
# that it has kept.

fuzzed := xsk eth rdma
fuzz_eth_libs := doca_common doca_dma doca_eth
fuzz_rdma_libs := doca_common doca_dma doca_rdma
fuzz_xsk_parts := $(filter-out %/sys.o %/program.o %/kind.o %/net.o %/none.o,$(xsk_objs))
$(foreach f,eth rdma,$(eval fuzz_$(f)_parts := $(fuzz_$(f)_libs:%=$(B)/lib%.a)))
$(foreach f,eth rdma,$(eval fuzz_$(f)_ldlibs := \
	$(filter-out -ldoca_%,$(foreach l,$(fuzz_$(f)_libs),$($(l)_ldlibs)))))

$(fuzzed:%=$(B)/fuzz/%.o): $(B)/fuzz/%.o: $(src)/tests/fuzz/%.c
	@mkdir -p $(@D)
	$(CC) $(flags) $(CFLAGS) $(under) -I$(src)/tests -MMD -MP -c -o $@ $<

$(foreach f,$(fuzzed),$(eval $(B)/fuzz/$(f): $(fuzz_$(f)_parts)))
$(fuzzed:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/fuzz/%.o
	$(CC) -pthread $(subst -no-link,,$(under)) -o $@ $< -Wl,--start-group \
		$(fuzz_$*_parts) -Wl,--end-group $(fuzz_$*_ldlibs)

-include $(fuzzed:%=$(B)/fuzz/%.d)

.PHONY: $(fuzzed:%=fuzz-%)
$(fuzzed:%=fuzz-%): fuzz-%: $(B)/fuzz/%
	@mkdir -p $(B)/fuzz/corpus-$*
	@cd $(B)/fuzz && ./$* -max_total_time=$(or $(T),600) -max_len=1024 -timeout=20 \
		corpus-$*
