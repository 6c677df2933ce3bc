#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Installed libraries work for programs that find them by pkg-config: both roles,
# C and C++, dynamically and statically linked. No kernel module is needed: the
# libraries only have to say that it is missing.

. "$(dirname "$0")/install/bed.sh"

cat >"$dir/prog.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_pe.h>

#ifdef DOCA_ARCH_DPU
#define ROLE "dpu"
#else
#define ROLE "host"
#endif

DOCA_LOG_REGISTER(INSTALL::TEST);

/* a name that the libraries use inside */
void log_lock(void);
void log_lock(void)
{
	DOCA_LOG_CRIT("not for the libraries");
}

int main(void)
{
	struct doca_devinfo **list;
	struct doca_pe *pe;
	uint32_t n;

	if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
	    doca_devinfo_create_list(&list, &n) != DOCA_SUCCESS ||
	    doca_devinfo_destroy_list(list) != DOCA_SUCCESS ||
	    doca_pe_create(&pe) != DOCA_SUCCESS ||
	    doca_pe_destroy(pe) != DOCA_SUCCESS ||
	    doca_dma_create(NULL, NULL) != DOCA_ERROR_INVALID_VALUE)
		return 1;
	DOCA_LOG_INFO("runs as " ROLE);
	return 0;
}
EOF

# runs ROLE COMPILER PACKAGES [pkg-config options...]
runs() {
	role=$1 compiler=$2 packages=$3
	shift 3
	# words on purpose
	$compiler -Wall -Wextra -Werror -o "$dir/prog" "$dir/prog.c" \
		$(pkg-config "$@" --cflags $packages) -x none \
		$(pkg-config "$@" --libs $packages) || return
	LD_LIBRARY_PATH=$libdir "$dir/prog" 2>/dev/null |
		grep "INSTALL::TEST.*runs as $role" && return
	LD_LIBRARY_PATH=$libdir "$dir/prog"
	return 1
}

# runs_static COMPILER PACKAGES
runs_static() {
	with_archives runs host "$1" "doca-common $2" --static
}

role_by_environment() {
	PKG_CONFIG_PATH="$libdir/doca-dpu/pkgconfig:$PKG_CONFIG_PATH" \
		runs dpu "$CC" doca-dma
}

# As doca(7) and the README say it, with nothing else to find the libraries by.
meson_for_the_dpu() {
	needs meson || return 4
	mkdir "$dir/project" && cp "$dir/prog.c" "$dir/project" || return
	cat >"$dir/project/meson.build" <<-'EOF'
		project('prog', 'c')
		executable('prog', 'prog.c', dependencies: dependency('doca-dma'))
	EOF
	sed -n 's/^\.Dl \(.*meson setup.*\)/\1/p' "$TOP/Documentation/man/doca.7" \
		>"$dir/man"
	tr -s '\\\n ' ' ' <"$TOP/README.md" | grep -qF "$(cat "$dir/man")" &&
		(cd "$dir/project" && sh -e "$dir/man") &&
		ninja -C "$dir/project/build-dpu" || return
	"$dir/project/build-dpu/prog" | grep "INSTALL::TEST.*runs as dpu"
}

# Each file of pkg-config's has a target, with the same flags for the same library.
cmake_for() {
	needs cmake || return 4
	rm -rf "$dir/cmake" && mkdir "$dir/cmake" && cp "$dir/prog.c" "$dir/level/level.c" "$dir/cmake" || return
	names=$(cd "$libdir/pkgconfig" && ls | sed 's/\.pc$//')
	cat >"$dir/cmake/CMakeLists.txt" <<-EOF
		cmake_minimum_required(VERSION 3.13)
		project(prog C)
		find_package(open-doca 3.0 REQUIRED COMPONENTS $(echo $names))
		add_executable(prog prog.c)
		target_link_libraries(prog open-doca::doca-dma)
		foreach(level 1.3 1.5)
			add_executable(level-\${level} level.c)
			target_link_libraries(level-\${level} open-doca::doca-\${level})
		endforeach()
		set_target_properties(level-1.5 PROPERTIES EXCLUDE_FROM_ALL TRUE)
		foreach(name $(echo $names | sed 's/doca-1\.[35]//g'))
			file(WRITE \${CMAKE_BINARY_DIR}/\${name}.c "int main(void) { return 0; }")
			add_executable(with-\${name} \${CMAKE_BINARY_DIR}/\${name}.c)
			target_link_libraries(with-\${name} open-doca::\${name})
		endforeach()
	EOF
	cmake -S "$dir/cmake" -B "$dir/cmake/build" -DOPEN_DOCA_ROLE="$1" \
		-Dopen-doca_DIR="$libdir/cmake/open-doca" && cmake --build "$dir/cmake/build" &&
		"$dir/cmake/build/prog" | grep "INSTALL::TEST.*runs as $1" &&
		"$dir/cmake/build/level-1.3" | grep "INSTALL::LEVEL.*runs at level 1.3"
}

