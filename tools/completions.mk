# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# How shells complete the command lines of the tools: made from what --help prints, so where tools
# are built that run here. docactl's for bash is written by hand, for it knows values, too.
#
#   tools, scripts, B, L, src, top, not_ours, UNDER   as in Makefile
#   EMULATOR   has those of another machine run here, with its libraries
EMULATOR ?=

shells := bash zsh fish
completions := bash/docactl $(if $(UNDER)$(if $(EMULATOR),,$(not_ours)),,$(filter-out bash/docactl,\
	$(foreach s,$(shells),$(patsubst $(B)/%,$s/%,$(tools)))))

all: $(completions:%=$(B)/completions/%)

# $(1) shell
define completion_rules
$(B)/completions/$(1)/%: $(B)/% $(top)/scripts/build/completions/parse.awk \
		$(top)/scripts/build/completions/$(1).awk
	@mkdir -p $$(@D)
	LD_LIBRARY_PATH=$(L) $(if $(not_ours),$$(if $$(filter $(scripts),$$*),,$(EMULATOR))) $$< --help | awk -v tool=$$* $$(patsubst %,-f %,$$(filter %.awk,$$^)) >$$@.new
	@mv $$@.new $$@
endef
$(foreach s,$(shells),$(eval $(call completion_rules,$s)))

$(B)/completions/bash/docactl: $(src)/docactl/completion.bash
	@mkdir -p $(@D)
	cp $< $@

.PHONY: install-completions
install: install-completions
install-completions: all
	@printf '  INSTALL %s\n' $(addprefix $(DESTDIR),$(COMPDIR) $(ZSHDIR) $(FISHDIR))
	@for f in $(completions); do \
		case $$f in \
		bash/*) to=$(COMPDIR)/$${f#*/} ;; \
		zsh/*) to=$(ZSHDIR)/_$${f#*/} ;; \
		fish/*) to=$(FISHDIR)/$${f#*/}.fish ;; \
		esac; \
		install -D -m 644 $(B)/completions/$$f $(DESTDIR)$$to || exit 1; \
	done
