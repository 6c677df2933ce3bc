#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The manual, as it is installed: man finds each function, and nothing in it leads to
# where nothing is.

: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${O:=$TOP/build}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
pages=$dir/share/man
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$dir/out" 2>&1 && [ ! -s "$dir/out" ]; then
		echo "ok $n $name"
	else
		sed 's/^/# /' "$dir/out"
		echo "not ok $n $name"
	fi
}

# Those of the version scripts, which are what programs can link to. The older levels have
# the names of these in their sources, and a page of their own; what stands before other
# libraries has theirs, and libonload_xdp is for libonload alone.
functions() {
	sed -n 's/^\t\t*\([a-z0-9_]*\);.*/\1/p' "$TOP"/lib/*/*.map "$TOP"/lib/*/*/*.map |
		grep -E '^(doca|open_doca|onload)_' | grep -vx onload_xdp
}

installs() {
	MAKEFLAGS='' make -s -C "$TOP/Documentation/man" O="$O" PREFIX="$dir" install >/dev/null
}

each_function_has_a_page() {
	functions >"$dir/functions"
	[ "$(wc -l <"$dir/functions")" -gt 300 ] || echo "the functions were not found"
	find "$pages/man3" -name "*.3" -printf "%f\n" | sed "s/\.3$//" | sort >"$dir/pages"
	sort -u "$dir/functions" | comm -23 - "$dir/pages" | sed 's/$/ has no page/'

}

# Also those whose inside no program sees.
each_type_has_a_page() {
	sed -nE 's/^(enum|struct|union) ((open_)?(doca|onload)_[a-z0-9_]+)( \{|;).*/\2/p' \
		"$TOP"/include/*.h "$TOP"/include/onload/*.h | sort -u >"$dir/types"
	[ "$(wc -l <"$dir/types")" -gt 150 ] || echo "the types were not found"
	find "$pages/man3" -name "*.3" -printf "%f\n" | sed "s/\.3$//" | sort |
		comm -23 "$dir/types" - | sed 's/$/ has no page/'
}

each_page_has_a_synopsis_and_results() {
	sed "s|.*|$pages/man3/&.3|" "$dir/functions" >"$dir/pages"
	xargs grep -L '^\.Fo ' <"$dir/pages" | sed 's/$/ has no synopsis/'
	xargs grep -LE '^\.Ft "void"|^\.Sh RETURN VALUES' <"$dir/pages" |
		sed 's/$/ has no return values/'

}

# Also a page that is only another name of one.
no_reference_dangles() {
	grep -rhoE '^\.so man[0-9]/.*' "$pages" | sort -u | while read -r _ page; do
		[ -e "$pages/$page" ] || echo "there is no $page"
	done
	sed -n 's/^\.\(It \)\{0,1\}Xr \(doca[^ ]*\|onload[^ ]*\) \([0-9]\).*/\2 \3/p' \
		"$pages"/man?/* | sort -u | while read -r page section; do
		[ -e "$pages/man$section/$page.$section" ] ||
			echo "there is no $page($section)"
	done
}

# Lines that are too long to break are not worth a word.
is_well_formed() {
	cd "$pages" || return
	groff -mdoc -ww -z man?/* 2>&1 | grep -v "can't break line"
	:
}

echo "KTAP version 1"
echo "1..6"
case_ "installs" installs
case_ "each function has a page" each_function_has_a_page
case_ "each type has a page" each_type_has_a_page
case_ "each page has a synopsis and results" each_page_has_a_synopsis_and_results
case_ "no reference dangles" no_reference_dangles
if command -v groff >/dev/null; then
	case_ "is well formed" is_well_formed
else
	echo "ok 6 is well formed # SKIP there is no groff"
fi
