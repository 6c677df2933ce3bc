# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# A package for CMake, with a target for each file of pkg-config's that is installed.
#
#   pcs, libs, levels, fill, inst_lib, LIBDIR, INCLUDEDIR, src   as in Makefile

cmake_dir := $(inst_lib)/cmake/open-doca
to_include := $(shell realpath -m --relative-to=$(LIBDIR) $(INCLUDEDIR))

# $(call targets,NAMES), and those that a library needs; libopen_doca_dm comes before libibverbs.
targets = $(patsubst %,open-doca::%,$(subst _,-,$(1)))
needed = $(if $(filter open_doca_dm,$(1)),ibverbs,$(call targets,$($(1)_needs)))
with_pc = $(filter $(pcs),$(1) $(subst _,-,$(1)))

define cmake_libraries
$(foreach l,$(libs),$(if $(call with_pc,$l),_open_doca_library($(call with_pc,$l) $l $(call needed,$l))
))
_open_doca_level(doca-1.3 doca-1.3)
_open_doca_level(doca-1.5 doca-1.5 doca-1.3)
if(NOT TARGET open-doca::doca AND TARGET open-doca::doca-dma)
	add_library(open-doca::doca INTERFACE IMPORTED)
	set_target_properties(open-doca::doca PROPERTIES INTERFACE_LINK_LIBRARIES
		"$(subst $(space),;,$(strip $(call targets,$(call libs_of,tasks) doca_argp doca_common)))")
endif()

foreach(name IN LISTS open-doca_FIND_COMPONENTS)
	if(TARGET open-doca::$${name})
		set(open-doca_$${name}_FOUND TRUE)
	elseif(open-doca_FIND_REQUIRED_$${name})
		set(open-doca_FOUND FALSE)
		set(open-doca_NOT_FOUND_MESSAGE "$${name} is no library of Open DOCA that is installed")
	endif()
endforeach()
endef
empty :=
space := $(empty) $(empty)
export cmake_libraries

.PHONY: install-cmake
install: install-cmake
install-cmake:
	@install -d $(cmake_dir)
	@for f in open-doca-config open-doca-config-version; do \
		$(fill) -e 's,@TO_INCLUDE@,$(to_include),' $(src)/$$f.cmake.in \
			>$(cmake_dir)/$$f.cmake || exit 1; \
	done
	@printf '%s\n' "$$cmake_libraries" >>$(cmake_dir)/open-doca-config.cmake
