#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Public headers: each compiles alone, in C11 and C++17, for both roles, in the form
# of both releases, with and without leave for experimental functions; and the version scripts export what
# they declare.

: "${CC:=gcc}" "${CXX:=g++}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
inc=$TOP/include
warn="-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror"
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	if out=$("$@" 2>&1); then
		echo "ok $n $name"
	else
		echo "$out" | sed 's/^/# /'
		echo "not ok $n $name"
	fi
}

# compile LANGUAGE FLAGS..., source on stdin
compile() {
	lang=$1
	shift
	case $lang in
	c) "$CC" -std=c11 $warn -fsyntax-only "$@" -I"$inc" -x c - ;;
	c++) "$CXX" -std=c++17 -Wall -Wextra -Wpedantic -Werror \
		-fsyntax-only "$@" -I"$inc" -x c++ - ;;
	esac
}

alone() {
	for lang in c c++; do
		for role in . doca-dpu; do
			for define in A DOCA_ALLOW_EXPERIMENTAL_API \
				DOCA_API_COMPAT_2_5; do
				printf '#include <%s>\nextern int x;\n' "$1" |
					compile $lang -D$define \
						-I"$inc/$role" || return
			done
		done
	done
}

role() {
	for lang in c c++; do
		echo "#include <doca_compat.h>
		#if !defined(DOCA_ARCH_$2) || defined(DOCA_ARCH_$3)
		#error wrong role
		#endif" | compile $lang -I"$inc/$1" || return
	done
}

# A function of each kind is used.
stable() {
	echo '#include <doca_error.h>
	const char *f(doca_error_t e);
	const char *f(doca_error_t e) { return doca_error_get_name(e); }' |
		compile "$1"
}

experimental='#include <doca_version.h>
	const char *f(void);
	const char *f(void) { return doca_version_runtime(); }'

experimental_warns() {
	! echo "$experimental" | compile "$1" >/dev/null 2>&1 &&
		echo "$experimental" | compile "$1" 2>&1 |
			grep -q DOCA_ALLOW_EXPERIMENTAL_API &&
		echo "$experimental" |
			compile "$1" -DDOCA_ALLOW_EXPERIMENTAL_API
}

deprecated='#include <doca_compat.h>
	DOCA_DEPRECATED int old(void);
	int f(void);
	int f(void) { return old(); }'

deprecated_warns() {
	! echo "$deprecated" | compile "$1" >/dev/null 2>&1 &&
		echo "$deprecated" | compile "$1" 2>&1 |
			grep -q DOCA_ALLOW_DEPRECATED_API &&
		echo "$deprecated" | compile "$1" -DDOCA_ALLOW_DEPRECATED_API &&
		echo "$deprecated" | compile "$1" -DDOCA_API_COMPAT_2_5
}

# As programs use it, in C++ and with every warning that GNU macros allow.
log_macros() {
	echo '#include <doca_log.h>
	DOCA_LOG_REGISTER(A::B);
	void f(int used_in_trace);
	void f(int used_in_trace)
	{
		DOCA_LOG_ERR("no arguments");
		DOCA_LOG_WARN("%d", 1);
		if (used_in_trace)
			DOCA_LOG_INFO("%s", "x");
		else
			DOCA_LOG_TRC("%d", used_in_trace);
	}' | compile "$1" -Wno-pedantic -Wno-variadic-macros \
		-Wno-gnu-zero-variadic-macro-arguments \
		-DDOCA_ALLOW_EXPERIMENTAL_API "$2"
}

log_format_is_checked() {
	! echo '#include <doca_log.h>
	DOCA_LOG_REGISTER(X);
	void f(void);
	void f(void) { DOCA_LOG_TRC("%s", 1); }' |
		compile "$1" -Wno-pedantic -DDOCA_ALLOW_EXPERIMENTAL_API \
			>/dev/null 2>&1
}

exports() {
	declared=$(cat "$inc"/doca_*.h | tr '\n\t' '  ' |
		sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/, ,g' |
		grep -o 'DOCA_\(STABLE\|EXPERIMENTAL\|DEPRECATED\) [^;#]*;' |
		sed 's/__attribute__((format([^)]*)))//' |
		grep -o '\b\(__\)\?doca_[a-z0-9_]* *(' | tr -d ' (' | sort)
	exported=$(grep -ho '\b\(__\)\?doca_[a-z0-9_]*;' "$TOP"/lib/*/*.map "$TOP"/lib/*/*/*.map |
		tr -d ';' | sort)
	[ "$declared" = "$exported" ] && return
	echo "declared only (-) or exported only (+), or twice:"
	a=$(mktemp) b=$(mktemp)
	echo "$declared" >"$a"
	echo "$exported" >"$b"
	diff -U0 "$a" "$b"
	rm -f "$a" "$b"
	return 1
}

# A whole library exports as many functions as the reference has. $1: library, $2: how many
has() {
	exported=$(grep -c "^[[:space:]]\(__\)\?$1_[a-z0-9_]*;" "$TOP/lib/${1#doca_}/lib$1.map")
	[ "$exported" = "$2" ] && return
	echo "$exported of $2 functions are exported"
	return 1
}

echo "KTAP version 1"
headers=$(cd "$inc" && echo doca_*.h onload/*.h)
set -- $headers
echo "1..$(($# + 16))"
for h in $headers; do
	case_ "$h compiles alone" alone "$h"
done
case_ "the default role is the host" role . HOST DPU
case_ "the other role is the DPU" role doca-dpu DPU HOST
for lang in c c++; do
	case_ "stable functions do not warn in $lang" stable $lang
	case_ "experimental functions warn in $lang" experimental_warns $lang
	case_ "deprecated functions warn in $lang" deprecated_warns $lang
	case_ "log macros work in $lang" log_macros $lang -DA
	case_ "log macros work with trace in $lang" log_macros $lang \
		-DDOCA_LOGGING_ALLOW_TRACE
	case_ "formats are checked in $lang" log_format_is_checked $lang
done
case_ "what is declared is exported" exports
case_ "App Shield has all its functions" has doca_apsh 73
