# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The code for an interface's frames (xsk.h), linked into each library whose kind in
# libs.mk includes xsk. $(xsk) are its objects, $(xsk_ldlibs) what they need. Where libxdp, libbpf or
# clang is missing, none/ stands for it, which says so.

xsk_src := $(src)/xsk
xsk_always := frame kind mode net packet
xsk_objs := $(patsubst $(xsk_src)/%.c,$(B)/obj/xsk/%.o,$(if $(have_xsk),$(filter-out \
	%.bpf.c,$(wildcard $(xsk_src)/*.c)),$(xsk_always:%=$(xsk_src)/%.c) \
	$(xsk_src)/none/none.c))
xsk := $(xsk_objs)
xsk_ldlibs := $(if $(have_xsk),$(shell $(PKG_CONFIG) --libs libxdp libbpf))
xsk_program := $(B)/obj/xsk/prog.bpf.o
objs += $(xsk_objs)

# For tools that use it beside the libraries.
all: $(B)/xsk.a
$(B)/xsk.a: $(xsk_objs)
	rm -f $@
	$(AR) rcs $@ $^

# The program is the same on every machine, but for the byte order.
$(xsk_program): $(xsk_src)/prog.bpf.c $(xsk_src)/rules.h
	@mkdir -p $(@D)
	$(CLANG) -O2 -g -Wall -Wextra -Werror -target bpf -ffile-prefix-map=$(top)=. $(MULTIARCH:%=-idirafter \
		/usr/include/%) -c -o $@ $<

$(B)/obj/xsk/program.o: $(xsk_program)
$(B)/obj/xsk/program.o: pkg := -DXSK_PROGRAM='"$(xsk_program)"'
