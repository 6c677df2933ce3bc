# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Folders that make builds in and installs to: refuse what a shell, or make, would take for more than a
# name, before anything is done. $(folders) are their variables.

folders := O PREFIX DESTDIR LIBDIR INCLUDEDIR BINDIR SYSLIBDIR COMPDIR ZSHDIR FISHDIR MANDIR DOCDIR INSTALL_MOD_PATH
$(foreach v,$(folders),$(if $(filter-out 1,$(words x$($v)x)),\
	$(error $v is "$($v)": no folder that make installs to may have blanks in its name)))
# Characters that a shell or make takes for more than a part of a name
refused := ; & | < > ( ) [ ] { } $$ ` \ " ' * ? ! \# % : =
$(foreach v,$(folders),$(foreach c,$(refused),$(if $(findstring $c,$($v)),\
	$(error $v is "$($v)": no folder that make installs to may have $c in its name))))
$(foreach v,$(filter %DIR PREFIX,$(filter-out DESTDIR,$(folders))),$(if $(filter-out /%,$($v)),\
	$(error $v is "$($v)", and must begin with a slash)))
$(if $(filter-out undefined,$(origin PREFIX)),$(if $(PREFIX),,\
	$(error PREFIX is empty: name a folder, which is / for the system itself)))
