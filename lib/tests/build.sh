#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The build takes what the environment names, says what it lacks, and has no name that headers of
# the system have. Nothing is built here.

: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES UNDER CC CXX CLANG CFLAGS LDFLAGS PKG_CONFIG T O
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	"$@" >"$dir/out" 2>&1
	case $? in
	0) echo "ok $n $name" ;;
	4) echo "ok $n $name # SKIP $(tail -n 1 "$dir/out")" ;;
	*)
		tail -n 20 "$dir/out" | cut -c1-200 | sed 's/^/# /'
		echo "not ok $n $name"
		;;
	esac
}

# NAME BODY: a program in place of another
wrap() {
	printf '#!/bin/sh\n%s\n' "$2" >"$dir/$1"
	chmod +x "$dir/$1"
}

wrap my-cc 'exec gcc "$@"'
wrap my-clang 'exec clang "$@"'
wrap my-pc 'exec pkg-config "$@"'

# Each command that compiles or links, of a build that has nothing yet.
commands() {
	for part in lib tools process; do
		make -nC "$TOP/$part" O="$dir/none" all || return
	done >"$dir/made" && sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' "$dir/made" |
		grep -E -e ' -(c|shared) | -o .*\.o ' | grep -v '/prog.bpf.o'
}

environment_is_honoured() {
	export CC="$dir/my-cc" CLANG="$dir/my-clang" PKG_CONFIG="$dir/my-pc" CFLAGS="-DOURS -flto=auto" \
		LDFLAGS=-Wl,-z,ours
	commands >"$dir/commands" || return
	unset CC CLANG PKG_CONFIG CFLAGS LDFLAGS
	[ "$(wc -l <"$dir/commands")" -gt 200 ] || return
	grep -vE "^[[:space:]]*(rm|ln|ld|ar|objcopy|sed|mkdir|cp) |$dir/my-c" "$dir/commands" && return 1
	grep -e ' -c ' "$dir/commands" | grep -v -e ' -DOURS ' && return 1
	grep -e -flto "$dir/commands" && return 1
	grep "my-cc .* -o " "$dir/commands" | grep -v -e ' -c ' -e -Wl,-z,ours && return 1
	cd "$TOP" && git ls-files '*Makefile' '*.mk' | grep -v toolchain.mk |
		xargs grep -nE '^[^#]*(^|[[:space:](@])(gcc|g\+\+|clang|pkg-config) +[-$]' && return 1
	return 0
}

# A compiler for a machine whose libraries are not here.
other_machine_is_not_taken_for_this_one() {
	if [ -d /usr/lib/aarch64-linux-gnu/pkgconfig ]; then
		echo "libraries of arm64 are installed"
		return 4
	fi
	wrap their-cc '[ "$1" != -print-multiarch ] || exec echo aarch64-linux-gnu; exec gcc "$@"'
	! CC="$dir/their-cc" make -nC "$TOP/lib" O="$dir/apart" all >"$dir/said" 2>&1 &&
		grep 'for aarch64-linux-gnu .*libibverbs-dev:arm64 .*libnl-3-dev:arm64' "$dir/said" &&
		! grep -e ' -c ' "$dir/said"
}

what_is_built_for_another_machine_stays() {
	mkdir -p "$dir/theirs/lib" && echo vax >"$dir/theirs/lib/machine"
	! make -nC "$TOP/lib" O="$dir/theirs" all >"$dir/said" 2>&1 &&
		grep "theirs/lib is for vax, but .* builds for " "$dir/said" &&
		make -nC "$TOP/lib" O="$dir/theirs" clean
}