# As where /lib is a link to /usr/lib: the headers are not beside the link.
cmake_through_a_link() {
	needs cmake || return 4
	ln -sfn "$libdir" "$dir/lib" && rm -rf "$dir/cmake" && mkdir "$dir/cmake" &&
		cp "$dir/prog.c" "$dir/cmake" || return
	printf '%s\n' 'cmake_minimum_required(VERSION 3.13)' 'project(prog C)' \
		'find_package(open-doca REQUIRED)' 'add_executable(prog prog.c)' \
		'target_link_libraries(prog open-doca::doca-dma)' >"$dir/cmake/CMakeLists.txt"
	cmake -S "$dir/cmake" -B "$dir/cmake/build" -Dopen-doca_DIR="$dir/lib/cmake/open-doca" &&
		cmake --build "$dir/cmake/build" && "$dir/cmake/build/prog" | grep "INSTALL::TEST.*runs as host"
}

cmake_refuses() {
	needs cmake || return 4
	rm -rf "$dir/cmake" && mkdir "$dir/cmake" || return
	printf '%s\n' 'cmake_minimum_required(VERSION 3.13)' 'project(prog NONE)' \
		"find_package(open-doca $1 REQUIRED)" >"$dir/cmake/CMakeLists.txt"
	! cmake -S "$dir/cmake" -B "$dir/cmake/build" -Dopen-doca_DIR="$libdir/cmake/open-doca" $3 \
		2>"$dir/err" && tr -s '\n ' ' ' <"$dir/err" | grep "$2"
}

cmake_refuses_what_there_is_not() {
	cmake_refuses 9.0 'requested version "9.0"'
	code=$?
	[ $code -eq 0 ] || return $code
	cmake_refuses 'COMPONENTS doca-none' 'doca-none is no library of Open DOCA' &&
		cmake_refuses '' "is 'both': it is host or dpu" -DOPEN_DOCA_ROLE=both
}

# A program of DOCA 1.3, and a project that asks for what it always did.
mkdir "$dir/level"
cat >"$dir/level/level.c" <<'EOF'
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_log.h>

DOCA_LOG_REGISTER(INSTALL::LEVEL);

int main(void)
{
	struct doca_devinfo **list;
	struct doca_workq *workq;
	struct doca_mmap *mmap;
	struct doca_dma *dma;

	if (doca_devinfo_list_create(&list) != DOCA_SUCCESS ||
	    doca_devinfo_list_destroy(list) != DOCA_SUCCESS ||
	    doca_mmap_create("memory", &mmap) != DOCA_SUCCESS ||
	    doca_mmap_destroy(mmap) != DOCA_SUCCESS ||
	    doca_workq_create(8, &workq) != DOCA_SUCCESS ||
	    doca_workq_destroy(workq) != DOCA_SUCCESS ||
	    doca_dma_create(&dma) != DOCA_SUCCESS ||
	    doca_dma_destroy(dma) != DOCA_SUCCESS)
		return 1;
	DOCA_LOG_INFO("runs at level 1.3");
	return 0;
}
EOF
cp "$dir/prog.c" "$dir/level"
cat >"$dir/level/meson.build" <<'EOF'
project('level', 'c', default_options: ['warning_level=2', 'werror=true'])
deps = []
foreach package : get_option('packages')
    deps += dependency(package)
endforeach
executable('level', 'level.c', dependencies: deps, build_by_default: false)
executable('prog', 'prog.c', dependencies: deps, build_by_default: false)
EOF
echo "option('packages', type: 'array', value: [])" >"$dir/level/meson_options.txt"

