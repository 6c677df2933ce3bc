# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Open DOCA: module, libraries, tools, samples and tests. "make help" lists the targets.
# All that is built goes to build/.

ifneq ($(words $(CURDIR)),1)
$(error make and kbuild cannot build in "$(CURDIR)": its name has blanks)
endif

MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

O := $(CURDIR)/build
top := $(CURDIR)

include scripts/build/folders.mk
# The makes below run in other folders.
override O := $(abspath $(O))
override DESTDIR := $(abspath $(DESTDIR))

# Before anything is built, and nothing is half installed: the nearest folders that there are.
closed_of = $(shell for d in $(1); do \
	until [ -e "$$d" ]; do d=$$(dirname "$$d"); done; [ -d "$$d" ] && [ -w "$$d" ] || echo "$$d"; done)
closed := $(if $(filter install uninstall,$(MAKECMDGOALS)),$(call closed_of,\
	$(foreach v,$(filter-out O DESTDIR INSTALL_MOD_PATH,$(folders)),$(addprefix $(DESTDIR),$($v))) \
	$(if $(PREFIX),,$(DESTDIR)/usr/local)))
closed += $(if $(filter modules_install modules_uninstall,$(MAKECMDGOALS)),$(call closed_of,\
	$(or $(INSTALL_MOD_PATH),$(DESTDIR))/lib/modules))
$(foreach d,$(firstword $(closed)),$(error $d is no folder that you may write to: be root, or name others \
	by PREFIX, DESTDIR or INSTALL_MOD_PATH))

include lib/toolchain.mk
ROOT := $(O)/root
VM := scripts/vm/vm

# The stock kernels that are tested, as Debian's packages name them.
SERIES := 6.1 6.12
# Kernels for which the module is built: the newest of each series and the running one.
newest = $(lastword $(shell ls -d /lib/modules/$(1).*/build 2>/dev/null | sort -V))
tested = $(patsubst /lib/modules/%/build,%,$(foreach s,$(SERIES),$(call newest,$(s))))
RELEASES ?= $(sort $(tested) $(patsubst /lib/modules/%/build,%,$(wildcard /lib/modules/$(shell uname -r)/build)))

# Kernels of our own making, which complain of what stock ones do not notice: of 6.1
# where no series is named. They are kept here, and built only where K names one.
OWN := debug debug-6.12 kcsan kcsan-6.12
# K=engines-debug and the like are about that kernel.
places := engines rdma pair programs
named := $(foreach k,$(K),$(firstword $(foreach w,$(places),$(patsubst $w-%,%,$(filter $w-%,$k))) $k))
own := $(filter $(OWN),$(named))
export DOCA_KERNELS ?= $(HOME)/.cache/open-doca/kernels

# Kernels that K names, too: an image by the release that it says it has.
release_of = $(if $(findstring /,$(1)),$(shell $(VM) release $(1) 2>/dev/null),$(1))
named_releases := $(patsubst /lib/modules/%/build,%,$(wildcard \
	$(foreach k,$(named),$(addprefix /lib/modules/,$(addsuffix /build,$(call release_of,$k))))))
releases := $(sort $(RELEASES) $(named_releases))