folders_are_those_that_are_named() {
	make -nC "$TOP" O="$(realpath -m --relative-to="$TOP" "$dir/o")" lib >/dev/null && [ -d "$dir/o/lib" ] || return
	for v in "O=a b" "DESTDIR=/a b" "PREFIX=/a b" "INSTALL_MOD_PATH=/a b" PREFIX=there; do
		! make -nC "$TOP" "$v" lib >"$dir/said" 2>&1 && grep "${v%%=*} is \"${v#*=}\"" "$dir/said" || return
	done
	for c in ';' '&' '|' '<' '>' '(' ')' '[' ']' '{' '}' '$' '`' '\' '"' "'" '*' '?' '!' '#' '%' ':' '='; do
		# make takes two of these for one.
		[ "$c" != '$' ] || given='$$'
		! make -C "$TOP" "PREFIX=$dir/a${given:-$c}b" "O=$dir/unbuilt" install >"$dir/said" 2>&1 &&
			grep -F "PREFIX is \"$dir/a${c}b\": no folder" "$dir/said" &&
			[ "$(grep -vc 'ing directory' "$dir/said")" -eq 1 ] && [ ! -e "$dir/unbuilt" ] || return
		unset given
	done
	! make -nC "$TOP" DESTDIR="/a;touch $dir/ran" install >"$dir/said" 2>&1 && [ ! -e "$dir/ran" ] || return
	! make -nC "$TOP" PREFIX= install >"$dir/said" 2>&1 && grep "PREFIX is empty: name a folder" "$dir/said"
}

# Relative to where make is called, as with any program
a_relative_destdir_is_followed() {
	mkdir -p "$dir/from" && cd "$dir/from" && make -nf "$TOP/Makefile" -C "$TOP" \
		DESTDIR="$(realpath --relative-to="$TOP" "$dir")/to" PREFIX=/p install >"$dir/said" 2>&1 &&
		grep -q "make .*DESTDIR=$dir/to PREFIX=/p install" "$dir/said"
}

nothing_is_installed_where_one_may_not_write() {
	touch "$dir/file"
	for v in "install DESTDIR=$dir/file/below" "install PREFIX=$dir/file" "install PREFIX=$dir LIBDIR=$dir/file/lib" \
		"modules_install INSTALL_MOD_PATH=$dir/file" "uninstall PREFIX=$dir/file"; do
		# words on purpose
		! make -C "$TOP" O="$dir/unbuilt" $v >"$dir/said" 2>&1 &&
			grep "$dir/file is no folder that you may write to: be root, or name" "$dir/said" &&
			[ "$(grep -vc 'ing directory' "$dir/said")" -eq 1 ] && [ ! -e "$dir/unbuilt" ] || return
	done
}

nothing_is_built_where_one_may_not_write() {
	touch "$dir/file"
	! make -nC "$TOP/lib" O="$dir/file" all >"$dir/said" 2>&1 &&
		grep "cannot write to $dir/file/lib: build with O=DIR" "$dir/said" && ! grep 'is for' "$dir/said"
}

# An unknown name is answered with those that there are, before anything is built.
names_that_there_are_not_are_refused() {
	while IFS='|' read -r names there; do
		# words on purpose
		! make -nC "$TOP" O="$dir/unbuilt" $names >"$dir/said" 2>&1 && grep -e "$there" "$dir/said" &&
			[ "$(grep -vc 'ing directory' "$dir/said")" -eq 1 ] && [ ! -e "$dir/unbuilt" ] || return
	done <<-END
		check K=bogus|K names bogus, .* process .* 6.12 .*engines-6.12
		check-engines K=6.999|K names 6.999, .* 6.12
		bench BENCH=bogus|BENCH names bogus, .* events .* datagrams
		bench-process BENCH=datagrams|BENCH names datagrams, .* events
	END
	make -nC "$TOP" O="$dir/unbuilt" K=process check >"$dir/said"
}

meson_that_is_missing_is_named() {
	mkdir -p "$dir/few" && ln -sf "$(command -v sh)" "$(command -v dirname)" "$(command -v readlink)" "$dir/few" ||
		return
	! PATH="$dir/few" "$TOP/scripts/build/meson" samples "$dir/samples" >"$dir/said" 2>&1 &&
		grep "meson is missing, which builds samples: install meson" "$dir/said" &&
		[ "$(wc -l <"$dir/said")" -eq 1 ]
}

# Before anything is built.
python_that_is_missing_is_named() {
	mkdir -p "$dir/most" && find "$(dirname "$(command -v make)")" "$(dirname "$(command -v "${CC:-gcc}")")" \
		-maxdepth 1 ! -name '*python*' -exec ln -sf -t "$dir/most" {} + || return
	for part in process/check lib/check ./check-host ./check-debug-mode; do
		! PATH="$dir/most" make -sC "$TOP/${part%/*}" O="$dir/without" "${part##*/}" >"$dir/said" 2>&1 &&
			grep "python3 is missing, which runs the tests: install python3" "$dir/said" &&
			[ -z "$(find "$dir/without" -name '*.o')" ] || return
	done
}