# meson_at_a_level PACKAGES: the environment alone says at which level it is built, by the
# command of doca_1_3(7), in which nothing else leads to the libraries. What is written
# for the other level does not compile.
meson_at_a_level() {
	needs meson || return 4
	cd "$dir/level" && rm -rf build-* || return
	sed -n 's/^\.Dl \(.*meson setup.*\)/\1/p' \
		"$TOP/Documentation/man/doca_1_3.7" >"$dir/man"
	[ -s "$dir/man" ] && (echo "$(cat "$dir/man") -Dpackages=$1" | sh -e) &&
		ninja -C build-1.3 level &&
		LD_LIBRARY_PATH=$libdir build-1.3/level | grep "INSTALL::LEVEL.*runs at level 1.3" &&
		! ninja -C build-1.3 prog || return
	meson setup build-3.0 -Dpackages="$1" && ninja -C build-3.0 prog &&
		build-3.0/prog | grep "INSTALL::TEST.*runs as host" &&
		! ninja -C build-3.0 level
}

# Sources of one program, each with another form of the interface.
cat >"$dir/new.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#include <doca_buf_array.h>
#include <doca_mmap.h>

struct doca_buf_arr *old_arr(struct doca_mmap *mmap);

int main(void)
{
	struct doca_buf_arr *new_arr, *old;
	struct doca_mmap *mmap;
	static char memory[64];

	if (doca_mmap_create(&mmap) != DOCA_SUCCESS ||
	    doca_mmap_set_memrange(mmap, memory, 64) != DOCA_SUCCESS ||
	    doca_mmap_start(mmap) != DOCA_SUCCESS ||
	    doca_buf_arr_create(8, &new_arr) != DOCA_SUCCESS ||
	    doca_buf_arr_set_params(new_arr, mmap, 8, 0) != DOCA_SUCCESS ||
	    doca_buf_arr_start(new_arr) != DOCA_SUCCESS)
		return 1;
	old = old_arr(mmap);
	if (!old || doca_buf_arr_start(old) != DOCA_SUCCESS ||
	    doca_buf_arr_destroy(old) != DOCA_SUCCESS ||
	    doca_buf_arr_destroy(new_arr) != DOCA_SUCCESS ||
	    doca_mmap_destroy(mmap) != DOCA_SUCCESS)
		return 1;
	return 0;
}
EOF
cat >"$dir/old.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_API_COMPAT_2_5
#include <doca_buf_array.h>

struct doca_buf_arr *old_arr(struct doca_mmap *mmap);

struct doca_buf_arr *old_arr(struct doca_mmap *mmap)
{
	struct doca_dpa_dev_buf_arr *handle;
	struct doca_buf_arr *arr;

	if (doca_buf_arr_create(mmap, &arr) != DOCA_SUCCESS ||
	    doca_buf_arr_set_params(arr, 8, 4, 32) != DOCA_SUCCESS ||
	    doca_buf_arr_get_dpa_handle(arr, &handle) != DOCA_ERROR_BAD_STATE)
		return NULL;
	return arr;
}
EOF

# both_forms COMPILER [pkg-config options...]
both_forms() {
	compiler=$1
	shift
	# words on purpose
	$compiler -Wall -Wextra -Werror -o "$dir/prog" "$dir/new.c" \
		"$dir/old.c" $(pkg-config --cflags doca-common) -x none \
		$(pkg-config "$@" --libs doca-common) &&
		LD_LIBRARY_PATH=$libdir "$dir/prog"
}

# Each form asks for its own version of the symbol.
both_forms_shared() {
	both_forms "$1" || return
	for v in 2.5 3.0; do
		for f in create set_params; do
			objdump -T "$dir/prog" |
				grep -q "DOCA_$v) *doca_buf_arr_$f\$" || return
		done
	done
}