# Before anything is built: K may name what scripts/check/tiers.py has, of kernels that have headers here.
installed := $(patsubst /lib/modules/%/build,%,$(wildcard /lib/modules/*/build))
arm64 := programs-arm64 engines-arm64 board-arm64 arm64
kernels := $(SERIES) $(OWN) $(filter $(installed),$(patsubst /boot/vmlinuz-%,%,$(wildcard /boot/vmlinuz-*)))
machines := process $(kernels) $(foreach w,$(places),$(kernels:%=$w-%))
machines := $(if $(filter check-arm64,$(MAKECMDGOALS)),$(arm64),$(if $(filter check-engines,$(MAKECMDGOALS)),$(kernels),$(machines)))
takers := check bench check-engines bench-engines check-arm64
unknown := $(if $(filter $(takers),$(MAKECMDGOALS)),$(strip $(foreach k,$(K),$(if $(findstring /,$k),,\
	$(filter-out $(machines),$k)))))
$(if $(unknown),$(error K names $(unknown), which is no kernel here whose headers are installed: there are $(if \
	$(filter check-arm64,$(MAKECMDGOALS)),$(arm64),process $(kernels); engines-6.12 and the like, \
	with rdma-, pair- and programs-; for arm64 there is make check-arm64)))

# The plans are named where they are, those that compare with others apart; an option may be first.
plans := $(if $(filter bench bench-process bench-linked,$(MAKECMDGOALS)),$(if $(BENCH),$(shell sed -n \
	'/struct plan /,/};/s/^\t\.name = "\(.*\)",/\1/p' tools/bench/*.c \
	$(if $(filter bench bench-linked,$(MAKECMDGOALS)),scripts/bench/*.c))))
plans := $(if $(filter bench bench-linked,$(MAKECMDGOALS)),$(filter-out rdma compute,$(plans)),$(plans))
unplanned := $(if $(plans),$(filter-out -% $(plans),$(firstword $(BENCH))))
$(if $(unplanned),$(error BENCH names $(unplanned), which is no plan: there are $(plans)))

# V=1 shows the commands of what is built; kbuild shows progress by itself.
quiet := $(if $(V),,-s)

PREFIX ?= /usr/local
DOCDIR ?= $(PREFIX)/share/doc/open-doca
INSTALL_MOD_PATH ?= $(DESTDIR)

.PHONY: help deps all kernel lib tools man html selftests root install modules_install \
	uninstall modules_uninstall deb rpm \
	check check-host check-tsan check-valgrind check-debug-mode process \
	check-process check-process-tsan check-tools check-model model error-codes coverage stress lint demo bench \
	clean
.DEFAULT_GOAL := all

help:
	@cat scripts/build/help.txt

deps:
	@scripts/build/deps $(SERIES)

# By the last of these that is asked for.
left_out_by := $(lastword $(filter lib tools all install,$(or $(MAKECMDGOALS),all)))

all: kernel lib tools man
	+@$(call left_out,lib tools)

modules := $(releases:%=$(O)/kernel/%/doca.ko)
kernel: $(releases:%=kernel-%)
	@[ -n "$(releases)" ] || { echo "no kernel headers: run 'make deps'"; exit 1; } >&2

# kbuild alone knows what is out of date.
.PHONY: $(releases:%=kernel-%)
$(releases:%=kernel-%): kernel-%:
	@$(MAKE) -C kernel O=$(O) RELEASE=$*

lib:
	@echo "  LIB     build/lib"
	@$(MAKE) $(quiet) -C lib O=$(O) all
	+@$(call left_out,lib)

tools: lib
	@echo "  TOOLS   build/tools"
	@$(MAKE) $(quiet) -C tools O=$(O) all
	+@$(call left_out,lib tools)

# For want of other people's packages, by Debian's names.
left_out = $(if $(filter $@,$(left_out_by)),list=$$($(foreach d,$(1),$(MAKE) -s -C $d O=$(O) left-out;)); \
	[ -z "$$list" ] || printf 'Left out:\n%s\n' "$$list")

sample_files = $(patsubst samples/%,%,$(wildcard samples/README.md \
	$(addprefix samples/,meson.build */meson.build */*.[ch])))

# For administrators to copy: nothing reads them where they are installed.
admin_files = $(patsubst packaging/%,%,$(wildcard \
	packaging/limits/* packaging/node_exporter/* packaging/sos/*.py))

# As root behind a user's make, it has nothing to build.
man:
	@$(MAKE) -C Documentation/man O=$(O) all

# For browsers, of texts, headers and the manual. It says what it lacks.
html: man
	@SERIES='$(SERIES)' Documentation/html/build $(abspath $(O))

install: lib tools man
	@$(MAKE) $(quiet) -C lib O=$(O) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install
	@$(MAKE) $(quiet) -C tools O=$(O) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install
	@$(MAKE) $(quiet) -C Documentation/man O=$(O) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install
	@echo "  INSTALL $(DESTDIR)$(DOCDIR)/examples"
	@for f in $(sample_files); do \
		install -D -p -m 644 samples/$$f \
			$(DESTDIR)$(DOCDIR)/examples/$$f || exit 1; \
	done
	@for f in $(admin_files); do \
		install -D -p -m 644 packaging/$$f \
			$(DESTDIR)$(DOCDIR)/examples/$$f || exit 1; \
	done
	+@$(call left_out,lib tools)

# The list of what would be installed tells what to remove.
uninstall:
	@rm -rf $(O)/uninstall $(O)/uninstall.log
	@$(MAKE) install DESTDIR=$(O)/uninstall >$(O)/uninstall.log 2>&1 || \
		{ cat $(O)/uninstall.log; exit 1; } >&2
	@cd $(O)/uninstall && find . ! -type d -printf '$(DESTDIR)/%P\0' | xargs -0 rm -f
	@cd $(O)/uninstall && find . -depth -type d \( -path '*doca*' -o -path '*/onload*' \) \
		-printf '$(DESTDIR)/%P\0' | \
		xargs -0 sh -c 'rmdir --ignore-fail-on-non-empty "$$@" 2>/dev/null || :' sh
	@rm -rf $(O)/uninstall $(O)/uninstall.log

# Packages of Debian's, of what is committed.
deb:
	@scripts/build/deb

# And of RPM's.
rpm:
	@scripts/build/rpm

modules_uninstall:
	@for r in $(releases); do \
		rm -f $(INSTALL_MOD_PATH)/lib/modules/$$r/updates/doca.ko && \
		$(if $(INSTALL_MOD_PATH),:,depmod $$r) || exit 1; \
	done

modules_install: kernel
	@for r in $(releases); do \
		dir=$(INSTALL_MOD_PATH)/lib/modules/$$r; \
		echo "  INSTALL $$dir/updates/doca.ko"; \
		install -D -m 644 $(O)/kernel/$$r/doca.ko $$dir/updates/doca.ko && \
		$(if $(INSTALL_MOD_PATH),:,depmod $$r) || exit 1; \
	done

# Tests are built against this folder, and the guest runs it: all as a user installs it.
root: install-root $(releases:%=module-root-%) $(own:%=root-%)

.PHONY: install-root
install-root: lib tools
	@$(MAKE) install DESTDIR=$(ROOT) PREFIX=/usr >$(O)/install.log 2>&1 || \
		{ cat $(O)/install.log; exit 1; } >&2

$(modules): $(O)/kernel/%/doca.ko: kernel-% ;

# depmod takes seconds here, but more than a minute in an emulated machine. Of which sources the
# module is, is noted each time.
.PHONY: $(releases:%=module-root-%)
$(releases:%=module-root-%): module-root-%: $(O)/kernel/%/doca.ko
	@scripts/build/module-root $(ROOT) $* $<

# Its release is known only when there is such a kernel.
.PHONY: $(OWN:%=root-%)
$(OWN:%=root-%): root-%:
	@scripts/build/debug-kernel $*
	@release=$$($(VM) release $*) && dir=$(DOCA_KERNELS)/$*/lib/modules/$$release && \
	$(MAKE) -C kernel O=$(O) RELEASE=$$release KDIR=$$dir/build && \
	scripts/build/module-root $(ROOT) $$release $(O)/kernel/$$release/doca.ko $$dir

# As users build them, against what is installed.
.PHONY: samples
samples: install-root
	@echo "  SAMPLES build/samples"
	@scripts/build/meson samples $(O)/samples

selftests: root bench-programs
	@echo "  TESTS   build/selftests"
	@$(MAKE) $(quiet) -C selftests O=$(O) all

# Missing packages are installed first; K=process needs what builds the libraries, and python3. K= and T= are
# a kernel and a program, SINCE= is a commit, PHASES= are some of a tier; RESUME=1 goes on with the rest.
CHECK = scripts/check/check $(if $(RESUME),--resume) $(if $(SINCE),--since "$(SINCE)") \
	$(if $(PHASES),--phases "$(PHASES)") $(if $(T),--test "$(T)")
chosen_kernels = $(if $(K),--kernels "$(K)")

.PHONY: check check-night check-week
check:
	@$(if $(in_process),$(needs_python),$(MAKE) deps)
	@$(CHECK) $(chosen_kernels)

in_process := $(if $(filter process,$(K)),$(if $(filter-out process,$(K)),,yes))

check-night check-week: check-%:
	@$(MAKE) deps
	@$(CHECK) --tier $* $(chosen_kernels)

# The module's workers are not the same kind of thread on all kernels.
.PHONY: check-debug check-kcsan
check-debug:
	@$(MAKE) check K="debug debug-6.12"

check-kcsan:
	@$(MAKE) check K=kcsan

# In machines whose devices copy; their driver is for tests only, and never installed.
.PHONY: testdma $(OWN:%=testdma-%) check-engines
testdma: $(own:%=testdma-%)
	@for r in $(sort $(tested) $(named_releases)); do \
		$(MAKE) $(quiet) -C selftests/dma/testdma RELEASE=$$r O=$(O) || exit 1; \
	done

$(OWN:%=testdma-%): testdma-%: root-%
	@release=$$($(VM) release $*) && $(MAKE) $(quiet) -C selftests/dma/testdma \
		RELEASE=$$release O=$(O) \
		KDIR=$(DOCA_KERNELS)/$*/lib/modules/$$release/build

check-engines:
	@$(CHECK) --kernels "$(addprefix engines-,$(or $(K),6.12))"

# Beside a bare loop in the driver of those devices. On one CPU, for what the host takes to
# let a second one run would be most of what is measured.
.PHONY: bench-engines
bench-engines: root selftests testdma
	@DOCA_MODULE_PARAMS="engines=0000:00:10.0 engine_min=4096" \
		$(VM) run --kernel $(or $(K),6.12) --iommu intel --engines lsi,edu --cpus 1 \
		--timeout 600 -- scripts/vm/with-doca selftests/dma/run \
		$(O)/selftests/uapi/engine_bench

# Built here, for emulated machines of that architecture.
.PHONY: check-arm64
check-arm64:
	@scripts/build/deps arm64
	@scripts/build/arm64 $(O)/arm64
	@DOCA_BUILD=$(abspath $(O))/arm64 $(CHECK) --kernels "$(or $(K),$(arm64))"

check-host:
	@$(needs_python)
	@$(MAKE) lib
	@$(MAKE) -C lib O=$(O) check

# Tests of tools that need no driver. Some tools are not built everywhere.
check-tools:
	@$(needs_python)
	@$(MAKE) tools man
	@BUILD=$(abspath $(O)) lib/tests/run $(addprefix selftests/tools/,usage.sh install.sh complaints.sh \
		runner.py chosen.py signals.py faults_of_qemu.sh second_chances.py machines.sh manual.sh \
		packages.sh completion.sh docactl_fake.sh abi.sh $(foreach t,map map_hostile saved \
		target,$(if $(wildcard $(O)/tools/doca_apsh$(if $(filter map%,$(t)),_map)),apsh_$(t).sh)))

# Whether programs of the last release run with what was built, and, at a release, what the next
# one is held to: see CONTRIBUTING.md.
.PHONY: check-abi abi
check-abi: lib
	@BUILD=$(abspath $(O)) lib/tests/run selftests/tools/abi.sh

abi: lib
	@BUILD=$(abspath $(O)) scripts/build/abi write

# Search all memory of a guest, from outside, for keys of AES-GCM that were destroyed.
.PHONY: check-keys run-keys
$(O)/selftests/keys/keys: selftests/keys/keys.c $(wildcard selftests/uapi/*.h selftests/lib/*.h \
		uapi/linux/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-sign-compare -O2 -static -Iuapi \
		-include selftests/lib/patience.h -o $@ $<

check-keys: root
	@$(MAKE) run-keys

# With what was installed before, which others may run from meanwhile.
run-keys: $(O)/selftests/keys/keys
	@setsid -w selftests/keys/keys.py --kernel $(or $(K),6.12) --build $(abspath $(O)) $(ARGS)

# Tests that need no root, in a minimal Debian with the README's packages.
.PHONY: check-debian-12 check-debian-13
check-debian-12 check-debian-13: check-debian-%:
	@scripts/build/deps debian
	@scripts/build/debian $(if $(filter 12,$*),bookworm,trixie) scripts/build/debian-user

# make html, and before it what that needs.
.PHONY: check-html
check-html:
	@scripts/build/deps html
	@$(MAKE) html

# Packages as users have them, in minimal systems of that suite; T names parts of it.
.PHONY: check-packages
check-packages:
	@scripts/build/deps debian
	@scripts/build/check-packages $(or $(SUITE),bookworm) $(T)

check-tsan check-valgrind: check-%:
	@$(MAKE) -C lib O=$(O) UNDER=$* check

# Every call of every test passes the checks of the libraries' debug mode.
check-debug-mode:
	@$(needs_python)
	@$(MAKE) lib
	@DOCA_DEBUG=1 $(MAKE) -C lib O=$(O) check

process: lib
	@echo "  PROCESS build/process"
	@$(MAKE) $(quiet) -C process O=$(O) all

# Programs and samples as users have them, without the module, as the user that calls this. Those
# of api/ run in machines as well, and here only if ALL or T says so.
programs = $(patsubst selftests/%.c,%,$(patsubst process/programs/%.c,process/%, \
	$(filter-out $(program_parts),$(wildcard selftests/api/*.c process/programs/*.c)))) \
	tools/doca_file.sh samples/samples.sh samples/pairs.sh samples/rdma.sh process/tools.sh \
	process/compute.sh process/ethernet.sh process/container.sh
program_parts := %_1_3.c %/zc_traffic.c %/eth_traffic.c %/compute_files.c %/late_server.c \
	%/rdma_peer.c %/rdma_plain.c %/first_copy.c
# Those that each commit runs.
few_programs = $(filter-out api/%,$(programs)) api/first_calls

.PHONY: check-programs list-programs
list-programs:
	@echo $(programs)

check-programs: install-root
	@$(MAKE) $(quiet) -C selftests O=$(O) api process samples
	@$(MAKE) run-programs

.PHONY: run-programs
run-programs:
	@TOP=$(CURDIR) BUILD=$(O) process/programs/run \
		$(if $(ALL)$(T),$(programs),$(few_programs))

check-process:
	@$(MAKE) $(quiet) -C process O=$(O) check

check-process-tsan:
	@$(MAKE) $(quiet) -C process O=$(O) UNDER=tsan check

# Whether the barriers of rings and keys are enough, and each of them is needed.
check-model:
	@TOP=$(CURDIR) lib/tests/run scripts/model/check

model: check-model

error-codes coverage:
	@$(MAKE) -C lib O=$(O) $@

# Show the lines that the tests, with and without DMA engines, and the fuzzer have run last on
# the debug kernel, and check-process UNDER=gcov in a process.
.PHONY: coverage-module
coverage-module:
	@release=$$($(VM) release debug) && \
	scripts/build/module-coverage \
		$(patsubst %,--process=%,$(wildcard $(O)/lib-gcov/process/kernel)) \
		$(O)/kernel/$$release $(O)/results/debug/gcov \
		$(wildcard $(O)/results/debug-engines*/gcov $(O)/fuzz/gcov)

# The program watches itself; twice its time and a start must be enough for both modes.
stress: root selftests
	@$(VM) run --kernel $(or $(K),6.1) --rxe 2 --timeout $$((3 * $(S) + 120)) -- \
		scripts/vm/with-doca env STRESS_SECONDS=$(S) $(SEED:%=STRESS_SEED=%) \
		build/selftests/api/stress
stress: S ?= 600

# It goes on with what it has kept, in build/fuzz.
.PHONY: fuzz run-fuzz
fuzz run-fuzz: FUZZ_KERNEL = $(or $(K),debug)
fuzz:
	@$(MAKE) root selftests K=$(FUZZ_KERNEL)
	@$(MAKE) run-fuzz

run-fuzz:
	@scripts/build/fuzz $(FUZZ_KERNEL) $(or $(T),600)

# Lint looks at what has changed since a commit; ALL=1: at all sources, for all kernels.
lint:
	@ALL=$(ALL) SINCE=$(SINCE) scripts/build/lint $(releases)

# Device memory, beside what a program would use instead. ARGS are options of the script.
.PHONY: bench-dm
bench-dm: root bench-programs
	@$(VM) run --kernel $(or $(K),6.1) --rxe 1 --timeout 1800 -- \
		scripts/vm/with-doca scripts/bench/dm $(ARGS)

# The driver is broken in a copy; what is built of the tree is what runs it.
.PHONY: mutants
mutants: root selftests testdma
	@scripts/build/mutants $(M)

# Two processes of the calling user, without the module; then, where a machine can be had, with
# the module in it.
demo:
	@if [ "$$(id -u)" -eq 0 ] && [ -e /etc/debian_version ]; then \
		$(MAKE) deps && $(MAKE) demo-process demo-vm; \
	else \
		$(MAKE) demo-process; \
		echo "demo: as root on Debian it goes on with the module, in a virtual machine"; \
	fi

.PHONY: demo-process demo-vm
demo-process: lib tools
	@DOCA_DRIVER=process BUILD=$(O) tools/demo.sh $(or $(FILE),$(O)/lib/libdoca_common.so)

# See check.
demo-vm:
	@$(MAKE) deps
	@$(MAKE) all root
	@$(VM) run --rxe 1 -- scripts/vm/with-doca tools/demo.sh

# Programs of a host and its DPU, in a machine, or else as processes of the calling user.
.PHONY: demo-pair
demo-pair:
	@if [ "$$(id -u)" -eq 0 ] && [ -e /etc/debian_version ]; then \
		$(MAKE) deps && $(MAKE) all root samples && \
		$(VM) run --rxe 2 -- scripts/vm/with-doca tools/demo-pair.sh $(FILE); \
	else \
		$(MAKE) samples && \
		DOCA_DRIVER=process BUILD=$(O) tools/demo-pair.sh \
			$(or $(FILE),$(O)/lib/libdoca_common.so); \
	fi

# Compare what doca_apsh sees of a guest, from outside, with what the guest says of itself.
.PHONY: check-apsh demo-apsh
$(O)/selftests/apsh/programs: selftests/apsh/programs.c lib
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -DDOCA_ALLOW_EXPERIMENTAL_API -Iinclude \
		-o $@ $< -L$(O)/lib -ldoca_apsh -ldoca_common

check-apsh: $(O)/selftests/apsh/programs $(O)/selftests/apsh/storm
check-apsh demo-apsh: tools
	@$(if $(filter arm64%,$(K)),scripts/build/deps arm64 && scripts/build/arm64 $(O)/arm64 apsh)
	@setsid -w selftests/apsh/golden.py --kernel $(or $(K),6.1) --build $(abspath $(O)) \
		$(if $(filter arm64%,$(K)),--guest-build $(abspath $(O))/arm64) \
		$(if $(filter demo%,$@),--demo) $(ARGS)
	@$(if $(filter check%,$@),$(if $(filter arm64%,$(K)),,setsid -w selftests/apsh/storm.py \
		--kernel $(or $(K),6.1) --build $(abspath $(O)) --seconds 20))

.PHONY: bench-apsh
$(O)/selftests/apsh/bench: selftests/apsh/bench.c lib
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -DDOCA_ALLOW_EXPERIMENTAL_API \
		-Iinclude -Iuapi -Ilib -o $@ $< -L$(O)/lib -ldoca_apsh -ldoca_common

# Without libraries, which would be more to fork.
$(O)/selftests/apsh/crowd $(O)/selftests/apsh/storm: $(O)/selftests/apsh/%: selftests/apsh/%.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -static -pthread -o $@ $<

.PHONY: storm-apsh
storm-apsh: $(O)/selftests/apsh/storm tools
	@setsid -w selftests/apsh/storm.py --kernel $(or $(K),6.1) --build $(abspath $(O)) \
		--seconds $(or $(S),600) $(ARGS)

bench-apsh: $(O)/selftests/apsh/bench $(O)/selftests/apsh/crowd tools
	@setsid -w selftests/apsh/bench.py --kernel $(or $(K),6.1) --build $(abspath $(O)) $(ARGS)

# Find rootkits, which are modules for one kernel, in a guest; before that, none.
.PHONY: rootkits-apsh
rootkits-apsh: tools
	@release=$$($(VM) release $(or $(K),6.1)) && \
		$(MAKE) $(quiet) -C selftests/apsh/rootkits RELEASE=$$release O=$(O)
	@setsid -w selftests/apsh/rootkits.py --kernel $(or $(K),6.1) --build $(abspath $(O)) \
		--rounds $(or $(N),200) $(ARGS)

# Leave out each page of what a guest has, or each of N.
.PHONY: omissions-apsh
omissions-apsh: tools
	@setsid -w selftests/apsh/omissions.py --kernel $(or $(K),6.12) --build $(abspath $(O)) \
		--every $(or $(N),1) $(ARGS)

# Fuzz the input that zero-copy receive reads: others have sent it, or programs give it back.
.PHONY: fuzz-zc
fuzz-zc:
	@mkdir -p $(O)/fuzz-zc/corpus
	@$(CLANG) -std=gnu11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -Wall -Wextra -Werror -Iinclude -Iuapi -Ilib \
		-o $(O)/fuzz-zc/zc lib/tests/fuzz/zc.c lib/xsk/frame.c lib/onload/onload_xdp/datagram.c \
		$(addprefix lib/onload/onload/pool/,chunk.c pool.c field.c) \
		$(addprefix lib/onload/onload/base/,stats.c log.c xdp.c real.c) -pthread
	@cd $(O)/fuzz-zc && ./zc -max_total_time=$(or $(T),600) -max_len=2048 corpus

# The rings that AF_XDP and packet sockets share with others; Ethernet queues, with calls
# and frames in any order; what peers in a network tell by RDMA; the memory and files that App
# Shield reads, of which F names one kind, and the image of a kernel.
lib_fuzzers := fuzz-xsk fuzz-eth fuzz-rdma fuzz-apsh fuzz-apsh-code
.PHONY: $(lib_fuzzers)
$(lib_fuzzers):
	@$(MAKE) $(quiet) -C lib -f Makefile O=$(abspath $(O)) UNDER=fuzz T=$(or $(T),600) F=$(F) $@

bench: all root bench-programs
	@$(VM) run --kernel $(or $(K),6.1) --rxe 1 -- scripts/vm/with-doca scripts/bench/guest $(BENCH)

# Build the bench that compares with others. It is for developers, and never installed.
.PHONY: bench-programs
bench-programs: tools
	@echo "  BENCH   build/scripts"
	@$(MAKE) $(quiet) -C scripts/bench O=$(O) all

.PHONY: bench-process
bench-process: bench-programs
	@$(MAKE) $(quiet) -C process O=$(O) bench
	@BUILD=$(O) scripts/bench/process $(BENCH)

.PHONY: bench-linked instructions fuzz-rings fuzz-channels fuzz-peers fuzz-lz4 fuzz-inflate bench-algo
bench-linked: bench-programs
	@$(MAKE) $(quiet) -C process O=$(O) bench
	@$(O)/process/doca_bench_linked $(BENCH)

instructions: lib
	@$(MAKE) $(quiet) -C process O=$(O) instructions

bench-algo:
	@$(MAKE) $(quiet) -C process O=$(O) bench-algo

# Count for zero-copy receive over a fake interface: one datagram at a time, and 32.
.PHONY: instructions-zc
instructions-zc: lib
	@$(MAKE) $(quiet) -C lib -f Makefile O=$(abspath $(O)) UNDER= \
		$(abspath $(O))/lib/tests/zc_instructions
	@lib/tests/instructions/zc.sh $(O)/lib/tests/zc_instructions

# Count for RDMA over a fake device, whose instructions and those of callbacks are left out.
.PHONY: instructions-rdma
instructions-rdma: lib
	@$(MAKE) $(quiet) -C lib -f Makefile O=$(abspath $(O)) UNDER= \
		$(abspath $(O))/lib/tests/rdma_instructions
	@lib/tests/instructions/rdma.sh $(O)/lib/tests/rdma_instructions

# Count for calls of App Shield on one process of an image.
.PHONY: instructions-apsh
instructions-apsh: lib
	@$(MAKE) $(quiet) -C lib -f Makefile O=$(abspath $(O)) UNDER= \
		$(abspath $(O))/lib/tests/apsh_instructions
	@lib/tests/instructions/apsh.sh $(O)/lib/tests/apsh_instructions

# Count for Ethernet queues over a fake interface, beside their sockets alone.
.PHONY: instructions-eth
instructions-eth: lib
	@$(MAKE) $(quiet) -C lib -f Makefile O=$(abspath $(O)) UNDER= \
		$(abspath $(O))/lib/tests/eth_instructions
	@lib/tests/instructions/eth.sh $(O)/lib/tests/eth_instructions

fuzz-rings:
	@$(MAKE) $(quiet) -C process O=$(O) T=$(or $(T),60) fuzz

fuzz-channels:
	@$(MAKE) $(quiet) -C process O=$(O) T=$(or $(T),60) fuzz-channel

fuzz-peers:
	@$(MAKE) $(quiet) -C process O=$(O) T=$(or $(T),60) fuzz-peer

fuzz-lz4 fuzz-inflate:
	@$(MAKE) $(quiet) -C process O=$(O) T=$(or $(T),60) $@

clean:
	rm -rf $(O)