clang_builds_for_the_same_folder() {
	command -v clang >/dev/null || { echo "needs clang"; return 4; }
	[ "$("$TOP/scripts/build/multiarch" clang)" = "$("$TOP/scripts/build/multiarch" gcc)" ]
}

what_is_left_out_is_told() {
	wrap poor-pc 'case " $* " in *" libxdp"*|*" libdpdk "*|*" yara "*|*" libelf "*) exit 1 ;; esac
		exec pkg-config "$@"'
	for part in lib tools; do
		PKG_CONFIG="$dir/poor-pc" make -sC "$TOP/$part" O="$dir/none" left-out || return
	done >"$dir/said"
	grep 'past the kernel .*: install libxdp-dev' "$dir/said" &&
		grep 'doca_dpdk_bridge.*: install libdpdk-dev' "$dir/said" &&
		grep 'YARA.*: install libyara-dev' "$dir/said" &&
		grep 'doca_apsh_map: install libelf-dev' "$dir/said"
}

# Macros and tags that are defined in a header
names_of() {
	sed -nE -e 's/^# *(define) +([A-Za-z_0-9]+).*/\1 \2/p' \
		-e 's/^(typedef )?(struct|union|enum) +([a-z_0-9]+)( *\{.*)?$/tag \3/p' | sort -u
}

# The shim of the driver in a process has the kernel's names, and headers of libc and of Linux add
# some with each release. Tags of both are renamed, macros undefined first.
shim_bears_names_of_the_systems_headers() {
	shim=$(cat "$TOP"/process/shim/*.h)
	echo "$shim" | sed -nE 's/^#(define ([a-z_]+) inproc_.*|undef ([A-Za-z_]+))/\2\3/p' >"$dir/mended"
	echo "$shim" | names_of | grep -vwFf "$dir/mended" >"$dir/names"
	[ "$(wc -l <"$dir/names")" -gt 200 ] || return
	for folder in /usr/include /usr/include/$(gcc -print-multiarch); do
		cd "$folder" && cat ./*.h sys/*.h bits/*.h bits/types/*.h linux/*.h linux/*/*.h asm/*.h \
			asm-generic/*.h 2>/dev/null
	done | names_of | comm -12 - "$dir/names" >"$dir/both"
	cat "$dir/both"
	[ ! -s "$dir/both" ]
}

# One lane ends by an exception in a phase; the other takes its machine, and waits for no more.
a_phase_that_raises_has_failed() {
	PYTHONDONTWRITEBYTECODE=1 python3 - "$TOP" <<'END'
import importlib.machinery, importlib.util, sys
sys.path.insert(0, sys.argv[1] + "/scripts/check")
loader = importlib.machinery.SourceFileLoader("check", sys.argv[1] + "/scripts/check/check")
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)
from phase import Outcome, Phase

class History:
    def passed(self, name):
        return None
    def add(self, name, outcome, took):
        pass

class One(Phase):
    def execute(self):
        if self.name == "raises":
            raise OSError("no space")
        return Outcome(1)

class Apart(One):
    apart = True

lanes = check.Lanes([[One("a", 1)], [One("b", 1), Apart("c", 1), One("d", 1)]])
assert [lanes.next(0).name, lanes.next(0).name] == ["a", "c"] and lanes.next(0) is None
assert [lanes.next(1).name, lanes.next(1).name] == ["b", "d"] and lanes.next(1) is None
run = check.Run(History())
run.all([[One("a", 1), One("raises", 1), One("c", 1)], [One("d", 1)]])
assert (run.total.passed, run.total.failed) == (3, 1), run.total
END
}

echo "KTAP version 1"
echo "1..14"
for name in environment_is_honoured other_machine_is_not_taken_for_this_one \
	what_is_built_for_another_machine_stays folders_are_those_that_are_named \
	a_relative_destdir_is_followed nothing_is_installed_where_one_may_not_write \
	nothing_is_built_where_one_may_not_write names_that_there_are_not_are_refused \
	meson_that_is_missing_is_named python_that_is_missing_is_named clang_builds_for_the_same_folder \
	what_is_left_out_is_told a_phase_that_raises_has_failed \
	shim_bears_names_of_the_systems_headers; do
	case_ $name $name
done