both_forms_static() {
	mkdir "$dir/static" && cp "$libdir"/*.a "$dir/static" &&
		$CC -o "$dir/prog" "$dir/new.c" "$dir/old.c" \
			$(pkg-config --cflags doca-common) -L"$dir/static" \
			-l:libdoca_common.a \
			$(pkg-config --static --libs doca-common |
				sed 's/-ldoca_common//') &&
		"$dir/prog" && ! objdump -T "$dir/prog" | grep doca_buf_arr
}

cat >"$dir/debug.c" <<'EOF'
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

/* Exit with 1 if a released buffer is reported as INVALID_VALUE. */
int main(void)
{
	struct doca_buf_inventory *inventory;
	static char memory[64];
	struct doca_mmap *mmap;
	struct doca_buf *buf;
	size_t len;

	if (doca_mmap_create(&mmap) != DOCA_SUCCESS ||
	    doca_mmap_set_memrange(mmap, memory, 64) != DOCA_SUCCESS ||
	    doca_mmap_start(mmap) != DOCA_SUCCESS ||
	    doca_buf_inventory_create(1, &inventory) != DOCA_SUCCESS ||
	    doca_buf_inventory_start(inventory) != DOCA_SUCCESS ||
	    doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 64,
					       &buf) != DOCA_SUCCESS ||
	    doca_buf_dec_refcount(buf, NULL) != DOCA_SUCCESS)
		return 2;
	return doca_buf_get_len(buf, &len) == DOCA_ERROR_INVALID_VALUE;
}
EOF

debug_mode() {
	export LD_LIBRARY_PATH="$libdir"
	$CC -o "$dir/prog" "$dir/debug.c" \
		$(pkg-config --cflags --libs doca-common) || return
	(unset DOCA_DEBUG && "$dir/prog") && DOCA_DEBUG='' "$dir/prog" &&
		DOCA_DEBUG=0 "$dir/prog" || return
	DOCA_DEBUG=1 "$dir/prog" 2>"$dir/err"
	[ $? -eq 1 ] && grep 'doca_buf_get_len(): buffer .* was released' \
		"$dir/err"
}

cat >"$dir/closed.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#include <dlfcn.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>

/* Exit with 1 if what a library had made before it was closed is reported as INVALID_VALUE. */
int main(void)
{
	void *lib = dlopen("libdoca_dma.so.2", RTLD_NOW);
	doca_error_t (*create)(struct doca_dev *, struct doca_dma **);
	doca_error_t (*destroy)(struct doca_dma *);
	struct doca_devinfo **list;
	struct doca_dma *dma;
	struct doca_dev *dev;
	uint32_t n;

	if (!lib)
		return 2;
	*(void **)&create = dlsym(lib, "doca_dma_create");
	*(void **)&destroy = dlsym(lib, "doca_dma_destroy");
	if (doca_devinfo_create_list(&list, &n) != DOCA_SUCCESS || !n ||
	    doca_dev_open(list[0], &dev) != DOCA_SUCCESS || create(dev, &dma) != DOCA_SUCCESS ||
	    destroy(dma) != DOCA_SUCCESS || dlclose(lib))
		return 2;
	/* A context is the first member of its object. */
	return doca_ctx_start((struct doca_ctx *)dma) == DOCA_ERROR_INVALID_VALUE;
}
EOF

debug_mode_of_a_closed_library() {
	$CC -o "$dir/prog" "$dir/closed.c" $(pkg-config --cflags --libs doca-common) || return
	LD_LIBRARY_PATH=$libdir DOCA_DRIVER=process DOCA_DEBUG=1 "$dir/prog" 2>"$dir/err"
	[ $? -eq 1 ] && grep 'doca_ctx_start(): context .* was destroyed' "$dir/err"
}

cat >"$dir/flags.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#include <doca_argp.h>

int main(int argc, char **argv)
{
	if (doca_argp_init("flags", 0) != DOCA_SUCCESS ||
	    doca_argp_start(argc, argv) != DOCA_SUCCESS)
		return 1;
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}
EOF

# flags COMPILER [pkg-config options...]
flags() {
	compiler=$1
	shift
	# words on purpose
	$compiler -Wall -Wextra -Werror -o "$dir/prog" "$dir/flags.c" \
		$(pkg-config --cflags doca-argp) -x none \
		$(pkg-config "$@" --libs doca-argp) &&
		LD_LIBRARY_PATH=$libdir "$dir/prog" -l 60 &&
		LD_LIBRARY_PATH=$libdir "$dir/prog" -v | grep "^flags, DOCA 3"
}

# NVIDIA has no such release of it, so who needs the whole library and says so does not get ours.
is_told_from_nvidias() {
	release=$(cat "$TOP/VERSION")
	for p in "$libdir"/pkgconfig/*.pc; do
		[ "$(pkg-config --variable=open_doca "$p")" = "$release" ] || return
	done
	[ "$(pkg-config --modversion doca-flow)" = "$release" ] &&
		! pkg-config --exists 'doca-flow >= 1.0'
}

# $1: level; by fixed flags, as build scripts of other languages have them
level_by_flags() {
	argument='"memory"'
	[ "$1" = 1.3 ] || argument=NULL
	sed "s/\"memory\"/$argument/" "$dir/level/level.c" >"$dir/by_flags.c"
	$CC -Wall -Wextra -Werror -o "$dir/prog" "$dir/by_flags.c" -L"$libdir/doca-$1" \
		$(pkg-config --cflags "doca-$1") -ldoca_dma -ldoca_common &&
		LD_LIBRARY_PATH=$libdir "$dir/prog" | grep "INSTALL::LEVEL.*runs at level 1.3"
}

# Nothing shared at all; warnings are of functions that load something.
whole_static() {
	$CC -static -o "$dir/prog" "$dir/prog.c" $(pkg-config --cflags $1) \
		$(pkg-config --static --libs $1) && "$dir/prog" | grep "INSTALL::TEST.*runs as host"
}

versions() {
	pkg-config --exists 'doca-common >= 2.5' 'doca-dma >= 3.0' \
		'doca-argp >= 3.0' 'doca >= 2.5' 'onload_ext = 1.2.0' && ! pkg-config --exists 'doca-common >= 3.1'
}

sonames() {
	for l in common dma argp; do
		objdump -p "$libdir/libdoca_$l.so" |
			grep "SONAME *libdoca_$l.so.2$" || return
	done
	objdump -p "$libdir/libonload_ext.so" | grep "SONAME *libonload_ext.so.1$"
}

echo "KTAP version 1"
echo "1..29"
case_ "installs" installs
case_ "the versions are those of DOCA and Onload" versions
case_ "the sonames are those of DOCA and Onload" sonames
case_ "a C program for the host" runs host "$CC" "doca-common doca-dma"
case_ "a C++ program for the host" runs host "$CXX -x c++" doca-dma
case_ "with the old single name" runs host "$CC" doca
case_ "a program for the DPU" runs dpu "$CC" doca-dma \
	--define-variable=role=dpu
case_ "the role from the environment" role_by_environment
case_ "a project of meson's for the DPU, unchanged" meson_for_the_dpu
for role in host dpu; do
	case_ "a project of CMake's for the $role" cmake_for $role
done
case_ "a project of CMake's, through a linked folder" cmake_through_a_link
case_ "CMake refuses what there is not" cmake_refuses_what_there_is_not
for packages in doca doca-common,doca-dma; do
	case_ "a project of meson's that asks for $packages at level 1.3, unchanged" \
		meson_at_a_level $packages
done
case_ "a statically linked program" runs_static "$CC" doca-dma
case_ "a statically linked program of App Shield" runs_static \
	"$CC -Wl,-u,doca_apsh_attestation_get,-u,doca_apsh_system_start" \
	"doca-dma doca-apsh"
case_ "a statically linked program of Ethernet queues" runs_static \
	"$CC -Wl,-u,doca_eth_rxq_create,-u,doca_flow_init" "doca-dma doca-flow doca-eth"
case_ "a program without shared libraries" whole_static "doca-dma doca-argp doca-eth"
for level in 1.3 1.5; do
	case_ "a program of level $level by fixed flags" level_by_flags $level
done
case_ "the packages say that they are ours" is_told_from_nvidias
case_ "both forms of functions" both_forms_shared "$CC"
case_ "both forms of functions in C++" both_forms_shared "$CXX -x c++"
case_ "both forms of functions, statically linked" both_forms_static
case_ "debug mode, when the environment asks for it" debug_mode
case_ "debug mode knows what a closed library had made" debug_mode_of_a_closed_library
case_ "flags of a C program" flags "$CC"
case_ "flags of a C++ program" flags "$CXX -x c++"
